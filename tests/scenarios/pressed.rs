//! A body pressed against the edge of a step passes over it or comes to rest, at any height, speed and angle.

use glam::DVec3;
use opendoor::motion::{Body, StepSettings};

use crate::actor::{Actor, Stage, body, rho};
use crate::runs::for_all;
use crate::shapes::{block, ground, stage, v};
use crate::steps::walker;

#[derive(Clone, Copy, Debug)]
struct Press {
    radius: f64,
    /// Segment length of a capsule, metres; 0 for a sphere.
    axis: f64,
    step_settings: StepSettings,
    /// Height of the step, as a fraction of the radius with its gap.
    height: f64,
    /// Angle between the walk and the direction straight at the step, degrees.
    angle: f64,
    speed: f64,
    /// Acceleration of the walk, m/s2.
    acceleration: f64,
}

/// Presses a body against a step whose edge is along x, then checks it for a second.
fn press(press: &Press) {
    let rho = rho(press.radius);
    let height = press.height * rho;
    let mut triangles = ground(90.0);
    triangles.extend(block([-80.0, -0.5, 0.0], [80.0, height, 80.0]));
    let stage = Stage::of(&stage(&triangles));
    let body = Body {
        segment_length: press.axis,
        step_settings: press.step_settings,
        acceleration: press.acceleration,
        ..body(press.radius, 9.81)
    };
    let (sin, cos) = press.angle.to_radians().sin_cos();
    let wish = v(sin, 0.0, cos) * press.speed;
    let mut actor = Actor::new(&stage, body, "stage", v(0.0, rho, -rho - 0.02));
    actor.hold(DVec3::ZERO, 5);
    // The contact with the edge multiplies the horizontal speed of the centre by the square of the normal's upward
    // component. If this component starts at a quarter, the crossing takes the time of 2.06 radii.
    let secs = 2.0 + 2.5 * rho / (press.speed * cos);
    actor.hold(wish, (secs * 60.0) as usize);
    let mut before = actor.state;
    let is_over = |centre: DVec3| centre.z > 0.0 && (centre.y - rho - height).abs() < 1e-5;
    for _ in 0..60 {
        actor.tick(wish, false);
        let now = actor.state;
        assert!(now.grounded, "leaves the ground at {}", now.at.point);
        let moved = now.at.point - before.at.point;
        let rests = moved.y.abs() < 1e-5 && moved.z.abs() < 1e-5;
        assert!(
            rests || is_over(actor.centre()),
            "moves by {moved} at {}",
            now.at.point
        );
        before = now;
    }
}

/// Regression test: the body hopped up and down by 1.5 cm for ever, off the ground most of the time. The walk of each
/// tick slid it up the edge, and the fall of each tick, faster than the last, moved it back to the floor.
#[test]
fn a_body_pressed_against_the_edge_of_a_step_goes_over_it_or_rests() {
    let mut cases = Vec::new();
    for (radius, axis) in [(0.35, 0.0), (0.1, 0.0), (0.6, 0.0), (0.3, 1.1)] {
        for (speed, acceleration) in [
            (0.25, 40.0),
            (1.0, 1e12),
            (4.0, 40.0),
            (4.0, 1e12),
            (7.0, 70.0),
        ] {
            for angle in [0.0, 20.0, 40.0, 60.0, 80.0] {
                for hundredths in (50..=100).step_by(2) {
                    cases.push(Press {
                        radius,
                        axis,
                        step_settings: StepSettings::OFF,
                        height: f64::from(hundredths) * 0.01,
                        angle,
                        speed,
                        acceleration,
                    });
                }
            }
        }
    }
    for_all(cases, press);
}

#[test]
fn a_body_with_step_settings_that_is_pressed_against_a_step_goes_over_it_or_rests() {
    let mut cases = Vec::new();
    let steps_alone = StepSettings {
        step_height: 0.2,
        ..StepSettings::OFF
    };
    let slopes_alone = StepSettings {
        max_slope_cos: 0.64,
        ..StepSettings::OFF
    };
    for step_settings in [walker(0.35, 0.2).step_settings, steps_alone, slopes_alone] {
        for (radius, axis) in [(0.35, 0.0), (0.35, 1.1)] {
            for speed in [0.25, 4.0] {
                for angle in [0.0, 45.0, 80.0] {
                    for hundredths in (50..=100).step_by(5) {
                        cases.push(Press {
                            radius,
                            axis,
                            step_settings,
                            height: f64::from(hundredths) * 0.01,
                            angle,
                            speed,
                            acceleration: 40.0,
                        });
                    }
                }
            }
        }
    }
    for_all(cases, press);
}

/// For a body that walks straight at the step, speed does not decide whether it climbs the step.
#[test]
fn a_sphere_rolls_over_steps_of_three_quarters_of_its_radius_at_any_speed() {
    let mut cases = Vec::new();
    for speed in [0.5, 1.0, 4.0, 10.0, 30.0] {
        for (height, climbs) in [(0.5, true), (0.74, true), (0.76, false), (0.95, false)] {
            cases.push((speed, height, climbs));
        }
    }
    for_all(cases, |&(speed, height, climbs)| {
        let rho = rho(0.35);
        let mut triangles = ground(90.0);
        triangles.extend(block([-80.0, -0.5, 0.0], [80.0, height * rho, 80.0]));
        let stage = Stage::of(&stage(&triangles));
        let mut actor = Actor::new(&stage, body(0.35, 9.81), "stage", v(0.0, rho, -1.0));
        actor.hold(v(0.0, 0.0, speed), ((2.0 / speed + 4.0) * 60.0) as usize);
        assert_eq!(actor.centre().z > 0.0, climbs, "{}", actor.centre());
    });
}

/// In a notch between an edge and a wall the body also rests, and it can leave the notch.
#[test]
fn a_body_pressed_into_a_gap_between_an_edge_and_a_wall_rests_there() {
    let mut cases = Vec::new();
    for (height, gap) in [(0.2, 0.1), (0.2, 0.3), (0.3, 0.2), (0.34, 0.4)] {
        for speed in [0.5, 4.0] {
            cases.push((height, gap, speed));
        }
    }
    for_all(cases, |&(height, gap, speed)| {
        let mut triangles = ground(90.0);
        triangles.extend(block([-80.0, -0.5, 0.0], [80.0, height, 0.5]));
        triangles.extend(block([-80.0, -0.5, 0.5 + gap], [80.0, 3.0, 80.0]));
        let stage = Stage::of(&stage(&triangles));
        let mut actor = Actor::new(&stage, body(0.35, 9.81), "stage", v(0.0, rho(0.35), -1.0));
        for (wish, ticks) in [(speed, 600), (-speed, 300), (speed, 900)] {
            let wish = v(0.0, 0.0, wish);
            actor.hold(wish, ticks);
            if wish.z > 0.0 {
                actor.assert_still(wish);
                assert!(actor.state.grounded);
            } else {
                assert!(actor.centre().z < -1.0, "{}", actor.centre());
            }
        }
    });
}
