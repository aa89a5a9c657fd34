//! The player's body: as tall as a person, with step settings.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{Input, PLAYER, Start};
use opendoor::level::Level;

use crate::common::{FORWARD, Playtest, v};
use crate::shared::built;

/// A hall with a wall across it at x = 0..1 that is open up to `height` metres.
fn passage(height: f64) -> Level {
    let mut sketch = Sketch::new("passage");
    let hall = sketch.box_room("hall", cuboid([-5., 0., -2.], [5., 4., 2.]), &[]);
    sketch.furniture(hall, 0, cuboid([0., height, -2.], [1., 4., 2.]));
    sketch.spawn(hall, v(-3., 0.1, 0.), DVec3::X);
    built(sketch.source)
}

/// The x coordinate that the player reaches in three seconds.
fn walks_to(level: &Level, crouch: bool) -> f64 {
    let mut playtest = Playtest::with_body(level, &Start::Default, PLAYER);
    playtest.hold(&Input { crouch, ..FORWARD }, 3.0);
    playtest.centre().x
}

#[test]
fn the_player_walks_upright_only_where_a_person_can() {
    for (height, upright, crouched) in [
        (0.75, false, false),
        (1.05, false, false),
        (1.15, false, true),
        (1.5, false, true),
        (1.78, false, true),
        (1.85, true, true),
        (2.0, true, true),
    ] {
        let level = passage(height);
        assert_eq!(walks_to(&level, false) > 1.5, upright, "{height}, upright");
        assert_eq!(walks_to(&level, true) > 1.5, crouched, "{height}, crouched");
    }
}

#[test]
fn a_player_that_lets_go_of_the_key_stands_up_only_behind_the_passage() {
    let level = passage(1.2);
    let mut playtest = Playtest::with_body(&level, &Start::Default, PLAYER);
    let crouch = Input {
        crouch: true,
        ..FORWARD
    };
    playtest.hold(&crouch, 1.7);
    let inside = playtest.centre().x;
    assert!((0.1..0.6).contains(&inside), "{inside}");
    for _ in 0..180 {
        // The monitor checks the gap to the wall with the body's current height.
        playtest.tick(&FORWARD);
        if playtest.game.players[0].actor.body.segment_length > 0.5 {
            assert!(playtest.centre().x > 1.3, "{}", playtest.centre());
        }
    }
    assert_eq!(playtest.game.players[0].actor.body, PLAYER);
    assert!(playtest.centre().x > 3.0);
}

#[test]
fn a_player_starts_crouched_where_there_is_no_room_to_stand() {
    let level = passage(1.3);
    let start = Start::Feet(level.to_author(v(0.5, 0.0, 0.0)));
    let mut playtest = Playtest::with_body(&level, &start, PLAYER);
    playtest.stand(0.5);
    assert!(playtest.game.players[0].crouched && playtest.monitor.min_gap > 0.0);
    playtest.game.players[0].yaw = -90.0;
    playtest.hold(&FORWARD, 1.5);
    assert_eq!(playtest.game.players[0].actor.body, PLAYER);
}

#[test]
fn the_player_climbs_steps_up_to_its_step_height() {
    let mut sketch = Sketch::new("step");
    let hall = sketch.box_room("hall", cuboid([-5., 0., -2.], [5., 4., 2.]), &[]);
    sketch.furniture(hall, 0, cuboid([0., 0., -2.], [2., 0.38, 2.]));
    sketch.furniture(hall, 0, cuboid([3., 0., -2.], [5., 0.45, 2.]));
    sketch.spawn(hall, v(-3., 0.1, 0.), DVec3::X);
    let level = built(sketch.source);
    let mut playtest = Playtest::with_body(&level, &Start::Default, PLAYER);
    playtest.hold(&FORWARD, 3.0);
    // The player climbs the step of 0.38 m, and the step of 0.45 m stops it.
    let end = playtest.centre().x;
    assert!((2.5..3.0).contains(&end), "{end}");
}
