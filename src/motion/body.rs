//! What moves, and what is wanted of it.

use glam::DVec3;

use super::tuning::{GROUND_NORMAL_Y, SKIN, TICK_SECS};
use crate::level::{At, BodyId, MoverId};
use crate::save::{MAX_SPEED, Reader, Saved};

/// Radii that a saved body may have, metres, and at most the length of its segment: far beyond what a level is made for.
const SIZES: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// What does not change about a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Radius of the sphere, metres.
    pub radius: f64,
    /// Length of a capsule's segment, metres: upwards from the centre of its lowest sphere, which is
    /// what counts as the body's centre; 0 for a sphere.
    pub segment_length: f64,
    /// Downward acceleration, m/s2.
    pub gravity: f64,
    /// Height of a jump, metres.
    pub jump_height: f64,
    /// How fast the walking velocity follows the wanted one, m/s2.
    pub acceleration: f64,
    /// How it behaves on the ground.
    pub step_settings: StepSettings,
}

/// Sizes and rates that make no sense are refused.
impl Saved for Body {
    fn save(&self, to: &mut Vec<u8>) {
        [self.radius, self.segment_length].save(to);
        [self.gravity, self.jump_height].save(to);
        self.acceleration.save(to);
        self.step_settings.save(to);
    }

    fn load(from: &mut Reader) -> Option<Self> {
        let [radius, segment_length] = <[f64; 2]>::load(from)?;
        let [gravity, jump_height] = <[f64; 2]>::load(from)?;
        let acceleration = f64::load(from)?;
        let step_settings = StepSettings::load(from)?;
        let rates = [gravity, jump_height, acceleration];
        let is_sound = rates.iter().all(|x| (0.0..=MAX_SPEED).contains(x));
        let has_size = SIZES.contains(&radius) && (0.0..=*SIZES.end()).contains(&segment_length);
        (is_sound && has_size).then_some(Self {
            radius,
            segment_length,
            gravity,
            jump_height,
            acceleration,
            step_settings,
        })
    }
}

impl Saved for StepSettings {
    fn save(&self, to: &mut Vec<u8>) {
        [self.step_height, self.snap].save(to);
        self.max_slope_cos.save(to);
        self.max_drop.is_finite().then_some(self.max_drop).save(to);
    }

    fn load(from: &mut Reader) -> Option<Self> {
        let [step_height, snap] = Saved::load(from)?;
        let max_slope_cos = f64::load(from)?;
        let max_drop = Option::<f64>::load(from)?.unwrap_or(f64::INFINITY);
        let is_sound = [step_height, snap, max_drop].iter().all(|x| *x >= 0.0);
        (is_sound && (0.0..=1.0).contains(&max_slope_cos)).then_some(Self {
            step_height,
            snap,
            max_slope_cos,
            max_drop,
        })
    }
}

/// Velocities that no game has are refused.
impl Saved for State {
    fn save(&self, to: &mut Vec<u8>) {
        self.at.save(to);
        self.walk.save(to);
        self.fall.save(to);
        self.grounded.save(to);
        self.rides.save(to);
        self.stands_on.save(to);
    }

    fn load(from: &mut Reader) -> Option<Self> {
        let state = Self {
            at: At::load(from)?,
            walk: DVec3::load(from)?,
            fall: DVec3::load(from)?,
            grounded: bool::load(from)?,
            rides: Option::load(from)?,
            stands_on: Option::load(from)?,
        };
        let velocities = [state.walk, state.fall];
        let is_sound = velocities.iter().all(|v| v.length() <= MAX_SPEED);
        is_sound.then_some(state)
    }
}

impl Body {
    /// The radius of the sphere that the solver moves: the body's, grown by the skin.
    pub(super) fn grown_radius(&self) -> f64 {
        grown_radius(self.radius)
    }
}

/// A radius, metres, grown by the skin.
pub(super) fn grown_radius(radius: f64) -> f64 {
    radius * (1.0 + SKIN)
}

/// Ground behaviour beside the sweep and gravity of the two-pass loop: on the ground, but for the
/// slope limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSettings {
    /// Height of the highest step that it climbs, metres; 0 for none. A sphere rolls over what is
    /// lower than `radius * (1 - max_slope_cos)` in any case.
    pub step_height: f64,
    /// How far down it goes at most to stay on the ground, metres; 0 for not at all.
    pub snap: f64,
    /// Upward part of the normal of the steepest ground that it walks up; what is steeper is a
    /// wall to it. 0 where only friction limits slopes.
    pub max_slope_cos: f64,
    /// The greatest drop that it walks off, metres: at a deeper one it stops. Infinite where it
    /// walks off everything. So that slopes and leaning over an edge do not throw it into the air,
    /// a body that stops anywhere has a snap of its radius and what it walks in a tick, up to this.
    pub max_drop: f64,
}

impl StepSettings {
    /// Sweep and gravity only.
    pub const OFF: Self = Self {
        step_height: 0.0,
        snap: 0.0,
        max_slope_cos: 0.0,
        max_drop: f64::INFINITY,
    };

    /// Whether it does anything.
    pub(super) fn walks(&self) -> bool {
        *self != Self::OFF
    }

    /// How far down a body goes at most to stay on the ground, metres.
    pub(super) fn snap(&self, radius: f64, state: &State) -> f64 {
        if self.max_drop == f64::INFINITY {
            return self.snap;
        }
        let steepest = radius + state.walk.length() * TICK_SECS;
        self.snap.max(self.max_drop.min(steepest))
    }

    /// Upward part of the normal of the steepest ground.
    pub(super) fn ground_y(&self) -> f64 {
        if self.max_slope_cos > 0.0 {
            self.max_slope_cos
        } else {
            GROUND_NORMAL_Y
        }
    }
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct State {
    /// Centre of the sphere, of a capsule's lowest one.
    pub at: At,
    /// Velocity of the first pass (walking), m/s.
    pub walk: DVec3,
    /// Velocity of the second pass (gathered while falling, slipping, jumping), m/s.
    pub fall: DVec3,
    /// Whether the last gravity pass met ground that carries the body.
    pub grounded: bool,
    /// The mover that it stands on, and that carries it.
    pub rides: Option<MoverId>,
    /// The rigid body that it stands on: its velocities are relative to that, and bodies move it along.
    pub stands_on: Option<BodyId>,
}

impl State {
    /// At rest in the air.
    pub fn at_rest(at: At) -> Self {
        Self {
            at,
            walk: DVec3::ZERO,
            fall: DVec3::ZERO,
            grounded: false,
            rides: None,
            stands_on: None,
        }
    }
}

/// What is wanted of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// Wanted horizontal velocity, m/s, in the coordinates of the body's room.
    pub wish: DVec3,
    /// Whether to jump, if on the ground.
    pub jump: bool,
}
