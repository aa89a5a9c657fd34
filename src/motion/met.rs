//! Undoing what a mover did to a body.

use super::actor::Actor;
use super::body::State;
use crate::geometry::Rigid;

/// A body that a mover may meet, as it was before.
#[derive(Debug)]
pub(super) struct Met {
    /// Which of the bodies.
    pub index: usize,
    state: State,
    pieces: usize,
    events: usize,
    target_from_start: Rigid,
    carried_turn: Option<Rigid>,
}

impl Met {
    pub(super) fn of(index: usize, actor: &Actor) -> Self {
        Self {
            index,
            state: actor.state,
            pieces: actor.report.path.len(),
            events: actor.report.events.len(),
            target_from_start: actor.report.target_from_start,
            carried_turn: actor.report.carried_turn,
        }
    }

    /// Makes it as it was.
    pub(super) fn undo(&self, actor: &mut Actor) {
        actor.state = self.state;
        actor.report.path.truncate(self.pieces);
        actor.report.events.truncate(self.events);
        actor.report.target_from_start = self.target_from_start;
        actor.report.carried_turn = self.carried_turn;
        actor.report.crushed = false;
    }
}
