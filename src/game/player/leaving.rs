//! Puts a body that leaves all rooms back where it last stood.
//!
//! Bodies leave rooms through portals, by crossing their polygons. A body that leaves through a hole in a room's
//! surface stays assigned to that room, but has nothing below it to support it.

use glam::DVec3;

use super::eye::EyeHeight;
use super::state::{Player, Standing};
use crate::collision::CollisionWorld;
use crate::game::events::{EventKind, EventWriter, feet};
use crate::geometry::Aabb;
use crate::level::At;
use crate::motion::{self, MoveCommand, State, Workspace};

/// Rounding moves a centre out of its room's bounding box by at most this distance, metres.
const ROUNDING: f64 = 1e-3;

/// After this many consecutive falls, there is probably no floor, and the body is held where it last stood or
/// started.
const FALLS_BEFORE_HELD: u32 = 2;

impl Player {
    /// Puts the body back where it last stood if the last tick moved it out of its room. Also stores where the body
    /// stood before it fell, jumped or slipped. Runs in every tick, so the common case is cheap.
    pub(super) fn stay_in_rooms(
        &mut self,
        collision: &CollisionWorld,
        workspace: &mut Workspace,
        events: &mut EventWriter,
    ) {
        let level = collision.level;
        let At { room, point } = self.actor.state.at;
        let bounds = &level.room(room).bounds;
        let stands_now = stands(&self.actor.state);
        // A standing body is not below its room.
        if stands_now && is_between(bounds, point) {
            self.falls_in_a_row = 0;
            return;
        }
        if self.has_no_floor() {
            self.hold();
            return;
        }
        if !stands_now && stands(&self.previous) {
            self.remember_standing();
        }
        if point.y < bounds.min.y || !is_between(bounds, point) {
            self.leave_box(collision, workspace, events);
        }
    }

    /// Stores where the body stood before the last tick.
    fn remember_standing(&mut self) {
        self.last_standing = Standing {
            state: self.previous,
            // The body fits at this height, because it rises only if it can stand upright.
            segment_length: self.actor.body.segment_length,
        };
    }

    /// Handles a centre outside the bounding box: puts the body back if the distance exceeds rounding.
    #[cold]
    fn leave_box(
        &mut self,
        collision: &CollisionWorld,
        workspace: &mut Workspace,
        events: &mut EventWriter,
    ) {
        let At { room, point } = self.actor.state.at;
        let bounds = collision.level.room(room).bounds.grown(ROUNDING);
        let is_within = point.y >= bounds.min.y && is_between(&bounds, point);
        // A non-finite position is an error of another kind, which is not handled here.
        if is_within || !point.is_finite() {
            return;
        }
        if stands(&self.previous) {
            self.remember_standing();
        }
        self.put_back(collision, workspace, events);
    }

    /// Whether the body is held in place because it repeatedly fell out of all rooms from its position. This ends
    /// when a floor reaches the body.
    pub fn has_no_floor(&self) -> bool {
        self.falls_in_a_row >= FALLS_BEFORE_HELD
    }

    fn put_back(
        &mut self,
        collision: &CollisionWorld,
        workspace: &mut Workspace,
        events: &mut EventWriter,
    ) {
        let (level, state) = (collision.level, &self.last_standing.state);
        let kind = EventKind::LeftRooms {
            back_room: state.at.room,
            back_feet: feet(level, &self.actor.body, state),
        };
        events.push(&self.actor, kind);
        self.hold();
        self.times_left = self.times_left.saturating_add(1);
        self.falls_in_a_row = match self.would_stand(collision, workspace) {
            true => 0,
            false => self.falls_in_a_row + 1,
        };
        if self.has_no_floor() {
            events.push(&self.actor, EventKind::NoFloor);
        }
        self.eye = EyeHeight::of(&self.actor.body);
    }

    /// Whether the body would stand after a tick without input. The tick is simulated and then undone.
    fn would_stand(&mut self, collision: &CollisionWorld, workspace: &mut Workspace) -> bool {
        let before = self.actor.state;
        let command = MoveCommand {
            wish: DVec3::ZERO,
            jump: false,
        };
        motion::tick(collision, &mut self.actor, workspace, &command);
        self.actor.report.events.clear();
        self.actor.report.path.clear();
        let after = std::mem::replace(&mut self.actor.state, before);
        stands(&after)
    }

    /// Puts the body where it last stood, at rest.
    fn hold(&mut self) {
        let Standing {
            state,
            segment_length,
        } = self.last_standing;
        self.actor.state = State {
            walk: DVec3::ZERO,
            fall: DVec3::ZERO,
            ..state
        };
        self.actor.body.segment_length = segment_length;
        // The view jumps back instead of following a path.
        self.actor.report.path.clear();
    }
}

/// Whether a point that is assigned to a room is horizontally within the room's bounding box and not below it. A
/// point above the box may still be in the room, because a courtyard may be open above. So a body that falls out
/// through a hole is detected in the tick in which it leaves the box.
fn is_between(bounds: &Aabb, point: DVec3) -> bool {
    let Aabb { min, max } = bounds;
    point.x >= min.x && point.x <= max.x && point.z >= min.z && point.z <= max.z
}

/// Whether a body stands or walks on ground that supports it. A body that slips off an edge does not stand: put back,
/// it would slip off again.
fn stands(state: &State) -> bool {
    // Both components are zero, of either sign.
    let slip = (state.fall.x.to_bits() | state.fall.z.to_bits()) << 1;
    state.grounded && slip == 0
}
