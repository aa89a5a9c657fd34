//! Beams with pits between them, with sharp or chamfered edges.

use crate::actor::{body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{facing, floor, quad, stage, v, wall};

pub(crate) const INCH: f64 = 0.0254;
const PITCH: f64 = 22.0 * INCH;
const TOP: f64 = 12.0 * INCH;
/// Height of a chamfer.
const DROP: f64 = INCH;
/// Width of a pit.
const PIT: f64 = 24.0 * INCH;

/// Beams along z, one every [`PITCH`], over pits; `chamfer` metres of each side of their tops slope down.
pub(crate) fn beams(chamfer: f64) -> Vec<Corners> {
    let z = [-20.0, 20.0];
    let mut soup = floor(-PIT, [-60.0, 60.0], z);
    let low = if chamfer > 0.0 { -DROP } else { 0.0 };
    for i in -90..90 {
        let a = f64::from(i) * PITCH;
        let b = a + TOP;
        // Divided into strips, so that there are T-junctions along the tops.
        for k in 0..4 {
            let from = -20.0 + 10.0 * f64::from(k);
            soup.extend(floor(0.0, [a + chamfer, b - chamfer], [from, from + 10.0]));
        }
        let above = v(0.5 * (a + b), 9.0, 0.0);
        for (edge, end, out) in [(a + chamfer, a, a - 9.0), (b - chamfer, b, b + 9.0)] {
            if chamfer > 0.0 {
                let [p, q] = z.map(|z| v(edge, 0.0, z));
                let [r, s] = z.map(|z| v(end, low, z));
                soup.extend(facing(quad(p, q, s, r), above));
            }
            let foot = z.map(|z| v(end, -PIT, z));
            soup.extend(wall(foot[0], foot[1], low + PIT, v(out, 0.0, 0.0)));
        }
    }
    soup
}

/// Returns the greatest height that the centre can reach. A tick that starts on an edge, with its contact normal at
/// some angle to the vertical, continues along the tangent there for the rest of the tick's motion, `way`.
///
/// The scenario demands less than 0.5 m/s upwards while grounded, and no launch. This can only apply to velocity that
/// is kept, and none is kept here: a sphere that has sunk into a gap of width g must rise by up to `rho - sqrt(rho^2 -
/// g^2 / 4)` within a distance of `g / 2`, with any controller. That is 28 mm in 0.86 of a tick for a radius of 0.3 m
/// at 350 inches a second, 1.9 m/s on average.
fn highest(radius: f64, chamfer: f64, way: f64) -> f64 {
    let at_edge = 0.5 * (PITCH - TOP) / rho(radius);
    let at_chamfer = DROP / chamfer.hypot(DROP);
    let steepest = if chamfer > 0.0 {
        at_edge.max(at_chamfer)
    } else {
        at_edge
    };
    let sines = (0..=1000).map(|i| steepest * f64::from(i) / 1000.0);
    let heights = sines.map(|sin| (1.0 - sin * sin).sqrt() * (rho(radius) + way * sin));
    heights.fold(0.0, f64::max)
}

#[test]
fn b10_gaps_and_chamfers_below_the_tops_never_throw_the_body_up() {
    let mut cases = Vec::new();
    for radius in [0.15, 0.3, 1.0] {
        for speed in [0.5, 4.0, 350.0 * INCH, 40.0] {
            for sideways in [0.0, 20.0 * INCH] {
                for chamfer in [0.0, 1.5 * INCH] {
                    for way in [1.0, -1.0] {
                        cases.push((radius, way * speed, sideways, chamfer));
                    }
                }
            }
        }
    }
    for_all(cases, |&(radius, speed, sideways, chamfer)| {
        let start = v(
            0.5 * TOP - f64::signum(speed) * 11.0 * PITCH,
            rho(radius),
            -15.0,
        );
        let source = stage(&beams(chamfer));
        play(&source, body(radius, 9.81), ("stage", start), |actor| {
            let wish = v(speed, 0.0, sideways);
            let way = wish.length() / 60.0;
            let limit = highest(radius, chamfer, way);
            while actor.centre().x.abs() < 30.0 && actor.track.len() < 400 {
                let before = actor.centre().y;
                actor.tick(wish, false);
                let (at, fall) = (actor.centre(), actor.state.fall.y);
                assert!(fall <= 0.0, "launched with {fall} m/s at {at}");
                assert!(at.y < limit + 1e-6, "thrown up to {at}, over {limit}");
                // The body does not rise faster than the slope of the edge at the body's height allows.
                let cos = (before / rho(radius)).min(1.0);
                if chamfer == 0.0 {
                    let most = way * cos * (1.0 - cos * cos).sqrt();
                    let rise = at.y - before;
                    assert!(rise < most + 1e-6, "rises by {rise} of {most} at {at}");
                }
            }
            // An edge as steep as a wall may stop the body.
            if 0.5 * (PITCH - TOP) / rho(radius) > 50.0_f64.to_radians().sin() {
                return;
            }
            let way = (actor.centre().x - start.x) / speed;
            let secs = actor.track.len() as f64 / 60.0;
            assert!(way > 0.9 * secs, "{way} s of way in {secs} s");
        });
    });
}
