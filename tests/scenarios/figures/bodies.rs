//! Rigid bodies.

use std::ops::Range;

use glam::{DMat3, DVec3};
use opendoor::author::sketch::Sketch;
use opendoor::build::build;
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::geometry::Aabb;
use opendoor::level::{BodyId, Level, Material};
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_ball, add_heavy, crate_at, hall, simulate};
use crate::page::Figure;

pub(super) fn figures() -> Vec<Figure> {
    vec![
        ("E14", bouncing()),
        ("E15", in_flight()),
        ("E16", through_a_leaf()),
        ("E17", standing()),
        ("E18", sliding()),
        ("E19", in_a_row()),
        ("E20", pushing()),
    ]
}

fn level(mut sketch: Sketch, friction: f64) -> Level {
    sketch.source.materials[0] = Material {
        friction,
        ..Material::default()
    };
    build(sketch.source).expect("it is sound").0
}

fn set(world: &mut World, index: u32, velocity: DVec3) {
    let mut state = *world.bodies.state(BodyId(index));
    state.velocity = velocity;
    world.bodies.set(BodyId(index), state);
}

fn height(level: &Level, world: &World) -> f64 {
    let state = world.bodies.state(BodyId(0));
    level.to_author(state.at.point).0.y
}

/// The bounce height of a ball, from its energy in flight.
fn bouncing() -> String {
    let of = |bounce: f64, times: i32| {
        let mut sketch = hall(DVec3::new(4.0, 4.0, 4.0));
        add_ball(&mut sketch, "ball", DVec3::Y * 2.1, 0.1, 0.5, bounce);
        let level = level(sketch, 0.5);
        let mut world = World::of(&level);
        let (mut before, mut bounced) = (0.0, 0);
        while bounced < times {
            simulate(&level, &mut world, GRAVITY, 1);
            let up = world.bodies.state(BodyId(0)).velocity.y;
            bounced += i32::from(before < 0.0 && up > 0.0);
            before = up;
        }
        let apex = height(&level, &world) + before * before / (2.0 * 9.81) - 0.1;
        let right = 2.0 * bounce.powi(2 * times);
        format!("{:.0e} m", (apex - right).abs())
    };
    format!(
        "e = 1, tenth: {}; e = 0.8, third: {}; e = 0.5, first: {}",
        of(1.0, 10),
        of(0.8, 3),
        of(0.5, 1)
    )
}

fn in_flight() -> String {
    let kept = [4.0, 20.0, 100.0].map(|speed| {
        let mut sketch = hall(DVec3::new(8.0, 4.0, 8.0));
        let inside = |range: Range<i32>| range.map(f64::from);
        let mut count = 0;
        for x in inside(-3..4) {
            for z in inside(-3..1) {
                for y in inside(1..4) {
                    let centre = DVec3::new(x, y, z - 0.1);
                    let name = format!("ball{count:03}");
                    add_ball(&mut sketch, &name, centre, 0.1, 0.0, 1.0);
                    count += 1;
                }
            }
        }
        let level = level(sketch, 0.0);
        let mut world = World::of(&level);
        let mut rng = Rng::new(5);
        for index in 0..count {
            let direction = DVec3::from([0; 3].map(|_| rng.between(-1.0, 1.0)));
            set(&mut world, index, direction * (speed / direction.length()));
        }
        simulate(&level, &mut world, DVec3::ZERO, 300);
        let squares = world
            .bodies
            .iter()
            .map(|(_, state)| state.velocity.length_squared());
        let part = squares.sum::<f64>() / (f64::from(count) * speed * speed);
        let outside = world.bodies.iter().filter(|(_, state)| {
            let at = level.to_author(state.at.point).0;
            at.x.abs() > 4.0 || at.z.abs() > 4.0 || !(0.0..4.0).contains(&at.y)
        });
        format!(
            "{speed} m/s: {:.0e} off, {} outside",
            (part - 1.0).abs(),
            outside.count()
        )
    });
    kept.join("; ")
}

fn through_a_leaf() -> String {
    let mut rng = Rng::new(3);
    let (mut passed, shots) = (0, 200);
    for _ in 0..shots {
        let mut sketch = hall(DVec3::new(8.0, 4.0, 8.0));
        let leaf = Aabb {
            min: DVec3::new(-1.0, 0.0, -0.5005),
            max: DVec3::new(1.0, 2.0, -0.4995),
        };
        sketch.furniture(0, 0, leaf);
        let aim = DVec3::new(rng.between(-0.9, 0.9), rng.between(0.1, 1.9), -0.5);
        let from = DVec3::new(rng.between(-2.0, 2.0), rng.between(0.5, 2.5), 3.0);
        add_ball(&mut sketch, "ball", from, 0.01, 0.5, 0.5);
        let level = level(sketch, 0.5);
        let mut world = World::of(&level);
        set(
            &mut world,
            0,
            (aim - from) * (500.0 / (aim - from).length()),
        );
        // Only for the duration of the flight to the panel: later the ball may come back around the panel.
        simulate(&level, &mut world, GRAVITY, 1);
        let at = level.to_author(world.bodies.state(BodyId(0)).at.point).0;
        passed += u32::from(at.z < -0.5);
    }
    format!("passes {passed} of {shots}")
}

fn standing() -> String {
    let mut sketch = hall(DVec3::new(4.0, 6.0, 4.0));
    for index in 0..10 {
        let centre = DVec3::Y * (0.2 + 0.4 * f64::from(index));
        let outside = crate_at(centre, DVec3::splat(0.2));
        add(
            &mut sketch,
            &format!("box{index}"),
            BodyShape::Box,
            outside,
            0.5,
            0.0,
        );
    }
    let level = level(sketch, 0.5);
    let mut world = World::of(&level);
    let first: Vec<DVec3> = world
        .bodies
        .iter()
        .map(|(_, state)| state.at.point)
        .collect();
    let mut farthest: f64 = 0.0;
    // The calls are so frequent that slow bodies do not fall asleep.
    for _ in 0..180 {
        set(&mut world, 0, DVec3::ZERO);
        simulate(&level, &mut world, GRAVITY, 20);
        assert_eq!(world.bodies.awake_count(), 10);
        for ((_, state), first) in world.bodies.iter().zip(&first) {
            farthest = farthest.max(state.at.point.distance(*first));
        }
    }
    format!("{:.2} mm", farthest * 1e3)
}

/// A box on a slope: the floor is level, and gravity is tilted.
fn sliding() -> String {
    let slid = |friction: f64, more: f64| {
        let mut sketch = hall(DVec3::new(30.0, 4.0, 4.0));
        let outside = crate_at(DVec3::Y * 0.2, DVec3::splat(0.2));
        add(&mut sketch, "box", BodyShape::Box, outside, friction, 0.0);
        let level = level(sketch, friction);
        let mut world = World::of(&level);
        let angle = libm::atan(friction) + more.to_radians();
        let gravity = DMat3::from_rotation_z(angle) * GRAVITY;
        let before = world.bodies.state(BodyId(0)).at.point;
        simulate(&level, &mut world, gravity, 240);
        let after = world.bodies.state(BodyId(0)).at.point;
        after.distance(before)
    };
    let of = |friction: f64| {
        let [below, above] = [-1.0, 1.0].map(|more| slid(friction, more));
        let steady = libm::sin(1.0_f64.to_radians()) / libm::cos(libm::atan(friction));
        let right = 0.5 * 16.0 * 9.81 * steady;
        format!("μ = {friction}: {below:.0e} m and {above:.4} m of {right:.4} m")
    };
    [0.2, 0.5, 0.8].map(of).join("; ")
}

fn in_a_row() -> String {
    let mut sketch = hall(DVec3::new(8.0, 4.0, 4.0));
    for index in 0..5 {
        let x = if index == 0 {
            -1.5
        } else {
            0.2 * f64::from(index)
        };
        let centre = DVec3::new(x, 1.0, 0.0);
        add_ball(&mut sketch, &format!("ball{index}"), centre, 0.1, 0.0, 1.0);
    }
    let level = level(sketch, 0.0);
    let mut world = World::of(&level);
    set(&mut world, 0, DVec3::X * 3.0);
    simulate(&level, &mut world, DVec3::ZERO, 45);
    let velocities = world.bodies.iter().map(|(_, state)| state.velocity.x);
    // Adding zero turns -0, the rounded value of a rounding error, into 0.
    let velocities = velocities.map(|x| (x * 1e3).round() / 1e3 + 0.0);
    let velocities: Vec<String> = velocities.map(|x| format!("{x:.3}")).collect();
    format!("{} m/s", velocities.join(", "))
}

fn pushing() -> String {
    let of = |mass: f64| {
        let mut sketch = hall(DVec3::new(40.0, 4.0, 40.0));
        let outside = crate_at(DVec3::new(0.0, 0.5, -1.5), DVec3::splat(0.5));
        add_heavy(
            &mut sketch,
            "crate",
            BodyShape::Box,
            outside,
            (mass, 0.6, 0.0),
        );
        let level = level(sketch, 0.6);
        let mut game = Game::start(&level, &Start::Default, PLAYER).expect("there is room");
        let ahead = Input {
            forward: 1.0,
            ..Input::default()
        };
        for _ in 0..120 {
            game.tick(&level, &[ahead]);
        }
        let before = game.world().bodies.state(BodyId(0)).at.point;
        for _ in 0..60 {
            game.tick(&level, &[ahead]);
        }
        let after = game.world().bodies.state(BodyId(0)).at.point;
        format!("{mass} kg: {:.2} m/s", after.distance(before))
    };
    [10.0, 40.0, 80.0, 120.0].map(of).join("; ")
}
