//! Capsules: a capsule is moved as a sphere against polygons extruded by the capsule's segment.
//!
//! The capsule touches a polygon where its lowest sphere touches the Minkowski sum of the polygon and the downward
//! segment. This sum is a prism: its ends are the polygon and a copy of it at the lower end of the segment, and its
//! vertical sides are below the polygon's edges. The sphere can only meet the end on the front of the polygon, and
//! the sides below active edges.

use glam::DVec3;

use super::Candidate;
use crate::geometry::{Aabb32, Triangle, comes_before};
use crate::level::EdgeKind;

/// A polygon or an edge with a tilt up to this, in radians, counts as vertical: the pose of a mover may tilt it by
/// rounding.
const UPRIGHT: f64 = 1e-12;

/// Adds the polygons that the lowest sphere of a capsule can meet instead of a polygon. The capsule's segment is
/// `segment_length` metres long; with 0 (a sphere), the result is the polygon itself.
pub(super) fn push_extruded(polygon: &Candidate, segment_length: f64, out: &mut Vec<Candidate>) {
    if segment_length <= 0.0 {
        out.push(*polygon);
        return;
    }
    let piece =
        |triangle, normal| Candidate::sheet(triangle, normal, polygon.surface, polygon.solid);
    let down = DVec3::NEG_Y * segment_length;
    let upright = polygon.normal.y.abs() <= UPRIGHT || polygon.two_sided;
    if upright || polygon.normal.y > 0.0 {
        out.push(*polygon);
    }
    if upright || polygon.normal.y < 0.0 {
        let corners = polygon.triangle.corners.map(|p| p + down);
        out.push(Candidate {
            two_sided: polygon.two_sided,
            edges: polygon.edges,
            ..piece(Triangle { corners }, polygon.normal)
        });
    }
    for i in (0..3).filter(|&i| polygon.edges[i] != EdgeKind::Internal) {
        let (a, b) = (
            polygon.triangle.corners[i],
            polygon.triangle.corners[(i + 1) % 3],
        );
        let (a, b) = if comes_before(a, b) { (a, b) } else { (b, a) };
        // A vertical edge has no side below it, only a longer edge.
        let along = b - a;
        if along.with_y(0.0).length_squared() <= UPRIGHT * UPRIGHT * along.length_squared() {
            continue;
        }
        let quad = [a, b, b + down, a + down];
        for [i, j, k] in [[0, 1, 2], [0, 2, 3]] {
            let triangle = Triangle {
                corners: [quad[i], quad[j], quad[k]],
            };
            let Some(normal) = triangle.normal() else {
                continue;
            };
            out.push(piece(triangle, normal));
        }
    }
}

/// The box around a polygon, extruded downwards.
pub(super) fn extruded(bounds: Aabb32, segment_length: f64) -> Aabb32 {
    if segment_length <= 0.0 {
        return bounds;
    }
    let mut bounds = bounds.to_f64();
    bounds.min.y -= segment_length;
    Aabb32::around(&bounds)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::SurfaceResponse;
    use super::*;
    use crate::collision::Solid;
    use crate::collision::sweep_sphere;

    fn point(range: f64) -> impl Strategy<Value = DVec3> {
        let x = -range..range;
        (x.clone(), x.clone(), x).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    fn first_hit(pieces: &[Candidate], from: DVec3, motion: DVec3, radius: f64) -> Option<f64> {
        let length = motion.length();
        let hits = pieces.iter().filter_map(|piece| {
            let direction = motion / length;
            let (triangle, normal) = (&piece.triangle, piece.normal);
            sweep_sphere(triangle, normal, [true; 3], from, direction, length, radius)
        });
        hits.map(|hit| hit.distance).reduce(f64::min)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        /// A capsule is the union of the spheres along its segment.
        #[test]
        fn a_capsule_meets_a_polygon_where_the_first_of_a_stack_of_spheres_does(
            corners in prop::array::uniform3(point(2.0)),
            from in point(4.0), motion in point(8.0),
            radius in 0.05..0.6f64, segment_length in 0.1..2.0f64,
        ) {
            const SPHERES: i32 = 400;
            let triangle = Triangle { corners };
            prop_assume!(triangle.normal().is_some() && motion.length() > 1e-2);
            let normal = triangle.normal().unwrap();
            let polygon = Candidate::sheet(triangle, normal, SurfaceResponse::PLAIN, Solid::Triangle(0));
            let heights = (0..=SPHERES).map(|i| DVec3::Y * (segment_length * f64::from(i) / f64::from(SPHERES)));
            let gap = |p: DVec3| triangle.distance(p) - radius;
            prop_assume!(heights.clone().all(|height| gap(from + height) > 1e-2));
            let stack = heights
                .filter_map(|height| first_hit(&[polygon], from + height, motion, radius))
                .reduce(f64::min);
            let mut pieces = Vec::new();
            push_extruded(&polygon, segment_length, &mut pieces);
            let found = first_hit(&pieces, from, motion, radius);
            match (found, stack) {
                (Some(found), Some(stack)) => {
                    prop_assert!(found <= stack + 1e-9, "late: {found}, not {stack}");
                    // Between two spheres of the stack, the capsule is slightly larger than the stack.
                    let end = from + motion * (found / motion.length());
                    let touches = (0..=20 * SPHERES).any(|i| {
                        let height = segment_length * f64::from(i) / f64::from(20 * SPHERES);
                        gap(end + DVec3::Y * height).abs() < 1e-5
                    });
                    prop_assert!(touches, "early: {found}, not {stack}");
                }
                (None, Some(stack)) => {
                    // A grazing contact, missed because of rounding.
                    let deepest = from + motion * ((stack + 1e-3) / motion.length());
                    let deep = (0..=SPHERES).any(|i| {
                        let height = segment_length * f64::from(i) / f64::from(SPHERES);
                        gap(deepest + DVec3::Y * height) < -1e-5
                    });
                    prop_assert!(!deep, "missed at {stack}");
                }
                (Some(found), None) => {
                    let end = from + motion * (found / motion.length());
                    let touches = (0..=20 * SPHERES).any(|i| {
                        let height = segment_length * f64::from(i) / f64::from(20 * SPHERES);
                        gap(end + DVec3::Y * height).abs() < 1e-5
                    });
                    prop_assert!(touches, "invented at {found}");
                }
                (None, None) => {}
            }
        }
    }
}
