//! The rod that holds the camera behind the player.

use crate::motion::TICK_SECS;

/// Time constant with which the camera goes back to its place when nothing is between any more, seconds.
const RETURN_SECS: f64 = 0.25;

/// How much of the rod is used, 0..1, after the last tick and the one before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boom {
    reach: [f64; 2],
}

impl Default for Boom {
    fn default() -> Self {
        Self { reach: [1.0; 2] }
    }
}

impl Boom {
    /// A tick is done: what was in between may be gone.
    pub(super) fn tick(&mut self) {
        let [now, _] = self.reach;
        let back = TICK_SECS / (TICK_SECS + RETURN_SECS);
        self.reach = [now + (1.0 - now) * back, now];
    }

    /// How much of the rod is used where `free` of it is: at once no more than that, and more later.
    pub(super) fn limit(&mut self, free: f64, alpha: f64) -> f64 {
        let [now, before] = self.reach;
        let reach = before + (now - before) * alpha;
        if free < reach {
            self.reach = [free; 2];
        }
        reach.min(free)
    }
}
