//! The body, and a walk that turns every three metres, into walls and furniture and out again.

use glam::DVec3;
use opendoor::motion::{Body, StepSettings};

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
    let turns = scrambled(tick / LEG) as f64 / 2f64.powi(64);
    let (sin, cos) = (turns * std::f64::consts::TAU).sin_cos();
    DVec3::new(cos, 0.0, sin) * SPEED
}

/// The output function of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014): any number to one that looks random.
pub fn scrambled(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
