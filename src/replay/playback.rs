//! Plays a replay again and compares the states with the recorded ones.

use std::fmt;

use super::error::ReplayError;
use super::recording::{HASH_TICKS, Replay};
use crate::game::{Game, Input};
use crate::level::Level;
use crate::motion::TICK_SECS;

/// The playback of a replay in progress.
#[derive(Debug)]
pub struct Playback {
    replay: Replay,
    /// The number of ticks begun so far.
    ticks_done: usize,
    /// Whether the final state has been compared too.
    is_over: bool,
    divergence: Option<Divergence>,
}

/// The first difference that was found between a playback and its recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The last tick at whose beginning the compared states were equal, counted from the start of the replay; 0 if
    /// none.
    pub same_until: usize,
    /// The next compared tick: there the states differ.
    pub tick: usize,
    /// The hash of the recorded state.
    pub expected: u64,
    /// The hash of the state in the playback.
    pub found: u64,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            same_until,
            tick,
            expected,
            found,
        } = self;
        let [from, to] = [same_until, tick].map(|tick| *tick as f64 * TICK_SECS);
        write!(
            f,
            "the replay diverges from the recording between {from:.2} s and {to:.2} s: before tick {tick} the \
             state is {found:016x}, and was {expected:016x}"
        )
    }
}

impl Playback {
    /// Begins the playback: returns the game at the replay's start, and the playback.
    ///
    /// # Errors
    /// When the replay was recorded in another level, or the game cannot be restored.
    pub fn begin(level: &Level, replay: Replay) -> Result<(Game, Self), ReplayError> {
        let found = level.simulation_hash();
        if found != replay.level_hash {
            return Err(ReplayError::OtherLevel {
                recorded_in: replay.level,
                recorded: replay.level_hash,
                level: level.name.clone(),
                found,
            });
        }
        Self::begin_on_changed_level(level, replay)
    }

    /// Begins the playback in a level that may have changed since the recording, to find out how long the states stay
    /// equal.
    ///
    /// # Errors
    /// When the game cannot be restored in the level, for example because a room has another size, or when it has
    /// other players than the recording.
    pub fn begin_on_changed_level(
        level: &Level,
        replay: Replay,
    ) -> Result<(Game, Self), ReplayError> {
        let game = Game::restore(level, &replay.start)?;
        if game.players.len() != replay.players() {
            return Err(ReplayError::Damaged);
        }
        let playback = Self {
            replay,
            ticks_done: 0,
            is_over: false,
            divergence: None,
        };
        Ok((game, playback))
    }

    /// Turns the players' views to those of the next tick, whose inputs [`Self::inputs`] returns; false at the end.
    /// Between two calls, the caller must call [`Game::tick`] with those inputs and change nothing else in the game.
    pub fn begin_tick(&mut self, level: &Level, game: &mut Game) -> bool {
        let tick = self.replay.tick(self.ticks_done);
        let goes_on = tick.is_some();
        let views = tick.map_or(&self.replay.end_views[..], |(_, views)| views);
        if !self.is_over {
            for (player, view) in game.players.iter_mut().zip(views) {
                [player.yaw, player.pitch] = *view;
            }
            self.compare(level, game);
        }
        match goes_on {
            true => self.ticks_done += 1,
            false => self.is_over = true,
        }
        goes_on
    }

    /// The inputs of the tick that was begun last, one for each player.
    pub fn inputs(&self) -> &[Input] {
        let tick = self.ticks_done.checked_sub(1);
        let tick = tick.and_then(|tick| self.replay.tick(tick));
        tick.map_or(&[], |(inputs, _)| inputs)
    }

    /// The first difference between the states of the playback and the recorded ones, if any was found.
    pub fn divergence(&self) -> Option<Divergence> {
        self.divergence
    }

    /// The number of ticks begun so far.
    pub fn ticks_done(&self) -> usize {
        self.ticks_done
    }

    /// The replay that is being played.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Compares the state before the next tick, if the recording has a hash there.
    fn compare(&mut self, level: &Level, game: &Game) {
        let (tick, replay) = (self.ticks_done, &self.replay);
        let expected = if tick == replay.ticks() {
            Some(replay.end_hash)
        } else if tick.is_multiple_of(HASH_TICKS) {
            replay.hashes.get(tick / HASH_TICKS).copied()
        } else {
            None
        };
        let Some(expected) = expected.filter(|_| self.divergence.is_none()) else {
            return;
        };
        let found = game.state_hash(level);
        if found != expected {
            self.divergence = Some(Divergence {
                same_until: tick.saturating_sub(1) / HASH_TICKS * HASH_TICKS,
                tick,
                expected,
                found,
            });
        }
    }
}
