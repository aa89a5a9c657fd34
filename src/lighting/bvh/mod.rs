//! A bounding volume hierarchy of triangles for rays: for the ambient obscurance of texels, and for the light transport
//! between surfaces.

mod leaf;
mod split;
mod tree;

#[cfg(test)]
mod tests;

pub(super) use leaf::{Above, FaceSides, Occluder};
#[cfg(test)]
pub(super) use split::split;
pub(super) use tree::{PendingNode, Tree};
