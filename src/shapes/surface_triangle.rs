//! A triangle of a surface that bodies collide with.

use glam::DVec3;

use super::clip::ClipPolygon;
use crate::geometry::{Feature, Rigid, Triangle};

/// The sine of 0.06 degrees. Directions within this angle of the face normal count as the normal. It exceeds the
/// rounding for a point over an edge, and is too small to make a noticeable bump.
pub(super) const OVER_EDGE: f64 = 1e-3;

/// The tolerance, relative to the triangle's size, within which corners count as equally far in a direction.
const ROUNDING: f64 = 1e-9;

/// A triangle with information on the surface around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceTriangle {
    /// The triangle, counter-clockwise seen from its front.
    pub triangle: Triangle,
    /// Whether the triangle is also solid from behind. A one-sided triangle pushes shapes to its front only, and
    /// ignores shapes whose centre is behind it.
    pub is_two_sided: bool,
    /// Whether the edge from corner `i` to corner `i + 1` is internal: the surface continues flat or concave, without
    /// a ridge that a body could touch. An internal edge pushes along the face normal only, so that bodies do not
    /// catch on the seams of a flat floor.
    pub internal_edges: [bool; 3],
    /// Whether each edge is a ridge that its neighbour leaves to this triangle, because the neighbour marks the edge
    /// as internal. At a ridge, the triangle also pushes shapes away whose centre is behind it and in front of the
    /// neighbour.
    pub ridges: [bool; 3],
}

impl SurfaceTriangle {
    /// A single triangle, solid from its front only.
    pub fn one_sided(triangle: Triangle) -> Self {
        Self {
            triangle,
            is_two_sided: false,
            internal_edges: [false; 3],
            ridges: [false; 3],
        }
    }

    /// A single triangle, solid from both sides.
    pub fn two_sided(triangle: Triangle) -> Self {
        Self {
            is_two_sided: true,
            ..Self::one_sided(triangle)
        }
    }

    /// The three edges, each as a vector from its corner to the next.
    pub(super) fn edges(&self) -> [DVec3; 3] {
        let [a, b, c] = self.triangle.corners;
        [b - a, c - b, a - c]
    }

    /// The unit normal of the side that a shape with its centre at `centre` is on; `None` if the triangle is degenerate, or the
    /// centre is behind a one-sided surface.
    pub(super) fn normal_towards(&self, centre: DVec3) -> Option<DVec3> {
        let front = self.triangle.normal()?;
        let is_in_front = (centre - self.triangle.corners[0]).dot(front) >= 0.0;
        if is_in_front {
            Some(front)
        } else {
            self.is_two_sided.then_some(-front)
        }
    }

    /// Whether the triangle may push a body in this direction, a unit vector. `feature` is the triangle's support in
    /// the direction. Over an internal edge it may not, because the adjacent surface touches the body there.
    pub(super) fn allows(&self, direction: DVec3, feature: Feature) -> bool {
        let edges: &[usize] = match feature {
            Feature::Face => &[],
            Feature::Edge(i) => &[i],
            Feature::Vertex(i) => &[i, (i + 2) % 3],
        };
        let front = self.triangle.cross();
        edges.iter().all(|&i| {
            let corners = &self.triangle.corners;
            let outwards = (corners[(i + 1) % 3] - corners[i]).cross(front);
            !self.internal_edges[i] || direction.dot(outwards) <= OVER_EDGE * outwards.length()
        })
    }

    /// Whether a feature of the triangle is a ridge that the neighbour leaves to it.
    pub(super) fn is_ridge(&self, feature: Feature) -> bool {
        match feature {
            Feature::Face => false,
            Feature::Edge(i) => self.ridges[i],
            Feature::Vertex(i) => self.ridges[i] || self.ridges[(i + 2) % 3],
        }
    }

    /// Clips a polygon against the triangle's three sides.
    pub(super) fn clip<const N: usize>(&self, polygon: &mut ClipPolygon<N>) {
        let front = self.triangle.cross();
        for (i, edge) in self.edges().into_iter().enumerate() {
            let outwards = edge.cross(front);
            polygon.clip(outwards, outwards.dot(self.triangle.corners[i]), i as u16);
        }
    }

    /// The triangle in other coordinates.
    pub(super) fn transformed(&self, other_from_this: &Rigid) -> Self {
        let mut moved = Self {
            triangle: self.triangle.transformed(other_from_this),
            ..*self
        };
        if other_from_this.is_mirror() {
            // A mirror reverses the winding.
            moved.triangle.corners.swap(1, 2);
            moved.internal_edges.swap(0, 2);
            moved.ridges.swap(0, 2);
        }
        moved
    }

    /// The support feature of the triangle in a direction, a unit vector: an edge or the face if it is perpendicular to the
    /// direction within rounding.
    pub(super) fn support(&self, direction: DVec3) -> Feature {
        let front = self.triangle.cross();
        let sine = direction.cross(front).length_squared();
        if sine <= OVER_EDGE * OVER_EDGE * front.length_squared() {
            return Feature::Face;
        }
        let [ab, _, ca] = self.edges();
        let size = ab.length() + ca.length();
        let along = self.triangle.corners.map(|corner| direction.dot(corner));
        let most = along[0].max(along[1]).max(along[2]);
        let is_most = along.map(|along| most - along <= ROUNDING * size);
        match is_most {
            [true, true, _] => Feature::Edge(0),
            [_, true, true] => Feature::Edge(1),
            [true, _, true] => Feature::Edge(2),
            [true, false, false] => Feature::Vertex(0),
            [false, true, false] => Feature::Vertex(1),
            _ => Feature::Vertex(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_pushes_outwards_beside_an_internal_edge_and_not_over_it() {
        let surface = SurfaceTriangle {
            internal_edges: [false, false, true],
            ..SurfaceTriangle::one_sided(Triangle {
                corners: [DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0],
            })
        };
        // The corner at the origin has edges along z (edge 0) and x (edge 2, internal).
        assert!(surface.allows(-DVec3::X, Feature::Vertex(0)));
        assert!(!surface.allows(-DVec3::Z, Feature::Vertex(0)));
        assert!(surface.allows(DVec3::Y, Feature::Vertex(0)));
        assert!(surface.allows(-DVec3::X, Feature::Edge(0)));
        assert!(!surface.allows(-DVec3::Z, Feature::Edge(2)));
        assert_eq!(surface.support(-DVec3::X), Feature::Edge(0));
        assert_eq!(surface.support(DVec3::Z), Feature::Vertex(1));
        assert_eq!(surface.support(DVec3::Y), Feature::Face);
    }
}
