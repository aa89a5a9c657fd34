//! Problems that `check` reports for wrong doors and movers, and none for good ones.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::geometry::Aabb;
use opendoor::level::{Alpha, Cycle, Drive, Material, StartedBy, Track};
use opendoor::lint::check_movers;
use opendoor::source::{LevelSource, MoverSource, TriggerKindSource, TriggerSource};

/// Two rooms of 4 x 3 x 4 m with walls of 0.2 m between them and a doorway of 1 x 2 m, whose reveal belongs to the
/// hall. Furniture is added by each test.
fn rooms() -> Sketch {
    let mut sketch = Sketch::new("rooms");
    let opening = |x: f64| cuboid([x, 0., 1.], [x, 2., 2.]);
    let hall = sketch.box_room("hall", cuboid([0., 0., 0.], [3.9, 3., 4.]), &[opening(3.9)]);
    let study = sketch.box_room(
        "study",
        cuboid([4.1, 0., 0.], [8., 3., 4.]),
        &[opening(4.1)],
    );
    for (room, x) in [(hall, [3.9, 4.0]), (study, [4.0, 4.1])] {
        let ends = [
            cuboid([x[0], 0., 1.], [x[0], 2., 2.]),
            cuboid([x[1], 0., 1.], [x[1], 2., 2.]),
        ];
        let reveal = sketch.source.meshes.len();
        sketch.box_room(
            &format!("reveal-{room}"),
            cuboid([x[0], 0., 1.], [x[1], 2., 2.]),
            &ends,
        );
        sketch.source.rooms.pop();
        sketch.source.meshes[reveal].room = room;
        sketch.source.meshes[reveal].node = format!("reveal-{room}").into();
    }
    sketch.portal(hall, "study", opening(4.0), DVec3::X);
    sketch.spawn(hall, DVec3::new(1., 0.5, 1.), DVec3::X);
    sketch
}

/// Adds a mover of boxes in the hall. A door turns about the edge of its panel unless the test changes its track.
fn mover(sketch: &mut Sketch, node: &str, boxes: &[Aabb], track: Track) -> usize {
    let before = sketch.source.meshes.len();
    for &part in boxes {
        sketch.furniture(0, 0, part);
    }
    let meshes = sketch.source.meshes.split_off(before);
    sketch.source.movers.push(MoverSource {
        node: node.to_owned(),
        meshes,
        is_door: node.ends_with("-door"),
        track,
        drive: Drive {
            ticks: 60,
            ..Drive::default()
        },
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    sketch.source.movers.len() - 1
}

/// A panel of 4 cm with 4 mm of clearance, flush with the wall of the hall.
fn panel() -> Aabb {
    cuboid([3.94, 0.004, 1.004], [3.98, 1.996, 1.996])
}

/// A rotation into the hall about this point in plan, by `degrees`.
fn swing([x, z]: [f64; 2], degrees: f64) -> Track {
    Track::Turn {
        pivot: DVec3::new(x, 0., z),
        axis: DVec3::Y,
        angle: -degrees.to_radians(),
    }
}

/// The correct hinge: at the front of the panel.
const HINGE: [f64; 2] = [3.94, 1.004];

/// The codes and texts of the problems of a level's movers.
fn said(source: LevelSource) -> Vec<String> {
    let (level, mut problems) = build(source).unwrap();
    check_movers(&level, &mut problems);
    problems.warnings.iter().map(ToString::to_string).collect()
}

fn said_of_door(parts: &[Aabb], track: Track, change: impl FnOnce(&mut Sketch)) -> Vec<String> {
    let mut sketch = rooms();
    mover(&mut sketch, "oak-door", parts, track);
    change(&mut sketch);
    said(sketch.source)
}

#[test]
fn a_door_that_swings_where_there_is_room_is_good() {
    let nothing: [String; 0] = [];
    assert_eq!(said_of_door(&[panel()], swing(HINGE, 90.), |_| {}), nothing);
    // The panel is as wide as its opening, with the hinge in the middle of its side, so it penetrates the reveal by 2
    // cm.
    let tight = cuboid([3.98, 0., 1.], [4.02, 2., 2.]);
    assert_eq!(
        said_of_door(&[tight], swing([4., 1.], 90.), |_| {}),
        nothing
    );
}

#[test]
fn a_door_that_swings_through_walls_or_furniture_is_named_with_the_place() {
    let through = |track: Track, what: &str, change: fn(&mut Sketch)| {
        let said = said_of_door(&[panel()], track, change);
        assert_eq!(said.len(), 1, "{said:?}");
        for part in ["oak-door", "[mover-through-wall]", what] {
            assert!(said[0].contains(part), "{part}: {said:?}");
        }
    };
    // The panel swings through the reveal, because its hinge is on the wrong side of the wall, or through the wall
    // beside the doorway, because its angle is too large.
    through(swing([4.3, 1.0], 90.), "reveal-", |_| {});
    through(swing(HINGE, 200.), "hall", |_| {});
    through(swing(HINGE, 90.), "glTF: at ", |sketch| {
        sketch.furniture(0, 0, cuboid([3.2, 0., 1.3], [3.6, 0.8, 1.7]));
    });
    // A table leg of 6 cm.
    through(swing(HINGE, 90.), "glTF: at ", |sketch| {
        sketch.furniture(0, 0, cuboid([3.2, 0., 1.3], [3.26, 0.8, 1.36]));
    });
}

#[test]
fn a_wall_that_the_swing_only_just_reaches_does_not_block_it() {
    // A sill that the panel penetrates by 2 cm, and a table at the end of the swing.
    let said = said_of_door(&[panel()], swing(HINGE, 90.), |sketch| {
        sketch.furniture(0, 0, cuboid([3.0, -0.1, 1.05], [3.8, 0.02, 1.9]));
        sketch.furniture(0, 0, cuboid([2.0, 0., 1.0], [2.94, 0.8, 2.0]));
    });
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn a_panel_slides_into_the_wall_that_it_is_let_into_and_through_no_other() {
    let up = || Track::Slide(DVec3::Y * 1.5);
    let lintel = cuboid([3.8, 2.3, 0.8], [4.02, 2.9, 2.2]);
    let let_in = cuboid([3.94, 0.004, 1.004], [3.98, 2.02, 1.996]);
    assert!(said_of_door(&[let_in], up(), |_| {}).is_empty());
    let said = said_of_door(&[let_in], up(), |sketch| sketch.furniture(0, 0, lintel));
    assert!(
        said.len() == 1 && said[0].contains("[mover-through-wall]"),
        "{said:?}"
    );
    let said = said_of_door(&[panel()], up(), |_| {});
    assert!(said.len() == 1 && said[0].contains("reveal-0"), "{said:?}");
}

#[test]
fn a_lift_touches_its_shaft_but_not_the_ceiling() {
    let lift = |metres: f64| {
        let mut sketch = rooms();
        let plate = cuboid([0., 0., 0.], [3.9, 0.2, 4.]);
        mover(
            &mut sketch,
            "plate-mover",
            &[plate],
            Track::Slide(DVec3::Y * metres),
        );
        said(sketch.source)
    };
    assert!(lift(2.8).is_empty(), "{:?}", lift(2.8));
    let through = lift(2.9);
    assert!(
        through.len() == 1 && through[0].contains("hall"),
        "{through:?}"
    );
}

#[test]
fn a_hole_that_one_sees_the_sky_through_is_named() {
    let with_slot = |metres: f64| {
        let mut halves = [panel(); 2];
        halves[0].max.y = 1.2 - metres;
        halves[1].min.y = 1.2;
        halves
    };
    let said = |parts: &[Aabb]| said_of_door(parts, swing(HINGE, 90.), |_| {});
    let hole = said(&with_slot(0.1));
    assert_eq!(hole.len(), 1, "{hole:?}");
    for part in ["oak-door", "[door-with-hole]", ", 1.1", "seen from room"] {
        assert!(hole[0].contains(part), "{part}: {hole:?}");
    }
    assert!(said(&with_slot(0.015)).is_empty());
    // Panels that transmit sight, such as glass and masked textures, hide nothing.
    let bars = said_of_door(&with_slot(0.1), swing(HINGE, 90.), |sketch| {
        let glass = Material {
            alpha: Alpha::Blend,
            ..Material::default()
        };
        let glass = sketch.material(glass);
        sketch.source.movers[0].meshes[0].material = glass;
    });
    assert!(bars.is_empty(), "{bars:?}");
}

/// A trigger in the hall that targets the door, or the mover or trigger with this name.
fn trigger(node: &str, kind: TriggerKindSource, target: &str) -> TriggerSource {
    TriggerSource {
        node: node.to_owned(),
        room: 0,
        kind,
        targets: vec![target.to_owned()],
        delay_ticks: 0,
        wait_ticks: 0,
        once: false,
        message: String::new(),
    }
}

#[test]
fn a_door_that_turns_by_nothing_is_named() {
    let said = said_of_door(&[panel()], swing(HINGE, 0.), |_| {});
    assert!(
        said.len() == 1 && said[0].contains("never opens"),
        "{said:?}"
    );
}

#[test]
fn a_door_that_nothing_opens_is_named() {
    let locked = |triggers: Vec<TriggerSource>| {
        said_of_door(&[panel()], swing(HINGE, 90.), |sketch| {
            sketch.source.movers[0].drive.locked = true;
            sketch.source.triggers = triggers;
        })
    };
    let volume = || {
        let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        TriggerKindSource::Volume(vec![[o, y, x], [o, x, z], [o, z, y], [x, y, z]])
    };
    let alone = locked(Vec::new());
    assert_eq!(alone.len(), 1, "{alone:?}");
    for part in ["oak-door", "[mover-never-starts]", "locked"] {
        assert!(alone[0].contains(part), "{part}: {alone:?}");
    }
    assert!(locked(vec![trigger("a-trigger", volume(), "oak-door")]).is_empty());
    // Through a relay, which another trigger must fire.
    let relay = || trigger("r-trigger", TriggerKindSource::Relay, "oak-door");
    assert_eq!(locked(vec![relay()]).len(), 1);
    assert!(locked(vec![relay(), trigger("a-trigger", volume(), "r-trigger")]).is_empty());
}

#[test]
fn a_mover_left_to_triggers_that_do_not_exist_is_named_unless_it_goes_by_itself() {
    let lift = |started_by: StartedBy, cycle: Cycle| {
        let mut sketch = rooms();
        let plate = cuboid([1., 0., 1.], [2., 0.2, 2.]);
        mover(&mut sketch, "plate-mover", &[plate], Track::Slide(DVec3::Y));
        let drive = &mut sketch.source.movers[0].drive;
        (drive.started_by, drive.cycle) = (started_by, cycle);
        said(sketch.source)
    };
    let never = lift(StartedBy::Trigger, Cycle::Call);
    assert!(never.len() == 1 && never[0].contains("starts"), "{never:?}");
    assert!(lift(StartedBy::Trigger, Cycle::Shuttle).is_empty());
    assert!(lift(StartedBy::Use, Cycle::Call).is_empty());
}

#[test]
fn of_lifts_that_are_alike_only_those_with_a_shelf_in_their_way_are_named() {
    let mut sketch = rooms();
    let places = [0.5, 1.5, 2.5];
    for (x, name) in places.into_iter().zip(["first", "second", "third"]) {
        let plate = cuboid([x, 1., 1.], [x + 0.5, 1.1, 1.5]);
        let up = Track::Slide(DVec3::Y * 1.5);
        mover(&mut sketch, &format!("{name}-lift"), &[plate], up);
    }
    let nothing: [String; 0] = [];
    assert_eq!(said(sketch.source.clone()), nothing);
    for x in &places[1..] {
        sketch.furniture(0, 0, cuboid([x + 0.1, 2., 1.1], [x + 0.4, 2.1, 1.4]));
    }
    let said = said(sketch.source);
    assert_eq!(said.len(), 2, "{said:?}");
    for (said, name) in said.iter().zip(["second-lift", "third-lift"]) {
        let named = said.contains(name) && said.contains("[mover-through-wall]");
        assert!(named, "{said:?}");
    }
}
