//! Why a file is no figure.

use glam::Vec3;

/// Metres that a joint or a vertex may be away from the origin.
pub(super) const MAX_REACH: f32 = 1e3;

/// Why a file is no figure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// It cannot be read as glTF.
    #[error("{0}")]
    File(String),
    /// There is no skinned mesh.
    #[error(
        "no node has both a mesh and a skin; parent a mesh to an armature with weights, and export with skins"
    )]
    NoSkin,
    /// There is too much of something.
    #[error("the figure has {count} {what}, more than {most}; make it simpler")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// How many are allowed.
        most: usize,
    },
    /// A joint of the skin is no proper bone.
    #[error("joint `{name}` {problem}")]
    Joint {
        /// The name of its node.
        name: String,
        /// What is wrong with it, and the cure.
        problem: &'static str,
    },
    /// Its surface cannot be read.
    #[error("mesh of node `{name}`: {problem}")]
    Mesh {
        /// The name of its node.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// An action cannot be read.
    #[error("animation `{name}`: {problem}")]
    Animation {
        /// Its name.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// Whether a point is no farther than [`MAX_REACH`] along any axis; one that is not finite is.
pub(super) fn in_reach(point: Vec3) -> bool {
    point.is_finite() && point.abs().max_element() <= MAX_REACH
}

/// Fails if there is more of something than allowed.
pub(super) fn at_most(what: &'static str, count: usize, most: usize) -> Result<(), FigureError> {
    if count > most {
        return Err(FigureError::TooMany { what, count, most });
    }
    Ok(())
}
