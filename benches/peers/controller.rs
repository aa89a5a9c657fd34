//! What is compared: anything that moves a sphere through a scene, tick by tick.

use glam::DVec3;
use opendoor::level::{Level, OpenLinks};
use opendoor::motion::{self, BroadPhase, Command, Scratch, State, World};

use crate::common::walk::BODY;

/// A character controller with its character. Points are metres in level coordinates.
pub(crate) trait Controller {
    /// Puts the character where ours was in its walk, with the speed that it fell at.
    fn put(&mut self, state: &State);

    /// Moves it by a tick with the wanted horizontal velocity, m/s, and gravity.
    fn tick(&mut self, wish: DVec3);

    /// Centre of its sphere.
    fn centre(&self) -> DVec3;
}

/// Our own.
pub(crate) struct Ours<'a> {
    world: World<'a>,
    pub(crate) state: State,
    scratch: Scratch,
}

impl<'a> Ours<'a> {
    /// A character on the floor below `feet`.
    pub(crate) fn new(level: &'a Level, open: &'a OpenLinks, feet: DVec3) -> Self {
        let world = World {
            level,
            open,
            broad_phase: BroadPhase::Portals,
        };
        let mut scratch = Scratch::default();
        let state = motion::place(&world, &BODY, feet, true, &mut scratch);
        Self {
            world,
            state: state.expect("the walk starts in a room"),
            scratch,
        }
    }
}

impl Controller for Ours<'_> {
    fn put(&mut self, state: &State) {
        self.state = *state;
    }

    fn tick(&mut self, wish: DVec3) {
        let command = Command { wish, jump: false };
        motion::tick(
            &self.world,
            &BODY,
            &mut self.state,
            &command,
            &mut self.scratch,
        );
    }

    fn centre(&self) -> DVec3 {
        self.state.centre
    }
}
