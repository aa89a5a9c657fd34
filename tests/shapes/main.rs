//! Shapes against parry3d in f64 and against brute force, over many random pairs: apart, touching, deep,
//! degenerate, tiny and huge. Plain tests take 20,000 pairs each; a million each with
//! `cargo test --release --test shapes -- --ignored`.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

mod boxes;
mod brute;
mod caches;
mod hulls;
mod meshes;
mod parry;
mod random;
mod spheres;
