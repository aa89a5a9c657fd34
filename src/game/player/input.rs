//! What a player wants of a tick, and the angles that it looks along.

use glam::DVec3;

use crate::save::saved;

/// What a player wants of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// -1 (back) to 1 (forward).
    pub forward: f64,
    /// -1 (left) to 1 (right).
    pub right: f64,
    /// Run instead of walk.
    pub run: bool,
    /// Jump, if on the ground.
    pub jump: bool,
    /// Crouch; without it the body stands up where there is room.
    pub crouch: bool,
    /// Use what is ahead: a door, a lift, a switch.
    pub interact: bool,
    /// Take the body ahead, or throw the one that is held.
    pub grab: bool,
}

saved!(Input {
    forward,
    right,
    run,
    jump,
    crouch,
    interact,
    grab,
});

/// The horizontal unit vector that a yaw in degrees looks along.
pub(super) fn forward(yaw: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(yaw.to_radians());
    DVec3::new(-sin, 0.0, -cos)
}

/// The yaw, degrees, of a direction; `None` for one without horizontal part.
pub(crate) fn yaw_of(direction: DVec3) -> Option<f64> {
    let flat = direction.x != 0.0 || direction.z != 0.0;
    flat.then(|| libm::atan2(-direction.x, -direction.z).to_degrees())
}

/// The same yaw in -180..180 degrees.
pub(crate) fn wrapped(yaw: f64) -> f64 {
    yaw - 360.0 * libm::round(yaw / 360.0)
}
