//! Fixes of problems that are certain. They are found in the source, and applied to the file.

use glam::DVec3;

/// A change that removes a problem and changes nothing else.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mend {
    /// Reverses triangles of rooms. Each is given by the index of its mesh in the source, and by its index in the mesh.
    Turn(Vec<[u32; 2]>),
    /// Reverses triangles of the portal that has the problem. They are given by their indices in the source; `None`
    /// stands for all.
    TurnPortal(Option<Vec<u32>>),
    /// Moves corners of the portal that has the problem. Each is given by the index of its triangle in the source, its
    /// index in the triangle, and its new position in author's coordinates.
    MovePortal(Vec<([u32; 2], DVec3)>),
    /// Moves corners of rooms. Each is given by the index of its mesh in the source, the index of its triangle in the
    /// mesh, its index in the triangle, and its new position in author's coordinates.
    Move(Vec<([u32; 3], DVec3)>),
    /// Renames a node of the file.
    Rename {
        /// Index of the node in the file.
        node: usize,
        /// The new name.
        name: String,
    },
}
