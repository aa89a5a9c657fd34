//! Reasons why a file is not a usable figure.

use glam::Vec3;

/// The maximum distance of a joint or vertex from the origin along an axis, metres.
pub(super) const MAX_REACH: f32 = 1e3;

/// A reason why a file is not a usable figure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// The file cannot be read as glTF.
    #[error("{0}")]
    File(String),
    /// The file has no skinned mesh.
    #[error(
        "no node has both a mesh and a skin; parent a mesh to an armature with weights, and export with skins"
    )]
    NoSkin,
    /// The figure exceeds a limit.
    #[error("the figure has {count} {what}, more than {most}; make it simpler")]
    TooMany {
        /// The kind of element, in the plural.
        what: &'static str,
        /// The number of elements.
        count: usize,
        /// The maximum number.
        most: usize,
    },
    /// A joint of the skin is not a valid bone.
    #[error("joint `{name}` {problem}")]
    Joint {
        /// The name of the joint's node.
        name: String,
        /// The problem and its cure, as part of a sentence.
        problem: &'static str,
    },
    /// The mesh cannot be read.
    #[error("mesh of node `{name}`: {problem}")]
    Mesh {
        /// The name of the mesh's node.
        name: String,
        /// The problem, as part of a sentence.
        problem: String,
    },
    /// An action cannot be read.
    #[error("animation `{name}`: {problem}")]
    Animation {
        /// The name of the action.
        name: String,
        /// The problem, as part of a sentence.
        problem: String,
    },
}

/// Whether a point is finite and no farther than [`MAX_REACH`] along any axis.
pub(super) fn in_reach(point: Vec3) -> bool {
    point.is_finite() && point.abs().max_element() <= MAX_REACH
}

/// Fails if a count exceeds its limit.
pub(super) fn at_most(what: &'static str, count: usize, most: usize) -> Result<(), FigureError> {
    if count > most {
        return Err(FigureError::TooMany { what, count, most });
    }
    Ok(())
}
