//! The broad phase of bodies: finds the overlapping pairs among many boxes in rooms.
//!
//! There is one interface, [`PairFinder`], with three implementations. All find the same pairs, according to
//! [`RoomBox::overlaps`]. They keep different data from tick to tick, and so differ in speed: `docs/bodies.md` has
//! measurements of each.

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
