//! The input source that moves a body.

use super::messages::eprint_line;
use opendoor::game::{Game, Input};
use opendoor::level::Level;
use opendoor::replay::Playback;
use opendoor::testing::{Leg, RandomPlayer, Tour};

/// The input source that moves a body.
pub(crate) enum Walker {
    Nobody,
    Tour(Box<Tour>),
    RandomPlayer(RandomPlayer),
    Playback(Box<Playback>),
}

impl Walker {
    /// Returns the input of the next tick; `None` at the end of a tour or a replay.
    pub(crate) fn next(&mut self, level: &Level, game: &mut Game) -> Option<Input> {
        match self {
            Self::Nobody => Some(Input::default()),
            Self::Tour(tour) => tour.next(level, game),
            Self::RandomPlayer(wander) => Some(wander.next(level, game)),
            Self::Playback(playback) => playback.next(level, game),
        }
    }

    /// Ends a tour before its end.
    pub(crate) fn cut_short(&mut self, level: &Level, game: &Game) {
        if let Self::Tour(tour) = self {
            tour.cut_short(level, game);
        }
    }

    /// Returns the results of a tour's legs; empty for other input sources.
    pub(crate) fn legs(&self) -> &[Leg] {
        match self {
            Self::Tour(tour) => &tour.legs,
            _ => &[],
        }
    }

    /// Returns the replay, if one is played.
    pub(crate) fn playback(&self) -> Option<&Playback> {
        match self {
            Self::Playback(playback) => Some(playback),
            _ => None,
        }
    }

    /// Prints failed legs, and the tick at which a replay diverged from the recording; returns whether nothing failed.
    pub(crate) fn print_failures(&self) -> bool {
        let failed = self.legs().iter().filter(|leg| !leg.ok);
        let mut all_ok = true;
        for leg in failed {
            let problem = leg.problem.as_deref().unwrap_or("failed");
            eprint_line(&format!("line {}: `{}`: {problem}", leg.line, leg.command));
            all_ok = false;
        }
        if let Some(divergence) = self.playback().and_then(Playback::divergence) {
            eprint_line(&divergence.to_string());
            all_ok = false;
        }
        all_ok
    }
}
