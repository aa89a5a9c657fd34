//! Many triangles at once.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::actor::{Actor, Stage, body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{facing, floor, ground, heading, quad, stage, v};

/// Quads of `step` metres on a square, each corner at the height that `height` gives.
pub(crate) fn terrain(
    count: usize,
    step: f64,
    height: impl Fn(usize, usize) -> f64,
) -> Vec<Corners> {
    let at = |i: usize, k: usize| {
        let half = 0.5 * count as f64;
        v(
            (i as f64 - half) * step,
            height(i, k),
            (k as f64 - half) * step,
        )
    };
    let mut soup = Vec::with_capacity(count * count * 2);
    for i in 0..count {
        for k in 0..count {
            let corners = (at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k));
            soup.extend(quad(corners.0, corners.1, corners.2, corners.3));
        }
    }
    soup
}

#[test]
fn b8_a_flat_floor_of_a_hundred_thousand_triangles_loses_no_distance() {
    let soup = terrain(220, 0.5, |_, _| 0.0);
    let stage = Stage::of(&stage(&soup));
    let mut cases = vec![(0.3, v(6.0, -6.0, 6.0), 1000)];
    for radius in [0.05, 0.3, 2.0] {
        for turn in [0.0, 10.0, 44.9] {
            for (speed, lean) in [(4.0, -0.1), (4.0, -9.0), (100.0, -10.0), (0.1, -3.0)] {
                cases.push((radius, heading(turn) * speed + DVec3::Y * lean, 60));
            }
        }
    }
    for_all(cases, |&(radius, wish, ticks): &(f64, DVec3, i32)| {
        // The body starts on the floor. The floor removes the downward component of the wish and nothing else.
        let start = v(-52.0, rho(radius), -51.7);
        let mut actor = Actor::new(&stage, body(radius, 0.0), "stage", start);
        for i in 1..=ticks {
            actor.tick(wish, false);
            let way = wish.with_y(0.0) * (f64::from(i) / 60.0);
            actor.assert_at(start + way, 1e-6);
        }
        actor.assert_gap();
    });
}

#[test]
fn b38_a_floor_of_bumps_much_smaller_than_the_body_is_crossed() {
    // 7200 triangles of 5 mm with bumps of 2 mm.
    let soup = terrain(60, 0.005, |i, k| {
        0.002 * f64::from(((i * 7 + k * 13) % 5) as u8) / 4.0
    });
    for_all([0.05, 0.3], |&radius: &f64| {
        let mut soup = soup.clone();
        soup.extend(floor(-0.01, [-5.0, 5.0], [-5.0, 5.0]));
        let start = v(-0.13, rho(radius) + 0.003, 0.01);
        play(
            &stage(&soup),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.hold(DVec3::ZERO, 30);
                actor.assert_still(DVec3::ZERO);
                actor.assert_gap();
                actor.hold(v(0.5, 0.0, 0.02), 31);
                assert!(actor.centre().x > 0.11, "{}", actor.centre());
            },
        );
    });
}

#[test]
fn b38_a_fan_of_400_needles_is_a_floor() {
    for_all([0.05, 0.3, 2.0], |&radius: &f64| {
        let rim = |i: usize| heading(360.0 * i as f64 / 400.0) * 20.0;
        let fan = (0..400)
            .map(|i| [DVec3::ZERO, rim(i), rim(i + 1)])
            .collect();
        let soup = facing(fan, v(0.0, 90.0, 0.0));
        let start = v(-2.0, rho(radius), 0.01);
        play(
            &stage(&soup),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.hold(v(4.0, 0.0, 0.0), 60);
                actor.assert_at(v(2.0, rho(radius), 0.01), 1e-6);
                actor.hold(v(-4.0, 0.0, -0.02), 30);
                actor.assert_at(v(0.0, rho(radius), 0.0), 1e-6);
                actor.hold(DVec3::ZERO, 60);
                actor.assert_still(DVec3::ZERO);
            },
        );
    });
}

/// The lower half of a pipe along x, of 768 slivers, a centimetre wider than the body and its gap, closed at x = 5;
/// walls continue upwards from its edges.
pub(crate) fn half_pipe(radius: f64) -> Vec<Corners> {
    let pipe = rho(radius) + 0.01;
    let (begin, end) = (-5.0, 5.0);
    let at = |i: usize, x: f64| {
        let angle = PI * i as f64 / 384.0;
        v(x, -pipe * angle.sin(), pipe * angle.cos())
    };
    let mut soup = Vec::new();
    for i in 0..384 {
        soup.extend(quad(
            at(i, begin),
            at(i + 1, begin),
            at(i + 1, end),
            at(i, end),
        ));
    }
    for i in [0, 384] {
        let (a, b) = (at(i, begin), at(i, end));
        let up = DVec3::Y * 9.0;
        soup.extend(quad(a, b, b + up, a + up));
    }
    let cap = [[-9., -9.], [9., -9.], [9., 9.], [-9., 9.]].map(|[y, z]| v(end, y, z));
    soup.extend(quad(cap[0], cap[1], cap[2], cap[3]));
    facing(soup, DVec3::ZERO)
}

/// Walks to the cap of the half pipe, leaning to one side, and continues with `then`.
fn follow_half_pipe(radius: f64, speed: f64, lean: f64, then: impl Fn(&mut Actor)) {
    let source = stage(&half_pipe(radius));
    let start = v(-3.0, -0.005, 0.0);
    play(&source, body(radius, 9.81), ("stage", start), |actor| {
        let wish = v(speed, 0.0, lean);
        actor.hold(wish, (10.0 / speed * 60.0) as usize + 10);
        let off = actor.centre().x - (5.0 - rho(radius));
        assert!(off.abs() < 1e-4, "{off:.3e} m from the cap");
        then(actor);
    });
}

#[test]
fn b38_a_half_pipe_of_768_slivers_is_followed_to_its_end() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for speed in [1.0, 4.0, 1e3] {
            cases.push((radius, speed));
        }
    }
    for_all(cases, |&(radius, speed)| {
        let still = |actor: &mut Actor| actor.assert_still(v(speed, 0.0, 0.0));
        follow_half_pipe(radius, speed, 0.0, still)
    });
}

const LEANING: [(f64, f64, f64); 3] = [(0.3, 4.0, 0.5), (0.3, 4.0, -3.0), (2.0, 4.0, 0.5)];

#[test]
fn b38_a_half_pipe_does_not_slow_down_a_body_that_pushes_sideways() {
    for_all(LEANING, |&(radius, speed, lean)| {
        follow_half_pipe(radius, speed, lean, |_| ());
    });
}

#[test]
#[ignore = "fails: walking up the pipe's side and slipping down again, it swings by 0.5 to 33 mm"]
fn b38_at_the_end_of_a_half_pipe_a_body_that_leans_aside_is_still() {
    for_all(LEANING, |&(radius, speed, lean)| {
        let still = |actor: &mut Actor| actor.assert_still(v(speed, 0.0, lean));
        follow_half_pipe(radius, speed, lean, still);
    });
}

#[test]
fn b38_a_bowl_that_fits_the_body_holds_it_and_lets_nothing_through() {
    // Facets that all touch the body at once, many more than a solver considers.
    for_all(
        [(0.05, 1.0), (0.3, 4.0), (0.3, 1e4), (2.0, 100.0)],
        |&(radius, speed): &(f64, f64)| {
            let (rings, around) = (10, 40);
            let size = rho(radius) / (PI / 40.0).cos().powi(2);
            let at = |i: usize, k: usize| {
                let (down, turn) = (
                    PI * 0.5 * i as f64 / rings as f64,
                    TAU * k as f64 / around as f64,
                );
                v(
                    down.sin() * turn.cos(),
                    -down.cos(),
                    down.sin() * turn.sin(),
                ) * size
            };
            let mut soup = ground(1.0)
                .iter()
                .map(|t| t.map(|p| p - v(0.0, 90.0, 0.0)))
                .collect::<Vec<_>>();
            for i in 0..rings {
                for k in 0..around {
                    let facets = quad(at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k));
                    soup.extend(
                        facing(facets, DVec3::ZERO)
                            .into_iter()
                            .filter(|[a, b, c]| a != b && b != c && a != c),
                    );
                }
            }
            let start = v(0.0, 2.0 * radius, 0.0);
            play(
                &stage(&soup),
                body(radius, 0.0),
                ("stage", start),
                |actor| {
                    actor.hold(
                        v(0.0, -speed, 0.0),
                        (4.0 * radius / speed * 60.0) as usize + 10,
                    );
                    assert!(actor.centre().y > -0.05 * radius, "{}", actor.centre());
                    for i in 0..36 {
                        actor.hold((heading(f64::from(i) * 110.0) - DVec3::Y) * speed, 3);
                    }
                    assert!(actor.centre().length() < 0.2 * radius, "{}", actor.centre());
                },
            );
        },
    );
}
