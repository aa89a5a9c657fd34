//! Rooms that are rotated by a few degrees or move out of the room around them, mirrored panels, lamps of a wrong
//! scale: each has one cause, and one message with a cure.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Aabb;
use opendoor::level::Track;
use opendoor::problems::{Problem, ProblemCode as Code};
use opendoor::rng::Rng;
use opendoor::source::MoverSource;

use crate::checks::{House, add_tube, all, flat, said};
use crate::lift::{RISE, drive, lift};

/// The codes that only these levels cause.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    ["moved-room-outside"].into_iter()
}

fn found(sketch: Sketch) -> Vec<Problem> {
    let (_, problems) = said(sketch.source);
    all(&problems).into_iter().cloned().collect()
}

/// Asserts that there is one problem.
fn assert_one(what: &str, found: &[Problem], code: Code, node: &str, word: &str) {
    let is_it = |p: &Problem| p.code == code && p.node == node && p.message.contains(word);
    assert!(
        matches!(found, [problem] if is_it(problem)),
        "{what}: {found:#?}"
    );
}

/// Three rooms in a row with a doorway and a door between each pair.
fn row() -> Sketch {
    let doorway = |x: f64| flat(x, [2.4, 3.6, 0.0, 2.1]);
    let mut sketch = Sketch::new("row");
    for room in 0..3_u32 {
        let (from, to) = (6.0 * f64::from(room), 6.0 * f64::from(room) + 5.8);
        // The reveals: this room's half of the wall to each neighbour.
        let mut sides = Vec::new();
        if room > 0 {
            sides.push((from, from - 0.1));
        }
        if room < 2 {
            sides.push((to, to + 0.1));
        }
        let holes: Vec<Aabb> = sides.iter().map(|&(x, _)| doorway(x)).collect();
        let inside = cuboid([from, 0.0, 0.0], [to, 3.0, 6.0]);
        let index = sketch.box_room(&format!("r{room}"), inside, &holes);
        for (x, end) in sides {
            let tube = cuboid([x.min(end), 0.0, 2.4], [x.max(end), 2.1, 3.6]);
            add_tube(&mut sketch, index, tube, &[doorway(x), doorway(end)]);
        }
        sketch.lamp(index, inside.centre(), 50.0);
        if room < 2 {
            let x = to + 0.1;
            sketch.portal(index, &format!("r{}", room + 1), doorway(x), DVec3::X);
        }
    }
    for room in 0..2_u32 {
        let x = 6.0 * f64::from(room) + 5.9;
        door(
            &mut sketch,
            room as usize,
            cuboid([x - 0.02, 0.0, 2.4], [x + 0.02, 2.1, 3.6]),
        );
    }
    sketch.spawn(0, DVec3::new(2.0, 0.1, 3.0), DVec3::X);
    sketch
}

/// Adds a door that turns by 90 degrees about the side of its panel at the smaller z.
fn door(sketch: &mut Sketch, room: usize, panel: Aabb) {
    sketch.furniture(room, 0, panel);
    let meshes = sketch
        .source
        .meshes
        .split_off(sketch.source.meshes.len() - 1);
    let node = format!("{}-door", sketch.source.movers.len());
    let mut mover = MoverSource::vanishing_door(node, meshes);
    mover.track = Track::Turn {
        pivot: panel.centre().with_z(panel.min.z),
        axis: DVec3::Y,
        angle: std::f64::consts::FRAC_PI_2,
    };
    sketch.source.movers.push(mover);
}

/// Rotates all contents of a room about the vertical through its middle.
fn turn(sketch: &mut Sketch, room: usize, degrees: f64) {
    let middle = DVec3::new(6.0 * room as f64 + 2.9, 0.0, 3.0);
    let rotation = glam::DQuat::from_rotation_y(degrees.to_radians());
    let turned = |p: &mut DVec3| *p = middle + rotation * (*p - middle);
    let source = &mut sketch.source;
    let doors = source.movers.iter_mut().flat_map(|mover| &mut mover.meshes);
    for mesh in source.meshes.iter_mut().chain(doors) {
        if mesh.room == room {
            mesh.positions.iter_mut().for_each(turned);
        }
    }
    for mover in source.movers.iter_mut() {
        if let Track::Turn { pivot, .. } = &mut mover.track
            && mover.meshes.iter().any(|mesh| mesh.room == room)
        {
            turned(pivot);
        }
    }
    for portal in source.portals.iter_mut().filter(|p| p.room == room) {
        portal.triangles.iter_mut().flatten().for_each(turned);
    }
}

/// Regression test: for the rotated middle room there was a problem for each of its portals and for each of their
/// doors.
#[test]
fn a_room_that_is_turned_by_a_few_degrees_is_named_once() {
    assert_eq!(found(row()).len(), 0);
    for seed in 0..12 {
        let rng = &mut Rng::new(seed);
        let degrees = rng.between(0.4, 4.0) * if rng.one_in(2) { 1.0 } else { -1.0 };
        let room = rng.below(3);
        let mut turned = row();
        turn(&mut turned, room, degrees);
        let node = ["r1*0-portal", "r1-room", "r2*1-portal"][room];
        let what = format!("room {room}, {degrees} degrees");
        assert_one(&what, &found(turned), Code::PortalGap, node, "Alt+R");
    }
}

#[test]
fn a_panel_that_is_mirrored_out_of_its_opening_is_named_so() {
    let house = |panel: Aabb| {
        let mut sketch = House::new().sketch();
        door(&mut sketch, 0, panel);
        let mover = sketch.source.movers.last_mut().unwrap();
        mover.track = Track::Vanish;
        found(sketch)
    };
    let good = house(cuboid([8.105, 0., 2.4], [8.145, 2.1, 3.6]));
    assert_eq!(good, Vec::new());
    // The panel mirrored about its hinge, and about its lower edge.
    for panel in [
        cuboid([8.105, 0., 1.2], [8.145, 2.1, 2.4]),
        cuboid([8.105, -2.1, 2.4], [8.145, 0., 3.6]),
    ] {
        let found = house(panel);
        assert_one(
            "mirrored",
            &found,
            Code::DoorWithGap,
            "0-door",
            "negative scale",
        );
    }
}

#[test]
fn lamps_that_are_far_out_of_scale_are_named() {
    let lit = |candela: [f32; 4]| {
        let mut house = House::new();
        house.lamps = false;
        let mut sketch = house.sketch();
        let rooms = [0, 0, 0, 1];
        for (i, (candela, room)) in candela.into_iter().zip(rooms).enumerate() {
            let x = if room == 0 { 2.0 + i as f64 } else { 11.0 };
            sketch.lamp(room, DVec3::new(x, 2.5, 3.0), candela);
            sketch.source.lights[i].node = format!("lamp {i}");
        }
        found(sketch)
    };
    assert_eq!(lit([50.0, 80.0, 20.0, 5.0]), Vec::new());
    // Dim indicator lights beside lamps are correct.
    assert_eq!(lit([50.0, 80.0, 0.05, 50.0]), Vec::new());
    let white = lit([50.0, 50_000.0, 20.0, 50.0]);
    assert_one(
        "bright",
        &white,
        Code::Light,
        "lamp 1",
        "divide its power by 1000",
    );
    assert_eq!(lit([50.0, 50.0, 20.0, 50.0]), Vec::new(), "cured");
    let dark = lit([50.0, 80.0, 50.0, 0.05]);
    assert_one(
        "dark",
        &dark,
        Code::Light,
        "lamp 3",
        "multiply its power by 1000",
    );
}

#[test]
fn a_room_that_moves_out_of_the_room_around_it_is_named() {
    let to = |way: DVec3| {
        let source = lift((Track::Slide(way), drive(120)));
        found(Sketch { source })
    };
    let is_it = |p: &&Problem| p.code == Code::MovedRoomOutside && p.node == "cabin-room";
    assert_eq!(to(DVec3::Y * RISE).iter().filter(is_it).count(), 0);
    for way in [DVec3::Y * 12.0, DVec3::X * 6.0, DVec3::NEG_Y * 9.0] {
        let found = to(way);
        assert_one(
            "out",
            &found,
            Code::MovedRoomOutside,
            "cabin-room",
            "`shaft`",
        );
    }
}
