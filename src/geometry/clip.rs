//! Clipping of convex polygons to half-spaces (I. Sutherland and G. Hodgman, "Reentrant Polygon Clipping", 1974).

use glam::DVec3;

use super::Plane;

/// A corner of a clipped polygon, whose corners have the type `C`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClippedCorner<C> {
    /// A corner of the original polygon.
    Kept(C),
    /// The point where an edge crosses the plane.
    Crossing {
        /// The ends of the edge.
        ends: [C; 2],
        /// Their heights above the plane; at most one of them is 0.
        heights: [f64; 2],
    },
}

/// Visits the corners of the part of a convex polygon where a linear function, `height`, is not negative. An edge with one
/// end in the plane, and the other end below it, crosses the plane at that end.
pub(crate) fn clip_corners<C: Copy>(
    corners: &[C],
    height: impl Fn(C) -> f64,
    mut visit: impl FnMut(ClippedCorner<C>),
) {
    let Some((&first, rest)) = corners.split_first() else {
        return;
    };
    let start = (first, height(first));
    let (mut from, mut from_height) = start;
    let after = rest.iter().map(|&corner| (corner, height(corner)));
    for (to, to_height) in after.chain([start]) {
        if from_height >= 0.0 {
            visit(ClippedCorner::Kept(from));
        }
        if (from_height >= 0.0) != (to_height >= 0.0) {
            visit(ClippedCorner::Crossing {
                ends: [from, to],
                heights: [from_height, to_height],
            });
        }
        (from, from_height) = (to, to_height);
    }
}

/// Writes to `part` the part of a convex polygon where a linear function, `height`, is not negative. No corner is repeated.
pub(crate) fn clip_polygon(
    polygon: &[DVec3],
    height: impl Fn(DVec3) -> f64,
    part: &mut Vec<DVec3>,
) {
    part.clear();
    clip_corners(polygon, height, |corner| match corner {
        ClippedCorner::Kept(corner) => part.push(corner),
        ClippedCorner::Crossing { ends, heights } => {
            // An end in the plane is a kept corner.
            if heights[0] != 0.0 && heights[1] != 0.0 {
                part.push(ends[0].lerp(ends[1], heights[0] / (heights[0] - heights[1])));
            }
        }
    });
}

/// The part of a convex polygon in front of all planes.
pub(crate) fn part_in_front(mut polygon: Vec<DVec3>, planes: &[Plane]) -> Vec<DVec3> {
    let mut part = Vec::with_capacity(polygon.len() + planes.len());
    for plane in planes {
        clip_polygon(&polygon, |p| plane.distance(p), &mut part);
        std::mem::swap(&mut polygon, &mut part);
    }
    polygon
}

/// The part of a convex polygon inside another one in the same plane, at least `inset` metres from the sides of that
/// other one. `normal` is the unit normal of the other one's front.
pub(crate) fn part_inside(
    mut polygon: Vec<DVec3>,
    outline: &[DVec3],
    normal: DVec3,
    inset: f64,
) -> Vec<DVec3> {
    let mut part = Vec::with_capacity(polygon.len() + outline.len());
    for (&from, &to) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        let inwards = normal.cross(to - from).normalize_or_zero();
        clip_polygon(&polygon, |p| inwards.dot(p - from) - inset, &mut part);
        std::mem::swap(&mut polygon, &mut part);
    }
    polygon
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// The corners of a square with edges of 2 m around the origin, facing up.
    const SQUARE: [DVec3; 4] = [
        DVec3::new(-1.0, 0.0, 1.0),
        DVec3::new(1.0, 0.0, 1.0),
        DVec3::new(1.0, 0.0, -1.0),
        DVec3::new(-1.0, 0.0, -1.0),
    ];

    fn clipped(polygon: &[DVec3], plane: &Plane) -> Vec<DVec3> {
        part_in_front(polygon.to_vec(), &[*plane])
    }

    /// Whether a point of the polygon's plane is inside it, by at least `inset` metres.
    fn is_inside(polygon: &[DVec3], p: DVec3, inset: f64) -> bool {
        let mut sides = polygon.iter().zip(polygon.iter().cycle().skip(1));
        polygon.len() > 2
            && sides.all(|(&a, &b)| {
                let inwards = DVec3::Y.cross(b - a).normalize_or_zero();
                inwards.dot(p - a) >= inset
            })
    }

    #[test]
    fn a_point_is_in_the_part_if_it_is_in_the_polygon_and_in_front_of_the_planes() {
        let mut rng = Rng::new(5);
        let mut counts = [0; 2];
        for _ in 0..400 {
            let planes = [0; 3].map(|_| {
                let (z, x) = libm::sincos(rng.between(0.0, 6.3));
                let normal = DVec3::new(x, rng.between(-0.5, 0.5), z).normalize_or_zero();
                Plane::through(normal * rng.between(-1.2, 0.2), normal)
            });
            let part = part_in_front(SQUARE.to_vec(), &planes);
            for _ in 0..40 {
                let p = DVec3::new(rng.between(-1.3, 1.3), 0.0, rng.between(-1.3, 1.3));
                let heights = planes.map(|plane| plane.distance(p));
                if heights.iter().any(|height| height.abs() < 1e-9) {
                    continue;
                }
                let expected = is_inside(&SQUARE, p, 0.0) && heights.iter().all(|&h| h > 0.0);
                assert_eq!(is_inside(&part, p, 0.0), expected, "{p} {planes:?}");
                counts[usize::from(expected)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }

    #[test]
    fn the_part_inside_an_outline_keeps_its_distance_from_the_sides() {
        let shifted = SQUARE.map(|p| p + DVec3::new(1.2, 0.0, 0.5));
        let part = part_inside(shifted.to_vec(), &SQUARE, DVec3::Y, 0.1);
        let mut expected = [[0.2, -0.5], [0.9, -0.5], [0.9, 0.9], [0.2, 0.9]];
        assert_eq!(part.len(), 4, "{part:?}");
        for [x, z] in &mut expected {
            let corner = DVec3::new(*x, 0.0, *z);
            assert!(
                part.iter().any(|p| p.distance(corner) < 1e-12),
                "{corner} {part:?}"
            );
        }
        let beside = SQUARE.map(|p| p + DVec3::X * 1.95);
        assert!(part_inside(beside.to_vec(), &SQUARE, DVec3::Y, 0.1).is_empty());
    }

    #[test]
    fn a_corner_in_the_plane_is_not_repeated() {
        // The diagonal of the square lies in the plane.
        let diagonal = Plane {
            normal: DVec3::new(1.0, 0.0, 1.0),
            offset: 0.0,
        };
        assert_eq!(clipped(&SQUARE, &diagonal).len(), 3);
        let beside = Plane::through(DVec3::X, DVec3::X);
        assert_eq!(clipped(&SQUARE, &beside), SQUARE[1..3]);
        assert_eq!(
            clipped(&SQUARE, &Plane::through(-DVec3::X, DVec3::X)),
            SQUARE
        );
        assert!(clipped(&SQUARE, &Plane::through(DVec3::X * 1.1, DVec3::X)).is_empty());
        assert!(clipped(&[], &diagonal).is_empty());
    }
}
