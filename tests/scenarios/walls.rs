//! Walls: sliding along them, pressing against them, being crushed between them.

use glam::DVec3;

use crate::actor::{Actor, Stage, body, rho};
use crate::runs::{for_all, play};
use crate::shapes::{block, facing, ground, heading, quad, stage, v, wall};

#[test]
fn b7_a_wall_of_many_flush_triangles_is_slid_along_as_if_it_were_one() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for degrees in [0.01, 1.0, 10.0, 45.0, 80.0, 89.9] {
            for speed in [0.01, 4.0, 1e3] {
                cases.push((radius, degrees, speed));
            }
        }
    }
    for_all(cases, |&(radius, degrees, speed): &(f64, f64, f64)| {
        // The wall has 100 pieces, which are 0.4 m long at walking speed.
        let step = (0.1 * speed).max(0.4);
        let mut soup = ground(step * 60.0 + 10.0);
        for i in -50..50 {
            let (a, b) = (f64::from(i) * step, f64::from(i + 1) * step);
            soup.extend(wall(v(a, 0.0, 0.0), v(b, 0.0, 0.0), 8.0, v(a, 0.0, 9.0)));
        }
        let start = v(-step * 40.0, rho(radius), rho(radius));
        let wish = heading(-degrees) * speed;
        play(
            &stage(&soup),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.hold(wish, 240);
                let expected = start + DVec3::X * (wish.x * 4.0);
                actor.assert_at(expected, 1e-5 * radius + 1e-9 * speed);
                actor.assert_gap();
            },
        );
    });
}

#[test]
fn b9_the_side_of_a_staircase_of_separate_boxes_is_one_wall() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 1.0] {
        for degrees in [1.0, 10.0, 45.0, 80.0] {
            for down in [false, true] {
                cases.push((radius, degrees, down));
            }
        }
    }
    for_all(cases, |&(radius, degrees, down): &(f64, f64, bool)| {
        let mut soup = ground(40.0);
        for i in 0..40 {
            let x = -10.0 + 0.5 * f64::from(i);
            soup.extend(block(
                [x, 0.0, -2.0],
                [x + 0.5, 0.25 * f64::from(i + 1), 0.0],
            ));
        }
        // Beside steps that are higher than the body's centre.
        let start = v(if down { 9.0 } else { -6.0 }, rho(radius), rho(radius));
        let along = heading(-degrees) * 4.0;
        let wish = if down {
            v(-along.x, 0.0, along.z)
        } else {
            along
        };
        play(
            &stage(&soup),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.hold(wish, 210);
                actor.assert_at(start + DVec3::X * (wish.x * 3.5), 1e-6);
                actor.assert_gap();
            },
        );
    });
}

#[test]
fn b29_nearly_vertical_walls_do_not_hold_a_falling_body() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for degrees in [89.0, 89.9, 89.999, 90.0, 90.001, 90.1, 91.0] {
            for speed in [0.0, 4.0, 100.0] {
                cases.push((radius, degrees, speed));
            }
        }
    }
    for_all(cases, |&(radius, degrees, speed): &(f64, f64, f64)| {
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        // A plane through the origin that leans to +x below 90 degrees, and to -x above.
        let up = v(cos, sin, 0.0);
        let normal = v(-sin, cos, 0.0);
        let z = DVec3::Z * 60.0;
        let soup = facing(
            quad(-up * 60.0 - z, -up * 60.0 + z, up * 60.0 + z, up * 60.0 - z),
            normal,
        );
        let start = normal * rho(radius) + up * 30.0;
        play(
            &stage(&soup),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                let wish = v(speed, 0.0, 0.0);
                actor.hold(wish, 120);
                // The fraction of gravity that remains along the wall, with its friction of 0.7; an overhang has no
                // friction.
                let held = if cos > 0.0 { sin - 0.7 * cos } else { 1.0 };
                let slip = held * 0.5 * 9.81 * 4.0;
                let pushed = speed * cos * 2.0;
                let along = actor.centre().dot(up) - 30.0;
                let off = along - (pushed - slip);
                // Below an overhang the wish pushes the body down until it leaves the wall, so only a minimum of the
                // slip is known.
                if cos > 1e-4 || speed == 0.0 || degrees == 90.0 {
                    assert!(off.abs() < 2e-3 * slip, "moved {along}, {off:.3e} too high");
                } else {
                    assert!(along < -0.99 * slip, "moved {along}");
                }
                assert!(!actor.state.grounded);
            },
        );
    });
}

#[test]
fn b39_a_zig_zag_wall_lets_the_body_slide_past_every_fold() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 1.0] {
        for fold in [5.0, 20.0, 35.0] {
            for (speed, degrees) in [(4.0, 1.0), (4.0, 30.0), (50.0, 10.0)] {
                cases.push((radius, fold, speed, degrees));
            }
        }
    }
    for_all(
        cases,
        |&(radius, fold, speed, degrees): &(f64, f64, f64, f64)| {
            let mut soup = ground(120.0);
            let mut at = v(-30.0, 0.0, 0.0);
            for i in 0..25 {
                let length = 0.5 + 3.5 * f64::from(i) / 24.0;
                let turn = if i % 2 == 0 { fold } else { -fold };
                let next = at + heading(turn) * length;
                soup.extend(wall(at, next, 9.0, at + v(0.0, 0.0, 50.0)));
                at = next;
            }
            let start = v(-29.5, rho(radius), 1.0 + 2.0 * radius);
            let wish = heading(-degrees) * speed;
            // At the slowest fold the body keeps the projection of its speed.
            let slowest = speed * (fold + degrees).to_radians().cos().powi(2);
            play(
                &stage(&soup),
                body(radius, 9.81),
                ("stage", start),
                |actor| {
                    while actor.centre().x < at.x - 2.0 {
                        let before = actor.centre().x;
                        actor.tick(wish, false);
                        let gained = (actor.centre().x - before) * 60.0;
                        assert!(
                            gained > 0.2 * slowest,
                            "stops at {}: {gained} m/s",
                            actor.centre()
                        );
                    }
                },
            );
        },
    );
}

#[test]
fn b42_turning_round_every_tick_does_not_creep_into_a_wall() {
    for_all(
        [(0.05, 4.0), (0.3, 4.0), (0.3, 1e3), (2.0, 0.3)],
        |&(radius, speed): &(f64, f64)| {
            let mut soup = ground(60.0);
            soup.extend(wall(
                v(0.0, 0.0, -50.0),
                v(0.0, 0.0, 50.0),
                20.0,
                v(-1.0, 0.0, 0.0),
            ));
            let start = v(-rho(radius), rho(radius), 0.0);
            play(
                &stage(&soup),
                body(radius, 9.81),
                ("stage", start),
                |actor| {
                    for i in 0..20_000 {
                        let way = if i % 2 == 0 { speed } else { -speed };
                        actor.tick(v(way, 0.0, 0.37 * way), false);
                    }
                    actor.hold(v(speed, 0.0, 0.0), 2);
                    assert!(
                        (actor.centre().x + rho(radius)).abs() < 1e-7,
                        "{}",
                        actor.centre()
                    );
                    actor.assert_gap();
                },
            );
        },
    );
}

#[test]
fn b42_a_million_turns_do_not_creep_into_a_wall() {
    let mut soup = ground(60.0);
    let (a, b) = (v(0.0, 0.0, -50.0), v(0.0, 0.0, 50.0));
    soup.extend(wall(a, b, 20.0, -DVec3::X));
    let stage = Stage::of(&stage(&soup));
    let start = v(-rho(0.3), rho(0.3), 0.0);
    let mut actor = Actor::new(&stage, body(0.3, 9.81), "stage", start);
    for i in 0..1_000_000 {
        let way = if i % 2 == 0 { 4.0 } else { -4.0 };
        actor.tick(v(way, 0.0, 0.37 * way), false);
        if i % 10_000 == 0 {
            actor.track.clear();
        }
    }
    actor.hold(v(4.0, 0.0, 0.0), 2);
    actor.assert_gap();
    assert!(
        (actor.centre().x - start.x).abs() < 1e-7,
        "{}",
        actor.centre()
    );
}
