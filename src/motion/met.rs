//! A pair of a mover and a body that may meet: the distance test, and the undo of the mover's effect on the body.

use glam::DVec3;

use super::actor::Actor;
use super::body::State;
use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, MoverId};

/// The distance from a body, in radii of the body, beyond which a mover does not touch it.
pub(super) const NEAR: f64 = 1.5;

/// A snapshot of a body that a mover may meet, from before the mover's step.
#[derive(Debug)]
pub(super) struct Met {
    /// The index of the body.
    pub index: usize,
    state: State,
    /// The transform from coordinates of the mover's room to coordinates of the body's room, if the body can
    /// meet only one image of the mover.
    here_from_room: Option<Rigid>,
    pieces: usize,
    events: usize,
    target_from_start: Rigid,
    carried_turn: Option<Rigid>,
    pushed: DVec3,
}

impl Met {
    pub(super) fn of(index: usize, actor: &Actor, here_from_room: Option<Rigid>) -> Self {
        Self {
            index,
            here_from_room,
            state: actor.state,
            pieces: actor.report.path.len(),
            events: actor.report.events.len(),
            target_from_start: actor.report.target_from_start,
            carried_turn: actor.report.carried_turn,
            pushed: actor.report.pushed,
        }
    }

    /// Whether the mover is too far from the body to touch it; `mover` is the mover's box in coordinates of
    /// its room. Always false for bodies that have been moved already.
    pub(super) fn is_far(&self, actor: &Actor, mover: &Aabb) -> bool {
        let Some(here_from_room) = &self.here_from_room else {
            return false;
        };
        let point = actor.state.at.point;
        let top = point + DVec3::Y * actor.body.segment_length;
        let around = Aabb::around([point, top]).grown(NEAR * actor.body.radius);
        actor.state.at == self.state.at && !mover.transformed(here_from_room).overlaps(&around)
    }

    /// Whether the body has moved since the snapshot.
    pub(super) fn has_moved(&self, actor: &Actor) -> bool {
        actor.state.at != self.state.at
    }

    /// Restores the snapshot.
    pub(super) fn undo(&self, actor: &mut Actor) {
        actor.state = self.state;
        actor.report.path.truncate(self.pieces);
        actor.report.events.truncate(self.events);
        actor.report.target_from_start = self.target_from_start;
        actor.report.carried_turn = self.carried_turn;
        actor.report.pushed = self.pushed;
        actor.report.crushed = false;
    }
}

/// The box around the parts of a mover that meet bodies: its surfaces and the openings of its rooms, in the
/// mover's coordinates.
pub(super) fn bounds(level: &Level, id: MoverId) -> Aabb {
    let mover = level.mover(id);
    let rooms = mover.moved_rooms.iter();
    let portals = rooms.flat_map(|room| level.portals_of(*room));
    let solid = level.solids.bounds(&mover.solids);
    portals.fold(solid, |all, (_, portal)| all.union(portal.bounds))
}
