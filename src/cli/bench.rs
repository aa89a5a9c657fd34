//! `opendoor bench`: times simulation, visibility and drawing on a level.

use std::path::PathBuf;
use std::time::Instant;

#[cfg(feature = "window")]
use opendoor::frame::Viewer;
use opendoor::game::{FIRST_PLAYER, Game, Input, PLAYER, Start};
#[cfg(feature = "window")]
use opendoor::gpu::{Gpu, GpuError, Offscreen, RenderQuality, Renderer};
use opendoor::level::Level;
#[cfg(feature = "window")]
use opendoor::visibility::Culling;
use opendoor::visibility::{Camera, Visibility, flood};
use serde::Serialize;

use super::levels::load;
#[cfg(feature = "window")]
use super::messages::eprint_line;
#[cfg(feature = "window")]
use super::pictures::PictureQuality;
use super::progress::with_status;
use super::walks::camera_of;
use super::{CommandOutcome, Error, print, print_json};

/// The length of a straight walk, ticks. These ticks are timed together, since a single tick takes about as long as
/// reading the clock.
const STRAIGHT_TICKS: u32 = 48;

/// The number of timed directions.
const DIRECTIONS: usize = 200;
/// The number of untimed directions before the timed ones; they warm the caches.
const WARM_DIRECTIONS: usize = 10;

/// The number of repeated measurements of a view. The shortest time counts, so that interruptions do not.
const VIEW_REPEATS: usize = 5;

/// The number of views of the walk that are drawn: a software driver takes a second per view.
#[cfg(feature = "window")]
const VIEWS_DRAWN: usize = 12;

/// Time simulation, visibility and drawing on a level.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The level: a .glb or .gltf file, or the name of one that comes with the program.
    level: PathBuf,
    /// How finely the light of lamps is drawn [default: as in play: low on software drivers].
    #[cfg(feature = "window")]
    #[arg(long, value_enum)]
    quality: Option<PictureQuality>,
    /// Print one JSON object on stdout.
    #[arg(long)]
    json: bool,
}

/// The answer of `--json`. Scripts rely on the names.
#[derive(Debug, Serialize)]
struct BenchAnswer {
    load_ms: f64,
    rooms: usize,
    portals: usize,
    triangles: usize,
    resident_bytes: Option<u64>,
    sim: Sim,
    visibility: Views,
    frame: Option<FrameTimes>,
}

#[derive(Debug, Serialize)]
struct Sim {
    ns_per_tick: f64,
}

#[derive(Debug, Serialize)]
struct Views {
    us_median: f64,
    us_max: f64,
    visits_max: usize,
    sprawls_max: usize,
}

#[derive(Debug, Serialize)]
struct FrameTimes {
    cpu_ms: f64,
    gpu_ms: f64,
    draw_calls: usize,
}

/// Times a walk, and the views along it.
pub(crate) fn run(args: &Args) -> Result<CommandOutcome, Error> {
    let before = Instant::now();
    let level = load(&args.level)?;
    let load_ms = 1e3 * before.elapsed().as_secs_f64();
    let resident_bytes = resident_bytes();
    let mut game = Game::new(&level)?;
    let mut player = Game::start(&level, &Start::Default, PLAYER)?;
    let (sim, cameras) = with_status("walking", || {
        let sim = time_walk(&level, &mut game);
        (sim, views_of_walk(&level, &mut player))
    });
    #[cfg(feature = "window")]
    let frame = {
        let drawn = with_status("drawing", || time_frames((&level, &game), args, &cameras));
        drawn.map_err(|error| eprint_line(&error.to_string())).ok()
    };
    #[cfg(not(feature = "window"))]
    let frame = None;
    let answer = BenchAnswer {
        load_ms,
        rooms: level.rooms.len(),
        portals: level.links.len(),
        triangles: level.rooms.iter().map(|r| r.triangles as usize).sum(),
        resident_bytes,
        sim,
        visibility: time_views(&level, &game, &cameras),
        frame,
    };
    if args.json {
        print_json(&answer)?;
    } else {
        print_summary(&answer)?;
    }
    Ok(CommandOutcome::Good)
}

/// Times a body that walks in pseudo-random directions, the same in every run.
fn time_walk(level: &Level, game: &mut Game) -> Sim {
    let mut times = Vec::with_capacity(DIRECTIONS);
    walk(level, game, |game| {
        let before = Instant::now();
        walk_straight(level, game);
        times.push(before.elapsed().as_nanos() as f64 / f64::from(STRAIGHT_TICKS));
    });
    let ns_per_tick = median(&mut times);
    Sim { ns_per_tick }
}

/// Returns the views of the same walk, at each change of direction.
fn views_of_walk(level: &Level, game: &mut Game) -> Vec<Camera> {
    let mut cameras = Vec::with_capacity(DIRECTIONS);
    walk(level, game, |game| {
        walk_straight(level, game);
        cameras.push(camera_of(level, game, 70.0, 16.0 / 9.0));
    });
    cameras
}

/// Turns the body to one direction after the other and calls `straight` to walk there. The first directions only warm
/// the caches, without calling `straight`.
fn walk(level: &Level, game: &mut Game, mut straight: impl FnMut(&mut Game)) {
    let mut turns = Turns(1);
    for direction in 0..WARM_DIRECTIONS + DIRECTIONS {
        game.players[FIRST_PLAYER].yaw = turns.next_degrees();
        if direction < WARM_DIRECTIONS {
            walk_straight(level, game);
        } else {
            straight(game);
        }
    }
}

fn walk_straight(level: &Level, game: &mut Game) {
    let input = Input {
        forward: 1.0,
        ..Input::default()
    };
    for _ in 0..STRAIGHT_TICKS {
        game.tick(level, &[input]);
    }
}

fn time_views(level: &Level, game: &Game, cameras: &[Camera]) -> Views {
    let mut visibility = Visibility::default();
    let mut times = Vec::with_capacity(cameras.len());
    let (mut visits_max, mut sprawls_max) = (0, 0);
    for camera in cameras {
        let mut best = f64::INFINITY;
        for _ in 0..VIEW_REPEATS {
            let before = Instant::now();
            flood(level, game.world(), camera, &mut visibility);
            best = best.min(1e6 * before.elapsed().as_secs_f64());
        }
        times.push(best);
        visits_max = visits_max.max(visibility.visits);
        sprawls_max = sprawls_max.max(visibility.sprawls);
    }
    Views {
        us_median: median(&mut times),
        us_max: times.iter().copied().fold(0.0, f64::max),
        visits_max,
        sprawls_max,
    }
}

/// Draws some of the views offscreen at 1280 x 720, if there is a graphics driver, and returns the medians. The GPU
/// time is measured by timestamps, or without them from the submission until the GPU is idle.
#[cfg(feature = "window")]
fn time_frames(
    (level, game): (&Level, &Game),
    args: &Args,
    cameras: &[Camera],
) -> Result<FrameTimes, GpuError> {
    let gpu = Gpu::open()?;
    let picture = Offscreen::new(&gpu, [1280, 720])?;
    let mut viewer = Viewer::new(super::light(level, &args.level, game.world()));
    let quality = args.quality.map(PictureQuality::of_renderer);
    let quality = quality.unwrap_or_else(|| RenderQuality::live(&gpu));
    let quality = quality.supported_by(&gpu);
    viewer.lighting.set_lamps(quality.lamps);
    viewer.set_reflections(quality.reflects());
    let mut renderer = Renderer::new(&gpu, Offscreen::FORMAT, level, &viewer.lighting, quality)?;
    let (mut cpu_ms, mut gpu_ms, mut draw_calls) = (Vec::new(), Vec::new(), Vec::new());
    let cameras = cameras.iter().step_by((cameras.len() / VIEWS_DRAWN).max(1));
    for camera in cameras {
        // Every picture is drawn twice: the first time fills caches and draws the shadow maps of lights that become
        // visible, which happens in few frames of a walk.
        for is_warm in [false, true] {
            let before = Instant::now();
            viewer.compose(level, game.world(), camera, (Culling::Portals, camera));
            picture.draw(&gpu, |encoder, target| {
                renderer.draw(&gpu, encoder, &viewer.lighting, &viewer.frame, target)
            });
            let submitted = Instant::now();
            picture.wait(&gpu)?;
            let waited = submitted.elapsed();
            let took = renderer.gpu_time(&gpu).unwrap_or(waited);
            if is_warm {
                cpu_ms.push(1e3 * (submitted - before).as_secs_f64());
                gpu_ms.push(1e3 * took.as_secs_f64());
                draw_calls.push(viewer.frame.draws.len() as f64);
            }
        }
    }
    Ok(FrameTimes {
        cpu_ms: median(&mut cpu_ms),
        gpu_ms: median(&mut gpu_ms),
        draw_calls: median(&mut draw_calls) as usize,
    })
}

/// Prints the answer as text.
fn print_summary(answer: &BenchAnswer) -> Result<(), Error> {
    let views = &answer.visibility;
    let frame = match &answer.frame {
        Some(frame) => format!(
            "a frame {:.2} ms on the CPU, {:.2} ms on the GPU, {} draw calls",
            frame.cpu_ms, frame.gpu_ms, frame.draw_calls
        ),
        None => "nothing drawn".to_owned(),
    };
    print(&format!(
        "loaded in {:.0} ms: {} rooms, {} portals, {} triangles\n\
         a tick {:.0} ns; visibility {:.1} us median, {:.1} us worst, {} visits and {} sprawls tested at most\n{frame}\n",
        answer.load_ms,
        answer.rooms,
        answer.portals,
        answer.triangles,
        answer.sim.ns_per_tick,
        views.us_median,
        views.us_max,
        views.visits_max,
        views.sprawls_max,
    ))
}

/// Pseudo-random directions, the same in every run: the generator of Knuth's MMIX.
struct Turns(u64);

impl Turns {
    fn next_degrees(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1 << 24) * 360.0 - 180.0
    }
}

/// Returns the median, or 0 for an empty slice.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Returns the resident memory of the process, bytes; `None` on systems other than Linux.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
