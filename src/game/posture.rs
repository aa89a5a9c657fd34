//! Crouching, and standing up where there is room.

use super::characters::{PLAYER_HEIGHT, height};
use super::state::{Game, collision};
use crate::level::Level;
use crate::motion::{self, Body, TICK_SECS};

/// Height of a crouched body, as part of its standing height, but never lower than its sphere: a
/// player of 1.8 m crouches to 1.1 m.
const CROUCHED_HEIGHT: f64 = 1.1 / PLAYER_HEIGHT;

/// Time from standing to crouched and back, seconds. At once would make the view jump, or leave
/// the eye above the body's top.
const CROUCH_SECS: f64 = 0.15;

/// Speed of a crouched body, as part of its speed.
pub(super) const CROUCHED_SPEED: f64 = 0.5;

impl Game {
    /// Lowers or raises the body by a tick's part of the way to the wanted posture. It rises only
    /// where there is room for it to stand upright.
    pub(super) fn take_posture(&mut self, level: &Level, crouch: bool) {
        if crouch || self.actor.body.segment_length != self.standing_segment_length {
            self.change_posture(level, crouch);
        } else {
            self.crouched = false;
        }
    }

    fn change_posture(&mut self, level: &Level, crouch: bool) {
        let standing = Body {
            segment_length: self.standing_segment_length,
            ..self.actor.body
        };
        let lowest = crouched(&standing);
        self.crouched = crouch;
        if !crouch {
            let collision = collision(level, &self.world, self.broad_phase);
            let state = &self.actor.state;
            self.crouched = !motion::fits(&collision, &standing, state, &mut self.workspace);
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

/// The body with the height that it has when it crouches.
pub(super) fn crouched(standing: &Body) -> Body {
    let diameter = 2.0 * standing.radius;
    Body {
        segment_length: (height(standing) * CROUCHED_HEIGHT - diameter).max(0.0),
        ..*standing
    }
}
