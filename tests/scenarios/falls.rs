//! Drops, slopes, overhangs.

use glam::DVec3;
use opendoor::level::Material;

use crate::actor::{body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{both_sides, facing, floor, ground, heading, quad, stage, stage_of, v};

#[test]
fn b19_a_drop_of_any_length_in_one_tick_ends_on_the_floor() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for drop in [1.0, 100.0, 1e4, 1e5] {
            for from in [3.0, 1000.0, 40_000.0] {
                for sideways in [0.0, 0.3] {
                    cases.push((radius, drop, from, sideways));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, drop, from, sideways): &(f64, f64, f64, f64)| {
            let soup = ground(50_000.0);
            let start = v(0.37, from + rho(radius), -0.21);
            let wish = v(sideways, -1.0, 0.0) * (drop * 60.0);
            play(
                &stage(&soup),
                body(radius, 0.0),
                ("stage", start),
                |actor| {
                    actor.tick(wish, false);
                    if drop >= from {
                        assert!(
                            (actor.centre().y - rho(radius)).abs() < 1e-9 * from.max(1.0),
                            "{}",
                            actor.centre()
                        );
                    } else {
                        actor.assert_at(start + v(sideways, -1.0, 0.0) * drop, 1e-9 * from);
                    }
                },
            );
        },
    );
}

#[test]
fn b20_a_lone_triangle_is_hit_on_its_edge_and_its_corner_at_any_speed() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for speed in [10.0, 1e3, 60e3, 1e6] {
            for (name, target) in [
                ("edge", v(0.5, 0.0, 0.0)),
                ("corner", v(0.0, 0.0, 0.0)),
                ("hypotenuse", v(0.5, 0.0, 0.5)),
                ("inside", v(0.25, 0.0, 0.25)),
            ] {
                for way in [v(0.0, -1.0, 0.0), v(0.6, -0.8, 0.0), v(-0.3, -0.9, 0.2)] {
                    cases.push((radius, speed, name, target, way));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, speed, _, target, way): &(f64, f64, &str, DVec3, DVec3)| {
            let lone = [v(0.0, 0.0, 0.0), v(0.0, 0.0, 1.0), v(1.0, 0.0, 0.0)];
            let way = way.normalize_or_zero();
            // The body is aimed at the target, and starts half a tick's motion and three radii before it.
            let start = target - way * (speed / 120.0 + 3.0 * radius);
            play(
                &stage(&[lone]),
                body(radius, 0.0),
                ("stage", start),
                |actor| {
                    let mut met = false;
                    for _ in 0..8 {
                        let before = actor.centre();
                        actor.tick(way * speed, false);
                        let moved = (actor.centre() - before).length();
                        met |= moved < speed / 60.0 * (1.0 - 1e-9) - 1e-9
                            || (actor.centre() - before).normalize_or_zero().dot(way) < 1.0 - 1e-12;
                    }
                    let ticks = (speed / 120.0 + 3.0 * radius) / (speed / 60.0);
                    assert!(met || ticks > 8.0, "nothing was met");
                },
            );
        },
    );
}

/// A slope of `degrees` that rises towards +x through the origin.
pub(crate) fn slope(degrees: f64) -> Vec<Corners> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let up = v(cos, sin, 0.0) * 60.0;
    let z = DVec3::Z * 60.0;
    facing(quad(-up - z, -up + z, up + z, up - z), v(0.0, 900.0, 0.0))
}

#[test]
fn b26_walking_into_a_slope_climbs_by_the_projection_minus_the_slip() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for degrees in [5.0, 15.0, 25.0, 34.9, 36.0, 45.0, 55.0, 65.0, 75.0, 85.0] {
            for speed in [2.0, -2.0, 0.1, 20.0] {
                cases.push((radius, degrees, speed));
            }
        }
    }
    for_all(cases, |&(radius, degrees, speed): &(f64, f64, f64)| {
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let (up, normal) = (v(cos, sin, 0.0), v(-sin, cos, 0.0));
        let start = normal * rho(radius);
        // A wish to walk down a slope points away from the floor; only the way up has a closed form.
        let climbs = speed > 0.0;
        play(
            &stage(&slope(degrees)),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.hold(v(speed, 0.0, 0.0), 90);
                let slip = (9.81 * (sin - 0.7 * cos)).max(0.0) * 0.5 * 1.5 * 1.5;
                let expected = start + up * (speed * cos * 1.5 - slip);
                if climbs {
                    actor.assert_at(expected, 1e-4);
                } else {
                    assert!(
                        actor.centre().x < start.x + speed * 1.4
                            && actor.centre().dot(normal) > radius
                    );
                }
            },
        );
    });
}

#[test]
fn b27_a_body_on_a_slope_that_holds_it_does_not_drift_in_a_minute() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for (degrees, friction) in [
            (45.0, 1.01),
            (34.9, 0.7),
            (5.0, 0.09),
            (80.0, 6.0),
            (0.0, 0.0),
        ] {
            cases.push((radius, degrees, friction));
        }
    }
    for_all(cases, |&(radius, degrees, friction): &(f64, f64, f64)| {
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let material = Material {
            friction,
            ..Material::default()
        };
        let start = v(-sin, cos, 0.0) * rho(radius);
        play(
            &stage_of(&slope(degrees), material),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.hold(DVec3::ZERO, 3600);
                actor.assert_at(start, 1e-6);
                assert!(actor.state.grounded);
            },
        );
    });
}

/// A floor, and a wedge above it whose faces point down and outwards: a roof that descends to a ridge `low` metres
/// above the floor and leans towards the player.
pub(crate) fn overhang(low: f64) -> Vec<Corners> {
    let tip = [v(-0.5, low, 0.0), v(0.5, low, 0.0)];
    let back = [v(-0.5, low + 1.1, -1.0), v(0.5, low + 1.1, -1.0)];
    let front = [v(-0.5, low + 1.1, 1.0), v(0.5, low + 1.1, 1.0)];
    let mut soup = both_sides(&quad(tip[0], tip[1], back[1], back[0]));
    soup.extend(both_sides(&quad(tip[0], tip[1], front[1], front[0])));
    soup.extend(both_sides(&[
        [tip[0], back[0], front[0]],
        [tip[1], front[1], back[1]],
    ]));
    soup.extend(floor(0.0, [-60.0, 60.0], [-60.0, 60.0]));
    soup
}

#[test]
fn b31_jumping_at_an_overhang_never_sticks() {
    let mut cases = Vec::new();
    for radius in [0.1, 0.3, 0.6] {
        for low in [0.5, 0.9, 1.3] {
            for degrees in [0.0, 37.0, 80.0, 90.0, 91.0] {
                for aside in [0.0, 0.45] {
                    cases.push((radius, low, degrees, aside));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, low, degrees, aside): &(f64, f64, f64, f64)| {
            let towards = heading(degrees);
            let start = v(aside, rho(radius), 0.0) - towards * (2.0 + radius);
            play(
                &stage(&overhang(low)),
                body(radius, 9.81),
                ("stage", start),
                |actor| {
                    for i in 0..300 {
                        actor.tick(towards * 4.0, i % 20 == 7);
                    }
                    actor.hold(towards * 4.0, 120);
                    actor.assert_gap();
                    // The body walks back the same way, and jumps in the open.
                    actor.hold(-towards * 4.0, 460);
                    assert!(
                        actor.centre().dot(towards) < start.dot(towards) + 1e-3,
                        "stuck at {}",
                        actor.centre()
                    );
                    assert!(actor.state.grounded);
                    actor.tick(DVec3::ZERO, true);
                    actor.hold(DVec3::ZERO, 24);
                    assert!(actor.centre().y > rho(radius) + 0.9, "{}", actor.centre());
                },
            );
        },
    );
}
