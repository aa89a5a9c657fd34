//! A moving body with everything that its ticks need.

use super::body::{Body, State};
use super::queries::BodyCache;
use super::report::TickReport;
use crate::save::{Saved, StateReader};

/// A body in a world. Any number of actors can tick in one world, on any number of threads: a tick changes only its own
/// actor.
#[derive(Debug)]
pub struct Actor {
    /// The properties that ticks do not change.
    pub body: Body,
    /// The position and the velocities.
    pub state: State,
    /// The report of the last tick.
    pub report: TickReport,
    /// The cached query results of earlier ticks. An empty cache changes only the run time.
    pub cache: BodyCache,
}

impl AsRef<Actor> for Actor {
    fn as_ref(&self) -> &Actor {
        self
    }
}

impl AsMut<Actor> for Actor {
    fn as_mut(&mut self) -> &mut Actor {
        self
    }
}

/// Saves everything except the cache, which does not affect results.
impl Saved for Actor {
    fn save(&self, to: &mut Vec<u8>) {
        self.body.save(to);
        self.state.save(to);
        self.report.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        Some(Self {
            body: Body::load(from)?,
            state: State::load(from)?,
            report: TickReport::load(from)?,
            cache: BodyCache::default(),
        })
    }
}

impl Actor {
    /// Creates an actor that has not ticked yet.
    pub fn new(body: Body, state: State) -> Self {
        Self {
            body,
            state,
            report: TickReport::default(),
            cache: BodyCache::default(),
        }
    }
}
