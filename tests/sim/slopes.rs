//! Resting and slipping on slopes.

use glam::DVec3;
use opendoor::level::{Level, Material};

use crate::common::{Playtest, STANDING, hall_with, quad, v};

/// A slope that rises from the origin towards +x, and the centre of a body that touches it.
fn slope(degrees: f64, friction: f64) -> (Level, DVec3) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (up, side) = (v(cos, sin, 0.) * 50., v(0., 0., 50.));
    let material = Material {
        friction,
        ..Material::default()
    };
    let level = hall_with(&quad([-side, side, up + side, up - side]), material);
    let on = v(cos, sin, 0.) * 30. + v(-sin, cos, 0.) * (STANDING + 1e-9);
    (level, on)
}

#[test]
fn rests_on_a_shallow_ramp_for_a_minute_without_creeping() {
    for (degrees, friction) in [(5.0, 0.7), (20.0, 0.7), (34.0, 0.7), (40.0, 1.0)] {
        let (level, on) = slope(degrees, friction);
        let mut playtest = Playtest::at(&level, on);
        playtest.stand(60.0);
        let crept = (playtest.centre() - on).length();
        assert!(crept < 1e-6, "{degrees}: crept {crept} m");
        assert!(playtest.game.player.actor.state.grounded);
    }
}

#[test]
fn slips_down_a_steep_ramp_as_coulomb_says() {
    for (degrees, friction) in [(45.0, 0.7), (60.0, 0.7), (30.0, 0.2), (10.0, 0.0)] {
        let (level, on) = slope(degrees, friction);
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let mut playtest = Playtest::at(&level, on);
        playtest.stand(1.0);
        let slipped = playtest.centre() - on;
        let expected = 0.5 * 9.81 * (sin - friction * cos);
        assert!(
            (slipped.length() - expected).abs() < 0.01 * expected,
            "{degrees}: {slipped}, expected {expected}"
        );
        let along = slipped.dot(v(-cos, -sin, 0.)) / slipped.length();
        assert!((along - 1.0).abs() < 1e-6, "straight down the slope");
    }
}
