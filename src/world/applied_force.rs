//! The forces on a rigid body in a tick.

use glam::DVec3;

use crate::level::{BodyId, TICKS_PER_SECOND};
use crate::save::{MAX_SPEED, saved};

/// The most that forces accelerate a body, m/s2: to [`MAX_SPEED`] in a tick.
pub(super) const MAX_ACCELERATION: f64 = MAX_SPEED * TICKS_PER_SECOND;

/// The sum of the forces and torques on a body in the next tick, in coordinates of its room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AppliedForce {
    pub body: BodyId,
    /// m/s2.
    pub acceleration: DVec3,
    /// The spin that they add, radians per second.
    pub torque_spin: DVec3,
}

saved!(AppliedForce {
    body,
    acceleration,
    torque_spin
});

impl AppliedForce {
    pub(super) fn none(body: BodyId) -> Self {
        Self {
            body,
            acceleration: DVec3::ZERO,
            torque_spin: DVec3::ZERO,
        }
    }

    /// Whether its numbers are within the limits of [`Bodies::apply_force`](super::Bodies::apply_force).
    pub(super) fn is_sound(&self) -> bool {
        self.acceleration.length() <= MAX_ACCELERATION && self.torque_spin.length() <= MAX_SPEED
    }
}
