//! A body that moves, with all that its ticks need.

use super::body::{Body, State};
use super::queries::BodyCache;
use super::report::TickReport;
use crate::save::{Reader, Saved};

/// A body in a world. Any number of actors tick in one world, on any number of threads: a tick changes
/// its actor alone.
#[derive(Debug)]
pub struct Actor {
    /// What does not change about it, or not by ticks.
    pub body: Body,
    /// Where it is and how it moves.
    pub state: State,
    /// What its last tick did.
    pub report: TickReport,
    /// What its ticks keep for later ones: an empty one changes nothing but their time.
    pub cache: BodyCache,
}

/// But for its cache, which changes nothing.
impl Saved for Actor {
    fn save(&self, to: &mut Vec<u8>) {
        self.body.save(to);
        self.state.save(to);
        self.report.save(to);
    }

    fn load(from: &mut Reader) -> Option<Self> {
        Some(Self {
            body: Body::load(from)?,
            state: State::load(from)?,
            report: TickReport::load(from)?,
            cache: BodyCache::default(),
        })
    }
}

impl Actor {
    /// A body that has not ticked yet.
    pub fn new(body: Body, state: State) -> Self {
        Self {
            body,
            state,
            report: TickReport::default(),
            cache: BodyCache::default(),
        }
    }
}
