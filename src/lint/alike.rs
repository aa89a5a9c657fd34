//! Finds equal rooms and equal movers, such as those of a hotel, so that one check serves all copies.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::parallel::{cores, parallel_map};

/// A hash of points and numbers. Points that differ by less than the hash's step mostly get equal hashes.
#[derive(Clone, Copy)]
pub(super) struct ShapeHash {
    state: u64,
    step: f64,
}

impl ShapeHash {
    /// The hash of an empty list. The step is in metres.
    pub(super) fn with_step(step: f64) -> Self {
        Self { state: 0, step }
    }

    pub(super) fn points(self, points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(self, |hash, point| {
            let steps = (point / self.step).round().to_array();
            hash.words(steps.map(|x| x as i64 as u64))
        })
    }

    /// Adds words to the hash, mixed by splitmix64 (S. Vigna, 2015).
    pub(super) fn words(mut self, words: impl IntoIterator<Item = u64>) -> Self {
        for word in words {
            let mut x = (self.state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            self.state = x ^ (x >> 31);
        }
        self
    }

    pub(super) fn finish(self) -> u64 {
        self.state
    }
}

/// For each item the index of the first item with an equal key. An item without a key is equal to no other.
pub(super) fn first_of_equal<K: Ord>(keys: impl IntoIterator<Item = Option<K>>) -> Vec<u32> {
    let mut first: BTreeMap<K, u32> = BTreeMap::new();
    let keys = (0..).zip(keys);
    keys.map(|(index, key)| key.map_or(index, |key| *first.entry(key).or_insert(index)))
        .collect()
}

/// Checks items, and returns the findings of each. `first` has for each item the index of the first equal item. That
/// item is always checked; its copies are checked only if it has a finding.
pub(super) fn look_at_alike<T: Send + Sync>(
    first: &[u32],
    look: impl Fn(usize) -> Option<T> + Sync,
) -> BTreeMap<usize, T> {
    let look_at_all = |indices: Vec<usize>| {
        let found = parallel_map(indices.len(), cores(), |k| look(indices[k]));
        let found = indices.into_iter().zip(found);
        found.filter_map(|(index, found)| Some((index, found?)))
    };
    let is_first = |index: &usize| first[*index] as usize == *index;
    let indices = 0..first.len();
    let mut found: BTreeMap<usize, T> =
        look_at_all(indices.clone().filter(is_first).collect()).collect();
    let again = |index: &usize| !is_first(index) && found.contains_key(&(first[*index] as usize));
    let again = indices.filter(again).collect();
    found.extend(look_at_all(again));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_those_alike_all_are_looked_at_where_something_is_wrong_with_the_first() {
        let keys = [Some(7), None, Some(5), Some(7), None, Some(5)];
        let first = first_of_equal(keys);
        assert_eq!(first, [0, 1, 2, 0, 4, 2]);
        let look = |index: usize| Some(index).filter(|index| [2, 3, 5].contains(index));
        let found = look_at_alike(&first, look).into_values();
        assert_eq!(found.collect::<Vec<_>>(), [2, 5]);
    }

    #[test]
    fn shapes_a_hair_apart_are_alike_and_others_are_not() {
        let hash = |x: f64| {
            let hash = ShapeHash::with_step(1e-3).points([DVec3::new(x, 2.0, -3.0)]);
            hash.words([4]).finish()
        };
        assert_eq!(hash(1.0), hash(1.0 + 1e-5));
        assert_ne!(hash(1.0), hash(1.002));
    }
}
