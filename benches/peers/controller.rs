//! The interface of the compared controllers: anything that moves a sphere through a scene, tick by tick.

use glam::DVec3;
use opendoor::collision::CollisionWorld;
use opendoor::level::Level;
use opendoor::motion::{self, Actor, MoveCommand, State, Workspace};
use opendoor::world::World;

use opendoor_benches::walk::BODY;

/// A character controller with its character. Points are metres in level coordinates.
pub(crate) trait Controller {
    /// Puts the character into a state of our character's walk, including the speed of its fall.
    fn put(&mut self, state: &State);

    /// Moves the character by a tick with the wanted horizontal velocity, m/s, and gravity.
    fn tick(&mut self, wish: DVec3);

    /// Centre of the character's sphere.
    fn centre(&self) -> DVec3;
}

/// Our own controller.
pub(crate) struct Ours<'a> {
    collision: CollisionWorld<'a>,
    pub(crate) actor: Actor,
    workspace: Workspace,
}

impl<'a> Ours<'a> {
    /// Places a character on the floor below `feet`.
    pub(crate) fn new(level: &'a Level, world: &'a World, feet: DVec3) -> Self {
        let collision = CollisionWorld::new(level, world);
        let mut workspace = Workspace::default();
        let state = motion::place(&collision, &BODY, None, feet, true, &mut workspace);
        Self {
            collision,
            actor: Actor::new(BODY, state.expect("the walk starts in a room")),
            workspace,
        }
    }
}

impl Controller for Ours<'_> {
    fn put(&mut self, state: &State) {
        self.actor.state = *state;
    }

    fn tick(&mut self, wish: DVec3) {
        let command = MoveCommand { wish, jump: false };
        motion::tick(
            &self.collision,
            &mut self.actor,
            &mut self.workspace,
            &command,
        );
    }

    fn centre(&self) -> DVec3 {
        self.actor.state.at.point
    }
}
