//! A body that leaves all rooms is put back where it last stood.
//!
//! Rooms are left through portals, by crossing their polygons. A body that gets out through a hole
//! in a room's surface still counts to that room, with nothing below it that could hold it.

use glam::DVec3;

use super::eye::Eye;
use super::state::{Player, Standing};
use crate::collision::CollisionWorld;
use crate::game::events::{EventKind, EventWriter, feet};
use crate::geometry::Aabb;
use crate::level::At;
use crate::motion::{self, Command, State};

/// What rounding may put a centre outside the box around its room, metres.
const ROUNDING: f64 = 1e-3;

/// After so many falls in a row the body is held where it last stood or started: there is no floor.
const FALLS_BEFORE_HELD: u32 = 2;

impl Player {
    /// Puts the body back where it last stood if the last tick moved it out of its room, and keeps
    /// where it stood before it fell, jumped or slipped. Every tick asks this, so it asks little.
    pub(super) fn stay_in_rooms(&mut self, collision: &CollisionWorld, events: &mut EventWriter) {
        let level = collision.level;
        let At { room, point } = self.actor.state.at;
        let bounds = &level.room(room).bounds;
        let stands_now = stands(&self.actor.state);
        // What stands is not below its room.
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
            self.leave_box(collision, events);
        }
    }

    /// Keeps where the body stood before the last tick.
    fn remember_standing(&mut self) {
        self.last_standing = Standing {
            state: self.previous,
            // It has room for that: only where the body stood upright has it risen.
            segment_length: self.actor.body.segment_length,
        };
    }

    /// The centre is beyond the box, or where rounding may put it.
    #[cold]
    fn leave_box(&mut self, collision: &CollisionWorld, events: &mut EventWriter) {
        let At { room, point } = self.actor.state.at;
        let bounds = collision.level.room(room).bounds.grown(ROUNDING);
        let is_within = point.y >= bounds.min.y && is_between(&bounds, point);
        // A position that is not a number is another fault, and not mended here.
        if is_within || !point.is_finite() {
            return;
        }
        if stands(&self.previous) {
            self.remember_standing();
        }
        self.put_back(collision, events);
    }

    /// Whether the body is held where it is, because it fell out of all rooms from there again and again. A floor that
    /// reaches it ends that.
    pub fn has_no_floor(&self) -> bool {
        self.falls_in_a_row >= FALLS_BEFORE_HELD
    }

    fn put_back(&mut self, collision: &CollisionWorld, events: &mut EventWriter) {
        let (level, state) = (collision.level, &self.last_standing.state);
        let kind = EventKind::LeftRooms {
            back_room: state.at.room,
            back_feet: feet(level, &self.actor.body, state),
        };
        events.push(&self.actor, kind);
        self.hold();
        self.times_left = self.times_left.saturating_add(1);
        self.falls_in_a_row = match self.would_stand(collision) {
            true => 0,
            false => self.falls_in_a_row + 1,
        };
        if self.has_no_floor() {
            events.push(&self.actor, EventKind::NoFloor);
        }
        self.eye = Eye::of(&self.actor.body);
    }

    /// Whether the body stands after a tick without input. The tick is tried, and then undone.
    fn would_stand(&mut self, collision: &CollisionWorld) -> bool {
        let before = self.actor.state;
        let command = Command {
            wish: DVec3::ZERO,
            jump: false,
        };
        motion::tick(collision, &mut self.actor, &mut self.workspace, &command);
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
        // The picture does not show the way back.
        self.actor.report.path.clear();
    }
}

/// Whether a point that counts to a room is between the sides of the box around the room. Beside
/// and below the box it is outside of the room, but not above, where a court may be open. So what
/// falls out through a hole is noticed in the tick in which it leaves the box.
fn is_between(bounds: &Aabb, point: DVec3) -> bool {
    let Aabb { min, max } = bounds;
    point.x >= min.x && point.x <= max.x && point.z >= min.z && point.z <= max.z
}

/// Whether a body stands or walks on ground that holds it: one that slips off an edge would slip
/// again from there.
fn stands(state: &State) -> bool {
    // Both are zero, of whichever sign.
    let slip = (state.fall.x.to_bits() | state.fall.z.to_bits()) << 1;
    state.grounded && slip == 0
}
