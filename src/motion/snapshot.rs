//! Snapshots of a body and its report: the undo of a motion.

use glam::DVec3;

use super::body::State;
use super::report::TickReport;
use crate::geometry::Rigid;

/// The state of a body, and the entries of its report that motion changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Snapshot {
    pub state: State,
    /// The number of pieces of the path.
    piece_count: usize,
    /// The number of events.
    event_count: usize,
    target_from_start: Rigid,
    carried_turn: Option<Rigid>,
    pushed: DVec3,
}

impl Snapshot {
    pub(super) fn of(state: &State, report: &TickReport) -> Self {
        Self {
            state: *state,
            piece_count: report.path.len(),
            event_count: report.events.len(),
            target_from_start: report.target_from_start,
            carried_turn: report.carried_turn,
            pushed: report.pushed,
        }
    }

    /// Undoes the motion since the snapshot, and its entries in the report.
    pub(super) fn restore(&self, state: &mut State, report: &mut TickReport) {
        *state = self.state;
        report.path.truncate(self.piece_count);
        report.events.truncate(self.event_count);
        report.target_from_start = self.target_from_start;
        report.carried_turn = self.carried_turn;
        report.pushed = self.pushed;
    }
}
