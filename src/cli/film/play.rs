//! The game that is filmed.

use super::args::Args;
use crate::cli::Error;
use crate::cli::walker::InputSource;
use crate::cli::walks::{LoadedWalk, begin_replay};
use opendoor::game::{Game, Input, PLAYER};
use opendoor::level::Level;
use opendoor::motion::TICK_SECS;

/// The number of ticks after which a walk is cut short: an hour.
const MAX_TICKS: u64 = 216_000;

/// A game, and the walker that moves its players.
pub(super) struct Play {
    pub(super) game: Game,
    pub(super) walker: InputSource,
    first_tick: u64,
    /// The players' inputs of the next tick, with the views already turned to that tick.
    inputs: Vec<Input>,
    /// Whether there is a next tick.
    goes_on: bool,
}

impl Play {
    /// Begins a game at the start of the walk or the replay.
    pub(super) fn begin(level: &Level, args: &Args) -> Result<Self, Error> {
        let (game, walker) = match (&args.walk, &args.replay) {
            (_, Some(path)) => {
                let (game, playback) = begin_replay(level, path, args.changed_level)?;
                (game, InputSource::Playback(Box::new(playback)))
            }
            (Some(path), None) => {
                let walk = LoadedWalk::read(path)?;
                let body = walk.read.body.unwrap_or(PLAYER);
                let start = walk.read.start.clone();
                let tour = walk.tour(level)?;
                let game = Game::start(level, &start, body)?;
                (game, InputSource::Tour(Box::new(tour)))
            }
            (None, None) => (Game::new(level)?, InputSource::Nobody),
        };
        let mut play = Self {
            first_tick: game.tick,
            game,
            walker,
            inputs: Vec::new(),
            goes_on: false,
        };
        play.prepare(level);
        Ok(play)
    }

    /// Advances the game until `ticks` ticks are done since the start, or to the end.
    pub(super) fn advance(&mut self, level: &Level, ticks: u64) {
        while self.ticks() < ticks && self.goes_on {
            self.game.tick(level, &self.inputs);
            self.prepare(level);
        }
    }

    /// Fetches the inputs of the next tick and turns the views to that tick; ends the walk after the maximum number of
    /// ticks.
    fn prepare(&mut self, level: &Level) {
        let (game, inputs) = (&mut self.game, &mut self.inputs);
        self.goes_on =
            game.tick - self.first_tick < MAX_TICKS && self.walker.next(level, game, inputs);
        if !self.goes_on {
            self.walker.cut_short(level, &self.game);
        }
    }

    fn ticks(&self) -> u64 {
        self.game.tick - self.first_tick
    }

    /// Returns the played time, seconds.
    pub(super) fn secs(&self) -> f64 {
        self.ticks() as f64 * TICK_SECS
    }
}
