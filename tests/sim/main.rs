//! Everything that needs no graphics, tried from outside: one binary, because linking is slow.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

mod check;
mod gltf_file;
mod hostile;
mod import;
mod visibility;
