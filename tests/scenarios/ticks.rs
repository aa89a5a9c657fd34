//! Ticks of any length. The engine's ticks have a fixed length, so the body's time is scaled instead: at pace `p` its
//! speeds are multiplied by `p` and its accelerations by `p` squared, and a tick is as long as `p` ordinary ticks.

use glam::DVec3;
use opendoor::motion::Body;

use crate::actor::{Actor, body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{block, facing, floor, ground, heading, quad, stage, v, wall};

pub(crate) fn paced(radius: f64, tick_secs: f64) -> (Body, f64) {
    let pace = tick_secs * 60.0;
    (body(radius, 9.81 * pace * pace), pace)
}

fn cases(speeds: &[f64]) -> Vec<(f64, f64, f64)> {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for tick_secs in [1e-3, 1.0 / 240.0, 1.0 / 60.0, 0.1, 0.5] {
            for &speed in speeds {
                cases.push((radius, tick_secs, speed));
            }
        }
    }
    cases.push((0.3, 1e-4, speeds[0]));
    cases
}

pub(crate) fn corner() -> Vec<Corners> {
    let mut soup = ground(60.0);
    for side in [165.0, 195.0] {
        soup.extend(wall(DVec3::ZERO, heading(side) * 50.0, 8.0, -DVec3::X));
    }
    soup
}

#[test]
fn b41_an_acute_corner_stops_the_body_at_ticks_of_any_length() {
    for_all(cases(&[4.0, 40.0]), |&(radius, tick_secs, speed)| {
        let (body, pace) = paced(radius, tick_secs);
        let stop = v(-rho(radius) / 15.0_f64.to_radians().sin(), rho(radius), 0.0);
        let start = stop - v(3.0, 0.0, 0.1 * radius);
        play(&stage(&corner()), body, ("stage", start), |actor| {
            let wish = DVec3::X * (speed * pace);
            actor.hold(wish, (2.0 / tick_secs) as usize);
            actor.assert_at(stop, 1e-5);
            actor.assert_still(wish);
            actor.assert_gap();
        });
    });
}

#[test]
fn b41_a_slope_is_slipped_down_alike_at_ticks_of_any_length() {
    for_all(cases(&[40.0, 60.0]), |&(radius, tick_secs, degrees)| {
        let (body, _) = paced(radius, tick_secs);
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let (up, normal) = (v(cos, sin, 0.0), v(-sin, cos, 0.0));
        let (end, z) = (up * 60.0, DVec3::Z * 60.0);
        let soup = facing(quad(-end - z, z - end, end + z, end - z), normal * 900.0);
        let start = normal * rho(radius);
        play(&stage(&soup), body, ("stage", start), |actor| {
            let ticks = (2.0 / tick_secs).round();
            actor.hold(DVec3::ZERO, ticks as usize);
            // Coulomb friction: the downhill force minus the friction, for two seconds.
            let slipped = 0.5 * 9.81 * (sin - 0.7 * cos) * (ticks * tick_secs).powi(2);
            actor.assert_at(start - up * slipped, 0.01 * slipped);
            actor.assert_gap();
        });
    });
}

#[test]
fn b41_a_wall_is_slid_along_alike_at_ticks_of_any_length() {
    for_all(cases(&[1.0, 10.0]), |&(radius, tick_secs, speed)| {
        let (body, pace) = paced(radius, tick_secs);
        let mut soup = ground(60.0);
        for i in -12..12 {
            let (a, b) = (f64::from(i) * 5.0, f64::from(i + 1) * 5.0);
            soup.extend(wall(v(a, 0.0, 0.0), v(b, 0.0, 0.0), 8.0, v(a, 0.0, 9.0)));
        }
        let start = v(-20.0, rho(radius), rho(radius));
        let wish = heading(-30.0) * speed;
        play(&stage(&soup), body, ("stage", start), |actor| {
            let ticks = (2.0 / tick_secs).round();
            actor.hold(wish * pace, ticks as usize);
            actor.assert_at(start + DVec3::X * (wish.x * ticks * tick_secs), 1e-5);
        });
    });
}

#[test]
fn b41_a_thin_shelf_catches_a_fall_at_ticks_of_any_length() {
    for_all(cases(&[0.0, 3.0]), |&(radius, tick_secs, speed)| {
        let (body, pace) = paced(radius, tick_secs);
        let mut soup = floor(0.0, [-40.0, 40.0], [-40.0, 40.0]);
        soup.extend(floor(-30.0, [-40.0, 40.0], [-40.0, 40.0]));
        let start = v(-20.0, 12.0, 0.3);
        play(&stage(&soup), body, ("stage", start), |actor| {
            let ticks = (4.0 / tick_secs).round();
            let wish = DVec3::X * speed;
            actor.hold(wish * pace, ticks as usize);
            let way = wish * (ticks * tick_secs);
            actor.assert_at((start + way).with_y(rho(radius)), 1e-6);
            assert!(actor.state.grounded);
            actor.assert_gap();
        });
    });
}

/// Runs one tick of `secs` seconds between ordinary ticks.
pub(crate) fn hitch(actor: &mut Actor, secs: f64, wish: DVec3) {
    let radius = actor.body.radius;
    let (slow, pace) = paced(radius, secs);
    let usual = std::mem::replace(&mut actor.body, slow);
    actor.state.fall *= pace;
    actor.tick(wish * pace, false);
    actor.state.fall /= pace;
    actor.body = usual;
}

#[test]
fn b41_one_hitch_of_five_seconds_changes_no_end() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for before in [0, 10, 60] {
            for speed in [0.5, 4.0, 20.0] {
                cases.push((radius, before, speed));
            }
        }
    }
    for_all(cases, |&(radius, before, speed): &(f64, usize, f64)| {
        let mut soup = corner();
        soup.extend(block([-60.0, -9.0, -60.0], [60.0, -8.0, 60.0]));
        let stop = v(-rho(radius) / 15.0_f64.to_radians().sin(), rho(radius), 0.0);
        // In the air, in front of the corner.
        let start = stop + v(-4.0, 2.0, 0.0);
        let body = body(radius, 9.81);
        play(&stage(&soup), body, ("stage", start), |actor| {
            let wish = DVec3::X * speed;
            actor.hold(wish, before);
            hitch(actor, 5.0, wish);
            actor.hold(wish, (4.0 / speed * 60.0) as usize + 30);
            actor.assert_at(stop, 1e-5);
            actor.assert_still(wish);
            actor.assert_gap();
        });
    });
}
