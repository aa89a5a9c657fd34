//! OpenDoor: a room-and-portal engine whose renderer and collision read one room graph.
//!
//! A [`level::Level`] consists of rooms of polygons joined by portals. [`motion`] moves a body through the polygons of
//! the rooms that it can reach, [`visibility`] finds the rooms that a camera can see, and a [`game::Game`] holds all
//! state that changes during play. `docs/architecture.md` gives an overview.
//!
//! ```
//! use opendoor::game::{Game, Input};
//! use opendoor::author::grid_glb;
//! use opendoor::load::load_bytes;
//! use opendoor::motion::Workspace;
//! use opendoor::visibility::{Visibility, flood};
//!
//! // Two furnished rooms with a doorway between them, as a .glb in memory.
//! let (level, warnings) = load_bytes("two rooms", &grid_glb(2, 1))?;
//! assert!(warnings.warnings.is_empty());
//!
//! // Walk for a second.
//! let mut game = Game::new(&level)?;
//! for _ in 0..60 {
//!     game.tick(&level, &[Input { forward: 1.0, ..Input::default() }]);
//! }
//!
//! // The rooms that are visible from there.
//! let player = &game.players[0];
//! let eye = player.eye(&game.collision(&level), 1.0, &mut Workspace::default());
//! let camera = eye.camera(70.0, 16.0 / 9.0);
//! let mut visibility = Visibility::default();
//! flood(&level, game.world(), &camera, &mut visibility);
//! assert!(visibility.rooms.iter().any(|seen| seen.room == player.actor.state.at.room));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use glam;
#[cfg(feature = "gpu")]
pub use wgpu;

pub mod prelude;

pub mod files;
pub mod geometry;
mod hash;
mod memo;
mod parallel;
pub mod rng;
mod save;
pub mod shapes;

pub mod level;
pub mod problems;

mod naming;
pub mod source;

pub mod build;
pub mod gltf;

pub mod author;
pub mod figure;
pub mod load;

pub mod map;

pub mod world;

pub mod bodies;
pub mod collision;
pub mod motion;
pub mod visibility;

pub mod queries;

pub mod game;

pub mod replay;

pub mod lint;

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
