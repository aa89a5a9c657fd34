//! The command line: one file per subcommand, each with its arguments and a `run`.

mod bake;
mod bench;
mod body;
mod check;
#[cfg(feature = "window")]
mod film;
mod generate;
mod levels;
mod map;
mod messages;
mod output;
#[cfg(feature = "window")]
mod pictures;
#[cfg(feature = "window")]
mod place_report;
#[cfg(feature = "window")]
mod play;
mod progress;
#[cfg(feature = "window")]
mod settings_args;
#[cfg(feature = "window")]
mod shot;
mod sim;
mod start;
mod test;
mod trace;
mod walker;
mod walks;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use clap::{CommandFactory, Parser, Subcommand};
use glam::DVec3;
use messages::eprint_line;
use opendoor::author::builder::BuilderError;
#[cfg(feature = "window")]
use opendoor::figure::FigureError;
use opendoor::game::GameError;
use opendoor::gltf::WriteError;
use opendoor::level::Level;
use opendoor::lighting::stored::LightFiles;
use opendoor::lighting::{Lighting, lightmap};
use opendoor::problems::Problems;
use opendoor::replay::ReplayError;
use opendoor::testing::FindError;
use opendoor::world::World;
use progress::with_progress;
use serde::Serialize;

#[derive(Parser)]
#[command(version, about)]
#[cfg_attr(feature = "window", command(args_conflicts_with_subcommands = true))]
struct Cli {
    #[cfg(not(feature = "window"))]
    #[command(subcommand)]
    command: CliCommand,
    #[cfg(feature = "window")]
    #[command(subcommand)]
    command: Option<CliCommand>,
    #[cfg(feature = "window")]
    #[command(flatten)]
    play: play::Args,
}

#[derive(Subcommand)]
enum CliCommand {
    #[cfg(feature = "window")]
    Play(play::Args),
    Check(check::Args),
    Sim(Box<sim::Args>),
    Test(test::Args),
    Bench(bench::Args),
    Generate(generate::Args),
    Bake(bake::Args),
    Map(map::Args),
    #[cfg(feature = "window")]
    Shot(shot::Args),
    #[cfg(feature = "window")]
    Film(film::Args),
}

/// The outcome of a command that has completed its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandOutcome {
    /// Exit status 0.
    Good,
    /// Exit status 1: the level or the walk is bad.
    Bad,
}

/// An error that stopped a command; exit status 1. Wrong usage is not an error of this type: clap reports it and exits
/// with 2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The level cannot be used.
    #[error("{0}")]
    Level(#[from] Problems),
    /// There is no level of this name.
    #[error("{0}")]
    NoSuchLevel(String),
    /// The game cannot start.
    #[error("{0}")]
    Game(#[from] GameError),
    /// The player's figure cannot be drawn.
    #[cfg(feature = "window")]
    #[error("the player's figure: {0}")]
    Figure(#[from] FigureError),
    /// The walk file cannot be read or understood.
    #[error("{}: {problem}", path.display())]
    Walk {
        /// The walk file.
        path: PathBuf,
        /// The problems of the walk file.
        problem: String,
    },
    /// The replay cannot be played.
    #[error("{}: {error}", path.display())]
    Replay {
        /// The replay.
        path: PathBuf,
        /// The reason.
        error: ReplayError,
    },
    /// The replay has fewer ticks than the requested tick.
    #[cfg(feature = "window")]
    #[error("{}: there is no tick {tick}: name one from 0 to {ticks}", path.display())]
    NoSuchTick {
        /// The replay.
        path: PathBuf,
        /// The requested tick.
        tick: usize,
        /// The number of ticks of the replay.
        ticks: usize,
    },
    /// The part to be filmed is not within the walk or replay.
    #[cfg(feature = "window")]
    #[error(
        "there is nothing to film: the walk or replay lasts {ends:.2} s; choose --from, --to and --freeze-at in it"
    )]
    NotInFilm {
        /// The length of the walk or replay, seconds.
        ends: f64,
    },
    /// The frame rate is too high for a GIF: viewers would show the film slower.
    #[cfg(feature = "window")]
    #[error(
        "a GIF has at most 50 pictures a second, not {fps}: choose a smaller --fps, or write a .png"
    )]
    FastGif {
        /// The requested frame rate.
        fps: u16,
    },
    /// A level cannot be generated.
    #[error("{0}")]
    Builder(#[from] BuilderError),
    /// A generated level cannot be written.
    #[error("{0}")]
    Source(#[from] WriteError),
    /// The walk files to test cannot be found.
    #[error("{0}")]
    Tests(#[from] FindError),
    /// A file cannot be written.
    #[error("{}: cannot be written: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The window failed.
    #[cfg(feature = "window")]
    #[error("{0}")]
    Window(#[from] opendoor::window::WindowError),
    /// The graphics device cannot be used.
    #[cfg(feature = "window")]
    #[error("{0}")]
    Gpu(#[from] opendoor::gpu::GpuError),
    /// The result cannot be written.
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// Runs the command that the arguments of the process name.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return wrong_usage(&error),
    };
    #[cfg(not(feature = "window"))]
    let command = cli.command;
    #[cfg(feature = "window")]
    let (command, others) = match cli.command {
        Some(command) => (command, Vec::new()),
        None => (CliCommand::Play(cli.play), commands()),
    };
    let result = match command {
        #[cfg(feature = "window")]
        CliCommand::Play(args) => play::run(&args, &others),
        CliCommand::Check(args) => check::run(&args),
        CliCommand::Sim(args) => sim::run(&args),
        CliCommand::Test(args) => test::run(&args),
        CliCommand::Bench(args) => bench::run(&args),
        CliCommand::Generate(args) => generate::run(&args),
        CliCommand::Bake(args) => bake::run(&args),
        CliCommand::Map(args) => map::run(&args),
        #[cfg(feature = "window")]
        CliCommand::Shot(args) => shot::run(&args),
        #[cfg(feature = "window")]
        CliCommand::Film(args) => film::run(&args),
    };
    match result {
        Ok(CommandOutcome::Good) => ExitCode::SUCCESS,
        Ok(CommandOutcome::Bad) => ExitCode::FAILURE,
        // The reader of the output has closed it, as in `opendoor check ... | head`.
        Err(Error::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprint_line(&error.to_string());
            error.status()
        }
    }
}

impl Error {
    /// Returns the exit status: an unknown word counts as wrong usage.
    fn status(&self) -> ExitCode {
        match self {
            Self::NoSuchLevel(_) => ExitCode::from(2),
            _ => ExitCode::FAILURE,
        }
    }
}

/// Reports wrong usage. If the first word is not a command, it is taken for a level and clap complains about the words
/// after it: then the message is about the first word.
fn wrong_usage(error: &clap::Error) -> ExitCode {
    let first = std::env::args_os().nth(1).filter(|_| error.use_stderr());
    let first = first.filter(|word| !word.to_string_lossy().starts_with('-'));
    let is_command = |word: &OsString| Cli::command().find_subcommand(word).is_some();
    let unknown = first.filter(|word| !is_command(word) && word != "help");
    match unknown.and_then(|word| levels::no_such_level(word.as_ref(), &commands())) {
        Some(problem) => {
            eprint_line(&problem.to_string());
            problem.status()
        }
        None => error.exit(),
    }
}

/// Returns the names of the commands.
fn commands() -> Vec<String> {
    let commands = Cli::command();
    let names = commands.get_subcommands().map(|c| c.get_name().to_owned());
    names.collect()
}

/// Computes the lighting of a level, or reads it from the file beside the level or from the cache.
pub(crate) fn light(level: &Level, path: &Path, world: &World) -> Lighting {
    bake_with_progress(level, path, world, &|_| ())
}

/// The approximate part of the lightmap's baking in the time to compute the lighting of a level.
const BAKING: f32 = 0.4;

/// Computes the lighting of a level as [`light`] does, and reports to `progress` which part of it is done, 0..1.
pub(crate) fn bake_with_progress(
    level: &Level,
    path: &Path,
    world: &World,
    progress: &(dyn Fn(f32) + Sync),
) -> Lighting {
    let quality = lightmap::LightmapQuality::default();
    let files = LightFiles::beside(path);
    let lightmap = with_progress("baking the light", |report_part| {
        lightmap::load_or_bake(level, quality, &files, &|part| {
            report_part(part);
            progress(part * BAKING);
        })
    });
    with_progress("tracing the light", |report_part| {
        Lighting::load_or_trace(level, world, lightmap, quality, &files, &|part| {
            report_part(part);
            progress(BAKING + part * (1.0 - BAKING));
        })
    })
}

/// Writes one JSON value and a newline on stdout.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Error> {
    let mut text = serde_json::to_string(value).map_err(io::Error::from)?;
    text.push('\n');
    print(&text)
}

/// Writes text on stdout.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Parses a number in a range.
fn number(text: &str, from: f64, to: f64, unit: &str) -> Result<f64, String> {
    let read = text.trim().parse().ok();
    read.filter(|x| (from..=to).contains(x))
        .ok_or_else(|| format!("a number from {from} to {to} {unit} is wanted"))
}

/// Parses a whole number that is not negative.
fn whole<N: FromStr>(text: &str) -> Result<N, String> {
    let number = text.trim().parse().ok();
    number.ok_or_else(|| "a whole number from 0 on is wanted".to_owned())
}

/// Parses a finite number.
fn finite(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|n: &f64| n.is_finite());
    number.ok_or_else(|| format!("`{text}` is not a number"))
}

/// Parses a point in the author's coordinates.
fn point(text: &str) -> Result<DVec3, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|t| t.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if DVec3::new(x, y, z).is_finite() => Ok(DVec3::new(x, y, z)),
        _ => Err("write three numbers X,Y,Z in metres, as in 1.5,1.6,-3".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_three_finite_numbers() {
        assert_eq!(point("-1, 2,3e1"), Ok(DVec3::new(-1.0, 2.0, 30.0)));
        for wrong in ["1,2", "1,2,3,4", "1,2,x", "1,2,nan", "inf,0,0", ""] {
            assert!(point(wrong).is_err(), "{wrong}");
        }
    }
}
