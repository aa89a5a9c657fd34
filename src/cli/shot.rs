//! `opendoor shot`: draws one picture offscreen.

use std::path::PathBuf;
use std::time::Instant;

use glam::DVec3;
use opendoor::frame::{self, FOV_DEG, Viewer};
use opendoor::game::{FIRST_PLAYER, Game, PLAYER, Start, ThirdPerson};
use opendoor::gpu::{Offscreen, Overlay};
use opendoor::level::{self, At, AuthorPoint, Level, RoomId};
use opendoor::map::Plan;
use opendoor::overlay::{OverlayContents, PlanView};
use opendoor::problems::Problems;
use opendoor::visibility::{Camera, Culling, VisibleRoom, flood};
use opendoor::world::World;
use serde::Serialize;

use super::messages::eprint_line;
use super::output::Output;
use super::pictures::{PictureQuality, Studio};
use super::{CommandOutcome, Error, levels, walks};

/// Draw one picture offscreen, to a PNG
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Level to draw: a .glb or .gltf file, or the name of one that comes with the program
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    /// PNG file to write
    #[arg(short = 'o', long = "output", value_name = "OUT.png", value_parser = parse_png)]
    output: PathBuf,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = super::pictures::parse_size)]
    size: [u32; 2],
    /// How finely the light of lamps is drawn
    #[arg(long, value_enum, default_value_t = PictureQuality::High)]
    quality: PictureQuality,
    /// Where the eye is, in the author's coordinates, metres [default: at `player-spawn`, or the file's first]
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
    #[arg(long, value_name = "DEG", default_value_t = FOV_DEG,
          value_parser = super::pictures::parse_fov, allow_negative_numbers = true)]
    fov: f64,
    /// Draw the player's view in a replay, which F10 in `play` writes, instead of the view from a place
    #[arg(long, value_name = "FILE", conflicts_with_all = ["eye", "yaw", "pitch"])]
    replay: Option<PathBuf>,
    /// After how many ticks of the replay, sixty a second [default: at its end]
    #[arg(
        long,
        value_name = "N",
        requires = "replay",
        value_parser = super::whole::<usize>, allow_negative_numbers = true
    )]
    at_tick: Option<usize>,
    /// Play the replay also if the level is not the one that it was recorded in, or was changed since
    #[arg(long, requires = "replay")]
    changed_level: bool,
    /// See the player from behind; with --eye: draw the player, who stands at the default spawn
    #[arg(long)]
    third_person: bool,
    /// How the rooms to draw are chosen
    #[arg(long, value_enum, default_value_t = Cull::Portals)]
    cull: Cull,
    /// Layers to draw over the picture, several with commas between them
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
    /// Problems that `check` finds: rims of holes and places of other problems, in red
    Leaks,
    /// A plan of the rooms
    Plan,
}

/// The answer of `--json`. Scripts rely on the names.
#[derive(Serialize)]
struct ShotReport<'a> {
    rooms_visible: Vec<&'a str>,
    rooms_drawn: usize,
    triangles_drawn: u64,
    draw_calls: usize,
    visibility_us: f64,
    frame_ms: f64,
    /// The factor of lights: a white surface that faces a lamp of 1 cd at 1 m has this radiance, 1 being white.
    exposure: f32,
    adapter: String,
}

/// The contents of the picture.
struct PictureContents {
    world: World,
    camera: Camera,
    /// The third-person view, if the player is drawn.
    seen: Option<ThirdPerson>,
    culling: Culling,
    /// Whether the eye is in a room.
    is_in_room: bool,
    /// Whether the replay reproduced its recording.
    went_well: bool,
}

/// Draws the picture and reports its contents; the outcome is bad if the replay diverged from the recording.
pub(crate) fn run(args: &Args) -> Result<CommandOutcome, Error> {
    let output = Output::at(&args.output)?;
    let level = levels::load(&args.level)?;
    let scene = scene(args, &level)?;
    let (world, camera) = (&scene.world, &scene.camera);
    let problems = if args.show.contains(&Show::Leaks) {
        levels::inspect(&args.level).problems
    } else {
        Problems::default()
    };
    let mut studio = Studio::open(&level, &args.level, args.size, args.quality)?;
    let culled_by = (scene.culling, camera);
    studio.compose(world, camera, culled_by);
    let mut overlay = overlay(args, &level, world, camera, &studio);
    // The first drawing is not measured: it fills caches and compiles shaders, which delays no later frame of a walk.
    let mut visibility_us = 0.0;
    let mut frame_ms = 0.0;
    for _ in 0..if args.json { 2 } else { 1 } {
        visibility_us = studio.compose(world, camera, culled_by).as_secs_f64() * 1e6;
        if let Some(seen) = &scene.seen {
            studio.add_person(world, camera, seen)?;
        }
        draw_debug(args, &level, world, camera, &mut studio);
        let problems = problems.errors.iter().chain(&problems.warnings);
        frame::add_problems(&level, problems, camera, &mut studio.viewer.frame);
        let start = Instant::now();
        let Studio {
            gpu,
            picture,
            viewer,
            renderer,
            ..
        } = &mut studio;
        picture.draw(gpu, |encoder, target| {
            renderer.draw(gpu, encoder, &viewer.lighting, &viewer.frame, target)?;
            overlay.draw(gpu, encoder, target);
            Ok(())
        });
        picture.wait(gpu)?;
        frame_ms = start.elapsed().as_secs_f64() * 1e3;
    }
    output.write(&studio.picture.png(&studio.gpu)?)?;
    if args.json {
        if scene.is_in_room {
            flood(&level, world, camera, &mut studio.viewer.visibility);
        }
        let names = studio.viewer.visibility.rooms.iter();
        super::print_json(&ShotReport {
            rooms_visible: names.map(|r| level.room(r.room).name.as_str()).collect(),
            rooms_drawn: studio.viewer.frame.rooms_drawn,
            triangles_drawn: studio.viewer.frame.triangles_drawn,
            draw_calls: studio.viewer.frame.draws.len(),
            visibility_us,
            frame_ms,
            exposure: studio.viewer.lighting.exposure,
            adapter: studio.gpu.adapter(),
        })?;
    }
    Ok(if scene.went_well {
        CommandOutcome::Good
    } else {
        CommandOutcome::Bad
    })
}

/// Returns the picture contents for the arguments.
fn scene(args: &Args, level: &Level) -> Result<PictureContents, Error> {
    let aspect = f64::from(args.size[0]) / f64::from(args.size[1]);
    let culling = match args.cull {
        Cull::Portals => Culling::Portals,
        Cull::Frustum => Culling::Frustum,
        Cull::None => Culling::None,
    };
    if let Some(author) = args.eye {
        let eye = level.from_author(AuthorPoint(author));
        let room = level::locate(level, eye);
        if room.is_none() {
            eprint_line("warning: the eye is in no room: drawing every room");
        }
        let angles = [args.yaw.unwrap_or(0.0), args.pitch];
        let at = At::new(room.unwrap_or(RoomId(0)), eye);
        let mut seen = None;
        if args.third_person {
            let mut game = Game::start(level, &Start::Default, PLAYER)?;
            seen = Some(ThirdPerson {
                shows_figure: true,
                ..game.third_person(level, FIRST_PLAYER, 1.0, args.fov, aspect)
            });
        }
        return Ok(PictureContents {
            world: World::of(level),
            camera: Camera::new(at, angles, args.fov, aspect),
            seen,
            culling: if room.is_some() {
                culling
            } else {
                Culling::None
            },
            is_in_room: room.is_some(),
            went_well: true,
        });
    }
    let mut went_well = true;
    let mut game = if let Some(path) = &args.replay {
        let (game, walker) = walks::replay_until(level, path, args.changed_level, args.at_tick)?;
        went_well = walker.print_failures();
        game
    } else {
        let mut game = Game::start(level, &Start::Default, PLAYER)?;
        let player = &mut game.players[FIRST_PLAYER];
        player.yaw = args.yaw.unwrap_or(player.yaw);
        player.pitch = args.pitch;
        game
    };
    let seen = args
        .third_person
        .then(|| game.third_person(level, FIRST_PLAYER, 1.0, args.fov, aspect));
    Ok(PictureContents {
        camera: match &seen {
            Some(seen) => seen.camera,
            None => walks::camera_of(level, &game, args.fov, aspect),
        },
        seen,
        world: game.world().clone(),
        culling,
        is_in_room: true,
        went_well,
    })
}

/// Adds the debug lines that `--show` names to the frame.
fn draw_debug(args: &Args, level: &Level, world: &World, camera: &Camera, studio: &mut Studio) {
    let Viewer {
        lighting,
        visibility,
        frame,
        ..
    } = &mut studio.viewer;
    let rooms: &[VisibleRoom] = &visibility.rooms;
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

/// Returns the text and the plan that `--show` names.
fn overlay(args: &Args, level: &Level, world: &World, camera: &Camera, studio: &Studio) -> Overlay {
    let (visibility, frame) = (&studio.viewer.visibility, &studio.viewer.frame);
    let gpu = &studio.gpu;
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
    let contents = OverlayContents {
        text: &text,
        plan: plan.as_ref().map(|plan| PlanView {
            plan,
            level,
            world,
            camera,
            visible: &visibility.rooms,
        }),
        ..OverlayContents::default()
    };
    let mut overlay = Overlay::new(gpu, Offscreen::FORMAT);
    overlay.set_contents(gpu, args.size, 1.0, &contents);
    overlay
}

/// Parses the path of a PNG file. A path without an extension, such as /dev/stdout, is accepted.
fn parse_png(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(ending) if !ending.eq_ignore_ascii_case("png") => {
            Err("pictures are written as PNG: end the name in .png".to_owned())
        }
        _ => Ok(path),
    }
}
