//! Serialisation of the world in a saved game.

use super::World;
use super::bodies::Bodies;
use super::mover_state::MoverState;
use crate::level::MoverId;
use crate::save::{Saved, StateReader};

impl Saved for World {
    fn save(&self, to: &mut Vec<u8>) {
        self.open.save(to);
        self.movers.save(to);
        self.lit.save(to);
        self.bodies.save(to);
        self.toggled.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let level = from.level?;
        let mut world = Self::of(level);
        let (open, states) = (Vec::<bool>::load(from)?, Vec::<MoverState>::load(from)?);
        let lit = Vec::<bool>::load(from)?;
        if lit.len() != level.lights.len() {
            return None;
        }
        world.lit = lit;
        if open.len() != level.links.len() || states.len() != level.movers.len() {
            return None;
        }
        world.open = open;
        world.revisions.advance();
        for ((id, mover), state) in (0..).map(MoverId).zip(&level.movers).zip(states) {
            if state.at > mover.drive.ticks {
                return None;
            }
            world.set(level, id, state);
            world.rest(id);
        }
        world.let_sleep();
        world.bodies = Bodies::load(from)?;
        world.toggled = Vec::load(from)?;
        Some(world)
    }
}
