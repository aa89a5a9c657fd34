//! Bodies on lifts, turntables, screws and conveyors, each at many speeds.

use glam::{DQuat, DVec3};
use opendoor::level::{Cycle, Drive, Track, TrackKey};
use opendoor::motion::Body;

use crate::actor::{Stage, body, rho};
use crate::rides::{Corner, Ride, Way, hall};
use crate::runs::for_all;
use crate::shapes::v;

/// The plate below the bodies. Its top is at half a metre.
const PLATE: [[Corner; 2]; 1] = [[[-3.0, 0.0, -3.0], [3.0, 0.5, 3.0]]];
/// The position of the bodies' feet on the plate.
const PLACE: DVec3 = DVec3::new(1.5, 0.5, -0.5);

/// Two spheres without step settings, and a capsule with them.
pub(crate) fn bodies() -> [Body; 3] {
    [body(0.3, 9.81), body(0.05, 9.81), opendoor::game::PLAYER]
}

/// The result of a body that rests without a wish.
#[derive(Debug)]
pub(crate) struct Rest {
    /// Greatest distance from the body's first position on the mover, metres.
    pub(crate) drift: f64,
    pub(crate) airborne: u32,
    pub(crate) least_gap: f64,
}

/// Lets a body rest on a plate.
pub(crate) fn rest(body: Body, way: &Way, ticks: u32) -> Rest {
    let stage = Stage::of(&hall(&[], &PLATE, way));
    let mut ride = Ride::rested(&stage, body, PLACE);
    let place = ride.on_mover();
    let (mut drift, mut airborne) = (0.0_f64, 0);
    for _ in 0..ticks {
        ride.tick(DVec3::ZERO, false);
        drift = drift.max(ride.on_mover().distance(place));
        airborne += u32::from(!ride.state().grounded);
    }
    assert_eq!(ride.blocked(), 0);
    Rest {
        drift,
        airborne,
        least_gap: ride.least_gap,
    }
}

/// A screw motion that rises, and returns.
pub(crate) fn screw(ticks: u32) -> Way {
    let key = |i: u32| {
        let part = f64::from(i) / 4.0;
        TrackKey {
            part,
            pivot: DVec3::ZERO,
            offset: DVec3::Y * (12.0 * part),
            rotation: DQuat::from_rotation_y(6.0 * part),
        }
    };
    Way::shuttle(Track::Keys((0..=4).map(key).collect()), ticks)
}

fn assert_rests(way: &Way) {
    for body in bodies() {
        let rest = rest(body, way, 500);
        let holds = rest.drift < 1e-9 && rest.airborne == 0 && rest.least_gap > 0.0;
        assert!(holds, "{} {rest:?}", body.radius);
    }
}

#[test]
fn e1_a_body_at_rest_on_a_lift_is_never_behind_it() {
    let ways = [v(0.0, 12.0, 0.0), v(12.0, 0.0, 0.0), v(7.0, 5.0, -9.0)];
    let speeds = [0.1, 1.0, 10.0, 60.0];
    let cases = ways.into_iter().flat_map(|by| speeds.map(|s| (by, s)));
    for_all(cases, |&(by, speed)| assert_rests(&Way::slide(by, speed)));
}

#[test]
fn e2_a_body_at_rest_on_a_turntable_turns_with_it() {
    for_all([0.1, 0.5, 5.0, 20.0], |&speed| {
        assert_rests(&Way::turntable(speed));
    });
}

#[test]
fn e3_a_body_at_rest_on_a_screw_turns_and_rises_with_it() {
    for_all([720, 72, 12], |&ticks| assert_rests(&screw(ticks)));
}

/// The difference between the horizontal velocity of a body that jumped off a sideways moving lift and the lift's
/// velocity, m/s.
pub(crate) fn jump_off(body: Body, speed: f64) -> f64 {
    let way = Way::slide(v(speed * 2.0, 0.0, 0.0), speed);
    let stage = Stage::of(&hall(&[], &PLATE, &way));
    let mut ride = Ride::rested(&stage, body, PLACE);
    ride.ticks(30);
    ride.tick(DVec3::ZERO, true);
    let before = ride.centre();
    ride.ticks(20);
    assert!(!ride.state().grounded && ride.least_gap > 0.0);
    let velocity = (ride.centre() - before) * 3.0;
    velocity.with_y(0.0).distance(v(speed, 0.0, 0.0))
}

#[test]
fn e4_a_body_that_jumps_off_a_lift_keeps_its_velocity() {
    for_all([0.5, 1.0, 10.0, 30.0], |&speed| {
        for body in bodies() {
            let off = jump_off(body, speed);
            assert!(off < 1e-9, "{} {off:e}", body.radius);
        }
    });
}

/// The height of a jump above the starting position on a lift, metres; the lift rises at this speed, or descends if it
/// is negative.
pub(crate) fn jump_on(body: Body, speed: f64) -> f64 {
    let low = if speed < 0.0 { 40.0 } else { 0.0 };
    let way = Way::slide(v(0.0, 35.0 * speed.signum(), 0.0), speed.abs());
    let plate = PLATE.map(|ends| ends.map(|[x, y, z]| [x, y + low, z]));
    let stage = Stage::of(&hall(&[], &plate, &way));
    let mut ride = Ride::rested(&stage, body, PLACE + DVec3::Y * low);
    ride.ticks(10);
    let place = ride.on_mover().y;
    ride.tick(DVec3::ZERO, true);
    assert!(!ride.state().grounded, "it did not lift off");
    let mut highest: f64 = 0.0;
    for _ in 0..60 {
        ride.tick(DVec3::ZERO, false);
        highest = highest.max(ride.on_mover().y - place);
    }
    assert!(ride.least_gap > 0.0, "{:e}", ride.least_gap);
    highest
}

#[test]
fn e5_a_jump_on_a_lift_that_rises_or_goes_down_is_a_jump_on_the_ground() {
    // Includes lifts that rise faster than a jump, which could push a jumping body once more.
    let speeds = [-20.0, -10.0, -4.0, -1.0, -0.1, 0.1, 1.0, 4.0, 10.0, 20.0];
    for_all(speeds, |&speed| {
        for body in bodies() {
            let high = jump_on(body, speed);
            let off = (high - body.jump_height).abs();
            assert!(off < 1e-2, "{} {high}", body.radius);
        }
    });
}

/// The difference between the velocity of a body on a conveyor and the conveyor's, m/s, once friction has accelerated
/// the body; and the distance, metres, that a body at a wall on the conveyor moves in a second.
pub(crate) fn conveyed(body: Body, speed: f64) -> [f64; 2] {
    let long = [[[-40.0, 0.0, -3.0], [40.0, 0.5, 3.0]]];
    let way = Way {
        track: Track::Slide(DVec3::Y),
        drive: Drive {
            surface_velocity: v(speed, 0.0, 0.0),
            ..Drive::default()
        },
    };
    let wall = [[[30.0, 0.0, -3.0], [31.0, 3.0, 3.0]]];
    let stage = Stage::of(&hall(&wall, &long, &way));
    let mut ride = Ride::rested(&stage, body, v(-35.0, 0.5, 0.2));
    ride.ticks((60.0 * speed / (0.6 * body.gravity)) as u32);
    let before = ride.centre();
    ride.ticks(60);
    let off = (ride.centre() - before).distance(v(speed, 0.0, 0.0));
    ride.ticks((60.0 * 65.0 / speed) as u32);
    let before = ride.centre();
    ride.ticks(60);
    assert!(ride.least_gap > 0.0 && ride.state().grounded);
    assert!((ride.centre().x - 30.0 + rho(body.radius)).abs() < 1e-6);
    [off, ride.centre().distance(before)]
}

#[test]
fn e10_a_conveyor_carries_a_body_up_to_a_wall() {
    for_all([0.2, 1.0, 5.0, 10.0], |&speed| {
        for body in bodies() {
            let [off, moves] = conveyed(body, speed);
            let holds = off < 1e-9 && moves < 1e-6;
            assert!(holds, "{} {off:e} {moves:e}", body.radius);
        }
    });
}

/// The greatest distance between a walk on a lift that moves sideways and up and the same walk on the ground, metres.
/// The walk jumps every second and a half if `jumps`, and otherwise goes along a post.
pub(crate) fn walk_apart(body: Body, speed: f64, jumps: bool) -> f64 {
    let large = [[-6.0, 0.0, -6.0], [6.0, 0.5, 6.0]];
    let post = [[1.0, 0.5, -1.0], [1.5, 3.0, 1.0]];
    let parts = if jumps {
        vec![large]
    } else {
        vec![large, post]
    };
    let by = v(0.6, 0.8, 0.0) * (8.0 * speed);
    let walk = |cycle: Cycle| {
        let way = Way::slide(by, speed).that(cycle);
        let stage = Stage::of(&hall(&[], &parts, &way));
        let mut ride = Ride::rested(&stage, body, v(-1.0, 0.5, 0.3));
        // A jump takes its velocity from a whole tick of the lift.
        ride.ticks(2);
        let legs = [
            v(3.0, 0.0, 0.5),
            v(-1.0, 0.0, 2.0),
            v(0.0, 0.0, -3.0),
            v(-2.0, 0.0, 0.0),
        ];
        let mut track = Vec::new();
        for tick in 0..440 {
            ride.tick(legs[tick / 40 % 4], jumps && tick % 90 == 20);
            track.push(ride.on_mover());
        }
        assert!(ride.least_gap > 0.0, "{:e}", ride.least_gap);
        track
    };
    let [still, moved] = [Cycle::Call, Cycle::Shuttle].map(walk);
    let apart = still.iter().zip(&moved).map(|(a, b)| a.distance(*b));
    apart.fold(0.0, f64::max)
}

#[test]
fn e13_a_walk_on_a_lift_is_the_walk_on_the_ground() {
    for_all([0.1, 1.0, 5.0], |&speed| {
        for body in bodies() {
            let apart = walk_apart(body, speed, false);
            assert!(apart < 1e-9, "{} {apart:e}", body.radius);
        }
    });
}

#[test]
fn e13_a_walk_with_jumps_on_a_lift_is_the_walk_on_the_ground() {
    for_all([0.1, 1.0, 5.0], |&speed| {
        for body in bodies() {
            let apart = walk_apart(body, speed, true);
            assert!(apart < 1e-9, "{} {apart:e}", body.radius);
        }
    });
}
