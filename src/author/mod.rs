//! Levels made in code: a [`builder`] of rooms, openings and their contents, and generated levels for tests and
//! benchmarks.

pub mod builder;
mod dungeon;
mod grid;
#[doc(hidden)]
pub mod sketch;

pub use dungeon::dungeon;
pub use grid::grid_glb;
