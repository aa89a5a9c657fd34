//! Falling and jumping.

use opendoor::game::Input;
use opendoor::level::Material;

use crate::common::{FORWARD, Playtest, STANDING, hall_with, quad, v};

#[test]
fn a_fall_at_100_metres_a_second_ends_on_a_floor_without_thickness() {
    let floor = quad([
        v(-9., 10., -9.),
        v(-9., 10., 9.),
        v(9., 10., 9.),
        v(9., 10., -9.),
    ]);
    let level = hall_with(&floor, Material::default());
    // At many heights, so that the floor is reached at any part of a tick.
    for i in 0..20 {
        let mut playtest = Playtest::at(&level, v(0.3, 20. + 0.17 * f64::from(i), 0.4));
        playtest.game.players[0].actor.state.fall.y = -100.0;
        playtest.stand(0.5);
        assert!(
            (playtest.centre().y - 10. - STANDING).abs() < 1e-6,
            "{}",
            playtest.centre()
        );
        assert!(playtest.game.players[0].actor.state.grounded);
        let before = playtest.centre();
        playtest.stand(1.0);
        assert!((playtest.centre() - before).length() < 1e-9);
    }
}

#[test]
fn a_free_fall_is_the_parabola_of_the_textbook() {
    let level = hall_with(&[], Material::default());
    let mut playtest = Playtest::at(&level, v(0., 50., 0.));
    playtest.stand(2.0);
    let fallen = 50. - playtest.centre().y;
    assert!((fallen - 0.5 * 9.81 * 4.0).abs() < 1e-9, "{fallen}");
    assert!(!playtest.game.players[0].actor.state.grounded);
}

#[test]
fn a_jump_is_a_metre_high_at_rest_and_on_the_run() {
    let level = hall_with(&[], Material::default());
    for input in [Input::default(), FORWARD] {
        let mut playtest = Playtest::at(&level, v(0., STANDING, 0.));
        playtest.hold(&input, 0.5);
        let ground = playtest.centre().y;
        playtest.tick(&Input {
            jump: true,
            ..input
        });
        playtest.hold(&input, 1.0);
        let height = playtest.monitor.max_y - (ground - 0.35);
        // Ticks sample the parabola: its top may be between two of them.
        assert!((height - 1.0).abs() < 1e-3, "{height}");
        assert!(
            playtest.game.players[0].actor.state.grounded,
            "and down again"
        );
        assert!((playtest.centre().y - ground).abs() < 1e-9);
    }
}

#[test]
fn nobody_jumps_in_the_air() {
    let level = hall_with(&[], Material::default());
    let mut playtest = Playtest::at(&level, v(0., 10., 0.));
    let jump = Input {
        jump: true,
        ..Input::default()
    };
    playtest.hold(&jump, 0.5);
    assert!(playtest.monitor.max_y < 10.0);
}

#[test]
fn a_jump_under_a_low_ceiling_bumps_and_comes_down_at_once() {
    let ceiling = quad([
        v(-9., 1., -9.),
        v(9., 1., -9.),
        v(9., 1., 9.),
        v(-9., 1., 9.),
    ]);
    let level = hall_with(&ceiling, Material::default());
    let mut playtest = Playtest::at(&level, v(0., STANDING, 0.));
    playtest.stand(0.2);
    playtest.tick(&Input {
        jump: true,
        ..Input::default()
    });
    playtest.stand(0.5);
    assert!(
        playtest.monitor.max_y < 1.0 - 0.7,
        "{}",
        playtest.monitor.max_y
    );
    assert!(playtest.game.players[0].actor.state.grounded);
}
