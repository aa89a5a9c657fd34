//! Replays in the window: the last minute of a walk is always kept, and a replay may be played instead of what the
//! player does.

use std::path::PathBuf;

use super::file_names::first_free;
use super::message::Message;
use crate::files;
use crate::game::{Game, Input};
use crate::level::Level;
use crate::replay::{Playback, ReplayRing};

/// The last minute, and what is played.
#[derive(Debug, Default)]
pub(super) struct Replays {
    ring: ReplayRing,
    playback: Option<Playback>,
    /// Whether the player was told that the replay diverges from the recording.
    told_divergence: bool,
}

impl Replays {
    /// Of a walk that plays a replay first, if there is one.
    pub(super) fn of(playback: Option<Playback>) -> Self {
        Self {
            playback,
            ..Self::default()
        }
    }

    /// Whether a replay moves the player.
    pub(super) fn is_playing(&self) -> bool {
        self.playback.is_some()
    }

    /// The next tick's input of the replay that is played; it turns the view too. `None` when none is played.
    pub(super) fn next_input(
        &mut self,
        level: &Level,
        game: &mut Game,
        message: &mut Message,
    ) -> Option<Input> {
        let playback = self.playback.as_mut()?;
        let input = playback.next(level, game);
        let divergence = playback.divergence().filter(|_| !self.told_divergence);
        if let Some(divergence) = divergence {
            self.told_divergence = true;
            log::warn!("{divergence}");
            message.show(divergence.to_string());
        }
        if input.is_none() {
            self.playback = None;
            if !self.told_divergence {
                message.show("the replay is over; walk on from here".to_owned());
            }
        }
        input
    }

    /// Keeps what a tick begins with: right before it.
    pub(super) fn add_tick(&mut self, level: &Level, game: &Game, input: &Input) {
        self.ring.add_tick(level, game, input);
    }

    /// Begins afresh: the game or its level was changed by something else than ticks. A replay that is played ends.
    pub(super) fn forget(&mut self) {
        self.ring.clear();
        self.playback = None;
    }

    /// Writes the last minute to the first free `opendoor-NNNN.replay` in the current folder.
    ///
    /// # Errors
    /// When there is nothing to write, or the file cannot be written; says why.
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
