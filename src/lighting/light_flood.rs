//! The light flood: propagation of a light's rays from its room through open portals.

use glam::DVec3;

use super::clip_planes::{RaySource, planes_through};
use super::sun;
use crate::geometry::{Plane, part_in_front};
use crate::level::{Front, Level, Light, LightKind, Portal, PortalId, RoomId, RoomImage, Walk};
use crate::world::World;

/// The maximum number of openings that light passes one after another.
const MAX_DEPTH: usize = 32;
/// The maximum number of lit rooms of a lamp, or of the light that enters through one window: bounds the work in mazes
/// of openings.
const MAX_LIT_ROOMS: usize = 256;
/// A lamp within this distance of an opening, metres, lights all of the room behind the opening.
const IN_OPENING: f64 = 0.01;
/// Geometry that sprawls from behind an opening to the near side is lit up to this depth, metres. Reveals of doors in
/// thick walls are less deep.
const MAX_REVEAL: f64 = 1.0;
/// The maximum half angle of a spot's cone, radians, that planes approximate.
const MAX_CONE: f64 = 1.4;

/// A room that a light reaches, once for each path. The path starts in the room that contains the light or, for a sun,
/// in the room that its light enters first.
pub(super) type LitRoom = RoomImage<Beam>;

/// The part of a light that is in a room, in the room's coordinates.
#[derive(Clone, Debug)]
pub(super) struct Beam {
    /// The planes through the light and the edges of the openings that the light passed: only points in front of all
    /// planes are lit.
    pub clip_planes: Vec<Plane>,
    /// The part of the last portal that the light fills; empty if the light passed no portal.
    pub opening: Vec<DVec3>,
    /// Index of the previous lit room on the path; `None` for the first one.
    pub before: Option<usize>,
    /// Index of the start room of the path.
    start: usize,
    /// The number of portals that the light passed.
    depth: usize,
    /// The last portal that the light passed.
    through: Option<PortalId>,
}

/// Floods the level with the light up to `range` metres. Only open portals let light pass.
pub(super) fn flood_light(level: &Level, world: &World, light: &Light, range: f64) -> Vec<LitRoom> {
    let starts: Vec<(RoomId, Vec<Plane>)> = match (light.kind, light.at.map(|at| at.room)) {
        (LightKind::Directional, _) if level.shows_sky() => sun::entrances(level, light.direction),
        (_, room) => room.map(|room| (room, Vec::new())).into_iter().collect(),
    };
    let mut rays = Rays {
        level,
        world,
        light,
        range,
        cone: cone(light),
        counts: vec![0; starts.len()],
        index: 0,
        source_here: RaySource::of(light, range),
        cone_here: Vec::new(),
    };
    let mut walk = Walk::default();
    for (start, (room, clip_planes)) in starts.into_iter().enumerate() {
        let beam = Beam {
            clip_planes,
            opening: Vec::new(),
            before: None,
            start,
            depth: 0,
            through: None,
        };
        walk.begin(&mut rays, room, beam);
    }
    walk.run(level, world.rooms(), &mut rays);
    walk.images
}

/// The rays of a light, as a front of the walk through the room graph.
struct Rays<'a> {
    level: &'a Level,
    world: &'a World,
    light: &'a Light,
    /// The light's range, metres.
    range: f64,
    cone: Vec<Plane>,
    /// The number of rooms that the light reached from each start.
    counts: Vec<usize>,
    /// The index of the visited lit room.
    index: usize,
    /// The source in the visited room's coordinates.
    source_here: RaySource,
    /// The cone in the visited room's coordinates.
    cone_here: Vec<Plane>,
}

impl Front for Rays<'_> {
    type Part = Beam;

    /// Each path has its own clip planes.
    const MERGES: bool = false;

    fn visit(&mut self, _: &Level, index: usize, lit_room: &LitRoom) -> bool {
        let here_from_light = lit_room.home_from_room.inverse();
        self.index = index;
        self.source_here = RaySource::of(self.light, self.range).transformed(&here_from_light);
        self.cone_here.clear();
        let cone = self.cone.iter().map(|plane| here_from_light.plane(plane));
        self.cone_here.extend(cone);
        let beam = &lit_room.part;
        beam.depth < MAX_DEPTH && self.counts[beam.start] < MAX_LIT_ROOMS
    }

    fn pass(&mut self, lit_room: &LitRoom, (id, portal): (PortalId, &Portal)) -> Option<Beam> {
        let beam = &lit_room.part;
        // A straight ray does not return through the opening that it passed.
        let back = beam.through.and_then(|through| self.level.back(through));
        if !self.world.passes_light(portal.link) || Some(id) == back {
            return None;
        }
        let (opening, clip_planes) = self.through(beam, id, portal)?;
        self.counts[beam.start] += 1;
        let far_from_near = &portal.far_from_near;
        Some(Beam {
            clip_planes: clip_planes.iter().map(|p| far_from_near.plane(p)).collect(),
            opening: opening.iter().map(|&p| far_from_near.point(p)).collect(),
            before: Some(self.index),
            start: beam.start,
            depth: beam.depth + 1,
            through: Some(id),
        })
    }
}

impl Rays<'_> {
    /// The part of a portal that the rays fill, and the clip planes behind it, both in the coordinates of the visited
    /// room; `None` if no ray passes.
    fn through(
        &self,
        beam: &Beam,
        id: PortalId,
        portal: &Portal,
    ) -> Option<(Vec<DVec3>, Vec<Plane>)> {
        let opening = &portal.polygon;
        // The reveal may belong to the room behind the opening; rays that pass the reveal's near end may hit it.
        let mut reveal = reveal_depth(self.level, id);
        match self.source_here {
            RaySource::Point(position, range) => {
                let height = -opening.plane.distance(position);
                let is_in_opening = height > -IN_OPENING
                    && height < reveal + IN_OPENING
                    && opening.covers(position, IN_OPENING);
                if opening.distance(position) > range || !is_in_opening && height <= 0.0 {
                    return None;
                }
                if is_in_opening {
                    return Some((opening.vertices.clone(), beam.clip_planes.clone()));
                }
                reveal = reveal.min(0.9 * height);
            }
            RaySource::Direction(direction) => {
                if opening.plane.normal.dot(direction) <= 0.0 {
                    return None;
                }
            }
        }
        let to_reveal = opening.plane.normal * reveal;
        let corners = opening.vertices.iter().map(|p| p - to_reveal);
        let polygon = part_in_front(corners.collect(), &beam.clip_planes);
        if part_in_front(polygon.clone(), &self.cone_here).is_empty() {
            return None;
        }
        let clip_planes = planes_through(&polygon, self.source_here)?;
        Some((polygon, clip_planes))
    }
}

/// Planes around a spot light's cone, in the coordinates of its room, for clipping openings.
fn cone(light: &Light) -> Vec<Plane> {
    const COUNT: usize = 8;
    let outer = match light.kind {
        LightKind::Spot { outer, .. } if f64::from(outer) < MAX_CONE => f64::from(outer),
        _ => return Vec::new(),
    };
    let across = light.direction.any_orthonormal_vector();
    let along = light.direction.cross(across);
    let (sin, cos) = libm::sincos(outer);
    let plane = |i: usize| {
        let (y, x) = libm::sincos(std::f64::consts::TAU * i as f64 / COUNT as f64);
        let outwards = across * x + along * y;
        Plane::through(light.position(), light.direction * sin - outwards * cos)
    };
    (0..COUNT).map(plane).collect()
}

/// The depth, metres, to which geometry sprawls from the room behind an opening to this side; 0 if it exceeds
/// `MAX_REVEAL`.
fn reveal_depth(level: &Level, id: PortalId) -> f64 {
    let sprawl = level.sprawl_through(id);
    if sprawl.is_empty() {
        return 0.0;
    }
    let plane = level.portal(id).polygon.plane;
    let depths = sprawl.corners().map(|p| -plane.distance(p));
    let deepest = depths.into_iter().fold(0.0, f64::max);
    if deepest < MAX_REVEAL { deepest } else { 0.0 }
}
