//! The bodies of players: their sizes and speeds.

use crate::motion::{Body, StepSettings};
use crate::world::GRAVITY;

/// Walking speed, m/s.
pub const WALK_SPEED: f64 = 4.0;

/// Running speed, m/s.
pub const RUN_SPEED: f64 = 7.0;

/// The speed of a crouched body, as a fraction of its normal speed.
pub(super) const CROUCHED_SPEED: f64 = 0.5;

/// The time in which a character reaches its speed from rest, seconds.
pub const SPEED_UP_SECS: f64 = 0.1;

/// The character: a sphere of 0.35 m that jumps 1 m high, moved by sweep and gravity only.
pub const CHARACTER: Body = Body {
    radius: 0.35,
    segment_length: 0.0,
    gravity: GRAVITY,
    jump_height: 1.0,
    acceleration: RUN_SPEED / SPEED_UP_SECS,
    step_settings: StepSettings::OFF,
};

/// The height of [`PLAYER`], that of a person, metres.
pub const PLAYER_HEIGHT: f64 = 1.8;

/// The default body of play: a capsule of 0.35 x 1.8 m. It climbs and descends steps of 0.4 m and walks up slopes of
/// 50 degrees.
pub const PLAYER: Body = Body {
    segment_length: PLAYER_HEIGHT - 2.0 * CHARACTER.radius,
    step_settings: StepSettings {
        step_height: 0.4,
        snap: 0.4,
        max_slope_cos: 0.642_787_609_686_539_4,
        max_drop: f64::INFINITY,
    },
    ..CHARACTER
};

/// The height of a crouched body, as a fraction of its standing height; a player of 1.8 m crouches to 1.1 m. The
/// height is never less than the sphere's diameter.
const CROUCHED_HEIGHT: f64 = 1.1 / PLAYER_HEIGHT;

/// The height of a body, metres.
pub(super) fn height(body: &Body) -> f64 {
    body.segment_length + 2.0 * body.radius
}

/// The body at its crouched height.
pub(super) fn crouched(standing: &Body) -> Body {
    let diameter = 2.0 * standing.radius;
    Body {
        segment_length: (height(standing) * CROUCHED_HEIGHT - diameter).max(0.0),
        ..*standing
    }
}

/// The fraction to which a body crouches: 0 is upright, 1 fully crouched.
pub(super) fn crouched_part(body: &Body, standing_segment_length: f64) -> f64 {
    let standing = Body {
        segment_length: standing_segment_length,
        ..*body
    };
    let range = standing_segment_length - crouched(&standing).segment_length;
    if range > 0.0 {
        (standing_segment_length - body.segment_length) / range
    } else {
        0.0
    }
}
