//! Rapier's character among moving bodies: the numbers of section E of `docs/scenarios.md`.
//!
//! The scenes are those of `tests/scenarios/carried.rs` and `pushed.rs`, with cuboids for boxes, and the movers have
//! the same poses in the same ticks. As in rapier's own tests a tick moves the kinematic body with a step of the
//! pipeline, then the character with `move_shape`. Gravity, jumps and the speed of a fall are the caller's
//! responsibility; here they are integrated as in `benches/peers/rapier.rs`.
#![expect(clippy::print_stdout, reason = "figures for people")]

mod ride;

use glam::{DMat3, DQuat, DVec3, dvec3 as v};
use opendoor::geometry::Rigid;
use opendoor::level::{Track, TrackKey};
use opendoor::motion::TICK_SECS;
use rapier3d::prelude::{Pose, RigidBodyType};

use ride::{Corners, End, RHO, Ride, vector};

fn main() {
    // `cargo test --all-targets` also starts benches, without this argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    for snaps in [true, false] {
        println!("\nsnap to the ground: {snaps}");
        rests(snaps);
        jumps(snaps);
        comes_from_below(snaps);
        pushes(snaps);
        squeezes(snaps);
        conveys(snaps);
        swings(snaps);
        walks(snaps);
    }
}

fn slide(by: DVec3, speed: f64) -> (Track, u32) {
    let ticks = (by.length() / speed / TICK_SECS).round().max(1.0);
    (Track::Slide(by), ticks as u32)
}

fn turn(angle: f64) -> Track {
    Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::Y,
        angle,
    }
}

const PLATE: [Corners; 1] = [[[-3.0, 0.0, -3.0], [3.0, 0.5, 3.0]]];
const PLACE: DVec3 = DVec3::new(1.5, 0.5, -0.5);

/// Scenarios E1 to E3.
fn rests(snaps: bool) {
    let mut ways = Vec::new();
    for speed in [1.0, 10.0, 60.0] {
        let (track, ticks) = slide(v(0.0, 12.0, 0.0), speed);
        ways.push((format!("E1 up, {speed} m/s"), track, ticks, End::Shuttle));
        let (track, ticks) = slide(v(12.0, 0.0, 0.0), speed);
        ways.push((
            format!("E1 sideways, {speed} m/s"),
            track,
            ticks,
            End::Shuttle,
        ));
    }
    for speed in [0.5, 5.0, 20.0] {
        let ticks = (std::f64::consts::TAU / speed / TICK_SECS).round() as u32;
        let round = turn(std::f64::consts::TAU);
        ways.push((format!("E2 {speed} rad/s"), round, ticks, End::Loop));
    }
    for ticks in [720, 72] {
        let key = |i: u32| {
            let part = f64::from(i) / 4.0;
            TrackKey {
                part,
                pivot: DVec3::ZERO,
                offset: DVec3::Y * (12.0 * part),
                rotation: DQuat::from_mat3(&DMat3::from_rotation_y(6.0 * part)),
            }
        };
        let screw = Track::Keys((0..=4).map(key).collect());
        ways.push((format!("E3 {ticks} ticks"), screw, ticks, End::Shuttle));
    }
    for (name, track, ticks, end) in ways {
        let mut ride = Ride::new(snaps, &[], &PLATE, (&track, ticks, end), PLACE);
        let place = ride.on_mover();
        let (mut drift, mut airborne) = (0.0_f64, 0);
        for _ in 0..1000 {
            ride.tick(DVec3::ZERO, false);
            drift = drift.max(ride.on_mover().distance(place));
            airborne += u32::from(!ride.grounded);
        }
        let gap = ride.least_gap;
        println!("{name}: drifts {drift:.4} m, airborne {airborne} of 1000, gap {gap:.4}");
    }
}

/// Scenarios E4 and E5.
fn jumps(snaps: bool) {
    for speed in [1.0, 10.0, 30.0] {
        let (track, ticks) = slide(v(speed * 2.0, 0.0, 0.0), speed);
        let mut ride = Ride::new(snaps, &[], &PLATE, (&track, ticks, End::Shuttle), PLACE);
        (0..30).for_each(|_| ride.tick(DVec3::ZERO, false));
        ride.tick(DVec3::ZERO, true);
        let before = ride.centre;
        (0..20).for_each(|_| ride.tick(DVec3::ZERO, false));
        let velocity = (ride.centre - before) * 3.0;
        let off = velocity.with_y(0.0).distance(v(speed, 0.0, 0.0));
        println!("E4 {speed} m/s: {off:.4} m/s off");
    }
    for speed in [-10.0_f64, -4.0, -1.0, 1.0, 4.0, 10.0] {
        let low = if speed < 0.0 { 40.0 } else { 0.0 };
        let plate = PLATE.map(|ends| ends.map(|[x, y, z]| [x, y + low, z]));
        let (track, ticks) = slide(v(0.0, 35.0 * speed.signum(), 0.0), speed.abs());
        let start = PLACE + DVec3::Y * low;
        let mut ride = Ride::new(snaps, &[], &plate, (&track, ticks, End::Shuttle), start);
        (0..10).for_each(|_| ride.tick(DVec3::ZERO, false));
        let (place, grounded) = (ride.on_mover().y, ride.grounded);
        ride.tick(DVec3::ZERO, true);
        let mut highest = 0.0_f64;
        for _ in 0..60 {
            ride.tick(DVec3::ZERO, false);
            highest = highest.max(ride.on_mover().y - place);
        }
        println!("E5 {speed} m/s: {highest:.3} m up; was grounded: {grounded}");
    }
}

/// Scenario E6.
fn comes_from_below(snaps: bool) {
    for speed in [1.0, 10.0, 60.0, 100.0, 600.0] {
        let (mut fell, mut count, mut least) = (0, 0, f64::INFINITY);
        for thickness in [0.001, 0.5] {
            for falls in [None, Some(1), Some(20), Some(47)] {
                let plate = [[[-3.0, -1.0 - thickness, -3.0], [3.0, -1.0, 3.0]]];
                let (track, ticks) = slide(v(0.0, 40.0, 0.0), speed);
                let start = v(0.4, 0.0, -0.3);
                let mut ride = Ride::new(snaps, &[], &plate, (&track, ticks, End::Rest), start);
                if let Some(falls) = falls {
                    ride.centre.y += 10.0;
                    (0..falls).for_each(|_| ride.tick_at(Rigid::IDENTITY, DVec3::ZERO, false));
                }
                (0..ticks + 120).for_each(|_| ride.tick(DVec3::ZERO, false));
                fell += u32::from(ride.on_mover().y < -1.0);
                count += 1;
                least = least.min(ride.least_gap);
            }
        }
        println!("E6 {speed} m/s: {fell} of {count} fall through, gap {least:.4}");
    }
}

/// Scenario E7.
fn pushes(snaps: bool) {
    for speed in [1.0, 10.0, 100.0, 600.0] {
        for thickness in [0.001, 1.0] {
            let wall = [[[-8.0 - thickness, 0.0, -3.0], [-8.0, 3.0, 3.0]]];
            let (track, ticks) = slide(v(20.0, 0.0, 0.0), speed);
            let start = v(0.0, 0.0, 0.1);
            let mut ride = Ride::new(snaps, &[], &wall, (&track, ticks, End::Rest), start);
            (0..ticks).for_each(|_| ride.tick(DVec3::ZERO, false));
            let before = ride.on_mover().x + 8.0;
            let gap = ride.least_gap;
            println!("E7 {speed} m/s, {thickness} m: ends {before:.3} before it, gap {gap:.4}");
        }
    }
}

/// Scenarios E8 and E9: the mover does not wait, unless the caller makes it wait.
fn squeezes(snaps: bool) {
    let wall = [[[0.0, 0.0, -3.0], [1.0, 3.0, 3.0]]];
    let door = [[[-4.1, 0.0, -3.0], [-4.0, 3.0, 3.0]]];
    let press = [[[-4.0, 4.0, -3.0], [2.0, 5.0, 3.0]]];
    for (name, fixed, moving, by) in [
        ("E8", &wall[..], door, v(4.0, 0.0, 0.0)),
        ("E9", &[], press, v(0.0, -4.0, 0.0)),
    ] {
        let (track, ticks) = slide(by, 1.0);
        let start = v(-1.0, 0.0, 0.1);
        let mut ride = Ride::new(snaps, fixed, &moving, (&track, ticks, End::Rest), start);
        (0..ticks).for_each(|_| ride.tick(DVec3::ZERO, false));
        let (end, gap) = (ride.centre, ride.least_gap);
        println!("{name} 1 m/s: ends at {end:.3}, gap {gap:.4}");
    }
}

/// Scenario E10: a kinematic body with a velocity, whose position is reset after every step.
fn conveys(snaps: bool) {
    for speed in [1.0, 5.0, 10.0] {
        let long = [[[-40.0, 0.0, -3.0], [40.0, 0.5, 3.0]]];
        let wall = [[[30.0, 0.0, -3.0], [31.0, 3.0, 3.0]]];
        let still = Track::Slide(DVec3::Y);
        let start = v(-35.0, 0.5, 0.2);
        let mut ride = Ride::new(snaps, &wall, &long, (&still, 1, End::Rest), start);
        let body = &mut ride.bodies[ride.mover];
        body.set_body_type(RigidBodyType::KinematicVelocityBased, true);
        // The distance covered in the second that begins after `ticks` ticks.
        let mut second_after = |ticks: u32| {
            let mut before = ride.centre;
            for tick in 0..ticks + 60 {
                if tick == ticks {
                    before = ride.centre;
                }
                let body = &mut ride.bodies[ride.mover];
                body.set_linvel(vector(v(speed, 0.0, 0.0)), true);
                ride.step();
                ride.bodies[ride.mover].set_position(Pose::IDENTITY, true);
                let (bodies, colliders) = (&ride.bodies, &mut ride.colliders);
                bodies.propagate_modified_body_positions_to_colliders(colliders);
                ride.walk(DVec3::ZERO, false);
            }
            ride.centre - before
        };
        let off = second_after(60).distance(v(speed, 0.0, 0.0));
        let moves = second_after((60.0 * 65.0 / speed) as u32).length();
        let (x, gap) = (ride.centre.x, ride.least_gap);
        println!("E10 {speed} m/s: {off:.4} m/s off, at x {x:.3} moves {moves:.4} m, gap {gap:.4}");
    }
}

/// Scenario E11.
fn swings(snaps: bool) {
    for ticks in [90, 9, 3, 1] {
        for along in [0.3, 0.6, 0.9] {
            let leaf = [[[0.0, 0.0, -0.02], [1.0, 2.0, 0.02]]];
            let start = v(along, 0.0, -0.1 - RHO);
            let way = turn(1.5);
            let mut ride = Ride::new(snaps, &[], &leaf, (&way, ticks, End::Rest), start);
            (0..ticks).for_each(|_| ride.tick(DVec3::ZERO, false));
            let (on, gap) = (ride.on_mover(), ride.least_gap);
            println!("E11 {ticks} ticks, at {along} m: ends at {on:.3}, gap {gap:.4}");
        }
    }
}

/// Scenario E13.
fn walks(snaps: bool) {
    let large = [[-6.0, 0.0, -6.0], [6.0, 0.5, 6.0]];
    let post = [[1.0, 0.5, -1.0], [1.5, 3.0, 1.0]];
    let legs = [
        v(3.0, 0.0, 0.5),
        v(-1.0, 0.0, 2.0),
        v(0.0, 0.0, -3.0),
        v(-2.0, 0.0, 0.0),
    ];
    for (speed, jumps) in [(1.0, false), (5.0, false), (1.0, true), (5.0, true)] {
        let parts = if jumps {
            vec![large]
        } else {
            vec![large, post]
        };
        let walk = |moves: bool| {
            let metres = if moves { 8.0 * speed } else { 0.0 };
            let (track, ticks) = slide(v(0.6, 0.8, 0.0) * metres, speed);
            let way = (&track, ticks, End::Shuttle);
            let mut ride = Ride::new(snaps, &[], &parts, way, v(-1.0, 0.5, 0.3));
            (0..2).for_each(|_| ride.tick(DVec3::ZERO, false));
            let tick = |tick: usize| {
                ride.tick(legs[tick / 40 % 4], jumps && tick % 90 == 20);
                ride.on_mover()
            };
            (0..440).map(tick).collect::<Vec<_>>()
        };
        let [still, moved] = [false, true].map(walk);
        let apart = still.iter().zip(&moved).map(|(a, b)| a.distance(*b));
        let apart = apart.fold(0.0, f64::max);
        println!("E13 {speed} m/s, with jumps: {jumps}: {apart:.4} m apart");
    }
}
