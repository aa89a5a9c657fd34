//! Replays in the window: the last minute of a walk is always recorded, and a replay can be played instead of the
//! player's input.

use std::path::PathBuf;

use super::file_names::first_free;
use super::message::Message;
use crate::files;
use crate::game::{Game, Input};
use crate::level::Level;
use crate::replay::{Playback, ReplayRing};

/// The recording of the last minute, and the replay that is playing.
#[derive(Debug, Default)]
pub(super) struct Replays {
    ring: ReplayRing,
    playback: Option<Playback>,
    /// Whether the player was shown that the replay diverges from the recording.
    told_divergence: bool,
}

impl Replays {
    /// Creates the state of a walk that plays a replay first, if there is one.
    pub(super) fn of(playback: Option<Playback>) -> Self {
        Self {
            playback,
            ..Self::default()
        }
    }

    /// Whether a replay moves the players.
    pub(super) fn is_playing(&self) -> bool {
        self.playback.is_some()
    }

    /// Returns the players' inputs of the replay's next tick, and turns the views to those of this tick; `None` if no
    /// replay is playing.
    pub(super) fn next_inputs(
        &mut self,
        level: &Level,
        game: &mut Game,
        message: &mut Message,
    ) -> Option<&[Input]> {
        let playback = self.playback.as_mut()?;
        let goes_on = playback.begin_tick(level, game);
        let divergence = playback.divergence().filter(|_| !self.told_divergence);
        if let Some(divergence) = divergence {
            self.told_divergence = true;
            log::warn!("{divergence}");
            message.show(divergence.to_string());
        }
        if !goes_on {
            self.playback = None;
            if !self.told_divergence {
                message.show("the replay is over; walk on from here".to_owned());
            }
        }
        self.playback.as_ref().map(Playback::inputs)
    }

    /// Records the state and the inputs of a tick; called right before the tick.
    pub(super) fn add_tick(&mut self, level: &Level, game: &Game, inputs: &[Input]) {
        self.ring.add_tick(level, game, inputs);
    }

    /// Clears the recording and ends a replay, because something other than a tick has changed the game or its level.
    pub(super) fn forget(&mut self) {
        self.ring.clear();
        self.playback = None;
    }

    /// Writes the last minute to the first free `opendoor-NNNN.replay` in the current folder.
    ///
    /// # Errors
    /// Fails if there is nothing to write, or the file cannot be written; the text is the reason.
    pub(super) fn save(&self, level: &Level, game: &Game) -> Result<PathBuf, String> {
        let replay = self.ring.replay(level, game);
        let replay = replay.ok_or("there is no replay yet: walk first")?;
        let path = first_free("opendoor", "replay");
        let unfinished = path.with_extension("replay-unfinished");
        let written = files::replace(&path, &unfinished, &replay.to_bytes());
        written.map_err(|error| format!("the replay is not written: {error}"))?;
        Ok(path)
    }
}
