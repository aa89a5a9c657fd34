//! Walking through a level in a window. The only code that names winit.
//!
//! A frame is one straight line: input, no to some ticks of the game, camera, visibility, frame,
//! renderer.

mod app;
mod error;
mod figures;
mod graphics;
#[cfg_attr(not(feature = "overlay"), path = "no_hud.rs")]
mod hud;
mod input;
mod loading;
mod message;
mod view;
mod walk;

pub use app::run;
pub use error::WindowError;
