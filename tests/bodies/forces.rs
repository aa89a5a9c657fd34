//! Forces and impulses that a game applies.

use opendoor::bodies::BodyWorkspace;
use opendoor::build::build;
use opendoor::game::Game;
use opendoor::glam::{DMat3, DVec3};
use opendoor::level::{BodyId, Level};
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::{BodyState, World};

use crate::hall::{GRAVITY, add_ball, add_heavy, crate_at, hall};
use crate::long::{direction, tick};

const TICK_SECS: f64 = 1.0 / 60.0;

/// The friction of the body and of all surfaces.
const FRICTION: f64 = 0.5;

/// A level with a body of 12 kg, about half a metre wide, in the air or on the floor of a large hall.
fn level_with(shape: BodyShape, height: f64) -> Level {
    let mut sketch = hall(DVec3::new(40.0, 20.0, 40.0));
    let outside = crate_at(DVec3::Y * height, DVec3::new(0.2, 0.3, 0.25));
    for material in &mut sketch.source.materials {
        material.friction = FRICTION;
    }
    let surface = (12.0, FRICTION, 0.0);
    add_heavy(&mut sketch, "thing", shape, outside, surface);
    build(sketch.source).expect("it is sound").0
}

/// Momentum, and angular momentum about the origin of the room.
fn momenta(level: &Level, state: &BodyState) -> [DVec3; 2] {
    let mass = level.body(BodyId(0)).mass;
    let rotation = DMat3::from_quat(state.rotation);
    let inertia = rotation * mass.inertia() * rotation.transpose();
    let momentum = mass.mass * state.velocity;
    [
        momentum,
        state.at.point.cross(momentum) + inertia * state.spin,
    ]
}

#[test]
fn impulses_at_points_give_their_momentum_and_their_moment_about_any_point() {
    let mut rng = Rng::new(1);
    for shape in [BodyShape::Box, BodyShape::Hull, BodyShape::Sphere] {
        let level = level_with(shape, 10.0);
        for _ in 0..200 {
            let mut world = World::of(&level);
            let id = BodyId(0);
            let mut state = *world.bodies.state(id);
            state.velocity = direction(&mut rng) * rng.between(0.0, 5.0);
            state.spin = direction(&mut rng) * rng.between(0.0, 5.0);
            world.bodies.set(id, state);
            for _ in 0..rng.below(20) {
                tick(
                    &level,
                    &mut world,
                    DVec3::ZERO,
                    &mut BodyWorkspace::default(),
                );
            }
            let before = momenta(&level, world.bodies.state(id));
            let mut given = [DVec3::ZERO; 2];
            for _ in 0..5 {
                let impulse = direction(&mut rng) * rng.between(0.0, 50.0);
                let point = world.bodies.state(id).at.point + direction(&mut rng) * 0.3;
                let twist = direction(&mut rng) * rng.between(0.0, 5.0);
                let body = level.body(id);
                world.bodies.apply_impulse(id, body, impulse, point);
                world.bodies.apply_angular_impulse(id, body, twist);
                given[0] += impulse;
                given[1] += point.cross(impulse) + twist;
            }
            let after = momenta(&level, world.bodies.state(id));
            for ((before, given), after) in before.into_iter().zip(given).zip(after) {
                assert!((before + given - after).length() < 1e-9, "{shape:?}");
            }
        }
    }
}

#[test]
fn a_force_as_large_as_the_weight_holds_a_body_in_the_air_and_one_beside_it_bends_its_way_to_a_parabola()
 {
    for shape in [BodyShape::Box, BodyShape::Sphere] {
        let level = level_with(shape, 10.0);
        let (mut world, id) = (World::of(&level), BodyId(0));
        let start = world.bodies.state(id).at.point;
        let mut workspace = BodyWorkspace::default();
        let body = level.body(id);
        let wind = DVec3::new(3.0, 0.0, -2.0);
        for now in 1..=120 {
            let centre = world.bodies.state(id).at.point;
            // Two forces whose moments cancel each other.
            for side in [-1.0, 1.0] {
                let force = 0.5 * (wind - body.mass.mass * GRAVITY);
                let at = centre + DVec3::X * side * 0.1;
                world.bodies.apply_force(id, body, force, at);
            }
            tick(&level, &mut world, GRAVITY, &mut workspace);
            let time = f64::from(now) * TICK_SECS;
            let expected = start + wind * (0.5 * time * time / body.mass.mass);
            let state = world.bodies.state(id);
            assert!(
                (state.at.point - expected).length() < 1e-9,
                "{shape:?} {now}"
            );
            assert!(state.spin.length() < 1e-9);
        }
    }
}

#[test]
fn a_torque_turns_a_ball_according_to_its_moment_of_inertia() {
    let mut sketch = hall(DVec3::splat(20.0));
    add_ball(&mut sketch, "ball", DVec3::Y * 10.0, 0.3, 0.5, 0.0);
    let (level, _) = build(sketch.source).expect("it is sound");
    let (mut world, id) = (World::of(&level), BodyId(0));
    let torque = DVec3::new(0.1, -0.2, 0.3);
    for _ in 0..60 {
        world.bodies.apply_torque(id, level.body(id), torque);
        tick(
            &level,
            &mut world,
            DVec3::ZERO,
            &mut BodyWorkspace::default(),
        );
    }
    // 0.4 times the squared radius is the moment of inertia of a solid ball of 1 kg.
    let expected = torque / (0.4 * 0.3 * 0.3);
    assert!((world.bodies.state(id).spin - expected).length() < 1e-9);
}

#[test]
fn a_crate_on_the_floor_gives_way_to_a_push_beyond_its_friction_alone() {
    let level = level_with(BodyShape::Box, 0.3);
    let (id, body) = (BodyId(0), level.body(BodyId(0)));
    let weight = -body.mass.mass * GRAVITY.y;
    let limit = FRICTION * weight;
    for part in [0.2, 0.9, 1.1, 2.0] {
        let mut world = World::of(&level);
        let mut workspace = BodyWorkspace::default();
        for _ in 0..300 {
            tick(&level, &mut world, GRAVITY, &mut workspace);
        }
        assert_eq!(
            world.bodies.awake_count(),
            0,
            "it sleeps before it is pushed"
        );
        let start = world.bodies.state(id).at.point;
        for _ in 0..60 {
            let at = world.bodies.state(id).at.point - DVec3::Y * 0.25;
            let force = DVec3::X * (part * limit);
            world.bodies.apply_force(id, body, force, at);
            tick(&level, &mut world, GRAVITY, &mut workspace);
        }
        let way = world.bodies.state(id).at.point.x - start.x;
        if part < 1.0 {
            assert!(way.abs() < 1e-4, "{part}: {way}");
        } else {
            let expected = 0.5 * (part - 1.0) * limit / body.mass.mass;
            assert!(
                (way / expected - 1.0).abs() < 0.1,
                "{part}: {way} {expected}"
            );
        }
    }
}

#[test]
fn non_finite_forces_and_absent_bodies_change_nothing() {
    let level = level_with(BodyShape::Box, 10.0);
    let id = BodyId(0);
    let mut game = Game::new(&level).expect("there is room");
    let before = game.state_hash(&level);
    for bad in [DVec3::NAN, DVec3::INFINITY, DVec3::X * f64::MAX] {
        game.apply_impulse(&level, id, bad, DVec3::Y);
        game.apply_force(&level, id, bad, DVec3::Y);
        game.apply_angular_impulse(&level, id, bad);
        game.apply_torque(&level, id, bad);
    }
    assert_eq!(game.state_hash(&level), before);
    let huge = DVec3::X * 1e300;
    game.apply_impulse(&level, id, huge, DVec3::ZERO);
    assert!(game.world().bodies.state(id).velocity.length() <= 1e6);
    game.remove_body(id);
    let absent = game.state_hash(&level);
    game.apply_impulse(&level, id, DVec3::X, DVec3::ZERO);
    game.apply_force(&level, id, DVec3::X, DVec3::ZERO);
    assert_eq!(game.state_hash(&level), absent);
}

#[test]
fn a_game_with_very_large_forces_can_be_saved_and_restored() {
    let mut rng = Rng::new(5);
    let level = level_with(BodyShape::Hull, 10.0);
    let id = BodyId(0);
    for trial in 0..60 {
        let mut game = Game::new(&level).expect("there is room");
        let input = opendoor::game::Input::default();
        let size = 10_f64.powf(rng.between(0.0, 290.0));
        for now in 0..4 {
            let force = direction(&mut rng) * size;
            let at = game.world().bodies.state(id).at.point + direction(&mut rng);
            match trial % 4 {
                0 => game.apply_impulse(&level, id, force, at),
                1 => game.apply_angular_impulse(&level, id, force),
                2 => game.apply_force(&level, id, force, at),
                _ => game.apply_torque(&level, id, force),
            }
            let speed = game.world().bodies.state(id).velocity.length();
            let is_struck = now == 0 && trial % 4 == 0 && size > 1e9;
            assert!(!is_struck || speed > 1e5, "{size:e}: {speed}");
            let bytes = game.save(&level);
            let restored = Game::restore(&level, &bytes).expect("it was saved");
            assert_eq!(restored.state_hash(&level), game.state_hash(&level));
            game.tick(&level, &[input]);
            assert!(Game::restore(&level, &game.save(&level)).is_ok(), "{trial}");
        }
    }
}

#[test]
fn a_weak_force_that_lasts_moves_a_ball_however_slow_it_is_at_first() {
    let mut sketch = hall(DVec3::splat(20.0));
    add_ball(&mut sketch, "ball", DVec3::Y * 0.3, 0.3, 0.5, 0.0);
    let (level, _) = build(sketch.source).expect("it is sound");
    let (mut world, id) = (World::of(&level), BodyId(0));
    let mut workspace = BodyWorkspace::default();
    let start = world.bodies.state(id).at.point.x;
    for _ in 0..600 {
        let centre = world.bodies.state(id).at.point;
        let body = level.body(id);
        world.bodies.apply_force(id, body, DVec3::X * 0.07, centre);
        tick(&level, &mut world, GRAVITY, &mut workspace);
    }
    // Without rolling resistance the ball of 1 kg would roll 2.5 m.
    let way = world.bodies.state(id).at.point.x - start;
    assert!(way > 1.0, "{way}");
}

#[test]
fn a_force_that_is_applied_before_a_game_is_saved_acts_after_it_is_restored() {
    let level = level_with(BodyShape::Hull, 10.0);
    let id = BodyId(0);
    let mut game = Game::new(&level).expect("there is room");
    let input = opendoor::game::Input::default();
    game.tick(&level, &[input]);
    let plain = game.save(&level);
    game.apply_force(&level, id, DVec3::new(500.0, 300.0, 0.0), DVec3::Y * 10.0);
    let bytes = game.save(&level);
    assert_ne!(plain, bytes);
    let mut restored = Game::restore(&level, &bytes).expect("it was saved");
    let mut without = Game::restore(&level, &plain).expect("it was saved");
    for now in 0..30 {
        for game in [&mut game, &mut restored, &mut without] {
            game.tick(&level, &[input]);
        }
        let hashes = [&game, &restored, &without].map(|game| game.state_hash(&level));
        assert_eq!(hashes[0], hashes[1], "{now}");
        assert_ne!(hashes[0], hashes[2], "{now}");
    }
}
