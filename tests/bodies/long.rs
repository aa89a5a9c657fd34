//! Long tests: hours of simulated time, and many random scenes. `OPENDOOR_LONG` shortens them: 0.01 is a hundredth of
//! the time.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_4;

use opendoor::author::sketch::Sketch;
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::geometry::{Aabb, Plane, Rigid, Triangle};
use opendoor::glam::DVec3;
use opendoor::gltf::read_source_bytes;
use opendoor::level::{BodyId, Level, LinkId, Material, locate};
use opendoor::load::load;
use opendoor::motion::{Actor, Workspace, close_link, move_movers};
use opendoor::rng::Rng;
use opendoor::shapes::Shape;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_ball, crate_at, hall, simulate};
use crate::stacks::{pile, pyramid, restless};

const HOUR: u32 = 216_000;

/// `all` ticks times the fraction in `OPENDOOR_LONG`, at least one.
pub(crate) fn ticks(all: u32) -> u32 {
    let part = std::env::var("OPENDOOR_LONG").ok();
    let part = part.map_or(1.0, |part| part.parse::<f64>().expect("a number"));
    ((f64::from(all) * part) as u32).max(1)
}

pub(crate) fn tick(
    level: &Level,
    world: &mut World,
    gravity: DVec3,
    workspace: &mut BodyWorkspace,
) {
    let phase = BroadPhase::Portals;
    tick_bodies(level, world, &mut [], phase, gravity, workspace);
}

pub(crate) fn direction(rng: &mut Rng) -> DVec3 {
    loop {
        let point = DVec3::from([0; 3].map(|_| rng.between(-1.0, 1.0)));
        if (0.01..1.0).contains(&point.length()) {
            return point.normalize_or_zero();
        }
    }
}

/// Sets a body to its current state, so that it does not fall asleep.
fn keep_awake(world: &mut World, id: BodyId) {
    let state = *world.bodies.state(id);
    world.bodies.set(id, state);
}

/// Simulates a thousand balls with perfect restitution and without friction in a hall with twenty pieces of furniture.
fn keeps_energy(speed: f64, all_ticks: u32) {
    let (size, radius) = (DVec3::new(24.0, 5.0, 24.0), 0.1);
    let mut sketch = hall(size);
    for index in 0..20 {
        let [x, z] = [index % 5, index / 5].map(f64::from);
        let from = DVec3::new(4.5 * x - 10.5, 0.0, 5.5 * z - 10.5);
        let to = from + DVec3::new(0.5 + 0.2 * z, 0.4 + 0.2 * x, 1.2 - 0.15 * x);
        sketch.furniture(0, 0, Aabb { min: from, max: to });
    }
    for index in 0..1000 {
        let [x, y, z] = [index % 20, index / 400, index / 20 % 20].map(f64::from);
        let centre = DVec3::new(1.1 * x - 10.4, 1.7 + y, 1.1 * z - 10.4);
        add_ball(
            &mut sketch,
            &format!("ball{index:04}"),
            centre,
            radius,
            0.0,
            1.0,
        );
    }
    sketch.source.materials[0] = Material {
        friction: 0.0,
        ..Material::default()
    };
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut world = World::of(&level);
    let mut rng = Rng::new(11);
    for id in (0..1000).map(BodyId) {
        let mut state = *world.bodies.state(id);
        state.velocity = direction(&mut rng) * speed;
        world.bodies.set(id, state);
    }
    let squares = |world: &World| {
        let squares = world.bodies.iter();
        squares
            .map(|(_, state)| state.velocity.length_squared())
            .sum::<f64>()
    };
    let before = squares(&world);
    let (mut workspace, mut worst) = (BodyWorkspace::default(), 0.0_f64);
    let half = size * DVec3::new(0.5, 1.0, 0.5) - DVec3::splat(radius - 1e-6);
    let all_ticks = ticks(all_ticks);
    for now in 1..=all_ticks {
        tick(&level, &mut world, DVec3::ZERO, &mut workspace);
        if now % 60 != 0 && now != all_ticks {
            continue;
        }
        worst = worst.max((squares(&world) / before - 1.0).abs());
        assert!(worst < 1e-9, "{speed} m/s, tick {now}: {worst:e}");
        for (id, state) in world.bodies.iter() {
            let point = level.to_author(state.at.point).0;
            let is_inside = point.abs().cmple(half).all() && point.y >= radius - 1e-6;
            assert!(is_inside, "{speed} m/s, tick {now}: {id:?} at {point}");
        }
    }
    for (id, state) in world.bodies.iter() {
        assert!(locate(&level, state.at.point).is_some(), "{id:?}");
    }
    eprintln!("{speed} m/s, {all_ticks} ticks: squared velocities kept to {worst:.1e}");
}

#[test]
#[ignore = "an hour of simulated time: minutes in release"]
fn a_thousand_perfect_balls_of_4_mps_keep_their_energy() {
    keeps_energy(4.0, HOUR);
}

#[test]
#[ignore = "an hour of simulated time: minutes in release"]
fn a_thousand_perfect_balls_of_20_mps_keep_their_energy() {
    keeps_energy(20.0, HOUR);
}

#[test]
#[ignore = "ten minutes of simulated time: minutes in release"]
fn a_thousand_perfect_balls_of_100_mps_keep_their_energy() {
    keeps_energy(100.0, HOUR / 6);
}

#[test]
#[ignore = "ten minutes of simulated time: a minute in release"]
fn a_pyramid_of_twenty_rows_stands() {
    let pieces = pyramid(20);
    let level = pile(&pieces);
    let mut world = World::of(&level);
    simulate(&level, &mut world, GRAVITY, ticks(HOUR / 6));
    assert_eq!(world.bodies.awake_count(), 0);
    let moved = level.bodies.iter().zip(world.bodies.iter());
    let moved = moved.map(|(body, (_, state))| state.at.point.distance(body.start.point));
    let farthest = moved.fold(0.0, f64::max);
    eprintln!("pyramid: {farthest:e} m from where it was put");
    assert!(farthest < 1e-3, "{farthest}");
}

#[test]
#[ignore = "ten minutes of simulated time: minutes in release"]
fn a_pyramid_of_twenty_rows_that_cannot_sleep_stands() {
    let [from_start, since] = restless(&pyramid(20), 180 + ticks(HOUR / 6));
    eprintln!("pyramid kept awake: {from_start:e} m, since it stands {since:e} m");
    assert!(from_start < 2e-3, "{from_start}");
    assert!(since < 1e-4, "{since}");
}

#[test]
#[ignore = "a minute unless optimised"]
fn a_hundred_dominoes_fall_to_the_last() {
    let mut sketch = hall(DVec3::new(30.0, 4.0, 6.0));
    let half = DVec3::new(0.03, 0.25, 0.125);
    for index in 0..100 {
        let centre = DVec3::new(0.25 * f64::from(index) - 13.0, 0.25, 0.0);
        let name = format!("domino{index:02}");
        add(
            &mut sketch,
            &name,
            BodyShape::Box,
            crate_at(centre, half),
            0.4,
            0.0,
        );
    }
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut world = World::of(&level);
    let mut workspace = BodyWorkspace::default();
    for _ in 0..60 {
        tick(&level, &mut world, GRAVITY, &mut workspace);
    }
    assert_eq!(world.bodies.awake_count(), 0);
    let mut first = *world.bodies.state(BodyId(0));
    first.spin = DVec3::NEG_Z * 3.0;
    first.velocity = DVec3::X * 0.75;
    world.bodies.set(BodyId(0), first);
    let mut last_falls = None;
    for now in 0..3600 {
        tick(&level, &mut world, GRAVITY, &mut workspace);
        let last = world.bodies.state(BodyId(99));
        if last_falls.is_none() && last.spin.length() > 0.5 {
            last_falls = Some(now);
        }
    }
    for (id, state) in world.bodies.iter() {
        let height = level.to_author(state.at.point).0.y;
        assert!(height < 0.17, "{id:?}: {height}");
    }
    assert_eq!(world.bodies.awake_count(), 0);
    eprintln!("dominoes: the last one falls at tick {last_falls:?}");
}

/// The distance that a box slides, metres, from 2 s to 10 s after gravity was tilted by an angle, radians, in the
/// direction of `azimuth`. The friction of the box and the floor is `friction`.
fn slide(friction: f64, angle: f64, azimuth: f64) -> f64 {
    let mut sketch = hall(DVec3::new(60.0, 4.0, 60.0));
    sketch.source.materials[0] = Material {
        friction,
        ..Material::default()
    };
    let outside = crate_at(DVec3::Y * 0.2, DVec3::new(0.5, 0.2, 0.4));
    add(&mut sketch, "box", BodyShape::Box, outside, friction, 0.0);
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut world = World::of(&level);
    let mut workspace = BodyWorkspace::default();
    let along = DVec3::new(azimuth.cos(), 0.0, azimuth.sin());
    let gravity = 9.81 * (along * angle.sin() - DVec3::Y * angle.cos());
    let mut from = DVec3::ZERO;
    for now in 0..600 {
        if now == 120 {
            from = world.bodies.state(BodyId(0)).at.point;
        }
        // The box starts to slide so slowly that it would fall asleep.
        keep_awake(&mut world, BodyId(0));
        tick(&level, &mut world, gravity, &mut workspace);
    }
    world.bodies.state(BodyId(0)).at.point.distance(from)
}

#[test]
#[ignore = "hundreds of slides: a minute in release"]
fn a_box_starts_to_slide_at_the_angle_of_friction_in_any_direction() {
    let mut worst = 0.0_f64;
    for friction in [0.2_f64, 0.5, 0.8] {
        for azimuth in [0.0, 0.3, FRAC_PI_4, 2.0] {
            let expected = friction.atan();
            let (mut rests, mut slides) = (0.5 * expected, 1.2 * expected);
            while slides - rests > 1e-8 {
                let middle = 0.5 * (rests + slides);
                if slide(friction, middle, azimuth) > 1e-3 {
                    slides = middle;
                } else {
                    rests = middle;
                }
            }
            let error = (rests - expected).to_degrees();
            let creep = slide(friction, expected - 1e-3_f64.to_radians(), azimuth);
            eprintln!(
                "friction {friction}, azimuth {azimuth:.2}: {:.6} degrees, off by {error:.2e}; creeps {creep:.1e} m",
                rests.to_degrees()
            );
            worst = worst.max(error.abs());
        }
    }
    assert!(worst < 1e-3, "{worst}");
}

#[test]
#[ignore = "a million ticks: minutes in release"]
fn saved_games_with_bodies_go_on_to_the_bit_for_a_million_ticks() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/levels/workshop.glb");
    let (level, _) = load(path.as_ref()).expect("it is sound");
    let (mut restores, mut awake) = (0, 0);
    for (seed, spawn) in (0..).zip(["player", "alley", "billiards", "run"]) {
        let start = Start::Spawn(spawn.to_owned());
        let mut game = Game::start(&level, &start, PLAYER).expect("there is room");
        let mut rng = Rng::new(1000 + seed);
        let mut restored: Option<Game> = None;
        let mut held = Input::default();
        for now in 0..ticks(250_000) {
            if rng.one_in(20) {
                held = Input {
                    forward: rng.between(-1.0, 1.0),
                    right: rng.between(-1.0, 1.0),
                    run: rng.one_in(2),
                    jump: rng.one_in(8),
                    crouch: rng.one_in(10),
                    ..Input::default()
                };
            }
            (held.interact, held.grab) = (rng.one_in(40), rng.one_in(20));
            let look = rng.one_in(30).then(|| rng.between(-90.0, 90.0));
            if rng.one_in(200) {
                let bytes = game.save(&level);
                let again = Game::restore(&level, &bytes).expect("it was saved");
                assert_eq!(again.save(&level), bytes, "{spawn} {now}");
                restored = Some(again);
                restores += 1;
            }
            for game in [Some(&mut game), restored.as_mut()].into_iter().flatten() {
                if let Some(look) = look {
                    game.players[0].look(look, 0.0);
                }
                game.tick(&level, &[held]);
            }
            if let Some(restored) = &restored {
                let hashes = [&game, restored].map(|game| game.state_hash(&level));
                assert_eq!(hashes[0], hashes[1], "{spawn} {now}");
            }
            awake += usize::from(game.world().bodies.awake_count() > 0);
        }
    }
    eprintln!("restored {restores} times; bodies were awake in {awake} ticks");
}

/// Triangles, sorted by the grid cells of [`CELL`] metres that their bounding boxes overlap.
#[derive(Default)]
struct Grid(BTreeMap<[i32; 3], Vec<Triangle>>);

const CELL: f64 = 2.0;

impl Grid {
    fn cells(bounds: &Aabb) -> impl Iterator<Item = [i32; 3]> + use<> {
        let [low, high] = [bounds.min, bounds.max].map(|p| (p / CELL).floor().as_ivec3());
        (low.x..=high.x).flat_map(move |x| {
            (low.y..=high.y).flat_map(move |y| (low.z..=high.z).map(move |z| [x, y, z]))
        })
    }

    fn add(&mut self, triangle: Triangle) {
        for cell in Self::cells(&Aabb::around(triangle.corners)) {
            self.0.entry(cell).or_default().push(triangle);
        }
    }

    /// The triangles that may overlap a box; some more than once.
    fn near(&self, bounds: &Aabb) -> impl Iterator<Item = &Triangle> + use<'_> {
        Self::cells(bounds).flat_map(|cell| self.0.get(&cell).into_iter().flatten())
    }
}

/// Whether a triangle overlaps a shape that is shrunk by `depth` metres on all sides.
fn is_in(shape: &Shape, pose: &Rigid, triangle: &Triangle, depth: f64) -> bool {
    let centre = pose.translation();
    match shape {
        Shape::Sphere { radius } => triangle.distance(centre) < radius - depth,
        Shape::Box { half_extents } => {
            let half = *half_extents - DVec3::splat(depth);
            let mut part = triangle.transformed(&pose.inverse()).corners.to_vec();
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                for normal in [axis, -axis] {
                    let plane = Plane::through(axis * half.dot(axis) * normal.dot(axis), normal);
                    part = behind(&part, &plane);
                }
            }
            !part.is_empty()
        }
        _ => false,
    }
}

/// The part of a polygon behind a plane (I. Sutherland, G. Hodgman, 1974).
fn behind(polygon: &[DVec3], plane: &Plane) -> Vec<DVec3> {
    let mut part = Vec::new();
    for (index, &a) in polygon.iter().enumerate() {
        let b = polygon[(index + 1) % polygon.len()];
        let [to_a, to_b] = [a, b].map(|p| plane.distance(p));
        if to_a < 0.0 {
            part.push(a);
        }
        if (to_a < 0.0) != (to_b < 0.0) {
            part.push(a.lerp(b, to_a / (to_a - to_b)));
        }
    }
    part
}

/// The penetration depth of a triangle in a shape, metres, or `known` if that is larger.
fn deeper(shape: &Shape, pose: &Rigid, triangle: &Triangle, known: f64) -> f64 {
    if !is_in(shape, pose, triangle, known) {
        return known;
    }
    let (mut low, mut high) = (known, 0.3);
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        if is_in(shape, pose, triangle, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The labyrinth with bodies at random positions in the air.
fn full_labyrinth(balls: usize, crates: usize) -> Level {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/levels/labyrinth.glb");
    let bytes = std::fs::read(path).expect("it is there");
    let source = || {
        read_source_bytes("labyrinth", &bytes)
            .expect("it is sound")
            .0
    };
    let (empty, _) = build(source()).expect("it is sound");
    let grid = solid_of(&empty);
    let mut sketch = Sketch { source: source() };
    let mut rng = Rng::new(21);
    let rooms: Vec<Aabb> = empty.rooms.iter().map(|room| room.bounds).collect();
    let mut taken: Vec<(DVec3, f64)> = Vec::new();
    while taken.len() < balls + crates {
        let index = taken.len();
        let half = DVec3::from([0; 3].map(|_| rng.between(0.1, 0.25)));
        let radius = if index < balls { half.x } else { half.length() };
        let bounds = &rooms[rng.below(rooms.len())];
        let part = DVec3::from([0; 3].map(|_| rng.between(0.0, 1.0)));
        let point = bounds.min + (bounds.max - bounds.min) * part;
        let free = radius + 0.02;
        let mut near = grid.near(&Aabb::around([point]).grown(free));
        let is_free = locate(&empty, point).is_some()
            && near.all(|triangle| triangle.distance(point) > free)
            && taken
                .iter()
                .all(|(other, size)| other.distance(point) > free + size);
        if !is_free {
            continue;
        }
        taken.push((point, radius));
        let centre = empty.to_author(point).0;
        let [friction, bounce] = [rng.between(0.1, 0.9), rng.between(0.0, 0.8)];
        if index < balls {
            add_ball(
                &mut sketch,
                &format!("ball{index:04}"),
                centre,
                radius,
                friction,
                bounce,
            );
        } else {
            let name = format!("crate{index:04}");
            add(
                &mut sketch,
                &name,
                BodyShape::Box,
                crate_at(centre, half),
                friction,
                bounce,
            );
        }
    }
    build(sketch.source).expect("it is sound").0
}

/// The static triangles of a level whose rooms all have the same coordinates.
fn solid_of(level: &Level) -> Grid {
    let mut grid = Grid::default();
    for room in &level.rooms {
        level
            .solids
            .of(&room.solids)
            .for_each(|solid| grid.add(solid.triangle()));
    }
    grid
}

#[test]
#[ignore = "an hour of simulated time: nine minutes in release"]
fn bodies_in_the_labyrinth_are_never_lost_nor_sunk() {
    let level = full_labyrinth(1000, 200);
    assert_eq!(level.bodies.len(), 1200);
    let grid = solid_of(&level);
    let doors: Vec<LinkId> = level.doors().collect();
    assert!(!doors.is_empty());
    let mut world = World::of(&level);
    let mut rng = Rng::new(22);
    let mut workspace = BodyWorkspace::default();
    let (mut of_doors, mut events) = (Workspace::default(), Vec::new());
    let (mut deepest, mut awake, mut moved) = (0.0_f64, 0, 0);
    let all_ticks = ticks(HOUR);
    for now in 1..=all_ticks {
        if now % 30 == 0 {
            for _ in 0..10 {
                let id = BodyId(rng.below(level.bodies.len()) as u32);
                let mut state = *world.bodies.state(id);
                state.velocity += direction(&mut rng) * rng.between(1.0, 12.0);
                state.spin += direction(&mut rng) * rng.between(0.0, 10.0);
                world.bodies.set(id, state);
            }
            let door = doors[rng.below(doors.len())];
            if world.opens(door) {
                let _ = close_link(&level, &mut world, door, []);
            } else {
                world.open(door);
            }
        }
        events.clear();
        move_movers::<Actor>(&level, &mut world, &mut [], &mut of_doors, &mut events);
        moved += events.len();
        tick(&level, &mut world, GRAVITY, &mut workspace);
        awake += world.bodies.awake_count();
        if now % 60 != 0 && now != all_ticks {
            continue;
        }
        let mut panels = Vec::new();
        for (id, _) in world.movers() {
            let solids = level.solids.of(&level.mover(id).solids);
            panels.extend(solids.map(|solid| solid.triangle().transformed(world.pose(id))));
        }
        for (id, state) in world.bodies.iter() {
            if state.is_asleep() && now != all_ticks {
                continue;
            }
            let body = level.body(id);
            let (point, name) = (state.at.point, &body.name);
            let author = level.to_author(point).0;
            assert!(
                locate(&level, point).is_some(),
                "tick {now}: {name} at {author} is lost"
            );
            let pose = state.room_from_body();
            let bounds = body.shape.aabb(&pose);
            let reaches = |panel: &&Triangle| Aabb::around(panel.corners).overlaps(&bounds);
            for triangle in grid.near(&bounds).chain(panels.iter().filter(reaches)) {
                deepest = deeper(&body.shape, &pose, triangle, deepest);
                assert!(
                    deepest < 0.01,
                    "tick {now}: {name} at {author}, {deepest} m in {:?} {state:?}",
                    triangle.corners.map(|p| level.to_author(p).0)
                );
            }
        }
    }
    eprintln!(
        "labyrinth, {all_ticks} ticks: {:.1} awake, {moved} events of {} doors; deepest {deepest:.2e} m",
        awake as f64 / f64::from(all_ticks),
        doors.len()
    );
}
