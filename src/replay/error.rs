//! Reasons why a replay cannot be played.

use super::recording::VERSION;
use crate::files::ReadError;
use crate::game::GameError;

/// A reason why a replay cannot be played; each message states the cure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file of the replay cannot be read.
    #[error("the replay {0}; name a file that F10 wrote in `opendoor play`")]
    File(#[from] ReadError),
    /// The bytes are not a replay.
    #[error("this is no replay; F10 in `opendoor play` writes one")]
    NoReplay,
    /// The replay was written by a version of the program with another format.
    #[error(
        "the replay is of format {found}, and this program reads format {VERSION}; play it with the version of \
         OpenDoor that wrote it"
    )]
    OtherFormat {
        /// The format number in the file.
        found: u32,
    },
    /// The replay ends too early, or contains invalid values.
    #[error("the replay is damaged; copy the file again from where it was written")]
    Damaged,
    /// The replay was recorded in another level, or before the level was changed.
    #[error(
        "the replay was recorded in {recorded_in} (hash {recorded:032x}), and {level} is another level or was \
         changed since (hash {found:032x}); take the level as it was then, or play it all the same with \
         --changed-level"
    )]
    OtherLevel {
        /// The name of the level of the recording.
        recorded_in: String,
        /// The [`LevelData::simulation_hash`](crate::level::LevelData::simulation_hash) of the level of the recording.
        recorded: u128,
        /// The name of the level that was given for playback.
        level: String,
        /// The hash of that level.
        found: u128,
    },
    /// The initial game of the replay cannot be restored.
    #[error("the replay cannot start: {0}")]
    Begin(#[from] GameError),
}
