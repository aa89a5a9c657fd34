//! Sorting of contacts and their impulses, which come nearly sorted: body by body, mostly in the order of their keys.

use std::cmp::Ordering;

/// Sorts a list in which mostly only neighbours with the same key are out of order.
pub(super) fn sort_nearly_sorted<T>(
    list: &mut [T],
    have_same_key: impl Fn(&T, &T) -> bool,
    order: impl Fn(&T, &T) -> Ordering,
) {
    for of_key in list.chunk_by_mut(have_same_key) {
        of_key.sort_unstable_by(&order);
    }
    if !list.is_sorted_by(|p, q| order(p, q).is_le()) {
        list.sort_unstable_by(order);
    }
}

/// Merges the sorted parts of a list before and from the index `first`. `buffer` is overwritten.
pub(super) fn merge_sorted<T: Copy>(
    list: &mut [T],
    first: usize,
    order: impl Fn(&T, &T) -> Ordering,
    buffer: &mut Vec<T>,
) {
    let mut known = first;
    buffer.clear();
    buffer.extend_from_slice(&list[first..]);
    while let Some(last) = buffer.last() {
        let place = known + buffer.len() - 1;
        if known > 0 && order(&list[known - 1], last).is_gt() {
            known -= 1;
            list[place] = list[known];
        } else {
            list[place] = *last;
            buffer.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn lists_of_any_order_are_sorted_and_merged() {
        let mut rng = Rng::new(9);
        for case in 0..2000 {
            let count = rng.below(12);
            let mut list: Vec<(usize, usize)> =
                (0..count).map(|_| (rng.below(6), rng.below(4))).collect();
            if case % 2 == 0 {
                list.sort_unstable_by_key(|(key, _)| *key);
            }
            let mut expected = list.clone();
            expected.sort_unstable();
            let first = rng.below(count + 1);
            let mut merged = list.clone();
            sort_nearly_sorted(&mut list, |p, q| p.0 == q.0, Ord::cmp);
            assert_eq!(list, expected);
            let (before, after) = merged.split_at_mut(first);
            sort_nearly_sorted(before, |p, q| p.0 == q.0, Ord::cmp);
            sort_nearly_sorted(after, |p, q| p.0 == q.0, Ord::cmp);
            merge_sorted(&mut merged, first, Ord::cmp, &mut Vec::new());
            assert_eq!(merged, expected);
        }
    }
}
