//! Errors of writing a level.

/// The reason why a level cannot be written as a file; each names the node and the cure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A portal with a transform leads to a room that does not exist.
    #[error("{node}: leads to a room that is not in the level; name one of its rooms")]
    NoArrival {
        /// The portal.
        node: String,
    },
    /// glTF rotates and scales textures, but does not shear them.
    #[error("{material}: shears a texture, for which files have no words; turn or scale it")]
    Texture {
        /// The material.
        material: String,
    },
    /// The number of bytes does not match the image's size.
    #[error(
        "{image}: {bytes} bytes are no picture of its width and height; give it 4 for each pixel"
    )]
    Image {
        /// The image.
        image: String,
        /// The number of its bytes.
        bytes: usize,
    },
    /// Files can only express some motions of a node.
    #[error("{node}: {what}")]
    Mover {
        /// The mover.
        node: String,
        /// The motion that files cannot express, and the cure.
        what: &'static str,
    },
}
