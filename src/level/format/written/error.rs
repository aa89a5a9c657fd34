//! Why a level cannot be written.

/// Why a level cannot be written as a file; each names the node and says the cure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// glTF files have no portals that bend space.
    #[error(
        "{node}: bends space, for which files have no words; keep this level in code, or lead straight on"
    )]
    BentPortal {
        /// The portal.
        node: String,
    },
    /// glTF turns and scales textures, but does not shear them.
    #[error("{material}: shears a texture, for which files have no words; turn or scale it")]
    Texture {
        /// The material.
        material: String,
    },
    /// The picture's bytes are not those of its size.
    #[error(
        "{image}: {bytes} bytes are no picture of its width and height; give it 4 for each pixel"
    )]
    Image {
        /// The picture.
        image: String,
        /// How many bytes it has.
        bytes: usize,
    },
    /// Files say how one node moves.
    #[error("{node}: {what}")]
    Mover {
        /// The mover.
        node: String,
        /// What files have no words for, and the cure.
        what: &'static str,
    },
}
