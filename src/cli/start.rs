//! The command line arguments of the start position.

use glam::DVec3;
use opendoor::game::{FIRST_PLAYER, Game, GameError, Start};
use opendoor::level::{AuthorPoint, Level};
use opendoor::motion::Body;

/// Where the body starts, and which way it looks.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct StartArgs {
    /// Start at this spawn instead of `player-spawn`, or the file's first
    #[arg(long, value_name = "NAME", conflicts_with = "at")]
    spawn: Option<String>,
    /// Start with the feet at this point, in the author's coordinates, metres
    #[arg(long, value_name = "X,Y,Z", value_parser = super::point, allow_hyphen_values = true)]
    at: Option<DVec3>,
    /// Look this way at first: degrees from -Z, positive to the left [default: 0, or that of the spawn]
    #[arg(long, value_name = "DEG", value_parser = super::finite, allow_hyphen_values = true)]
    pub(crate) yaw: Option<f64>,
}

impl StartArgs {
    /// Returns the start position, if the command line names one.
    pub(crate) fn place(&self) -> Option<Start> {
        let spawn = self.spawn.clone().map(Start::Spawn);
        spawn.or_else(|| self.at.map(|at| Start::Feet(AuthorPoint(at))))
    }

    /// Begins a game at the start position of the command line, or at `otherwise` if it names none.
    ///
    /// # Errors
    /// Fails if there is no such spawn, or no room to stand there.
    pub(crate) fn game(
        &self,
        level: &Level,
        otherwise: Start,
        body: Body,
    ) -> Result<Game, GameError> {
        let mut game = Game::start(level, &self.place().unwrap_or(otherwise), body)?;
        let player = &mut game.players[FIRST_PLAYER];
        player.yaw = self.yaw.unwrap_or(player.yaw);
        Ok(game)
    }
}
