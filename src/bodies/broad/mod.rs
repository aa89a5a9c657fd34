//! The broad phase of bodies: which boxes overlap, of many that lie in rooms.
//!
//! One interface, [`PairFinder`], and three methods behind it. All find the same pairs, those that
//! [`RoomBox::overlaps`]; they differ in what they keep from tick to tick, and so in time. Which one is best for what
//! was measured: `docs/bodies.md`.

mod grid;
mod sweep;
#[cfg(test)]
mod tests;
mod tree;

pub use grid::UniformGrid;
pub use sweep::SweepAndPrune;
pub use tree::BoxTree;

use crate::geometry::Aabb;
use crate::level::RoomId;

/// A box in a room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomBox {
    /// The room.
    pub room: RoomId,
    /// In coordinates of the room, metres. No coordinate may be NaN; infinite ones are fine.
    pub bounds: Aabb,
}

impl RoomBox {
    /// Whether both are in one room and share a point; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.room == other.room && self.bounds.overlaps(&other.bounds)
    }
}

/// Finds the pairs of boxes that overlap. A box is known by a key of the caller's: small numbers, since tables are
/// as long as the largest one.
pub trait PairFinder: std::fmt::Debug + Send + Sync {
    /// Puts a box under a key, or moves the one that is there.
    fn put(&mut self, key: u32, place: &RoomBox);

    /// Forgets the box under a key, if there is one.
    fn remove(&mut self, key: u32);

    /// Appends the keys of each pair of boxes that overlap, once, the lower key first. The pairs depend on the boxes
    /// alone, their order may depend on all that was done before.
    fn find_pairs(&mut self, pairs: &mut Vec<[u32; 2]>);
}

/// A method to find pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairMethod {
    /// [`SweepAndPrune`].
    Sweep,
    /// [`UniformGrid`].
    #[default]
    Grid,
    /// [`BoxTree`].
    Tree,
}

impl PairMethod {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sweep, Self::Grid, Self::Tree];

    /// A finder without boxes.
    pub fn finder(self) -> Box<dyn PairFinder> {
        match self {
            Self::Sweep => Box::<SweepAndPrune>::default(),
            Self::Grid => Box::<UniformGrid>::default(),
            Self::Tree => Box::<BoxTree>::default(),
        }
    }
}

/// The keys of two boxes, the lower one first.
fn in_order(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// No index.
const NONE: u32 = u32::MAX;

/// A value in a table by key, which is made longer where it ends before.
fn at_key<T: Clone>(table: &mut Vec<T>, key: u32, absent: T) -> &mut T {
    let index = key as usize;
    if index >= table.len() {
        table.resize(index + 1, absent);
    }
    &mut table[index]
}
