//! `opendoor play`: walks through a level in a window, or draws its tour if there is no display.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use opendoor::build::BuildCache;
use opendoor::frame::FOV_DEG;
use opendoor::game::{FIRST_PLAYER, Game, PLAYER, Start};
use opendoor::level::{self, At, Level};
use opendoor::lint::explain;
use opendoor::load::{load_bytes_with_cache, load_with_cache};
use opendoor::replay::Playback;
use opendoor::testing::{Recorded, Recorder, Tour, parse_lines, read_walk};
use opendoor::visibility::Camera;
use opendoor::window::{
    self, Begin, LevelChoice, LoadedGame, Make, Options, Wanted, Watched, WindowError,
};
use opendoor::world::World;

use super::levels::{BUILT_IN, built_in, inspect, load, loading, no_such_level, print_warnings};
use super::messages::eprint_line;
use super::output::Output;
use super::pictures::{ASPECT, PictureView, draw};
use super::place_report::PlaceReport;
use super::progress::with_status;
use super::settings_args::SettingsArgs;
use super::start::StartArgs;
use super::walks::{begin_replay, camera_of};
use super::{CommandOutcome, Error};

/// The maximum number of pictures of a tour.
const MAX_PICTURES: usize = 8;
/// The number of ticks after which a tour is cut short: ten minutes.
const MAX_TICKS: u64 = 36_000;

/// Walk through a level in a window
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Level to walk through: a .glb or .gltf file, or the name of one that comes with the program (house, labyrinth,
    /// works, workshop, proving-ground, folded) [default: house]
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
    /// Write what the player does in the first level as a walk file, which `opendoor test` walks again; put it beside
    /// the level
    #[arg(long, value_name = "FILE.walk")]
    record: Option<PathBuf>,
    /// Play a replay first, which F10 writes, and walk on from its end
    #[arg(long, value_name = "FILE", conflicts_with_all = ["spawn", "at", "yaw", "record"])]
    replay: Option<PathBuf>,
    /// Play the replay also if the level is not the one that it was recorded in, or was changed since
    #[arg(long, requires = "replay")]
    changed_level: bool,
    /// Write into this file where the eye is, some times a second, as one JSON object: room, eye (x,y,z in the
    /// author's coordinates), yaw and pitch (degrees). Other programs follow it so
    #[arg(long, value_name = "FILE")]
    report_place: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// Opens the window, or draws the tour if there is no display. `commands` are the command names that the user may have
/// meant instead of the level.
pub(crate) fn run(args: &Args, commands: &[String]) -> Result<CommandOutcome, Error> {
    let start = args.start.place().unwrap_or_default();
    let first = Wanted {
        level: choice(args.level.as_deref(), commands)?,
        begin: match &args.replay {
            Some(path) => Begin::Replay {
                path: path.clone(),
                changed_level: args.changed_level,
            },
            None => Begin::Start {
                start: start.clone(),
                yaw: args.start.yaw,
            },
        },
    };
    let record = args.record.as_deref().map(Output::at).transpose()?;
    let (mut recorder, mut recorded) = (None, None);
    let mut records = record.is_some();
    let mut watch = |level: &Level, game: &mut Game, watched: Watched| {
        if !records {
            return;
        }
        let recorder_now = || Recorder::new(level, &start);
        match watched {
            Watched::Tick(input) => {
                let recorder = recorder.get_or_insert_with(recorder_now);
                recorder.add_tick(game, input);
            }
            Watched::Reloaded => {
                let recorder = recorder.get_or_insert_with(recorder_now);
                recorder.add_break("the level was saved and loaded again");
            }
            Watched::Moved => {
                let recorder = recorder.get_or_insert_with(recorder_now);
                recorder.add_break("the player was put somewhere else");
            }
            Watched::End => {
                recorded = recorder.take().and_then(|r| r.finish(level, game));
                records = false;
            }
        }
    };
    let place = args.report_place.as_deref();
    let place = place.map(PlaceReport::to).transpose()?.map(RefCell::new);
    let report_place = |level: &Level, camera: &Camera| {
        if let Some(place) = &place {
            place.borrow_mut().update(level, camera);
        }
    };
    let (settings, settings_file, said) = args.settings.open();
    for text in &said {
        eprint_line(text);
    }
    let shipped = BUILT_IN.each_ref().map(|level| level.name);
    let options = Options {
        first: first.clone(),
        shipped: &shipped,
        settings,
        settings_file,
        said,
        report: args.timings.then_some(eprint_line),
        camera: Some(&report_place),
        check: Arc::new(|level| inspect(path_of(level)).problems),
    };
    let make: Make<Error> = Arc::new(|wanted, progress| {
        let (level, cache) = load_for_play(path_of(&wanted.level))?;
        // The game begins before the lighting is computed: if the start fails, the error is reported without that wait.
        let (game, playback) = begin(&level, &wanted.begin)?;
        let lighting =
            super::bake_with_progress(&level, path_of(&wanted.level), &World::of(&level), progress);
        Ok(LoadedGame {
            level,
            cache,
            lighting,
            game,
            playback,
        })
    });
    match window::run(options, &mut watch, make) {
        Err(Error::Window(WindowError::NoDisplay(_))) => draw_instead(args, &first.level),
        walked => {
            if let Some(output) = record {
                write_record(output, recorded)?;
            }
            walked.map(|()| CommandOutcome::Good)
        }
    }
}

/// Loads a level, and the cache for reloading its next version; prints its warnings on stderr.
fn load_for_play(path: &Path) -> Result<(Arc<Level>, BuildCache), Error> {
    let mut cache = BuildCache::default();
    let (level, problems) = with_status(&loading(path), || match built_in(path) {
        Some(level) => load_bytes_with_cache(&level.file_name(), level.glb, &mut cache),
        None => load_with_cache(path, &mut cache).map_err(|problems| explain(path, problems)),
    })?;
    print_warnings(&problems);
    Ok((level, cache))
}

/// Returns the game at its start, and the replay to play.
fn begin(level: &Level, begin: &Begin) -> Result<(Game, Option<Playback>), Error> {
    match begin {
        Begin::Start { start, yaw } => {
            let mut game = Game::start(level, start, PLAYER)?;
            let player = &mut game.players[FIRST_PLAYER];
            player.yaw = yaw.unwrap_or(player.yaw);
            Ok((game, None))
        }
        Begin::Replay {
            path,
            changed_level,
        } => {
            let (game, playback) = begin_replay(level, path, *changed_level)?;
            Ok((game, Some(playback)))
        }
    }
}

/// Draws the start, or pictures of the level's tour, if there is no display.
fn draw_instead(args: &Args, choice: &LevelChoice) -> Result<CommandOutcome, Error> {
    let level = load(path_of(choice))?;
    let mut views = if let Some(path) = &args.replay {
        eprint_line("there is no display: drawing pictures of the replay instead");
        views_of_replay(&level, path, args.changed_level)?
    } else if args.start.place().is_some() {
        eprint_line("there is no display: drawing a picture from there instead");
        let game = args.start.game(&level, Start::Default, PLAYER)?;
        vec![view(&level, &game)]
    } else {
        eprint_line(
            "there is no display: walking the level's tour and drawing pictures of it instead",
        );
        let walk = match choice {
            // The tour is optional: without a tour, other views are drawn.
            LevelChoice::File(path) => read_walk(&path.with_extension("walk")).ok(),
            LevelChoice::Shipped(name) => {
                built_in(Path::new(name)).map(|level| level.tour.to_owned())
            }
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
    draw(&level, path_of(choice), &views)?;
    Ok(CommandOutcome::Good)
}

/// Returns the level that a path names; by default the first shipped level.
fn choice(path: Option<&Path>, commands: &[String]) -> Result<LevelChoice, Error> {
    let Some(path) = path else {
        return Ok(LevelChoice::Shipped(BUILT_IN[0].name));
    };
    match built_in(path) {
        Some(level) => Ok(LevelChoice::Shipped(level.name)),
        None => no_such_level(path, commands)
            .map_or_else(|| Ok(LevelChoice::File(path.to_owned())), Err),
    }
}

/// Returns the file of a level, or its name.
fn path_of(choice: &LevelChoice) -> &Path {
    match choice {
        LevelChoice::File(path) => path,
        LevelChoice::Shipped(name) => Path::new(name),
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

/// Walks the tour; returns views at the ends of evenly chosen legs.
fn views_of_tour(level: &Level, walk: &str) -> Result<Vec<PictureView>, Error> {
    let problem = |errors: Vec<opendoor::testing::WalkError>| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Error::Walk {
            path: Path::new(&level.name).with_extension("walk"),
            problem: lines.join("\n"),
        }
    };
    let walk = parse_lines(walk);
    let (start, body) = (walk.start.clone(), walk.body.unwrap_or(PLAYER));
    let mut tour = Tour::new(level, walk).map_err(problem)?;
    let mut game = Game::start(level, &start, body)?;
    let mut views = vec![view(level, &game)];
    let mut legs = 0;
    while let Some(input) = tour.next(level, &mut game) {
        if tour.legs.len() > legs {
            legs = tour.legs.len();
            views.push(view(level, &game));
        }
        if game.tick >= MAX_TICKS {
            tour.cut_short(level, &game);
            break;
        }
        game.tick(level, &[input]);
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

/// Plays the replay; returns views at evenly chosen ticks.
fn views_of_replay(
    level: &Level,
    path: &Path,
    changed_level: bool,
) -> Result<Vec<PictureView>, Error> {
    let (mut game, mut playback) = begin_replay(level, path, changed_level)?;
    let every = playback.replay().ticks().div_ceil(MAX_PICTURES).max(1);
    let mut views = Vec::new();
    while playback.begin_tick(level, &mut game) {
        // The tick that was begun has not run yet.
        if (playback.ticks_done() - 1).is_multiple_of(every) {
            views.push(view(level, &game));
        }
        game.tick(level, playback.inputs());
    }
    if let Some(divergence) = playback.divergence() {
        eprint_line(&divergence.to_string());
    }
    Ok(views)
}

/// Returns the player's view.
fn view(level: &Level, game: &Game) -> PictureView {
    PictureView {
        camera: camera_of(level, game, FOV_DEG, ASPECT),
        world: game.world().clone(),
        path: PathBuf::new(),
    }
}

/// Returns views from the spawns, then from the middle of rooms.
fn views_of_rooms(level: &Level) -> Vec<PictureView> {
    let world = World::of(level);
    let from_spawns = level.spawns.iter().filter_map(|spawn| {
        let start = Start::Spawn(spawn.name.clone());
        let game = Game::start(level, &start, PLAYER).ok()?;
        Some(camera_of(level, &game, FOV_DEG, ASPECT))
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
    let views = from_spawns.chain(from_rooms).map(|camera| PictureView {
        camera,
        world: world.clone(),
        path: PathBuf::new(),
    });
    views.take(MAX_PICTURES).collect()
}
