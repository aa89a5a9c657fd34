//! Cached results of the last build by the keys of their inputs.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};

/// The results that the last build used, by their keys: hashes of the inputs, or the inputs themselves. Equal keys
/// must mean equal results, so that a memo only saves time. A clone shares the results.
///
/// A memo does not change, so a build that fails leaves it as it is. A build that succeeds makes the next memo, either with
/// [`Memo::next`] or from keys and results. Of several results with equal keys, the last one counts. A result that a
/// build does not use is not in its memo: memory does not grow from build to build.
pub(crate) struct Memo<K, V>(Arc<BTreeMap<K, V>>);

impl<K: Ord, V> Memo<K, V> {
    /// The result with this key, if the last build used it.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.0.get(key)
    }

    /// Begins the next memo.
    pub(crate) fn next(&self) -> NextMemo<'_, K, V> {
        self.next_of_at_most(usize::MAX)
    }

    /// Begins the next memo, which gets only the first `max_len` results that this build uses.
    pub(crate) fn next_of_at_most(&self, max_len: usize) -> NextMemo<'_, K, V> {
        NextMemo {
            last: self,
            used: Mutex::default(),
            max_len,
        }
    }
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K, V> Clone for Memo<K, V> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Debug, V: Debug> Debug for Memo<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Memo<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(results: I) -> Self {
        Self(Arc::new(results.into_iter().collect()))
    }
}

/// The memo of an unfinished build.
///
/// Parallel loops can share it, because results depend only on their keys. So does the memo, unless the number of its
/// results is limited; then the calls must have the same order in each build.
pub(crate) struct NextMemo<'a, K, V> {
    last: &'a Memo<K, V>,
    used: Mutex<BTreeMap<K, V>>,
    max_len: usize,
}

impl<K: Ord, V: Clone> NextMemo<'_, K, V> {
    /// The result with this key, from this build or the last one; otherwise it is computed.
    pub(crate) fn get_or_compute(&self, key: K, compute: impl FnOnce() -> V) -> V {
        let used = || self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(result) = used().get(&key) {
            return result.clone();
        }
        // The result is computed without the lock: another thread may compute it too.
        let cached = self.last.get(&key).cloned();
        let result = cached.unwrap_or_else(compute);
        let mut used = used();
        if used.len() < self.max_len {
            used.insert(key, result.clone());
        }
        result
    }

    /// The memo of the results that this build used.
    pub(crate) fn finish(self) -> Memo<K, V> {
        let used = self.used.into_inner();
        Memo(Arc::new(used.unwrap_or_else(PoisonError::into_inner)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::parallel::parallel_map;

    /// Computes the squares of these numbers; returns the next memo, and the number of squares that were computed.
    fn squares(last: &Memo<u32, u32>, of: &[u32], max_len: usize) -> (Memo<u32, u32>, usize) {
        let computed = AtomicUsize::new(0);
        let next = last.next_of_at_most(max_len);
        for &number in of {
            let square = next.get_or_compute(number, || {
                computed.fetch_add(1, Ordering::Relaxed);
                number * number
            });
            assert_eq!(square, number * number);
        }
        (next.finish(), computed.into_inner())
    }

    #[test]
    fn only_results_that_the_last_build_did_not_use_are_computed() {
        let (first, computed) = squares(&Memo::default(), &[1, 2, 3, 2, 1], 9);
        assert_eq!(computed, 3);
        let (second, computed) = squares(&first, &[2, 3, 4], 9);
        assert_eq!(computed, 1);
        assert_eq!((second.get(&1), second.get(&2)), (None, Some(&4)));
        // The second build did not use the first number. An unfinished build changes nothing.
        drop(second.next());
        let (_, computed) = squares(&second, &[1, 2, 3, 4], 9);
        assert_eq!(computed, 1);
    }

    #[test]
    fn a_full_memo_still_gives_all_results() {
        let numbers: Vec<u32> = (0..50).collect();
        let (full, computed) = squares(&Memo::default(), &numbers, 10);
        assert_eq!(computed, 50);
        let (again, computed) = squares(&full, &numbers, 10);
        assert_eq!(computed, 40);
        assert_eq!(format!("{again:?}"), format!("{full:?}"));
    }

    #[test]
    fn the_memo_of_a_parallel_loop_equals_that_of_a_sequential_loop() {
        let last: Memo<usize, usize> = (0..100).map(|number| (number, number * number)).collect();
        let numbers: Vec<usize> = (0..1000).map(|index| index * index % 300).collect();
        let memo_of = |threads: usize| {
            let next = last.next();
            let results = parallel_map(numbers.len(), threads, |index| {
                let number = numbers[index];
                next.get_or_compute(number, || number * number)
            });
            let expected = numbers.iter().map(|number| number * number);
            assert!(results.into_iter().eq(expected));
            format!("{:?}", next.finish())
        };
        assert_eq!(memo_of(8), memo_of(1));
    }
}
