//! A game that goes on in its level after that was changed and loaded again.

use std::collections::{BTreeMap, VecDeque};

use super::player::{Carried, Player, Start};
use super::{Game, GameError};
use crate::collision::CollisionWorld;
use crate::level::{Level, LinkId, MoverId};
use crate::world::World;

impl Game {
    /// The same game in another version of its level: rooms, links, movers and triggers are told by their
    /// names. Links, movers and triggers are as they were, and the player where it was, or at the nearest place
    /// around that has room for it, or else at the first spawn.
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
        let triggers = new_ids(&old.triggers, &level.triggers, |trigger| &trigger.name);
        game.triggers = self.triggers.carried_to(level, &triggers);
        game.tick = self.tick;
        game.broad_phase = self.broad_phase;
        Ok((game, carried))
    }
}

/// The world of a level with the links and movers of the same names as they are in another.
fn carried_world(was: &World, old: &Level, level: &Level) -> World {
    let mut world = World::of(level);
    let links = new_ids(&old.links, &level.links, |link| &link.name);
    for (other, id) in (0..).map(LinkId).zip(links) {
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
    let movers = new_ids(&old.movers, &level.movers, |mover| &mover.name);
    for (other, id) in (0..).map(MoverId).zip(movers) {
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
        }
    }
    world
}

/// For each of the old things the index of the new one of its name: of several of one name the first is the first,
/// and so on.
fn new_ids<T>(old: &[T], new: &[T], name: fn(&T) -> &String) -> Vec<Option<u32>> {
    let mut named: BTreeMap<&str, VecDeque<u32>> = BTreeMap::new();
    for (id, thing) in (0..).zip(new) {
        named.entry(name(thing)).or_default().push_back(id);
    }
    let next = |thing: &T| named.get_mut(name(thing).as_str())?.pop_front();
    old.iter().map(next).collect()
}
