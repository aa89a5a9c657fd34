//! Parallel work of a tick: bodies, or contacts, are divided into consecutive shares, each with buffers of its own.
//!
//! The result of a share does not depend on anything that another share changes, and results are read share by share.
//! So a tick gives the same bits on any number of cores.

use std::ops::Range;

/// The minimum number of bodies, or contacts, of a share. They take 100 us or more, well above the time to wake a
/// thread.
const LEAST: usize = 256;

/// The number of shares for each thread: if a thread finishes early, it takes another share.
const OF_A_THREAD: usize = 4;

/// The buffers for the shares of `count` bodies or contacts, on the threads of the current pool.
pub(super) fn shares_of<M: Default>(count: usize, shares: &mut Vec<M>) -> &mut [M] {
    // A pool starts when its size is first requested: few bodies do not need one.
    let threads = match count / LEAST {
        0 | 1 => 1,
        _ => rayon::current_num_threads(),
    };
    let wanted = match threads {
        1 => 1,
        threads => (count / LEAST).min(OF_A_THREAD * threads),
    };
    if shares.len() < wanted {
        shares.resize_with(wanted, M::default);
    }
    &mut shares[..wanted]
}

/// Work that can be divided.
pub(super) trait Divide: Sized + Send {
    /// The number of bodies, or contacts, of the work.
    fn count(&self) -> usize;

    /// Splits the work into the part of the `first` bodies or contacts, and the rest.
    fn divide(self, first: usize) -> (Self, Self);
}

impl Divide for Range<usize> {
    fn count(&self) -> usize {
        self.len()
    }

    fn divide(self, first: usize) -> (Self, Self) {
        let middle = self.start + first;
        (self.start..middle, middle..self.end)
    }
}

impl<T: Send> Divide for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn divide(self, first: usize) -> (Self, Self) {
        self.split_at_mut(first)
    }
}

/// Does all of the work in parallel, in at most as many shares as there are buffers.
pub(super) fn side_by_side<W: Divide, M: Send>(
    all: W,
    shares: &mut [M],
    work: &(impl Fn(W, &mut M) + Sync),
) {
    match shares {
        [] => {}
        [share] => work(all, share),
        _ => {
            let count = shares.len();
            let (some, others) = shares.split_at_mut(count / 2);
            let first = all.count() * some.len() / count;
            let (before, after) = all.divide(first);
            rayon::join(
                || side_by_side(before, some, work),
                || side_by_side(after, others, work),
            );
        }
    }
}
