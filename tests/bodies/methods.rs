//! What happens depends on the state alone: not on how pairs are found, nor on what was before.

use opendoor::bodies::broad::PairMethod;
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::collision::BroadPhase;
use opendoor::glam::DVec3;
use opendoor::level::sketch::{Sketch, cuboid};
use opendoor::level::{BodyId, Level, build};
use opendoor::rng::Rng;
use opendoor::world::World;

use crate::hall::{GRAVITY, add_ball};

const COUNT: u32 = 60;

/// Two rooms with a doorway between them, heaps of balls in and beside it.
fn two_rooms() -> Level {
    let mut sketch = Sketch::new("two rooms");
    let doorway = cuboid([0.0, 0.0, -1.0], [0.0, 2.0, 1.0]);
    for (name, from, to, out) in [
        ("left", -5.0, 0.0, DVec3::X),
        ("right", 0.0, 5.0, DVec3::NEG_X),
    ] {
        let inside = cuboid([from, 0.0, -3.0], [to, 3.0, 3.0]);
        let room = sketch.box_room(name, inside, &[doorway]);
        sketch.portal(room, "", doorway, out);
    }
    sketch.spawn(0, DVec3::new(-4.0, 0.0, 0.0), DVec3::X);
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

/// All of a world, in bits.
fn bits(world: &World) -> Vec<u64> {
    let states = world.bodies.iter().flat_map(|(_, state)| {
        let vectors = [state.at.point, state.velocity, state.spin].map(|v| v.to_array());
        let numbers = vectors.into_iter().flatten().map(f64::to_bits);
        numbers.chain([u64::from(state.at.room.0), u64::from(state.slow_ticks)])
    });
    states.collect()
}

/// Throws one at the others every now and then; most sleep meanwhile.
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
fn a_world_goes_on_with_the_same_bits_whatever_the_memory_knows() {
    let level = two_rooms();
    let mut world = World::of(&level);
    let mut workspace = BodyWorkspace::default();
    // A memory that has seen another world, and this one in other states.
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
