//! Joints between a room that moves and the room around it.

use std::f64::consts::FRAC_PI_2;

use opendoor::glam::{DMat3, DVec3};
use opendoor::level::{AuthorPoint, BodyId, JointBase, JointKind, Level, Track};
use opendoor::source::{BodyShape, JointSource};
use opendoor::world::World;

use crate::hall::{add_heavy, crate_at};
use crate::movers::{MOVER, Stage, hall_with_cabin};

/// Indices of the rooms in the sketch.
const HALL: usize = 0;
const CABIN: usize = 1;

/// A hall with a cabin, and a crate in one of these rooms. A joint connects the crate to a point of the other room.
fn stage(track: Track, centre: DVec3, kind: JointKind, (room, point): (usize, DVec3)) -> Stage {
    let mut sketch = hall_with_cabin(track);
    let outside = crate_at(centre, DVec3::splat(0.15));
    add_heavy(
        &mut sketch,
        "crate",
        BodyShape::Box,
        outside,
        (2.0, 0.5, 0.0),
    );
    sketch.source.joints.push(JointSource {
        node: "joint".to_owned(),
        room: Some(room),
        position: AuthorPoint(point),
        axes: DMat3::IDENTITY,
        bodies: vec!["crate".to_owned()],
        kind,
        damping: 0.0,
    });
    let mut stage = Stage::new(sketch);
    let JointBase::Room(base, _) = stage.level.joints.all[0].base else {
        panic!("the base is a room");
    };
    let names = ["hall", "cabin"];
    assert_eq!(stage.level.room(base.room).name, names[room]);
    // The body is in the other room.
    let mut state = *stage.world.bodies.state(BodyId(0));
    let other = stage.level.room_named(names[1 - room]);
    state.at.room = other.expect("it was added");
    stage.world.bodies.set(BodyId(0), state);
    stage
}

/// The positions of both ends of the joint, in coordinates of the hall. The cabin's own coordinates are the same when
/// the cabin is where it was authored.
fn ends(level: &Level, world: &World) -> [DVec3; 2] {
    let joint = &level.joints.all[0];
    let JointBase::Room(base, _) = joint.base else {
        panic!("the base is a room");
    };
    let state = world.bodies.state(BodyId(0));
    let arm = joint.body_from_joint.translation();
    let end = state.at.with_point(state.room_from_body().point(arm));
    [end, base].map(|at| match level.room(at.room).moved_by {
        Some(mover) => world.pose(mover).point(at.point),
        None => at.point,
    })
}

/// Regression tests: if the rooms of the source were not sorted by name, joints were fastened to the wrong rooms. And a
/// joint ignored the velocity of the cabin, so its ends were as far apart as the cabin moves in a tick.
#[test]
fn a_joint_out_of_a_moving_cabin_stays_closed() {
    let inside = DVec3::new(0.5, 1.2, 0.9);
    let outside = DVec3::new(0.5, 1.2, 1.6);
    let turn = |angle: f64| Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::Y,
        angle,
    };
    let from_cabin = [
        Track::Slide(DVec3::Z * -2.0),
        Track::Slide(DVec3::new(1.0, 0.5, -1.0)),
        turn(FRAC_PI_2),
        turn(-FRAC_PI_2),
    ];
    let from_hall = [
        Track::Slide(DVec3::Z * 1.2),
        Track::Slide(DVec3::new(0.2, 0.4, -1.0)),
        turn(0.2),
    ];
    let from_cabin = from_cabin.map(|track| (track, outside, (CABIN, inside)));
    let from_hall = from_hall.map(|track| (track, inside - DVec3::Z * 0.3, (HALL, outside)));
    for (case, (track, centre, base)) in (0..).zip(from_cabin.into_iter().chain(from_hall)) {
        for kind in [JointKind::Ball, JointKind::Hinge { limits: None }] {
            let mut stage = stage(track.clone(), centre, kind, base);
            stage.world.call(MOVER);
            for tick in 0..55 {
                stage.tick_with(DVec3::ZERO);
                let [end, other] = ends(&stage.level, &stage.world);
                let gap = end.distance(other);
                assert!(gap < 2e-3, "{case} {kind:?} {tick}: {gap}");
            }
        }
    }
}

/// Regression test: the crate slept on, and the rope stretched by the whole motion of the cabin.
#[test]
fn a_cabin_that_leaves_drags_a_sleeping_crate_by_its_rope() {
    let track = Track::Slide(DVec3::Z * -2.0);
    let rope = JointKind::Rope { length: 1.8 };
    let base = (CABIN, DVec3::new(0.0, 0.5, 0.9));
    let mut stage = stage(track, DVec3::new(0.0, 0.151, 2.5), rope, base);
    stage.ticks(120);
    assert_eq!(stage.world.bodies.awake_count(), 0);
    stage.world.call(MOVER);
    for tick in 0..60 {
        stage.ticks(1);
        let [end, other] = ends(&stage.level, &stage.world);
        let length = end.distance(other);
        assert!(length < 1.81, "{tick}: {length}");
    }
    let z = stage.world.bodies.state(BodyId(0)).at.point.z;
    assert!(z < 2.0, "the crate was not dragged: {z}");
}
