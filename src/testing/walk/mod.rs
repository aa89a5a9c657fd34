//! The walk file: the actions of a headless body and the conditions to check on the way, one command a line.

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

/// A parsed walk file: where the walk begins, and its steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WalkFile {
    /// The file name of the level, if a line names it.
    pub level: Option<String>,
    /// The body that walks, if a line names it.
    pub body: Option<Body>,
    /// The starting position of the body.
    pub start: Start,
    /// The steps, in order.
    pub steps: Vec<WalkStep>,
    /// The lines that cannot be parsed; [`crate::testing::Tour::new`] refuses a walk with any.
    pub bad_lines: Vec<WalkError>,
}

/// A command of a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkStep {
    /// The line number, from 1.
    pub line: usize,
    /// The command as written, without comment.
    pub text: String,
    /// The parsed command.
    pub command: WalkCommand,
}

/// The action or check of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum WalkCommand {
    /// Walks straight towards a point in plan view; author's coordinates, metres.
    Goto {
        /// The coordinate east of the author's origin.
        x: f64,
        /// The coordinate south of the author's origin.
        z: f64,
        /// The time limit, seconds, if any.
        within: Option<f64>,
    },
    /// Stands still for a time.
    Wait {
        /// The duration, seconds.
        secs: f64,
    },
    /// Turns on the spot.
    Face {
        /// The yaw, degrees from -Z, positive to the left.
        yaw: f64,
        /// The pitch, degrees, positive up; unchanged if not given.
        pitch: Option<f64>,
    },
    /// Holds the keys for a time.
    Move {
        /// The forward movement, -1 (back) to 1 (forward).
        forward: f64,
        /// The sideways movement, -1 (left) to 1 (right).
        right: f64,
        /// The duration, seconds.
        secs: f64,
        /// The other keys that are held.
        keys: HeldKeys,
    },
    /// Jumps once.
    Jump,
    /// Crouches from now on.
    Crouch,
    /// Stands up as soon as there is room, and stays up.
    Stand,
    /// Opens a portal.
    Open {
        /// The name of the portal's node.
        portal: String,
    },
    /// Closes a portal.
    Close {
        /// The name of the portal's node.
        portal: String,
    },
    /// Uses the object ahead: a door, a lift, a switch.
    Use,
    /// Grabs the body ahead, or throws the body that is carried.
    Grab,
    /// Stands still until an event happens.
    WaitUntil {
        /// The event's kind, as in `sim --json`.
        event: String,
        /// The node that the event is about; empty for any node.
        node: String,
    },
    /// Fails unless a condition holds.
    Expect {
        /// The condition.
        condition: Condition,
        /// Whether the condition is negated.
        not: bool,
        /// The maximum time of standing still until the check succeeds, seconds; `None` checks once.
        within: Option<f64>,
    },
}

/// Keys that are held during a [`WalkCommand::Move`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldKeys {
    /// Whether to run.
    pub run: bool,
    /// Whether to jump whenever the body is on the ground.
    pub jump: bool,
    /// Whether to crouch.
    pub crouch: bool,
    /// Whether to use the object ahead, in every tick.
    pub interact: bool,
    /// Whether to grab the body ahead or throw the carried body, in every tick.
    pub grab: bool,
}

/// A bad line of a walk, with its problem and the cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkError {
    /// The line number, from 1.
    pub line: usize,
    /// The text that was read.
    pub text: String,
    /// The problem and the cure.
    pub problem: String,
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `{}`: {}", self.line, self.text, self.problem)
    }
}

impl std::error::Error for WalkError {}
