//! A mover and a body that may meet: how near they are, and undoing what the mover did to the body.

use glam::DVec3;

use super::actor::Actor;
use super::body::State;
use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, MoverId};

/// A mover that comes no nearer to a body than this many of its radii does not touch it.
pub(super) const NEAR: f64 = 1.5;

/// A body that a mover may meet, as it was before.
#[derive(Debug)]
pub(super) struct Met {
    /// Which of the bodies.
    pub index: usize,
    state: State,
    /// Takes coordinates of the mover's room to those of the body's, if it can meet it in one place alone.
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

    /// Whether the mover, with this box in coordinates of its room, is too far from the body to touch it;
    /// known of bodies that have not been moved yet.
    pub(super) fn is_far(&self, actor: &Actor, mover: &Aabb) -> bool {
        let Some(here_from_room) = &self.here_from_room else {
            return false;
        };
        let point = actor.state.at.point;
        let top = point + DVec3::Y * actor.body.segment_length;
        let around = Aabb::around([point, top]).grown(NEAR * actor.body.radius);
        actor.state.at == self.state.at && !mover.transformed(here_from_room).overlaps(&around)
    }

    /// Whether the body is elsewhere than it was.
    pub(super) fn has_moved(&self, actor: &Actor) -> bool {
        actor.state.at != self.state.at
    }

    /// Makes it as it was.
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

/// Box around what of a mover meets bodies: its surfaces, and the openings of its rooms, in its coordinates.
pub(super) fn bounds(level: &Level, id: MoverId) -> Aabb {
    let mover = level.mover(id);
    let rooms = mover.moved_rooms.iter();
    let portals = rooms.flat_map(|room| level.portals_of(*room));
    let solid = level.solids.bounds(&mover.solids);
    portals.fold(solid, |all, (_, portal)| all.union(portal.bounds))
}
