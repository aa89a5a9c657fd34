//! Gaps between two blocks, slightly too wide or too narrow.

use crate::actor::{SKIN, body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{block, ground, heading, stage, v};

/// Two blocks with a gap of `width` between them that starts at x = 0.
pub(crate) fn corridor(width: f64) -> Vec<Corners> {
    let mut soup = ground(60.0);
    soup.extend(block([0.0, 0.0, width * 0.5], [30.0, 10.0, 40.0]));
    soup.extend(block([0.0, 0.0, -40.0], [30.0, 10.0, -width * 0.5]));
    soup
}

#[test]
fn b32_a_corridor_a_millimetre_wider_than_the_body_and_its_gaps_is_passed() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for off in [0.0, 0.2, -0.5] {
            for (speed, degrees) in [(4.0, 0.0), (4.0, 20.0), (100.0, -3.0)] {
                cases.push((radius, off, speed, degrees));
            }
        }
    }
    for_all(
        cases,
        |&(radius, off, speed, degrees): &(f64, f64, f64, f64)| {
            let width = 2.0 * rho(radius) + 1e-3;
            // Aimed at the opening.
            let start = v(
                -4.0 * radius,
                rho(radius),
                off * radius - 4.0 * radius * degrees.to_radians().tan(),
            );
            let wish = heading(degrees) * speed;
            play(
                &stage(&corridor(width)),
                body(radius, 9.81),
                ("stage", start),
                |actor| {
                    while actor.centre().x < 5.0 && actor.track.len() < 900 {
                        actor.tick(wish, false);
                    }
                    let end = actor.centre();
                    assert!(end.x >= 5.0, "stuck at {end}");
                    assert!(end.z.abs() <= 0.5e-3 + 1e-6, "{end}");
                },
            );
        },
    );
}

/// Walks into an opening that is slightly too narrow for the body: the opening is as wide as the body times `part`,
/// less a millimetre. The body starts beside the opening's middle, at a distance of `off` times the opening's width.
fn walk_into_mouth(radius: f64, part: f64, off: f64, (speed, degrees): (f64, f64)) {
    let width = 2.0 * radius * part - 1e-3;
    let aside = 4.0 * radius * degrees.to_radians().tan();
    let start = v(-4.0 * radius, rho(radius), off * width - aside);
    let wish = heading(degrees) * speed;
    let source = stage(&corridor(width));
    play(&source, body(radius, 9.81), ("stage", start), |actor| {
        actor.hold(wish, 240 + (5.0 * radius / speed * 60.0) as usize);
        actor.assert_still(wish);
        let half = width * 0.5;
        let depth = (rho(radius) * rho(radius) - half * half).sqrt();
        // With positions rounded to f32, the jambs are up to 1e-7 off.
        let slope = half / depth;
        actor.assert_at(v(-depth, rho(radius), 0.0), 2e-6 * radius * slope.max(1.0));
        actor.assert_gap();
    });
}

/// Widths of corridors, as fractions of the body's width: nearly as wide as the body, half as wide, and slightly wider
/// than the body but not than the body with its skin.
const PARTS: [f64; 3] = [1.0, 0.5, 0.99 * (1.0 + SKIN)];

#[test]
fn b32_a_corridor_too_narrow_stops_a_body_that_comes_straight() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for part in PARTS {
            for speed in [0.1, 4.0, 1e3] {
                cases.push((radius, part, speed));
            }
        }
    }
    for_all(cases, |&(radius, part, speed): &(f64, f64, f64)| {
        let speed = speed * radius.max(0.3);
        walk_into_mouth(radius, part, 0.0, (speed, 0.0));
    });
}

#[test]
fn b32_a_corridor_too_narrow_stops_a_body_that_comes_from_aside_without_a_tremble() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for part in PARTS {
            for off in [0.0, 0.1, -0.3] {
                for way in [(4.0, 0.0), (4.0, 5.0), (1e3, -2.0)] {
                    cases.push((radius, part, off, way));
                }
            }
        }
    }
    for_all(cases, |&(radius, part, off, way)| {
        walk_into_mouth(radius, part, off, way);
    });
}
