//! Continues a game after its level was changed and loaded again.

use super::carried_bodies::{Versions, carry_bodies};
use super::new_ids::new_ids;
use super::player::{CarriedPlayer, Player, Start};
use super::{Game, GameError};
use crate::collision::CollisionWorld;
use crate::level::{Level, LightId, LinkId, MoverId};
use crate::world::World;

impl Game {
    /// Continues this game in another version of its level. Rooms, links, movers, bodies, triggers and lights are
    /// matched by name. Links, movers, triggers and lights keep their states. Bodies do too, unless their shape or their authored
    /// position changed or they would be inside a solid. Each player keeps its position if it fits there; otherwise
    /// it is moved to the nearest position with enough room, or else to the first spawn. The returned list has the
    /// outcome for each player, in their order.
    ///
    /// # Errors
    /// When there is no position for a player at all.
    pub fn carry_to(
        &self,
        old: &Level,
        level: &Level,
    ) -> Result<(Self, Vec<CarriedPlayer>), GameError> {
        let (mut world, movers) = carried_world(&self.world, old, level);
        let versions = Versions {
            old,
            new: level,
            movers,
        };
        let bodies = carry_bodies(&versions, &self.world, &mut world);
        let mut game = Self::in_world(level, world);
        let collision = CollisionWorld::new(level, &game.world);
        let mut carried = Vec::with_capacity(self.players.len());
        for player in &self.players {
            let workspace = &mut game.workspace;
            let (player, how) = match player.carried_to(&collision, old, &bodies, workspace) {
                Some(found) => found,
                None => {
                    let body = player.standing_body();
                    let player = Player::start(&collision, &Start::Default, body, workspace)?;
                    (player, CarriedPlayer::AtSpawn)
                }
            };
            game.players.push(player);
            carried.push(how);
        }
        let triggers = new_ids(&old.triggers, &level.triggers, |trigger| &trigger.name);
        game.triggers = self.triggers.carried_to(level, &triggers);
        game.spawners = self.spawners.carried_to(old, level);
        game.tick = self.tick;
        game.broad_phase = self.broad_phase;
        Ok((game, carried))
    }
}

/// Creates the world of a level, whose links, movers and lights have the states of those with the same names in another
/// world. Returns the world and, for each mover of the other level, the mover that takes over its state.
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
        // A mover with another track or other timing starts again.
        let is_same = mover.track == before.track
            && (drive.ticks, drive.cycle) == (before.drive.ticks, before.drive.cycle);
        if is_same {
            world.set(level, id, *was.mover(other));
            world.rest(id);
            movers[other.0 as usize] = Some(id);
        }
    }
    let lights = new_ids(&old.lights, &level.lights, |light| &light.name);
    for (other, id) in (0..).map(LightId).zip(lights) {
        let Some(id) = id.map(LightId) else {
            continue;
        };
        let [light, before] = [level.light(id), old.light(other)];
        // A light with another state at the start begins again.
        let is_same = light.is_switched && light.starts_lit == before.starts_lit;
        if is_same && world.is_lit(id) != was.is_lit(other) {
            world.switch_light(id);
        }
    }
    let toggled = was.toggled().iter();
    let toggled = toggled.filter_map(|link| links[link.0 as usize].map(LinkId));
    world.set_toggled(toggled.collect());
    (world, movers)
}
