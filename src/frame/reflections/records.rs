//! The records of rooms, portals and instances from which the shader finds the cubes of a fragment, in its layout: each
//! is a number of `vec4f`, with indices and counts as numbers.

use std::ops::Range;
use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::places::RoomCubes;
use crate::frame::data::{CubeId, CubeSlot, FrameReflections, ReflectionCube, ReflectionList};
use crate::geometry::{ConvexPolygon, Rigid};
use crate::level::{Level, Portal, PortalId, RoomId};
use crate::world::World;

/// The index of the cube's layer before the renderer has written it: no cube.
const NO_LAYER: f32 = -1.0;
/// The length of the record of a portal.
pub(super) const PORTAL_LEN: u32 = 6;
/// The maximum number of portals of a room whose neighbours blend into it; the largest ones.
const MAX_PORTALS: usize = 16;

/// The length of the record of a room without its portals.
pub(super) fn room_len(cubes: &RoomCubes) -> u32 {
    3 + cubes.places.len() as u32
}

/// Appends the record of a room: its box, its axis, its cubes. The portals follow.
pub(super) fn add_room(
    reflections: &mut FrameReflections,
    (room, cubes): (RoomId, &RoomCubes),
    portals: usize,
    cube: impl Fn(CubeId) -> Option<Arc<ReflectionCube>>,
) {
    let FrameReflections { records, slots, .. } = reflections;
    let walls = &cubes.walls;
    records.push(with(walls.min, cubes.places.len() as f32));
    records.push(with(walls.max, portals as f32));
    records.push(with(cubes.axis, 0.0));
    for (nth, &place) in (0u32..).zip(&cubes.places) {
        slots.push(CubeSlot {
            record: records.len() as u32,
            cube: cube(CubeId { room, nth }),
        });
        records.push(with(place, NO_LAYER));
    }
}

/// Appends the record of a portal of the room before it; `far` is the index of the far room's record.
pub(super) fn add_portal(records: &mut Vec<[f32; 4]>, portal: &Portal, far: u32) {
    let (centre, axes) = rectangle(&portal.polygon);
    records.push(with(centre, far as f32));
    records.extend(axes.map(|(axis, half)| with(axis, half as f32)));
    add_transform(records, &portal.far_from_near);
}

/// Appends the list of instances in a room; `room_from_here` is the transform from the instances' coordinates to those
/// of the room, and `slots` the range of the list's slots. Returns the index of the list.
pub(super) fn add_list(
    reflections: &mut FrameReflections,
    room: u32,
    room_from_here: &Rigid,
    slots: Range<u32>,
) -> u32 {
    let start = reflections.records.len() as u32;
    reflections.records.push([room as f32, 0.0, 0.0, 0.0]);
    add_transform(&mut reflections.records, room_from_here);
    reflections.lists.push(ReflectionList { start, slots });
    start
}

/// Appends the portals of a room whose neighbours blend into it.
pub(super) fn add_blended_portals(
    (level, world): (&Level, &World),
    room: RoomId,
    portals: &mut Vec<PortalId>,
) {
    let start = portals.len();
    let all = world.rooms().portals_of(level, room);
    let open = all.filter(|(_, portal)| world.passes_light(portal.link));
    portals.extend(open.map(|(id, _)| id));
    if portals.len() - start > MAX_PORTALS {
        let area = |id: &PortalId| level.link(level.portal(*id).link).area;
        portals[start..].sort_unstable_by(|a, b| area(b).total_cmp(&area(a)).then(a.cmp(b)));
        portals.truncate(start + MAX_PORTALS);
    }
}

fn add_transform(records: &mut Vec<[f32; 4]>, transform: &Rigid) {
    let (rotation, translation) = (transform.rotation(), transform.translation());
    records.extend([0, 1, 2].map(|i| with(rotation.row(i), translation[i] as f32)));
}

fn with(v: DVec3, w: f32) -> [f32; 4] {
    let Vec3 { x, y, z } = v.as_vec3();
    [x, y, z, w]
}

/// A rectangle around a polygon in its plane: the centre, and two unit axes with half the size along each.
fn rectangle(polygon: &ConvexPolygon) -> (DVec3, [(DVec3, f64); 2]) {
    let normal = polygon.plane.normal;
    let across = normal.any_orthonormal_vector();
    let up = normal.cross(across);
    let mut centre = normal * polygon.plane.offset;
    let axes = [across, up].map(|axis| {
        let along = polygon.vertices.iter().map(|v| v.dot(axis));
        let low = along.clone().fold(f64::INFINITY, f64::min);
        let high = along.fold(f64::NEG_INFINITY, f64::max);
        centre += axis * (0.5 * (low + high));
        (axis, 0.5 * (high - low))
    });
    (centre, axes)
}
