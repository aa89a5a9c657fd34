//! The player's input for a tick, and conversions of view angles.

use glam::DVec3;

use crate::save::saved;

/// The player's input for a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// The forward movement, -1 (back) to 1 (forward).
    pub forward: f64,
    /// The sideways movement, -1 (left) to 1 (right).
    pub right: f64,
    /// Whether to run instead of walk.
    pub run: bool,
    /// Whether to jump, if on the ground.
    pub jump: bool,
    /// Whether to crouch; otherwise the body stands up if there is room.
    pub crouch: bool,
    /// Whether to use the object ahead: a door, a lift, a switch.
    pub interact: bool,
    /// Whether to grab the body ahead, or throw the body that is carried.
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

/// The horizontal unit vector of the view at a yaw in degrees.
pub(super) fn forward(yaw: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(yaw.to_radians());
    DVec3::new(-sin, 0.0, -cos)
}

/// The yaw of a direction, degrees; `None` for a direction without horizontal component.
pub(crate) fn yaw_of(direction: DVec3) -> Option<f64> {
    let flat = direction.x != 0.0 || direction.z != 0.0;
    flat.then(|| libm::atan2(-direction.x, -direction.z).to_degrees())
}

/// Wraps a yaw to -180..180 degrees.
pub(crate) fn wrapped(yaw: f64) -> f64 {
    yaw - 360.0 * libm::round(yaw / 360.0)
}
