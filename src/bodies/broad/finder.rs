//! The interface of the broad phase, common to all methods.

use crate::geometry::Aabb;
use crate::level::RoomId;

/// A box in a room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomBox {
    /// The room that the coordinates refer to.
    pub room: RoomId,
    /// The box in coordinates of the room, metres. No coordinate may be NaN; infinite ones are allowed.
    pub bounds: Aabb,
}

impl RoomBox {
    /// Whether both boxes are in one room and share a point; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.room == other.room && self.bounds.overlaps(&other.bounds)
    }
}

/// A finder of pairs of overlapping boxes. The caller identifies each box by a key. Keys should be small numbers,
/// since tables are as long as the largest key.
pub trait PairFinder: std::fmt::Debug + Send + Sync {
    /// Adds a box under a key, or moves the existing one.
    fn put(&mut self, key: u32, place: &RoomBox);

    /// Removes the box under a key, if there is one.
    fn remove(&mut self, key: u32);

    /// Appends the keys of each pair of boxes that overlap, once, the lower key first. The set of pairs depends only
    /// on the boxes; the order of the pairs may depend on all earlier calls.
    fn find_pairs(&mut self, pairs: &mut Vec<[u32; 2]>);

    /// Appends the keys of all boxes that overlap a given one, in any order, each at least once.
    fn find_overlapping(&mut self, place: &RoomBox, keys: &mut Vec<u32>);
}

/// The keys of two boxes, the lower one first.
pub(super) fn in_order(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The value for no index.
pub(super) const NONE: u32 = u32::MAX;

/// Returns the value of a key in a table, and extends the table if it is too short.
pub(super) fn at_key<T: Clone>(table: &mut Vec<T>, key: u32, absent: T) -> &mut T {
    let index = key as usize;
    if index >= table.len() {
        table.resize(index + 1, absent);
    }
    &mut table[index]
}
