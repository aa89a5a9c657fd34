//! The body, and a walk that turns every three metres, into walls and furniture and out again.

use glam::DVec3;
use opendoor::motion::{Body, StepSettings};
use opendoor::rng::Rng;

/// A sphere of 0.4 m that has its speed at once.
pub const BODY: Body = Body {
    radius: 0.4,
    segment_length: 0.0,
    gravity: 9.81,
    jump_height: 1.0,
    acceleration: 1e9,
    step_settings: StepSettings::OFF,
};

/// Walking speed, m/s.
pub const SPEED: f64 = 4.0;

/// Ticks between two turns.
pub const LEG: u64 = 40;

/// The wanted velocity in a tick, m/s: another direction in every leg, as good as random, the
/// same in every run.
pub fn wish(tick: u64) -> DVec3 {
    let turns = Rng::new(tick / LEG).bits() as f64 / 2f64.powi(64);
    let (sin, cos) = (turns * std::f64::consts::TAU).sin_cos();
    DVec3::new(cos, 0.0, sin) * SPEED
}
