//! The value that a game is.

use glam::DVec3;

use super::events::Event;
use super::eye::Eye;
use super::yaw::wrapped;
use crate::level::{AuthorPoint, Level};
use crate::motion::{Actor, BroadPhase, CollisionWorld, State, Workspace};
use crate::world::World;

/// Greatest pitch, degrees: short of straight up, where left and right would swap.
const MAX_PITCH: f64 = 89.0;

/// What the player wants of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// -1 (back) to 1 (forward).
    pub forward: f64,
    /// -1 (left) to 1 (right).
    pub right: f64,
    /// Run instead of walk.
    pub run: bool,
    /// Jump, if on the ground.
    pub jump: bool,
    /// Crouch; without it the body stands up where there is room.
    pub crouch: bool,
}

/// All that changes during play.
#[derive(Debug)]
pub struct Game {
    /// What changes of the level.
    pub(super) world: World,
    /// The character: its body as it is now, with a shorter segment while it crouches, and where it is
    /// after the last tick.
    pub actor: Actor,
    /// Length of its axis when it stands, metres.
    pub(super) standing_segment_length: f64,
    /// Whether it crouches, or is on its way down.
    pub crouched: bool,
    /// Where it was before the last tick.
    pub previous: State,
    /// Degrees from -Z, positive to the left, in the coordinates of the body's room.
    pub yaw: f64,
    /// Degrees, positive up.
    pub pitch: f64,
    /// Ticks since the start.
    pub tick: u64,
    /// What happened in the last tick, and between it and the one before.
    pub events: Vec<Event>,
    /// What happened since the last tick.
    pub(super) pending_events: Vec<Event>,
    /// Where the body last stood, unless it still stands.
    pub(super) last_standing: Standing,
    /// How often it left all rooms.
    pub(super) times_left: u64,
    /// Walking speed, m/s.
    pub walk_speed: f64,
    /// Running speed, m/s.
    pub run_speed: f64,
    /// Where candidate polygons are looked for.
    pub broad_phase: BroadPhase,
    /// The eye's height above the feet.
    pub(super) eye: Eye,
    /// The memory of ticks and of the eye's queries.
    pub(super) workspace: Workspace,
}

/// Where a body last stood, and how tall it was there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) state: State,
    /// Length of its axis, metres.
    pub(super) segment_length: f64,
}

impl Game {
    /// What changes of the level; [`Self::set_link`] changes it.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world as motion reads it now.
    pub fn collision<'a>(&'a self, level: &'a Level) -> CollisionWorld<'a> {
        collision(level, &self.world, self.broad_phase)
    }

    /// Whether its body is lower when it crouches.
    pub fn can_crouch(&self) -> bool {
        self.standing_segment_length > 0.0
    }

    /// Turns the view, degrees: positive is left and up.
    pub fn look(&mut self, left: f64, up: f64) {
        self.yaw = wrapped(self.yaw + left);
        self.pitch = (self.pitch + up).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// The lowest point of the body.
    pub fn feet(&self, level: &Level) -> AuthorPoint {
        level.to_author(self.actor.state.at.point - DVec3::Y * self.actor.body.radius)
    }
}

/// The world as motion reads it.
pub(super) fn collision<'a>(
    level: &'a Level,
    world: &'a World,
    broad_phase: BroadPhase,
) -> CollisionWorld<'a> {
    CollisionWorld {
        level,
        world,
        broad_phase,
    }
}
