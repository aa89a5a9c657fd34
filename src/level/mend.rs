//! What mends a problem for certain: told of the source, done to the file.

use glam::DVec3;

/// A change after which a problem is gone and nothing else is different.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::level) enum Mend {
    /// Turns triangles of rooms over: each the index of its mesh in the source, and its own in that.
    Turn(Vec<[u32; 2]>),
    /// Turns triangles of the portal that the problem is about over, by their indices in the source; all, if it
    /// does not say which.
    TurnPortal(Option<Vec<u32>>),
    /// Moves corners of the portal that the problem is about: each the index of its triangle in the source, and its own
    /// in that, and where it goes, author's coordinates.
    MovePortal(Vec<([u32; 2], DVec3)>),
    /// Moves corners of rooms: each the index of its mesh in the source, of its triangle in that and its own in that,
    /// and where it goes, author's coordinates.
    Move(Vec<([u32; 3], DVec3)>),
    /// Gives a node of the file another name.
    Rename {
        /// Index of the node in the file.
        node: usize,
        /// The new name.
        name: String,
    },
}
