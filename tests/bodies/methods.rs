//! The result of a tick depends on the state alone: not on the method of the broad phase, nor on earlier ticks.

use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::bodies::broad::PairMethod;
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::glam::DVec3;
use opendoor::level::{BodyId, Level};
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_ball, crate_at, simulate};

const COUNT: u32 = 60;

/// Two rooms of `length` metres with a doorway between them.
fn empty_rooms(length: f64) -> Sketch {
    let mut sketch = Sketch::new("two rooms");
    let doorway = cuboid([0.0, 0.0, -1.0], [0.0, 2.0, 1.0]);
    for (name, from, to, out) in [
        ("left", -length, 0.0, DVec3::X),
        ("right", 0.0, length, DVec3::NEG_X),
    ] {
        let inside = cuboid([from, 0.0, -3.0], [to, 3.0, 3.0]);
        let room = sketch.box_room(name, inside, &[doorway]);
        sketch.portal(room, "", doorway, out);
    }
    sketch.spawn(0, DVec3::new(-4.0, 0.0, 0.0), DVec3::X);
    sketch
}

/// Two rooms with heaps of balls in and beside the doorway between them.
fn two_rooms() -> Level {
    let mut sketch = empty_rooms(5.0);
    for index in 0..COUNT {
        let [x, y, z] = [index % 8, index / 16, index / 8 % 2].map(f64::from);
        let centre = DVec3::new(0.45 * x - 1.6, 0.3 + 0.45 * y, 0.43 * z - 0.2);
        add_ball(
            &mut sketch,
            &format!("ball{index:03}"),
            centre,
            0.2,
            0.5,
            0.2,
        );
    }
    let (level, _) = build(sketch.source).expect("the sketch is a good level");
    level
}

/// The state of a world, as bits.
fn bits(world: &World) -> Vec<u64> {
    let states = world.bodies.iter().flat_map(|(_, state)| {
        let vectors = [state.at.point, state.velocity, state.spin].map(|v| v.to_array());
        let numbers = vectors.into_iter().flatten().map(f64::to_bits);
        numbers.chain([u64::from(state.at.room.0), u64::from(state.slow_ticks)])
    });
    states.collect()
}

/// Runs a tick. Every 90 ticks it throws one body at the others; most bodies sleep in between.
fn step(level: &Level, world: &mut World, tick: u32, workspace: &mut BodyWorkspace) {
    if tick % 90 == 89 {
        let mut rng = Rng::new(u64::from(tick));
        let id = BodyId((rng.between(0.0, f64::from(COUNT)) as u32).min(COUNT - 1));
        let mut state = *world.bodies.state(id);
        state.at.point.y += 1.2;
        state.velocity = DVec3::new(rng.between(-6.0, 6.0), 0.0, rng.between(-2.0, 2.0));
        world.bodies.set(id, state);
    }
    tick_bodies(
        level,
        world,
        &mut [],
        BroadPhase::Portals,
        GRAVITY,
        workspace,
    );
}

#[test]
fn every_method_of_the_broad_phase_gives_the_same_bits() {
    let level = two_rooms();
    let mut runs = PairMethod::ALL.map(|method| (World::of(&level), BodyWorkspace::new(method)));
    let mut crossed = false;
    for tick in 0..900 {
        for (world, workspace) in &mut runs {
            step(&level, world, tick, workspace);
        }
        let [first, others @ ..] = &runs;
        for (world, _) in others {
            assert_eq!(bits(&first.0), bits(world), "tick {tick}");
        }
        let awake = first.0.bodies.awake_count();
        crossed |= awake > 0 && awake < COUNT as usize;
    }
    assert!(crossed, "some slept while others moved");
}

#[test]
fn the_contents_of_caches_change_no_bit_of_a_world() {
    let level = two_rooms();
    let mut world = World::of(&level);
    let mut workspace = BodyWorkspace::default();
    // A workspace that was used with another world, and with this world in other states.
    let mut used = BodyWorkspace::default();
    let mut other = World::of(&level);
    for tick in 0..900 {
        if tick % 150 == 100 {
            let mut fresh = BodyWorkspace::default();
            let mut copy = world.clone();
            other.clone_from(&world);
            let mut original = world.clone();
            for later in tick..tick + 100 {
                step(&level, &mut copy, later, &mut fresh);
                step(&level, &mut other, later, &mut used);
                step(&level, &mut original, later, &mut workspace);
            }
            assert_eq!(bits(&copy), bits(&other), "tick {tick}");
            assert_eq!(bits(&copy), bits(&original), "tick {tick}");
        }
        step(&level, &mut world, tick, &mut workspace);
    }
}

/// Two rooms full of heaps and stacks of balls, crates and hulls, which are thrown at each other.
fn crowded_rooms() -> (Level, World) {
    let mut sketch = empty_rooms(16.0);
    for index in 0..720 {
        let [x, y, z] = [index % 60, index / 240, index / 60 % 4].map(f64::from);
        let centre = DVec3::new(0.5 * x - 14.8, 0.3 + 0.5 * y, 0.9 * z - 1.35);
        let name = format!("body{index:03}");
        let outside = crate_at(centre, DVec3::new(0.2, 0.25, 0.15));
        match index % 4 {
            0 => add(&mut sketch, &name, BodyShape::Box, outside, 0.5, 0.1),
            1 => add(&mut sketch, &name, BodyShape::Hull, outside, 0.5, 0.1),
            _ => add_ball(&mut sketch, &name, centre, 0.2, 0.5, 0.2),
        }
    }
    let (level, _) = build(sketch.source).expect("the sketch is a good level");
    let mut world = World::of(&level);
    let mut rng = Rng::new(11);
    for index in (0..720).step_by(7) {
        let mut state = *world.bodies.state(BodyId(index));
        state.velocity = DVec3::from([0; 3].map(|_| rng.between(-6.0, 6.0)));
        state.spin = DVec3::from([0; 3].map(|_| rng.between(-6.0, 6.0)));
        world.bodies.set(BodyId(index), state);
    }
    (level, world)
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (level, start) = crowded_rooms();
    let on_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads start").install(|| {
            let mut world = start.clone();
            let passed = (0..6).map(|_| {
                simulate(&level, &mut world, GRAVITY, 30);
                bits(&world)
            });
            passed.collect::<Vec<_>>()
        })
    };
    let alone = on_threads(1);
    assert_ne!(alone[0], alone[5]);
    for threads in [2, 5] {
        assert!(on_threads(threads) == alone, "{threads} threads");
    }
}
