//! A filter for the exhaustive broad phase. It removes polygons behind a wall that no portal leads to and that a body
//! therefore cannot meet.
//!
//! Two rooms may share a wall of no thickness: their walls lie in one plane and face opposite ways. A box against the
//! wall of one room also has a face in that plane; it faces into the other room, but lies in that room's wall. A body
//! there touches the wall and the face at once, and at the edge of an opening it touches both walls. Without the
//! filter, the surface and the rounding of these unreachable polygons would affect the body, but only in the
//! exhaustive broad phase.

use glam::DVec3;

use super::Candidate;

/// A point up to this far in front of a wall's plane, in metres, counts as in the plane.
const IN_PLANE: f64 = 1e-6;

/// Whether a polygon, as seen from the body's centre `centre` in front of a wall, lies in or behind the wall and
/// reaches the wall's plane only inside the wall.
pub(super) fn is_behind(polygon: &Candidate, wall: &Candidate, centre: DVec3) -> bool {
    let [a, b, c] = wall.triangle.corners;
    let side = (centre - a).dot(wall.normal);
    let normal = if side < 0.0 && wall.two_sided {
        -wall.normal
    } else {
        wall.normal
    };
    let height = |p: DVec3| (p - a).dot(normal);
    let corners = polygon.triangle.corners;
    let is_flush = corners.iter().all(|&p| height(p).abs() <= IN_PLANE);
    let is_before = side > 0.0 || wall.two_sided;
    if !is_flush && (!is_before || corners.iter().any(|&p| height(p) > IN_PLANE)) {
        return false;
    }
    let mut part: Vec<DVec3> = corners
        .into_iter()
        .filter(|&p| height(p) >= -IN_PLANE)
        .collect();
    // Cut the polygon by the wall's edges, less a seam. A polygon that only touches them continues beside the wall.
    for (from, to) in [(a, b), (b, c), (c, a)] {
        let Some(inwards) = wall.normal.cross(to - from).try_normalize() else {
            return false;
        };
        let depth = |p: DVec3| (p - from).dot(inwards) - IN_PLANE;
        let mut inside = Vec::with_capacity(part.len() + 1);
        for (i, &p) in part.iter().enumerate() {
            let next = part[(i + 1) % part.len()];
            let (here, there) = (depth(p), depth(next));
            if here > 0.0 {
                inside.push(p);
            }
            if (here > 0.0) != (there > 0.0) {
                inside.push(p + (next - p) * (here / (here - there)));
            }
        }
        part = inside;
    }
    !part.is_empty()
}
