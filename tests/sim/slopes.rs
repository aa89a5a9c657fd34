//! Resting and slipping on slopes.

use glam::DVec3;
use opendoor::game::{CHARACTER, PLAYER, Start};
use opendoor::level::{AuthorPoint, Level, Material};
use opendoor::motion::{Body, StepSettings};
use opendoor::rng::Rng;

use crate::common::{Playtest, STANDING, cases, hall_with, quad, v};
use crate::wander::walk_twice_at;

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
        assert!(playtest.game.players[0].actor.state.grounded);
    }
}

#[test]
fn a_body_slips_down_a_steep_ramp_according_to_coulomb() {
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

/// Steps on uneven ice. The sphere that tests whether a body may climb a step slides on from the step, farther than the
/// body moves in a tick, so it may reach triangles that the body does not.
fn icy_steps(rng: &mut Rng) -> Level {
    const CELLS: usize = 80;
    let cell = 100.0 / CELLS as f64;
    let rise = rng.between(0.03, 0.15);
    let bumps: Vec<f64> = (0..(CELLS + 1) * (CELLS + 1))
        .map(|_| rng.between(0.0, 0.05))
        .collect();
    let height = |x: f64, z: f64| 15.0 + rise * x + 0.3 * rise * z;
    let at = |x: f64, z: f64, up: f64| v(x, height(x, z) + up, z);
    let corner = |i: usize, k: usize| {
        let [x, z] = [i, k].map(|i| i as f64 * cell - 50.0);
        at(x, z, bumps[i * (CELLS + 1) + k])
    };
    let mut solids = Vec::new();
    for (i, k) in (0..CELLS * CELLS).map(|index| (index / CELLS, index % CELLS)) {
        let corners = [(i, k), (i, k + 1), (i + 1, k + 1), (i + 1, k)];
        solids.extend(quad(corners.map(|(i, k)| corner(i, k))));
    }
    for _ in 0..60 {
        let [x, z] = [0; 2].map(|_| rng.between(-40.0, 40.0));
        let [a, b, up] =
            [(1.0, 12.0), (1.0, 12.0), (0.3, 3.0)].map(|(min, max)| rng.between(min, max));
        let corners = [(x, z), (x, z + b), (x + a, z + b), (x + a, z)];
        let top = corners.map(|(x, z)| at(x, z, up));
        let foot = corners.map(|(x, z)| at(x, z, -0.5));
        solids.extend(quad(top));
        for i in 0..4 {
            let next = (i + 1) % 4;
            solids.extend(quad([foot[i], foot[next], top[next], top[i]]));
        }
    }
    let ice = Material {
        friction: 0.0,
        ..Material::default()
    };
    hall_with(&solids, ice)
}

#[test]
fn a_walk_over_steps_of_ice_depends_only_on_the_geometry() {
    let mut rng = Rng::new(5);
    for seed in 0..cases(8, 40) {
        let level = icy_steps(&mut rng);
        let body = Body {
            radius: rng.between(1.0, 3.0),
            step_settings: StepSettings {
                step_height: 3.0,
                ..PLAYER.step_settings
            },
            ..CHARACTER
        };
        let start = Start::Feet(AuthorPoint(v(0.0, 25.0, 0.0)));
        walk_twice_at(4.0, &level, body, &start, seed, 400);
    }
}
