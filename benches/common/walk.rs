//! The body, and a walk that changes direction every three metres, into walls and furniture and away from them.

use glam::DVec3;
use opendoor::collision::CollisionWorld;
use opendoor::level::{AuthorPoint, Level};
use opendoor::motion::{self, Actor, Body, MoveCommand, StepSettings, Workspace};
use opendoor::rng::Rng;
use opendoor::world::World;

use crate::rooms;

/// A sphere of 0.4 m that reaches its speed at once.
pub const BODY: Body = Body {
    radius: 0.4,
    segment_length: 0.0,
    gravity: 9.81,
    jump_height: 1.0,
    acceleration: 1e9,
    step_settings: StepSettings::OFF,
};

/// Walking speed, m/s.
pub const SPEED: f64 = 4.0;

/// Ticks between two turns.
pub const LEG: u64 = 40;

/// The wanted velocity in a tick, m/s: a pseudorandom direction in every leg, the same in every run.
pub fn wish(tick: u64) -> DVec3 {
    let turns = Rng::new(tick / LEG).bits() as f64 / 2f64.powi(64);
    let (sin, cos) = (turns * std::f64::consts::TAU).sin_cos();
    DVec3::new(cos, 0.0, sin) * SPEED
}

/// A walking body in a level.
pub struct Walker<'a> {
    collision: CollisionWorld<'a>,
    /// The body.
    pub actor: Actor,
}

impl<'a> Walker<'a> {
    /// Places a body in the middle of a room.
    pub fn new(level: &'a Level, world: &'a World, [column, row]: [u32; 2]) -> Self {
        let collision = CollisionWorld::new(level, world);
        let mut workspace = Workspace::default();
        let feet = level.from_author(AuthorPoint(rooms::middle(column, row)));
        let state = motion::place(&collision, &BODY, None, feet, true, &mut workspace);
        Self {
            collision,
            actor: Actor::new(BODY, state.expect("the middle of a room is in a room")),
        }
    }

    /// Runs a tick with the wanted velocity of [`wish`].
    pub fn tick(&mut self, workspace: &mut Workspace, tick: u64) {
        let command = MoveCommand {
            wish: wish(tick),
            jump: false,
        };
        motion::tick(&self.collision, &mut self.actor, workspace, &command);
    }
}
