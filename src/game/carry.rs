//! A game that goes on in its level after that was changed and loaded again.

use super::carried_bodies::{Versions, carry_bodies};
use super::new_ids::new_ids;
use super::player::{Carried, Player, Start};
use super::{Game, GameError};
use crate::collision::CollisionWorld;
use crate::level::{Level, LinkId, MoverId};
use crate::world::World;

impl Game {
    /// The same game in another version of its level: rooms, links, movers, bodies and triggers are told by their
    /// names. Links, movers and triggers are as they were, bodies too unless their shape or their authored place
    /// changed or they would be in something solid, and the player where it was, or at the nearest place around
    /// that has room for it, or else at the first spawn.
    ///
    /// # Errors
    /// When there is no place for the player at all.
    pub fn carry_to(&self, old: &Level, level: &Level) -> Result<(Self, Carried), GameError> {
        let (mut world, movers) = carried_world(&self.world, old, level);
        let versions = Versions {
            old,
            new: level,
            movers,
        };
        let bodies = carry_bodies(&versions, &self.world, &mut world);
        let collision = CollisionWorld::new(level, &world);
        let (player, carried) = match self.player.carried_to(&collision, old, &bodies) {
            Some(found) => found,
            None => {
                let body = self.player.standing_body();
                let player = Player::start(&collision, &Start::Default, body)?;
                (player, Carried::AtSpawn)
            }
        };
        let mut game = Self::with_player(level, world, player);
        let triggers = new_ids(&old.triggers, &level.triggers, |trigger| &trigger.name);
        game.triggers = self.triggers.carried_to(level, &triggers);
        game.spawners = self.spawners.carried_to(old, level);
        game.tick = self.tick;
        game.broad_phase = self.broad_phase;
        Ok((game, carried))
    }
}

/// The world of a level with the links and movers of the same names as they are in another; for each mover of that
/// the one that goes on for it.
fn carried_world(was: &World, old: &Level, level: &Level) -> (World, Vec<Option<MoverId>>) {
    let mut world = World::of(level);
    let links = new_ids(&old.links, &level.links, |link| &link.name);
    for (other, &id) in (0..).map(LinkId).zip(&links) {
        let Some(id) = id.map(LinkId) else {
            continue;
        };
        if world.has_moving_panel(id) || was.has_moving_panel(other) {
            continue;
        }
        if was.is_open(other) {
            world.open(id);
        } else {
            world.close(id);
        }
    }
    let named = new_ids(&old.movers, &level.movers, |mover| &mover.name);
    let mut movers = vec![None; named.len()];
    for (other, id) in (0..).map(MoverId).zip(named) {
        let Some(id) = id.map(MoverId) else {
            continue;
        };
        let (mover, before) = (level.mover(id), old.mover(other));
        let drive = &mover.drive;
        // On another track it starts again.
        let is_same = mover.track == before.track
            && (drive.ticks, drive.cycle) == (before.drive.ticks, before.drive.cycle);
        if is_same {
            world.set(level, id, *was.mover(other));
            world.rest(id);
            movers[other.0 as usize] = Some(id);
        }
    }
    let toggled = was.toggled().iter();
    let toggled = toggled.filter_map(|link| links[link.0 as usize].map(LinkId));
    world.set_toggled(toggled.collect());
    (world, movers)
}
