//! `opendoor film`: draws moving pictures of a walk or a replay.

mod args;
mod changed;
mod encoding;
mod flight;
mod pictures;
mod play;

use serde::Serialize;

use super::levels::load;
use super::messages::eprint_line;
use super::progress::with_progress;
use super::{CommandOutcome, Error, print_json};
pub(crate) use args::Args;
use encoding::Film;
use flight::FLIGHT_SECS;
use pictures::Pictures;
use play::Play;

/// The answer of `--json`. Scripts rely on the names.
#[derive(Serialize)]
struct FilmReport {
    frames: u32,
    fps: u16,
    seconds: f64,
    bytes: u64,
}

/// Draws the film; the outcome is bad if a leg of the walk failed, or the replay diverged from the recording.
pub(crate) fn run(args: &Args) -> Result<CommandOutcome, Error> {
    let film = Film::at(&args.output, args.fps, args.size)?;
    let level = load(&args.level)?;
    // Runs the walk without pictures first: an APNG begins with the number of its pictures, and the length of a walk is
    // known only at its end.
    let mut play = Play::begin(&level, args)?;
    play.advance(&level, u64::MAX);
    let all_ok = play.walker.print_failures();
    let ends = play.secs();
    let stops = args.freeze_at.unwrap_or(ends);
    let length = args.freeze_at.map_or(ends, |at| at + FLIGHT_SECS);
    let to = args.to.unwrap_or(length).min(length);
    if stops > ends || to < args.from {
        return Err(Error::NotInFilm { ends });
    }
    // Adds a small tolerance: a whole number of pictures may be slightly less because of rounding.
    let frames = ((to - args.from) * f64::from(args.fps) + 1e-6) as u32 + 1;
    let mut pictures = Pictures::begin(&level, Play::begin(&level, args)?, args)?;
    let bytes = with_progress("drawing", |report_part| {
        film.write(frames, |frame| {
            report_part(frame as f32 / frames as f32);
            pictures.at(args.from + f64::from(frame) / f64::from(args.fps))
        })
    })?;
    let report = FilmReport {
        frames,
        fps: args.fps,
        seconds: f64::from(frames) / f64::from(args.fps),
        bytes,
    };
    if args.json {
        print_json(&report)?;
    } else {
        let (path, kilobytes) = (args.output.display(), bytes / 1000);
        eprint_line(&format!("{path}: {frames} pictures, {kilobytes} kB"));
    }
    Ok(if all_ok {
        CommandOutcome::Good
    } else {
        CommandOutcome::Bad
    })
}
