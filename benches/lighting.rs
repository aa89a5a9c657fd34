//! Cost of relighting for a door, tick by tick, in 16 rooms, in 256 and in 16,384.
//!
//! `cargo bench -p opendoor-benches --bench lighting`
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints, and fails by panicking"
)]

use std::time::Instant;

use opendoor::author::grid_glb;
use opendoor::author::sketch::Sketch;
use opendoor::build::build;
use opendoor::geometry::Aabb;
use opendoor::gltf::read_source_bytes;
use opendoor::level::{Cycle, Drive, Level, LinkId, Track};
use opendoor::lighting::{Lighting, lightmap};
use opendoor::motion::{Actor, Workspace, move_movers};
use opendoor::source::MoverSource;
use opendoor::world::World;

/// Ticks that the door takes to open or to close.
const TICKS: u32 = 40;
/// Number of times that the door opens and closes.
const TURNS: usize = 5;

/// A grid of rooms with a hinged door in the middle.
fn level(side: u32) -> Level {
    let (mut source, _) = read_source_bytes("grid", &grid_glb(side, side)).unwrap();
    let portal = &source.portals[source.portals.len() / 2];
    let opening = Aabb::around(portal.triangles.iter().flatten().copied());
    let (room, pivot) = (portal.room, opening.min);
    let mut sketch = Sketch::new("door");
    sketch.source.rooms.clone_from(&source.rooms);
    sketch.furniture(room, 0, opening.grown(0.02));
    source.movers.push(MoverSource {
        node: "panel-door".to_owned(),
        meshes: sketch.source.meshes,
        is_door: true,
        track: Track::Turn {
            pivot,
            axis: glam::DVec3::Y,
            angle: 1.5,
        },
        drive: Drive {
            ticks: TICKS,
            ..Drive::default()
        },
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    build(source).unwrap().0
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

fn main() {
    for side in [4, 16, 128] {
        let level = level(side);
        let link: LinkId = level.doors().next().unwrap();
        let mut world = World::of(&level);
        let mut lighting = Lighting::new(&level, &world, lightmap::flat(&level));
        let (mut workspace, mut events) = (Workspace::default(), Vec::new());
        let (mut moving, mut opening, mut still) = (Vec::new(), Vec::new(), Vec::new());
        for turn in 0..2 * TURNS {
            if turn % 2 == 0 {
                world.open(link);
            } else {
                opendoor::motion::close_link(&level, &mut world, link, []).unwrap();
            }
            for _ in 0..TICKS + 5 {
                let was_open = world.is_open(link);
                move_movers::<Actor>(&level, &mut world, &mut [], &mut workspace, &mut events);
                let before = Instant::now();
                let changed = lighting.update(&level, &world);
                let times = match changed {
                    _ if was_open != world.is_open(link) => &mut opening,
                    true => &mut moving,
                    false => &mut still,
                };
                times.push(1e3 * before.elapsed().as_secs_f64());
            }
        }
        println!(
            "{} rooms: {:.3} ms of relighting in a tick in which the door moves, {:.3} ms if its link \
             opens or closes, {:.3} ms if it rests",
            level.rooms.len(),
            median(&mut moving),
            median(&mut opening),
            median(&mut still),
        );
    }
    rooms_that_move();
    levels();
}

/// Measures the lighting of each level that comes with the program: from scratch, and when a link opens or closes.
fn levels() {
    for name in ["house", "works", "labyrinth", "proving-ground"] {
        let path = format!("{}/../levels/{name}.glb", env!("CARGO_MANIFEST_DIR"));
        let (source, _) = read_source_bytes(name, &std::fs::read(path).unwrap()).unwrap();
        let level = build(source).unwrap().0;
        let mut world = World::of(&level);
        let before = Instant::now();
        let map = lightmap::bake(&level, lightmap::LightmapQuality::default(), &|_| {});
        let baked = before.elapsed().as_secs_f64();
        let before = Instant::now();
        let mut lighting = Lighting::new(&level, &world, map);
        let lit = before.elapsed().as_secs_f64();
        let (mut workspace, mut events) = (Workspace::default(), Vec::new());
        let mut times = Vec::new();
        for link in level.doors().take(4) {
            for _ in 0..2 {
                if world.is_open(link) {
                    opendoor::motion::close_link(&level, &mut world, link, []).unwrap();
                } else {
                    world.open(link);
                }
                for _ in 0..600 {
                    let was_open = world.is_open(link);
                    move_movers::<Actor>(&level, &mut world, &mut [], &mut workspace, &mut events);
                    let before = Instant::now();
                    lighting.update(&level, &world);
                    if was_open != world.is_open(link) {
                        times.push(1e3 * before.elapsed().as_secs_f64());
                    }
                }
            }
        }
        println!(
            "{name}: lightmap {baked:.2} s; {} nodes, lighting {lit:.2} s; {:.2} ms of relighting if a \
             link opens or closes",
            lighting.node_count(),
            median(&mut times),
        );
    }
}

/// Measures, one after another, all nodes of the level `works` that move by themselves: a lift and two rooms.
fn rooms_that_move() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../levels/works.glb");
    let file = std::fs::read(path).unwrap();
    for name in ["plain-lift-mover", "glass-lift-room", "carriage-room"] {
        let (mut source, _) = read_source_bytes("works", &file).unwrap();
        for mover in source.movers.iter_mut().filter(|mover| mover.node != name) {
            mover.drive.cycle = Cycle::Call;
        }
        let level = build(source).unwrap().0;
        let mut world = World::of(&level);
        let mut lighting = Lighting::new(&level, &world, lightmap::flat(&level));
        let (mut workspace, mut events, mut times) = (Workspace::default(), Vec::new(), Vec::new());
        for _ in 0..300 {
            move_movers::<Actor>(&level, &mut world, &mut [], &mut workspace, &mut events);
            let before = Instant::now();
            if lighting.update(&level, &world) {
                times.push(1e3 * before.elapsed().as_secs_f64());
            }
        }
        println!(
            "works, {name}: {:.3} ms of relighting in a tick in which it moves",
            median(&mut times)
        );
    }
}
