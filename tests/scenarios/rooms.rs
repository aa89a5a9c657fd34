//! Rooms joined by portals: the walk equals the walk among all triangles, without portals (brute force).

use std::f64::consts::PI;

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::source::LevelSource;

use crate::actor::{Actor, Stage, body, rho};
use crate::runs::{for_all, play};
use crate::shapes::{block, facing, heading, quad, v};

/// Rooms `a` (x < 0) and `b` with flush floors; the whole wall between them is open.
pub(crate) fn joint(length: f64, width: f64) -> LevelSource {
    let mut sketch = Sketch::new("joint");
    let opening = cuboid([0., 0., -width], [0., 9., width]);
    let a = sketch.box_room(
        "a",
        cuboid([-length, 0., -width], [0., 9., width]),
        &[opening],
    );
    sketch.box_room(
        "b",
        cuboid([0., 0., -width], [length, 9., width]),
        &[opening],
    );
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-1.0, 1.0, 0.0), DVec3::X);
    sketch.source
}

/// The polygons of a source in one room.
pub(crate) fn merged(source: &LevelSource) -> LevelSource {
    let mut source = source.clone();
    source.portals.clear();
    source.rooms.truncate(1);
    source.meshes.iter_mut().for_each(|mesh| mesh.room = 0);
    source
        .spawns
        .iter_mut()
        .for_each(|spawn| spawn.room = Some(0));
    source
}

/// Plays with portals, with all triangles and without portals (brute force), and with all polygons in one room.
pub(crate) fn play_in_all(
    source: &LevelSource,
    body: opendoor::motion::Body,
    start: (&str, DVec3),
    script: impl Fn(&mut Actor),
) {
    play(source, body, start, &script);
    let (in_rooms, in_one) = (Stage::of(source), merged(source));
    let in_one = Stage::of(&in_one);
    let mut actor = Actor::new(&in_rooms, body, start.0, start.1);
    let only = in_one.level.rooms[0].name.clone();
    let mut twin = Actor::new(&in_one, body, &only, start.1);
    script(&mut actor);
    script(&mut twin);
    let without_room = |track: &[[u64; 11]]| {
        track
            .iter()
            .map(|t| {
                [
                    t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], 0, t[10],
                ]
            })
            .collect::<Vec<_>>()
    };
    crate::runs::assert_same_track(
        &without_room(&actor.track),
        &without_room(&twin.track),
        "in one room",
    );
}

#[test]
fn c1_a_seam_of_two_rooms_is_not_felt_at_any_speed() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for step in [1e-3, 0.07, 1.0, 100.0] {
            for degrees in [0.0, 80.0, -45.0, 180.0] {
                for before in [0.5, 1.0, 0.0] {
                    cases.push((radius, step, degrees, before));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, step, degrees, before): &(f64, f64, f64, f64)| {
            let wish = heading(degrees) * (step * 60.0);
            let way = wish / 60.0;
            let forward = way.x > 0.0;
            // The start is the fraction `before` of a step away from the seam. A body exactly on the seam belongs to
            // its current room.
            let start = v(-2.0 * way.x - before * way.x, rho(radius), 0.0);
            let room = if forward { "a" } else { "b" };
            play_in_all(
                &joint(500.0, 500.0),
                body(radius, 9.81),
                (room, start),
                |actor| {
                    let mut changes = 0;
                    for i in 1..=4 {
                        let room = actor.state.at.room;
                        actor.tick(wish, false);
                        changes += usize::from(actor.state.at.room != room);
                        actor.assert_at(start + way * f64::from(i), 1e-9 * step.max(1.0));
                    }
                    let inner = actor.stage.level.rooms.len() == 1;
                    assert!(inner || changes == 1, "{changes} changes");
                },
            );
        },
    );
}

/// `count` rooms of `length` m in a row along x, 2 m wide, with a wall at the end.
pub(crate) fn chain(count: usize, length: f64) -> LevelSource {
    let mut sketch = Sketch::new("chain");
    let at = |i: usize| i as f64 * length;
    let opening = |i: usize| cuboid([at(i), 0., -1.], [at(i), 2., 1.]);
    for i in 0..count {
        let mut openings = Vec::new();
        openings.extend((i > 0).then(|| opening(i)));
        openings.extend((i + 1 < count).then(|| opening(i + 1)));
        let inside = cuboid([at(i), 0., -1.], [at(i + 1), 2., 1.]);
        let room = sketch.box_room(&format!("r{i:04}"), inside, &openings);
        if i + 1 < count {
            sketch.portal(room, &format!("r{:04}", i + 1), opening(i + 1), DVec3::X);
        }
    }
    sketch.spawn(0, v(0.5 * length, 1.0, 0.0), DVec3::X);
    sketch.source
}

/// Walks one step through `count` rooms of `length` metres, and back.
fn step_through(rooms: &[(usize, f64)]) {
    let mut cases = Vec::new();
    for &(count, length) in rooms {
        for part in [0.37, 0.93, 5.0] {
            for side in [0.0, 0.7, -2.0] {
                cases.push((count, length, part, side));
            }
        }
    }
    for_all(cases, |&(count, length, part, side)| {
        let radius = 0.3;
        let end = count as f64 * length;
        let start = v(rho(radius), rho(radius), 0.0);
        let wish = v(end * part * 60.0, 0.0, side * 60.0);
        let room_at = |x: f64| format!("r{:04}", (x / length) as usize);
        let source = chain(count, length);
        let first = room_at(start.x);
        play(&source, body(radius, 9.81), (&first, start), |actor| {
            for way in [wish, -wish, wish * 0.1, wish * 1e-3] {
                actor.tick(way, false);
                let x = actor.centre().x;
                assert_eq!(actor.room(), room_at(x), "at {x}");
            }
            actor.hold(wish, 3);
            if part >= 1.0 {
                let off = actor.centre().x - (end - rho(radius));
                assert!(off.abs() < 1e-6, "{off:.3e} m from the end");
            }
        });
    });
}

#[test]
fn c3_a_step_through_up_to_240_rooms_ends_in_the_right_one() {
    step_through(&[(50, 1.0), (50, 0.0625), (240, 0.25)]);
}

#[test]
fn c3_a_step_through_300_rooms_ends_in_the_right_one() {
    step_through(&[(300, 0.25), (600, 0.125)]);
}

#[test]
fn c3_a_wall_two_rooms_on_stops_the_body_before_it_enters_the_next() {
    let mut sketch = Sketch::new("thin");
    let openings = [0.0, 0.1].map(|x| cuboid([x, 0., -2.], [x, 4., 2.]));
    let a = sketch.box_room("a", cuboid([-9., 0., -2.], [0., 4., 2.]), &openings[..1]);
    let b = sketch.box_room("b", cuboid([0., 0., -2.], [0.1, 4., 2.]), &openings);
    sketch.box_room("c", cuboid([0.1, 0., -2.], [0.25, 4., 2.]), &openings[1..]);
    sketch.portal(a, "b", openings[0], DVec3::X);
    sketch.portal(b, "c", openings[1], DVec3::X);
    sketch.spawn(a, v(-5., 1., 0.), DVec3::X);
    for_all([0.05, 0.2, 0.3, 1.5], |&radius: &f64| {
        let start = v(-4.0, rho(radius), 0.1);
        play_in_all(&sketch.source, body(radius, 9.81), ("a", start), |actor| {
            for speed in [4.0, 1e3, 0.3, 7.0] {
                actor.hold(v(speed, 0.0, 0.0), (4.5 / speed * 60.0) as usize + 2);
                actor.assert_at(v(0.25 - rho(radius), rho(radius), 0.1), 1e-6);
                actor.assert_still(v(speed, 0.0, 0.0));
                actor.hold(v(-4.0, 0.0, 0.0), 60);
            }
        });
    });
}

#[test]
fn c7_a_slide_that_leaves_the_straight_way_meets_the_walls_of_the_room_it_leads_to() {
    let mut sketch = Sketch::new("elbow");
    let opening = cuboid([0., 0., 50.], [10., 5., 50.]);
    let a = sketch.box_room("a", cuboid([0., 0., 0.], [10., 5., 50.]), &[opening]);
    let b = sketch.box_room("b", cuboid([0., 0., 50.], [10., 5., 150.]), &[opening]);
    sketch.mesh(b, 0, &block([5.0, 0.0, 120.0], [10.0, 5.0, 121.0]));
    sketch.portal(a, "b", opening, DVec3::Z);
    sketch.spawn(a, v(5., 1., 5.), DVec3::X);
    for_all([0.05, 0.3, 2.0], |&radius: &f64| {
        let start = v(5.0, rho(radius), 5.0);
        play_in_all(&sketch.source, body(radius, 9.81), ("a", start), |actor| {
            actor.tick(v(10_000.0, 0.0, 9_000.0), false);
            actor.assert_at(
                v(10.0 - rho(radius), rho(radius), 120.0 - rho(radius)),
                1e-6,
            );
        });
    });
}

/// A hall whose end, a separate room, is a half circle that leads back.
pub(crate) fn bend() -> LevelSource {
    let mut sketch = Sketch::new("turn");
    let opening = cuboid([0., 0., -4.], [0., 5., 4.]);
    let a = sketch.box_room("a", cuboid([-90., 0., -4.], [0., 5., 4.]), &[opening]);
    let b = sketch.room("b");
    let at = |i: i32, y: f64| heading(-90.0 + 15.0 * f64::from(i)) * 4.0 + DVec3::Y * y;
    let mut bend = Vec::new();
    for i in 0..12 {
        bend.extend(quad(at(i, 0.0), at(i + 1, 0.0), at(i + 1, 5.0), at(i, 5.0)));
        bend.extend([0.0, 5.0].map(|y| [at(0, y).with_z(0.0), at(i, y), at(i + 1, y)]));
    }
    sketch.mesh(b, 0, &facing(bend, v(1.0, 2.5, 0.0)));
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-5., 1., 0.), DVec3::X);
    sketch.source
}

#[test]
fn c11_a_round_wall_leads_the_body_back_through_the_portal_that_it_came_by() {
    let source = bend();
    for_all([0.05, 0.3, 1.0], |&radius: &f64| {
        let start = v(-1.0, rho(radius), -4.0 + rho(radius));
        play_in_all(&source, body(radius, 9.81), ("a", start), |actor| {
            actor.tick(v(3000.0, 0.0, 0.0), false);
            // Each fold multiplies the motion by the cosine of 15 degrees; the rest of the motion leads back.
            let left = 49.0 * (PI / 12.0).cos().powi(12) - 4.0 * PI;
            let end = actor.centre();
            assert!((end.z - 4.0 + rho(radius)).abs() < 1e-5, "{end}");
            assert!(end.x < -0.5 * left, "{end}");
            assert_ne!(actor.room(), "b");
        });
    });
}

#[test]
fn a_pillar_in_the_next_room_is_met_before_the_portal_is_crossed() {
    for_all([0.25, 0.3, 1.0], |&radius: &f64| {
        let mut source = joint(20.0, 20.0);
        let mut pillar = source.meshes[1].clone();
        let soup = block([0.2, 0.0, -0.2], [0.6, 4.0, 0.2]);
        pillar.positions = soup.concat();
        pillar.triangles = (0..soup.len() as u32)
            .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
            .collect();
        source.meshes.push(pillar);
        let start = v(-3.0, rho(radius), 0.0);
        play_in_all(&source, body(radius, 9.81), ("a", start), |actor| {
            actor.hold(v(4.0, 0.0, 0.0), 120);
            assert!(actor.centre().x < 0.0);
            actor.assert_at(v(0.2 - rho(radius), rho(radius), 0.0), 1e-6);
        });
    });
}
