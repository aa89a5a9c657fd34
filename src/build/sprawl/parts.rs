//! Cuts a triangle that passes openings of a room into parts. Each part lies on one side of every opening, and so in
//! the air of one room.

use glam::DVec3;

use super::opening::segment_in;
use crate::build::opening::TOUCH;
use crate::build::windings::RoomWindings;
use crate::geometry::{Aabb, Plane, Triangle, clip_polygon};
use crate::level::RoomId;

/// Maximum number of parts of a triangle. A triangle that passes more openings in different planes is cut no further.
const MAX_PARTS: usize = 64;

/// The convex parts of a triangle in coordinates of a room. Their order depends only on the triangle and the room.
pub(super) fn parts_of(
    windings: &RoomWindings,
    room: RoomId,
    triangle: &Triangle,
) -> Vec<Vec<DVec3>> {
    let around = Aabb::around(triangle.corners).grown(TOUCH);
    let mut parts = vec![triangle.corners.to_vec()];
    for (_, portal) in windings.portals_near(room, &around) {
        let plane = &portal.polygon.plane;
        let mut distances = triangle.corners.iter().map(|&p| plane.distance(p));
        let passes = distances.any(|distance| distance > TOUCH)
            && segment_in(&triangle.corners, &portal.polygon).is_some();
        if passes && 2 * parts.len() <= MAX_PARTS {
            let halves = parts.iter().flat_map(|part| split(part, plane));
            parts = halves.filter(|half| half.len() > 2).collect();
        }
    }
    parts
}

/// The parts of a convex polygon behind a plane and in front of it. A part that only touches the plane is empty.
fn split(polygon: &[DVec3], plane: &Plane) -> [Vec<DVec3>; 2] {
    let side = |sign: f64| {
        let distance = |p: DVec3| sign * plane.distance(p);
        if polygon.iter().all(|&p| distance(p) < TOUCH) {
            return Vec::new();
        }
        let mut half = Vec::with_capacity(polygon.len() + 1);
        clip_polygon(polygon, distance, &mut half);
        half
    };
    [side(-1.0), side(1.0)]
}
