//! Work on all cores, with the same result on any number of them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The results of `work` for 0, 1, ... `count` - 1, in order. Whoever is free does the next.
pub(super) fn on_all_cores<T: Send + Sync>(
    count: usize,
    cores: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let results: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(result) = results.get(index) else {
                break;
            };
            result.get_or_init(|| work(index));
        }
    };
    std::thread::scope(|broad_phase| {
        for _ in 1..cores.min(count) {
            broad_phase.spawn(take);
        }
        take();
    });
    results
        .into_iter()
        .filter_map(OnceLock::into_inner)
        .collect()
}
