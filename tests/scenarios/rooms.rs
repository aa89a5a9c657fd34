//! Rooms joined by portals: the walk is that of the whole soup.

use std::f64::consts::PI;

use glam::DVec3;
use opendoor::level::LevelSource;
use opendoor::level::locate;
use opendoor::level::sketch::{Sketch, cuboid};

use crate::actor::{Actor, Stage, body, for_all, play, rho};
use crate::shapes::{block, facing, heading, quad, v};

/// Rooms `a` (x < 0) and `b`, floors flush, the whole wall between them open.
fn joint(length: f64, width: f64) -> LevelSource {
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

/// The same polygons in one room.
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

/// Plays with portals, with the whole soup, and with all in one room.
fn play_in_all(
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
    crate::actor::assert_same_track(
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
            // `before` of a step from the seam; exactly on it, a body counts to the room it is in.
            let start = v(-2.0 * way.x - before * way.x, rho(radius), 0.0);
            let room = if forward { "a" } else { "b" };
            play_in_all(
                &joint(500.0, 500.0),
                body(radius, 9.81),
                (room, start),
                |actor| {
                    let mut changes = 0;
                    for i in 1..=4 {
                        let room = actor.state.room;
                        actor.tick(wish, false);
                        changes += usize::from(actor.state.room != room);
                        actor.assert_at(start + way * f64::from(i), 1e-9 * step.max(1.0));
                    }
                    let inner = actor.stage.level.rooms.len() == 1;
                    assert!(inner || changes == 1, "{changes} changes");
                },
            );
        },
    );
}

/// `count` rooms of `length` m in a row along x, 2 m wide, and a wall at the end.
fn chain(count: usize, length: f64) -> LevelSource {
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

#[test]
fn c3_a_step_through_many_rooms_ends_in_the_right_one() {
    let mut cases = Vec::new();
    for (count, length) in [
        (50, 1.0),
        (50, 0.0625),
        (240, 0.25),
        (300, 0.25),
        (600, 0.125),
    ] {
        for part in [0.37, 0.93, 5.0] {
            for side in [0.0, 0.7, -2.0] {
                cases.push((count, length, part, side));
            }
        }
    }
    for_all(
        cases,
        |&(count, length, part, side): &(usize, f64, f64, f64)| {
            let radius = 0.3;
            let end = count as f64 * length;
            let start = v(rho(radius), rho(radius), 0.0);
            let wish = v(end * part * 60.0, 0.0, side * 60.0);
            play(
                &chain(count, length),
                body(radius, 9.81),
                ("r0000", start),
                |actor| {
                    // Where the rooms are thinner than the body, it starts in the wall behind it.
                    actor.forgiven_ticks = 1;
                    for way in [wish, -wish, wish * 0.1, wish * 1e-3] {
                        actor.tick(way, false);
                        let x = actor.centre().x;
                        let expected = format!("r{:04}", (x / length) as usize);
                        assert_eq!(actor.room(), expected, "at {x}");
                    }
                    actor.hold(wish, 3);
                    assert!(
                        (actor.centre().x - end + rho(radius)).abs() < 1e-6 || part < 1.0,
                        "{}",
                        actor.centre()
                    );
                },
            );
        },
    );
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
    for_all([0.2, 0.3, 1.5], |&radius: &f64| {
        let start = v(-4.0, rho(radius), 0.1);
        play_in_all(&sketch.source, body(radius, 9.81), ("a", start), |actor| {
            for speed in [4.0, 1e3, 0.3, 7.0] {
                actor.hold(v(speed, 0.0, 0.0), 120);
                actor.assert_at(v(0.25 - rho(radius), rho(radius), 0.1), 1e-6);
                actor.hold(v(-speed, 0.0, 0.0), 60);
            }
        });
    });
}

/// Four rooms around a pillar, each open to the next.
pub(crate) fn ring() -> Sketch {
    let mut sketch = Sketch::new("ring");
    let names = ["a", "b", "c", "d"];
    let quarters = [[-6., -6.], [0., -6.], [0., 0.], [-6., 0.]];
    let between = [
        (cuboid([0., 0., -6.], [0., 4., -0.5]), DVec3::X),
        (cuboid([0.5, 0., 0.], [6., 4., 0.]), DVec3::Z),
        (cuboid([0., 0., 0.5], [0., 4., 6.]), -DVec3::X),
        (cuboid([-6., 0., 0.], [-0.5, 4., 0.]), -DVec3::Z),
    ];
    for i in 0..4 {
        let [x, z] = quarters[i];
        let inside = cuboid([x, 0., z], [x + 6., 4., z + 6.]);
        let openings = [between[i].0, between[(i + 3) % 4].0];
        sketch.box_room(names[i], inside, &openings);
    }
    for i in 0..4 {
        sketch.portal(i, names[(i + 1) % 4], between[i].0, between[i].1);
    }
    sketch.spawn(0, v(-3., 1., -3.), DVec3::X);
    sketch
}

/// The room of [`ring`] that a point is in.
pub(crate) fn quarter(p: DVec3) -> &'static str {
    match (p.x > 0.0, p.z > 0.0) {
        (false, false) => "a",
        (true, false) => "b",
        (true, true) => "c",
        (false, true) => "d",
    }
}

#[test]
fn c4_c14_rooms_in_a_ring_are_walked_round_for_10_000_ticks_in_the_same_bits() {
    for_all(
        [(0.05, 4.0), (0.3, 6.0), (0.3, 300.0), (1.0, 2000.0)],
        |&(radius, speed): &(f64, f64)| {
            let mut sketch = ring();
            for (i, at) in [[-4., -2.], [3., -5.], [2.5, 2.], [-3., 3.2]]
                .into_iter()
                .enumerate()
            {
                sketch.mesh(
                    i,
                    0,
                    &block([at[0], 0.0, at[1]], [at[0] + 0.7, 0.9, at[1] + 0.5]),
                );
            }
            let start = v(-2.0, rho(radius), -4.0);
            play(&sketch.source, body(radius, 9.81), ("a", start), |actor| {
                for i in 0..10_000 {
                    // Round the ring, wobbling.
                    let c = actor.centre();
                    let round = v(-c.z, 0.0, c.x).normalize_or_zero();
                    let wobble = heading(f64::from(i) * 7.3) * 0.7;
                    actor.tick((round + wobble) * speed, i % 97 == 0);
                    let c = actor.centre();
                    if c.x.abs() > 1e-9 && c.z.abs() > 1e-9 {
                        assert_eq!(actor.room(), quarter(c), "at {c}");
                    }
                }
            });
        },
    );
}

#[test]
fn c5_a_room_in_the_same_space_is_not_felt() {
    let mut sketch = Sketch::new("twice");
    let inside = cuboid([-9., 0., -9.], [9., 5., 9.]);
    let a = sketch.box_room("a", inside, &[]);
    let ghost = sketch.box_room("ghost", inside, &[]);
    sketch.mesh(a, 0, &block([3.0, 0.0, -1.0], [4.0, 3.0, 1.0]));
    sketch.mesh(ghost, 0, &block([-2.0, 0.0, -9.0], [-1.0, 3.0, 9.0]));
    sketch.spawn(a, v(-5., 1., 0.), DVec3::X);
    let stage = Stage::judged_by(&sketch.source, |room| room == "a");
    let mut actor = Actor::new(&stage, body(0.3, 9.81), "a", v(-5.0, rho(0.3), 0.0));
    actor.hold(v(4.0, 0.0, 0.0), 240);
    actor.assert_at(v(3.0 - rho(0.3), rho(0.3), 0.0), 1e-6);
    let stage = Stage::judged_by(&sketch.source, |room| room == "ghost");
    let mut actor = Actor::new(&stage, body(0.3, 9.81), "ghost", v(-5.0, rho(0.3), 0.0));
    actor.hold(v(4.0, 0.0, 0.0), 240);
    actor.assert_at(v(-2.0 - rho(0.3), rho(0.3), 0.0), 1e-6);
}

#[test]
fn c7_a_slide_that_leaves_the_straight_way_meets_the_walls_of_the_room_it_leads_to() {
    let mut sketch = Sketch::new("elbow");
    let opening = cuboid([0., 0., 50.], [10., 5., 50.]);
    let a = sketch.box_room("a", cuboid([0., 0., 0.], [10., 5., 50.]), &[opening]);
    let b = sketch.box_room("b", cuboid([0., 0., 50.], [10., 5., 150.]), &[opening]);
    sketch.mesh(b, 0, &block([8.0, 0.0, 120.0], [10.0, 5.0, 121.0]));
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

#[test]
fn c11_a_round_wall_leads_the_body_back_through_the_portal_that_it_came_by() {
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
    for_all([0.05, 0.3, 1.0], |&radius: &f64| {
        let start = v(-1.0, rho(radius), -4.0 + rho(radius));
        play_in_all(&sketch.source, body(radius, 9.81), ("a", start), |actor| {
            actor.tick(v(3000.0, 0.0, 0.0), false);
            // Each of the folds takes the cosine of 15 degrees; what is left leads back.
            let left = 49.0 * (PI / 12.0).cos().powi(12) - 4.0 * PI;
            let end = actor.centre();
            assert!((end.z - 4.0 + rho(radius)).abs() < 1e-5, "{end}");
            assert!(end.x < -0.5 * left, "{end}");
            assert_ne!(actor.room(), "b");
        });
    });
}

#[test]
fn c10_a_teleport_out_of_all_rooms_is_refused_and_one_into_a_room_finds_it() {
    let stage = Stage::of(&ring().source);
    for (point, room) in [
        (v(-3., 1., -3.), Some("a")),
        (v(3., 1., -3.), Some("b")),
        (v(3., 1., 3.), Some("c")),
        (v(-3., 1., 3.), Some("d")),
        (v(7., 1., 0.), None),
        (v(0., -1., 0.), None),
        (v(1e6, 1., 0.), None),
    ] {
        let found = locate(&stage.level, point).map(|id| stage.level.room(id).name.as_str());
        assert_eq!(found, room, "{point}");
    }
}

#[test]
fn c9_walking_inside_the_plane_of_a_portal_changes_no_room() {
    let mut cases = Vec::new();
    for degrees in [0.0, 30.0, 45.0, 77.0] {
        for speed in [0.1, 2.0, 50.0] {
            cases.push((degrees, speed));
        }
    }
    for_all(cases, |&(degrees, speed): &(f64, f64)| {
        let mut source = joint(20.0, 20.0);
        let turn =
            |p: DVec3| heading(degrees) * p.x + DVec3::Y * p.y + heading(degrees + 90.0) * p.z;
        for mesh in &mut source.meshes {
            mesh.positions.iter_mut().for_each(|p| *p = turn(*p));
        }
        for portal in &mut source.portals {
            portal.triangles.iter_mut().for_each(|t| *t = t.map(turn));
        }
        source
            .spawns
            .iter_mut()
            .for_each(|s| s.position = turn(s.position));
        let start = turn(v(0.0, rho(0.3), -10.0));
        play(&source, body(0.3, 9.81), ("a", start), |actor| {
            let mut changes = 0;
            for i in 0..120 {
                let room = actor.state.room;
                let way = if i % 24 < 12 { speed } else { -speed };
                actor.tick(turn(v(0.0, 0.0, way)), false);
                changes += usize::from(actor.state.room != room);
            }
            assert!(changes <= 1, "{changes} changes");
        });
    });
}
