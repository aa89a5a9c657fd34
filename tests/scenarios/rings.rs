//! Rooms in a ring, rooms in the same space, and points outside of all rooms.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::locate;

use crate::actor::{Actor, Stage, body, rho};
use crate::runs::{for_all, play};
use crate::shapes::{block, heading, v};

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

/// The room of [`ring`] that contains a point.
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
                    // Around the ring, with a wobble.
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
