//! Walking through levels in a window. This folder and the key names in [`crate::settings`] are the only code that
//! names winit.
//!
//! A frame is a fixed sequence: input, zero or more ticks of the game, camera, visibility, frame, renderer.

mod app;
mod device;
mod error;
mod figures;
mod file_names;
mod graphics;
mod guide;
mod icon;
mod input;
mod keys;
mod leaks;
mod levels;
#[cfg(target_os = "linux")]
mod libraries;
mod loading;
mod message;
mod options;
mod pace;
mod pad;
mod reload;
mod reloading;
mod replays;
#[cfg(test)]
mod tests;
mod texts;
mod view;
mod walk;
mod watch;

pub use app::run;
pub use error::{Failure, WindowError};
pub use options::{
    Begin, CameraReport, CheckFunction, LevelChoice, LoadedGame, Make, Options, Wanted,
};
pub use watch::{Watch, Watched};
