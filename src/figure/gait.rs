//! How a body moves, as numbers that a pose follows from.

use std::f64::consts::{FRAC_PI_2, PI};

use super::clips::{ACTION_COUNT, CROUCH, CROUCHED, FALL, IDLE, JUMP, UPRIGHT, Walk};

/// Time constant with which the figure follows the body's speed, seconds: shorter than a body takes to reach it.
const SPEED_SECS: f64 = 0.06;
/// How fast its legs turn to where the body goes, radians a second.
const TURN_SPEED: f64 = 11.0;
/// Legs that walk forward turn this far aside at most, radians; beyond they walk backwards. They go on as they do until
/// that is exceeded by [`TURN_SLACK`].
const MAX_HEADING: f64 = FRAC_PI_2;
const TURN_SLACK: f64 = 0.2;
/// Time from the ground to the pose of a jump and back, seconds.
const AIR_SECS: f64 = 0.12;
/// A body that is off the ground for less than this is not shown to jump, seconds.
const HOP_SECS: f64 = 0.06;
/// Vertical speeds between which the pose of a jump becomes that of a fall, m/s.
const FALLING: [f64; 2] = [1.5, -3.0];
/// How deep it bends its knees on landing: as part of crouching, for each m/s of the fall, and at most.
const BENDS_PER_SPEED: f64 = 0.07;
const MAX_BEND: f64 = 0.5;
/// Time constant of getting up from that, seconds.
const BEND_SECS: f64 = 0.12;
/// Steps are so much of a stride at least, however slow: shorter ones would be too many.
const MIN_STEP: f64 = 0.3;
/// More loops a second than this no legs can do: a body that is pushed off from rest slides at first.
const MAX_LOOPS: f64 = 4.0;
/// Slower than this it stands, m/s.
const MIN_SPEED: f64 = 0.02;

/// What a tick did to a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// How long it took, seconds; more than 0.
    pub seconds: f64,
    /// How far it went by itself, metres: forward and to the right of where it looks.
    pub moved: [f64; 2],
    /// Whether it stands.
    pub grounded: bool,
    /// Its vertical speed, m/s, up.
    pub rises: f64,
    /// From 0, upright, to 1, crouched.
    pub crouched: f64,
    /// How far the picture of the body is above it, metres, because it follows steps more slowly.
    pub lift: f64,
}

/// How a figure moves at a moment. All that a pose follows from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// How much of its walk is done, loops: 0 where the left foot comes down. Whole ones are of no matter.
    pub phase: f64,
    /// Smoothed speed over ground, m/s.
    pub speed: f64,
    /// Where its legs walk, radians to the left of where it looks.
    pub heading: f64,
    /// From 0, upright, to 1, crouched.
    pub crouched: f64,
    /// From 0, on the ground, to 1, in the air.
    pub airborne: f64,
    /// From 0, a jump, to 1, a fall.
    pub falling: f64,
    /// How much it bends its knees because it came down, as a part of crouching.
    pub bent: f64,
    /// Since it began, seconds.
    pub seconds: f64,
    /// How far it is drawn above the body, metres.
    pub lift: f64,
}

/// How a figure moves: the last two moments, for pictures between them. It follows the body and changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gait {
    now: Stance,
    before: Stance,
    /// Whether its legs walk backwards.
    backwards: bool,
    /// How long it has been off the ground, seconds, and how fast it fell.
    off_ground_secs: f64,
    fell: f64,
}

impl Gait {
    /// Follows the body over a tick.
    pub fn follow(&mut self, step: &Step) {
        self.before = self.now;
        let Step { seconds, .. } = *step;
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
        // Both, so that what is between them stays so.
        let whole = self.now.phase.floor();
        self.now.phase -= whole;
        self.before.phase -= whole;
    }

    /// Jumps, falls and lands.
    fn leave_ground(&mut self, step: &Step) {
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

    /// The moment `alpha` (0..1) of the way from the last tick but one to the last.
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

/// Which part of the way to a value is done in a time.
fn toward(seconds: f64, time_constant: f64) -> f64 {
    seconds / (seconds + time_constant)
}

impl Stance {
    /// How far it gets in one loop of its walk, metres.
    fn stride(&self) -> f64 {
        let [upright, low] = [&UPRIGHT[..], &CROUCHED].map(|walks| stride(walks, self.speed));
        upright + (low - upright) * self.crouched
    }

    /// How much of each action it shows; 1 in all.
    pub(super) fn weights(&self) -> [f64; ACTION_COUNT] {
        let mut weights = [0.0; ACTION_COUNT];
        let on_ground = 1.0 - self.airborne;
        // Who stands up from a landing does not slow down.
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

/// Of a speed, the walks that it is between, the second by its index and how much it is of that one; of a speed less
/// than the first one's, how much of that.
fn between(walks: &[Walk], speed: f64) -> (usize, f64) {
    let next = walks.partition_point(|walk| walk.speed < speed);
    let before = next
        .checked_sub(1)
        .map_or(0.0, |before| walks[before].speed);
    match walks.get(next) {
        Some(walk) => (next, (speed - before) / (walk.speed - before)),
        None => (walks.len() - 1, 1.0),
    }
}

/// Feet of a pose between two rest while those of both do, where it goes as far as is between theirs.
fn stride(walks: &[Walk], speed: f64) -> f64 {
    let (next, part) = between(walks, speed);
    match next.checked_sub(1) {
        None => walks[0].stride * part.max(MIN_STEP),
        Some(before) => walks[before].stride * (1.0 - part) + walks[next].stride * part,
    }
}

/// Adds the weights of the walks at a speed, and of standing.
fn add(
    walks: &[Walk],
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
