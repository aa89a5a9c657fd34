//! The walk file: what a headless body does and what must be so on the way, one command a line.

mod conditions;
mod lines;
mod parsing;

use std::fmt;

use crate::game::Start;
use crate::motion::Body;

pub(super) use conditions::BodyCondition;
pub use conditions::{Bound, Condition};
pub use lines::body;
pub use parsing::{MAX_WALK_BYTES, parse, parse_lines, read_walk};

/// A walk file that was read: where the walk begins, and its steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WalkFile {
    /// The file name of the level that it walks through, if it has a line for it.
    pub level: Option<String>,
    /// The body that walks, if it has a line for it.
    pub body: Option<Body>,
    /// Where the body starts.
    pub start: Start,
    /// What it does, in order.
    pub steps: Vec<Step>,
    /// The lines that cannot be understood; [`crate::testing::Tour::new`] refuses a walk with any.
    pub bad_lines: Vec<WalkError>,
}

/// One command of a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Line number, from 1.
    pub line: usize,
    /// The command as written, without comment.
    pub text: String,
    /// What it says.
    pub command: Command,
}

/// What a line makes the body do, or checks.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Walk straight towards a point in plan view; author's coordinates, metres.
    Goto {
        /// East of the author's origin.
        x: f64,
        /// South of the author's origin.
        z: f64,
        /// Seconds that it may take, if limited.
        within: Option<f64>,
    },
    /// Stand still for some seconds.
    Wait {
        /// Seconds.
        secs: f64,
    },
    /// Turn on the spot.
    Face {
        /// Degrees from -Z, positive to the left.
        yaw: f64,
        /// Degrees, positive up; unchanged if not given.
        pitch: Option<f64>,
    },
    /// Hold the keys for some seconds.
    Move {
        /// -1 (back) to 1 (forward).
        forward: f64,
        /// -1 (left) to 1 (right).
        right: f64,
        /// Seconds.
        secs: f64,
        /// The other keys that are held.
        keys: Keys,
    },
    /// Jump once.
    Jump,
    /// Crouch from now on.
    Crouch,
    /// Stand up, as soon as there is room, and stay up.
    Stand,
    /// Open a portal.
    Open {
        /// Its node's name.
        portal: String,
    },
    /// Close a portal.
    Close {
        /// Its node's name.
        portal: String,
    },
    /// Use what is ahead: a door, a lift, a switch.
    Use,
    /// Take the body ahead, or throw the one that is held.
    Grab,
    /// Stand still until something happens.
    WaitUntil {
        /// The event's kind, as in `sim --json`.
        event: String,
        /// The node that it is about; any, if empty.
        node: String,
    },
    /// Fail unless something is so.
    Expect {
        /// What.
        condition: Condition,
        /// Whether it must not be so.
        not: bool,
        /// Stand still until it is so, for so many seconds at most.
        within: Option<f64>,
    },
}

/// Keys that are held during a [`Command::Move`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Run.
    pub run: bool,
    /// Jump whenever on the ground.
    pub jump: bool,
    /// Crouch.
    pub crouch: bool,
    /// Use what is ahead, in every tick.
    pub interact: bool,
    /// Take what is ahead or throw what is held, in every tick.
    pub grab: bool,
}

/// What is wrong with a line of a walk, and the cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkError {
    /// Line number, from 1.
    pub line: usize,
    /// What was read.
    pub text: String,
    /// What is wrong, and the cure.
    pub problem: String,
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `{}`: {}", self.line, self.text, self.problem)
    }
}

impl std::error::Error for WalkError {}
