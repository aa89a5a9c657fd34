//! `opendoor play`: walks through a level in a window, or without a display draws its tour.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use opendoor::frame::FOV_DEG;
use opendoor::game::{Game, PLAYER, Start};
use opendoor::level::{self, At, Level};
use opendoor::testing::{Recorded, Recorder, Tour, parse, read_walk};
use opendoor::visibility::Camera;
use opendoor::window::{self, Options, Watched, WindowError};
use opendoor::world::World;

use super::messages::eprint_line;
use super::output::Output;
use super::pictures::{ASPECT, View, draw};
use super::place_report::PlaceReport;
use super::start::StartArgs;
use super::{Error, Outcome};

/// The level that is walked where none is named, and its tour.
const HOUSE: (&str, &[u8], &str) = (
    "house.glb",
    include_bytes!("../../levels/house.glb"),
    include_str!("../../levels/house.walk"),
);

/// At most this many pictures are drawn of a tour.
const MAX_PICTURES: usize = 8;
/// A tour that takes longer than this is cut short, ticks: ten minutes.
const MAX_TICKS: u64 = 36_000;

/// Walk through a level in a window
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Level to walk through: a .glb or .gltf file [default: the embedded house]
    #[arg(value_name = "LEVEL")]
    level: Option<PathBuf>,
    #[command(flatten)]
    start: StartArgs,
    /// Where there is no display: folder for the pictures of the tour, or with --at or --spawn of that place
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Say on stderr how long the level took each time that it was saved and loaded again
    #[arg(long)]
    timings: bool,
    /// Write what the player does as a walk file, which `opendoor test` walks again; put it beside the level
    #[arg(long, value_name = "FILE.walk")]
    record: Option<PathBuf>,
    /// Write into this file where the eye is, some times a second, as one JSON object: room, eye (x,y,z in the
    /// author's coordinates), yaw and pitch (degrees). Other programs follow it so
    #[arg(long, value_name = "FILE")]
    report_place: Option<PathBuf>,
}

/// Opens the window, or draws the tour where there is no display.
pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let path = args.level.clone();
    let name = match &path {
        Some(path) => path.file_name().unwrap_or_default().to_string_lossy(),
        None => HOUSE.0.into(),
    };
    let record = args.record.as_deref().map(Output::at).transpose()?;
    let (mut recorder, mut recorded) = (None, None);
    let begins = args.start.place().unwrap_or_default();
    let mut watch = |level: &Level, game: &mut Game, watched: Watched| {
        if record.is_none() {
            return;
        }
        match watched {
            Watched::Tick(input) => {
                let recorder = recorder.get_or_insert_with(|| Recorder::new(level, &begins));
                recorder.add_tick(game, input);
            }
            Watched::Reloaded => {
                let recorder = recorder.get_or_insert_with(|| Recorder::new(level, &begins));
                recorder.add_reload();
            }
            Watched::End => recorded = recorder.take().and_then(|r| r.finish(level, game)),
        }
    };
    let place = args.report_place.as_deref();
    let place = place.map(PlaceReport::to).transpose()?.map(RefCell::new);
    let report_place = |level: &Level, camera: &Camera| {
        if let Some(place) = &place {
            place.borrow_mut().update(level, camera);
        }
    };
    let options = Options {
        name: &name,
        file: path.as_deref(),
        report: args.timings.then_some(eprint_line),
        camera: Some(&report_place),
    };
    let walked = window::run(options, &mut watch, {
        let (path, start) = (path.clone(), args.start.clone());
        move |progress| {
            let level = load(path.as_deref())?;
            // First: who cannot start there need not wait for the light.
            let game = start.game(&level, Start::Default, PLAYER)?;
            let lighting = super::bake_with_progress(&level, &World::of(&level), progress);
            Ok((level, lighting, game))
        }
    });
    match walked {
        Err(Error::Window(WindowError::NoDisplay(_))) => {
            let level = load(path.as_deref())?;
            let mut views = if args.start.place().is_some() {
                eprint_line("there is no display: drawing a picture from there instead");
                vec![view(
                    &level,
                    &mut args.start.game(&level, Start::Default, PLAYER)?,
                )]
            } else {
                eprint_line(
                    "there is no display: walking the level's tour and drawing pictures of it instead",
                );
                let walk = match &path {
                    // The tour is optional: without one there are other views.
                    Some(path) => read_walk(&path.with_extension("walk")).ok(),
                    None => Some(HOUSE.2.to_owned()),
                };
                match walk {
                    Some(walk) => views_of_tour(&level, &walk)?,
                    None => views_of_rooms(&level),
                }
            };
            std::fs::create_dir_all(&args.out).map_err(|error| Error::Write {
                path: args.out.clone(),
                error,
            })?;
            for (number, view) in (1..).zip(&mut views) {
                view.path = args.out.join(format!("opendoor-tour-{number:02}.png"));
            }
            draw(&level, &views)?;
            Ok(Outcome::Good)
        }
        walked => {
            if let Some(output) = record {
                write_record(output, recorded)?;
            }
            walked.map(|()| Outcome::Good)
        }
    }
}

/// Writes the recording, if there is one.
fn write_record(output: Output, recorded: Option<Recorded>) -> Result<(), Error> {
    match recorded {
        Some(recorded) => {
            if !recorded.is_repeatable {
                eprint_line(
                    "the level was saved meanwhile, and as it is now the recorded walk ends elsewhere: it is written without the lines that expect its end",
                );
            }
            output.write(recorded.text.as_bytes())
        }
        None => {
            eprint_line(
                "nothing is recorded: nobody walked, or for longer than a walk file can be (1 MiB)",
            );
            Ok(())
        }
    }
}

/// The level, or the embedded one.
fn load(path: Option<&Path>) -> Result<Level, Error> {
    match path {
        Some(path) => super::load(path),
        None => Ok(level::load_bytes(HOUSE.0, HOUSE.1)?.0),
    }
}

/// Walks the tour; the views are those at the ends of its legs, evenly chosen.
fn views_of_tour(level: &Level, walk: &str) -> Result<Vec<View>, Error> {
    let problem = |errors: Vec<opendoor::testing::WalkError>| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Error::Walk {
            path: Path::new(&level.name).with_extension("walk"),
            problem: lines.join("\n"),
        }
    };
    let walk = parse(walk).map_err(problem)?;
    let mut game = Game::start(level, &walk.start, walk.body.unwrap_or(PLAYER))?;
    let mut tour = Tour::new(level, walk).map_err(problem)?;
    let mut views = vec![view(level, &mut game)];
    let mut legs = 0;
    while let Some(input) = tour.next(level, &mut game) {
        if tour.legs.len() > legs {
            legs = tour.legs.len();
            views.push(view(level, &mut game));
        }
        if game.tick >= MAX_TICKS {
            tour.cut_short(level, &game);
            break;
        }
        game.tick(level, &input);
        for text in game.events.iter().filter_map(|event| event.describe(level)) {
            eprint_line(&text);
        }
    }
    for leg in tour.legs.iter().filter(|leg| !leg.ok) {
        let problem = leg.problem.as_deref().unwrap_or("failed");
        eprint_line(&format!("line {}: {}: {problem}", leg.line, leg.command));
    }
    let all = views.len();
    let chosen = (0..all).map(|i| i * MAX_PICTURES / all);
    let mut last = None;
    let mut is_new = chosen.map(|part| last.replace(part) != Some(part));
    views.retain(|_| is_new.next().unwrap_or(false));
    Ok(views)
}

/// What the player sees.
fn view(level: &Level, game: &mut Game) -> View {
    View {
        camera: game.camera(level, 1.0, FOV_DEG, ASPECT),
        world: game.world().clone(),
        path: PathBuf::new(),
    }
}

/// Views from the spawns, then from the middle of rooms.
fn views_of_rooms(level: &Level) -> Vec<View> {
    let world = World::of(level);
    let from_spawns = level.spawns.iter().filter_map(|spawn| {
        let start = Start::Spawn(spawn.name.clone());
        let mut game = Game::start(level, &start, PLAYER).ok()?;
        Some(game.camera(level, 1.0, FOV_DEG, ASPECT))
    });
    let from_rooms = level.rooms.iter().filter_map(|room| {
        let middle = room.bounds.centre();
        let found = level::locate(level, middle)?;
        Some(Camera::new(
            At::new(found, middle),
            [0.0, 0.0],
            FOV_DEG,
            ASPECT,
        ))
    });
    let views = from_spawns.chain(from_rooms).map(|camera| View {
        camera,
        world: world.clone(),
        path: PathBuf::new(),
    });
    views.take(MAX_PICTURES).collect()
}
