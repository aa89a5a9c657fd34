//! Keeps the last minute of a game while it is played.

use super::recording::{HASH_TICKS, Replay, TickInput};
use crate::game::{Game, Input};
use crate::level::Level;

/// The number of ticks from one saved game to the next: ten seconds.
const SEGMENT_TICKS: usize = 10 * HASH_TICKS;

/// The number of segments that are kept, including the one that is being recorded: a minute, and up to ten seconds more.
const SEGMENTS: usize = 7;

/// Keeps the saved games and inputs of the last minute of a game: 60 to 70 seconds, once it has been played for that long.
/// Memory is reused, so that ticks do not allocate after the first ones.
#[derive(Debug)]
pub struct ReplayRing {
    segments: [Segment; SEGMENTS],
    /// The number of segments in use.
    count: usize,
    /// The index of the segment that is being recorded.
    newest: usize,
    /// The game's tick after the last recorded tick.
    next_tick: u64,
}

/// A segment of a game: the game at its start, and the input and view of each tick.
#[derive(Debug)]
struct Segment {
    start: Vec<u8>,
    ticks: Vec<TickInput>,
    /// The hashes of the states before every [`HASH_TICKS`]th tick.
    hashes: Vec<u64>,
}

impl Default for ReplayRing {
    fn default() -> Self {
        Self {
            segments: std::array::from_fn(|_| Segment {
                start: Vec::new(),
                ticks: Vec::with_capacity(SEGMENT_TICKS),
                hashes: Vec::with_capacity(SEGMENT_TICKS / HASH_TICKS),
            }),
            count: 0,
            newest: 0,
            next_tick: 0,
        }
    }
}

impl ReplayRing {
    /// Records the start of a tick. Must be called right before each [`Game::tick`], after the view was turned. If the game
    /// does not continue from the last recorded tick, the recording starts again.
    pub fn add_tick(&mut self, level: &Level, game: &Game, input: &Input) {
        if game.tick != self.next_tick {
            self.clear();
        }
        if self.count == 0 || self.segments[self.newest].ticks.len() == SEGMENT_TICKS {
            self.begin_segment(level, game);
        }
        let segment = &mut self.segments[self.newest];
        if segment.ticks.len().is_multiple_of(HASH_TICKS) {
            segment.hashes.push(game.state_hash(level));
        }
        segment.ticks.push(TickInput {
            input: *input,
            view: [game.player.yaw, game.player.pitch],
        });
        self.next_tick = game.tick + 1;
    }

    /// Discards the recording. Must be called when the level is reloaded, or the game is replaced by another one.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Returns the last minute up to the current state of the game; `None` if the last tick of the game was not recorded.
    pub fn replay(&self, level: &Level, game: &Game) -> Option<Replay> {
        if self.count == 0 || game.tick != self.next_tick {
            return None;
        }
        let oldest = self.newest + SEGMENTS + 1 - self.count;
        let segments = (oldest..oldest + self.count).map(|at| &self.segments[at % SEGMENTS]);
        let ticks = segments.clone().flat_map(|segment| &segment.ticks);
        let hashes = segments.flat_map(|segment| &segment.hashes);
        Some(Replay {
            level: level.name.clone(),
            level_hash: level.simulation_hash(),
            start: self.segments[oldest % SEGMENTS].start.clone(),
            ticks: ticks.copied().collect(),
            hashes: hashes.copied().collect(),
            end_view: [game.player.yaw, game.player.pitch],
            end_hash: game.state_hash(level),
        })
    }

    /// Begins to record a segment in the memory of the oldest segment, or in one that was never used.
    fn begin_segment(&mut self, level: &Level, game: &Game) {
        self.newest = (self.newest + 1) % SEGMENTS;
        self.count = (self.count + 1).min(SEGMENTS);
        let segment = &mut self.segments[self.newest];
        game.save_to(level, &mut segment.start);
        segment.ticks.clear();
        segment.hashes.clear();
        self.make_room(self.segments[self.newest].start.len());
    }

    /// Reserves memory in all segments for states of twice the given size, in bytes, if any segment has too little for one such
    /// state: the size of a state grows with the number of contacts, and a slightly larger state should not cause an
    /// allocation.
    fn make_room(&mut self, size: usize) {
        let mut starts = self.segments.iter().map(|segment| &segment.start);
        if starts.any(|start| start.capacity() < size) {
            for Segment { start, .. } in &mut self.segments {
                start.reserve((2 * size).saturating_sub(start.len()));
            }
        }
    }
}
