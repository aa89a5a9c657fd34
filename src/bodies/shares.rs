//! The work of a tick on several cores: bodies, or contacts, in shares that follow each other, each with memory of its own.
//!
//! What a share finds depends on nothing that another one changes, and is read share by share: so a tick gives the same
//! bits on any number of cores.

use std::ops::Range;

/// A share has at least so many bodies, or contacts: what they take, 100 us and more, is well above what it takes to wake a
/// thread.
const LEAST: usize = 256;

/// Shares for each thread: who is ready early takes another one.
const OF_A_THREAD: usize = 4;

/// Memory for the shares of so many bodies or contacts, on the threads of the pool that this is called in.
pub(super) fn shares_of<M: Default>(count: usize, shares: &mut Vec<M>) -> &mut [M] {
    // A pool starts when it is first asked: few bodies have no need of one.
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
    /// How many bodies, or contacts, it is about.
    fn count(&self) -> usize;

    /// That about the first so many, and the rest.
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

/// Does all of the work, in as many shares as there is memory for, side by side.
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
