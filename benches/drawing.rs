//! Cost of a frame, as ratios of alternating measurements: of a huge level to a small one, and with culling to without.
//! Also the CPU time of a frame with 50 rooms, and the cost of a door.
//!
//! `cargo bench -p opendoor-benches --bench drawing`. Needs a graphics driver; a software driver suffices.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints, and fails by panicking"
)]

use opendoor::motion::{Workspace, close_link};
use std::path::Path;
use std::time::Instant;

use opendoor::author::grid_glb;
use opendoor::frame::{self, Frame};
use opendoor::game::{Game, PLAYER, Start};
use opendoor::geometry::Rigid;
use opendoor::gpu::{Gpu, Offscreen, RenderQuality, Renderer};
use opendoor::level::{Level, LinkId, RoomId};
use opendoor::lighting::{Lighting, lightmap};
use opendoor::load::{load, load_bytes};
use opendoor::visibility::{Camera, Culling, Visibility, VisibleRoom, VisibleSet, visible_rooms};
use opendoor::world::World;

const SIZE: [u32; 2] = [640, 360];
const ASPECT: f64 = 640.0 / 360.0;
/// Number of frames; the median counts.
const TURNS: usize = 5;
/// Rooms of the frame whose CPU time is measured.
const ROOMS: usize = 50;
const CPU_TURNS: usize = 200;
/// Size of the image in measurements of the CPU time. The CPU time does not depend on the size, but a software driver
/// occupies cores and caches to draw a large image.
const TINY: [u32; 2] = [32, 18];
const DOOR_TURNS: usize = 9;

/// A level ready to be drawn.
struct Studio<'a> {
    gpu: &'a Gpu,
    level: &'a Level,
    world: World,
    lighting: Lighting,
    renderer: Renderer,
    picture: Offscreen,
    visibility: Visibility,
    frame: Frame,
}

impl<'a> Studio<'a> {
    /// Opens or closes a link.
    fn set_link(&mut self, link: LinkId, open: bool) {
        if open {
            self.world.open(link);
        } else {
            close_link(self.level, &mut self.world, link, []).expect("no body is there");
        }
    }

    fn new(gpu: &'a Gpu, level: &'a Level, size: [u32; 2]) -> Self {
        let world = World::of(level);
        let lighting = Lighting::new(level, &world, lightmap::flat(level));
        let quality = RenderQuality::live(gpu);
        let renderer = Renderer::new(gpu, Offscreen::FORMAT, level, &lighting, quality);
        Self {
            gpu,
            level,
            world,
            lighting,
            renderer: renderer.unwrap(),
            picture: Offscreen::new(gpu, size).unwrap(),
            visibility: Visibility::default(),
            frame: Frame::default(),
        }
    }

    /// Seconds until the frame is finished.
    fn draw(&mut self, camera: &Camera, culling: Culling) -> f64 {
        let before = Instant::now();
        let visibility = &mut self.visibility;
        visible_rooms(culling, self.level, &self.world, camera, visibility);
        let visible = visibility.seen_by(camera);
        frame::compose(self.level, &self.world, camera, &visible, &mut self.frame);
        self.submit();
        self.gpu.wait().unwrap();
        before.elapsed().as_secs_f64()
    }

    fn submit(&mut self) {
        self.picture.draw(self.gpu, |encoder, target| {
            let (renderer, lighting) = (&mut self.renderer, &self.lighting);
            renderer.draw(self.gpu, encoder, lighting, &self.frame, target)
        });
    }
}

fn from_spawn(level: &Level) -> Camera {
    let game = Game::start(level, &Start::Default, PLAYER);
    let game = game.unwrap();
    let collision = game.collision(level);
    let eye = game.players[0].eye(&collision, 1.0, &mut Workspace::default());
    eye.camera(70.0, ASPECT)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Median times of `first` and `second`, seconds. The two alternate, and the first time of each is ignored.
fn in_turns(mut first: impl FnMut() -> f64, mut second: impl FnMut() -> f64) -> (f64, f64) {
    let turns = (0..=TURNS).map(|_| (first(), second()));
    let (a, b): (Vec<f64>, Vec<f64>) = turns.skip(1).unzip();
    (median(a), median(b))
}

/// Seconds until the light follows a link that closes or opens.
fn door(studio: &mut Studio) -> f64 {
    let times = (0..DOOR_TURNS).map(|turn| {
        studio.set_link(LinkId(7), turn % 2 == 1);
        let before = Instant::now();
        assert!(studio.lighting.update(studio.level, &studio.world));
        before.elapsed().as_secs_f64()
    });
    median(times.collect())
}

fn main() {
    let gpu = Gpu::open().unwrap();
    println!("{}, {} x {}", gpu.adapter(), SIZE[0], SIZE[1]);
    let grid = |side| load_bytes("grid", &grid_glb(side, side)).unwrap().0;
    {
        let (small, huge) = (grid(4), grid(128));
        let (mut in_small, mut in_huge) = (
            Studio::new(&gpu, &small, SIZE),
            Studio::new(&gpu, &huge, SIZE),
        );
        let (from_small, from_huge) = (from_spawn(&small), from_spawn(&huge));
        let (a, b) = in_turns(
            || in_small.draw(&from_small, Culling::Portals),
            || in_huge.draw(&from_huge, Culling::Portals),
        );
        let (a_ms, b_ms) = (1e3 * a, 1e3 * b);
        println!(
            "16 rooms {a_ms:.1} ms, 16,384 rooms {b_ms:.1} ms: {:.2}",
            b / a
        );
        println!(
            "a door in 16,384 rooms: {:.1} ms of relighting",
            1e3 * door(&mut in_huge)
        );
    }
    for name in ["labyrinth", "house"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../levels/{name}.glb"));
        let (level, _) = load(&path).unwrap();
        let mut studio = Studio::new(&gpu, &level, SIZE);
        let camera = from_spawn(&level);
        let studio = std::cell::RefCell::new(&mut studio);
        let (culled, whole) = in_turns(
            || studio.borrow_mut().draw(&camera, Culling::Portals),
            || studio.borrow_mut().draw(&camera, Culling::None),
        );
        let (culled_ms, whole_ms) = (1e3 * culled, 1e3 * whole);
        println!(
            "{name}: with culling {culled_ms:.1} ms, without {whole_ms:.1} ms: {:.1}",
            whole / culled
        );
    }
    let level = grid(8);
    let noop = Gpu::open_noop().unwrap();
    for (what, gpu, size) in [
        ("without a driver", &noop, SIZE),
        ("with this driver in a tiny image", &gpu, TINY),
        ("with this driver", &gpu, SIZE),
    ] {
        let mut studio = Studio::new(gpu, &level, size);
        let camera = from_spawn(&level);
        let rooms: Vec<VisibleRoom> = level
            .room_ids()
            .take(ROOMS)
            .map(|room: RoomId| VisibleRoom::unclipped(room, Rigid::IDENTITY))
            .collect();
        let mut times = Vec::new();
        for _ in 0..CPU_TURNS {
            let before = Instant::now();
            let visible = VisibleSet {
                camera: &camera,
                rooms: &rooms,
                follows_portals: true,
            };
            frame::compose(&level, &studio.world, &camera, &visible, &mut studio.frame);
            studio.submit();
            times.push(before.elapsed().as_secs_f64());
            gpu.wait().unwrap();
        }
        println!(
            "{ROOMS} rooms in {} draws, CPU time {what}: {:.3} ms",
            studio.frame.draws.len(),
            1e3 * median(times.split_off(CPU_TURNS / 2))
        );
    }
}
