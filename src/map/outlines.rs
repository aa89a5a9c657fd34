//! Outlines of solids seen from above.

use glam::{DVec2, DVec3};

use crate::geometry::Rigid;
use crate::level::RigidBody;

/// The number of corners of a ball's outline.
const CORNERS: u32 = 16;

/// Returns the outline of a rigid body in a pose, as a polyline whose last point is its first.
pub(crate) fn body_outline(body: &RigidBody, room_from_body: &Rigid) -> Vec<DVec2> {
    let triangles = body.shape.triangles();
    if triangles.is_empty() {
        let radius = body.radius;
        let centre = flat(room_from_body.point(DVec3::ZERO));
        let ring = (0..CORNERS).map(|corner| {
            let angle = std::f64::consts::TAU * f64::from(corner) / f64::from(CORNERS);
            let (sin, cos) = libm::sincos(angle);
            centre + DVec2::new(cos, sin) * radius
        });
        return closed(ring.collect());
    }
    let corners = triangles.iter().flat_map(|triangle| triangle.corners);
    closed(hull(corners.map(|p| flat(room_from_body.point(p)))))
}

/// Projects a point to plan view.
pub(super) fn flat(p: DVec3) -> DVec2 {
    DVec2::new(p.x, p.z)
}

/// Closes a ring: returns a polyline whose last point is its first.
pub(super) fn closed(mut ring: Vec<DVec2>) -> Vec<DVec2> {
    ring.extend(ring.first().copied());
    ring
}

/// Returns the convex hull, counter-clockwise (A. M. Andrew's monotone chain).
pub(super) fn hull(points: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut points: Vec<DVec2> = points.filter(|p| p.is_finite()).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut ring: Vec<DVec2> = Vec::new();
    for half in 0..2 {
        let first = ring.len();
        for &p in &points {
            while ring.len() >= first + 2 {
                let [a, b] = [ring[ring.len() - 2], ring[ring.len() - 1]];
                if (b - a).perp_dot(p - a) > 0.0 {
                    break;
                }
                ring.pop();
            }
            ring.push(p);
        }
        // The last point is the first point of the other half.
        ring.pop();
        if half == 0 {
            points.reverse();
        }
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_has_the_outer_corners_alone() {
        let points = [
            [0.0, 0.0],
            [2.0, 0.0],
            [1.0, 0.5],
            [2.0, 1.0],
            [0.0, 1.0],
            [1.0, 0.0],
        ];
        let ring = hull(points.into_iter().map(DVec2::from));
        let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]].map(DVec2::from);
        assert_eq!(ring, corners);
        assert!(hull(std::iter::empty()).is_empty());
    }
}
