//! Keeps the last minute of a game while it is played.

use super::recording::{HASH_TICKS, Replay};
use crate::game::{Game, Input};
use crate::level::Level;

/// The number of ticks between two saved games: ten seconds.
const SEGMENT_TICKS: usize = 10 * HASH_TICKS;

/// The number of segments that are kept, including the one that is being recorded: a minute, and up to ten seconds more.
const SEGMENTS: usize = 7;

/// Keeps the saved games and inputs of the last minute of a game: 60 to 70 seconds, once it has been played for that long.
/// Memory is reused, so that ticks do not allocate after the first ones.
#[derive(Debug, Default)]
pub struct ReplayRing {
    segments: [Segment; SEGMENTS],
    /// The number of segments in use.
    count: usize,
    /// The index of the segment that is being recorded.
    newest: usize,
    /// The number of players.
    players: usize,
    /// The game's tick after the last recorded tick.
    next_tick: u64,
}

/// A segment of a game: the game at its start, and the inputs and views of the players in each tick.
#[derive(Debug, Default)]
struct Segment {
    start: Vec<u8>,
    ticks: usize,
    inputs: Vec<Input>,
    views: Vec<[f64; 2]>,
    /// The hashes of the states before every [`HASH_TICKS`]th tick.
    hashes: Vec<u64>,
}

impl Segment {
    /// Removes all ticks.
    fn clear(&mut self) {
        self.ticks = 0;
        self.inputs.clear();
        self.views.clear();
        self.hashes.clear();
    }

    /// Reserves memory for a whole segment with this number of players.
    fn make_room(&mut self, players: usize) {
        let count = SEGMENT_TICKS * players;
        self.inputs.reserve(count.saturating_sub(self.inputs.len()));
        self.views.reserve(count.saturating_sub(self.views.len()));
        let hashes = SEGMENT_TICKS / HASH_TICKS;
        self.hashes
            .reserve(hashes.saturating_sub(self.hashes.len()));
    }
}

impl ReplayRing {
    /// Records the start of a tick with the inputs of the players, as [`Game::tick`] takes them. Must be called right before
    /// each tick, after the views were turned. If the game does not continue from the last recorded tick, or has more or fewer
    /// players than there, the recording starts again.
    pub fn add_tick(&mut self, level: &Level, game: &Game, inputs: &[Input]) {
        if !self.is_at(game) {
            self.clear();
        }
        if self.count == 0 || self.segments[self.newest].ticks == SEGMENT_TICKS {
            self.begin_segment(level, game);
        }
        let segment = &mut self.segments[self.newest];
        if segment.ticks.is_multiple_of(HASH_TICKS) {
            segment.hashes.push(game.state_hash(level));
        }
        segment.ticks += 1;
        let missing = std::iter::repeat(Input::default());
        let inputs = inputs.iter().copied().chain(missing);
        segment.inputs.extend(inputs.take(self.players));
        segment.views.extend(views(game));
        self.next_tick = game.tick + 1;
    }

    /// Whether a game is in the state after the last recorded tick.
    fn is_at(&self, game: &Game) -> bool {
        game.tick == self.next_tick && game.players.len() == self.players
    }

    /// Discards the recording. Must be called when the level is reloaded, or the game is replaced by another one.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Returns the last minute up to the current state of the game; `None` if the last tick of the game was not recorded, or
    /// the game has no player.
    pub fn replay(&self, level: &Level, game: &Game) -> Option<Replay> {
        if self.count == 0 || !self.is_at(game) || game.players.is_empty() {
            return None;
        }
        let oldest = self.newest + SEGMENTS + 1 - self.count;
        let segments = (oldest..oldest + self.count).map(|at| &self.segments[at % SEGMENTS]);
        let ticks = segments.clone().map(|segment| segment.ticks as u64);
        let inputs = segments.clone().flat_map(|segment| &segment.inputs);
        let views_before = segments.clone().flat_map(|segment| &segment.views);
        let hashes = segments.flat_map(|segment| &segment.hashes);
        Some(Replay {
            level: level.name.clone(),
            level_hash: level.simulation_hash(),
            start: self.segments[oldest % SEGMENTS].start.clone(),
            ticks: ticks.sum(),
            inputs: inputs.copied().collect(),
            views: views_before.copied().collect(),
            hashes: hashes.copied().collect(),
            end_views: views(game).collect(),
            end_hash: game.state_hash(level),
        })
    }

    /// Begins to record a segment in the memory of the oldest segment, or in one that was never used.
    fn begin_segment(&mut self, level: &Level, game: &Game) {
        self.newest = (self.newest + 1) % SEGMENTS;
        self.count = (self.count + 1).min(SEGMENTS);
        self.players = game.players.len();
        let segment = &mut self.segments[self.newest];
        game.save_to(level, &mut segment.start);
        segment.clear();
        self.make_room(self.segments[self.newest].start.len());
    }

    /// Reserves memory in all segments for their ticks and states, if any segment has too little for a state of
    /// `size` bytes. Twice that size is reserved for a state: it grows with the number of contacts, and a slightly
    /// larger state should not cause an allocation.
    fn make_room(&mut self, size: usize) {
        let mut starts = self.segments.iter().map(|segment| &segment.start);
        let is_too_small = starts.any(|start| start.capacity() < size);
        for segment in &mut self.segments {
            segment.make_room(self.players);
            if is_too_small {
                let start = &mut segment.start;
                start.reserve((2 * size).saturating_sub(start.len()));
            }
        }
    }
}

/// The yaw and pitch of each player, degrees.
fn views(game: &Game) -> impl Iterator<Item = [f64; 2]> {
    let players = game.players.iter();
    players.map(|player| [player.yaw, player.pitch])
}
