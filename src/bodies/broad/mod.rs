//! The broad phase of bodies: which boxes overlap, of many that lie in rooms.
//!
//! One interface, [`PairFinder`], and three methods behind it. All find the same pairs, those that
//! [`RoomBox::overlaps`]; they differ in what they keep from tick to tick, and so in time. Which one is best for what
//! was measured: `docs/bodies.md`.

pub(super) mod entries;
pub(super) mod farther;
mod finder;
mod grid;
mod method;
pub(super) mod near;
pub(super) mod pairs;
pub(super) mod presence;
pub(super) mod reach;
mod sweep;
#[cfg(test)]
mod tests;
mod tree;

pub use finder::{PairFinder, RoomBox};
pub use grid::UniformGrid;
pub use method::PairMethod;
pub use sweep::SweepAndPrune;
pub use tree::DynamicTree;
