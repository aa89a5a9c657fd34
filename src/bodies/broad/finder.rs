//! What is asked of a broad phase, whatever its method.

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

    /// Appends the keys of all boxes that overlap this one, in any order, each at least once.
    fn find_overlapping(&mut self, place: &RoomBox, keys: &mut Vec<u32>);
}

/// The keys of two boxes, the lower one first.
pub(super) fn in_order(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// No index.
pub(super) const NONE: u32 = u32::MAX;

/// A value in a table by key, which is made longer where it ends before.
pub(super) fn at_key<T: Clone>(table: &mut Vec<T>, key: u32, absent: T) -> &mut T {
    let index = key as usize;
    if index >= table.len() {
        table.resize(index + 1, absent);
    }
    &mut table[index]
}
