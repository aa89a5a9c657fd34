//! Resting bodies that are struck so that they rotate fast, beside walls and on other bodies.

use opendoor::bodies::BodyWorkspace;
use opendoor::build::build;
use opendoor::glam::DVec3;
use opendoor::level::{BodyId, Level};
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_heavy, crate_at, hall};
use crate::long::{direction, tick, ticks};

/// Greatest allowed depth of a box in a wall, metres: the soft contacts yield by up to this much.
const DEEPEST: f64 = 1e-3;

/// Gives a body fifty random kicks of up to 12 m/s and 10 rad/s, each time from its resting state, and calls `look`
/// after each of the three ticks that follow.
fn kick(level: &Level, world: &mut World, id: BodyId, rng: &mut Rng, mut look: impl FnMut(&World)) {
    let mut workspace = BodyWorkspace::default();
    let rested = world.bodies.clone();
    for _ in 0..50 {
        world.bodies = rested.clone();
        let mut state = *world.bodies.state(id);
        state.velocity += direction(rng) * rng.between(1.0, 12.0);
        state.spin += direction(rng) * rng.between(0.0, 10.0);
        world.bodies.set(id, state);
        for _ in 0..3 {
            tick(level, world, GRAVITY, &mut workspace);
            look(world);
        }
    }
}

/// Regression test: only the rotation of the initially touching points was considered, to the first order. A kicked
/// crate that leaned in a corner was 6.5 mm in a wall, and a crate in the labyrinth 10.6 mm.
#[test]
fn a_crate_that_is_kicked_in_a_corner_does_not_turn_into_the_walls() {
    let half = DVec3::new(0.132, 0.115, 0.221);
    let mut sketch = hall(DVec3::new(6.0, 4.0, 6.0));
    let shape = crate_at(DVec3::Y * 0.5, half);
    add(&mut sketch, "crate", BodyShape::Box, shape, 0.5, 0.3);
    let (level, _) = build(sketch.source).expect("it is sound");
    let (id, inside) = (BodyId(0), level.rooms[0].bounds);
    let mut rng = Rng::new(1);
    let mut deepest = 0.0f64;
    for _ in 0..ticks(60) {
        let mut world = World::of(&level);
        let mut workspace = BodyWorkspace::default();
        let mut state = *world.bodies.state(id);
        state.velocity = DVec3::new(4.0, rng.between(0.0, 3.0), rng.between(-4.0, 4.0));
        state.spin = direction(&mut rng) * 3.0;
        world.bodies.set(id, state);
        // Push the crate against a wall while it comes to rest.
        for now in 0..300 {
            tick(&level, &mut world, GRAVITY, &mut workspace);
            if world.bodies.awake_count() == 0 {
                break;
            }
            if now < 100 {
                let mut state = *world.bodies.state(id);
                state.velocity.x += 0.3;
                world.bodies.set(id, state);
            }
        }
        kick(&level, &mut world, id, &mut rng, |world| {
            let pose = world.bodies.state(id).room_from_body();
            let around = level.body(id).shape.aabb(&pose);
            let outside = (inside.min - around.min).max(around.max - inside.max);
            deepest = deepest.max(outside.max_element());
        });
    }
    eprintln!("deepest {deepest:.3e}");
    assert!(deepest < DEEPEST, "{deepest} m");
}

/// Tests the rotation of a kicked crate that rests on another body.
#[test]
fn a_crate_that_is_kicked_on_another_body_does_not_turn_into_it() {
    let half = DVec3::new(0.132, 0.115, 0.221);
    let mut sketch = hall(DVec3::new(6.0, 4.0, 6.0));
    let shape = crate_at(DVec3::Y * (1.0 + half.y), half);
    add(&mut sketch, "crate", BodyShape::Box, shape, 0.5, 0.3);
    let block = crate_at(DVec3::Y * 0.5, DVec3::new(2.0, 0.5, 2.0));
    add_heavy(&mut sketch, "block", BodyShape::Box, block, (1e7, 0.5, 0.3));
    let (level, _) = build(sketch.source).expect("it is sound");
    let named = |name: &str| {
        let mut bodies = level.bodies.iter();
        BodyId(
            bodies
                .position(|body| body.name == name)
                .expect("it is there") as u32,
        )
    };
    let (id, block) = (named("crate"), named("block"));
    let mut world = World::of(&level);
    let mut workspace = BodyWorkspace::default();
    for _ in 0..120 {
        tick(&level, &mut world, GRAVITY, &mut workspace);
    }
    let rested = world.bodies.clone();
    let (mut rng, mut deepest) = (Rng::new(2), 0.0f64);
    for _ in 0..ticks(40) {
        world.bodies = rested.clone();
        kick(&level, &mut world, id, &mut rng, |world| {
            let top = world.bodies.state(block).at.point.y + 0.5;
            let pose = world.bodies.state(id).room_from_body();
            let lowest = level.body(id).shape.aabb(&pose).min.y;
            deepest = deepest.max(top - lowest);
        });
    }
    eprintln!("deepest {deepest:.3e}");
    assert!(deepest < DEEPEST, "{deepest} m");
}

/// Regression test: the path test stopped a light box on the floor, and the block moved on into the box. In each tick
/// the box got a higher speed and spin but could not move, until it came free at 576 m/s. The floor has no friction, so
/// that the block squeezes a tilted box out sideways at a multiple of the block's speed.
#[test]
fn light_boxes_under_a_heavy_block_that_falls_on_them_do_not_fly_away() {
    let mut rng = Rng::new(7);
    let mut fastest = 0.0f64;
    for _ in 0..30 {
        let mut sketch = hall(DVec3::splat(6.0));
        sketch.source.materials[0].friction = 0.0;
        for index in 0..6 {
            let place = DVec3::new(f64::from(index % 3) - 1.0, 0.0, f64::from(index / 3) - 0.5);
            let light = crate_at(place * 0.16 + DVec3::Y * 0.08, DVec3::splat(0.075));
            let name = format!("light{index}");
            add_heavy(&mut sketch, &name, BodyShape::Box, light, (0.8, 0.3, 1.0));
        }
        let centre = DVec3::new(
            rng.between(-0.2, 0.2),
            rng.between(0.3, 0.6),
            rng.between(-0.1, 0.1),
        );
        let block = crate_at(centre, DVec3::splat(0.03));
        add_heavy(
            &mut sketch,
            "z-block",
            BodyShape::Box,
            block,
            (9e4, 0.8, 0.0),
        );
        let (level, _) = build(sketch.source).expect("it is sound");
        let mut world = World::of(&level);
        let lights = (0..6).map(BodyId);
        for id in lights.clone() {
            let mut state = *world.bodies.state(id);
            state.velocity = direction(&mut rng) * 0.5 + DVec3::Y;
            state.spin = direction(&mut rng) * rng.between(0.0, 5.0);
            world.bodies.set(id, state);
        }
        let mut workspace = BodyWorkspace::default();
        for _ in 0..120 {
            tick(&level, &mut world, GRAVITY, &mut workspace);
            for id in lights.clone() {
                let speed = world.bodies.state(id).velocity.length();
                fastest = fastest.max(speed);
            }
        }
    }
    assert!(fastest < 100.0, "{fastest} m/s");
}
