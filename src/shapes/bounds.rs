//! Bounding volumes that are cheap to compare: spheres and oriented boxes. The axis-aligned box is `geometry::Aabb`.

use glam::DVec3;

use super::mass::MassProperties;
use crate::geometry::{Aabb, Rigid, Triangle};

/// The enlargement of boxes around hulls and meshes, relative to their size. Contacts are measured from the planes of
/// a hull's faces, which may lie outside its corners, but by less than this.
const ROUNDING: f64 = 1e-5;

/// A sphere that encloses an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere {
    /// The centre, metres.
    pub centre: DVec3,
    /// The radius, metres.
    pub radius: f64,
}

impl BoundingSphere {
    /// Returns a small sphere around points: J. Ritter, "An Efficient Bounding Sphere", 1990, or the sphere around their box if
    /// that is smaller. Without points the radius is 0.
    pub fn around(points: &[DVec3]) -> Self {
        let box_ = Aabb::around(points.iter().copied());
        if box_.is_empty() {
            return Self {
                centre: DVec3::ZERO,
                radius: 0.0,
            };
        }
        let farthest = |from: DVec3| {
            let farther = |best: DVec3, &point: &DVec3| {
                let is_farther = (point - from).length_squared() > (best - from).length_squared();
                if is_farther { point } else { best }
            };
            points.iter().fold(from, farther)
        };
        let one = farthest(points[0]);
        let other = farthest(one);
        let mut centre = (one + other) * 0.5;
        let mut radius = (one - other).length() * 0.5;
        for &point in points {
            let distance = (point - centre).length();
            if distance > radius {
                let grown = (radius + distance) * 0.5;
                centre += (point - centre) * ((grown - radius) / distance);
                radius = grown;
            }
        }
        let reach = |centre: DVec3| {
            let distances = points.iter().map(|point| (*point - centre).length());
            distances.fold(0.0, f64::max)
        };
        let centres = [centre, box_.centre()].map(|centre| (centre, reach(centre)));
        let (centre, radius) = if centres[1].1 < centres[0].1 {
            centres[1]
        } else {
            centres[0]
        };
        Self { centre, radius }
    }

    /// Whether the two spheres share a point; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        let reach = self.radius + other.radius;
        (self.centre - other.centre).length_squared() <= reach * reach
    }
}

/// An oriented box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// The pose of the box, which is centred at the origin of its own coordinates and aligned with their axes.
    pub world_from_box: Rigid,
    /// Half the lengths of its edges, metres.
    pub half_extents: DVec3,
}

impl OrientedBox {
    /// The oriented box equal to an axis-aligned one.
    pub fn of_aabb(aabb: &Aabb) -> Self {
        Self {
            world_from_box: Rigid::new(glam::DMat3::IDENTITY, aabb.centre()),
            half_extents: (aabb.max - aabb.min) * 0.5,
        }
    }

    /// The box around a solid along its principal axes of inertia, enlarged slightly for rounding. `aabb` takes a
    /// transform, and returns the smallest axis-aligned box around the transformed corners.
    pub(super) fn along_axes_of(
        mass: &MassProperties,
        aabb: impl Fn(&dyn Fn(DVec3) -> DVec3) -> Aabb,
    ) -> Self {
        let shape_from_axes = Rigid::new(mass.axes, DVec3::ZERO);
        let around = Self::of_aabb(&aabb(&|corner| shape_from_axes.point_from(corner)));
        Self {
            world_from_box: shape_from_axes.after(&around.world_from_box),
            half_extents: around.half_extents,
        }
        .grown(ROUNDING * around.half_extents.max_element())
    }

    /// The box enlarged by `margin` metres in each direction along its axes.
    pub(super) fn grown(self, margin: f64) -> Self {
        Self {
            half_extents: self.half_extents + DVec3::splat(margin),
            ..self
        }
    }

    /// Whether the box shares a point with a triangle: a separating axis test over 13 axes (C. Ericson, "Real-Time Collision
    /// Detection", 5.2.9).
    pub fn overlaps_triangle(&self, triangle: &Triangle) -> bool {
        let local = triangle.transformed(&self.world_from_box.inverse());
        let [a, b, c] = local.corners;
        let edges = [b - a, c - b, a - c];
        let separates = |axis: DVec3| {
            let along = local.corners.map(|corner| axis.dot(corner));
            let reach = self.half_extents.dot(axis.abs());
            along.iter().all(|along| *along > reach) || along.iter().all(|along| *along < -reach)
        };
        let across = edges
            .into_iter()
            .flat_map(|edge| DVec3::AXES.map(|axis| axis.cross(edge)));
        let mut axes = DVec3::AXES
            .into_iter()
            .chain([edges[0].cross(edges[1])])
            .chain(across);
        !axes.any(separates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::shapes::{PairCache, Shape, closest_to_triangle, rotation_by};

    #[test]
    fn a_box_overlaps_a_triangle_where_gjk_finds_no_gap() {
        let mut rng = Rng::new(4);
        let (mut apart, mut together) = (0, 0);
        for _ in 0..4000 {
            let mut vector = |size: f64| DVec3::from([0; 3].map(|_| rng.between(-size, size)));
            let half_extents = vector(1.0).abs() + DVec3::splat(0.01);
            let world_from_box = Rigid::new(rotation_by(vector(3.0)), vector(1.5));
            let triangle = Triangle {
                corners: [vector(2.0), vector(2.0), vector(2.0)],
            };
            let shape = Shape::Box { half_extents };
            let cache = &mut PairCache::default();
            let closest = closest_to_triangle(&shape, &world_from_box, &triangle, 1e9, cache);
            let gap = closest.unwrap().gap();
            let oriented = OrientedBox {
                world_from_box,
                half_extents,
            };
            if gap > 1e-9 {
                apart += 1;
                assert!(!oriented.overlaps_triangle(&triangle));
            } else if gap == 0.0 {
                together += 1;
                assert!(oriented.grown(1e-9).overlaps_triangle(&triangle));
            }
        }
        assert!(apart > 900 && together > 900, "{apart} {together}");
    }
}
