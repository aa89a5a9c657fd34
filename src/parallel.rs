//! Parallel work on all cores, with the same result for any number of cores.
//!
//! Each call starts threads of its own: a call may run for seconds in parallel to a game, whose ticks would have to wait for it
//! in a shared thread pool.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of threads that can run in parallel on this machine.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The results of `work` for 0, 1, ... `count` - 1, in this order, computed by at most `threads` threads. An idle thread takes
/// the next index.
pub(crate) fn parallel_map<T: Send + Sync>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let results: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(result) = results.get(index) else {
                break;
            };
            result.get_or_init(|| work(index));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            scope.spawn(run);
        }
        run();
    });
    let results = results.into_iter();
    results.filter_map(OnceLock::into_inner).collect()
}
