//! A solid triangle, and the sizes of groups and clusters.

use glam::Vec3;

use super::edges::EdgeKind;
use crate::geometry::Triangle;

/// The branching factor of the box hierarchy: triangles in a group, groups in a row, and clusters below a box.
pub(super) const GROUP: usize = 8;
/// Maximum number of triangles, and of points, in a cluster. A point's index fits into a byte.
pub(super) const CLUSTER: usize = 256;
/// Maximum number of surfaces in a cluster. A surface's index and the kinds of a triangle's edges fit together into a
/// byte.
pub(super) const CLUSTER_SURFACES: usize = 9;
/// Number of combinations of the kinds of a triangle's three edges.
pub(super) const EDGE_CODES: u8 = 27;

/// The material and the node of a solid triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct TriangleSource {
    /// Index into [`crate::level::LevelData::materials`].
    pub material: u32,
    /// Index of the node's name; see [`Solids::node_name`].
    pub(crate) node: u32,
}

/// A solid triangle with its corners in the coordinates of its room or mover.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolidTriangle {
    /// Index in the level.
    pub index: u32,
    /// Corners, metres, counter-clockwise seen from the front.
    pub corners: [Vec3; 3],
    /// Material and node.
    pub surface: TriangleSource,
    /// The kinds of the edges: the edge from corner `i` to corner `i + 1` at `i`.
    pub edges: [EdgeKind; 3],
}

impl SolidTriangle {
    /// The triangle in f64.
    pub fn triangle(&self) -> Triangle {
        Triangle {
            corners: self.corners.map(Vec3::as_dvec3),
        }
    }
}
