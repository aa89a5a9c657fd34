//! The motion of a body, as numbers from which a pose is computed.

use std::f64::consts::{FRAC_PI_2, PI};

use super::clips::{ACTION_COUNT, CROUCH, CROUCHED, FALL, IDLE, JUMP, UPRIGHT, WalkClip};

/// The time constant with which the figure follows the body's speed, seconds: shorter than the time in which a body reaches its
/// speed.
const SPEED_SECS: f64 = 0.06;
/// The maximum rate at which the legs turn to the direction of motion, radians a second.
const TURN_SPEED: f64 = 11.0;
/// The maximum heading of legs that walk forward, radians; beyond it they walk backwards.
const MAX_HEADING: f64 = FRAC_PI_2;
/// The hysteresis of [`MAX_HEADING`], radians.
const TURN_SLACK: f64 = 0.2;
/// The duration of the blend between the poses on the ground and in a jump, seconds.
const AIR_SECS: f64 = 0.12;
/// The time off the ground after which a body is shown jumping, seconds.
const HOP_SECS: f64 = 0.06;
/// The vertical speeds between which the pose of a jump blends into that of a fall, m/s.
const FALLING: [f64; 2] = [1.5, -3.0];
/// The depth of the knee bend on landing for each m/s of the fall, as a fraction of crouching.
const BENDS_PER_SPEED: f64 = 0.07;
/// The maximum depth of the knee bend on landing, as a fraction of crouching.
const MAX_BEND: f64 = 0.5;
/// The time constant with which the figure rises from the knee bend, seconds.
const BEND_SECS: f64 = 0.12;
/// The minimum step length at low speeds, as a fraction of the stride: shorter steps would look hurried.
const MIN_STEP: f64 = 0.3;
/// The maximum frequency of the walk loop, loops a second: legs cannot move faster, so a body that is pushed from rest slides
/// at first.
const MAX_LOOPS: f64 = 4.0;
/// The speed below which the figure stands, m/s.
const MIN_SPEED: f64 = 0.02;

/// The motion of a body in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GaitStep {
    /// The duration of the tick, seconds; positive.
    pub seconds: f64,
    /// The distance that the body moved by itself, metres: first forward, then to the right, relative to its view.
    pub moved: [f64; 2],
    /// Whether the body is on the ground.
    pub grounded: bool,
    /// The vertical speed of the body, m/s, positive up.
    pub rises: f64,
    /// The crouch fraction, from 0, upright, to 1, crouched.
    pub crouched: f64,
    /// The height of the drawn figure above the body, metres. It differs from 0 while the figure follows a step with a
    /// delay.
    pub lift: f64,
}

/// The state of a figure's motion at a moment, from which its pose is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// The phase of the walk, loops: 0 where the left foot comes down. Only the fractional part matters.
    pub phase: f64,
    /// The smoothed speed over ground, m/s.
    pub speed: f64,
    /// The direction in which the legs walk, radians to the left of the view.
    pub heading: f64,
    /// The crouch fraction, from 0, upright, to 1, crouched.
    pub crouched: f64,
    /// The blend from 0, on the ground, to 1, in the air.
    pub airborne: f64,
    /// The blend from 0, a jump, to 1, a fall.
    pub falling: f64,
    /// The knee bend after a landing, as a fraction of crouching.
    pub bent: f64,
    /// The time since the figure's motion began, seconds.
    pub seconds: f64,
    /// The height of the drawn figure above the body, metres.
    pub lift: f64,
}

/// The last two states of a figure's motion, between which a picture interpolates. The figure follows the body and does
/// not affect it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gait {
    now: Stance,
    before: Stance,
    /// Whether the legs walk backwards.
    backwards: bool,
    /// The time off the ground so far, seconds.
    off_ground_secs: f64,
    /// The speed of the fall in the last tick, m/s.
    fell: f64,
}

impl Gait {
    /// Follows the body over a tick.
    pub fn follow(&mut self, step: &GaitStep) {
        self.before = self.now;
        let GaitStep { seconds, .. } = *step;
        let [ahead, right] = step.moved;
        let distance = (ahead * ahead + right * right).sqrt();
        let now = &mut self.now;
        now.seconds += seconds;
        now.lift = step.lift;
        now.crouched = step.crouched;
        let speed = if step.grounded {
            distance / seconds
        } else {
            now.speed
        };
        now.speed += (speed - now.speed) * toward(seconds, SPEED_SECS);
        if now.speed < MIN_SPEED {
            now.speed = 0.0;
        }
        if distance > MIN_SPEED * seconds {
            let goes = libm::atan2(-right, ahead);
            let slack = if self.backwards {
                -TURN_SLACK
            } else {
                TURN_SLACK
            };
            self.backwards = goes.abs() > MAX_HEADING + slack;
            let turn = PI * f64::from(u8::from(self.backwards));
            let wanted = goes - turn.copysign(goes);
            let most = TURN_SPEED * seconds;
            now.heading += (wanted - now.heading).clamp(-most, most);
        }
        if step.grounded {
            let loops = (distance / now.stride()).min(MAX_LOOPS * seconds);
            now.phase += if self.backwards { -loops } else { loops };
        }
        self.leave_ground(step);
        // Reduces both phases by the same whole number, so that the interpolation between them stays correct.
        let whole = self.now.phase.floor();
        self.now.phase -= whole;
        self.before.phase -= whole;
    }

    /// Updates the state of jumps, falls and landings.
    fn leave_ground(&mut self, step: &GaitStep) {
        let now = &mut self.now;
        now.bent -= now.bent * toward(step.seconds, BEND_SECS);
        let rate = step.seconds / AIR_SECS;
        if step.grounded {
            if self.off_ground_secs > HOP_SECS {
                now.bent = (now.bent + self.fell * BENDS_PER_SPEED).min(MAX_BEND);
            }
            self.off_ground_secs = 0.0;
            now.airborne = (now.airborne - rate).max(0.0);
            return;
        }
        self.off_ground_secs += step.seconds;
        self.fell = (-step.rises).max(0.0);
        if self.off_ground_secs > HOP_SECS || step.rises > FALLING[0] {
            now.airborne = (now.airborne + rate).min(1.0);
        }
        let [first, last] = FALLING;
        let falling = ((first - step.rises) / (first - last)).clamp(0.0, 1.0);
        now.falling += (falling - now.falling).clamp(-rate, rate);
    }

    /// The state at `alpha`: 0 is the last tick but one, 1 the last tick.
    pub fn between(&self, alpha: f64) -> Stance {
        let mix = |of: fn(&Stance) -> f64| {
            let [before, now] = [&self.before, &self.now].map(of);
            before + (now - before) * alpha
        };
        Stance {
            phase: mix(|at| at.phase),
            speed: mix(|at| at.speed),
            heading: mix(|at| at.heading),
            crouched: mix(|at| at.crouched),
            airborne: mix(|at| at.airborne),
            falling: mix(|at| at.falling),
            bent: mix(|at| at.bent),
            seconds: mix(|at| at.seconds),
            lift: mix(|at| at.lift),
        }
    }
}

/// The fraction of the distance to a target value that is covered in a time.
fn toward(seconds: f64, time_constant: f64) -> f64 {
    seconds / (seconds + time_constant)
}

impl Stance {
    /// The distance covered in one loop of the walk, metres.
    fn stride(&self) -> f64 {
        let [upright, low] = [&UPRIGHT[..], &CROUCHED].map(|walks| stride(walks, self.speed));
        upright + (low - upright) * self.crouched
    }

    /// The weight of each action in the pose; the sum is 1.
    pub(super) fn weights(&self) -> [f64; ACTION_COUNT] {
        let mut weights = [0.0; ACTION_COUNT];
        let on_ground = 1.0 - self.airborne;
        // The knee bend of a landing lowers the figure but does not slow it down.
        let low = (self.crouched + self.bent * (1.0 - self.crouched)).min(1.0);
        add(
            &UPRIGHT,
            IDLE,
            self.speed,
            on_ground * (1.0 - low),
            &mut weights,
        );
        add(&CROUCHED, CROUCH, self.speed, on_ground * low, &mut weights);
        weights[JUMP] = self.airborne * (1.0 - self.falling);
        weights[FALL] = self.airborne * self.falling;
        weights
    }
}

/// Returns the index of the first walk that is at least as fast as a speed, and its weight in the blend with the next slower
/// walk. Below the speed of the first walk, the weight is the fraction of that walk's speed. Above the speed of all walks,
/// returns the last walk with weight 1.
fn between(walks: &[WalkClip], speed: f64) -> (usize, f64) {
    let next = walks.partition_point(|walk| walk.speed < speed);
    let before = next
        .checked_sub(1)
        .map_or(0.0, |before| walks[before].speed);
    match walks.get(next) {
        Some(walk) => (next, (speed - before) / (walk.speed - before)),
        None => (walks.len() - 1, 1.0),
    }
}

/// The stride at a speed. In a blend of two walks, standing feet stay in place only if the strides are blended by the
/// same weights.
fn stride(walks: &[WalkClip], speed: f64) -> f64 {
    let (next, part) = between(walks, speed);
    match next.checked_sub(1) {
        None => walks[0].stride * part.max(MIN_STEP),
        Some(before) => walks[before].stride * (1.0 - part) + walks[next].stride * part,
    }
}

/// Adds the weights of the walks at a speed, and of standing.
fn add(
    walks: &[WalkClip],
    standing: usize,
    speed: f64,
    weight: f64,
    weights: &mut [f64; ACTION_COUNT],
) {
    let (next, part) = between(walks, speed);
    let before = next
        .checked_sub(1)
        .map_or(standing, |before| walks[before].action);
    weights[before] += weight * (1.0 - part);
    weights[walks[next].action] += weight * part;
}
