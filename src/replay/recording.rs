//! The value that a replay is.

use crate::game::Input;
use crate::level::TICKS_PER_SECOND;

/// The format of a replay as bytes. To be counted up whenever older ones cannot be read any more.
pub(super) const VERSION: u32 = 1;

/// Ticks from one state hash to the next: a second.
pub(super) const HASH_TICKS: usize = TICKS_PER_SECOND as usize;

/// A stretch of play: the game at its start, and all that decided how it went on.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The name of the level that it was recorded in.
    pub(super) level: String,
    /// [`LevelData::simulation_hash`](crate::level::LevelData::simulation_hash) of that level.
    pub(super) level_hash: u128,
    /// The game at its start: [`Game::save`](crate::game::Game::save).
    pub(super) start: Vec<u8>,
    pub(super) ticks: Vec<TickInput>,
    /// The states that every [`HASH_TICKS`]th tick began with, the first one too, with the view of that tick.
    pub(super) hashes: Vec<u64>,
    /// Yaw and pitch after the last tick, degrees.
    pub(super) end_view: [f64; 2],
    /// The state after the last tick, with that view.
    pub(super) end_hash: u64,
}

/// What a tick began with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TickInput {
    pub(super) input: Input,
    /// Yaw and pitch of the player, degrees.
    pub(super) view: [f64; 2],
}

impl Replay {
    /// The name of the level that it was recorded in.
    pub fn level(&self) -> &str {
        &self.level
    }

    /// How many ticks it has.
    pub fn ticks(&self) -> usize {
        self.ticks.len()
    }

    /// How many state hashes a replay of so many ticks has, beside the last one.
    pub(super) fn hash_count(ticks: usize) -> usize {
        ticks.div_ceil(HASH_TICKS)
    }
}
