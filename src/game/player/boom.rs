//! The boom that holds the third-person camera behind the player.

use crate::motion::TICK_SECS;

/// The time constant, in seconds, with which the camera returns to its full distance once an obstacle is gone.
const RETURN_SECS: f64 = 0.25;

/// The used fraction of the boom's length, 0..1, after the last tick and after the previous one.
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
    /// Advances by a tick: extends the boom towards its full length, because an obstacle may be gone.
    pub(super) fn tick(&mut self) {
        let [now, _] = self.reach;
        let back = TICK_SECS / (TICK_SECS + RETURN_SECS);
        self.reach = [now + (1.0 - now) * back, now];
    }

    /// Limits the used fraction of the boom to `free`. Shortens the boom at once; it extends again in later ticks.
    /// Returns the fraction at `alpha`.
    pub(super) fn limit(&mut self, free: f64, alpha: f64) -> f64 {
        let [now, before] = self.reach;
        let reach = before + (now - before) * alpha;
        if free < reach {
            self.reach = [free; 2];
        }
        reach.min(free)
    }
}
