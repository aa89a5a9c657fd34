//! Bounces, friction and sleep.

use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::geometry::Aabb;
use opendoor::glam::{DQuat, DVec3};
use opendoor::level::{BodyId, Material};
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::{BodyState, World};

use crate::hall::{GRAVITY, add, add_ball, add_heavy, crate_at, hall, simulate};

#[test]
fn a_ball_that_is_dropped_bounces_to_the_square_of_its_restitution() {
    for bounce in [1.0, 0.8, 0.5] {
        let mut sketch = hall(DVec3::splat(8.0));
        let (radius, height) = (0.25, 2.0);
        add_ball(
            &mut sketch,
            "ball",
            DVec3::Y * (height + radius),
            radius,
            0.0,
            bounce,
        );
        let (level, _) = build(sketch.source).unwrap();
        let mut world = World::of(&level);
        let mut workspace = BodyWorkspace::default();
        let energy = |world: &World| {
            let state = world.bodies.state(BodyId(0));
            let lowest = state.at.point.y + level.origin.y - radius;
            lowest + state.velocity.length_squared() / (2.0 * 9.81)
        };
        let mut heights = vec![energy(&world)];
        for _ in 0..600 {
            tick_bodies(
                &level,
                &mut world,
                &mut [],
                BroadPhase::Portals,
                GRAVITY,
                &mut workspace,
            );
            let now = energy(&world);
            let last = *heights.last().unwrap();
            if (now - last).abs() > 1e-6 {
                heights.push(now);
            }
        }
        if bounce == 1.0 {
            assert_eq!(heights.len(), 1);
            assert!((energy(&world) - height).abs() < 1e-9);
        }
        for (index, found) in heights.iter().enumerate().take(4) {
            let expected = height * bounce.powi(2 * index as i32);
            assert!((found - expected).abs() < 1e-9, "{bounce} {index} {found}");
        }
    }
}

/// Rolling resistance acts as if the normal force were offset from the middle of the contact by 0.5 mm times the
/// friction. This is a torque on a rolling ball, whose moment of inertia about its contact point is 7/5 m r2.
#[test]
fn a_rolling_ball_slows_down_by_its_resistance_and_comes_to_rest() {
    let mut sketch = hall(DVec3::new(20.0, 4.0, 4.0));
    let (radius, friction, speed) = (0.05, 0.8, 0.5);
    let start = DVec3::new(-8.0, radius, 0.0);
    add_ball(&mut sketch, "ball", start, radius, friction, 0.0);
    for material in &mut sketch.source.materials {
        material.friction = friction;
    }
    let (level, _) = build(sketch.source).unwrap();
    let mut world = World::of(&level);
    let mut state = *world.bodies.state(BodyId(0));
    state.velocity = DVec3::X * speed;
    state.spin = DVec3::NEG_Z * (speed / radius);
    world.bodies.set(BodyId(0), state);
    let deceleration = 5.0 / 7.0 * GRAVITY.length() * 5e-4 * friction / radius;
    simulate(&level, &mut world, GRAVITY, 120);
    let state = *world.bodies.state(BodyId(0));
    let expected = speed - 2.0 * deceleration;
    assert!(
        (state.velocity.x - expected).abs() < 0.002,
        "{state:?} {expected}"
    );
    simulate(&level, &mut world, GRAVITY, 900);
    let state = *world.bodies.state(BodyId(0));
    assert!(state.is_asleep(), "{state:?}");
    let way = speed * speed / (2.0 * deceleration);
    assert!(
        (state.at.point.x - start.x - way).abs() < 0.05,
        "{state:?} {way}"
    );
}

/// Cubes thrown at a wall with spin. The rotational energy of a cube depends on its spin, but not on its orientation.
#[test]
fn impacts_with_friction_give_no_energy() {
    let mut rng = Rng::new(3);
    for case in 0..300 {
        let mut sketch = hall(DVec3::splat(8.0));
        let (friction, bounce) = (rng.between(0.0, 1.5), rng.between(0.0, 1.0));
        let half = DVec3::splat(0.2);
        let outside = crate_at(DVec3::Y * 4.0, half);
        add(
            &mut sketch,
            "cube",
            BodyShape::Box,
            outside,
            friction,
            bounce,
        );
        for material in &mut sketch.source.materials {
            material.friction = friction;
        }
        let (level, _) = build(sketch.source).unwrap();
        let mut world = World::of(&level);
        let mut state = *world.bodies.state(BodyId(0));
        let mut any = |size: f64| {
            let [x, y, z] = [(); 3].map(|()| rng.between(-size, size));
            DVec3::new(x, y, z)
        };
        (state.velocity, state.spin) = (any(10.0) + DVec3::X * 20.0, any(60.0));
        world.bodies.set(BodyId(0), state);
        let moment = level.body(BodyId(0)).mass.moments.x;
        let energy = |world: &World| {
            let state = world.bodies.state(BodyId(0));
            0.5 * (state.velocity.length_squared() + moment * state.spin.length_squared())
        };
        let mut workspace = BodyWorkspace::default();
        let first = energy(&world);
        let mut last = first;
        for _ in 0..60 {
            tick_bodies(
                &level,
                &mut world,
                &mut [],
                BroadPhase::Portals,
                DVec3::ZERO,
                &mut workspace,
            );
            let now = energy(&world);
            // Energy may rise by a millionth of the initial energy: remaining overlaps are pushed apart, not resolved
            // as impacts.
            assert!(now <= last + 1e-6 * first, "{case}: {last} {now}");
            last = now;
        }
    }
}

/// A heavy ball strikes the first of a row of light balls. Each light ball lies outside of the paths that the balls
/// before it have at the beginning of the tick.
#[test]
fn a_struck_body_hits_bodies_in_its_new_path() {
    for (is_asleep, phase) in [
        (false, BroadPhase::Portals),
        (true, BroadPhase::Portals),
        (true, BroadPhase::Exhaustive),
    ] {
        let mut sketch = hall(DVec3::new(60.0, 4.0, 4.0));
        let half = DVec3::splat(0.1 / 3.0_f64.sqrt());
        for (name, x, mass) in [
            ("a", -20.0, 10.0),
            ("b", -18.0, 1.0),
            ("c", -14.0, 1.0),
            ("d", -13.0, 1.0),
        ] {
            let outside = crate_at(DVec3::new(x, 2.0, 0.0), half);
            let look = (mass, 0.0, 1.0);
            add_heavy(&mut sketch, name, BodyShape::Sphere, outside, look);
        }
        let (level, _) = build(sketch.source).unwrap();
        let mut world = World::of(&level);
        for id in [1, 2, 3].map(BodyId) {
            let mut state = *world.bodies.state(id);
            if is_asleep {
                state.slow_ticks = BodyState::ASLEEP;
            }
            world.bodies.set(id, state);
        }
        let mut state = *world.bodies.state(BodyId(0));
        state.velocity = DVec3::X * 300.0;
        world.bodies.set(BodyId(0), state);
        let mut workspace = BodyWorkspace::default();
        tick_bodies(
            &level,
            &mut world,
            &mut [],
            phase,
            DVec3::ZERO,
            &mut workspace,
        );
        let after = [0, 1, 2, 3].map(|id| world.bodies.state(BodyId(id)).velocity.x);
        let [struck, slowed] = [20.0 / 11.0 * 300.0, 9.0 / 11.0 * 300.0];
        for (velocity, expected) in after.into_iter().zip([slowed, 0.0, 0.0, struck]) {
            assert!(
                (velocity - expected).abs() < 1e-9,
                "{is_asleep} {phase:?} {after:?}"
            );
        }
    }
}

#[test]
fn perfect_balls_keep_all_of_their_energy() {
    for speed in [4.0, 20.0, 100.0] {
        let mut rng = Rng::new(5);
        let mut sketch = hall(DVec3::new(8.0, 4.0, 8.0));
        sketch.furniture(
            0,
            0,
            Aabb {
                min: DVec3::new(1.0, 0.0, 1.0),
                max: DVec3::new(2.0, 1.0, 2.5),
            },
        );
        let mut count = 0;
        for x in -3..=3 {
            for z in -3..=0 {
                for y in 1..=3 {
                    let centre = DVec3::new(f64::from(x), f64::from(y), f64::from(z) - 0.1);
                    add_ball(
                        &mut sketch,
                        &format!("ball{count:03}"),
                        centre,
                        0.1,
                        0.0,
                        1.0,
                    );
                    count += 1;
                }
            }
        }
        sketch.source.materials[0] = Material {
            friction: 0.0,
            ..Material::default()
        };
        let (level, _) = build(sketch.source).unwrap();
        let mut world = World::of(&level);
        for index in 0..count {
            let id = BodyId(index);
            let direction = DVec3::new(
                rng.between(-1.0, 1.0),
                rng.between(-1.0, 1.0),
                rng.between(-1.0, 1.0),
            );
            let mut state = *world.bodies.state(id);
            state.velocity = direction * (speed / direction.length());
            world.bodies.set(id, state);
        }
        let energy = |world: &World| {
            world
                .bodies
                .iter()
                .map(|(_, state)| state.velocity.length_squared())
                .sum::<f64>()
        };
        let before = energy(&world);
        simulate(&level, &mut world, DVec3::ZERO, 1200);
        let ratio = energy(&world) / before;
        assert!((ratio - 1.0).abs() < 1e-9, "{speed}: {ratio}");
        for (_, state) in world.bodies.iter() {
            let point = state.at.point + level.origin;
            assert!(
                point
                    .abs()
                    .cmple(DVec3::new(3.9, 3.9, 3.9) + DVec3::splat(1e-6))
                    .all(),
                "{point}"
            );
            assert!(point.y >= 0.1 - 1e-6);
        }
    }
}

#[test]
fn balls_that_are_dropped_come_to_rest_and_sleep() {
    let mut sketch = hall(DVec3::new(3.0, 6.0, 3.0));
    for index in 0..40 {
        let place = DVec3::new(
            f64::from(index % 3) * 0.6 - 0.6,
            0.6 + f64::from(index / 9) * 0.7,
            f64::from(index / 3 % 3) * 0.6 - 0.61,
        );
        add_ball(
            &mut sketch,
            &format!("ball{index:03}"),
            place,
            0.2,
            0.5,
            0.3,
        );
    }
    let (level, _) = build(sketch.source).unwrap();
    let mut world = World::of(&level);
    simulate(&level, &mut world, GRAVITY, 1800);
    let mut deepest: f64 = 0.0;
    for (a, one) in world.bodies.iter() {
        let point = one.at.point + level.origin;
        deepest = deepest.max(0.2 - point.y);
        for (_, other) in world.bodies.iter().filter(|(b, _)| *b > a) {
            deepest = deepest.max(0.4 - one.at.point.distance(other.at.point));
        }
    }
    assert!(deepest < 1e-3);
    assert_eq!(world.bodies.awake_count(), 0);
}

#[test]
fn a_box_slides_on_a_slope_steeper_than_its_friction_alone() {
    for (degrees, slides) in [(29.0, false), (32.0, true)] {
        let angle = f64::to_radians(degrees);
        // Gravity is tilted instead of the floor: friction 0.6 holds up to 30.96 degrees.
        let gravity = DVec3::new(9.81 * angle.sin(), -9.81 * angle.cos(), 0.0);
        let mut sketch = hall(DVec3::new(60.0, 8.0, 6.0));
        sketch.source.materials[0] = Material {
            friction: 0.6,
            ..Material::default()
        };
        let centre = DVec3::new(-20.0, 0.25, 0.0);
        add(
            &mut sketch,
            "box",
            BodyShape::Box,
            crate_at(centre, DVec3::new(0.5, 0.25, 0.5)),
            0.6,
            0.0,
        );
        let (level, _) = build(sketch.source).unwrap();
        let mut world = World::of(&level);
        simulate(&level, &mut world, gravity, 120);
        let moved = world.bodies.state(BodyId(0)).at.point + level.origin - centre;
        assert_eq!(moved.length() > 0.05, slides, "{degrees}: {moved}");
        if slides {
            let acceleration = 9.81 * (angle.sin() - 0.6 * angle.cos());
            let expected = 0.5 * acceleration * 4.0;
            assert!(
                (moved.x - expected).abs() < 0.02 * expected,
                "{moved} {expected}"
            );
        }
    }
}

#[test]
fn dominoes_fall_to_the_last_and_come_to_rest() {
    let mut sketch = hall(DVec3::new(20.0, 4.0, 6.0));
    let half = DVec3::new(0.03, 0.25, 0.125);
    for index in 0..50 {
        let centre = DVec3::new(0.25 * f64::from(index) - 6.0, 0.25, 0.0);
        let outside = crate_at(centre, half);
        add(
            &mut sketch,
            &format!("domino{index:02}"),
            BodyShape::Box,
            outside,
            0.4,
            0.0,
        );
    }
    let (level, _) = build(sketch.source).unwrap();
    let mut world = World::of(&level);
    simulate(&level, &mut world, GRAVITY, 60);
    assert_eq!(world.bodies.awake_count(), 0);
    let mut first = *world.bodies.state(BodyId(0));
    first.spin = DVec3::NEG_Z * 3.0;
    first.velocity = DVec3::X * 0.75;
    world.bodies.set(BodyId(0), first);
    simulate(&level, &mut world, GRAVITY, 900);
    for (id, state) in world.bodies.iter() {
        let height = level.to_author(state.at.point).0.y;
        assert!(height < 0.17, "{id:?}: {height}");
    }
    assert_eq!(world.bodies.awake_count(), 0);
}

/// The face of one domino is pushed against an edge of another domino again and again. The first domino and the floor
/// strike the other domino in turn.
#[test]
fn a_domino_pushed_against_another_body_does_not_get_stuck() {
    let mut sketch = hall(DVec3::new(8.0, 4.0, 8.0));
    let half = DVec3::new(0.03, 0.25, 0.125);
    for name in ["pushed", "struck"] {
        let outside = crate_at(DVec3::Y, half);
        add_heavy(&mut sketch, name, BodyShape::Box, outside, (1.5, 0.4, 0.0));
    }
    let (level, _) = build(sketch.source).unwrap();
    let mut world = World::of(&level);
    let [struck, pushed] = ["struck", "pushed"].map(|name| {
        let index = level.bodies.iter().position(|body| body.name == name);
        BodyId(index.unwrap() as u32)
    });
    let mut put = |id: BodyId, place: DVec3, angle: f64| {
        let mut state = *world.bodies.state(id);
        state.at.point = place - level.origin;
        state.rotation = DQuat::from_rotation_y(angle);
        world.bodies.set(id, state);
    };
    // The edge of one domino lies 9 micrometres in front of the face of the other.
    let (angle, normal) = (0.943_f64, DVec3::new(0.587, 0.0, 0.809));
    let normal = normal / normal.length();
    let edge = DVec3::new(0.104, 0.25, 0.076);
    let along = DVec3::new(-normal.z, 0.0, normal.x);
    put(struck, DVec3::Y * 0.25, 1.177);
    put(pushed, edge + normal * 0.030_009 + along * 0.018, -angle);
    let mut workspace = BodyWorkspace::default();
    for now in 0..30 {
        let mut state = *world.bodies.state(pushed);
        state.velocity = DVec3::new(-3.0, 0.0, 0.2);
        state.spin = DVec3::Y * 20.0;
        world.bodies.set(pushed, state);
        let phase = BroadPhase::Portals;
        tick_bodies(&level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
        let moved = world.bodies.state(pushed).at.point - state.at.point;
        assert!(moved.length() > 5e-3, "{now}: {moved}");
    }
}

/// A crate in flight. One slow corner is so close to the floor that it is in contact; another corner reaches the floor
/// within the tick, as the crate rotates.
#[test]
fn a_corner_that_turns_into_the_floor_strikes_it() {
    let mut sketch = hall(DVec3::splat(6.0));
    let half = DVec3::new(0.248, 0.212, 0.214);
    let outside = crate_at(DVec3::Y * 2.0, half);
    add(&mut sketch, "crate", BodyShape::Box, outside, 0.5, 0.3);
    let (level, _) = build(sketch.source).unwrap();
    let mut world = World::of(&level);
    let mut state = *world.bodies.state(BodyId(0));
    state.at.point = DVec3::new(0.3, 0.2985, -0.7) - level.origin;
    state.rotation = DQuat::from_xyzw(0.7056, 0.35138, 0.13382, -0.60062).normalize();
    state.velocity = DVec3::new(-0.873, -0.972, 1.281);
    state.spin = DVec3::new(4.545, 3.575, 3.691);
    world.bodies.set(BodyId(0), state);
    simulate(&level, &mut world, GRAVITY, 1);
    let state = world.bodies.state(BodyId(0));
    let corners = (0..8).map(|corner| {
        let signs = [1, 2, 4].map(|bit| if corner & bit == 0 { -1.0 } else { 1.0 });
        let place = state.at.point + state.rotation * (DVec3::from(signs) * half);
        (place + level.origin).y
    });
    let lowest = corners.fold(f64::INFINITY, f64::min);
    assert!(lowest > -1e-3, "{lowest}");
}

/// The solver changes velocities in single precision, and keeps all digits of velocities that no constraint changes.
#[test]
fn a_puck_on_ice_keeps_its_velocity_to_the_bit() {
    let mut sketch = hall(DVec3::new(40.0, 4.0, 40.0));
    let puck = crate_at(DVec3::new(-15.0, 0.1, -9.0), DVec3::new(0.2, 0.1, 0.2));
    add(&mut sketch, "puck", BodyShape::Box, puck, 0.0, 0.0);
    let (level, _) = build(sketch.source).unwrap();
    let mut world = World::of(&level);
    let mut state = *world.bodies.state(BodyId(0));
    let velocity = DVec3::new(5.3, 0.0, 3.1);
    state.velocity = velocity;
    world.bodies.set(BodyId(0), state);
    simulate(&level, &mut world, GRAVITY, 300);
    let after = world.bodies.state(BodyId(0)).velocity;
    assert_eq!([after.x, after.z], [velocity.x, velocity.z]);
    assert!(after.y.abs() < 1e-6, "{after}");
}

/// A ball at 500 m/s moves eight metres in a tick, 800 times its radius.
#[test]
fn no_ball_of_a_centimetre_passes_a_sheet_of_a_millimetre_at_any_speed() {
    let mut rng = Rng::new(3);
    for shot in 0..300 {
        let mut sketch = hall(DVec3::new(8.0, 4.0, 8.0));
        let leaf = Aabb {
            min: DVec3::new(-3.999, 0.001, -0.5005),
            max: DVec3::new(3.999, 3.999, -0.4995),
        };
        sketch.furniture(0, 0, leaf);
        let aim = DVec3::new(rng.between(-3.9, 3.9), rng.between(0.1, 3.9), -0.5);
        let from = DVec3::new(rng.between(-3.9, 3.9), rng.between(0.1, 3.9), 3.0);
        add_ball(&mut sketch, "ball", from, 0.01, 0.5, 0.5);
        let (level, _) = build(sketch.source).unwrap();
        let mut world = World::of(&level);
        let mut state = *world.bodies.state(BodyId(0));
        let speed = [30.0, 120.0, 500.0][shot % 3];
        state.velocity = (aim - from) * (speed / (aim - from).length());
        world.bodies.set(BodyId(0), state);
        for _ in 0..20 {
            simulate(&level, &mut world, GRAVITY, 1);
            let at = level.to_author(world.bodies.state(BodyId(0)).at.point).0;
            // The panel fills the hall except for a gap of a millimetre, through which the ball does not fit.
            assert!(at.z > -0.4995, "shot {shot}: {at}");
            assert!(at.z < 4.0 && at.x.abs() < 4.0 && (0.0..4.0).contains(&at.y));
        }
    }
}

#[test]
fn a_row_of_balls_passes_on_the_impulse_to_its_first_ball() {
    for speed in [0.7, 3.0, 40.0] {
        let mut sketch = hall(DVec3::new(30.0, 4.0, 4.0));
        for index in 0..5 {
            let x = match index {
                0 => -1.5,
                _ => 0.2 * f64::from(index),
            };
            let centre = DVec3::new(x, 1.0, 0.0);
            add_ball(&mut sketch, &format!("ball{index}"), centre, 0.1, 0.0, 1.0);
        }
        let (level, _) = build(sketch.source).unwrap();
        let mut world = World::of(&level);
        let mut state = *world.bodies.state(BodyId(0));
        state.velocity = DVec3::X * speed;
        world.bodies.set(BodyId(0), state);
        // The time of a motion of three metres, too short for the last ball to reach the wall.
        let ticks = (3.0 / speed * 60.0) as u32;
        simulate(&level, &mut world, DVec3::ZERO, ticks);
        for (id, state) in world.bodies.iter() {
            let right = if id.0 == 4 { speed } else { 0.0 };
            let off = state.velocity.distance(DVec3::X * right);
            assert!(off < 1e-6 * speed, "{speed}: {id:?} {}", state.velocity);
        }
    }
}
