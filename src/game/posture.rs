//! Crouching, and standing up where there is room.

use super::camera::EYE_HEIGHT;
use super::{Game, motion};
use crate::level::Level;
use crate::motion::Body;

/// Height of a body that crouches, as part of its height, but never lower than its sphere.
const CROUCHED_HEIGHT: f64 = 0.5;

/// Height of the eye of a body that crouches, as part of [`EYE_HEIGHT`].
const CROUCHED_EYE: f64 = 0.5;

/// Speed of a body that crouches, as part of its speed.
pub(super) const CROUCHED_SPEED: f64 = 0.5;

impl Game {
    /// Crouches, or stands up if there is room for that; stays down if there is none.
    pub(super) fn take_posture(&mut self, level: &Level, crouch: bool) {
        if crouch == self.crouched {
            return;
        }
        let diameter = 2.0 * self.body.radius;
        let axis = if crouch {
            ((self.standing_axis + diameter) * CROUCHED_HEIGHT - diameter).max(0.0)
        } else {
            self.standing_axis
        };
        let body = Body { axis, ..self.body };
        if !crouch && axis > 0.0 {
            let world = super::world(level, &self.open, self.scope);
            if !motion::fits(&world, &body, &self.state, &mut self.scratch) {
                return;
            }
        }
        // The eye follows.
        self.eye_lags[0] += self.eye_height();
        (self.body, self.crouched) = (body, crouch);
        self.eye_lags[0] -= self.eye_height();
    }

    /// Height of the eye above the feet, metres, when nothing is above it.
    pub(super) fn eye_height(&self) -> f64 {
        if self.crouched {
            EYE_HEIGHT * CROUCHED_EYE
        } else {
            EYE_HEIGHT
        }
    }
}
