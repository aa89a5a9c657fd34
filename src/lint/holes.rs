//! Holes of rooms: edges around which the room's inside continues behind its faces.
//!
//! A face ends at a boundary edge. If a short path around that edge, from the front of the face to its back, hits
//! nothing, the back of the face is visible. That is a hole if the front of the face is inside the room and the back is
//! not. Rugs, posters and open furniture have the room's inside on both sides.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::corners::corner;
use super::edges::free_edges;
pub(super) use super::joined_holes::RoomHole;
use super::joined_holes::{joined, of_edges};
use super::pieces::find;
use super::scene::{RoomScene, TriangleKind};
use crate::build::WindingTree;
use crate::geometry::Aabb;
use crate::level::{LevelData, Portal, RoomId};

/// Radius of the path around an edge, metres. Slits that are narrower are not holes.
pub(super) const SLIT: f64 = 2e-3;
/// Distance between the face and the ends of the path, as a fraction of `SLIT`.
const FOLD: f64 = 0.02;
/// Distance between tested points along an edge, metres.
const SPACING: f64 = 0.25;
/// Maximum number of tested points of an edge.
const MAX_POINTS: usize = 40;
/// Maximum number of tested points of all edges of a room.
const MAX_POINTS_OF_ROOM: usize = 40_000;
/// Minimum fraction of directions, 0..1, in which the room's inside is visible from the front of a face at a hole. It
/// is small because in a room without a ceiling, walls see the inside only in the lower half of their view.
pub(super) const MIN_FRONT_AIR: f64 = 0.2;
/// Maximum fraction of directions, 0..1, in which the room's inside is visible from behind a hole.
pub(super) const MAX_BACK_AIR: f64 = 0.5;
/// An object stands in the room if the winding number of the room without the object, around the object's boundary
/// edges, is greater than this.
pub(super) const STANDS_IN_ROOM: f64 = 0.75;
/// Minimum size of a large component, as a fraction 0..1 of the room's size.
const LARGE: f64 = 0.2;
/// A point counts as in the room behind a portal if it is at least this far behind the portal, metres.
const BEHIND: f64 = 1e-3;
/// Maximum distance of a point in a reveal from the opening, measured in the portal's plane, metres.
const NEAR_OPENING: f64 = 0.05;
/// Maximum depth of a reveal behind a portal, metres.
const MAX_REVEAL: f64 = 1.5;
/// Margin around the box of a reveal, metres, for inaccurate corners.
const AROUND_REVEAL: f64 = 4.0 * NEAR_OPENING;

/// A boundary edge with a free path around it, from the front of its face to the back.
#[derive(Clone, Copy, Debug)]
struct Rim {
    face: u32,
    ends: [DVec3; 2],
    /// A point of the edge with a free path.
    point: DVec3,
    /// Whether at that point the front of the face is inside the room and the back is not.
    is_open: bool,
}

/// The holes of a room, except holes that other geometry seals.
pub(super) fn holes(level: &LevelData, room: RoomId, scene: &RoomScene) -> Vec<RoomHole> {
    let free = free_edges(scene);
    if free.is_empty() {
        return Vec::new();
    }
    let component = scene.components();
    let large = Large::of(scene, component);
    let mut stands_in_room: BTreeMap<u32, bool> = BTreeMap::new();
    let mut points_left = MAX_POINTS_OF_ROOM;
    // Boundary edges with a free path.
    let mut rims: Vec<Rim> = Vec::new();
    for edge in free {
        let triangle = &scene.triangles[edge.face as usize];
        let [from, to] = [edge.edge, (edge.edge + 1) % 3].map(|i| triangle.corners[i]);
        let Some(normal) = triangle.normal() else {
            continue;
        };
        let away = (to - from).cross(normal).normalize_or_zero();
        let points = ((to - from).length() / SPACING).ceil();
        let points = (points as usize).clamp(1, MAX_POINTS).min(points_left);
        points_left -= points;
        // Sample points avoid the edge's midpoint, where neighbours often meet.
        let point = |k: usize| from.lerp(to, (k as f64 + 0.382) / points as f64);
        let leads_behind = |&k: &usize| leads_behind(scene, point(k), normal, away, edge.face);
        let Some(first) = (0..points).find(leads_behind) else {
            continue;
        };
        let of = component[edge.face as usize];
        let beside = point(first) + away * SLIT;
        let stands = stands_in_room.entry(of).or_insert_with(|| {
            winding_without(scene, of, beside) > STANDS_IN_ROOM
                || large.without(scene, of, beside) > STANDS_IN_ROOM
        });
        if *stands {
            continue;
        }
        let is_open = |&k: &usize| {
            let point = point(k);
            !is_behind_portal(level, scene, point)
                && scene.air_around(point + normal * SLIT - away * SLIT, normal, true)
                    >= MIN_FRONT_AIR
                && scene.air_around(point + away * SLIT, -normal, false) < MAX_BACK_AIR
        };
        let found = (first..points).filter(leads_behind).find(is_open);
        rims.push(Rim {
            face: edge.face,
            ends: [from, to],
            point: point(found.unwrap_or(first)),
            is_open: found.is_some(),
        });
    }
    let mut root: Vec<u32> = (0..rims.len() as u32).collect();
    let mut by_corner = BTreeMap::new();
    for (rim, index) in rims.iter().zip(0..) {
        for point in rim.ends {
            let first = *by_corner.entry(corner(point)).or_insert(index);
            let [a, b] = [first, index].map(|i| find(&mut root, i));
            root[a.max(b) as usize] = a.min(b);
        }
    }
    let mut parts: BTreeMap<u32, Vec<&Rim>> = BTreeMap::new();
    for (rim, index) in rims.iter().zip(0..) {
        let part = find(&mut root, index);
        parts.entry(part).or_default().push(rim);
    }
    // Where a side of a reveal is missing, the other sides are visible and look like the room's inside, so `is_open` is
    // false for a part of the rim. One open edge is enough for a hole.
    parts.retain(|_, part| part.iter().any(|rim| rim.is_open));
    let hole = |part: Vec<&Rim>| {
        let edges: Vec<[DVec3; 2]> = part.iter().map(|rim| rim.ends).collect();
        let mut lengths: BTreeMap<u32, f64> = BTreeMap::new();
        for rim in &part {
            if let TriangleKind::Own(mesh) = scene.kinds[rim.face as usize] {
                *lengths.entry(mesh).or_default() += rim.ends[0].distance(rim.ends[1]);
            }
        }
        let most = lengths.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let points = part.iter().map(|rim| rim.point).collect();
        of_edges(room, edges, points, most.map_or(0, |(mesh, _)| mesh))
    };
    let portals = level.portals_of(room);
    let sides = portals.flat_map(|(_, portal)| {
        let corners = &portal.polygon.vertices;
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(a, b)| [*a, *b])
    });
    joined(
        parts.into_values().map(hole).collect(),
        &sides.collect::<Vec<_>>(),
    )
}

/// Whether the path around an edge, from the front of its face to the back, is free.
fn leads_behind(scene: &RoomScene, point: DVec3, normal: DVec3, away: DVec3, face: u32) -> bool {
    let (up, out) = (normal * SLIT, away * SLIT);
    // The path begins and ends close to the face: a neighbour may fold back onto the face.
    let path = [
        point + up * FOLD - out,
        point + up - out,
        point + up + out,
        point - up + out,
        point - up - out,
        point - up * FOLD - out,
    ];
    let mut steps = path.windows(2);
    !steps.any(|step| scene.is_between(step[0], step[1], face))
}

/// Whether a point of a room is in the reveal behind one of its portals.
pub(super) fn is_behind_portal(level: &LevelData, scene: &RoomScene, point: DVec3) -> bool {
    let reveals = scene.reveals(|portal| {
        let Portal {
            polygon, bounds, ..
        } = level.portal(portal);
        let deep = polygon.plane.normal * MAX_REVEAL;
        let end = [bounds.min, bounds.max].map(|p| p + deep);
        bounds.union(Aabb::around(end)).grown(AROUND_REVEAL)
    });
    reveals.any_at(point, |portal| {
        let portal = level.portal(portal);
        let distance = portal.polygon.plane.distance(point);
        let foot = point - portal.polygon.plane.normal * distance;
        (BEHIND..MAX_REVEAL).contains(&distance) && portal.polygon.covers(foot, NEAR_OPENING)
    })
}

/// The large components of a room. Small ones are excluded because loose leaves of plants have arbitrary winding.
struct Large {
    components: BTreeSet<u32>,
    windings: WindingTree,
}

impl Large {
    fn of(scene: &RoomScene, component: &[u32]) -> Self {
        let counts = |&(face, _): &(usize, &u32)| scene.kinds[face] != TriangleKind::Guest;
        let own = || component.iter().enumerate().filter(counts);
        let mut boxes: BTreeMap<u32, Aabb> = BTreeMap::new();
        for (face, of) in own() {
            let bounds = boxes.entry(*of).or_insert(Aabb::EMPTY);
            *bounds = bounds.union(Aabb::around(scene.triangles[face].corners));
        }
        let size = |bounds: Aabb| (bounds.max - bounds.min).length();
        let least = LARGE * size(scene.bounds);
        let large = boxes
            .into_iter()
            .filter(|(_, bounds)| size(*bounds) > least);
        let components: BTreeSet<u32> = large.map(|(of, _)| of).collect();
        let faces = own().filter(|(_, of)| components.contains(of));
        let windings = WindingTree::of(faces.map(|(face, _)| scene.triangles[face]).collect());
        Self {
            components,
            windings,
        }
    }

    /// The winding number of all large components except `without`, around a point.
    fn without(&self, scene: &RoomScene, without: u32, point: DVec3) -> f64 {
        let all = self.windings.turns(point, &Cell::new(0));
        match self.components.contains(&without) {
            true => all - scene.winding_of_component(without, point, false),
            false => all,
        }
    }
}

/// The winding number of a room, without one of its components, around a point.
pub(super) fn winding_without(scene: &RoomScene, without: u32, point: DVec3) -> f64 {
    scene.winding_of_all(point) - scene.winding_of_component(without, point, false)
}
