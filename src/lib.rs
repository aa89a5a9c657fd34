//! OpenDoor: a room-and-portal engine whose renderer and collision read one room graph.
//!
//! A [`level::Level`] is rooms of polygons joined by portals. [`motion`] moves a body through the
//! polygons of the rooms that it can reach, [`visibility`] finds the rooms that an eye can see,
//! and a [`game::Game`] is all that changes while one plays. `docs/architecture.md` has the map.
//!
//! ```
//! use opendoor::game::{Game, Input};
//! use opendoor::level::{grid_glb, load_bytes};
//! use opendoor::visibility::{Visibility, flood};
//!
//! // Two furnished rooms with a doorway between them, as a .glb in memory.
//! let (level, warnings) = load_bytes("two rooms", &grid_glb(2, 1))?;
//! assert!(warnings.warnings.is_empty());
//!
//! // Walk for a second.
//! let mut game = Game::new(&level)?;
//! for _ in 0..60 {
//!     game.tick(&level, &Input { forward: 1.0, ..Input::default() });
//! }
//!
//! // What can be seen from there?
//! let camera = game.camera(&level, 1.0, 70.0, 16.0 / 9.0);
//! let mut visibility = Visibility::default();
//! flood(&level, game.world(), &camera, &mut visibility);
//! assert!(visibility.rooms.iter().any(|seen| seen.room == game.player.actor.state.at.room));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use glam;
#[cfg(feature = "gpu")]
pub use wgpu;

pub mod prelude;

pub mod figure;
pub mod files;
pub mod geometry;
mod hash;
pub mod level;
mod parallel;
pub mod rng;
mod save;
pub mod shapes;

pub mod map;

pub mod world;

pub mod bodies;
pub mod collision;
pub mod motion;
pub mod visibility;

pub mod queries;

pub mod game;

pub mod replay;

#[cfg(feature = "testing")]
pub mod testing;

pub mod lighting;

pub mod frame;

pub mod person;

#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "window")]
pub mod settings;

#[cfg(feature = "window")]
pub mod menu;
#[cfg(feature = "window")]
pub mod overlay;
#[cfg(feature = "window")]
pub mod window;
