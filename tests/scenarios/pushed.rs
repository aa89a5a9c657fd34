//! Bodies in the path of plates, walls, doors and presses, each at many speeds.

use glam::DVec3;
use opendoor::level::{Cycle, Track, WhenBlocked};
use opendoor::motion::Body;

use crate::actor::{SKIN, Stage, rho};
use crate::carried::bodies;
use crate::rides::{Corner, MOVER, Ride, Way, hall};
use crate::runs::for_all;
use crate::shapes::v;

/// The height of a body over a plate's top, less its gap, after the plate has hit it from below, and the smallest gap
/// during the motion; both in metres. Before the plate starts, the body falls from 10 m for this number of ticks, or
/// stands on the floor.
pub(crate) fn risen(body: Body, (thickness, speed): (f64, f64), falls: Option<u32>) -> [f64; 2] {
    let way = Way::slide(v(0.0, 40.0, 0.0), speed).that(Cycle::Once);
    let plate = [[[-3.0, -1.0 - thickness, -3.0], [3.0, -1.0, 3.0]]];
    let stage = Stage::of(&hall(&[], &plate, &way));
    let start = v(0.4, if falls.is_some() { 10.0 } else { 0.0 }, -0.3);
    let mut ride = Ride::new(&stage, body, start);
    // A mover of this cycle rests until it is called.
    ride.ticks(falls.unwrap_or(30));
    ride.world.call(MOVER);
    ride.ticks(way.drive.ticks + 120);
    let over = ride.on_mover().y + 1.0 - rho(body.radius);
    [over, ride.least_gap]
}

#[test]
fn e6_no_body_falls_through_a_plate_that_rises_from_below() {
    let mut cases = Vec::new();
    for speed in [1.0, 10.0, 60.0, 100.0, 600.0] {
        for thickness in [0.001, 0.5] {
            for falls in [None, Some(1), Some(20), Some(47)] {
                cases.push((speed, thickness, falls));
            }
        }
    }
    for_all(cases, |&(speed, thickness, falls)| {
        for body in bodies() {
            // A mover faster than 380 m/s may pass a body of 5 cm.
            if body.radius < 0.1 && speed > 380.0 {
                continue;
            }
            let [over, gap] = risen(body, (thickness, speed), falls);
            let holds = over.abs() < 1e-3 && gap > 0.0;
            assert!(holds, "{}: {over} over it, gap {gap:e}", body.radius);
        }
    });
}

/// The smallest distance, less its gap, between a body and a wall that pushes it over open ground, and the smallest gap
/// during the motion; both in metres.
pub(crate) fn pushed(body: Body, thickness: f64, speed: f64) -> [f64; 2] {
    let wall = [[[-8.0 - thickness, 0.0, -3.0], [-8.0, 3.0, 3.0]]];
    let way = Way::slide(v(20.0, 0.0, 0.0), speed).that(Cycle::Once);
    let stage = Stage::of(&hall(&[], &wall, &way));
    let mut ride = Ride::rested(&stage, body, v(0.0, 0.0, 0.1));
    ride.world.call(MOVER);
    let mut before = f64::INFINITY;
    for _ in 0..way.drive.ticks {
        ride.tick(DVec3::ZERO, false);
        before = before.min(ride.on_mover().x + 8.0 - rho(body.radius));
    }
    assert_eq!(ride.blocked(), 0);
    [before, ride.least_gap]
}

#[test]
fn e7_a_wall_pushes_a_body_before_it_at_any_speed() {
    let speeds = [0.1, 1.0, 10.0, 100.0, 600.0];
    let cases = speeds.into_iter().flat_map(|s| [(s, 0.001), (s, 1.0)]);
    for_all(cases, |&(speed, thickness)| {
        for body in bodies() {
            if body.radius < 0.1 && speed > 380.0 {
                continue;
            }
            let [before, gap] = pushed(body, thickness, speed);
            let holds = before > -SKIN * body.radius && gap > 0.0;
            assert!(holds, "{}: {before} before it, gap {gap:e}", body.radius);
        }
    });
}

/// The result of a door that closes on a body in front of a wall, or of a press that closes on a body on the floor.
#[derive(Debug)]
pub(crate) struct Squeezed {
    /// Smallest distance of the door from the wall, or of the press from the floor, metres.
    pub(crate) nearest: f64,
    /// Number of times that the body blocked the mover.
    pub(crate) blocked: usize,
    pub(crate) crushed: bool,
    pub(crate) least_gap: f64,
    /// Motion of the mover in a tick, metres.
    a_tick: f64,
}

/// Closes a door on a body that stands in front of a wall.
pub(crate) fn shut_on(body: Body, speed: f64, when_blocked: WhenBlocked) -> Squeezed {
    let wall = [[[0.0, 0.0, -3.0], [1.0, 3.0, 3.0]]];
    let door = [[[-4.1, 0.0, -3.0], [-4.0, 3.0, 3.0]]];
    let way = Way::slide(v(4.0, 0.0, 0.0), speed);
    squeeze(
        body,
        (&wall, &door),
        &way.when_blocked(when_blocked),
        |ride| -ride.moved(v(-4.0, 0.0, 0.0)).x,
    )
}

/// Lowers a press onto a body.
pub(crate) fn press(body: Body, speed: f64, when_blocked: WhenBlocked) -> Squeezed {
    let press = [[[-4.0, 4.0, -3.0], [2.0, 5.0, 3.0]]];
    let way = Way::slide(v(0.0, -4.0, 0.0), speed);
    squeeze(
        body,
        (&[], &press),
        &way.when_blocked(when_blocked),
        |ride| ride.moved(v(0.0, 4.0, 0.0)).y,
    )
}

fn squeeze(
    body: Body,
    (fixed, moving): (&[[Corner; 2]], &[[Corner; 2]]),
    way: &Way,
    nearest: impl Fn(&Ride) -> f64,
) -> Squeezed {
    let stage = Stage::of(&hall(fixed, moving, way));
    let mut ride = Ride::rested(&stage, body, v(-1.0, 0.0, 0.1));
    let mut squeezed = Squeezed {
        nearest: f64::INFINITY,
        blocked: 0,
        crushed: false,
        least_gap: 0.0,
        a_tick: 4.0 / f64::from(way.drive.ticks),
    };
    for _ in 0..way.drive.ticks + 60 {
        ride.tick(DVec3::ZERO, false);
        squeezed.nearest = squeezed.nearest.min(nearest(&ride));
        squeezed.crushed |= ride.is_crushed();
    }
    squeezed.blocked = ride.blocked();
    squeezed.least_gap = ride.least_gap;
    squeezed
}

#[test]
fn e8_a_door_that_shuts_on_a_body_before_a_wall_waits() {
    for_all([0.1, 1.0, 10.0, 100.0], |&speed| {
        for body in bodies() {
            let at = shut_on(body, speed, WhenBlocked::Wait);
            let room = at.nearest - 2.0 * body.radius;
            let waits = room > 0.0 && room < at.a_tick + 0.02 && at.blocked == 1;
            let holds = waits && !at.crushed && at.least_gap > 0.0;
            assert!(holds, "{} {at:?}", body.radius);
        }
    });
}

#[test]
fn e9_a_press_crushes_and_does_not_go_on_or_waits_or_goes_back() {
    use WhenBlocked::{Crush, Reverse, Wait};
    let speeds = [0.1, 1.0, 10.0, 100.0];
    let cases = speeds
        .into_iter()
        .flat_map(|s| [Crush, Wait, Reverse].map(|when| (s, when)));
    for_all(cases, |&(speed, when_blocked)| {
        for body in bodies() {
            let at = press(body, speed, when_blocked);
            let high = 2.0 * body.radius + body.segment_length;
            let room = at.nearest - high;
            let waits = room > 0.0 && room < at.a_tick + 0.02 && at.blocked > 0;
            let holds = waits && at.least_gap > 0.0 && at.crushed == (when_blocked == Crush);
            assert!(holds, "{} {at:?}", body.radius);
        }
    });
}

/// The smallest distance, less its gap, between a body and a door panel that swings into it, and the smallest gap
/// during the motion; both in metres.
pub(crate) fn swung_into(body: Body, along: f64, ticks: u32) -> [f64; 2] {
    let leaf = [[[0.0, 0.0, -0.02], [1.0, 2.0, 0.02]]];
    let turn = Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::Y,
        angle: 1.5,
    };
    let way = Way::shuttle(turn, ticks).that(Cycle::Once);
    let stage = Stage::of(&hall(&[], &leaf, &way));
    let start = v(along, 0.0, -0.1 - rho(body.radius));
    let mut ride = Ride::rested(&stage, body, start);
    ride.world.call(MOVER);
    let mut before = f64::INFINITY;
    for _ in 0..ticks {
        ride.tick(DVec3::ZERO, false);
        let on = ride.on_mover();
        // Past the edge of the panel the body may be beside it.
        if on.x < 1.0 {
            before = before.min(-0.02 - on.z - rho(body.radius));
        }
    }
    assert_eq!(ride.blocked(), 0);
    [before, ride.least_gap]
}

#[test]
fn e11_a_door_panel_pushes_a_body_in_its_way_and_passes_none() {
    let cases = [180, 90, 9, 3, 1];
    let cases = cases
        .into_iter()
        .flat_map(|ticks| [0.3, 0.6, 0.9].map(|along| (ticks, along)));
    for_all(cases, |&(ticks, along)| {
        for body in bodies() {
            let [before, gap] = swung_into(body, along, ticks);
            let holds = before > -SKIN * body.radius && gap > 0.0;
            assert!(holds, "{}: {before} before it, gap {gap:e}", body.radius);
        }
    });
}
