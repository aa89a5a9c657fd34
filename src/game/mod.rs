//! All that changes during play, as one value: the open links, the body, the view.
//!
//! A [`Game`] holds no reference to its level: every function is given it, so that window, tests
//! and the headless walk drive the same value. The same level and inputs give the same
//! [`Game::state_hash`], bit for bit.

mod camera;
mod characters;
mod doors;
mod error;
mod events;
mod eye;
mod hash;
mod leaving;
mod posture;
mod start;
mod state;
mod tick;
mod yaw;

pub use characters::{CHARACTER, PLAYER, PLAYER_HEIGHT, RUN_SPEED, SPEED_UP_SECS, WALK_SPEED};
pub use doors::link_named;
pub use error::GameError;
pub use events::{Event, EventKind};
pub use eye::EYE_HEIGHT;
pub use start::Start;
pub use state::{Game, Input};
#[cfg(feature = "testing")]
pub(crate) use yaw::{wrapped, yaw_of};
