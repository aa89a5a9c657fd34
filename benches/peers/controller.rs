//! What is compared: anything that moves a sphere through a scene, tick by tick.

use glam::DVec3;
use opendoor::level::{Level, OpenLinks};
use opendoor::motion::{self, BroadPhase, Command, State, TickReport, Workspace, World};

use opendoor_benches::walk::BODY;

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
    workspace: Workspace,
    report: TickReport,
}

impl<'a> Ours<'a> {
    /// A character on the floor below `feet`.
    pub(crate) fn new(level: &'a Level, open: &'a OpenLinks, feet: DVec3) -> Self {
        let world = World {
            level,
            open,
            broad_phase: BroadPhase::Portals,
        };
        let mut workspace = Workspace::default();
        let state = motion::place(&world, &BODY, None, feet, true, &mut workspace);
        Self {
            world,
            state: state.expect("the walk starts in a room"),
            workspace,
            report: TickReport::default(),
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
            &mut self.workspace,
            &mut self.report,
        );
    }

    fn centre(&self) -> DVec3 {
        self.state.centre
    }
}
