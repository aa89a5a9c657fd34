//! Shapes compared with parry3d in f64 and with brute force, over many random pairs: apart, touching, deep, degenerate,
//! tiny and huge. Plain tests use 20,000 pairs each; `cargo test --release --test shapes -- --ignored` uses a million
//! each.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

mod boxes;
mod brute;
mod caches;
mod capsules;
mod hulls;
mod meshes;
mod parry;
mod random;
mod spheres;
