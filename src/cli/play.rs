//! `opendoor play`: walks through a level in a window, or without a display draws its tour.

use std::path::{Path, PathBuf};

use opendoor::files;
use opendoor::frame::{self, FOV_DEG, Frame};
use opendoor::game::{Game, PLAYER, Start};
use opendoor::gpu::{Gpu, Offscreen, Quality, Renderer};
use opendoor::level::{self, At, Level};
use opendoor::testing::{Tour, parse};
use opendoor::visibility::{Camera, Visibility, flood};
use opendoor::window::{self, Options, WindowError};
use opendoor::world::World;

use super::messages::eprint_line;
use super::output::Output;
use super::sim::MAX_WALK_BYTES;
use super::{Error, Outcome};

/// The level that is walked where none is named, and its tour.
const HOUSE: (&str, &[u8], &str) = (
    "house.glb",
    include_bytes!("../../levels/house.glb"),
    include_str!("../../levels/house.walk"),
);

/// Size of the tour's pictures.
const SIZE: [u32; 2] = [1280, 720];
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
    /// Where there is no display: folder for the pictures of the tour
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Say on stderr how long the level took each time that it was saved and loaded again
    #[arg(long)]
    timings: bool,
}

/// What one picture of the tour shows.
struct View {
    camera: Camera,
    world: World,
}

/// Opens the window, or draws the tour where there is no display.
pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let path = args.level.clone();
    let name = match &path {
        Some(path) => path.file_name().unwrap_or_default().to_string_lossy(),
        None => HOUSE.0.into(),
    };
    let options = Options {
        name: &name,
        file: path.as_deref(),
        report: args.timings.then_some(eprint_line),
    };
    let walked = window::run(options, {
        let path = path.clone();
        move |progress| {
            let level = load(path.as_deref())?;
            let lighting = super::bake_with_progress(&level, &World::of(&level), progress);
            Ok((level, lighting))
        }
    });
    match walked {
        Err(Error::Window(WindowError::NoDisplay(_))) => {
            let level = load(path.as_deref())?;
            eprint_line(
                "there is no display: walking the level's tour and drawing pictures of it instead",
            );
            let walk = match &path {
                // The tour is optional: without one there are other views.
                Some(path) => files::read_text(&path.with_extension("walk"), MAX_WALK_BYTES).ok(),
                None => Some(HOUSE.2.to_owned()),
            };
            let views = match walk {
                Some(walk) => views_of_tour(&level, &walk)?,
                None => views_of_rooms(&level),
            };
            draw(&level, &views, &args.out)?;
            Ok(Outcome::Good)
        }
        walked => walked.map(|()| Outcome::Good),
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
    let mut tour = Tour::new(level, parse(walk).map_err(problem)?).map_err(problem)?;
    let mut game = Game::start(level, &Start::Default, PLAYER)?;
    let view = |game: &mut Game| View {
        camera: game.camera(level, 1.0, FOV_DEG, aspect()),
        world: game.world().clone(),
    };
    let mut views = vec![view(&mut game)];
    let mut legs = 0;
    while let Some(input) = tour.next(level, &mut game) {
        if tour.legs.len() > legs {
            legs = tour.legs.len();
            views.push(view(&mut game));
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

/// Views from the spawns, then from the middle of rooms.
fn views_of_rooms(level: &Level) -> Vec<View> {
    let world = World::of(level);
    let from_spawns = level.spawns.iter().filter_map(|spawn| {
        let start = Start::Spawn(spawn.name.clone());
        let mut game = Game::start(level, &start, PLAYER).ok()?;
        Some(game.camera(level, 1.0, FOV_DEG, aspect()))
    });
    let from_rooms = level.rooms.iter().filter_map(|room| {
        let middle = room.bounds.centre();
        let found = level::locate(level, middle)?;
        Some(Camera::new(
            At::new(found, middle),
            [0.0, 0.0],
            FOV_DEG,
            aspect(),
        ))
    });
    let views = from_spawns.chain(from_rooms).map(|camera| View {
        camera,
        world: world.clone(),
    });
    views.take(MAX_PICTURES).collect()
}

fn draw(level: &Level, views: &[View], folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::Write {
        path: folder.to_owned(),
        error,
    })?;
    let path = |number: usize| folder.join(format!("opendoor-tour-{number:02}.png"));
    let outputs = (1..=views.len()).map(|number| Output::at(&path(number)));
    let outputs: Vec<Output> = outputs.collect::<Result<_, _>>()?;
    let gpu = Gpu::open()?;
    let picture = Offscreen::new(&gpu, SIZE)?;
    let mut lighting = super::light(level, &World::of(level));
    let quality = Quality::default();
    let mut renderer = Renderer::new(&gpu, Offscreen::FORMAT, level, &lighting, quality)?;
    let mut visibility = Visibility::default();
    let mut frame = Frame::default();
    for ((number, view), output) in (1..).zip(views).zip(outputs) {
        lighting.update(level, &view.world);
        flood(level, &view.world, &view.camera, &mut visibility);
        let rooms = &visibility.rooms;
        frame::compose(level, &view.world, &view.camera, rooms, &mut frame);
        picture.draw(&gpu, |encoder, target| {
            renderer.draw(&gpu, encoder, &lighting, &frame, target)
        });
        output.write(&picture.png(&gpu)?)?;
        let room = &level.room(view.camera.at.room).name;
        eprint_line(&format!(
            "{}: {room}, {} of {} rooms drawn",
            path(number).display(),
            frame.rooms_drawn,
            level.rooms.len()
        ));
    }
    Ok(())
}

fn aspect() -> f64 {
    f64::from(SIZE[0]) / f64::from(SIZE[1])
}
