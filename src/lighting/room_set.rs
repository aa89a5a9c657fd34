//! Sets of rooms with ordered iteration.

use crate::level::RoomId;

/// A set of rooms of one level, one bit per room.
#[derive(Clone, Debug, Default)]
pub(super) struct RoomSet {
    words: Vec<u64>,
}

impl RoomSet {
    /// Creates an empty set for a level with `rooms` rooms.
    pub(super) fn new(rooms: usize) -> Self {
        Self {
            words: vec![0; rooms.div_ceil(64)],
        }
    }

    /// Creates the set of all rooms of a level with `rooms` rooms.
    pub(super) fn all(rooms: usize) -> Self {
        let mut set = Self::new(rooms);
        (0..rooms as u32).for_each(|room| set.insert(RoomId(room)));
        set
    }

    pub(super) fn insert(&mut self, room: RoomId) {
        self.words[room.0 as usize / 64] |= 1 << (room.0 % 64);
    }

    pub(super) fn insert_all(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    pub(super) fn contains(&self, room: RoomId) -> bool {
        self.words[room.0 as usize / 64] & (1 << (room.0 % 64)) != 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The first room of the set at or after `room`. The set may grow during such an iteration.
    pub(super) fn first_from(&self, room: u32) -> Option<RoomId> {
        let first = room as usize / 64;
        let rest = self.words.get(first)? & (u64::MAX << (room % 64));
        let words = self.words.iter().copied().enumerate().skip(first + 1);
        let mut words = std::iter::once((first, rest)).chain(words);
        let (index, word) = words.find(|(_, word)| *word != 0)?;
        Some(RoomId(index as u32 * 64 + word.trailing_zeros()))
    }

    /// The rooms of the set in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = RoomId> + '_ {
        std::iter::successors(self.first_from(0), |room| self.first_from(room.0 + 1))
    }
}
