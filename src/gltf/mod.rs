//! glTF 2.0 files. The only module that uses the gltf package, and only for the types of the JSON text. The data that
//! the text refers to is validated and read here, since a level may come from an untrusted source and must not do harm.
//!
//! `read` produces a [`LevelSource`](crate::source::LevelSource), `write` takes one, and `edit` changes a file in
//! place. None of them builds a room graph.

pub(crate) mod edit;
pub(crate) mod read;
pub(crate) mod write;

pub use read::{read_source, read_source_bytes};
pub use write::{WriteError, write_glb};
