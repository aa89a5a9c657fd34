//! What happened on the way, judged from outside: by the polygons, never by the solver's word.

use glam::DVec3;

use super::Game;
use crate::level::{Level, RoomId};
use crate::motion;

/// Gaps are looked for up to this far from the body, metres.
const GAP_REACH: f64 = 1.0;

/// What a body did since its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Length of its path, metres.
    pub distance: f64,
    /// Lowest place of the feet, author's coordinates, metres.
    pub min_y: f64,
    /// Highest place of the feet, author's coordinates, metres.
    pub max_y: f64,
    /// The rooms it was in, in the order in which it first entered them.
    pub rooms: Vec<RoomId>,
    /// Ticks that ended on the ground.
    pub grounded_ticks: u64,
    /// Least distance from the sphere to anything solid along the whole path, metres; negative
    /// inside. A gap of more than a metre counts as one metre.
    pub min_gap: f64,
}

impl Record {
    /// The record of a game that has not moved yet.
    pub fn new(level: &Level, game: &Game) -> Self {
        let feet = game.feet(level);
        let mut record = Self {
            distance: 0.0,
            min_y: feet.y,
            max_y: feet.y,
            rooms: Vec::new(),
            grounded_ticks: 0,
            min_gap: GAP_REACH,
        };
        let state = &game.state;
        record.piece(level, game, state.room, state.centre, state.centre);
        record
    }

    /// Adds what the last tick did.
    pub fn add_tick(&mut self, level: &Level, game: &Game) {
        let feet = game.feet(level);
        self.min_y = self.min_y.min(feet.y);
        self.max_y = self.max_y.max(feet.y);
        self.grounded_ticks += u64::from(game.state.grounded);
        for &(room, from, to) in &game.scratch.path {
            self.piece(level, game, room, from, to);
        }
        let state = &game.state;
        self.piece(level, game, state.room, state.centre, state.centre);
    }

    /// How deep the sphere was ever inside something solid, metres.
    pub fn max_penetration(&self) -> f64 {
        (-self.min_gap).max(0.0)
    }

    fn piece(&mut self, level: &Level, game: &Game, room: RoomId, from: DVec3, to: DVec3) {
        let radius = game.body.radius;
        let reach = radius + GAP_REACH;
        let clearance = motion::clearance(&game.world(level), room, from, to, reach);
        self.min_gap = self.min_gap.min(clearance - radius);
        self.distance += from.distance(to);
        if self.rooms.last() != Some(&room) && !self.rooms.contains(&room) {
            self.rooms.push(room);
        }
    }
}
