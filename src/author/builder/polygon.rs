//! Flat polygons: normals, cutting of holes, triangulation.

use glam::DVec3;

use crate::geometry::{ClippedCorner, clip_corners};

/// Distance within which points are equal, metres. Also the maximum distance of a corner from a plane or an edge that
/// contains it.
pub(super) const TOLERANCE: f64 = 1e-6;
/// Minimum height of triangles, metres. Lower ones are made only if no others remain.
const MIN_HEIGHT: f64 = 1e-5;

/// The corners of a polygon in order: counter-clockwise when seen from the front.
pub(super) type Loop = Vec<DVec3>;

/// The normal, with a length of twice the area (M. Newell's method, which is also correct for concave polygons).
fn area_vector(polygon: &[DVec3]) -> DVec3 {
    let Some(&first) = polygon.first() else {
        return DVec3::ZERO;
    };
    edges(polygon)
        .map(|(a, b)| (a - first).cross(b - first))
        .sum()
}

/// The edges of a polygon.
pub(super) fn edges(polygon: &[DVec3]) -> impl Iterator<Item = (DVec3, DVec3)> {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().zip(next).map(|(a, b)| (*a, *b))
}

/// The unit normal; exact if it is along an axis, and zero for a degenerate polygon.
pub(super) fn normal_of(polygon: &[DVec3]) -> DVec3 {
    let normal = area_vector(polygon).normalize_or_zero();
    match (0..3).find(|&i| normal[i].abs() > 1.0 - 1e-12) {
        Some(axis) => DVec3::AXES[axis] * normal[axis].signum(),
        None => normal,
    }
}

/// The corner that is equal to a point within the tolerance; if there is none, the point.
pub(super) fn snapped(point: DVec3, corners: &[DVec3]) -> DVec3 {
    let same = corners
        .iter()
        .find(|corner| corner.distance(point) <= TOLERANCE);
    same.copied().unwrap_or(point)
}

/// The area of a polygon that has this normal, square metres.
pub(super) fn area(polygon: &[DVec3], normal: DVec3) -> f64 {
    0.5 * area_vector(polygon).dot(normal)
}

/// Whether a polygon is convex: at no corner does the outline turn right.
pub(super) fn is_convex(polygon: &[DVec3], normal: DVec3) -> bool {
    let n = polygon.len();
    (0..n).all(|i| {
        let [a, b, c] = [0, 1, 2].map(|k| polygon[(i + k) % n]);
        height(a, b, c, normal) >= -TOLERANCE
    })
}

/// The distance of `c` from the line from `a` to `b`, metres; positive on the left of the line.
fn height(a: DVec3, b: DVec3, c: DVec3, normal: DVec3) -> f64 {
    let along = (b - a).normalize_or_zero();
    along.cross(c - a).dot(normal)
}

/// The parts of a convex polygon on the left and on the right of the line from `a` to `b`.
fn split(polygon: &[DVec3], (a, b): (DVec3, DVec3), normal: DVec3) -> [Loop; 2] {
    let side = |p: DVec3| {
        let height = height(a, b, p, normal);
        if height.abs() <= TOLERANCE {
            0.0
        } else {
            height
        }
    };
    [1.0, -1.0].map(|sign| {
        let mut part = Loop::new();
        clip_corners(
            polygon,
            |p| sign * side(p),
            |corner| match corner {
                ClippedCorner::Kept(p) => part.push(p),
                // An edge that ends on the line does not cross it: its end is a corner that is kept.
                ClippedCorner::Crossing { heights, .. } if heights.contains(&0.0) => {}
                ClippedCorner::Crossing {
                    ends: [p, q],
                    heights: [at_p, at_q],
                } => {
                    let mut cut = p.lerp(q, at_p / (at_p - at_q));
                    // The crossing is exact along the axes, so that rounding does not displace walls.
                    for k in 0..3 {
                        if a[k] == b[k] {
                            cut[k] = a[k];
                        }
                        if p[k] == q[k] {
                            cut[k] = p[k];
                        }
                    }
                    part.push(cut);
                }
            },
        );
        if area(&part, normal) > TOLERANCE * TOLERANCE {
            part
        } else {
            Loop::new()
        }
    })
}

/// A flat part of a surface: a polygon from which holes may have been cut.
#[derive(Clone, Debug)]
pub(super) struct FlatFace {
    /// Unit normal of the front.
    pub(super) normal: DVec3,
    /// A corner of the polygon.
    pub(super) corner: DVec3,
    /// Convex pieces that do not overlap and together fill the polygon without its holes.
    pub(super) pieces: Vec<Loop>,
}

impl FlatFace {
    /// A face in the shape of a simple polygon, which may be concave.
    pub(super) fn new(polygon: Loop) -> Self {
        let normal = normal_of(&polygon);
        let corner = polygon.first().copied().unwrap_or_default();
        let pieces = if is_convex(&polygon, normal) {
            vec![polygon]
        } else {
            let triangles = triangulate(&polygon, normal);
            let triangles = triangles.into_iter();
            triangles.map(|t| t.map(|i| polygon[i]).to_vec()).collect()
        };
        Self {
            normal,
            corner,
            pieces,
        }
    }

    /// The orthogonal projection of a point onto the plane of the face.
    pub(super) fn project(&self, point: DVec3) -> DVec3 {
        match (0..3).find(|&i| self.normal[i].abs() == 1.0) {
            Some(axis) => {
                let mut flat = point;
                flat[axis] = self.corner[axis];
                flat
            }
            None => point - self.normal * self.distance(point),
        }
    }

    /// The distance of a point from the plane of the face, metres; positive in front.
    pub(super) fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.corner)
    }

    /// The pieces that remain after cutting out `hole`, a convex polygon with the same plane and normal. `None` if the
    /// hole is not entirely inside the face.
    pub(super) fn without(&self, hole: &[DVec3]) -> Option<Vec<Loop>> {
        let mut left: Vec<Loop> = Vec::new();
        let mut removed = 0.0;
        for piece in &self.pieces {
            let mut inside = piece.clone();
            let mut outside = Vec::new();
            for edge in edges(hole) {
                let [within, beyond] = split(&inside, edge, self.normal);
                outside.extend((!beyond.is_empty()).then_some(beyond));
                inside = within;
            }
            if inside.is_empty() {
                left.push(piece.clone());
            } else {
                removed += area(&inside, self.normal);
                left.extend(outside);
            }
        }
        for corner in left.iter_mut().flatten() {
            *corner = snapped(*corner, hole);
        }
        let wanted = area(hole, self.normal);
        ((removed - wanted).abs() <= 1e-5 * wanted).then_some(left)
    }
}

/// Triangulates a simple polygon by ear clipping; returns corner indices. All corners are used, even those in the
/// middle of an edge. Of the possible ears, the one that is the least like a needle is cut off first.
pub(super) fn triangulate(polygon: &[DVec3], normal: DVec3) -> Vec<[usize; 3]> {
    let mut rest: Vec<usize> = (0..polygon.len()).collect();
    let mut triangles = Vec::with_capacity(rest.len().saturating_sub(2));
    while rest.len() > 3 {
        let n = rest.len();
        let ear = |i: usize| [rest[(i + n - 1) % n], rest[i], rest[(i + 1) % n]];
        let rank = |i: usize| {
            let corners = ear(i).map(|k| polygon[k]);
            let shape = flatness(corners, normal);
            let is_free = shape.0 >= MIN_HEIGHT && !holds_any(polygon, &rest, corners, normal);
            (is_free, shape.1)
        };
        let best = (0..n).map(|i| (rank(i), i));
        let best = best.max_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let Some((_, best)) = best else { break };
        triangles.push(ear(best));
        rest.remove(best);
    }
    if let [a, b, c] = rest[..] {
        triangles.push([a, b, c]);
    }
    triangles
}

/// The smallest height of a triangle, metres, and the ratio of this height to the longest side. Both are negative if
/// the triangle turns right.
fn flatness([a, b, c]: [DVec3; 3], normal: DVec3) -> (f64, f64) {
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    if longest == 0.0 {
        return (0.0, 0.0);
    }
    let height = (b - a).cross(c - a).dot(normal) / longest;
    (height, height / longest)
}

/// Whether another corner lies inside a triangle or on its border.
fn holds_any(polygon: &[DVec3], rest: &[usize], corners: [DVec3; 3], normal: DVec3) -> bool {
    let others = rest.iter().map(|&i| polygon[i]);
    let mut others = others.filter(|p| corners.iter().all(|c| c != p));
    others.any(|p| edges(&corners).all(|(a, b)| height(a, b, p, normal) >= -TOLERANCE))
}
