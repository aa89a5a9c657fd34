//! A lift made in code: a cabin that is a room, in a shaft between two halls.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Rigid;
use opendoor::level::{Cycle, Drive, Track};
use opendoor::source::{LevelSource, MoverSource};

/// Height by which the cabin rises, metres.
pub(crate) const RISE: f64 = 5.0;

/// A drive that moves once per call.
pub(crate) fn drive(ticks: u32) -> Drive {
    Drive {
        ticks,
        cycle: Cycle::Call,
        ..Drive::default()
    }
}

/// A hall at each end of the shaft, and in the shaft a cabin with a doorway towards the halls, a window on the opposite
/// side, and a shell around it. The rooms are `cabin`, `high`, `low`, `shaft`.
pub(crate) fn lift((track, drive): (Track, Drive)) -> LevelSource {
    let (mut sketch, cabin) = building();
    let shell = sketch.source.meshes.split_off(11);
    sketch.source.movers.push(MoverSource {
        node: "cabin-room".to_owned(),
        meshes: shell,
        is_door: false,
        track,
        drive,
        moved_rooms: vec![cabin],
        moves_with: None,
    });
    sketch.source
}

/// The lift without movers: the cabin is authored in this pose.
pub(crate) fn still_lift(pose: &Rigid) -> LevelSource {
    let (mut sketch, cabin) = building();
    let cabin_meshes = |room: usize, index: usize| room == cabin || index >= 11;
    for (index, mesh) in sketch.source.meshes.iter_mut().enumerate() {
        if cabin_meshes(mesh.room, index) {
            mesh.positions.iter_mut().for_each(|p| *p = pose.point(*p));
        }
    }
    for portal in sketch.source.portals.iter_mut().filter(|p| p.room == cabin) {
        let corners = portal.triangles.iter_mut().flatten();
        corners.for_each(|p| *p = pose.point(*p));
    }
    for light in sketch.source.lights.iter_mut() {
        if light.room == Some(cabin) {
            light.position.0 = pose.point(light.position.0);
        }
    }
    sketch.source
}

fn building() -> (Sketch, usize) {
    let doorway = |y: f64| cuboid([-0.5, y, 1.25], [0.5, y + 2.125, 1.25]);
    let mut sketch = Sketch::new("lift");
    let shaft = [[-1.25, -1.0, -1.25], [1.25, 9.0, 1.25]];
    let shaft = sketch.box_room(
        "shaft",
        cuboid(shaft[0], shaft[1]),
        &[doorway(0.0), doorway(RISE)],
    );
    for (name, y) in [("low", 0.0), ("high", RISE)] {
        let inside = cuboid([-3.0, y, 1.25], [3.0, y + 3.0, 7.0]);
        let hall = sketch.box_room(name, inside, &[doorway(y)]);
        sketch.portal(hall, "shaft", doorway(y), DVec3::NEG_Z);
        sketch.lamp(hall, DVec3::new(1.5, y + 2.5, 4.0), 20.0);
        sketch.spawn(hall, DVec3::new(0.0, y + 0.1, 4.0), DVec3::NEG_Z);
    }
    let door = cuboid([-0.5, 0.0, 1.1875], [0.5, 2.125, 1.1875]);
    let window = cuboid([-0.5, 1.0, -1.0], [0.5, 2.0, -1.0]);
    let inside = cuboid([-1.0, 0.0, -1.0], [1.0, 2.5, 1.1875]);
    let cabin = sketch.box_room("cabin", inside, &[door, window]);
    sketch.portal(cabin, "shaft", door, DVec3::Z);
    sketch.portal(cabin, "shaft", window, DVec3::NEG_Z);
    sketch.lamp(cabin, DVec3::new(0.3, 2.3, 0.2), 10.0);
    // Frames around the openings: a wall without thickness has no solid edge.
    let frames = [
        ([-0.5625, 0.0, 1.125], [-0.5, 2.125, 1.1875]),
        ([0.5, 0.0, 1.125], [0.5625, 2.125, 1.1875]),
        ([-0.5625, 2.125, 1.125], [0.5625, 2.1875, 1.1875]),
        ([-0.5625, 0.9375, -1.0], [0.5625, 1.0, -0.9375]),
        ([-0.5625, 2.0, -1.0], [0.5625, 2.0625, -0.9375]),
        ([-0.5625, 1.0, -1.0], [-0.5, 2.0, -0.9375]),
        ([0.5, 1.0, -1.0], [0.5625, 2.0, -0.9375]),
    ];
    for (min, max) in frames {
        sketch.furniture(cabin, 0, cuboid(min, max));
    }
    // The shell, a centimetre away from the walls: floor, ceiling, sides, and the parts around the window and the
    // doorway.
    let outside = [
        ([-1.0625, -0.0625, -1.0625], [1.0625, -0.015625, 1.1875]),
        ([-1.0625, 2.515625, -1.0625], [1.0625, 2.5625, 1.1875]),
        ([-1.0625, -0.015625, -1.0625], [-1.015625, 2.515625, 1.1875]),
        ([1.015625, -0.015625, -1.0625], [1.0625, 2.515625, 1.1875]),
        ([-1.015625, -0.015625, -1.0625], [-0.5, 2.515625, -1.015625]),
        ([0.5, -0.015625, -1.0625], [1.015625, 2.515625, -1.015625]),
        ([-0.5, -0.015625, -1.0625], [0.5, 1.0, -1.015625]),
        ([-1.0625, -0.0625, 1.203125], [-0.5, 2.5625, 1.234375]),
        ([0.5, -0.0625, 1.203125], [1.0625, 2.5625, 1.234375]),
        ([-0.5, 2.125, 1.203125], [0.5, 2.5625, 1.234375]),
        ([-0.5, 2.0, -1.0625], [0.5, 2.515625, -1.015625]),
    ];
    for (min, max) in outside {
        sketch.furniture(shaft, 0, cuboid(min, max));
    }
    (sketch, cabin)
}
