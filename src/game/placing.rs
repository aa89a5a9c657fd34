//! Adds players, removes them and moves them elsewhere, between two ticks.

use super::{Game, GameError, Player, Start, collision};
use crate::level::Level;
use crate::motion::Body;

/// The position to which a player went back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WentBack {
    /// The position at which the player last stood.
    ToStanding,
    /// The level's first spawn.
    ToSpawn,
}

impl Game {
    /// Adds a player that stands at `start`, or crouches if there is no room to stand, and looks along the spawn's yaw. Other
    /// players may stand at the same place. Returns the index of the new player, which is the last one.
    ///
    /// # Errors
    /// When there is no such spawn, or the player does not fit there; then nothing changes.
    pub fn add_player(
        &mut self,
        level: &Level,
        start: &Start,
        body: Body,
    ) -> Result<usize, GameError> {
        let collision = collision(level, &self.world, self.broad_phase);
        let player = Player::start(&collision, start, body, &mut self.workspace)?;
        let index = self.players.len();
        self.players.push(player);
        self.triggers.add_player();
        self.world.bodies.hold(index, None);
        Ok(index)
    }

    /// Removes a player; the indices of the players after it decrease by one. A body that it carries falls, and the
    /// triggers that it has fired still act.
    ///
    /// # Panics
    /// When there is no such player.
    pub fn remove_player(&mut self, player: usize) -> Player {
        let removed = self.players.remove(player);
        self.triggers.remove_player(player);
        self.world.bodies.remove_character(player);
        removed
    }

    /// Puts a player at `start`, at rest, in the current world. At a spawn it looks along the spawn's yaw; at a point it
    /// keeps its view direction. A carried body is left behind.
    ///
    /// # Errors
    /// When there is no such spawn, or the player does not fit there; then nothing changes.
    pub fn put_player(
        &mut self,
        level: &Level,
        player: usize,
        start: &Start,
    ) -> Result<(), GameError> {
        let old = &self.players[player];
        let body = Body {
            segment_length: old.standing_segment_length,
            ..old.actor.body
        };
        let new = Player::start(
            &collision(level, &self.world, self.broad_phase),
            start,
            body,
            &mut self.workspace,
        )?;
        let speeds = [old.walk_speed, old.run_speed];
        let smooth_steps = old.smooth_steps;
        let view = match start {
            Start::Feet(_) => [old.yaw, old.pitch],
            Start::Default | Start::Spawn(_) => [new.yaw, new.pitch],
        };
        let player = &mut self.players[player];
        *player = new;
        [player.yaw, player.pitch] = view;
        [player.walk_speed, player.run_speed] = speeds;
        player.smooth_steps = smooth_steps;
        Ok(())
    }

    /// Moves a stuck or lost player back. A player in the air goes to where it last stood. A player on the ground, or
    /// one that no longer fits there, goes to the level's first spawn.
    ///
    /// # Errors
    /// When there is no spawn, or the player does not fit there; then nothing changes.
    pub fn go_back(&mut self, level: &Level, player: usize) -> Result<WentBack, GameError> {
        if let Some(feet) = self.players[player].last_feet(level)
            && self.put_player(level, player, &Start::Feet(feet)).is_ok()
        {
            return Ok(WentBack::ToStanding);
        }
        self.put_player(level, player, &Start::Default)?;
        Ok(WentBack::ToSpawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::grid_glb;
    use crate::game::Input;
    use crate::level::AuthorPoint;
    use crate::load::load_bytes;
    use glam::DVec3;

    #[test]
    fn going_back_leads_from_the_air_to_the_last_ground_and_from_the_ground_to_the_spawn() {
        let (level, _) = load_bytes("grid", &grid_glb(2, 1)).unwrap();
        let mut game = Game::new(&level).unwrap();
        let spawn = game.players[0].feet(&level).0;
        let forward = Input {
            forward: 1.0,
            ..Input::default()
        };
        for _ in 0..40 {
            game.tick(&level, &[forward]);
        }
        let stood = game.players[0].feet(&level).0;
        let jump = Input {
            jump: true,
            ..forward
        };
        for _ in 0..10 {
            game.tick(&level, &[jump]);
        }
        assert!(!game.players[0].actor.state.grounded);
        game.players[0].look(20.0, 5.0);
        let view = [game.players[0].yaw, game.players[0].pitch];
        assert_eq!(game.go_back(&level, 0), Ok(WentBack::ToStanding));
        // The player may have stood for some more ticks before it left the ground.
        assert!(game.players[0].feet(&level).0.distance(stood) < 0.2);
        assert_eq!([game.players[0].yaw, game.players[0].pitch], view);
        game.tick(&level, &[]);
        assert!(game.players[0].actor.state.grounded);
        assert_eq!(game.go_back(&level, 0), Ok(WentBack::ToSpawn));
        assert!(game.players[0].feet(&level).0.distance(spawn) < 1e-6);
    }

    #[test]
    fn a_place_without_room_changes_nothing() {
        let (level, _) = load_bytes("grid", &grid_glb(2, 1)).unwrap();
        let mut game = Game::new(&level).unwrap();
        let before = game.state_hash(&level);
        for start in [
            Start::Feet(AuthorPoint(DVec3::splat(1e6))),
            Start::Feet(AuthorPoint(DVec3::NAN)),
            Start::Spawn("nowhere".to_owned()),
        ] {
            assert!(game.put_player(&level, 0, &start).is_err(), "{start:?}");
            assert_eq!(game.state_hash(&level), before);
        }
    }
}
