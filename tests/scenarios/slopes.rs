//! Slopes with step settings: walked up to the limit, walls beyond it, and no lift-off on the way down.

use glam::DVec3;
use opendoor::level::Material;

use crate::actor::{Actor, Stage, rho};
use crate::oracle::Corners;
use crate::shapes::{facing, ground, quad, stage, stage_of, v};
use crate::steps::{on_ground, walker};

/// A floor that becomes a slope at z = 0.
fn ramp(degrees: f64) -> Vec<Corners> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let along = v(0.0, sin, cos) * 40.0;
    let (left, right) = (v(-20.0, 0.0, 0.0), v(20.0, 0.0, 0.0));
    let slope = quad(left, right, right + along, left + along);
    let mut triangles = ground(50.0);
    triangles.extend(facing(slope, v(0.0, 100.0, 0.0)));
    triangles
}

#[test]
fn b26_slopes_are_walked_up_to_the_limit_and_are_walls_beyond_it() {
    for degrees in [5.0_f64, 15.0, 30.0, 34.0, 52.0, 60.0, 75.0, 85.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let triangles = ramp(degrees);
        let stage = Stage::of(&stage(&triangles));
        for speed in [0.1, 2.0, 6.0] {
            let notch = rho(0.3) * (degrees.to_radians() / 2.0).tan();
            let mut actor = on_ground(&stage, walker(0.3, 0.4), v(0.0, rho(0.3), -notch - 0.01));
            actor.hold(v(0.0, 0.0, speed), 90);
            let climbed = actor.centre().y - rho(0.3);
            if degrees < 50.0 {
                // The body climbs the component of the walk along the slope.
                let expected = sin * (speed * 1.5 - 0.01) * cos;
                assert!(
                    (climbed - expected).abs() < 0.02 * speed.max(1.0),
                    "{degrees} deg at {speed} m/s: {climbed}, not {expected}"
                );
                assert!(actor.state.grounded);
                actor.hold(DVec3::ZERO, 2);
                actor.assert_still(DVec3::ZERO);
            } else {
                assert!(climbed.abs() < 1e-6, "{degrees} deg at {speed}: {climbed}");
                actor.assert_still(v(0.0, 0.0, speed));
            }
        }
    }
}

#[test]
fn b26_no_body_jumps_up_a_slope_that_is_too_steep_to_walk() {
    for degrees in [52.0_f64, 60.0, 75.0] {
        for friction in [0.0, 0.7, 2.0] {
            let triangles = ramp(degrees);
            let material = Material {
                friction,
                ..Material::default()
            };
            let stage = Stage::of(&stage_of(&triangles, material));
            let mut actor = on_ground(&stage, walker(0.3, 0.4), v(0.0, rho(0.3), -2.0));
            let mut highest: f64 = 0.0;
            for tick in 0..600 {
                actor.tick(v(0.0, 0.0, 6.0), tick % 30 == 29);
                highest = highest.max(actor.centre().y - rho(0.3));
            }
            // The highest point is that of one jump with its remaining motion up along the slope.
            assert!(
                highest < 1.01,
                "{degrees} deg, friction {friction}: {highest}"
            );
        }
    }
}

#[test]
fn b28_a_walk_down_a_slope_stays_on_it() {
    for degrees in [20.0_f64, 34.0, 45.0] {
        let tan = degrees.to_radians().tan();
        let mut triangles = ground(50.0);
        let top = v(0.0, 10.0, 0.0);
        let foot = v(0.0, 0.0, 10.0 / tan);
        let side = v(20.0, 0.0, 0.0);
        let slope = quad(top - side, top + side, foot + side, foot - side);
        triangles.extend(facing(slope, v(0.0, 100.0, 0.0)));
        let stage = Stage::of(&stage(&triangles));
        let up = v(0.0, tan.recip().atan().sin(), tan.atan().sin());
        for speed in [1.0, 4.0, 10.0] {
            let start = v(0.0, 10.0 - tan, 1.0) + up * rho(0.3);
            let mut actor = Actor::new(&stage, walker(0.3, 0.4), "stage", start);
            actor.hold(DVec3::ZERO, 2);
            for _ in 0..20 {
                let before = actor.centre();
                actor.tick(v(0.0, 0.0, speed), false);
                let step = actor.centre() - before;
                assert!(actor.state.grounded, "{degrees} deg at {speed} m/s");
                // On a slope steeper than friction holds, the body also slips slightly.
                let slips = if tan > 0.7 { 0.02 } else { 1e-9 };
                // Tolerance: corners are rounded to f32.
                assert!((step.y + step.z * tan).abs() < 1e-7, "{step}");
                assert!((step.z - speed / 60.0).abs() < slips, "{step}");
            }
        }
    }
}

#[test]
fn b17_over_the_crest_of_a_slope_the_ground_is_never_left() {
    let (sin, cos) = 0.6_f64.sin_cos();
    let length = 6.0;
    let crest = v(0.0, sin, cos) * length;
    let side = v(20.0, 0.0, 0.0);
    let mut triangles = ground(50.0);
    let slope = quad(-side, side, crest + side, crest - side);
    triangles.extend(facing(slope, v(0.0, 100.0, 0.0)));
    let back = crest + v(0.0, 0.0, 20.0);
    let plateau = quad(crest - side, crest + side, back + side, back - side);
    triangles.extend(facing(plateau, v(0.0, 100.0, 0.0)));
    let stage = Stage::of(&stage(&triangles));
    for speed in [0.5, 3.0, 7.0, 15.0] {
        let mut actor = on_ground(&stage, walker(0.3, 0.4), v(0.0, rho(0.3), -1.0));
        while actor.centre().z < crest.z + 2.0 {
            let before = actor.centre();
            actor.tick(v(0.0, 0.0, speed), false);
            assert!(actor.state.grounded, "{speed} m/s: in the air at {before}");
            assert!(
                actor.centre().z > before.z,
                "{speed} m/s: stuck at {before}"
            );
        }
        assert!((actor.centre().y - crest.y - rho(0.3)).abs() < 1e-6);
    }
}

#[test]
fn a_small_body_that_slips_fast_on_ice_is_stopped_at_its_foot() {
    for radius in [0.01, 0.05, 0.3] {
        let (sin, cos) = 30.0_f64.to_radians().sin_cos();
        let top = v(0.0, sin, -cos) * 30.0;
        let side = v(20.0, 0.0, 0.0);
        let mut triangles = quad(top - side, top + side, side, -side);
        triangles = facing(triangles, v(0.0, 100.0, 0.0));
        triangles.extend(ground(90.0));
        let ice = Material {
            friction: 0.0,
            ..Material::default()
        };
        let stage = Stage::of(&stage_of(&triangles, ice));
        let mut body = walker(radius, 0.0);
        body.step_settings.snap = 0.0;
        let start = top * 0.95 + v(0.0, cos, sin) * rho(radius);
        let mut actor = Actor::new(&stage, body, "stage", start);
        // `hold` checks every piece of the body's path.
        actor.hold(DVec3::ZERO, 300);
        assert!((actor.centre().y - rho(radius)).abs() < 1e-6);
        assert!(actor.centre().z > 0.0, "{}", actor.centre());
    }
}
