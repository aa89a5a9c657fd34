//! Moves the player elsewhere, between two ticks.

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
    /// Puts the player at `start`, at rest, in the current world. At a spawn it looks along the spawn's yaw; at a point it
    /// keeps its view direction. A carried body is left behind.
    ///
    /// # Errors
    /// When there is no such spawn, or the player does not fit there; then nothing changes.
    pub fn put_player(&mut self, level: &Level, start: &Start) -> Result<(), GameError> {
        let old = &self.player;
        let body = Body {
            segment_length: old.standing_segment_length,
            ..old.actor.body
        };
        let player = Player::start(
            &collision(level, &self.world, self.broad_phase),
            start,
            body,
        )?;
        let speeds = [old.walk_speed, old.run_speed];
        let smooth_steps = old.smooth_steps;
        let view = match start {
            Start::Feet(_) => [old.yaw, old.pitch],
            Start::Default | Start::Spawn(_) => [player.yaw, player.pitch],
        };
        self.player = player;
        [self.player.yaw, self.player.pitch] = view;
        [self.player.walk_speed, self.player.run_speed] = speeds;
        self.player.smooth_steps = smooth_steps;
        Ok(())
    }

    /// Moves a stuck or lost player back: from the air to where it last stood; from the ground, or if it no longer fits there,
    /// to the level's first spawn.
    ///
    /// # Errors
    /// When there is no spawn, or the player does not fit there; then nothing changes.
    pub fn go_back(&mut self, level: &Level) -> Result<WentBack, GameError> {
        if let Some(feet) = self.player.last_feet(level)
            && self.put_player(level, &Start::Feet(feet)).is_ok()
        {
            return Ok(WentBack::ToStanding);
        }
        self.put_player(level, &Start::Default)?;
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
    fn from_the_air_the_player_goes_back_to_where_it_stood_and_from_the_ground_to_the_spawn() {
        let (level, _) = load_bytes("grid", &grid_glb(2, 1)).unwrap();
        let mut game = Game::new(&level).unwrap();
        let spawn = game.player.feet(&level).0;
        let forward = Input {
            forward: 1.0,
            ..Input::default()
        };
        for _ in 0..40 {
            game.tick(&level, &forward);
        }
        let stood = game.player.feet(&level).0;
        let jump = Input {
            jump: true,
            ..forward
        };
        for _ in 0..10 {
            game.tick(&level, &jump);
        }
        assert!(!game.player.actor.state.grounded);
        game.player.look(20.0, 5.0);
        let view = [game.player.yaw, game.player.pitch];
        assert_eq!(game.go_back(&level), Ok(WentBack::ToStanding));
        // The player may have stood for some more ticks before it left the ground.
        assert!(game.player.feet(&level).0.distance(stood) < 0.2);
        assert_eq!([game.player.yaw, game.player.pitch], view);
        game.tick(&level, &Input::default());
        assert!(game.player.actor.state.grounded);
        assert_eq!(game.go_back(&level), Ok(WentBack::ToSpawn));
        assert!(game.player.feet(&level).0.distance(spawn) < 1e-6);
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
            assert!(game.put_player(&level, &start).is_err(), "{start:?}");
            assert_eq!(game.state_hash(&level), before);
        }
    }
}
