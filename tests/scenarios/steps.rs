//! Step settings: steps up and down, at any speed, and slopes with a limit.

use glam::DVec3;
use opendoor::motion::{Body, StepSettings};

use crate::actor::{Actor, Stage, body, rho};
use crate::oracle::Corners;
use crate::shapes::{block, ground, heading, stage, v, wall};

/// The cosine of the steepest walkable slope, 50 degrees.
const WALKABLE_Y: f64 = 0.642_787_609_686_539_4;

pub(crate) fn walker(radius: f64, step_height: f64) -> Body {
    Body {
        step_settings: StepSettings {
            step_height,
            snap: step_height,
            max_slope_cos: WALKABLE_Y,
            max_drop: f64::INFINITY,
        },
        ..body(radius, 9.81)
    }
}

/// A flight of `count` steps up along +z from z = 0, each a block down to the ground, with a landing of 10 m at the
/// end.
pub(crate) fn flight(count: usize, rise: f64, depth: f64) -> Vec<Corners> {
    let mut triangles = ground(50.0);
    for i in 0..count {
        let (z, y) = (i as f64 * depth, (i + 1) as f64 * rise);
        let end = if i + 1 == count { z + 10.0 } else { z + depth };
        triangles.extend(block([-3.0, -0.5, z], [3.0, y, end]));
    }
    triangles
}

pub(crate) fn on_ground<'a>(stage: &'a Stage, body: Body, at: DVec3) -> Actor<'a> {
    let mut actor = Actor::new(stage, body, "stage", at);
    actor.hold(DVec3::ZERO, 10);
    assert!(actor.state.grounded);
    actor
}

/// Whether a body on the floor touches the riser of a step at z = 0, or its edge.
fn stands_before(actor: &Actor, height: f64) -> bool {
    let above_edge = (actor.rho() - height).max(0.0);
    let z = -(actor.rho().powi(2) - above_edge.powi(2)).sqrt();
    (actor.centre().z - z).abs() < 1e-6
}

#[test]
fn b21_a_flight_of_steps_is_climbed_at_any_speed_on_the_ground_all_the_way() {
    for (radius, rise, depth) in [
        (0.3, 0.3, 0.3),
        (0.35, 0.2, 0.25),
        (0.35, 0.17, 0.29),
        (0.35, 0.38, 0.5),
        (0.1, 0.2, 0.3),
        (0.6, 0.3, 0.3),
    ] {
        let stage = Stage::of(&stage(&flight(10, rise, depth)));
        for speed in [0.3, 1.0, 4.0, 7.0, 20.0] {
            for turn in [0.0, 30.0] {
                let place = v(-1.0, rho(radius), -1.0);
                let mut actor = on_ground(&stage, walker(radius, 0.4), place);
                let wish = heading(90.0 - turn) * speed;
                let top = 10.0 * rise + rho(radius);
                let length = (1.0 + 10.0 * depth) / heading(90.0 - turn).z;
                let ideal = length / speed * 60.0;
                let what = format!("r {radius} {rise}/{depth} at {speed} m/s, {turn} deg");
                let mut ticks = 0.0;
                while actor.centre().y < top - 1e-6 {
                    let before = actor.centre();
                    actor.tick(wish, false);
                    ticks += 1.0;
                    assert!(actor.state.grounded, "{what}: in the air at {before}");
                    assert!(actor.centre().z > before.z, "{what}: stuck at {before}");
                    assert!(ticks < 1.5 * ideal + 2.0, "{what}: slow, at {before}");
                    let ahead = actor.centre() - before;
                    let done = v(ahead.x, 0.0, ahead.z).length();
                    assert!(done <= speed / 60.0 * (1.0 + 1e-9), "{what}: sped up");
                }
                actor.hold(DVec3::ZERO, 2);
                actor.assert_still(DVec3::ZERO);
                actor.assert_gap();
            }
        }
    }
}

#[test]
fn b22_whether_a_shelf_is_climbed_depends_on_its_height_not_on_speed() {
    for radius in [0.2, 0.3, 0.35, 0.5] {
        for (height, is_step) in [(0.1, true), (0.31, true), (0.399, true), (0.41, false)] {
            let mut triangles = ground(50.0);
            triangles.extend(block([-3.0, -0.5, 0.0], [3.0, height, 40.0]));
            let stage = Stage::of(&stage(&triangles));
            for speed in [0.06, 0.5, 4.0, 10.0, 30.0] {
                let place = v(0.0, rho(radius), -rho(radius) - 0.05);
                let mut actor = on_ground(&stage, walker(radius, 0.4), place);
                let ticks = (1.0 / speed * 60.0) as usize + 10;
                actor.hold(v(0.0, 0.0, speed), ticks);
                let feet = actor.centre().y - rho(radius);
                let climbed = (feet - height).abs() < 1e-6;
                let stopped = feet.abs() < 1e-6 && stands_before(&actor, height);
                assert!(
                    if is_step { climbed } else { stopped },
                    "r {radius}, shelf {height} at {speed} m/s: {}",
                    actor.centre()
                );
            }
        }
    }
}

#[test]
fn b23_steps_too_shallow_to_stand_on_are_a_wall() {
    for radius in [0.3, 0.35] {
        let stage = Stage::of(&stage(&flight(10, 0.3, 0.05)));
        for speed in [0.06, 1.0, 4.0, 10.0, 30.0] {
            let mut actor = on_ground(&stage, walker(radius, 0.4), v(0.0, rho(radius), -1.0));
            actor.hold(v(0.0, 0.0, speed), (1.0 / speed * 60.0) as usize + 120);
            let end = actor.centre();
            assert!((end.y - rho(radius)).abs() < 1e-6, "{speed} m/s: {end}");
            assert!(stands_before(&actor, 0.3), "{speed} m/s: {end}");
            actor.assert_still(v(0.0, 0.0, speed));
        }
    }
}

#[test]
fn b24_down_a_flight_of_steps_the_ground_is_never_left() {
    for (radius, rise, depth) in [(0.3, 0.3, 0.3), (0.35, 0.2, 0.25), (0.35, 0.17, 0.29)] {
        let stage = Stage::of(&stage(&flight(10, rise, depth)));
        for speed in [0.5, 4.0, 7.0] {
            let start = v(0.0, 10.0 * rise + rho(radius), 10.0 * depth + 1.0);
            let mut actor = on_ground(&stage, walker(radius, 0.4), start);
            while actor.centre().z > -2.0 {
                let before = actor.centre();
                actor.tick(v(0.0, 0.0, -speed), false);
                assert!(actor.state.grounded, "{speed} m/s: in the air at {before}");
                let ahead = before.z - actor.centre().z;
                assert!((ahead - speed / 60.0).abs() < 1e-6, "{speed} m/s: {before}");
            }
            assert!((actor.centre().y - rho(radius)).abs() < 1e-6);
        }
    }
}

#[test]
fn b25_a_nearby_wall_adds_no_speed() {
    for height in [0.3, 0.41, 3.0] {
        let mut triangles = ground(50.0);
        triangles.extend(block([-20.0, -0.5, -20.0], [20.0, height, 0.0]));
        let stage = Stage::of(&stage(&triangles));
        let mut actor = on_ground(&stage, walker(0.3, 0.4), v(-3.0, rho(0.3), rho(0.3)));
        actor.hold(v(5.0, 0.0, -1.0), 60);
        let x = actor.centre().x + 3.0;
        assert!((x - 5.0).abs() < 0.01, "wall of {height}: {x}");
    }
}

#[test]
fn off_a_ledge_that_is_no_step_a_body_falls_and_does_not_hang() {
    let mut triangles = ground(50.0);
    triangles.extend(block([-3.0, 0.0, -10.0], [3.0, 2.0, 0.0]));
    let stage = Stage::of(&stage(&triangles));
    let mut actor = on_ground(&stage, walker(0.3, 0.4), v(0.0, 2.0 + rho(0.3), -1.0));
    actor.hold(v(0.0, 0.0, 2.0), 120);
    assert!((actor.centre().y - rho(0.3)).abs() < 1e-6);
    assert!(actor.centre().z > rho(0.3), "{}", actor.centre());
}

#[test]
fn a_low_fence_is_stepped_over_and_a_high_one_is_not() {
    for (height, passes) in [(0.35, true), (0.45, false)] {
        let mut triangles = ground(50.0);
        triangles.extend(block([-3.0, -0.5, 0.0], [3.0, height, 0.02]));
        let stage = Stage::of(&stage(&triangles));
        for speed in [0.5, 4.0, 12.0] {
            let mut actor = on_ground(&stage, walker(0.3, 0.4), v(0.0, rho(0.3), -1.0));
            actor.hold(v(0.0, 0.0, speed), (3.0 / speed * 60.0) as usize);
            let z = actor.centre().z;
            assert_eq!(z > 0.5, passes, "{height} at {speed} m/s: {z}");
            assert!((actor.centre().y - rho(0.3)).abs() < 1e-6);
        }
    }
}

#[test]
fn under_a_low_ceiling_a_step_is_a_wall() {
    let mut triangles = ground(50.0);
    triangles.extend(block([-3.0, -0.5, 0.0], [3.0, 0.3, 10.0]));
    triangles.extend(block([-3.0, 0.8, -0.2], [3.0, 1.0, 10.0]));
    triangles.extend(wall(
        v(-3.0, 0.0, -9.0),
        v(3.0, 0.0, -9.0),
        2.0,
        DVec3::ZERO,
    ));
    let stage = Stage::of(&stage(&triangles));
    let mut actor = on_ground(&stage, walker(0.3, 0.4), v(0.0, rho(0.3), -1.0));
    actor.hold(v(0.0, 0.0, 4.0), 120);
    assert!((actor.centre().y - rho(0.3)).abs() < 1e-6);
    assert!(stands_before(&actor, 0.3));
    actor.assert_still(v(0.0, 0.0, 4.0));
}
