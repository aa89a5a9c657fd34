//! The moving body, its state and the command of a tick.

use glam::DVec3;

use super::tuning::{GROUND_NORMAL_Y, SKIN, TICK_SECS};
use crate::level::{At, BodyId, MoverId};
use crate::save::{MAX_SPEED, Saved, StateReader};

/// Valid radii of a saved body, in metres; the upper limit also applies to the length of the segment. The range is
/// far wider than the sizes for which levels are made.
const SIZES: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// The properties of a body that ticks do not change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Radius of the sphere, metres.
    pub radius: f64,
    /// Length of a capsule's segment, in metres; 0 for a sphere. The segment goes up from the body's centre, which is
    /// the centre of the capsule's lowest sphere.
    pub segment_length: f64,
    /// Downward acceleration, m/s2.
    pub gravity: f64,
    /// Height of a jump, metres.
    pub jump_height: f64,
    /// The acceleration of the walking velocity towards the commanded one, m/s2.
    pub acceleration: f64,
    /// The behaviour on the ground.
    pub step_settings: StepSettings,
}

/// Loading rejects invalid sizes and rates.
impl Saved for Body {
    fn save(&self, to: &mut Vec<u8>) {
        [self.radius, self.segment_length].save(to);
        [self.gravity, self.jump_height].save(to);
        self.acceleration.save(to);
        self.step_settings.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
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

    fn load(from: &mut StateReader) -> Option<Self> {
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

/// Loading rejects velocities above the maximum speed.
impl Saved for State {
    fn save(&self, to: &mut Vec<u8>) {
        self.at.save(to);
        self.walk.save(to);
        self.fall.save(to);
        self.grounded.save(to);
        self.rides.save(to);
        self.stands_on.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
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
    /// The radius of the sphere that the solver moves: the body's radius, grown by the skin.
    pub(super) fn grown_radius(&self) -> f64 {
        grown_radius(self.radius)
    }
}

/// A radius, metres, grown by the skin.
pub(super) fn grown_radius(radius: f64) -> f64 {
    radius * (1.0 + SKIN)
}

/// The ground behaviour that the two passes add to sweep and gravity. Except for the slope limit, the settings act
/// only while the body is on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSettings {
    /// Height of the highest step that the body climbs, metres; 0 for none. A sphere rolls over obstacles
    /// lower than `radius * (1 - max_slope_cos)` in any case.
    pub step_height: f64,
    /// Maximum distance that the body moves down to stay on the ground, metres; 0 turns the snap off.
    pub snap: f64,
    /// Upward part of the normal of the steepest ground that the body walks up; steeper surfaces are walls to it.
    /// With 0, only friction limits slopes.
    pub max_slope_cos: f64,
    /// The greatest drop that the body walks off, in metres; it stops at a deeper drop. With infinity, the body walks
    /// off every ledge. With a finite value, the snap is at least the body's radius plus its walk in a tick, but at
    /// most this drop: without this minimum, slopes and leaning over an edge would launch the body into the air.
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

    /// Whether any of the settings is on.
    pub(super) fn walks(&self) -> bool {
        *self != Self::OFF
    }

    /// Maximum distance that a body moves down to stay on the ground, metres.
    pub(super) fn snap(&self, radius: f64, state: &State) -> f64 {
        if self.max_drop == f64::INFINITY {
            return self.snap;
        }
        let steepest = radius + state.walk.length() * TICK_SECS;
        self.snap.max(self.max_drop.min(steepest))
    }

    /// Upward part of the normal of the steepest walkable ground.
    pub(super) fn ground_y(&self) -> f64 {
        if self.max_slope_cos > 0.0 {
            self.max_slope_cos
        } else {
            GROUND_NORMAL_Y
        }
    }
}

/// The position and the velocities of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct State {
    /// Centre of the sphere, or of a capsule's lowest sphere.
    pub at: At,
    /// Velocity of the first pass (walking), m/s.
    pub walk: DVec3,
    /// Velocity of the second pass (accumulated while falling, slipping, jumping), m/s.
    pub fall: DVec3,
    /// Whether the last gravity pass met ground that supports the body.
    pub grounded: bool,
    /// The mover that the body stands on and that carries it.
    pub rides: Option<MoverId>,
    /// The rigid body that the body stands on: the body's velocities are relative to it, and it moves the body along.
    pub stands_on: Option<BodyId>,
}

impl State {
    /// A state at rest in the air.
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

/// The input of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveCommand {
    /// Desired horizontal velocity, m/s, in the coordinates of the body's room.
    pub wish: DVec3,
    /// Whether to jump, if on the ground.
    pub jump: bool,
}
