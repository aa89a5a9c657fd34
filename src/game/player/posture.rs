//! Crouching, and standing up if there is room.

use super::bodies::crouched;
use super::state::Player;
use crate::collision::CollisionWorld;
use crate::motion::{self, Body, TICK_SECS, Workspace};

/// The time from standing to crouched or back, seconds. An instant change would make the view jump, or leave the eye
/// above the body's top.
const CROUCH_SECS: f64 = 0.15;

impl Player {
    /// Moves the body's height towards the desired posture by one tick's share. The body rises only if there is room
    /// for it to stand upright.
    pub(super) fn take_posture(
        &mut self,
        collision: &CollisionWorld,
        crouch: bool,
        workspace: &mut Workspace,
    ) {
        if crouch || self.actor.body.segment_length != self.standing_segment_length {
            self.change_posture(collision, crouch, workspace);
        } else {
            self.crouched = false;
        }
    }

    fn change_posture(
        &mut self,
        collision: &CollisionWorld,
        crouch: bool,
        workspace: &mut Workspace,
    ) {
        let standing = Body {
            segment_length: self.standing_segment_length,
            ..self.actor.body
        };
        let lowest = crouched(&standing);
        self.crouched = crouch;
        if !crouch {
            let state = &self.actor.state;
            self.crouched = !motion::fits(collision, &standing, state, workspace);
        }
        let target = if self.crouched {
            lowest.segment_length
        } else {
            standing.segment_length
        };
        let step = (standing.segment_length - lowest.segment_length) * (TICK_SECS / CROUCH_SECS);
        let left = target - self.actor.body.segment_length;
        self.actor.body.segment_length = if left.abs() <= step {
            target
        } else {
            self.actor.body.segment_length + step.copysign(left)
        };
        self.eye.change_posture(&self.actor.body);
    }
}
