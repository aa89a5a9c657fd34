//! Tools for tests of levels and of the engine: walk files, random players, and a monitor that checks a body from outside
//! (feature `testing`).

mod find;
mod monitor;
mod observations;
mod random_player;
mod recorder;
mod run;
mod tour;
mod walk;

pub use find::{FindError, find_walks, level_of};
pub use monitor::{Monitor, Violation, ViolationKind};
pub use random_player::RandomPlayer;
pub use recorder::{Recorded, Recorder};
pub use run::{TestError, TestResult, Walked, run_tests, walk_level};
pub use tour::{Leg, Tour};
pub use walk::{
    Bound, Condition, HeldKeys, MAX_WALK_BYTES, WalkCommand, WalkError, WalkFile, WalkStep, body,
    parse, parse_lines, read_walk,
};
