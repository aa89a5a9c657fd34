//! Corners of walls: acute, convex, with a ceiling.

use glam::DVec3;

use crate::actor::{Actor, body, rho};
use crate::runs::{for_all, play};
use crate::shapes::{block, ground, heading, stage, v, wall};

/// Two walls from the origin, at `half` degrees to both sides of -x, and a floor.
pub(crate) fn acute_corner(half: f64, reach: f64) -> Vec<[DVec3; 3]> {
    let inside = v(-1.0, 0.0, 0.0);
    let mut soup = ground(reach);
    for side in [180.0 - half, 180.0 + half] {
        let end = heading(side) * reach;
        soup.extend(wall(DVec3::ZERO, end, reach, inside));
    }
    soup
}

#[test]
fn b1_b2_an_acute_corner_stops_the_body_without_a_tremble() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for half in [2.5, 5.0, 15.0, 30.0, 44.0] {
            for off in [0.0, 1.0, 10.0, -30.0] {
                for speed in [8.0, 1e3, 1e5] {
                    cases.push((radius, half, off, speed));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, half, off, speed): &(f64, f64, f64, f64)| {
            let stop = rho(radius) / half.to_radians().sin();
            let reach = stop * 1.5 + 50.0 * radius;
            let source = stage(&acute_corner(half, reach));
            let start = v(-stop - 5.0 * radius, rho(radius), 0.0);
            let wish = heading(off) * speed;
            // The smallest speed along the wall that the body touches first.
            let slowest = speed * (half + f64::abs(off)).to_radians().cos();
            let ticks = (60.0 * 1.5 * (5.0 * radius + stop) / slowest) as usize + 30;
            play(&source, body(radius, 9.81), ("stage", start), |actor| {
                actor.hold(wish, ticks);
                actor.assert_still(wish);
                actor.assert_gap();
                actor.assert_at(
                    v(-stop, rho(radius), 0.0),
                    2e-6 * stop / half.to_radians().sin(),
                );
            });
        },
    );
}

#[test]
fn b16_a_convex_edge_met_head_on_stops_the_body_or_lets_it_by_the_same_way_every_time() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for off in [0.0, 1e-15, 1e-9, 1e-6, 1e-3, -1e-9] {
            for speed in [4.0, 1e3] {
                cases.push((radius, off, speed));
            }
        }
    }
    for_all(cases, |&(radius, off, speed): &(f64, f64, f64)| {
        let mut soup = ground(2e4);
        soup.extend(block([0.0, 0.0, -1.0], [1e4, 8.0, 1e4]));
        let start = v(-3.0 - radius, rho(radius), -4.0 - radius + off);
        let along = v(1.0, 0.0, 1.0) * (0.5_f64.sqrt() * speed);
        play(
            &stage(&soup),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.hold(along, 180);
                let end = actor.centre();
                // The body is at the edge, or slides along one of the walls.
                let beyond = v(end.x.min(0.0), 0.0, (end.z + 1.0).min(0.0));
                let off = beyond.length() - rho(radius);
                assert!(
                    off.abs() < 1e-4 * radius,
                    "{end}: {off:.3e} m off the walls"
                );
                assert!((end.y - rho(radius)).abs() < 1e-6);
            },
        );
    });
}

#[test]
fn b30_a_body_falls_freely_down_a_narrow_shaft_while_the_key_is_held() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for half in [2.5, 5.0, 15.0, 30.0] {
            for off in [0.0, 7.0] {
                for speed in [0.5, 4.0, 1e3] {
                    cases.push((radius, half, off, speed));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, half, off, speed): &(f64, f64, f64, f64)| {
            let stop = rho(radius) / half.to_radians().sin();
            let reach = stop * 1.5 + 60.0;
            let soup = acute_corner(half, reach);
            let top = 40.0 + rho(radius);
            let start = v(-stop - 0.1 * radius, top, 0.0);
            let wish = heading(off) * speed;
            play(
                &stage(&soup),
                body(radius, 9.81),
                ("stage", start),
                |actor| {
                    for i in 1..=160 {
                        actor.tick(wish, false);
                        let secs = f64::from(i) / 60.0;
                        let expected = top - 0.5 * 9.81 * secs * secs;
                        let off = actor.centre().y - expected;
                        assert!(off.abs() < 1e-5, "tick {i}: {off:.3e} m above the parabola");
                        assert!(!actor.state.grounded);
                    }
                },
            );
        },
    );
}

#[test]
fn b40_a_jump_into_a_corner_under_a_ceiling_ends_on_the_floor_again() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 1.0] {
        for room_above in [0.01, 0.3, 0.9] {
            for off in [0.0, 10.0, 30.0] {
                cases.push((radius, room_above, off));
            }
        }
    }
    for_all(cases, |&(radius, room_above, off): &(f64, f64, f64)| {
        let height = 2.0 * rho(radius) + room_above;
        let inside = v(-1.0, 1.0, -1.0);
        let mut soup = ground(50.0);
        soup.extend(wall(v(0.0, 0.0, -50.0), v(0.0, 0.0, 0.0), 60.0, inside));
        soup.extend(wall(v(-50.0, 0.0, 0.0), v(0.0, 0.0, 0.0), 60.0, inside));
        let ceiling = ground(50.0)
            .iter()
            .map(|&[a, b, c]| [a, c, b])
            .collect::<Vec<_>>();
        soup.extend(crate::shapes::moved(&ceiling, DVec3::Y * height));
        let start = v(-3.0 - radius, rho(radius), -3.0 - radius);
        let wish = heading(45.0 + off) * 4.0;
        play(
            &stage(&soup),
            body(radius, 9.81),
            ("stage", start),
            |actor: &mut Actor| {
                actor.hold(wish, 240);
                let corner = v(-rho(radius), rho(radius), -rho(radius));
                actor.assert_at(corner, 1e-6);
                actor.tick(wish, true);
                let launch = (2.0 * 9.81_f64).sqrt();
                // Up at the jump's speed to the ceiling, and down from rest.
                let rise = (launch - (launch * launch - 2.0 * 9.81 * room_above).sqrt()) / 9.81;
                let drop = (2.0 * room_above / 9.81).sqrt();
                let ticks = ((rise + drop) * 60.0).ceil() as usize + 2;
                let mut highest: f64 = 0.0;
                for _ in 0..ticks {
                    highest = highest.max(actor.centre().y);
                    actor.tick(wish, false);
                }
                assert!(
                    (highest - (height - rho(radius))).abs() < 1e-5,
                    "highest {highest}"
                );
                actor.assert_at(corner, 1e-6);
                assert!(actor.state.grounded);
                actor.assert_still(wish);
            },
        );
    });
}
