//! The data of a replay.

use crate::game::Input;
use crate::level::TICKS_PER_SECOND;

/// The format version of a replay as bytes. Must be increased whenever older replays can no longer be read.
pub(super) const VERSION: u32 = 1;

/// The number of ticks from one state hash to the next: a second.
pub(super) const HASH_TICKS: usize = TICKS_PER_SECOND as usize;

/// A recorded part of a game: the game at its start, and all inputs that followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The name of the level of the recording.
    pub(super) level: String,
    /// [`LevelData::simulation_hash`](crate::level::LevelData::simulation_hash) of that level.
    pub(super) level_hash: u128,
    /// The game at the start of the replay: [`Game::save`](crate::game::Game::save).
    pub(super) start: Vec<u8>,
    pub(super) ticks: Vec<TickInput>,
    /// The hashes of the states before every [`HASH_TICKS`]th tick, including the first one, with the view of that tick.
    pub(super) hashes: Vec<u64>,
    /// The yaw and pitch after the last tick, degrees.
    pub(super) end_view: [f64; 2],
    /// The hash of the state after the last tick, with that view.
    pub(super) end_hash: u64,
}

/// The input and the view at the start of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TickInput {
    pub(super) input: Input,
    /// The yaw and pitch of the player, degrees.
    pub(super) view: [f64; 2],
}

impl Replay {
    /// The name of the level of the recording.
    pub fn level(&self) -> &str {
        &self.level
    }

    /// The number of ticks.
    pub fn ticks(&self) -> usize {
        self.ticks.len()
    }

    /// The number of state hashes in a replay of this many ticks, without the hash of the final state.
    pub(super) fn hash_count(ticks: usize) -> usize {
        ticks.div_ceil(HASH_TICKS)
    }
}
