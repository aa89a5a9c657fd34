//! A solid triangle, and how many of them are kept together.

use glam::Vec3;

use super::edges::EdgeKind;
use crate::geometry::Triangle;

/// Triangles in a group, groups in a row, clusters below a box.
pub(super) const GROUP: usize = 8;
/// Triangles in a cluster at most, and points: a point's index fits a byte.
pub(super) const CLUSTER: usize = 256;
/// Surfaces in a cluster at most: what fits into a byte beside the kinds of a triangle's edges.
pub(super) const CLUSTER_SURFACES: usize = 9;
/// In how many ways three edges can be of three kinds.
pub(super) const EDGE_CODES: u8 = 27;

/// What a solid triangle is made of and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Surface {
    /// Index into [`crate::level::LevelData::materials`].
    pub material: u32,
    /// Index of its node's name; see [`Solids::node_name`].
    pub(in crate::level) node: u32,
}

/// A solid triangle with its corners in the coordinates of its room, or of its mover.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolidTriangle {
    /// Its index in the level.
    pub index: u32,
    /// Corners, metres, counter-clockwise seen from the front.
    pub corners: [Vec3; 3],
    /// What it is made of.
    pub surface: Surface,
    /// The kinds of its edges: the one from corner `i` to corner `i + 1` at `i`.
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
