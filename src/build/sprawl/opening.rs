//! Finds where a triangle passes through a portal's opening.

use glam::DVec3;

use crate::build::opening::TOUCH;
use crate::geometry::ConvexPolygon;

/// Minimum length of the segment in which sprawling geometry passes an opening, metres. Corners that merely touch the
/// outline do not sprawl.
const CROSSING_LENGTH: f64 = 0.01;

/// The segment in which a triangle passes an opening, inside it or along its outline. The triangle crosses the
/// opening's plane there, or has an edge in the plane and lies behind it.
pub(super) fn segment_in(corners: &[DVec3; 3], polygon: &ConvexPolygon) -> Option<[DVec3; 2]> {
    let distances = corners.map(|p| polygon.plane.distance(p));
    if distances.iter().all(|&d| d >= -TOUCH) {
        return None;
    }
    let edges = (0..3).map(|i| [i, (i + 1) % 3]);
    if distances.iter().any(|&d| d > TOUCH) {
        let cut = edges.filter_map(|[i, k]| {
            let (a, b) = (distances[i], distances[k]);
            let part = a / (a - b);
            ((a < 0.0) != (b < 0.0)).then(|| corners[i].lerp(corners[k], part))
        });
        let cut: Vec<DVec3> = cut.collect();
        let [a, b] = cut[..] else { return None };
        return part_inside(a, b, polygon);
    }
    let in_plane = |i: usize| distances[i].abs() <= TOUCH;
    edges
        .filter(|&[i, k]| in_plane(i) && in_plane(k))
        .find_map(|[i, k]| part_inside(corners[i], corners[k], polygon))
}

/// The part of a segment in the polygon's plane that is inside the polygon or along its outline.
fn part_inside(a: DVec3, b: DVec3, polygon: &ConvexPolygon) -> Option<[DVec3; 2]> {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    let ends = polygon.vertices.iter();
    for (&from, &to) in ends.zip(polygon.vertices.iter().cycle().skip(1)) {
        let Some(inward) = polygon.plane.normal.cross(to - from).try_normalize() else {
            continue;
        };
        let (da, db) = (inward.dot(a - from) + TOUCH, inward.dot(b - from) + TOUCH);
        if da < 0.0 && db < 0.0 {
            return None;
        }
        if da < 0.0 {
            enter = enter.max(da / (da - db));
        } else if db < 0.0 {
            leave = leave.min(da / (da - db));
        }
    }
    let is_long = (leave - enter) * (b - a).length() > CROSSING_LENGTH;
    is_long.then(|| [a.lerp(b, enter), a.lerp(b, leave)])
}
