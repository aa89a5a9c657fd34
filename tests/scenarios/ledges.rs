//! Ledges: a walking body stops before a drop deeper than allowed, and slides along its edge.

use glam::DVec3;
use opendoor::motion::{Body, StepSettings};

use crate::actor::{Actor, Stage, body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{block, facing, ground, heading, quad, stage, v};
use crate::steps::walker;

/// Height of the platforms above the ground at 0, metres.
pub(crate) const TOP: f64 = 3.0;

/// A body without step settings except that it stops before drops of more than `max_drop`.
pub(crate) fn careful(radius: f64, max_drop: f64) -> Body {
    Body {
        step_settings: StepSettings {
            max_drop,
            ..StepSettings::OFF
        },
        ..body(radius, 9.81)
    }
}

/// A body with step settings that stops before drops of more than `max_drop`.
pub(crate) fn careful_walker(radius: f64, max_drop: f64) -> Body {
    let walker = walker(radius, 0.4);
    Body {
        step_settings: StepSettings {
            max_drop,
            ..walker.step_settings
        },
        ..walker
    }
}

/// Ground, and above it square platforms between corners in x and z.
pub(crate) fn platforms(of: &[[f64; 4]]) -> Vec<Corners> {
    let mut soup = ground(60.0);
    for &[x, z, x2, z2] in of {
        soup.extend(block([x, 0.5, z], [x2, TOP, z2]));
    }
    soup
}

/// A platform with this boundary, counter-clockwise seen from below.
pub(crate) fn table(rim: &[DVec3]) -> Vec<Corners> {
    let mut soup = ground(60.0);
    let middle = rim.iter().sum::<DVec3>() / rim.len() as f64;
    for (i, &a) in rim.iter().enumerate() {
        let b = rim[(i + 1) % rim.len()];
        soup.extend(facing(vec![[middle, a, b]], middle + DVec3::Y));
        let low = DVec3::NEG_Y * 2.0;
        let outside = (a + b) * 0.5 * 2.0 - middle;
        soup.extend(facing(quad(a, b, b + low, a + low), outside));
    }
    soup
}

/// The displacements of `ticks` ticks.
pub(crate) fn steps_of(actor: &mut Actor, wish: DVec3, ticks: usize) -> Vec<DVec3> {
    let step = |actor: &mut Actor| {
        let before = actor.centre();
        actor.tick(wish, false);
        actor.centre() - before
    };
    (0..ticks).map(|_| step(actor)).collect()
}

#[test]
fn a_straight_rim_is_slid_along_like_a_wall_at_any_speed_and_angle() {
    let mut cases = Vec::new();
    for radius in [0.1, 0.35, 0.6] {
        for speed in [0.5, 4.0, 20.0] {
            for degrees in [0.0, 10.0, -45.0, 80.0, 89.9_f64] {
                for feet in [false, true] {
                    cases.push((radius, speed, degrees, feet));
                }
            }
        }
    }
    for_all(cases, |&(radius, speed, degrees, feet)| {
        let body = if feet {
            careful_walker(radius, 0.5)
        } else {
            careful(radius, 0.5)
        };
        let start = v(4.7, TOP + rho(radius), -0.3);
        let soup = platforms(&[[-50.0, -50.0, 5.0, 50.0]]);
        play(&stage(&soup), body, ("stage", start), |actor| {
            let wish = heading(degrees) * speed;
            let ticks = (0.4 / (wish.x / 60.0)).min(40.0 / (speed / 60.0)) as usize;
            actor.hold(DVec3::ZERO, 2);
            actor.hold(wish, ticks);
            let reached = start.x + wish.x / 60.0 * ticks as f64 >= 5.0;
            for step in steps_of(actor, wish, 5) {
                let way = v(if reached { 0.0 } else { wish.x }, 0.0, wish.z) / 60.0;
                assert!(
                    !reached || (step - way).length() < 1e-9,
                    "{step}, not {way}"
                );
                assert!(actor.state.grounded);
            }
            let at = actor.centre();
            assert!(!reached || (at.x - 5.0).abs() < 1e-6 * radius, "{at}");
            assert!((at.y - start.y).abs() < 1e-9, "{at}");
            actor.assert_gap();
            // In the next tick the body walks back, over the whole distance.
            let back = steps_of(actor, v(-speed, 0.0, 0.0), 1)[0];
            assert!((back + DVec3::X * (speed / 60.0)).length() < 1e-9, "{back}");
        });
    });
}

#[test]
fn straight_on_at_a_rim_a_body_rests_to_the_last_bit_and_else_slides_on_evenly() {
    let mut cases = Vec::new();
    for radius in [0.1, 0.35, 0.6] {
        for speed in [0.5, 4.0, 20.0] {
            for facets in [4, 5, 12, 64, 500] {
                // At a corner, at the middle of an edge, and in between.
                for turn in [0.0, 0.5, 0.37] {
                    for aside in [0.0, 0.3] {
                        cases.push((radius, speed, facets, turn, aside));
                    }
                }
            }
        }
    }
    for_all(cases, |&(radius, speed, facets, turn, aside)| {
        let part = 360.0 / f64::from(facets);
        let corner = |i| heading(part * f64::from(i)) * 4.0 + DVec3::Y * TOP;
        let rim: Vec<DVec3> = (0..facets).map(corner).collect();
        let level = Stage::of(&stage(&table(&rim)));
        let way = heading(turn * part);
        let start = way.cross(DVec3::Y) * aside + DVec3::Y * (TOP + rho(radius));
        let mut actor = Actor::new(&level, careful(radius, 0.5), "stage", start);
        actor.hold(DVec3::ZERO, 2);
        actor.hold(way * speed, (60.0 * 5.0 / speed) as usize);
        let steps = steps_of(&mut actor, way * speed, 60);
        let at = actor.centre();
        assert!((at.y - start.y).abs() < 1e-7, "{:e}", at.y - start.y);
        let apothem = 4.0 * (0.5 * part).to_radians().cos();
        let out = |i| at.dot(heading(part * (f64::from(i) + 0.5))) - apothem;
        let farthest = (0..facets).map(out).fold(f64::NEG_INFINITY, f64::max);
        assert!(
            farthest.abs() < 1e-5,
            "{farthest:e} beyond the rim, at {at}"
        );
        for (a, b) in steps.iter().zip(&steps[1..]) {
            assert!(a.dot(*b) > -1e-12, "trembles: {a} {b}");
        }
        if aside == 0.0 && turn != 0.37 {
            let most = steps.iter().fold(0.0_f64, |most, s| most.max(s.length()));
            // The level's corners are f32: the edge is not exactly perpendicular to the motion.
            assert!(
                if turn == 0.0 {
                    most == 0.0
                } else {
                    most < 1e-6
                },
                "moves {most:e}"
            );
        }
    });
}

#[test]
fn how_deep_a_drop_is_walked_off_does_not_depend_on_speed() {
    let mut cases = Vec::new();
    for radius in [0.1, 0.35, 0.6] {
        for speed in [0.5, 4.0, 20.0] {
            for (drop, stops) in [(0.05, false), (0.39, false), (0.42, true), (2.0, true)] {
                for feet in [false, true] {
                    cases.push((radius, speed, drop, stops, feet));
                }
            }
        }
    }
    for_all(cases, |&(radius, speed, drop, stops, feet)| {
        let body = if feet {
            careful_walker(radius, 0.4)
        } else {
            careful(radius, 0.4)
        };
        let mut soup = platforms(&[[-50.0, -50.0, 5.0, 50.0]]);
        soup.extend(block([4.0, 0.2, -60.0], [60.0, TOP - drop, 60.0]));
        let start = v(4.0, TOP + rho(radius), 0.0);
        play(&stage(&soup), body, ("stage", start), |actor| {
            actor.hold(DVec3::ZERO, 2);
            actor.hold(v(speed, 0.0, 0.1 * speed), (60.0 * 3.0 / speed) as usize);
            actor.hold(DVec3::ZERO, 60);
            let at = actor.centre();
            let y = if stops { TOP } else { TOP - drop };
            assert!(
                if stops {
                    (at.x - 5.0).abs() < 1e-6
                } else {
                    at.x > 6.0
                },
                "{at}"
            );
            assert!((at.y - y - rho(radius)).abs() < 1e-6, "{at}");
        });
    });
}

/// The platforms, a start on them, the direction of the walk, and its end.
type Walk<'a> = (&'a [[f64; 4]], DVec3, DVec3, DVec3);

#[test]
fn round_the_corners_of_platforms_a_rim_is_slid_along_to_its_end() {
    let into_the_corner: Walk = (
        &[[-9., -9., 5., 5.]],
        v(2., 0., 1.),
        v(0.8, 0., 0.6),
        v(5., 0., 5.),
    );
    // Against the side of one arm, and on to the end of the arm.
    let along_an_arm: Walk = (
        &[[-9., -9., 5., 0.], [-9., 0., 1., 9.]],
        v(0.5, 0., 5.),
        v(0.8, 0., 0.6),
        v(1., 0., 9.),
    );
    // Over the inner corner, where another edge begins.
    let round_the_inner_corner: Walk = (
        &[[-9., -9., 5., 0.], [-9., 0., 1., 9.]],
        v(0.5, 0., 2.),
        v(0.6, 0., -0.8),
        v(5., 0., -9.),
    );
    let out_on_a_plank: Walk = (
        &[[-9., -9., 0., 9.], [0., -0.1, 6., 0.1]],
        v(-1., 0., 0.),
        v(0.99, 0., 0.1),
        v(6., 0., 0.1),
    );
    let walks = [
        into_the_corner,
        along_an_arm,
        round_the_inner_corner,
        out_on_a_plank,
    ];
    for_all(
        all_sizes_and_speeds(walks),
        |&((soup, start, way, end), radius, speed)| {
            let start = start + DVec3::Y * (TOP + rho(radius));
            let source = stage(&platforms(soup));
            play(&source, careful(radius, 0.5), ("stage", start), |actor| {
                actor.hold(DVec3::ZERO, 2);
                for _ in 0..(60.0 * 30.0 / speed) as usize {
                    actor.tick(way * speed, false);
                    let sunk = start.y - actor.centre().y;
                    assert!(sunk < 0.2 * radius, "{}", actor.centre());
                }
                actor.assert_still(way * speed);
                let off = (actor.centre() - end).with_y(0.0).length();
                // If two edges support the body, it may lean over as far as friction allows.
                assert!(off < 0.6 * radius, "{}", actor.centre());
            });
        },
    );
}

pub(crate) fn all_sizes_and_speeds<T: Copy>(of: impl IntoIterator<Item = T>) -> Vec<(T, f64, f64)> {
    let sizes = of
        .into_iter()
        .flat_map(|t| [0.1, 0.35, 0.6].map(|r| (t, r)));
    sizes
        .flat_map(|(t, radius)| [0.5, 4.0, 20.0].map(|speed| (t, radius, speed)))
        .collect()
}
