//! What the whole soup has beyond the portals, although it is nothing that a body can meet: what
//! stands against the back of a wall.
//!
//! Two rooms may share a wall of no thickness: their walls lie in one plane and face opposite ways. A
//! box that stands against the one has a face in that plane too, which faces into the other room,
//! and lies in the wall there. A body touches both at once, and at the rim of an opening it touches
//! both walls: the surface and the rounding of what no portal leads to would count where all is
//! gathered, and only there.

use glam::DVec3;

use super::Candidate;

/// What is no farther than this in front of a wall's plane, metres, lies in it.
const IN_PLANE: f64 = 1e-6;

/// Whether a polygon lies in a wall, or behind a wall that a body whose centre is at `centre` is in
/// front of, and comes up to the wall's plane only inside the wall.
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
    // Cut by the wall's sides, less a seam: what only touches them goes on beside the wall.
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
