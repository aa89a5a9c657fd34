//! Random small levels in which each tick is computed by the game, and by a game restored from its bytes just before: a
//! tick depends on saved state alone.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::geometry::Aabb;
use opendoor::level::{Cycle, Drive, Level, StartedBy, Track, WhenBlocked};
use opendoor::rng::Rng;
use opendoor::source::{BodyShape, BodySource, MeshSource, MoverSource, SpawnerSource, Spawning};

use crate::common::press_at_random;

/// Half the size of each of the two rooms, metres. The doorway between the rooms is at x = 0.
const HALF: f64 = 2.0;
/// The index of the material of all meshes.
const MATERIAL: usize = 0;

/// A random point above the floor, between two heights, metres.
fn point(rng: &mut Rng, low: f64, high: f64) -> DVec3 {
    DVec3::new(
        rng.between(-1.5 * HALF, 1.5 * HALF),
        rng.between(low, high),
        rng.between(-0.75 * HALF, 0.75 * HALF),
    )
}

fn box_around(middle: DVec3, half: DVec3) -> Aabb {
    Aabb {
        min: middle - half,
        max: middle + half,
    }
}

/// The authored room of a point.
fn room_at(point: DVec3) -> usize {
    usize::from(point.x > 0.0)
}

/// The mesh of a box, rotated about its middle.
fn mesh(sketch: &mut Sketch, material: usize, outside: Aabb, turn: DQuat) -> MeshSource {
    let middle = outside.centre();
    sketch.furniture(room_at(middle), material, outside);
    let mut mesh = sketch.source.meshes.pop().expect("it was just added");
    for corner in &mut mesh.positions {
        *corner = middle + turn * (*corner - middle);
    }
    mesh
}

/// A lift, a slide, a turntable or a conveyor.
fn add_mover(rng: &mut Rng, sketch: &mut Sketch, number: usize) {
    let high = rng.between(0.02, 0.4);
    let middle = point(rng, 0.0, 0.0).with_y(high * 0.5 + 0.005);
    let half = DVec3::new(rng.between(0.3, 1.2), high * 0.5, rng.between(0.3, 1.2));
    let mesh = mesh(sketch, MATERIAL, box_around(middle, half), DQuat::IDENTITY);
    let level = |rng: &mut Rng, length: f64| {
        DQuat::from_rotation_y(rng.between(0.0, TAU)) * (DVec3::X * length)
    };
    let mut drive = Drive {
        ticks: 20 + rng.below(150) as u32,
        cycle: Cycle::Shuttle,
        wait_ticks: rng.below(40) as u32,
        started_by: StartedBy::Trigger,
        when_blocked: if rng.one_in(2) {
            WhenBlocked::Reverse
        } else {
            WhenBlocked::default()
        },
        ..Drive::default()
    };
    let track = match rng.below(4) {
        0 => Track::Slide(DVec3::Y * rng.between(0.2, 2.0)),
        1 => {
            let length = rng.between(0.2, 1.5);
            Track::Slide(level(rng, length))
        }
        2 => {
            drive.cycle = Cycle::Loop;
            Track::Turn {
                pivot: middle,
                axis: DVec3::Y,
                angle: TAU,
            }
        }
        _ => {
            let speed = rng.between(0.2, 3.0);
            drive.surface_velocity = level(rng, speed);
            drive.cycle = Cycle::Call;
            Track::Slide(DVec3::ZERO)
        }
    };
    sketch.source.movers.push(MoverSource {
        node: format!("m{number}-mover"),
        meshes: vec![mesh],
        is_door: false,
        track,
        drive,
        moved_rooms: Vec::new(),
        moves_with: None,
    });
}

/// Adds a body whose centre is outside of all blocks.
fn add_body(rng: &mut Rng, sketch: &mut Sketch, blocks: &[Aabb], number: usize) {
    let half = DVec3::from([0; 3].map(|_| rng.between(0.06, 0.25)));
    let shape = match rng.below(5) {
        0 => BodyShape::Sphere,
        1 => BodyShape::Hull,
        _ => BodyShape::Box,
    };
    let turn = if rng.one_in(2) {
        DQuat::IDENTITY
    } else {
        DQuat::from_scaled_axis(DVec3::from([0; 3].map(|_| rng.between(-2.0, 2.0))))
    };
    // Many bodies fall on an edge of a mover, where a body may touch two of its faces.
    let mut middle = point(rng, 0.5, 2.2);
    if let Some(mover) = rng
        .pick(sketch.source.movers.iter())
        .filter(|_| !rng.one_in(4))
    {
        let corners = &mover.meshes[0].positions;
        let edge = [0; 2].map(|_| corners[rng.below(corners.len())]);
        let on_edge = edge[0].lerp(edge[1], rng.between(0.0, 1.0));
        let inside = DVec3::new(1.8 * HALF, 2.5, 0.8 * HALF);
        middle = (on_edge + DVec3::Y * rng.between(0.5, 0.8)).clamp(-inside, inside);
    }
    while let Some(block) = blocks.iter().find(|block| block.contains(middle)) {
        middle.y = block.max.y + 0.01;
    }
    let outside = box_around(middle, half);
    let mesh = mesh(sketch, MATERIAL, outside, turn);
    sketch.source.bodies.push(BodySource {
        node: format!("b{number}-body"),
        meshes: vec![mesh],
        shape,
        axes: DMat3::from_quat(turn),
        mass: Some(8.0 * half.element_product() * rng.between(200.0, 2000.0)),
        friction: Some(rng.between(0.0, 1.0)),
        bounce: Some(rng.between(0.0, 0.7)),
    });
    if rng.one_in(3) {
        sketch.source.spawners.push(SpawnerSource {
            node: format!("b{number}-body"),
            spawning: Spawning {
                count: 1 + rng.below(4) as u32,
                every_ticks: 1 + rng.below(60) as u32,
                speed: rng.between(0.0, 6.0),
                endless: rng.one_in(2),
            },
        });
    }
}

/// Two rooms with a doorway between them, some blocks, movers and bodies.
pub(crate) fn random_level(rng: &mut Rng) -> Level {
    let mut sketch = Sketch::new("random");
    let doorway = cuboid([0.0, 0.0, -1.0], [0.0, 2.2, 1.0]);
    for (name, from, to, out) in [
        ("left", -2.0 * HALF, 0.0, DVec3::X),
        ("right", 0.0, 2.0 * HALF, DVec3::NEG_X),
    ] {
        let inside = cuboid([from, 0.0, -HALF], [to, 3.0, HALF]);
        let room = sketch.box_room(name, inside, &[doorway]);
        sketch.portal(room, "", doorway, out);
    }
    let mut blocks = Vec::new();
    for _ in 0..rng.below(3) {
        let half = DVec3::from([0; 3].map(|_| rng.between(0.1, 0.5)));
        let middle = point(rng, 0.0, 0.0).with_y(half.y);
        let block = box_around(middle, half);
        sketch.furniture(room_at(middle), MATERIAL, block);
        blocks.push(block);
    }
    for number in 0..2 + rng.below(2) {
        add_mover(rng, &mut sketch, number);
    }
    for number in 0..1 + rng.below(4) {
        add_body(rng, &mut sketch, &blocks, number);
    }
    sketch.spawn(0, DVec3::new(-1.8 * HALF, 0.0, 0.9 * HALF), DVec3::X);
    match build(sketch.source) {
        Ok((level, _)) => level,
        Err(problems) => panic!("{problems}"),
    }
}

/// Plays random levels; each tick is computed by the game and by a game restored from its bytes.
fn restore_each_tick(seeds: std::ops::Range<u64>, ticks: u32) {
    let (mut restored, mut awake) = (0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let level = random_level(&mut rng);
        let Ok(mut game) = Game::start(&level, &Start::Default, PLAYER) else {
            // A mover may be at the player's start.
            continue;
        };
        let mut input = Input::default();
        for tick in 0..ticks {
            press_at_random(&mut rng, &mut input);
            input.grab = rng.one_in(30);
            let bytes = game.save(&level);
            let mut again = Game::restore(&level, &bytes).expect("it was saved");
            game.tick(&level, &[input]);
            again.tick(&level, &[input]);
            assert_eq!(
                again.save(&level),
                game.save(&level),
                "seed {seed}, tick {tick}"
            );
            assert_eq!(again.events, game.events, "seed {seed}, tick {tick}");
            restored += 1;
            awake += usize::from(game.world().bodies.awake_count() > 0);
        }
    }
    assert!(
        2 * awake > restored,
        "bodies move in {awake} of {restored} ticks"
    );
}

/// Regression test: a body that rested on another one touched its edge only while the cached list of nearby triangles,
/// which a restored game rebuilds, contained a moving mover.
#[test]
fn a_restored_game_does_the_next_tick_to_the_bit_in_random_levels_with_movers_and_bodies() {
    restore_each_tick(1000..1012, 60);
}

/// Hundreds of thousands of ticks. Run with `cargo test --release -- --ignored restores`.
#[test]
#[ignore = "minutes in release"]
fn restored_games_do_each_next_tick_to_the_bit_in_thousands_of_random_levels() {
    let seeds = std::env::var("SEEDS").map_or(3000, |seeds| seeds.parse().expect("a number"));
    restore_each_tick(1000..1000 + seeds, 240);
}
