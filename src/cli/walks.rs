//! Walk files and replays that commands play.

use std::path::Path;

use super::Error;
#[cfg(feature = "window")]
use super::walker::InputSource;
use opendoor::game::{FIRST_PLAYER, Game};
use opendoor::level::Level;
use opendoor::motion::Workspace;
use opendoor::replay::{Playback, Replay};
use opendoor::testing::{self, Tour, WalkFile};
use opendoor::visibility::Camera;

/// The maximum number of listed bad lines of a walk file; further lines are only counted.
const MAX_LINES_LISTED: usize = 20;

/// A walk file that was read, and its path.
pub(crate) struct LoadedWalk<'a> {
    path: &'a Path,
    pub(crate) read: WalkFile,
}

impl<'a> LoadedWalk<'a> {
    /// Reads a walk file. Lines with errors are reported by [`Self::tour`].
    pub(crate) fn read(path: &'a Path) -> Result<Self, Error> {
        let text = testing::read_walk(path);
        let text = text.map_err(|error| bad_walk(path, format!("the walk file {error}")))?;
        let read = testing::parse_lines(&text);
        Ok(Self { path, read })
    }

    /// Returns the tour of the walk in a level. Fails unless the level has all rooms, portals and other things that the
    /// walk names. Must be called before the game starts, because the lines that give the start may have errors.
    pub(crate) fn tour(self, level: &Level) -> Result<Tour, Error> {
        Tour::new(level, self.read).map_err(|errors| bad_lines(self.path, &errors))
    }
}

/// Begins a replay: returns the game at its start, and its playback. The level may have changed if `changed_level` is
/// set.
pub(crate) fn begin_replay(
    level: &Level,
    path: &Path,
    changed_level: bool,
) -> Result<(Game, Playback), Error> {
    let begin = if changed_level {
        Playback::begin_on_changed_level
    } else {
        Playback::begin
    };
    let begun = Replay::read(path).and_then(|replay| begin(level, replay));
    begun.map_err(|error| Error::Replay {
        path: path.to_owned(),
        error,
    })
}

fn bad_walk(path: &Path, problem: String) -> Error {
    Error::Walk {
        path: path.to_owned(),
        problem,
    }
}

fn bad_lines(path: &Path, errors: &[testing::WalkError]) -> Error {
    let listed = errors.iter().take(MAX_LINES_LISTED);
    let mut lines: Vec<String> = listed.map(ToString::to_string).collect();
    if errors.len() > MAX_LINES_LISTED {
        lines.push(format!(
            "and {} more lines",
            errors.len() - MAX_LINES_LISTED
        ));
    }
    bad_walk(path, lines.join("\n"))
}

/// Returns the game after `at_tick` ticks of a replay, or at its end.
#[cfg(feature = "window")]
pub(crate) fn replay_until(
    level: &Level,
    path: &Path,
    changed_level: bool,
    at_tick: Option<usize>,
) -> Result<(Game, InputSource), Error> {
    let (mut game, mut playback) = begin_replay(level, path, changed_level)?;
    let ticks = playback.replay().ticks();
    let tick = at_tick.unwrap_or(ticks);
    if tick > ticks {
        return Err(Error::NoSuchTick {
            path: path.to_owned(),
            tick,
            ticks,
        });
    }
    // Begins one tick more than it plays: this turns the views to those of the requested tick.
    while playback.begin_tick(level, &mut game) {
        if playback.ticks_done() > tick {
            break;
        }
        game.tick(level, playback.inputs());
    }
    Ok((game, InputSource::Playback(Box::new(playback))))
}

/// Returns the camera in the eye of the first player after the last tick.
pub(crate) fn camera_of(level: &Level, game: &Game, fov_deg: f64, aspect: f64) -> Camera {
    let (collision, workspace) = (game.collision(level), &mut Workspace::default());
    let eye = game.players[FIRST_PLAYER].eye(&collision, 1.0, workspace);
    eye.camera(fov_deg, aspect)
}
