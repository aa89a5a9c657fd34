//! Bounds that are cheap to compare: spheres and oriented boxes. The axis-aligned box is `geometry::Aabb`.

use glam::DVec3;

use crate::geometry::{Aabb, Rigid};

/// A sphere around something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere {
    /// Metres.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
}

impl BoundingSphere {
    /// A small sphere around points: J. Ritter, "An Efficient Bounding Sphere", 1990, or that around their box if
    /// it is smaller. Of no points it has a radius of 0.
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

    /// Whether the two share a point; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        let reach = self.radius + other.radius;
        (self.centre - other.centre).length_squared() <= reach * reach
    }

    /// The sphere in other coordinates.
    pub fn transformed(&self, other_from_this: &Rigid) -> Self {
        Self {
            centre: other_from_this.point(self.centre),
            radius: self.radius,
        }
    }
}

/// A box in any direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// The box lies around the origin of its own coordinates, along their axes.
    pub world_from_box: Rigid,
    /// Half the lengths of its edges, metres.
    pub half_extents: DVec3,
}

impl OrientedBox {
    /// The box that is an axis-aligned one.
    pub fn of_aabb(aabb: &Aabb) -> Self {
        Self {
            world_from_box: Rigid::new(glam::DMat3::IDENTITY, aabb.centre()),
            half_extents: (aabb.max - aabb.min) * 0.5,
        }
    }
}
