//! Replays. A [`Replay`] has the inputs of all players in the last minute of a game; playing it again gives the same
//! bits.
//!
//! A [`ReplayRing`] is called before each tick and keeps the last minute. [`ReplayRing::replay`] returns that minute as a value
//! that can be written to a file. A [`Playback`] plays it again, and reports where the states diverge from the recorded ones.
//! If a program changes a game by other means than ticks and views (opens links, moves bodies), the change is not
//! recorded, and the playback diverges there.
//!
//! ```
//! use opendoor::game::{Game, Input};
//! use opendoor::author::grid_glb;
//! use opendoor::load::load_bytes;
//! use opendoor::replay::{Playback, Replay, ReplayRing};
//!
//! let (level, _) = load_bytes("two rooms", &grid_glb(2, 1))?;
//! let mut game = Game::new(&level)?;
//! let mut ring = ReplayRing::default();
//! let input = Input { forward: 1.0, ..Input::default() };
//! for _ in 0..90 {
//!     ring.add_tick(&level, &game, &[input]);
//!     game.tick(&level, &[input]);
//! }
//! let bytes = ring.replay(&level, &game).ok_or("nothing was played")?.to_bytes();
//!
//! let (mut again, mut playback) = Playback::begin(&level, Replay::from_bytes(&bytes)?)?;
//! while playback.begin_tick(&level, &mut again) {
//!     again.tick(&level, playback.inputs());
//! }
//! assert_eq!(playback.divergence(), None);
//! assert_eq!(again.state_hash(&level), game.state_hash(&level));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod file;
mod playback;
mod recording;
mod ring;

pub use error::ReplayError;
pub use file::MAX_REPLAY_BYTES;
pub use playback::{Divergence, Playback};
pub use recording::Replay;
pub use ring::ReplayRing;
