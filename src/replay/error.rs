//! Why a replay cannot be played.

use super::recording::VERSION;
use crate::files::ReadError;
use crate::game::GameError;

/// Why a replay cannot be played; each says the cure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// Its file cannot be read.
    #[error("the replay {0}; name a file that F10 wrote in `opendoor play`")]
    File(#[from] ReadError),
    /// The bytes are something else.
    #[error("this is no replay; F10 in `opendoor play` writes one")]
    NoReplay,
    /// Another version of the program wrote it.
    #[error(
        "the replay is of format {found}, and this program reads format {VERSION}; play it with the version of \
         OpenDoor that wrote it"
    )]
    OtherFormat {
        /// The format that it says it is of.
        found: u32,
    },
    /// It ends too early, or holds what makes no sense.
    #[error("the replay is damaged; copy the file again from where it was written")]
    Damaged,
    /// It was recorded in another level, or before this one was changed.
    #[error(
        "the replay was recorded in {recorded_in} (hash {recorded:032x}), and {level} is another level or was \
         changed since (hash {found:032x}); take the level as it was then, or play it all the same with \
         --changed-level"
    )]
    OtherLevel {
        /// The name of the level that it was recorded in.
        recorded_in: String,
        /// And [`LevelData::simulation_hash`](crate::level::LevelData::simulation_hash) of that.
        recorded: u128,
        /// The name of the level that it should be played in.
        level: String,
        /// And the hash of that.
        found: u128,
    },
    /// The game that it begins with cannot be restored.
    #[error("the replay cannot start: {0}")]
    Begin(#[from] GameError),
}
