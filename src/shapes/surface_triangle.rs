//! A triangle of a surface that bodies rest on.

use glam::DVec3;

use crate::geometry::{Feature, Triangle};

/// Cosine of the angle within which a direction counts as the normal of the face: 0.06 degrees, above what rounding
/// makes of a point over an edge, and below what a body feels as a bump.
pub(super) const FACE_COS: f64 = 1.0 - 5e-7;

/// A triangle and what is known of the surface around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceTriangle {
    /// The triangle, counter-clockwise seen from its front.
    pub triangle: Triangle,
    /// Whether it is solid from behind too. From a surface of one side shapes are only pushed to its front, and
    /// those whose centre is behind it do not touch it.
    pub is_two_sided: bool,
    /// For the edge from corner `i` to corner `i + 1`: whether the surface goes on there without a ridge that a
    /// body could touch (flat, or an inner corner). Nothing is pushed away from such an edge but along the face's
    /// normal, so that no body stumbles over the joints of a flat floor.
    pub internal_edges: [bool; 3],
}

impl SurfaceTriangle {
    /// A triangle by itself, solid from its front alone.
    pub fn one_sided(triangle: Triangle) -> Self {
        Self {
            triangle,
            is_two_sided: false,
            internal_edges: [false; 3],
        }
    }

    /// A triangle by itself, solid from both sides.
    pub fn two_sided(triangle: Triangle) -> Self {
        Self {
            is_two_sided: true,
            ..Self::one_sided(triangle)
        }
    }

    /// The unit normal of the side that a shape with its centre at `centre` is on; `None` where the triangle has
    /// no area, or the centre is behind a surface of one side.
    pub(super) fn normal_towards(&self, centre: DVec3) -> Option<DVec3> {
        let front = self.triangle.normal()?;
        let is_in_front = (centre - self.triangle.corners[0]).dot(front) >= 0.0;
        if is_in_front {
            Some(front)
        } else {
            self.is_two_sided.then_some(-front)
        }
    }

    /// Whether the surface goes on smoothly at this part of the triangle.
    pub(super) fn is_internal(&self, feature: Feature) -> bool {
        match feature {
            Feature::Face => false,
            Feature::Edge(i) => self.internal_edges[i],
            Feature::Vertex(i) => self.internal_edges[i] && self.internal_edges[(i + 2) % 3],
        }
    }
}
