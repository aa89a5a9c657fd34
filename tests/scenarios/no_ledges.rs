//! Geometry that is not a ledge, and cases in which a body that stops at ledges is not stopped.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::{Aabb, Rigid};
use opendoor::motion::Body;
use opendoor::source::LevelSource;

use crate::actor::{Actor, Stage, rho};
use crate::beams::{INCH, beams};
use crate::bends::{bent, quarter, walk_on};
use crate::ledges::{TOP, all_sizes_and_speeds, careful, careful_walker, platforms};
use crate::runs::{for_all, play};
use crate::shapes::{block, facing, quad, stage, v};
use crate::steps::{flight, on_ground, walker};

#[test]
fn steps_lower_than_the_greatest_drop_are_walked_as_without_it_and_higher_ones_are_not() {
    for_all(
        all_sizes_and_speeds([(0.3, 0.3), (0.2, 0.25), (0.17, 0.29)]),
        |&((rise, depth), radius, speed): &((f64, f64), f64, f64)| {
            let level = Stage::of(&stage(&flight(10, rise, depth)));
            let top = v(0.0, 10.0 * rise + rho(radius), 10.0 * depth + 1.0);
            let ticks = (60.0 * (10.0 * depth + 3.0) / speed) as usize;
            let bottom = v(0.0, rho(radius), -2.0);
            let walk = |body: Body, start: DVec3, speed: f64| {
                let mut actor = on_ground(&level, body, start);
                actor.hold(v(0.0, 0.0, speed), ticks);
                // A body that walks down may be in the air: let it land.
                actor.hold(DVec3::ZERO, 60);
                actor.centre()
            };
            let [free, heeding] = [walker, careful_walker].map(|body| body(radius, 0.4));
            for (start, speed) in [(top, -speed), (bottom, speed)] {
                let ends = [free, heeding].map(|body| walk(body, start, speed));
                // The ledge check divides the motion and each step into pieces, so the paths differ slightly.
                let off = ends[0].distance(ends[1]);
                assert!(
                    off < 0.1 || speed.abs() > 4.0,
                    "{} and {}",
                    ends[0],
                    ends[1]
                );
                assert!(ends[1].distance(start) > 1.0, "{}", ends[1]);
            }
            let stopped = walk(careful_walker(radius, 0.9 * rise), top, -speed);
            let rim = top.with_z(9.0 * depth);
            assert!(stopped.distance(rim) < 1e-6, "{stopped}, not {rim}");
        },
    );
}

#[test]
fn a_slope_is_no_ledge_but_its_side_and_its_end_are() {
    for degrees in [10.0_f64, 30.0, 45.0] {
        // A slope from a platform down along x. The slope ends in the air.
        let tan = degrees.to_radians().tan();
        let mut soup = platforms(&[[-20., -2., 0., 2.]]);
        let [a, b] = [-2.0, 2.0].map(|z| v(0.0, TOP, z));
        let [c, d] = [-2.0, 2.0].map(|z| v(2.0, TOP - 2.0 * tan, z));
        soup.extend(facing(quad(a, b, d, c), v(0.0, 90.0, 0.0)));
        for_all(
            all_sizes_and_speeds([0.1, 0.0]),
            |&(aside, radius, speed): &(f64, f64, f64)| {
                let start = v(-1.0, TOP + rho(radius), 1.8);
                play(
                    &stage(&soup),
                    careful_walker(radius, 0.25),
                    ("stage", start),
                    |actor| {
                        actor.hold(DVec3::ZERO, 2);
                        for _ in 0..(60.0 * 6.0 / speed) as usize {
                            actor.tick(v(speed, 0.0, aside * speed), false);
                            assert!(actor.state.grounded, "{}", actor.centre());
                            // On a slope that friction does not hold, gravity pulls the body over the end.
                            if degrees < 35.0 {
                                assert!(actor.centre().x < 2.0 + 1e-6, "{}", actor.centre());
                            }
                            if actor.centre().x > 1.9 {
                                return;
                            }
                            assert!(actor.centre().z < 2.0 + 1e-6, "{}", actor.centre());
                        }
                        panic!("stuck at {}", actor.centre());
                    },
                );
            },
        );
    }
}

#[test]
fn gaps_that_a_body_does_not_fall_through_are_walked_over() {
    for_all(
        all_sizes_and_speeds([0.0, 1.5 * INCH]),
        |&(chamfer, radius, speed): &(f64, f64, f64)| {
            // Only the smallest body fits between the beams, where it would fall 61 cm; so only this body stops.
            let stops = radius < 0.2;
            let level = Stage::of(&stage(&beams(chamfer)));
            let start = v(6.0 * INCH, rho(radius), 0.0);
            let mut actor = Actor::new(&level, careful_walker(radius, 0.3), "stage", start);
            actor.hold(DVec3::ZERO, 5);
            actor.hold(v(speed, 0.0, 0.05 * speed), (120.0 / speed) as usize);
            let way = actor.centre().x - start.x;
            assert!(stops == (way < 0.5) && (stops || way > 1.8), "{way}");
        },
    );
}

#[test]
fn a_jump_leads_off_a_ledge() {
    for_all(all_sizes_and_speeds([()]), |&((), radius, speed)| {
        let level = Stage::of(&stage(&platforms(&[[-20., -20., 0., 20.]])));
        let start = v(-0.3, TOP + rho(radius), 0.0);
        let mut actor = Actor::new(&level, careful(radius, 0.4), "stage", start);
        let wish = v(speed, 0.0, 0.0);
        actor.hold(DVec3::ZERO, 2);
        actor.hold(wish, 60);
        assert!((actor.centre().x).abs() < 1e-6, "{}", actor.centre());
        actor.tick(wish, true);
        actor.hold(wish, 120);
        assert!(
            actor.centre().x > 0.3 && actor.centre().y < 1.0,
            "{}",
            actor.centre()
        );
    });
}

#[test]
fn a_body_placed_beyond_an_edge_is_not_frozen_there() {
    for_all(
        all_sizes_and_speeds([0.1, 0.3, 0.5, 0.7, 0.95]),
        |&(beyond, radius, speed): &(f64, f64, f64)| {
            let level = Stage::of(&stage(&platforms(&[[-20., -60., 0., 60.]])));
            let off = beyond * rho(radius);
            let start = v(off, TOP + (1.0 - beyond * beyond).sqrt() * rho(radius), 0.0);
            let put = |wish: DVec3| {
                let mut actor = Actor::new(&level, careful(radius, 0.4), "stage", start);
                actor.hold(DVec3::ZERO, 2);
                let slips = actor.centre() != start;
                // A body that friction does not hold falls.
                assert_eq!(slips, beyond > 0.6, "{}", actor.centre());
                actor.hold(wish, 120);
                actor.centre()
            };
            let (still, out, back) = (
                put(DVec3::ZERO),
                put(v(speed, 0., 0.)),
                put(v(-speed, 0., 0.)),
            );
            if beyond > 0.6 {
                assert!(still.y < 1.0 && out.y < 1.0, "{still}, {out}");
                return;
            }
            assert!(still == start && out == start, "{still}, {out}");
            assert!(
                (back.y - TOP - rho(radius)).abs() < 1e-6 && back.x < -0.3,
                "{back}"
            );
            let aside = put(v(0.6 * speed, 0.0, 0.8 * speed));
            let way = v(off, start.y, 0.8 * speed * 2.0);
            assert!(aside.distance(way) < 1e-3, "{aside}, not {way}");
        },
    );
}

#[test]
fn a_fence_on_the_rim_is_climbed_but_not_over() {
    for_all(
        all_sizes_and_speeds([(0.02, -1.0), (0.02, -0.9), (0.02, -0.8), (0.3, -1.1)]),
        |&((thick, start), radius, speed): &((f64, f64), f64, f64)| {
            let mut soup = platforms(&[[-20., -20., 0., 20.]]);
            soup.extend(block([-thick, TOP - 0.1, -20.], [0., TOP + 0.3, 20.]));
            let start = v(start, TOP + rho(radius), 0.0);
            play(
                &stage(&soup),
                careful_walker(radius, 0.4),
                ("stage", start),
                |actor| {
                    actor.hold(DVec3::ZERO, 2);
                    for _ in 0..(60.0 * 3.0 / speed) as usize + 10 {
                        actor.tick(v(speed, 0.0, 0.0), false);
                        assert!(
                            actor.centre().x < 1e-6 && actor.state.grounded,
                            "{}",
                            actor.centre()
                        );
                    }
                    actor.assert_still(v(speed, 0.0, 0.0));
                },
            );
        },
    );
}

#[test]
fn capsules_stop_where_spheres_do() {
    for_all(
        all_sizes_and_speeds([0.4, 1.2]),
        |&(segment_length, radius, speed): &(f64, f64, f64)| {
            let level = Stage::of(&stage(&platforms(&[[-9., -9., 0., 9.]])));
            let ends = [0.0, segment_length].map(|segment_length| {
                let body = Body {
                    segment_length,
                    ..careful_walker(radius, 0.4)
                };
                let mut actor = Actor::new(&level, body, "stage", v(-1.0, TOP + rho(radius), 0.0));
                actor.is_judged = segment_length == 0.0;
                actor.hold(DVec3::ZERO, 2);
                actor.hold(v(speed, 0.0, 0.3 * speed), (60.0 * 4.0 / speed) as usize);
                actor.centre()
            });
            assert!(ends[0].x.abs() < 1e-6, "{}", ends[0]);
            assert!(ends[0].distance(ends[1]) < 1e-9, "{}, {}", ends[0], ends[1]);
        },
    );
}

/// Two halls joined at x = 0, each with a platform that ends at z = 2. The second hall is transformed by `moved`.
fn halls(moved: &Rigid) -> LevelSource {
    let mut sketch = Sketch::new("halls");
    let opening = cuboid([0., 0., -4.], [0., 9., 4.]);
    let a = sketch.box_room("a", cuboid([-9., 0., -4.], [0., 9., 4.]), &[opening]);
    sketch.furniture(a, 0, cuboid([-9.0, 0.5, -4.0], [0.0, TOP, 2.0]));
    let there = |b: Aabb| b.transformed(moved);
    let inside = there(cuboid([0., 0., -4.], [9., 9., 4.]));
    let b = sketch.box_room("b", inside, &[there(opening)]);
    sketch.furniture(b, 0, there(cuboid([0.0, 0.5, -4.0], [9.0, TOP, 2.0])));
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-1.0, 5.0, 0.0), DVec3::X);
    sketch.source
}

#[test]
fn the_rim_goes_on_behind_a_portal_also_where_that_bends_space() {
    for_all(all_sizes_and_speeds([()]), |&((), radius, speed)| {
        let start = v(-1.0, TOP + rho(radius), 1.9);
        let walk = |b_from_a: &Rigid| {
            let stage = bent(halls(b_from_a), b_from_a);
            let mut actor = Actor::new(&stage, careful(radius, 0.4), "a", start);
            walk_on(&mut actor, &mut v(0.0, 0.0, 0.0), 2);
            let mut wish = v(0.8, 0.0, 0.6) * speed;
            walk_on(&mut actor, &mut wish, (60.0 * 3.0 / speed) as usize);
            assert_eq!(actor.room(), "b");
            actor.state.at.point
        };
        let end = walk(&Rigid::IDENTITY);
        let off = (end.y - start.y).abs().max((end.z - 2.0).abs());
        assert!(off < 1e-6, "{end}");
        // The whole motion along the edge is kept.
        assert!((end.x - 1.4).abs() < 0.02 * speed.max(1.0), "{end}");
        let bend = quarter(v(100.0, 0.0, 0.0));
        let elsewhere = walk(&bend);
        let off = bend.point(end).distance(elsewhere);
        assert!(off < 1e-5, "{end} and {elsewhere}");
    });
}
