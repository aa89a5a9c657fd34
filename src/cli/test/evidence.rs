//! Traces and pictures of failed walks: each walk is repeated, with bit-identical results.

use std::fs;
use std::path::{Path, PathBuf};

use opendoor::game::Game;
use opendoor::level::Level;
use opendoor::testing::{Leg, TestResult, parse, read_walk, walk_level};

use crate::cli::Error;
use crate::cli::levels::{built_in, load};
use crate::cli::messages::eprint_line;
use crate::cli::output::Output;
use crate::cli::trace::TraceFile;

/// Writes DIR/WALK.csv for each failed walk.
pub(super) fn write_traces(failed: &[&TestResult], folder: &Path) -> Result<(), Error> {
    make_folder(folder)?;
    for result in failed {
        let path = folder.join(file_stem(&result.walk) + ".csv");
        let mut trace = TraceFile::begin(Output::at(&path)?)?;
        let (mut last, mut written) = (0, Ok(()));
        let walked = walk_again(result, |level, game, _| {
            if game.tick > last && written.is_ok() {
                last = game.tick;
                written = trace.row(level, game, game.tick);
            }
        })?;
        written?;
        if walked {
            trace.finish()?;
            eprint_line(&format!("wrote {}", path.display()));
        }
    }
    Ok(())
}

/// Draws DIR/WALK-LINE.png for the first failed lines of each walk: the player's view at the end of the line.
#[cfg(feature = "window")]
pub(super) fn draw_pictures(failed: &[&TestResult], folder: &Path) -> Result<(), Error> {
    use crate::cli::pictures::{ASPECT, PictureView, draw};
    use crate::cli::walks::camera_of;
    use opendoor::frame::FOV_DEG;
    use opendoor::game::FIRST_PLAYER;

    /// The maximum number of pictures of a walk.
    const MAX_PICTURES: usize = 4;

    make_folder(folder)?;
    for result in failed {
        let (mut views, mut legs_seen) = (Vec::new(), 0);
        walk_again(result, |level, game, legs| {
            let ended = legs[legs_seen..].iter().filter(|leg| !leg.ok);
            for leg in ended.take(MAX_PICTURES - views.len()) {
                let name = format!("{}-{}.png", file_stem(&result.walk), leg.line);
                // The next lines of the walk may have turned the player already.
                let player = &mut game.players[FIRST_PLAYER];
                let looks = [player.yaw, player.pitch];
                [player.yaw, player.pitch] = leg.looked;
                let camera = camera_of(level, game, FOV_DEG, ASPECT);
                let player = &mut game.players[FIRST_PLAYER];
                [player.yaw, player.pitch] = looks;
                views.push(PictureView {
                    camera,
                    world: game.world().clone(),
                    path: folder.join(name),
                });
            }
            legs_seen = legs.len();
        })?;
        if let (Some(path), false) = (&result.level, views.is_empty()) {
            draw(&load(path)?, path, &views)?;
        }
    }
    Ok(())
}

/// Repeats the walk of a test; returns false if the test had no walk.
fn walk_again(
    result: &TestResult,
    on_tick: impl FnMut(&Level, &mut Game, &[Leg]),
) -> Result<bool, Error> {
    let (Ok(_), Some(path)) = (&result.outcome, &result.level) else {
        return Ok(false);
    };
    let level = load(path)?;
    // The file was readable and valid before, unless it has changed since.
    let text = match built_in(path) {
        Some(level) => Ok(level.tour.to_owned()),
        None => read_walk(&result.walk),
    };
    let Ok(text) = text else {
        return Ok(false);
    };
    let Ok(walk) = parse(&text) else {
        return Ok(false);
    };
    Ok(walk_level(&level, walk, on_tick).is_ok())
}

fn make_folder(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|error| Error::Write {
        path: folder.to_owned(),
        error,
    })
}

/// Returns the path of a walk file as part of another file's name, including its folders: walks of equal names can be
/// in different folders.
fn file_stem(walk: &Path) -> String {
    let path: PathBuf = walk.with_extension("");
    let parts = path.components().filter_map(|part| match part {
        std::path::Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("-")
}
