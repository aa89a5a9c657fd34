//! Upright capsules: headroom, beams, ceilings. No part of the body penetrates a polygon.

use glam::DVec3;
use opendoor::author::grid_glb;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::collision::BroadPhase;
use opendoor::game::{CHARACTER, Game, Input, Start};
use opendoor::level::Level;
use opendoor::load::load_bytes;
use opendoor::motion::Body;
use opendoor::testing::{Monitor, RandomPlayer};

use crate::actor::{Actor, Stage, body, rho};
use crate::shapes::{block, facing, ground, quad, stage, v};
use crate::shared::built;

const RADIUS: f64 = 0.3;

fn capsule(height: f64) -> Body {
    Body {
        segment_length: height - 2.0 * RADIUS,
        ..body(RADIUS, 9.81)
    }
}

#[test]
fn without_low_obstacles_a_capsule_walks_like_its_sphere() {
    let mut triangles = ground(50.0);
    triangles.extend(block([2.0, 0.0, -1.0], [3.0, 5.0, 1.0]));
    triangles.extend(block([-4.0, 0.0, 2.0], [4.0, 0.1, 3.0]));
    let stage = Stage::of(&stage(&triangles));
    let mut sphere = Actor::new(&stage, body(RADIUS, 9.81), "stage", v(0.0, 1.0, 0.1));
    let mut tall = Actor::new(&stage, capsule(1.8), "stage", v(0.0, 1.0, 0.1));
    for tick in 0..600 {
        let wish = v(3.0, 0.0, if tick < 200 { 0.4 } else { 2.0 });
        for actor in [&mut sphere, &mut tall] {
            actor.tick(wish, tick % 150 == 149);
        }
        let off = sphere.centre().distance(tall.centre());
        assert!(off < 1e-9, "tick {tick}: {off:e}");
    }
}

#[test]
fn a_beam_stops_a_capsule_at_its_gap_and_lets_a_lower_one_through() {
    let mut triangles = ground(50.0);
    triangles.extend(block([2.0, 1.5, -20.0], [2.4, 3.0, 20.0]));
    let stage = Stage::of(&stage(&triangles));
    for (height, passes) in [(1.2, true), (1.49, true), (1.6, false), (2.4, false)] {
        let mut actor = Actor::new(&stage, capsule(height), "stage", v(0.0, rho(RADIUS), 0.0));
        actor.hold(v(4.0, 0.0, 0.0), 180);
        assert_eq!(
            actor.centre().x > 3.0,
            passes,
            "{height}: {}",
            actor.centre()
        );
        if !passes {
            // The upper sphere touches the beam's lower edge, or the capsule's cylinder touches the beam's side.
            let above = (1.5 - (rho(RADIUS) + height - 2.0 * RADIUS)).max(0.0);
            let away = (rho(RADIUS).powi(2) - above.powi(2)).sqrt();
            let x = actor.centre().x;
            assert!((x - (2.0 - away)).abs() < 1e-6, "{height}: {x}");
            actor.assert_still(v(4.0, 0.0, 0.0));
        }
    }
}

#[test]
fn a_falling_ceiling_stops_a_capsule_where_its_head_meets_it() {
    for degrees in [10.0_f64, 30.0, 60.0] {
        let tan = degrees.to_radians().tan();
        let mut triangles = ground(50.0);
        let (high, low) = (v(0.0, 4.0, 0.0), v(4.0 / tan, 0.0, 0.0));
        let side = DVec3::Z * 20.0;
        let roof = quad(high - side, high + side, low + side, low - side);
        triangles.extend(facing(roof, DVec3::ZERO));
        let stage = Stage::of(&stage(&triangles));
        let mut actor = Actor::new(&stage, capsule(1.8), "stage", v(-1.0, rho(RADIUS), 0.0));
        actor.hold(v(4.0, 0.0, 0.0), 60 * 8);
        // The head's centre is rho below the roof, perpendicular to it.
        let head_y = rho(RADIUS) + capsule(1.8).segment_length;
        let x = (4.0 - head_y - rho(RADIUS) / degrees.to_radians().cos()) / tan;
        actor.assert_at(v(x, rho(RADIUS), 0.0), 1e-5);
        actor.assert_still(v(4.0, 0.0, 0.0));
    }
}

#[test]
fn a_jump_ends_at_the_ceiling() {
    let mut triangles = ground(50.0);
    triangles.extend(block([-5.0, 2.0, -5.0], [5.0, 2.5, 5.0]));
    let stage = Stage::of(&stage(&triangles));
    let mut actor = Actor::new(&stage, capsule(1.8), "stage", v(0.0, rho(RADIUS), 0.0));
    actor.hold(DVec3::ZERO, 5);
    let mut highest: f64 = 0.0;
    for tick in 0..120 {
        actor.tick(v(1.0, 0.0, 0.0), tick == 0);
        highest = highest.max(actor.centre().y);
    }
    let most = 2.0 - capsule(1.8).segment_length - rho(RADIUS);
    assert!((highest - most).abs() < 1e-6, "{highest}, not {most}");
    assert!((actor.centre().y - rho(RADIUS)).abs() < 1e-6);
}

/// A long room, 2.5 m high, with a duct 1.2 m high through its middle.
fn duct() -> Level {
    let mut sketch = Sketch::new("duct");
    let room = sketch.box_room("hall", cuboid([-9., 0., -3.], [9., 2.5, 3.]), &[]);
    sketch.furniture(room, 0, cuboid([-3., 1.2, -3.], [3., 2.5, 3.]));
    sketch.spawn(room, v(-6.0, 0.1, 0.0), DVec3::X);
    built(sketch.source)
}

#[test]
fn a_body_crouches_through_a_duct_and_stands_up_only_behind_it() {
    let level = duct();
    let tall = Body {
        segment_length: 1.1,
        ..CHARACTER
    };
    let mut game = Game::start(&level, &Start::Default, tall).unwrap();
    let mut monitor = Monitor::new(&level, &game, 0);
    let mut walk = |game: &mut Game, crouch: bool, ticks: usize| {
        for _ in 0..ticks {
            let input = Input {
                forward: 1.0,
                crouch,
                ..Input::default()
            };
            game.tick(&level, &[input]);
            monitor.add_tick(&level, game);
            assert_eq!(monitor.violation, None);
        }
        game.players[0].feet(&level).0.x
    };
    let stopped = walk(&mut game, false, 120);
    assert!((-3.4..-3.3).contains(&stopped), "{stopped}");
    let inside = walk(&mut game, true, 60);
    assert!(
        (-3.0..0.0).contains(&inside) && game.players[0].crouched,
        "{inside}"
    );
    // When the key is released under the roof, the body stays crouched until it has left the duct.
    let still_inside = walk(&mut game, false, 60);
    assert!((inside..3.0).contains(&still_inside) && game.players[0].crouched);
    let out = walk(&mut game, false, 120);
    assert!(out > 3.3 && !game.players[0].crouched, "{out}");
    assert!((game.players[0].actor.body.segment_length - 1.1).abs() < 1e-12);
}

#[test]
fn random_walks_of_capsules_touch_nothing_and_need_no_more_than_the_portals_show() {
    let level = load_bytes("grid", &grid_glb(3, 3)).unwrap().0;
    for (seed, height) in [(1, 0.9), (2, 1.2), (3, 1.75), (4, 1.9), (5, 2.05)] {
        let body = Body {
            segment_length: height - 2.0 * CHARACTER.radius,
            ..CHARACTER
        };
        let mut twins = [BroadPhase::Portals, BroadPhase::Exhaustive].map(|broad_phase| {
            let mut game = Game::start(&level, &Start::Default, body).unwrap();
            game.broad_phase = broad_phase;
            (game, RandomPlayer::new(seed))
        });
        let mut monitor = Monitor::new(&level, &twins[0].0, 0);
        for tick in 0..3000 {
            for (game, wander) in &mut twins {
                let input = wander.next(&level, game, 0);
                let crouch = tick / 200 % 3 == 2;
                game.tick(&level, &[Input { crouch, ..input }]);
            }
            monitor.add_tick(&level, &twins[0].0);
            assert_eq!(monitor.violation, None, "{height} m, seed {seed}");
            assert_eq!(
                twins[0].0.players[0].actor.state, twins[1].0.players[0].actor.state,
                "{height} m, tick {tick}"
            );
        }
    }
}
