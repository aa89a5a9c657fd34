//! The position of a mover on its track, in whole ticks, so that no rounding errors accumulate.

use crate::geometry::Rigid;
use crate::level::{Cycle, Drive, Mover};
use crate::save::saved;

/// The position of a mover on its track, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoverState {
    /// Ticks from the start of the track, at most [`Drive::ticks`].
    pub at: u32,
    /// The direction of motion.
    pub going: Going,
    /// Remaining ticks of waiting before the mover moves.
    pub waits: u32,
    /// Whether something was in the mover's way in the last tick.
    pub is_blocked: bool,
}

/// The direction of a mover along its track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    /// At rest.
    Rest,
    /// Towards the end of the track.
    There,
    /// Towards the start of the track.
    Back,
}

saved!(Going[Rest, There, Back]);
saved!(MoverState {
    at,
    going,
    waits,
    is_blocked
});

impl MoverState {
    /// At rest at the start of the track.
    pub const START: Self = Self::resting_at(0);

    /// The initial state of a mover.
    pub(super) fn of(mover: &Mover) -> Self {
        let Drive {
            first_tick, cycle, ..
        } = mover.drive;
        Self {
            going: match cycle {
                Cycle::Shuttle | Cycle::Loop => Going::There,
                Cycle::Call | Cycle::Return | Cycle::Once => Going::Rest,
            },
            ..Self::resting_at(first_tick)
        }
    }

    /// At rest at this tick of the track.
    pub(crate) const fn resting_at(at: u32) -> Self {
        Self {
            at,
            going: Going::Rest,
            waits: 0,
            is_blocked: false,
        }
    }

    /// Whether the next tick moves the mover if nothing is in its way.
    pub fn moves(&self) -> bool {
        self.going != Going::Rest && self.waits == 0
    }

    /// Whether the mover rests: the next tick changes nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.going == Going::Rest
    }

    /// The state after a tick in which nothing is in the mover's way.
    pub(crate) fn next(mut self, drive: &Drive) -> Self {
        self.is_blocked = false;
        if self.waits > 0 {
            return Self {
                waits: self.waits - 1,
                ..self
            };
        }
        let rest = Self::resting_at;
        let wait = |at: u32, going: Going| Self {
            at,
            going,
            waits: drive.wait_ticks,
            is_blocked: false,
        };
        match self.going {
            Going::Rest => self,
            Going::There if self.at + 1 < drive.ticks => Self {
                at: self.at + 1,
                ..self
            },
            Going::There => match drive.cycle {
                Cycle::Call | Cycle::Once => rest(drive.ticks),
                Cycle::Return | Cycle::Shuttle => wait(drive.ticks, Going::Back),
                Cycle::Loop => wait(0, Going::There),
            },
            Going::Back if self.at > 1 => Self {
                at: self.at - 1,
                ..self
            },
            Going::Back => match drive.cycle {
                Cycle::Shuttle | Cycle::Loop => wait(0, Going::There),
                Cycle::Call | Cycle::Return | Cycle::Once => rest(0),
            },
        }
    }

    /// The ticks of the track between which the mover moves to state `next`. If the track ends where it starts, a
    /// restart continues past the end instead of going back all the way.
    pub(crate) fn way_to(&self, next: &Self, mover: &Mover) -> [u32; 2] {
        let starts_again = self.going == Going::There && next.at < self.at;
        let is_round = || mover.track.pose(1.0).is_about(&Rigid::IDENTITY);
        let end = if starts_again && is_round() {
            mover.drive.ticks
        } else {
            next.at
        };
        [self.at, end]
    }

    /// Starts a resting mover away from the end where it rests, or reverses a moving one; cancels the wait.
    pub(super) fn call(&mut self) {
        self.going = match self.going {
            Going::Rest if self.at == 0 => Going::There,
            Going::Rest => Going::Back,
            Going::There => Going::Back,
            Going::Back => Going::There,
        };
        self.waits = 0;
    }

    /// Starts motion in the given direction, and cancels the wait. At the start of the track, `Back` becomes rest.
    pub(super) fn go(&mut self, going: Going) {
        self.going = match going {
            Going::Back if self.at == 0 => Going::Rest,
            _ => going,
        };
        self.waits = 0;
    }

    /// This state with the direction of motion reversed.
    pub(crate) fn reversed(self) -> Self {
        let going = match self.going {
            Going::Rest => Going::Rest,
            Going::There => Going::Back,
            Going::Back => Going::There,
        };
        Self {
            going,
            is_blocked: false,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drive(cycle: Cycle) -> Drive {
        Drive {
            ticks: 7,
            cycle,
            wait_ticks: 3,
            ..Drive::default()
        }
    }

    /// The positions in the following ticks.
    fn places(mut state: MoverState, drive: &Drive, count: usize) -> Vec<u32> {
        let ticks = (0..count).map(|_| {
            state = state.next(drive);
            state.at
        });
        ticks.collect()
    }

    fn called() -> MoverState {
        let mut state = MoverState::resting_at(0);
        state.call();
        state
    }

    #[test]
    fn a_mover_takes_its_ticks_and_follows_its_cycle_at_the_ends() {
        let there: Vec<u32> = (1..=7).collect();
        let back: Vec<u32> = (0..7).rev().collect();
        let (at_end, at_start) = (vec![7; 3], vec![0; 3]);
        let joined = |parts: &[&[u32]]| parts.concat();
        for (cycle, expected) in [
            (Cycle::Call, joined(&[&there, &[7; 12]])),
            (Cycle::Once, joined(&[&there, &[7; 12]])),
            (Cycle::Return, joined(&[&there, &at_end, &back, &[0; 2]])),
            (
                Cycle::Shuttle,
                joined(&[&there, &at_end, &back, &at_start[1..]]),
            ),
            (
                Cycle::Loop,
                joined(&[&there[..6], &[0], &at_start, &there[..6], &at_start]),
            ),
        ] {
            assert_eq!(places(called(), &drive(cycle), 19), expected, "{cycle:?}");
        }
    }

    /// Checks one round: a state that repeats after one round repeats after any number of rounds.
    #[test]
    fn a_shuttle_is_where_it_was_after_each_round() {
        let drive = drive(Cycle::Shuttle);
        let mut state = called();
        for _ in 0..2 * (7 + 3) {
            state = state.next(&drive);
        }
        assert_eq!(state, called());
    }

    #[test]
    fn a_call_on_the_way_turns_it_back() {
        let drive = drive(Cycle::Call);
        let mut state = called();
        for _ in 0..4 {
            state = state.next(&drive);
        }
        state.call();
        assert_eq!(places(state, &drive, 5), [3, 2, 1, 0, 0]);
    }
}
