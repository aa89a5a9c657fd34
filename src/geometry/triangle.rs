//! Triangles: closest points, distances, ray hits, solid angles.

use std::cmp::Ordering;

use glam::DVec3;

use super::{Plane, Rigid, clip_polygon};

/// A triangle, counter-clockwise seen from its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// The corners, metres.
    pub corners: [DVec3; 3],
}

/// The feature of a triangle that a point is closest to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// The interior of the face.
    Face,
    /// The edge from corner `i` to corner `i + 1`.
    Edge(usize),
    /// Corner `i`.
    Vertex(usize),
}

impl Triangle {
    /// The corners of the part of the triangle behind a plane.
    pub fn part_behind(&self, plane: &Plane) -> Vec<DVec3> {
        let mut part = Vec::with_capacity(4);
        clip_polygon(&self.corners, |p| -plane.distance(p), &mut part);
        part
    }

    /// The front normal with a length of twice the area.
    pub fn cross(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }

    /// The unit normal of the front; `None` for a degenerate triangle.
    pub fn normal(&self) -> Option<DVec3> {
        self.cross().try_normalize()
    }

    /// The triangle in other coordinates.
    pub fn transformed(&self, other_from_this: &Rigid) -> Self {
        Self {
            corners: self.corners.map(|p| other_from_this.point(p)),
        }
    }

    /// The ray parameter, 0 at `from` and 1 at `from + ray`, at which the ray's line hits the triangle, from either side;
    /// `None` if it misses, or lies in the plane. An edge belongs to both of its triangles, so that no ray slips between them
    /// (T. Moeller and B. Trumbore, 1997).
    pub fn hit_by_ray(&self, from: DVec3, ray: DVec3) -> Option<f64> {
        const ON_EDGE: f64 = 1e-9;
        let [a, b, c] = self.corners;
        let (ab, ac, from_a) = (b - a, c - a, from - a);
        let across = ray.cross(ac);
        let determinant = ab.dot(across);
        if determinant.abs() <= f64::EPSILON * ab.length() * across.length() {
            return None;
        }
        let along = from_a.cross(ab);
        let u = from_a.dot(across) / determinant;
        let v = ray.dot(along) / determinant;
        let is_inside = u >= -ON_EDGE && v >= -ON_EDGE && u + v <= 1.0 + ON_EDGE;
        is_inside.then_some(ac.dot(along) / determinant)
    }

    /// The point of the triangle closest to `p`, and its feature.
    ///
    /// Uses the region tests of C. Ericson, Real-Time Collision Detection, section 5.1.5, relative to `p` so that the
    /// numbers stay small.
    pub fn closest_point(&self, p: DVec3) -> (DVec3, Feature) {
        let [a, b, c] = self.corners;
        let (ab, ac, ap) = (b - a, c - a, p - a);
        let (d1, d2) = (ab.dot(ap), ac.dot(ap));
        if d1 <= 0.0 && d2 <= 0.0 {
            return (a, Feature::Vertex(0));
        }
        let bp = p - b;
        let (d3, d4) = (ab.dot(bp), ac.dot(bp));
        if d3 >= 0.0 && d4 <= d3 {
            return (b, Feature::Vertex(1));
        }
        let vc = d1 * d4 - d3 * d2;
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return (a + ab * (d1 / (d1 - d3)), Feature::Edge(0));
        }
        let cp = p - c;
        let (d5, d6) = (ab.dot(cp), ac.dot(cp));
        if d6 >= 0.0 && d5 <= d6 {
            return (c, Feature::Vertex(2));
        }
        let vb = d5 * d2 - d1 * d6;
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return (a + ac * (d2 / (d2 - d6)), Feature::Edge(2));
        }
        let va = d3 * d6 - d5 * d4;
        if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
            let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
            return (b + (c - b) * w, Feature::Edge(1));
        }
        let sum = va + vb + vc;
        if sum <= 0.0 {
            // A degenerate triangle: the closest point is on one of its three edges.
            return self.closest_on_edges(p);
        }
        (a + ab * (vb / sum) + ac * (vc / sum), Feature::Face)
    }

    /// The distance between a segment and the triangle, in metres, and the closest points of both, the segment's
    /// first; `None` if the segment passes through the interior of the triangle.
    #[inline]
    pub(crate) fn closest_to_segment(&self, segment: [DVec3; 2]) -> Option<(f64, [DVec3; 2])> {
        let [from, to] = segment;
        if piercing_point(self, from, to).is_some() {
            return None;
        }
        let of_points = |points: [DVec3; 2]| ((points[0] - points[1]).length(), points);
        let of_end = |end: DVec3| of_points([end, self.closest_point(end).0]);
        let of_edge = |i: usize| {
            let edge = [self.corners[i], self.corners[(i + 1) % 3]];
            of_points(closest_on_segments(segment, edge))
        };
        let nearer = |best: (f64, [DVec3; 2]), other: (f64, [DVec3; 2])| {
            if other.0 < best.0 { other } else { best }
        };
        let first = of_end(from);
        Some(
            [of_end(to), of_edge(0), of_edge(1), of_edge(2)]
                .into_iter()
                .fold(first, nearer),
        )
    }

    fn closest_on_edges(&self, p: DVec3) -> (DVec3, Feature) {
        let mut best = (self.corners[0], Feature::Vertex(0));
        for i in 0..3 {
            let (from, to) = (self.corners[i], self.corners[(i + 1) % 3]);
            let q = closest_on_segment(from, to, p);
            if (q - p).length_squared() < (best.0 - p).length_squared() {
                best = (q, Feature::Edge(i));
            }
        }
        best
    }

    /// The distance from `p` to the triangle, metres, never negative.
    pub fn distance(&self, p: DVec3) -> f64 {
        (self.closest_point(p).0 - p).length()
    }
}

/// Whether `a` comes before `b` in the order by x, then y, then z. Values that two triangles share are computed in
/// this order, so that both get the same bits.
pub fn comes_before(a: DVec3, b: DVec3) -> bool {
    (a.x, a.y, a.z) < (b.x, b.y, b.z)
}

/// Compares by x, then y, then z.
pub fn by_coordinates(a: DVec3, b: DVec3) -> Ordering {
    let by_x = a.x.total_cmp(&b.x);
    by_x.then_with(|| a.y.total_cmp(&b.y))
        .then_with(|| a.z.total_cmp(&b.z))
}

/// The point of the segment from `a` to `b` closest to `p`.
pub fn closest_on_segment(a: DVec3, b: DVec3, p: DVec3) -> DVec3 {
    let ab = b - a;
    let length_squared = ab.length_squared();
    if length_squared == 0.0 {
        return a;
    }
    a + ab * ((p - a).dot(ab) / length_squared).clamp(0.0, 1.0)
}

/// The closest points of two segments (Ericson, section 5.1.9).
pub(crate) fn closest_on_segments(p: [DVec3; 2], q: [DVec3; 2]) -> [DVec3; 2] {
    let (d1, d2, r) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let (a, e, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
    let (b, c) = (d1.dot(d2), d1.dot(r));
    let denominator = a * e - b * b;
    let s = if denominator > 0.0 {
        ((b * f - c * e) / denominator).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let on_p = p[0] + d1 * s;
    let on_q = closest_on_segment(q[0], q[1], on_p);
    let on_p = closest_on_segment(p[0], p[1], on_q);
    [on_p, on_q]
}

/// The point where a segment passes through the interior of the triangle.
fn piercing_point(triangle: &Triangle, from: DVec3, to: DVec3) -> Option<DVec3> {
    let normal = triangle.normal()?;
    let a = triangle.corners[0];
    let (d0, d1) = ((from - a).dot(normal), (to - a).dot(normal));
    if d0 * d1 >= 0.0 {
        return None;
    }
    let crossing = from + (to - from) * (d0 / (d0 - d1));
    let is_inside = triangle.closest_point(crossing).1 == Feature::Face;
    is_inside.then_some(crossing)
}

/// Points at which two triangles come within `distance` metres of each other. Such a point is a corner of one of
/// them, a point of an edge that passes through the other, or a point where edges cross. The list is incomplete, but
/// not empty if there is any such point.
pub fn points_of_contact(
    a: &Triangle,
    b: &Triangle,
    distance: f64,
) -> impl Iterator<Item = DVec3> + use<> {
    let (a, b) = (*a, *b);
    let edges = |t: &Triangle| {
        let [p, q, r] = t.corners;
        [[p, q], [q, r], [r, p]]
    };
    let corner_near = move |t: Triangle, p: DVec3| (t.distance(p) <= distance).then_some(p);
    let corners = a.corners.into_iter().filter_map(move |p| corner_near(b, p));
    let others = b.corners.into_iter().filter_map(move |p| corner_near(a, p));
    let pierced = edges(&a)
        .into_iter()
        .filter_map(move |[p, q]| piercing_point(&b, p, q));
    let piercing = edges(&b)
        .into_iter()
        .filter_map(move |[p, q]| piercing_point(&a, p, q));
    let crossing = edges(&a).into_iter().flat_map(move |p| {
        edges(&b).into_iter().filter_map(move |q| {
            let [on_p, on_q] = closest_on_segments(p, q);
            (on_p.distance(on_q) <= distance).then_some(on_p)
        })
    });
    corners
        .chain(others)
        .chain(pierced)
        .chain(piercing)
        .chain(crossing)
}

/// The smallest distance between the segment from `from` to `to` and the triangle, metres; 0 if the segment passes through it.
/// The reference implementation that checks a body's path.
pub fn segment_triangle_distance(triangle: &Triangle, from: DVec3, to: DVec3) -> f64 {
    let closest = triangle.closest_to_segment([from, to]);
    closest.map_or(0.0, |(distance, _)| distance)
}

/// The solid angle of the triangle seen from `p`, steradians, positive if its front faces `p`. Van Oosterom and Strackee, "The
/// Solid Angle of a Plane Triangle", 1983, eq. 8.
pub fn solid_angle(triangle: &Triangle, p: DVec3) -> f64 {
    let [a, b, c] = triangle.corners.map(|corner| corner - p);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let numerator = a.dot(b.cross(c));
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    -2.0 * libm::atan2(numerator, denominator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = DVec3> {
        (-2.0..2.0f64, -2.0..2.0f64, -2.0..2.0f64).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn no_sample_of_the_triangle_is_closer_than_the_closest_point(
            a in point(), b in point(), c in point(), p in point(),
        ) {
            let triangle = Triangle { corners: [a, b, c] };
            let found = triangle.distance(p);
            let mut least = f64::INFINITY;
            for i in 0..=40 {
                for j in 0..=40 - i {
                    let (u, v) = (f64::from(i) / 40.0, f64::from(j) / 40.0);
                    least = least.min((a + (b - a) * u + (c - a) * v - p).length());
                }
            }
            prop_assert!(found <= least + 1e-9, "{found} > {least}");
            prop_assert!(least <= found + 0.2, "{least} is far from {found}");
        }

        #[test]
        fn the_distance_of_a_segment_is_the_least_of_its_points(
            a in point(), b in point(), c in point(), p in point(), q in point(),
        ) {
            let triangle = Triangle { corners: [a, b, c] };
            let found = segment_triangle_distance(&triangle, p, q);
            let least = (0..=400)
                .map(|i| triangle.distance(p + (q - p) * (f64::from(i) / 400.0)))
                .fold(f64::INFINITY, f64::min);
            prop_assert!(found <= least + 1e-9, "{found} > {least}");
            prop_assert!(least <= found + 0.02, "{least} is far from {found}");
        }
    }

    #[test]
    fn a_triangle_without_area_has_the_distance_of_its_longest_edge() {
        let line = Triangle {
            corners: [DVec3::ZERO, DVec3::X, DVec3::X * 2.0],
        };
        assert_eq!(line.normal(), None);
        assert!((line.distance(DVec3::new(1.5, 1.0, 0.0)) - 1.0).abs() < 1e-12);
        assert!((line.distance(DVec3::new(3.0, 0.0, 0.0)) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_closed_box_seen_from_inside_fills_the_whole_sphere() {
        let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let front = Triangle {
            corners: [
                corner(0.0, 0.0, 0.0),
                corner(1.0, 0.0, 0.0),
                corner(0.0, 1.0, 0.0),
            ],
        };
        // The front faces +z: seen from there the angle is positive, from behind negative.
        assert!(solid_angle(&front, corner(0.2, 0.2, 1.0)) > 0.0);
        assert!(solid_angle(&front, corner(0.2, 0.2, -1.0)) < 0.0);
    }
}
