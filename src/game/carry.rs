//! A game that goes on in its level after that was changed and loaded again.

use std::collections::BTreeMap;

use super::player::{Carried, Player, Start};
use super::{Game, GameError};
use crate::collision::CollisionWorld;
use crate::level::{Level, LinkId, MoverId};
use crate::world::World;

impl Game {
    /// The same game in another version of its level: rooms, links and movers are told by their names. Links and
    /// movers are as they were, and the player where it was, or at the nearest place around that has room for
    /// it, or else at the first spawn; triggers begin again.
    ///
    /// # Errors
    /// When there is no place for the player at all.
    pub fn carry_to(&self, old: &Level, level: &Level) -> Result<(Self, Carried), GameError> {
        let world = carried_world(&self.world, old, level);
        let collision = CollisionWorld::new(level, &world);
        let (player, carried) = match self.player.carried_to(&collision, old) {
            Some(found) => found,
            None => {
                let body = self.player.standing_body();
                let player = Player::start(&collision, &Start::Default, body)?;
                (player, Carried::AtSpawn)
            }
        };
        let mut game = Self::with_player(level, world, player);
        game.tick = self.tick;
        game.broad_phase = self.broad_phase;
        Ok((game, carried))
    }
}

/// The world of a level with the links and movers of the same names as they are in another.
fn carried_world(was: &World, old: &Level, level: &Level) -> World {
    let mut world = World::of(level);
    let links = (0..).map(LinkId).zip(&old.links);
    let links: BTreeMap<&str, LinkId> = links.map(|(id, link)| (link.name.as_str(), id)).collect();
    for (id, link) in (0..).map(LinkId).zip(&level.links) {
        let Some(&other) = links.get(link.name.as_str()) else {
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
    let movers = (0..).map(MoverId).zip(&old.movers);
    let movers: BTreeMap<&str, MoverId> = movers.map(|(id, m)| (m.name.as_str(), id)).collect();
    for (id, mover) in (0..).map(MoverId).zip(&level.movers) {
        let Some(&other) = movers.get(mover.name.as_str()) else {
            continue;
        };
        let (drive, before) = (&mover.drive, old.mover(other));
        // On another track it starts again.
        let is_same = mover.track == before.track
            && (drive.ticks, drive.cycle) == (before.drive.ticks, before.drive.cycle);
        if is_same {
            world.set(level, id, *was.mover(other));
            world.rest(id);
        }
    }
    world
}
