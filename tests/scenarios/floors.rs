//! Floors made of many pieces, and obstacles that protrude from them.

use glam::DVec3;

use crate::actor::{body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{block, both_sides, facing, floor, ground, heading, quad, stage, v};

#[test]
fn b11_b12_a_floor_of_pieces_that_do_not_match_is_walked_as_if_it_were_one() {
    let strips = || {
        let mut soup = floor(0.0, [-50.0, 0.0], [-50.0, 50.0]);
        for i in -50..50 {
            let z = f64::from(i);
            soup.extend(floor(0.0, [0.0, 50.0], [z, z + 1.0]));
        }
        soup
    };
    let overlapping = || {
        let mut soup = floor(0.0, [-20.0, 1.0], [-50.0, 50.0]);
        soup.extend(floor(0.0, [-1.0, 20.0], [-40.0, 60.0]));
        soup
    };
    let threefold = || {
        [
            ground(50.0),
            both_sides(&ground(50.0)),
            both_sides(&ground(40.0)),
        ]
        .concat()
    };
    type Floor = fn() -> Vec<Corners>;
    let floors: [(&str, Floor); 3] = [
        ("strips", strips),
        ("overlapping", overlapping),
        ("threefold", threefold),
    ];
    let mut cases = Vec::new();
    for (name, _) in &floors {
        for radius in [0.05, 0.3, 2.0] {
            for wish in [
                v(4.0, 0.0, 0.3),
                v(4.0, 0.0, 0.0),
                v(0.01, 0.0, 4.0),
                v(-3.0, 0.0, 0.7),
            ] {
                for gravity in [9.81, 0.0] {
                    cases.push((*name, radius, wish, gravity));
                }
            }
        }
    }
    for_all(
        cases,
        |&(name, radius, wish, gravity): &(&str, f64, DVec3, f64)| {
            let build = floors.iter().find(|(n, _)| *n == name).unwrap().1;
            let start = v(-1.5 * wish.x, rho(radius), -0.5 * wish.z);
            // Without gravity the wish itself points into the floor.
            let lean = if gravity == 0.0 {
                v(0.0, -1.0, 0.0)
            } else {
                DVec3::ZERO
            };
            play(
                &stage(&build()),
                body(radius, gravity),
                ("stage", start),
                |actor| {
                    for i in 1..=180 {
                        actor.tick(wish + lean, false);
                        actor.assert_at(start + wish * (f64::from(i) / 60.0), 1e-6);
                    }
                    actor.assert_gap();
                },
            );
        },
    );
}

#[test]
fn b14_a_ridge_is_walked_along_to_its_end() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for degrees in [5.0, 45.0, 80.0] {
            for speed in [0.1, 4.0, 100.0] {
                cases.push((radius, degrees, speed));
            }
        }
    }
    for_all(cases, |&(radius, degrees, speed): &(f64, f64, f64)| {
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let reach = 10.0 + 4.2 * speed;
        let x = DVec3::X * reach;
        let mut soup = Vec::new();
        for side in [-1.0, 1.0] {
            let low = v(0.0, -sin, side * cos) * 30.0;
            soup.extend(facing(quad(-x, x, low + x, low - x), v(0.0, 90.0, 0.0)));
        }
        let start = v(-2.0 * speed, rho(radius), 0.0);
        play(
            &stage(&soup),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.hold(v(speed, 0.0, 0.0), 240);
                actor.assert_at(start + DVec3::X * (4.0 * speed), 1e-6);
                actor.assert_gap();
                assert!(actor.state.grounded);
            },
        );
    });
}

#[test]
fn b13_a_body_dropped_on_a_point_balances_or_slides_off_and_comes_to_rest() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for sides in [3, 4, 7] {
            for slope in [20.0, 45.0, 80.0] {
                for off in [v(0.0, 0.0, 0.0), v(1e-9, 0.0, 0.0), v(0.02, 0.0, 0.01)] {
                    cases.push((radius, sides, slope, off));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, sides, slope, off): &(f64, i32, f64, DVec3)| {
            let height = 3.0 * radius;
            let out = height / f64::to_radians(slope).tan();
            let corner = |i: i32| {
                let around = heading(360.0 * f64::from(i) / f64::from(sides) + 10.0);
                around * out - DVec3::Y * height
            };
            let mut soup = floor(-height, [-80.0, 80.0], [-80.0, 80.0]);
            let sheets: Vec<Corners> = (0..sides)
                .map(|i| [DVec3::ZERO, corner(i), corner(i + 1)])
                .collect();
            for sheet in sheets {
                let out = (sheet[1] + sheet[2]) * 5.0 + DVec3::Y * 100.0;
                soup.extend(facing(vec![sheet], out));
            }
            let start = DVec3::Y * (rho(radius) + 0.2) + off * radius;
            play(
                &stage(&soup),
                body(radius, 9.81),
                ("stage", start),
                |actor| {
                    actor.hold(DVec3::ZERO, 900);
                    actor.assert_still(DVec3::ZERO);
                    actor.assert_gap();
                    if off == DVec3::ZERO {
                        actor.assert_at(DVec3::Y * rho(radius), 1e-6);
                    }
                },
            );
        },
    );
}

#[test]
fn b15_a_body_above_an_edge_stands_still() {
    stand_above_an_edge(&[0.0, 1e-9, 2e-3, 0.1]);
}

#[test]
fn b15_a_body_a_thousandth_of_its_radius_beside_an_edge_stands_still() {
    stand_above_an_edge(&[1e-4, 5e-4, 1e-3]);
}

/// Stands on the edge of a block for ten seconds, with the centre beside the edge by these fractions of the radius.
fn stand_above_an_edge(offs: &[f64]) {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for &off in offs {
            for gravity in [9.81, 0.0] {
                cases.push((radius, off, gravity));
            }
        }
    }
    for_all(cases, |&(radius, off, gravity): &(f64, f64, f64)| {
        let soup = block([0.0, -1.0, -20.0], [20.0, 0.0, 20.0]);
        let sideways = off * radius;
        let rise = (rho(radius).powi(2) - sideways * sideways).sqrt();
        let start = v(-sideways, rise, 0.3);
        play(
            &stage(&soup),
            body(radius, gravity),
            ("stage", start),
            |actor| {
                actor.hold(DVec3::ZERO, 600);
                actor.assert_at(start, 1e-5);
                actor.assert_gap();
            },
        );
    });
}

/// A slope that rises from x = 0 to a flat top.
pub(crate) fn crest(degrees: f64) -> (Vec<Corners>, DVec3) {
    let (sin, cos) = f64::to_radians(degrees).sin_cos();
    let z = DVec3::Z * 30.0;
    let top = v(6.0 * cos, 6.0 * sin, 0.0);
    let end = top + DVec3::X * 60.0;
    let eye = v(0.0, 90.0, 0.0);
    let mut soup = facing(quad(-z, z, top + z, top - z), eye);
    soup.extend(facing(quad(top - z, top + z, end + z, end - z), eye));
    soup.extend(floor(0.0, [-30.0, 0.0], [-30.0, 30.0]));
    (soup, top)
}

#[test]
fn b17_the_crest_of_a_slope_is_walked_over() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for degrees in [5.0, 20.0, 0.6_f64.to_degrees()] {
            for speed in [0.5, 4.0, 10.0] {
                cases.push((radius, degrees, speed));
            }
        }
    }
    for_all(cases, |&(radius, degrees, speed): &(f64, f64, f64)| {
        let (soup, top) = crest(degrees);
        let start = v(-2.0 * radius, rho(radius), 0.0);
        play(
            &stage(&soup),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                // On the slope the body keeps the projection of its speed.
                let slowest = speed * f64::to_radians(degrees).cos().powi(2);
                while actor.centre().x < top.x + 20.0 {
                    let before = actor.centre().x;
                    actor.tick(v(speed, 0.0, 0.0), false);
                    let gained = (actor.centre().x - before) * 60.0;
                    assert!(
                        gained
                            > 0.999 * slowest * (1.0 - 0.3 * f64::from(u8::from(before < radius))),
                        "{gained} m/s at {}",
                        actor.centre()
                    );
                }
                actor.hold(DVec3::ZERO, 60);
                assert!(
                    (actor.centre().y - top.y - rho(radius)).abs() < 1e-5,
                    "{}",
                    actor.centre()
                );
            },
        );
    });
}
