//! The last minute of a game, kept while it is played.

use super::recording::{HASH_TICKS, Replay, TickInput};
use crate::game::{Game, Input};
use crate::level::Level;

/// Ticks from one saved game to the next: ten seconds.
const SEGMENT_TICKS: usize = 10 * HASH_TICKS;

/// Segments that are kept, the one that grows among them: a minute, and up to ten seconds more.
const SEGMENTS: usize = 7;

/// Keeps what the last minute of a game consists of: 60 to 70 seconds once it has been played for so long. Its memory
/// is reused, so that a tick allocates nothing once it is warm.
#[derive(Debug)]
pub struct ReplayRing {
    segments: [Segment; SEGMENTS],
    /// How many of them are in use.
    count: usize,
    /// The index of the one that grows.
    newest: usize,
    /// The game's tick after the last one that was added.
    next_tick: u64,
}

/// Some seconds of a game: the game at their start, and what each tick began with.
#[derive(Debug)]
struct Segment {
    start: Vec<u8>,
    ticks: Vec<TickInput>,
    /// The states that every [`HASH_TICKS`]th tick began with.
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
    /// Notes what a tick begins with: to be called right before each [`Game::tick`], after the view was turned. A game
    /// that does not go on where the last tick left it starts again.
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

    /// Forgets all: to be called when the level is loaded again, or the game is replaced by another one.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// The last minute, up to the game as it is now; `None` if none of its ticks were added.
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

    /// Goes on in the oldest segment, or in one that was never used.
    fn begin_segment(&mut self, level: &Level, game: &Game) {
        self.newest = (self.newest + 1) % SEGMENTS;
        self.count = (self.count + 1).min(SEGMENTS);
        let segment = &mut self.segments[self.newest];
        game.save_to(level, &mut segment.start);
        segment.ticks.clear();
        segment.hashes.clear();
        self.make_room(self.segments[self.newest].start.len());
    }

    /// Makes room in all segments for states of twice a size, in bytes, if one of them has none for such a state: states grow
    /// with what touches, and a little more than ever is no reason to allocate.
    fn make_room(&mut self, size: usize) {
        let mut starts = self.segments.iter().map(|segment| &segment.start);
        if starts.any(|start| start.capacity() < size) {
            for Segment { start, .. } in &mut self.segments {
                start.reserve((2 * size).saturating_sub(start.len()));
            }
        }
    }
}
