//! Conversion of replays to bytes and back.

use std::path::Path;

use super::error::ReplayError;
use super::recording::{Replay, VERSION};
use crate::files;
use crate::save::{Saved, StateReader, saved};

/// The first bytes of a replay.
const MAGIC: &[u8; 8] = b"odreplay";

/// The maximum size of a replay file, bytes: more than an hour of play.
pub const MAX_REPLAY_BYTES: u64 = 16 << 20;

saved!(Replay {
    level,
    level_hash,
    start,
    ticks,
    inputs,
    views,
    hashes,
    end_views,
    end_hash,
});

impl Replay {
    /// Converts the replay to bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        VERSION.save(&mut bytes);
        self.save(&mut bytes);
        bytes
    }

    /// Reads a replay from the bytes of [`Self::to_bytes`].
    ///
    /// # Errors
    /// When the bytes are not a replay, have another format, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReplayError> {
        let bytes = bytes.strip_prefix(MAGIC).ok_or(ReplayError::NoReplay)?;
        let from = &mut StateReader { bytes, level: None };
        let found = u32::load(from).ok_or(ReplayError::Damaged)?;
        if found != VERSION {
            return Err(ReplayError::OtherFormat { found });
        }
        let replay = Self::load(from).filter(|replay| {
            let counts = [replay.inputs.len(), replay.views.len()];
            let inputs = replay.ticks().checked_mul(replay.players());
            from.bytes.is_empty()
                && replay.players() > 0
                && counts.map(Some) == [inputs; 2]
                && replay.hashes.len() == Self::hash_count(replay.ticks())
        });
        replay.ok_or(ReplayError::Damaged)
    }

    /// Reads a replay from a file.
    ///
    /// # Errors
    /// As [`Self::from_bytes`], or when the file cannot be read or is larger than [`MAX_REPLAY_BYTES`].
    pub fn read(path: &Path) -> Result<Self, ReplayError> {
        Self::from_bytes(&files::read(path, MAX_REPLAY_BYTES)?)
    }
}
