//! Walking through a level in a window. The only code that names winit.
//!
//! A frame is one straight line: input, no to some ticks of the game, camera, visibility, frame,
//! renderer.

mod app;
mod error;
mod figures;
mod graphics;
mod input;
mod leaks;
mod loading;
mod message;
#[cfg(not(feature = "overlay"))]
mod no_overlay;
mod options;
mod reload;
mod reloading;
mod view;
mod walk;
mod watch;

pub use app::run;
pub use error::WindowError;
pub use options::{CameraReport, Options};
pub use watch::{Watch, Watched};
