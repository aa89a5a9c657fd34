//! The input source that moves the players.

use super::messages::eprint_line;
use opendoor::game::{FIRST_PLAYER, Game, Input};
use opendoor::level::Level;
use opendoor::replay::Playback;
use opendoor::testing::{Leg, RandomPlayer, Tour};

/// The input source of a game: a replay moves all players, any other source moves the first player.
pub(crate) enum InputSource {
    Nobody,
    Tour(Box<Tour>),
    RandomPlayer(RandomPlayer),
    Playback(Box<Playback>),
}

impl InputSource {
    /// Writes the players' inputs of the next tick to `inputs`; returns false at the end of a tour or a replay.
    pub(crate) fn next(&mut self, level: &Level, game: &mut Game, inputs: &mut Vec<Input>) -> bool {
        inputs.clear();
        match self {
            Self::Nobody => true,
            Self::Tour(tour) => {
                let input = tour.next(level, game);
                inputs.extend(input);
                input.is_some()
            }
            Self::RandomPlayer(wander) => {
                inputs.push(wander.next(level, game, FIRST_PLAYER));
                true
            }
            Self::Playback(playback) => {
                let goes_on = playback.begin_tick(level, game);
                if goes_on {
                    inputs.extend_from_slice(playback.inputs());
                }
                goes_on
            }
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
