//! glTF 2.0 files. Only this module uses the gltf package, and only its types of the JSON text. The data that the text
//! refers to is validated and read here, because a level may come from an untrusted source and must not do harm.
//!
//! `read` produces a [`LevelSource`](crate::source::LevelSource), `write` writes one, and `edit` changes a file in
//! place. None of them builds a room graph.

pub(crate) mod edit;
pub(crate) mod read;
pub(crate) mod write;

pub use read::{read_source, read_source_bytes};
pub use write::{WriteError, write_glb};
