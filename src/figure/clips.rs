//! The actions that a figure needs, and the stride of its walks.

/// The names of the actions that a figure needs.
pub const ACTIONS: [&str; ACTION_COUNT] = [
    "idle",
    "walk",
    "jog",
    "run",
    "crouch",
    "crouch_walk",
    "jump",
    "fall",
];
pub(super) const ACTION_COUNT: usize = 8;

pub(super) const IDLE: usize = 0;
pub(super) const CROUCH: usize = 4;
pub(super) const JUMP: usize = 6;
pub(super) const FALL: usize = 7;

/// A walk, which looks best at one speed.
pub(super) struct WalkClip {
    /// An index into [`ACTIONS`].
    pub action: usize,
    /// The speed at which the walk looks best, m/s.
    pub speed: f64,
    /// The distance that the figure covers in one loop of the action, metres. Must match `levels/figures/person.py`, otherwise
    /// the feet slide.
    pub stride: f64,
}

/// The upright walks, from slow to fast.
pub(super) const UPRIGHT: [WalkClip; 3] = [
    WalkClip {
        action: 1,
        speed: 1.6,
        stride: 1.36,
    },
    WalkClip {
        action: 2,
        speed: 4.0,
        stride: 2.60,
    },
    WalkClip {
        action: 3,
        speed: 7.0,
        stride: 3.80,
    },
];

pub(super) const CROUCHED: [WalkClip; 1] = [WalkClip {
    action: 5,
    speed: 1.4,
    stride: 1.40,
}];

/// Whether an action is a walk.
pub(super) fn walks(action: usize) -> bool {
    let mut walks = UPRIGHT.iter().chain(&CROUCHED);
    walks.any(|walk| walk.action == action)
}
