//! The forces on a rigid body in a tick.

use glam::DVec3;

use crate::level::{BodyId, TICKS_PER_SECOND};
use crate::save::{MAX_SPEED, saved};

/// The maximum acceleration by forces, m/s2: a body at rest reaches [`MAX_SPEED`] in one tick.
pub(super) const MAX_ACCELERATION: f64 = MAX_SPEED * TICKS_PER_SECOND;

/// The sum of the forces and torques on a body in the next tick, in coordinates of its room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AppliedForce {
    pub body: BodyId,
    /// Linear acceleration, m/s2.
    pub acceleration: DVec3,
    /// The change of angular velocity in the tick, radians per second.
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

    /// Whether the values are within the limits of [`Bodies::apply_force`](super::Bodies::apply_force).
    pub(super) fn is_sound(&self) -> bool {
        self.acceleration.length() <= MAX_ACCELERATION && self.torque_spin.length() <= MAX_SPEED
    }
}
