//! Revision numbers of world states. Caches keep their results as long as a revision does not change.

use std::sync::atomic::{AtomicU64, Ordering};

/// The revision counter of a state. Equal revisions mean equal states of one [`World`](super::World); different
/// revisions may mean equal states, too. Revisions differ from run to run, so they may affect running time, but never
/// results.
#[derive(Debug)]
pub(super) struct Revisions(Revision);

/// A revision of a state; see [`Revisions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    world: u64,
    changes: u64,
}

impl Revisions {
    pub(super) fn now(&self) -> Revision {
        self.0
    }

    /// Starts a new revision, after a change.
    pub(super) fn advance(&mut self) {
        self.0.changes += 1;
    }
}

impl Default for Revisions {
    fn default() -> Self {
        static WORLDS: AtomicU64 = AtomicU64::new(0);
        Self(Revision {
            world: WORLDS.fetch_add(1, Ordering::Relaxed),
            changes: 0,
        })
    }
}
