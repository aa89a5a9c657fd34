//! How long the phases of ticks of bodies take.

use std::time::{Duration, Instant};

/// The time that all ticks of bodies have taken, phase by phase. Nothing in a tick depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseTimes {
    /// The broad phase, and the triangles near each body.
    pub broad_phase: Duration,
    /// Contacts at the beginning of the tick.
    pub contacts: Duration,
    /// The solver for contacts that rest.
    pub resting: Duration,
    /// Impacts in the order of time.
    pub impacts: Duration,
    /// Clusters that are solved as a whole.
    pub clusters: Duration,
    /// The rest of each motion, changes of rooms, and sleep.
    pub finish: Duration,
}

impl PhaseTimes {
    /// How many phases there are.
    pub const COUNT: usize = 6;

    /// The phases with their names, in the order of the tick.
    pub fn named(&self) -> [(&'static str, Duration); Self::COUNT] {
        [
            ("broad_phase", self.broad_phase),
            ("contacts", self.contacts),
            ("resting", self.resting),
            ("impacts", self.impacts),
            ("clusters", self.clusters),
            ("finish", self.finish),
        ]
    }
}

/// Says what time it is. The simulation has no clock of its own.
pub type Clock = fn() -> Instant;

/// Measures one phase after another, where there is a clock.
pub(super) struct Stopwatch {
    /// With when the last phase ended.
    clock: Option<(Clock, Instant)>,
}

impl Stopwatch {
    pub(super) fn start(clock: Option<Clock>) -> Self {
        Self {
            clock: clock.map(|clock| (clock, clock())),
        }
    }

    /// Adds the time since the last phase ended to one.
    pub(super) fn end(&mut self, phase: &mut Duration) {
        if let Some((clock, ended)) = &mut self.clock {
            let now = clock();
            *phase += now.duration_since(*ended);
            *ended = now;
        }
    }
}
