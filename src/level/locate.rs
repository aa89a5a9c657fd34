//! Finding the room of a point. The test uses the polygons of rooms, not their boxes.

use super::winding::{drawn_triangles, is_open, winding_in_air};
use std::f64::consts::TAU;

use super::{At, Level, LevelData, Mover, RoomId};
use crate::geometry::{Aabb, Feature, Triangle, solid_angle};

use glam::DVec3;

/// Distances with a relative difference below this are equal.
const TIE: f64 = 1e-9;

/// Finds the room that contains `point` (level coordinates), for spawns and teleports. Moving objects change rooms by
/// crossing portals instead. Chooses the room with the largest winding number around the point. A room need not be
/// closed. So if no room winds around the point, the nearest surface of a non-closed room decides: its room is chosen
/// if the point is in front of that surface. Moving rooms are in their authored pose.
pub fn locate(level: &Level, point: DVec3) -> Option<RoomId> {
    let winding = |room| winding_in_air(level, room, point);
    let rooms = |fits: fn(&Aabb, DVec3) -> bool| -> Vec<RoomId> {
        let mut ids = level.room_ids();
        let near = ids
            .by_ref()
            .filter(|&id| fits(&level.room(id).bounds, point));
        near.collect()
    };
    winding_most(level, &rooms(Aabb::contains), winding)
        .or_else(|| in_front_of_nearest(level, point, &rooms(is_in_or_above), winding))
}

/// Whether the room stored in a position contains its point.
pub(crate) fn holds(level: &Level, At { room, point }: At) -> bool {
    is_inside(level, room, point, winding_in_air(level, room, point))
}

/// Whether a point is in a room with this winding number around it, regardless of other rooms.
pub(crate) fn is_inside(level: &LevelData, room: RoomId, point: DVec3, winding: f64) -> bool {
    winding > 0.5 || is_open(winding) && front_of(level, room, point).is_some()
}

impl LevelData {
    /// Whether a point (metres, in the mover's coordinates) is inside a mover, at any distance from its surface. A
    /// surface that is not closed has no inside.
    pub fn is_inside_mover(&self, mover: &Mover, point: DVec3) -> bool {
        let solids = self.solids.of(&mover.solids);
        let angle: f64 = solids.map(|s| solid_angle(&s.triangle(), point)).sum();
        angle.abs() > TAU
    }
}

/// The room with the largest winding number around a point, above 0.5; moving rooms come first, because they lie inside
/// other rooms.
pub(crate) fn winding_most(
    level: &LevelData,
    rooms: &[RoomId],
    winding: impl Fn(RoomId) -> f64,
) -> Option<RoomId> {
    let windings = rooms.iter().map(|&room| (room, winding(room)));
    windings
        .filter(|(_, winding)| *winding > 0.5)
        .map(|(room, winding)| (room, (level.room(room).moved_by.is_some(), winding)))
        .reduce(|a, b| if b.1 > a.1 { b } else { a })
        .map(|(room, _)| room)
}

/// The room with the nearest surface among the rooms that are not closed, if the point is in front of that surface.
pub(crate) fn in_front_of_nearest(
    level: &LevelData,
    point: DVec3,
    rooms: &[RoomId],
    winding: impl Fn(RoomId) -> f64,
) -> Option<RoomId> {
    let open = rooms.iter().filter(|&&room| is_open(winding(room)));
    open.filter_map(|&room| Some((front_of(level, room, point)?, room)))
        .reduce(|a, b| if b.0 < a.0 { b } else { a })
        .map(|(_, room)| room)
}

/// Whether a point is in a box or above it: a room that is not closed may be open above.
pub(crate) fn is_in_or_above(bounds: &Aabb, point: DVec3) -> bool {
    bounds.contains(point.with_y(point.y.min(bounds.max.y)))
}

/// The distance of a point in front of the nearest surface of a room, portals included; `None` if the point is behind
/// that surface. At an edge or a corner, the adjacent triangles are weighted by their angles there (J. A. Baerentzen
/// and H. Aanaes, "Signed distance computation using the angle weighted pseudonormal", 2005).
fn front_of(level: &LevelData, id: RoomId, point: DVec3) -> Option<f64> {
    // The front of a portal faces out of the room.
    let flipped = |t: Triangle| {
        let [a, b, c] = t.corners;
        Triangle { corners: [a, c, b] }
    };
    let portals = level.portals_of(id);
    let portals = portals.flat_map(|(_, portal)| portal.polygon.triangles().map(flipped));
    let solids = level.solids.of(&level.room(id).solids);
    let solids = solids.map(|solid| solid.triangle());
    let surface = solids
        .chain(drawn_triangles(level, id, |_| true))
        .chain(portals);
    let (mut least, mut side) = (f64::INFINITY, 0.0);
    for triangle in surface {
        let (closest, feature) = triangle.closest_point(point);
        let offset = point - closest;
        let distance = offset.length();
        let Some(normal) = triangle.normal() else {
            continue;
        };
        if distance > least * (1.0 + TIE) {
            continue;
        }
        if distance < least * (1.0 - TIE) {
            side = 0.0;
        }
        least = least.min(distance);
        side += normal.dot(offset) * angle_at(&triangle, feature);
    }
    (side > 0.0).then_some(least)
}

/// The angle of a triangle around a point of it, radians.
fn angle_at(triangle: &Triangle, feature: Feature) -> f64 {
    use std::f64::consts::PI;
    match feature {
        Feature::Face => 2.0 * PI,
        Feature::Edge(_) => PI,
        Feature::Vertex(i) => {
            let [a, b, c] = [0, 1, 2].map(|k| triangle.corners[(i + k) % 3]);
            let (ab, ac) = (b - a, c - a);
            libm::atan2(ab.cross(ac).length(), ab.dot(ac))
        }
    }
}
