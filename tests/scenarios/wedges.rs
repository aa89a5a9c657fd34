//! Wedges with a floor or a ceiling, and grooves.

use glam::DVec3;

use crate::actor::{body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{facing, ground, quad, stage, v};

/// A floor, and a ceiling that rises from it at x = 0 towards -x.
pub(crate) fn ceiling_wedge(degrees: f64, reach: f64) -> Vec<Corners> {
    let angle = degrees.to_radians();
    let end = v(-angle.cos(), angle.sin(), 0.0) * reach;
    let z = DVec3::Z * reach;
    let mut soup = ground(reach);
    soup.extend(facing(quad(-z, z, end + z, end - z), v(-1.0, 0.0, 0.0)));
    soup
}

#[test]
fn b3_b4_under_a_sloping_ceiling_the_body_stops_and_runs_along_the_crease() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for degrees in [5.0, 10.0, 30.0, 60.0, 85.0] {
            for (speed, side) in [
                (4.0, 0.0),
                (4.0, 1.0),
                (4.0, -7.0),
                (100.0, 30.0),
                (1e5, 0.0),
            ] {
                cases.push((radius, degrees, speed, side));
            }
        }
    }
    for_all(
        cases,
        |&(radius, degrees, speed, side): &(f64, f64, f64, f64)| {
            let stop = rho(radius) / (degrees.to_radians() * 0.5).tan();
            let reach = 2.0 * stop + 200.0;
            let source = stage(&ceiling_wedge(degrees, reach));
            let start = v(-stop - 5.0 * radius, rho(radius), 0.0);
            let wish = v(speed, 0.0, side);
            play(&source, body(radius, 9.81), ("stage", start), |actor| {
                actor.hold(wish, 180);
                let tolerance = 3e-6 * (1.0 + stop) / degrees.to_radians().sin();
                actor.assert_at(v(-stop, rho(radius), side * 3.0), tolerance);
                actor.hold(wish, 60);
                actor.assert_at(v(-stop, rho(radius), side * 4.0), tolerance);
                actor.assert_gap();
                if side == 0.0 {
                    actor.assert_still(wish);
                }
            });
        },
    );
}

/// Two slopes of `degrees` that meet along the z axis.
pub(crate) fn groove(degrees: f64, reach: f64) -> Vec<Corners> {
    let angle = degrees.to_radians();
    let z = DVec3::Z * reach;
    let mut soup = Vec::new();
    for side in [-1.0, 1.0] {
        let up = v(side * angle.cos(), angle.sin(), 0.0) * reach;
        soup.extend(facing(quad(-z, z, up + z, up - z), v(0.0, reach, 0.0)));
    }
    soup
}

#[test]
fn b5_b6_a_groove_of_steep_slopes_holds_the_body_lets_it_run_along_and_jump() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for degrees in [40.0, 51.0, 60.0, 75.0, 85.0] {
            for off in [0.0, 0.2, -0.8] {
                for speed in [4.0, 30.0] {
                    cases.push((radius, degrees, off, speed));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, degrees, off, speed): &(f64, f64, f64, f64)| {
            let source = stage(&groove(degrees, 130.0 + 10.0 * radius));
            let rest = rho(radius) / degrees.to_radians().cos();
            let drop = 3.0 + radius * 2.0;
            // The start is off centre by the fraction `off` of the groove's free half-width at that height.
            let start = v(off * drop / degrees.to_radians().tan(), rest + drop, 0.0);
            play(&source, body(radius, 9.81), ("stage", start), |actor| {
                actor.hold(DVec3::ZERO, 600);
                let tolerance = 1e-4 * rest.max(1.0);
                actor.assert_at(v(0.0, rest, 0.0), tolerance);
                actor.assert_gap();
                assert!(actor.state.grounded);
                actor.assert_still(DVec3::ZERO);
                let before = actor.centre().z;
                for _ in 0..240 {
                    actor.tick(v(0.0, 0.0, speed), false);
                    assert!(actor.state.grounded);
                }
                actor.assert_at(v(0.0, rest, before + 4.0 * speed), tolerance);
                actor.tick(DVec3::ZERO, true);
                let mut highest: f64 = 0.0;
                for _ in 0..60 {
                    highest = highest.max(actor.centre().y);
                    actor.tick(DVec3::ZERO, false);
                }
                assert!(
                    (highest - rest - 1.0).abs() < 3e-3,
                    "jumped {}",
                    highest - rest
                );
            });
        },
    );
}
