//! All that changes during play, as one value: the open links, the body, the view.
//!
//! A [`Game`] holds no reference to its level: every function is given it, so that window, tests
//! and the headless walk drive the same value. The same level and inputs give the same
//! [`Game::state_hash`], bit for bit.

mod camera;
mod doors;
mod events;
mod hash;
mod leaving;
mod monitor;
mod posture;
mod start;
mod tour;
mod walk;
mod wander;

pub use camera::EYE_HEIGHT;
pub use doors::link_named;
pub use events::{Event, EventKind};
pub use monitor::{Monitor, Violation, ViolationKind};
pub use start::Start;
pub use tour::{Leg, Tour};
pub use walk::{Command, Step, WalkError, parse};
pub use wander::RandomPlayer;

use glam::DVec3;

use posture::CROUCHED_SPEED;

use crate::level::{AuthorPoint, Level};
use crate::motion::{
    self, Actor, Body, BroadPhase, CollisionWorld, State, StepSettings, Workspace,
};
use crate::world::World;

/// Walking speed, m/s.
pub const WALK_SPEED: f64 = 4.0;

/// Running speed, m/s.
pub const RUN_SPEED: f64 = 7.0;

/// Time in which a character reaches its speed from rest, seconds.
pub const SPEED_UP_SECS: f64 = 0.1;

/// The character: a sphere of 0.35 m that jumps 1 m high, moved by sweep and gravity only.
pub const CHARACTER: Body = Body {
    radius: 0.35,
    segment_length: 0.0,
    gravity: 9.81,
    jump_height: 1.0,
    acceleration: RUN_SPEED / SPEED_UP_SECS,
    step_settings: StepSettings::OFF,
};

/// Height of [`PLAYER`], metres: that of a person.
pub const PLAYER_HEIGHT: f64 = 1.8;

/// The character as it is played: a capsule of 0.35 x 1.8 m that climbs and descends steps of 0.4 m
/// and walks up slopes of 50 degrees.
pub const PLAYER: Body = Body {
    segment_length: PLAYER_HEIGHT - 2.0 * CHARACTER.radius,
    step_settings: StepSettings {
        step_height: 0.4,
        snap: 0.4,
        max_slope_cos: 0.642_787_609_686_539_4,
        max_drop: f64::INFINITY,
    },
    ..CHARACTER
};

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
    world: World,
    /// The character: its body as it is now, with a shorter segment while it crouches, and where it is
    /// after the last tick.
    pub actor: Actor,
    /// Length of its axis when it stands, metres.
    standing_segment_length: f64,
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
    pending_events: Vec<Event>,
    /// Where the body last stood, unless it still stands.
    last_standing: leaving::Standing,
    /// How often it left all rooms.
    times_left: u64,
    /// Walking speed, m/s.
    pub walk_speed: f64,
    /// Running speed, m/s.
    pub run_speed: f64,
    /// Where candidate polygons are looked for.
    pub broad_phase: BroadPhase,
    /// The eye's height above the feet.
    eye: camera::Eye,
    /// The memory of the eye's queries, which is elsewhere than the body.
    eye_workspace: Workspace,
}

/// Why a game cannot start or a door cannot move; each says the cure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GameError {
    /// The level has no spawn and no start was asked for.
    #[error(
        "{level}: no spawn: add an empty named `player-spawn` inside a room, or start at a point \
         with --at X,Y,Z"
    )]
    NoSpawn {
        /// The level's name.
        level: String,
    },
    /// No spawn has this name.
    #[error("no spawn is named `{name}`: {candidates}")]
    UnknownSpawn {
        /// The name asked for.
        name: String,
        /// The spawns that there are, as part of a sentence.
        candidates: String,
    },
    /// The body cannot stand where it should start.
    #[error(
        "{what} {feet}: no room holds a body there: move it inside a room, clear of walls and \
         furniture"
    )]
    NoRoom {
        /// The spawn or point.
        what: String,
        /// Where the feet would be.
        feet: AuthorPoint,
    },
    /// No single portal has this name.
    #[error("{problem}")]
    UnknownLink {
        /// What is wrong with the name, and the candidates.
        problem: String,
    },
    /// The body stands where the link would close.
    #[error(transparent)]
    Blocked(#[from] motion::Blocked),
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

    /// Advances by [`motion::TICK_SECS`]. What happened is in [`Self::events`] until the next tick.
    pub fn tick(&mut self, level: &Level, input: &Input) {
        self.take_posture(level, input.crouch);
        let command = motion::Command {
            wish: self.wish(input),
            jump: input.jump,
        };
        self.previous = self.actor.state;
        let collision = collision(level, &self.world, self.broad_phase);
        motion::tick(&collision, &mut self.actor, &command);
        self.eye.follow(self.actor.report.lifted);
        let turn = self.actor.report.target_from_start;
        if !turn.is_identity() {
            let forward = turn.vector(forward(self.yaw));
            self.yaw = yaw_of(forward).unwrap_or(self.yaw);
        }
        self.collect_events(level);
        self.stay_in_rooms(level);
        self.tick += 1;
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

    /// The wanted velocity, m/s: diagonals are no faster than straight on.
    fn wish(&self, input: &Input) -> DVec3 {
        let ahead = forward(self.yaw);
        let right = DVec3::new(-ahead.z, 0.0, ahead.x);
        let speed = if input.run {
            self.run_speed
        } else {
            self.walk_speed
        };
        let way = ahead * input.forward + right * input.right;
        let speed = if self.crouched {
            speed * CROUCHED_SPEED
        } else {
            speed
        };
        way * (speed / way.length().max(1.0))
    }
}

/// The world as motion reads it.
fn collision<'a>(
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

/// "use one of `a`, `b` and 3 more", or that there is none.
fn choices<'a>(kind: &str, names: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return format!("the level has no {kind}");
    }
    let listed: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("use one of {}{more}", listed.join(", "))
}

/// The horizontal unit vector that a yaw in degrees looks along.
fn forward(yaw: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(yaw.to_radians());
    DVec3::new(-sin, 0.0, -cos)
}

/// The yaw, degrees, of a direction; `None` for one without horizontal part.
fn yaw_of(direction: DVec3) -> Option<f64> {
    let flat = direction.x != 0.0 || direction.z != 0.0;
    flat.then(|| libm::atan2(-direction.x, -direction.z).to_degrees())
}

/// The same yaw in -180..180 degrees.
fn wrapped(yaw: f64) -> f64 {
    yaw - 360.0 * libm::round(yaw / 360.0)
}
