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
