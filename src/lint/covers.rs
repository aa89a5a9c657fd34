//! Portals that are covered by the backs of walls.

use glam::DVec3;

use super::holes::{STANDS_IN_ROOM, winding_without};
use super::scene::{RoomScene, TriangleKind};
use crate::geometry::ConvexPolygon;
use crate::level::{Alpha, LevelData, PortalId, RoomId};
use crate::source::LevelSource;

/// Width of the rim of a portal that walls may cover, metres.
pub(super) const PLAY: f64 = 0.01;
/// Number of sample points along a side of a portal.
pub(super) const POINTS: usize = 8;
/// Rays start at this distance behind the portal, metres, so that they also hit a wall in the portal's plane.
const BEHIND: f64 = 3e-3;
/// Minimum winding number of a room's surface, without portals, around a point inside the room.
pub(super) const IN_AIR: f64 = 0.6;
/// Maximum distance between a portal and the wall that contains it, metres.
const MAX_COVER: f64 = 1.0;
/// A wall that covers at least this fraction of a portal, 0..1, has no opening there.
pub(super) const NOT_CUT: f64 = 0.9;

/// The part of a portal that is covered by the backs of walls, seen from the portal. The walls belong to the portal's
/// near room.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub portal: PortalId,
    /// Covered fraction, 0..1.
    pub part: f64,
    /// Distance from the portal to the wall, metres.
    pub distance: f64,
    /// A covered point, in room coordinates.
    pub at: DVec3,
    /// The mesh of the wall, in the source.
    pub mesh: u32,
    /// Whether the cover is a closed object that fills the opening, not a wall.
    pub is_furniture: bool,
}

/// The covers of a room's portals.
pub(super) fn covers(
    level: &LevelData,
    source: &LevelSource,
    room: RoomId,
    scene: &RoomScene,
) -> Vec<Cover> {
    let walls = walls(level, source, scene);
    let portals = level.portals_of(room);
    portals
        .filter_map(|(id, portal)| cover(id, &portal.polygon, &walls))
        .collect()
}

/// The walls of a room that may cover portals.
pub(super) struct Walls<'a> {
    level: &'a LevelData,
    source: &'a LevelSource,
    scene: &'a RoomScene,
}

pub(super) fn walls<'a>(
    level: &'a LevelData,
    source: &'a LevelSource,
    scene: &'a RoomScene,
) -> Walls<'a> {
    Walls {
        level,
        source,
        scene,
    }
}

impl Walls<'_> {
    /// The wall that covers a point of a portal of the room: the distance, metres, from the point to the wall's back,
    /// and the index of the wall's triangle.
    pub(super) fn cover(&self, polygon: &ConvexPolygon, point: DVec3) -> Option<(f64, u32)> {
        let scene = self.scene;
        let out = polygon.plane.normal;
        let reach = 2.0 * (scene.bounds.max - scene.bounds.min).length() + 1.0;
        let (from, to) = (point + out * BEHIND, point - out * reach);
        let is_own =
            |kind: TriangleKind| matches!(kind, TriangleKind::Own(mesh) if self.is_wall(mesh));
        let hit = scene.first_hit(from, to, is_own).filter(|hit| !hit.front)?;
        let distance = hit.part * (reach + BEHIND);
        if distance > MAX_COVER {
            return None;
        }
        let before = from - out * (distance - 1e-3);
        let is_in_air = scene.winding_of_own(before) > IN_AIR;
        (!is_in_air).then_some((distance - BEHIND, hit.index))
    }

    /// Whether a mesh can be a wall: fences and panes cannot, because they are transparent.
    fn is_wall(&self, mesh: u32) -> bool {
        let mesh = &self.source.meshes[mesh as usize];
        mesh.drawn && self.level.materials[mesh.material].alpha == Alpha::Opaque
    }
}

fn cover(portal: PortalId, polygon: &ConvexPolygon, walls: &Walls) -> Option<Cover> {
    let scene = walls.scene;
    let points = points_of(polygon);
    let out = polygon.plane.normal;
    let covered = points.iter().filter_map(|&point| {
        let (distance, index) = walls.cover(polygon, point)?;
        Some((distance, point, index))
    });
    let covered: Vec<(f64, DVec3, u32)> = covered.collect();
    let &(distance, at, index) = covered.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let TriangleKind::Own(mesh) = scene.kinds[index as usize] else {
        return None;
    };
    let part = covered.len() as f64 / points.len() as f64;
    let component = scene.components();
    let of = component[index as usize];
    let behind = at - out * (distance + 0.05);
    let is_furniture = winding_without(scene, of, behind) > STANDS_IN_ROOM;
    if part < NOT_CUT && is_furniture {
        // The object covers only a part of the opening, which is intended.
        return None;
    }
    Some(Cover {
        portal,
        part,
        distance: distance.max(0.0),
        at,
        mesh,
        is_furniture,
    })
}

/// Sample points over the area of a portal, and along its sides.
pub(super) fn points_of(polygon: &ConvexPolygon) -> Vec<DVec3> {
    let corners = &polygon.vertices;
    let centre = polygon.centre();
    let inset = |p: DVec3| {
        let to_centre = centre - p;
        p + to_centre * (1.5 * PLAY / to_centre.length()).min(0.5)
    };
    let mut points = vec![centre];
    for (&from, &to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        for k in 0..POINTS {
            let point = inset(from.lerp(to, (k as f64 + 0.5) / POINTS as f64));
            points.push(point);
            if k % 2 == 0 {
                points.push(point.lerp(centre, 0.5));
            }
        }
    }
    points
}
