//! The distance from a straight piece of a path to all solid geometry: every triangle, both sides, in closed form.
//! Shares no code with the engine.

use glam::DVec3;

pub(crate) type Corners = [DVec3; 3];

/// All solid triangles of a stage, level coordinates.
pub(crate) struct Soup {
    triangles: Vec<(Corners, DVec3, DVec3)>,
}

impl Soup {
    pub(crate) fn new(triangles: impl IntoIterator<Item = Corners>) -> Self {
        let boxed = |t: Corners| {
            let [a, b, c] = t;
            (t, a.min(b).min(c), a.max(b).max(c))
        };
        Self {
            triangles: triangles.into_iter().map(boxed).collect(),
        }
    }

    /// Smallest distance from the segment to the soup, metres.
    pub(crate) fn distance(&self, from: DVec3, to: DVec3) -> f64 {
        let (low, high) = (from.min(to), from.max(to));
        let mut least = f64::INFINITY;
        for (corners, min, max) in &self.triangles {
            let apart = (*min - high).max(low - *max).max(DVec3::ZERO);
            if apart.length_squared() < least * least {
                least = least.min(segment_triangle(from, to, corners));
            }
        }
        least
    }
}

/// Smallest distance between a segment and a triangle; 0 if they intersect.
pub(crate) fn segment_triangle(from: DVec3, to: DVec3, corners: &Corners) -> f64 {
    let [a, b, c] = corners.map(|p| p - from);
    let along = to - from;
    let normal = (b - a).cross(c - a);
    let heights = (-a.dot(normal), (along - a).dot(normal));
    if heights.0 * heights.1 <= 0.0 && heights.0 != heights.1 {
        let crossing = along * (heights.0 / (heights.0 - heights.1));
        if covers([a, b, c], normal, crossing) {
            return 0.0;
        }
    }
    let ends = point_triangle(DVec3::ZERO, [a, b, c]).min(point_triangle(along, [a, b, c]));
    [(a, b), (b, c), (c, a)]
        .iter()
        .fold(ends, |least, &(p, q)| {
            least.min(segment_segment(DVec3::ZERO, along, p, q))
        })
}

/// Whether a point of the triangle's plane is in the triangle.
fn covers([a, b, c]: Corners, normal: DVec3, point: DVec3) -> bool {
    [(a, b), (b, c), (c, a)]
        .iter()
        .all(|&(p, q)| (q - p).cross(point - p).dot(normal) >= 0.0)
}

fn point_triangle(point: DVec3, [a, b, c]: Corners) -> f64 {
    let normal = (b - a).cross(c - a);
    let area = normal.length();
    let height = (point - a).dot(normal) / area;
    if covers([a, b, c], normal, point - normal * (height / area)) {
        return height.abs();
    }
    let edge = |p: DVec3, q: DVec3| point_segment(point, p, q);
    edge(a, b).min(edge(b, c)).min(edge(c, a))
}

fn point_segment(point: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    let part = if square > 0.0 {
        ((point - a).dot(along) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (a + along * part - point).length()
}

/// Two segments are closest at an end of one of them, or where the common perpendicular of their lines intersects both.
fn segment_segment(p: DVec3, q: DVec3, a: DVec3, b: DVec3) -> f64 {
    let ends = [
        point_segment(p, a, b),
        point_segment(q, a, b),
        point_segment(a, p, q),
        point_segment(b, p, q),
    ];
    let least = ends.iter().fold(f64::INFINITY, |l, &d| l.min(d));
    let (u, v, w) = (q - p, b - a, p - a);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let determinant = uu * vv - uv * uv;
    if determinant <= 0.0 {
        return least;
    }
    let s = (uv * v.dot(w) - vv * u.dot(w)) / determinant;
    if (0.0..=1.0).contains(&s) {
        least.min(point_segment(p + u * s, a, b))
    } else {
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_distance_of_the_oracle_is_the_smallest_of_all_samples() {
        let mut rng = Rng::new(1);
        for _ in 0..60 {
            let corners = [rng.cube(), rng.cube(), rng.cube()];
            let (from, to) = (rng.cube() * 2.0, rng.cube() * 2.0);
            let said = segment_triangle(from, to, &corners);
            let [a, b, c] = corners;
            let mut sampled = f64::INFINITY;
            for i in 0..=60 {
                for j in 0..=60 - i {
                    let (u, v) = (f64::from(i) / 60.0, f64::from(j) / 60.0);
                    let point = a + (b - a) * u + (c - a) * v;
                    sampled = sampled.min(point_segment(point, from, to));
                }
            }
            assert!(said <= sampled + 1e-12, "{said} {sampled}");
            assert!(sampled < said + 0.05, "{said} {sampled}");
        }
    }
}
