//! The times that the phases of ticks of bodies take.

use std::time::{Duration, Instant};

/// The total time of all ticks of bodies, phase by phase. It does not affect the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseTimes {
    /// The broad phase, and the triangles near each body.
    pub broad_phase: Duration,
    /// Contacts at the beginning of the tick.
    pub contacts: Duration,
    /// The solver for resting contacts.
    pub resting: Duration,
    /// Impacts in the order of time.
    pub impacts: Duration,
    /// Clusters that are solved as a whole.
    pub clusters: Duration,
    /// The rest of each motion, changes of rooms, and sleep.
    pub finish: Duration,
}

impl PhaseTimes {
    /// The number of phases.
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

/// A function that returns the current time. The simulation has no clock of its own.
pub type Clock = fn() -> Instant;

/// A stopwatch that measures one phase after another, if there is a clock.
pub(super) struct Stopwatch {
    /// The clock, and the end of the last phase.
    clock: Option<(Clock, Instant)>,
}

impl Stopwatch {
    pub(super) fn start(clock: Option<Clock>) -> Self {
        Self {
            clock: clock.map(|clock| (clock, clock())),
        }
    }

    /// Adds the time since the end of the last phase to a phase.
    pub(super) fn end(&mut self, phase: &mut Duration) {
        if let Some((clock, ended)) = &mut self.clock {
            let now = clock();
            *phase += now.duration_since(*ended);
            *ended = now;
        }
    }
}
