//! `opendoor shot`: draws one picture offscreen.

use std::path::PathBuf;
use std::time::Instant;

use glam::DVec3;
use opendoor::frame::{self, FOV_DEG, Frame};
use opendoor::game::{Game, PLAYER, Start};
use opendoor::gpu::Overlay;
use opendoor::gpu::{Gpu, Offscreen, Quality, Renderer};
use opendoor::level::{self, At, AuthorPoint, Level, Problems, RoomId};
use opendoor::lighting::Lighting;
use opendoor::map::Plan;
use opendoor::overlay::{Contents, PlanView};
use opendoor::visibility::{Camera, Culling, Visibility, VisibleRoom, flood, visible_rooms};
use opendoor::world::World;
use serde::Serialize;

use super::messages::eprint_line;
use super::output::Output;
use super::{Error, Outcome};

/// Draw one picture offscreen, to a PNG
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Level to draw: a .glb or .gltf file
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    /// PNG file to write
    #[arg(short = 'o', long = "output", value_name = "OUT.png", value_parser = parse_png)]
    output: PathBuf,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    size: [u32; 2],
    /// Where the eye is, in the author's coordinates, metres [default: at the first spawn]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = super::point)]
    eye: Option<DVec3>,
    /// Degrees from -Z, positive to the left [default: 0, or that of the spawn]
    #[arg(long, value_name = "DEG", allow_hyphen_values = true, value_parser = super::finite)]
    yaw: Option<f64>,
    /// Degrees, positive up
    #[arg(long, value_name = "DEG", default_value_t = 0.0, allow_hyphen_values = true,
          value_parser = super::finite)]
    pitch: f64,
    /// Vertical field of view, degrees, 1 to 170
    #[arg(long, value_name = "DEG", default_value_t = FOV_DEG, value_parser = parse_fov)]
    fov: f64,
    /// How the rooms to draw are chosen
    #[arg(long, value_enum, default_value_t = Cull::Portals)]
    cull: Cull,
    /// What to draw over the picture
    #[arg(long, value_enum, value_delimiter = ',')]
    show: Vec<Show>,
    /// Print one JSON object on stdout
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Cull {
    /// Rooms that are visible through portals
    Portals,
    /// Rooms whose box is in the view
    Frustum,
    /// All rooms
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Show {
    /// Outlines of portals
    Portals,
    /// Names of the visible rooms
    Visible,
    /// How many rooms, triangles and draw calls
    Figures,
    /// Edges of culled rooms
    Culled,
    /// Rooms in colours
    Rooms,
    /// Lights, and how they reach the rooms
    Lights,
    /// What `check` finds: rims of holes and places of other problems, in red
    Leaks,
    /// A plan of the rooms
    Plan,
}

/// The answer of `--json`. Scripts rely on the names.
#[derive(Serialize)]
struct Report<'a> {
    rooms_visible: Vec<&'a str>,
    rooms_drawn: usize,
    triangles_drawn: u64,
    draw_calls: usize,
    visibility_us: f64,
    frame_ms: f64,
    adapter: String,
}

/// Draws the picture and reports what was drawn.
pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let output = Output::at(&args.output)?;
    let level = super::load(&args.level)?;
    let aspect = f64::from(args.size[0]) / f64::from(args.size[1]);
    let world = World::of(&level);
    let mut culling = match args.cull {
        Cull::Portals => Culling::Portals,
        Cull::Frustum => Culling::Frustum,
        Cull::None => Culling::None,
    };
    let mut is_in_room = true;
    let camera = match args.eye {
        Some(author) => {
            let eye = level.from_author(AuthorPoint(author));
            let room = level::locate(&level, eye).unwrap_or_else(|| {
                eprint_line("warning: the eye is in no room: drawing every room");
                culling = Culling::None;
                is_in_room = false;
                RoomId(0)
            });
            let angles = [args.yaw.unwrap_or(0.0), args.pitch];
            Camera::new(At::new(room, eye), angles, args.fov, aspect)
        }
        None => {
            let mut game = Game::start(&level, &Start::Default, PLAYER)?;
            game.player.yaw = args.yaw.unwrap_or(game.player.yaw);
            game.player.pitch = args.pitch;
            game.camera(&level, 1.0, args.fov, aspect)
        }
    };

    let problems = if args.show.contains(&Show::Leaks) {
        super::check::inspect(&args.level).problems
    } else {
        Problems::default()
    };
    let gpu = Gpu::open()?;
    let picture = Offscreen::new(&gpu, args.size)?;
    let lighting = super::light(&level, &world);
    let quality = Quality::default();
    let mut renderer = Renderer::new(&gpu, Offscreen::FORMAT, &level, &lighting, quality)?;
    let mut visibility = Visibility::default();
    let mut frame = Frame::default();
    visible_rooms(culling, &level, &world, &camera, &mut visibility);
    frame::compose(&level, &world, &camera, &visibility.rooms, &mut frame);
    let mut overlay = overlay(&gpu, args, &level, &world, &camera, &visibility, &frame);
    // Once unmeasured: the first time fills caches and compiles shaders, which delays no later frame
    // of a walk.
    let mut visibility_us = 0.0;
    let mut frame_ms = 0.0;
    for _ in 0..if args.json { 2 } else { 1 } {
        let start = Instant::now();
        visible_rooms(culling, &level, &world, &camera, &mut visibility);
        visibility_us = start.elapsed().as_secs_f64() * 1e6;
        frame::compose(&level, &world, &camera, &visibility.rooms, &mut frame);
        let rooms = &visibility.rooms;
        draw_debug(args, &level, &world, &camera, rooms, &lighting, &mut frame);
        let problems = problems.errors.iter().chain(&problems.warnings);
        frame::add_problems(&level, problems, &camera, &mut frame);
        let start = Instant::now();
        picture.draw(&gpu, |encoder, target| {
            renderer.draw(&gpu, encoder, &lighting, &frame, target)?;
            overlay.draw(&gpu, encoder, target);
            Ok(())
        });
        picture.wait(&gpu)?;
        frame_ms = start.elapsed().as_secs_f64() * 1e3;
    }
    output.write(&picture.png(&gpu)?)?;
    if args.json {
        if is_in_room {
            flood(&level, &world, &camera, &mut visibility);
        }
        let names = visibility.rooms.iter();
        super::print_json(&Report {
            rooms_visible: names.map(|r| level.room(r.room).name.as_str()).collect(),
            rooms_drawn: frame.rooms_drawn,
            triangles_drawn: frame.triangles_drawn,
            draw_calls: frame.draws.len(),
            visibility_us,
            frame_ms,
            adapter: gpu.adapter(),
        })?;
    }
    Ok(Outcome::Good)
}

/// Adds what `--show` asks for to the frame.
fn draw_debug(
    args: &Args,
    level: &Level,
    world: &World,
    camera: &Camera,
    rooms: &[VisibleRoom],
    lighting: &Lighting,
    frame: &mut Frame,
) {
    if args.show.contains(&Show::Portals) {
        frame::add_portal_outlines(level, world, camera, rooms, frame);
    }
    if args.show.contains(&Show::Culled) {
        frame::add_culled(level, camera, rooms, frame);
    }
    if args.show.contains(&Show::Rooms) {
        frame::tint_rooms(level, frame);
    }
    if args.show.contains(&Show::Lights) {
        frame::add_lights(lighting, camera, rooms, frame);
    }
}

/// The text and the plan that `--show` asks for.
fn overlay(
    gpu: &Gpu,
    args: &Args,
    level: &Level,
    world: &World,
    camera: &Camera,
    visibility: &Visibility,
    frame: &Frame,
) -> Overlay {
    let mut text = String::new();
    if args.show.contains(&Show::Figures) {
        text = format!(
            "rooms drawn {} of {}\ntriangles   {}\ndraw calls  {}\n",
            frame.rooms_drawn,
            level.rooms.len(),
            frame.triangles_drawn,
            frame.draws.len()
        );
    }
    if args.show.contains(&Show::Visible) {
        for visible in &visibility.rooms {
            text.push_str(&level.room(visible.room).name);
            text.push('\n');
        }
    }
    let shows_plan = args.show.contains(&Show::Plan);
    let plan = shows_plan.then(|| Plan::of(level));
    let contents = Contents {
        text: &text,
        plan: plan.as_ref().map(|plan| PlanView {
            plan,
            level,
            world,
            camera,
            visible: &visibility.rooms,
        }),
        ..Contents::default()
    };
    let mut overlay = Overlay::new(gpu, Offscreen::FORMAT);
    overlay.set_contents(gpu, args.size, 1.0, &contents);
    overlay
}

/// A file without an ending, such as /dev/stdout, gets a PNG too.
fn parse_png(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(ending) if !ending.eq_ignore_ascii_case("png") => {
            Err("pictures are written as PNG: end the name in .png".to_owned())
        }
        _ => Ok(path),
    }
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']);
    let sides = sides.and_then(|(w, h)| Some([w.trim().parse().ok()?, h.trim().parse().ok()?]));
    sides
        .filter(|sides| sides.iter().all(|n| (1..=16384).contains(n)))
        .ok_or_else(|| "write width x height in pixels, 1 to 16384 each, as in 1280x720".to_owned())
}

fn parse_fov(text: &str) -> Result<f64, String> {
    let degrees = super::finite(text)?;
    if (1.0..=170.0).contains(&degrees) {
        Ok(degrees)
    } else {
        Err("a field of view is 1 to 170 degrees".to_owned())
    }
}
