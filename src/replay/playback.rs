//! Plays a replay again and compares the states with those that were recorded.

use std::fmt;

use super::error::ReplayError;
use super::recording::{HASH_TICKS, Replay};
use crate::game::{Game, Input};
use crate::level::Level;
use crate::motion::TICK_SECS;

/// A replay that is being played.
#[derive(Debug)]
pub struct Playback {
    replay: Replay,
    /// Ticks that were handed out.
    ticks_done: usize,
    /// Whether the end was compared too.
    is_over: bool,
    divergence: Option<Divergence>,
}

/// Where a playback was first found to differ from what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The tick of the replay, counted from its start, before which the states were last the same; 0 also if they never
    /// were.
    pub same_until: usize,
    /// The first later one before which they were compared, and differ.
    pub tick: usize,
    /// The hash of the state that was recorded.
    pub expected: u64,
    /// That of the state as it is played.
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
    /// Begins to play: the game at the replay's start, and what plays on.
    ///
    /// # Errors
    /// When the level is another one than the replay was recorded in, or the game cannot be restored.
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

    /// The same in a level that may have changed since: how far does it go as it went?
    ///
    /// # Errors
    /// When the game cannot be restored in it, as where a room has another size.
    pub fn begin_on_changed_level(
        level: &Level,
        replay: Replay,
    ) -> Result<(Game, Self), ReplayError> {
        let game = Game::restore(level, &replay.start)?;
        let playback = Self {
            replay,
            ticks_done: 0,
            is_over: false,
            divergence: None,
        };
        Ok((game, playback))
    }

    /// Turns the player's view and returns the input of the next tick; `None` at the end. What is done to the game
    /// between two calls is [`Game::tick`] with that input, and nothing else.
    pub fn next(&mut self, level: &Level, game: &mut Game) -> Option<Input> {
        let tick = self.replay.ticks.get(self.ticks_done).copied();
        let view = tick.map_or(self.replay.end_view, |tick| tick.view);
        if !self.is_over {
            [game.player.yaw, game.player.pitch] = view;
            self.compare(level, game);
        }
        match tick {
            Some(_) => self.ticks_done += 1,
            None => self.is_over = true,
        }
        tick.map(|tick| tick.input)
    }

    /// Where the states were first found to differ from those that were recorded.
    pub fn divergence(&self) -> Option<Divergence> {
        self.divergence
    }

    /// How many ticks were handed out.
    pub fn ticks_done(&self) -> usize {
        self.ticks_done
    }

    /// What is played.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Compares the state before the next tick, where one was recorded.
    fn compare(&mut self, level: &Level, game: &Game) {
        let (tick, replay) = (self.ticks_done, &self.replay);
        let expected = if tick == replay.ticks.len() {
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
