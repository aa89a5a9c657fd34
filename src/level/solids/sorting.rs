//! Sorting many small numbers.

/// Sorts items by bucket (less than `count`), and within each bucket by value. If few items share a bucket, this is
/// faster than a comparison sort of all items.
pub(super) fn in_buckets<T: Ord + Copy>(
    items: &[T],
    count: usize,
    bucket: impl Fn(&T) -> u32,
) -> Vec<T> {
    // The start of each bucket. It advances to the bucket's end while the bucket is filled.
    let mut ends = vec![0u32; count + 1];
    for item in items {
        ends[bucket(item) as usize + 1] += 1;
    }
    for i in 1..=count {
        ends[i] += ends[i - 1];
    }
    let mut sorted = items.to_vec();
    for item in items {
        let end = &mut ends[bucket(item) as usize];
        sorted[*end as usize] = *item;
        *end += 1;
    }
    let mut start = 0;
    for &end in &ends[..count] {
        sorted[start..end as usize].sort_unstable();
        start = end as usize;
    }
    sorted
}

/// A number that sorts like the finite coordinate, with -0 before 0.
pub(super) fn ordered(coordinate: f32) -> u32 {
    let bits = coordinate.to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn buckets_sort_as_comparing_does(
            items in prop::collection::vec((0..7u32, any::<u32>()), 0..60),
        ) {
            let mut expected = items.clone();
            expected.sort_unstable();
            prop_assert_eq!(in_buckets(&items, 7, |item| item.0), expected);
        }

        #[test]
        fn coordinates_and_their_numbers_have_one_order(a in -1e5..1e5f32, b in -1e5..1e5f32) {
            prop_assert_eq!(ordered(a).cmp(&ordered(b)), a.total_cmp(&b));
            prop_assert_eq!(ordered(a).cmp(&ordered(-a)), a.total_cmp(&-a));
        }
    }
}
