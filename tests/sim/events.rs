//! A body's events in a game, compared with physics and with the dimensions of the levels.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{EventKind, Game, GameEvent, Input, PLAYER, Start};
use opendoor::level::{Cycle, Drive, Level, LinkId, Material, Track};
use opendoor::motion;

use crate::common::{FORWARD, v};
use crate::lift;
use crate::shared::built;

/// Two rooms of 8 x 4 x 8 m side by side along x, with a doorway at x = 4; in the first a step of 0.3 m at z = -2 and a
/// shelf that leaves 2 m of height at z > 2; in the second a slot of 0.5 m at z < -3.
fn rooms() -> Level {
    let mut sketch = Sketch::new("rooms");
    let door = cuboid([4., 0., -1.], [4., 2.5, 1.]);
    let a = sketch.box_room("a", cuboid([-4., 0., -4.], [4., 4., 4.]), &[door]);
    let b = sketch.box_room("b", cuboid([4., 0., -4.], [12., 4., 4.]), &[door]);
    sketch.portal(a, "b", door, DVec3::X);
    let named = |name: &str| Material {
        name: name.to_owned(),
        ..Material::default()
    };
    let wood = sketch.material(named("wood"));
    sketch.furniture(a, wood, cuboid([-2., 0., -4.], [2., 0.3, -2.]));
    sketch.furniture(a, wood, cuboid([-4., 2., 2.], [4., 2.2, 4.]));
    sketch.furniture(b, wood, cuboid([7.75, 0., -4.], [8.25, 4., -3.]));
    sketch.furniture(b, wood, cuboid([8.75, 0., -4.], [9.25, 4., -3.]));
    sketch.spawn(a, DVec3::ZERO, DVec3::X);
    built(sketch.source)
}

/// A player with the feet at a point, looking along `yaw` degrees.
fn player(level: &Level, feet: DVec3, yaw: f64) -> Game {
    let start = Start::Feet(level.to_author(feet));
    let mut game = Game::start(level, &start, PLAYER).unwrap();
    game.players[0].yaw = yaw;
    for _ in 0..30 {
        game.tick(level, &[]);
    }
    game
}

/// The events of `ticks` ticks.
fn events(game: &mut Game, level: &Level, input: &Input, ticks: usize) -> Vec<GameEvent> {
    let mut all = Vec::new();
    for _ in 0..ticks {
        game.tick(level, &[*input]);
        all.extend(&game.events);
    }
    all
}

fn names(events: &[GameEvent]) -> Vec<&'static str> {
    events.iter().map(GameEvent::name).collect()
}

fn body_event(event: &GameEvent) -> motion::MotionEvent {
    match event.kind {
        EventKind::Body(event) => event,
        kind => panic!("{kind:?}"),
    }
}

#[test]
fn a_jump_is_left_and_ended_with_the_speed_that_its_height_gives() {
    let level = rooms();
    let mut game = player(&level, v(-1., 0.01, 0.), 0.0);
    let jump = Input {
        jump: true,
        ..Input::default()
    };
    let mut all = events(&mut game, &level, &jump, 1);
    all.extend(events(&mut game, &level, &Input::default(), 90));
    assert_eq!(names(&all), ["jumped", "landed"]);
    let motion::MotionEvent::Landed { speed, solid } = body_event(&all[1]) else {
        panic!("{all:?}");
    };
    // Tolerance: the speed that gravity adds in one tick.
    let expected = (2.0 * 9.81 * PLAYER.jump_height).sqrt();
    assert!((speed - expected).abs() < 0.17, "{speed}, not {expected}");
    assert_eq!(solid.material(&level).unwrap().name, "default");
}

#[test]
fn a_fall_ends_on_the_surface_below_and_reports_its_speed() {
    let level = rooms();
    let start = Start::Feet(level.to_author(v(0., 2.1, -3.)));
    let mut game = Game::start(&level, &start, PLAYER).unwrap();
    let all = events(&mut game, &level, &Input::default(), 90);
    assert_eq!(names(&all), ["landed"]);
    let motion::MotionEvent::Landed { speed, solid } = body_event(&all[0]) else {
        panic!("{all:?}");
    };
    let expected = (2.0 * 9.81 * (2.1 - 0.3_f64)).sqrt();
    assert!((speed - expected).abs() < 0.17, "{speed}, not {expected}");
    assert_eq!(solid.material(&level).unwrap().name, "wood");
}

#[test]
fn a_wall_is_hit_once_with_the_walking_speed_however_long_the_body_leans_on_it() {
    let level = rooms();
    let mut game = player(&level, v(-1., 0.01, 0.), 90.0);
    let all = events(&mut game, &level, &FORWARD, 240);
    assert_eq!(names(&all), ["hit"]);
    let motion::MotionEvent::Hit { speed, .. } = body_event(&all[0]) else {
        panic!("{all:?}");
    };
    assert!((speed - 4.0).abs() < 1e-6, "{speed}");
    // Moving away and back causes another hit.
    let back = Input {
        forward: -1.0,
        ..FORWARD
    };
    assert_eq!(events(&mut game, &level, &back, 30), []);
    let again = events(&mut game, &level, &FORWARD, 60);
    assert_eq!(names(&again), ["hit"]);
}

#[test]
fn a_ceiling_is_hit_in_a_jump() {
    let level = rooms();
    let mut game = player(&level, v(-1., 0.01, 3.), 0.0);
    let jump = Input {
        jump: true,
        ..Input::default()
    };
    let mut all = events(&mut game, &level, &jump, 1);
    all.extend(events(&mut game, &level, &Input::default(), 60));
    assert_eq!(names(&all), ["jumped", "hit", "landed"]);
}

#[test]
fn a_step_is_reported_once_with_its_height() {
    let level = rooms();
    let mut game = player(&level, v(0., 0.01, 0.), 0.0);
    let all = events(&mut game, &level, &FORWARD, 35);
    assert_eq!(names(&all), ["stepped"]);
    let motion::MotionEvent::Stepped { height } = body_event(&all[0]) else {
        panic!("{all:?}");
    };
    assert!((0.2..0.3).contains(&height), "{height}");
}

#[test]
fn every_change_of_room_is_a_crossing_of_the_portal_between_them() {
    let level = rooms();
    let mut game = player(&level, v(1., 0.01, 0.), -90.0);
    let mut crossings = Vec::new();
    for tick in 0..600 {
        // Back and forth.
        if tick % 120 == 0 {
            game.players[0].yaw = if tick % 240 == 0 { -90.0 } else { 90.0 };
        }
        let before = game.players[0].actor.state.at.room;
        game.tick(&level, &[FORWARD]);
        let crossed = game.events.iter().filter_map(|event| match event.kind {
            EventKind::Body(motion::MotionEvent::Crossed { portal }) => Some(level.portal(portal)),
            _ => None,
        });
        let crossed: Vec<_> = crossed.map(|portal| (portal.near, portal.far)).collect();
        let after = game.players[0].actor.state.at.room;
        if before == after {
            assert_eq!(crossed, []);
        } else {
            assert_eq!(crossed, [(before, after)]);
            crossings.push(after);
        }
    }
    assert!(crossings.len() >= 4, "{crossings:?}");
}

#[test]
fn a_door_that_the_body_keeps_open_is_reported_with_the_next_tick() {
    let level = rooms();
    let mut game = player(&level, v(4., 0.01, 0.), 0.0);
    assert!(game.set_link(&level, LinkId(0), false).is_err());
    let all = events(&mut game, &level, &Input::default(), 2);
    let link = LinkId(0);
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].kind, EventKind::DoorBlocked { link });
    assert!(game.world().is_open(link));
}

#[test]
fn a_body_is_crushed_once_until_it_is_free_again() {
    let level = rooms();
    let mut game = player(&level, v(10., 0.01, 0.), 0.0);
    let free = game.players[0].actor.state;
    let crushed = |events: &[GameEvent]| names(events).iter().filter(|&&n| n == "crushed").count();
    for _ in 0..2 {
        game.players[0].actor.state.at.point =
            level.from_author(level.to_author(v(8.5, 0.36, -3.5)));
        let all = events(&mut game, &level, &Input::default(), 20);
        assert_eq!(crushed(&all), 1, "{all:?}");
        game.players[0].actor.state = free;
        let all = events(&mut game, &level, &Input::default(), 20);
        assert_eq!(crushed(&all), 0, "{all:?}");
    }
}

/// Regression test: a mover without drawn meshes had a middle of NaN. So `sim --json` wrote null, where scripts read
/// three numbers.
#[test]
fn the_events_of_an_undrawn_mover_have_a_position() {
    let drive = Drive {
        cycle: Cycle::Shuttle,
        ..lift::drive(30)
    };
    let with_shell = lift::lift((Track::Slide(DVec3::Y * lift::RISE), drive));
    let (mut unseen, mut without_shell) = (with_shell.clone(), with_shell.clone());
    for mesh in &mut unseen.movers[0].meshes {
        mesh.drawn = false;
    }
    without_shell.movers[0].meshes.clear();
    for source in [with_shell, unseen, without_shell] {
        let level = built(source);
        let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
        let events = events(&mut game, &level, &Input::default(), 70);
        let of_movers = events
            .iter()
            .filter(|event| event.node(&level).is_some_and(|node| node == "cabin-room"));
        let heights: Vec<f64> = of_movers
            .map(|event| {
                // Above the shaft's axis, half as high as the cabin.
                assert!(event.feet.0.with_y(0.0).length() < 0.15, "{}", event.feet);
                event.feet.0.y
            })
            .collect();
        assert!(heights.len() > 2, "{heights:?}");
        let middle = |height: &f64| (1.0..1.5).contains(height) || (6.0..6.5).contains(height);
        assert!(heights.iter().all(middle), "{heights:?}");
    }
}
