//! Which state of which world: lets readers keep what they found until something changes.

use std::sync::atomic::{AtomicU64, Ordering};

/// Two that are equal are of equal states, of one [`World`](super::World); of different ones nothing is known.
/// They differ from run to run, so nothing but time may depend on them.
#[derive(Debug)]
pub(super) struct Revisions(Revision);

/// See [`Revisions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    world: u64,
    changes: u64,
}

impl Revisions {
    pub(super) fn now(&self) -> Revision {
        self.0
    }

    /// Something has changed.
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
