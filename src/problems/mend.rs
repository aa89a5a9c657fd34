//! Mends: certain fixes of problems, found in the source and applied to the file.

use glam::DVec3;

/// A change that removes a problem and changes nothing else.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mend {
    /// Reverses triangles of rooms, each given by the index of its mesh in the source and its index in that mesh.
    Turn(Vec<[u32; 2]>),
    /// Reverses triangles of the portal with the problem, given by their indices in the source; all of them if `None`.
    TurnPortal(Option<Vec<u32>>),
    /// Moves corners of the portal with the problem, each given by the index of its triangle in the source, its index in that
    /// triangle, and its new position, author's coordinates.
    MovePortal(Vec<([u32; 2], DVec3)>),
    /// Moves corners of rooms, each given by the index of its mesh in the source, the index of its triangle in that mesh, its
    /// index in that triangle, and its new position, author's coordinates.
    Move(Vec<([u32; 3], DVec3)>),
    /// Renames a node of the file.
    Rename {
        /// Index of the node in the file.
        node: usize,
        /// The new name.
        name: String,
    },
}
