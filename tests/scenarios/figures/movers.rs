//! Movers.

use glam::DVec3;
use opendoor::collision::CollisionWorld;
use opendoor::level::{At, AuthorPoint, Cycle, Drive, Track, WhenBlocked};
use opendoor::motion::{Actor, MoveCommand, State, Workspace, move_movers, tick};
use opendoor::world::World;

use super::R;
use crate::actor::{body, rho};
use crate::carried::{Rest, conveyed, jump_off, jump_on, rest, screw, walk_apart};
use crate::lift::{RISE, drive, lift};
use crate::page::Figure;
use crate::pushed::{press, pushed, risen, shut_on, swung_into};
use crate::rides::Way;
use crate::shapes::v;
use crate::shared::built;

pub(super) fn figures() -> Vec<Figure> {
    vec![
        ("E1", on_lifts()),
        ("E2", on_turntables()),
        ("E3", on_screws()),
        ("E4", jumping_off()),
        ("E5", jumping_on()),
        ("E6", from_below()),
        ("E7", before_walls()),
        ("E8", behind_doors()),
        ("E9", under_presses()),
        ("E10", on_conveyors()),
        ("E11", before_leaves()),
        ("E12", in_cabins()),
        ("E13", walking()),
    ]
}

/// The results of several speeds in one cell.
fn each(speeds: &[f64], unit: &str, figure: impl Fn(f64) -> String) -> String {
    let parts = speeds
        .iter()
        .map(|&speed| format!("{speed} {unit}: {}", figure(speed)));
    parts.collect::<Vec<_>>().join("; ")
}

/// The result of a body that rests for a thousand ticks.
fn rests(way: &Way) -> String {
    let Rest {
        drift,
        airborne,
        least_gap,
    } = rest(body(R, 9.81), way, 1000);
    assert!(least_gap > 0.0);
    format!("{drift:.0e} m, airborne {airborne}")
}

fn on_lifts() -> String {
    let of = |by| each(&[1.0, 10.0, 60.0], "m/s", |s| rests(&Way::slide(by, s)));
    let [up, sideways] = [v(0.0, 12.0, 0.0), v(12.0, 0.0, 0.0)].map(of);
    format!("up {up}; sideways {sideways}")
}

fn on_turntables() -> String {
    each(&[0.5, 5.0, 20.0], "rad/s", |s| rests(&Way::turntable(s)))
}

fn on_screws() -> String {
    each(&[1.0, 10.0], "m/s", |s| {
        rests(&screw((12.0 * 60.0 / s) as u32))
    })
}

fn jumping_off() -> String {
    each(&[1.0, 10.0, 30.0], "m/s", |s| {
        format!("{:.0e} m/s off", jump_off(body(R, 9.81), s))
    })
}

fn jumping_on() -> String {
    each(&[-10.0, -4.0, -1.0, 1.0, 4.0, 10.0], "m/s", |s| {
        format!("{:.3} m", jump_on(body(R, 9.81), s))
    })
}

fn from_below() -> String {
    each(&[1.0, 10.0, 60.0, 100.0, 600.0], "m/s", |speed| {
        let (mut fell, mut count, mut least) = (0, 0, f64::INFINITY);
        for thickness in [0.001, 0.5] {
            for falls in [None, Some(1), Some(20), Some(47)] {
                let [over, gap] = risen(body(R, 9.81), (thickness, speed), falls);
                fell += u32::from(over < -0.5 * rho(R));
                count += 1;
                least = f64::min(least, gap);
            }
        }
        format!("{fell} of {count}, gap ≥ {least:.4}")
    })
}

fn before_walls() -> String {
    each(&[1.0, 10.0, 100.0, 600.0], "m/s", |speed| {
        let runs = [0.001, 1.0].map(|thickness| pushed(body(R, 9.81), thickness, speed));
        let ahead = runs.iter().all(|[before, _]| *before > -0.5 * R);
        let gap = runs.iter().fold(f64::INFINITY, |least, r| least.min(r[1]));
        let what = if ahead { "ahead" } else { "passed" };
        format!("{what}, gap ≥ {gap:.4}")
    })
}

fn behind_doors() -> String {
    let at = shut_on(body(R, 9.81), 1.0, WhenBlocked::Wait);
    format!(
        "the door waits {:.3} m before the wall, events: {}; gap ≥ {:.4}",
        at.nearest, at.blocked, at.least_gap
    )
}

fn under_presses() -> String {
    let at = press(body(R, 9.81), 1.0, WhenBlocked::Crush);
    format!(
        "crushed: {}; the press stops {:.3} m over the floor; gap ≥ {:.4}",
        at.crushed, at.nearest, at.least_gap
    )
}

fn on_conveyors() -> String {
    each(&[1.0, 5.0, 10.0], "m/s", |s| {
        let [off, moves] = conveyed(body(R, 9.81), s);
        format!("{off:.0e} m/s off, at a wall moves {moves:.0e} m")
    })
}

fn before_leaves() -> String {
    each(&[90.0, 9.0, 3.0, 1.0], "ticks", |ticks| {
        let runs = [0.3, 0.6, 0.9].map(|along| swung_into(body(R, 9.81), along, ticks as u32));
        let passed = runs.iter().filter(|[before, _]| *before < -0.5 * R);
        let passed = passed.count();
        let gap = runs.iter().fold(f64::INFINITY, |least, r| least.min(r[1]));
        format!("passes {passed} of {}, gap ≥ {gap:.4}", runs.len())
    })
}

/// The number of ticks after which the state of a body that rests in a cabin has changed in any bit.
fn in_cabins() -> String {
    let turn = Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::Y,
        angle: 40.0,
    };
    let up = || Track::Slide(DVec3::Y * RISE);
    let ways = [(up(), drive(120)), (up(), drive(3)), (turn, drive(100))];
    let (mut differ, mut ticks) = (0, 0);
    for (track, drive) in ways {
        let cycle = Cycle::Shuttle;
        let level = built(lift((track, Drive { cycle, ..drive })));
        let cabin = level.room_named("cabin").expect("a cabin");
        let feet = v(0.3, rho(R), 0.0);
        let at = At::new(cabin, level.from_author(AuthorPoint(feet)));
        let mut world = World::of(&level);
        let mut actors = [Actor::new(body(R, 9.81), State::at_rest(at))];
        let (mut workspace, mut events) = (Workspace::default(), Vec::new());
        let mut rest = None;
        for now in 0..1030 {
            move_movers(&level, &mut world, &mut actors, &mut workspace, &mut events);
            let collision = CollisionWorld::new(&level, &world);
            let [actor] = &mut actors;
            tick(&collision, actor, &mut workspace, &MoveCommand::default());
            if now >= 30 {
                differ += u32::from(*rest.get_or_insert(actor.state) != actor.state);
                ticks += 1;
            }
        }
        assert!(!events.is_empty(), "it does not move");
    }
    format!("of {ticks} ticks {differ} differ")
}

fn walking() -> String {
    let of = |jumps| {
        each(&[0.1, 1.0, 5.0], "m/s", |s| {
            let apart = walk_apart(body(R, 9.81), s, jumps);
            if apart < 1e-3 {
                format!("{apart:.0e} m apart")
            } else {
                format!("{apart:.3} m")
            }
        })
    };
    format!("{}; with five jumps {}", of(false), of(true))
}
