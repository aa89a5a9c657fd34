//! Execution of walk files.

use opendoor::game::{Game, Start};
use opendoor::level::{AuthorPoint, Level, Material};
use opendoor::testing::{Leg, Tour, parse};

use crate::common::{Playtest, STANDING, hall_with, v, wall};

/// Walks from the middle of the hall; returns the legs, and the game at the end.
fn walk(level: &Level, text: &str) -> (Vec<Leg>, Game) {
    let mut playtest = Playtest::at(level, v(0., STANDING, 0.));
    playtest.stand(0.1);
    let mut tour = Tour::new(level, parse(text).unwrap()).unwrap();
    while let Some(input) = tour.next(level, &mut playtest.game) {
        playtest.tick(&input);
    }
    (tour.legs, playtest.game)
}

#[test]
fn goto_arrives_within_15_centimetres_in_the_time_that_it_takes() {
    let level = hall_with(&[], Material::default());
    let (legs, _) = walk(&level, "goto 3 4\n\n# back\ngoto 0 0");
    assert_eq!(legs.iter().map(|leg| leg.line).collect::<Vec<_>>(), [1, 4]);
    let to = |leg: &Leg, x: f64, z: f64| (leg.feet.0 - v(x, leg.feet.0.y, z)).length();
    for (leg, x, z) in [(&legs[0], 3., 4.), (&legs[1], 0., 0.)] {
        assert!(leg.ok && to(leg, x, z) <= 0.15);
        assert!((1.1..1.5).contains(&leg.seconds), "{}", leg.seconds);
    }
}

#[test]
fn goto_arrives_with_bodies_of_any_speed() {
    let level = hall_with(&[], Material::default());
    let mut playtest = Playtest::at(&level, v(0., STANDING, 0.));
    playtest.game.players[0].walk_speed = 100.0;
    playtest.game.players[0].actor.body.acceleration = 1000.0;
    let mut tour = Tour::new(&level, parse("goto 20 3").unwrap()).unwrap();
    while let Some(input) = tour.next(&level, &mut playtest.game) {
        playtest.tick(&input);
    }
    assert!(tour.legs[0].ok, "{:?}", tour.legs[0]);
}

#[test]
fn goto_gives_up_after_five_seconds_without_progress_and_the_walk_goes_on() {
    let level = hall_with(
        &wall(v(0., 0., -3.), v(0., 0., 1.), 5.),
        Material::default(),
    );
    let (legs, _) = walk(&level, "goto 0 -10\ngoto 0 2");
    assert!(!legs[0].ok && legs[1].ok);
    // Less than a second to the wall, then five seconds without progress.
    assert!((5.0..6.5).contains(&legs[0].seconds), "{}", legs[0].seconds);
    let problem = legs[0].problem.as_deref().unwrap();
    assert!(problem.contains("m short"), "{problem}");
}

#[test]
fn wait_move_and_face_act_as_named() {
    let level = hall_with(&[], Material::default());
    let (legs, game) = walk(&level, "wait 0.5\nface 90\nmove 1 0 1\nwait 0.2");
    let seconds: Vec<f64> = legs.iter().map(|leg| leg.seconds).collect();
    assert!((seconds[0] - 0.5).abs() < 1e-9 && seconds[1] == 0.0);
    assert!((seconds[2] - 1.0).abs() < 1e-9);
    // -x is to the left of -z. The player slows down as fast as it speeds up.
    let walked = game.players[0].actor.state.at.point;
    assert!(
        (-4.1..-3.8).contains(&walked.x) && walked.z.abs() < 1e-9,
        "{walked}"
    );
    assert_eq!(game.players[0].yaw, 90.0);
}

#[test]
fn jump_leaves_the_ground_and_fails_in_the_air() {
    let level = hall_with(&[], Material::default());
    let (legs, game) = walk(&level, "jump\njump\nwait 1\njump");
    let ok: Vec<bool> = legs.iter().map(|leg| leg.ok).collect();
    assert_eq!(ok, [true, false, true, true]);
    assert!(game.players[0].actor.state.fall.y > 3.0);
}

#[test]
fn a_walk_that_is_cut_short_has_failed_in_the_steps_left() {
    let level = hall_with(&[], Material::default());
    let mut playtest = Playtest::start(&level, &Start::Default);
    let mut tour = Tour::new(&level, parse("wait 0.1\nwait 10\njump").unwrap()).unwrap();
    for _ in 0..30 {
        let input = tour.next(&level, &mut playtest.game).unwrap();
        playtest.tick(&input);
    }
    tour.cut_short(&level, &playtest.game);
    let ok: Vec<bool> = tour.legs.iter().map(|leg| leg.ok).collect();
    assert_eq!(ok, [true, false, false]);
}

#[test]
fn portals_that_do_not_exist_are_all_reported_before_the_first_step() {
    let level = hall_with(&[], Material::default());
    let errors = Tour::new(&level, parse("open gate\nwait 1\nclose window").unwrap()).unwrap_err();
    let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [1, 3]);
    assert!(errors[0].to_string().contains("the level has no portal"));
}

#[test]
fn a_start_that_cannot_be_says_the_cure() {
    let level = hall_with(&[], Material::default());
    let refused = |start: &Start| {
        let game = Game::start(&level, start, opendoor::game::CHARACTER);
        game.err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let unknown = refused(&Start::Spawn("attic".to_owned()));
    assert!(
        unknown.contains("`attic`") && unknown.contains("`player-spawn`"),
        "{unknown}"
    );
    for outside in [v(0., -50., 0.), v(f64::NAN, 0., 0.), v(1e300, 0., 0.)] {
        let said = refused(&Start::Feet(AuthorPoint(outside)));
        assert!(said.contains("move it inside a room"), "{said}");
    }
    assert_eq!(refused(&Start::Spawn("player".to_owned())), "");
}
