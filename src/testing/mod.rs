//! For tests of levels and of the engine: walk files, random players, and a monitor that checks from
//! outside what a body does (feature `testing`).

mod monitor;
mod random_player;
mod tour;
mod walk_file;

pub use monitor::{Monitor, Violation, ViolationKind};
pub use random_player::RandomPlayer;
pub use tour::{Leg, Tour};
pub use walk_file::{Command, Step, WalkError, parse};
