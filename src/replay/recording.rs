//! The data of a replay.

use crate::game::Input;
use crate::level::TICKS_PER_SECOND;

/// The format version of a replay as bytes. Must be increased whenever older replays can no longer be read.
pub(super) const VERSION: u32 = 2;

/// The number of ticks between two state hashes: one second.
pub(super) const HASH_TICKS: usize = TICKS_PER_SECOND as usize;

/// A recorded part of a game: the game at its start, and all inputs of its players that followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The name of the level of the recording.
    pub(super) level: String,
    /// [`LevelData::simulation_hash`](crate::level::LevelData::simulation_hash) of that level.
    pub(super) level_hash: u128,
    /// The game at the start of the replay: [`Game::save`](crate::game::Game::save).
    pub(super) start: Vec<u8>,
    /// The number of ticks.
    pub(super) ticks: u64,
    /// The inputs: for each tick those of all players, in order.
    pub(super) inputs: Vec<Input>,
    /// The yaw and pitch at the start of the tick of each input, degrees.
    pub(super) views: Vec<[f64; 2]>,
    /// The hashes of the states before every [`HASH_TICKS`]th tick, including the first one, with the views of that tick.
    pub(super) hashes: Vec<u64>,
    /// Per player: the yaw and pitch after the last tick, degrees.
    pub(super) end_views: Vec<[f64; 2]>,
    /// The hash of the state after the last tick, with those views.
    pub(super) end_hash: u64,
}

impl Replay {
    /// The name of the level of the recording.
    pub fn level(&self) -> &str {
        &self.level
    }

    /// The number of ticks.
    pub fn ticks(&self) -> usize {
        self.ticks as usize
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.end_views.len()
    }

    /// The inputs of a tick, and the views at its start; `None` after the last tick.
    pub(super) fn tick(&self, tick: usize) -> Option<(&[Input], &[[f64; 2]])> {
        if tick >= self.ticks() {
            return None;
        }
        let players = tick * self.players()..(tick + 1) * self.players();
        Some((self.inputs.get(players.clone())?, self.views.get(players)?))
    }

    /// The number of state hashes in a replay of this many ticks, without the hash of the final state.
    pub(super) fn hash_count(ticks: usize) -> usize {
        ticks.div_ceil(HASH_TICKS)
    }
}
