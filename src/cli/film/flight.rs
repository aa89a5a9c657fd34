//! The camera that flies out of a frozen view.

use glam::DVec3;
use opendoor::visibility::Camera;

/// The duration of the flight out of a frozen view, seconds.
pub(super) const FLIGHT_SECS: f64 = 5.0;

/// The displacement of the flight, metres: to the right, up, and backwards.
const DISTANCE: DVec3 = DVec3::new(3.0, 8.0, 7.0);

/// The camera keeps looking at the point at this distance straight ahead of the frozen eye, metres.
const LOOKS_AT: f64 = 6.0;

/// The part of the duration in which the camera moves; then it stands still.
const MOVES: f64 = 0.8;

/// Returns the camera of the flight out of a frozen view, after `part` (0..1) of the flight's duration.
pub(super) fn camera(frozen: &Camera, fov: f64, part: f64) -> Camera {
    let moved = smooth_step((part / MOVES).min(1.0));
    let [yaw, _] = frozen.angles();
    let level = Camera::new(frozen.at, [yaw, 0.0], fov, frozen.aspect);
    let eye = frozen.at.point + level.axes * DISTANCE * moved;
    let ahead = frozen.at.point + frozen.forward() * LOOKS_AT - eye;
    let flat = DVec3::new(ahead.x, 0.0, ahead.z).length();
    let yaw = libm::atan2(-ahead.x, -ahead.z).to_degrees();
    let pitch = libm::atan2(ahead.y, flat).to_degrees();
    Camera::new(frozen.at.with_point(eye), [yaw, pitch], fov, frozen.aspect)
}

/// Interpolates from 0 to 1 with a continuous speed (smoothstep).
fn smooth_step(part: f64) -> f64 {
    part * part * (3.0 - 2.0 * part)
}
