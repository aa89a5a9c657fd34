//! Mistakes with several consequences: only the cause is reported. An independent mistake beside it is reported too.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::gltf::write_glb;
use opendoor::level::{Drive, Track};
use opendoor::lint::{check_bodies, check_walking, inspect};
use opendoor::problems::{Problem, ProblemCode as Code};
use opendoor::source::{LevelSource, MoverSource};
use serde_json::{Value, json};

use crate::checks::{
    DOOR, House, Mistake, PORTAL, above, add_tube, all, attic, flat, furniture, keep_faces,
    mistake, said, scaled, table, turn_over,
};
use crate::common::{quad, v};

/// The indices of the study's own meshes: its walls, and its half of the reveal.
const STUDY: std::ops::Range<usize> = 2..4;

pub(crate) fn mistakes() -> Vec<Mistake> {
    let at_door = Some([8.125, 1., 3.]);
    vec![
        mistake(
            "walls that were not exported",
            Code::RoomEmpty,
            "study-room",
            None,
            || House::then(|s| _ = s.source.meshes.drain(STUDY)),
        ),
        mistake(
            "walls that were not exported, with the spawn in them",
            Code::RoomEmpty,
            "study-room",
            None,
            || {
                House::then(|s| {
                    s.source.meshes.drain(STUDY);
                    let spawn = &mut s.source.spawns[0];
                    (spawn.room, spawn.position.0) = (Some(1), v(11., 0.1, 3.));
                })
            },
        ),
        mistake(
            "walls that were joined to those of another room",
            Code::RoomEmpty,
            "study-room",
            None,
            || House::then(joined),
        ),
        mistake(
            "walls that were joined, where the portal is a child of their room",
            Code::RoomEmpty,
            "study-room",
            None,
            || {
                House::then(|s| {
                    joined(s);
                    s.source.portals.clear();
                    s.portal(1, "hall", flat(8.125, DOOR), DVec3::NEG_X);
                })
            },
        ),
        mistake(
            "a room without anything",
            Code::RoomEmpty,
            "attic-room",
            None,
            || House::then(|s| _ = s.room("attic")),
        ),
        mistake(
            "a house with a door in centimetres",
            Code::Scale,
            "",
            None,
            || {
                let mut sketch = House::new().sketch();
                oak_door(&mut sketch, [2.4, 3.6]);
                scaled(&mut sketch.source, 100.);
                if let Track::Turn { pivot, .. } = &mut sketch.source.movers[0].track {
                    *pivot *= 100.;
                }
                sketch.source
            },
        ),
        mistake(
            "a copy of a room with its doorway, elsewhere",
            Code::RoomUnreachable,
            "z-attic-room",
            Some([30., 1., 3.]),
            || House::then(|s| chamber(s, flat(30., DOOR))),
        ),
        mistake(
            "a shifted portal with a door",
            Code::PortalGap,
            PORTAL,
            at_door,
            || shifted([2.7, 3.9, 0., 2.1], [2.4, 3.6]),
        ),
        mistake(
            "a portal too large for its door",
            Code::PortalTooLarge,
            PORTAL,
            at_door,
            || shifted([2.2, 3.8, 0., 2.4], [2.4, 3.6]),
        ),
        mistake(
            "a door in a portal to a room that does not exist",
            Code::PortalUnknownRoom,
            "stduy*0-portal",
            at_door,
            || {
                let mut sketch = House {
                    dest: "stduy",
                    ..House::new()
                }
                .sketch();
                oak_door(&mut sketch, [2.4, 3.6]);
                sketch.source
            },
        ),
        mistake(
            "rims that a modifier has bent",
            Code::PortalTooLarge,
            PORTAL,
            at_door,
            || bent([8., 0., 2.4]),
        ),
        mistake(
            "a room that is mirrored",
            Code::PortalWallNotCut,
            PORTAL,
            at_door,
            || House::then(mirrored),
        ),
        mistake(
            "a stair that was moved into the wall",
            Code::MeshInOtherRoom,
            "upper",
            Some([8.7, 1., 3.]),
            || {
                let mut sketch = stairs();
                let upper = sketch
                    .source
                    .meshes
                    .iter_mut()
                    .find(|m| &*m.node == "upper");
                let corners = &mut upper.unwrap().positions;
                corners.iter_mut().for_each(|p| *p += v(1.2, 0.6, 0.));
                sketch.source
            },
        ),
        mistake(
            "a ramp of 55 degrees",
            Code::SlopeTooSteep,
            "ramp",
            Some([7.7, 0.5, 3.]),
            || {
                let mut sketch = above().sketch();
                ramp(&mut sketch, [7.37, 8.], 0.9);
                sketch.source
            },
        ),
        mistake(
            "a ramp of 55 degrees to a landing",
            Code::SlopeTooSteep,
            "ramp",
            Some([6.7, 0.5, 3.]),
            || {
                let mut sketch = above().sketch();
                ramp(&mut sketch, [6.37, 7.], 0.9);
                furniture(
                    &mut sketch,
                    0,
                    "landing",
                    cuboid([7., 0., 2.], [8., 0.9, 4.]),
                );
                sketch.source
            },
        ),
    ]
}

/// Moves the study's meshes into the hall.
fn joined(sketch: &mut Sketch) {
    sketch.source.meshes[STUDY]
        .iter_mut()
        .for_each(|mesh| mesh.room = 0);
}

/// Mirrors the study's meshes at the middle of the study.
fn mirrored(sketch: &mut Sketch) {
    for mesh in &mut sketch.source.meshes[STUDY] {
        mesh.positions.iter_mut().for_each(|p| p.x = 22.25 - p.x);
        turn_over(mesh);
    }
}

/// Adds a room far from the others with an opening, and the opening's reveal.
fn chamber(sketch: &mut Sketch, opening: opendoor::geometry::Aabb) {
    let room = sketch.box_room("z-attic", cuboid([30., 0., 0.], [36., 3., 6.]), &[opening]);
    let mut tube = opening;
    tube.min.x -= 0.1;
    let outer = flat(29.9, DOOR);
    add_tube(sketch, room, tube, &[opening, outer]);
    sketch.lamp(room, v(33., 2., 3.), 50.);
}

/// Adds a door that turns about the middle of its panel's side; the panel has these bounds in z.
fn oak_door(sketch: &mut Sketch, [from, to]: [f64; 2]) {
    sketch.furniture(0, 0, cuboid([8.105, 0., from], [8.145, 2.1, to]));
    sketch.source.movers.push(MoverSource {
        node: "oak-door".to_owned(),
        meshes: sketch.source.meshes.pop().into_iter().collect(),
        is_door: true,
        track: Track::Turn {
            pivot: v(8.125, 0., from),
            axis: DVec3::Y,
            angle: 1.5,
        },
        drive: Drive::default(),
        moved_rooms: Vec::new(),
        moves_with: None,
    });
}

/// The house with openings that are smaller than their portal, and a degenerate triangle.
fn bent(at: [f64; 3]) -> LevelSource {
    let mut house = House::new();
    house.holes = [Some([2.45, 3.55, 0., 2.05]); 2];
    let mut sketch = house.sketch();
    let walls = &mut sketch.source.meshes[0];
    let corner = walls.positions.len() as u32;
    walls.positions.push(DVec3::from_array(at));
    walls.triangles.push([corner, corner, 0]);
    sketch.source
}

/// The house with a portal that is not in its opening, and a door panel in the opening.
fn shifted(portal: [f64; 4], panel: [f64; 2]) -> LevelSource {
    let house = House {
        portal: Some(portal),
        ..House::new()
    };
    let mut sketch = house.sketch();
    oak_door(&mut sketch, panel);
    sketch.source.movers[0].track = Track::Vanish;
    sketch.source
}

/// The house with the study above the hall, and two steps up to the study.
pub(crate) fn stairs() -> Sketch {
    let mut sketch = above().sketch();
    furniture(&mut sketch, 0, "upper", cuboid([7., 0., 2.], [8., 0.6, 4.]));
    furniture(
        &mut sketch,
        0,
        "lower",
        cuboid([6.4, 0., 2.], [7., 0.3, 4.]),
    );
    sketch
}

/// Adds a wedge that rises between these bounds in x.
fn ramp(sketch: &mut Sketch, [from, to]: [f64; 2], high: f64) {
    let corner = |x: f64, y: f64, z: f64| v(x, y, z);
    let [a, b, c] =
        [(from, 0.), (to, 0.), (to, high)].map(|(x, y)| [corner(x, y, 2.), corner(x, y, 4.)]);
    let mut triangles = vec![[a[0], c[0], b[0]], [a[1], b[1], c[1]]];
    triangles.extend(quad([a[0], a[1], c[1], c[0]]));
    triangles.extend(quad([b[0], c[0], c[1], b[1]]));
    triangles.extend(quad([a[0], b[0], b[1], a[1]]));
    sketch.mesh(0, 0, &triangles);
    sketch.source.meshes.last_mut().unwrap().node = "ramp".into();
}

/// The codes of the problems of a level, sorted.
fn codes(source: LevelSource) -> Vec<Code> {
    let (_, problems) = said(source);
    let mut codes: Vec<Code> = all(&problems).iter().map(|problem| problem.code).collect();
    codes.sort_unstable();
    codes
}

/// A cause suppresses its consequences, and nothing else.
#[test]
fn an_independent_mistake_is_named_beside_another() {
    let no_ceiling = |s: &mut Sketch| keep_faces(&mut s.source.meshes[0], |p| p.y < 2.99);
    let empty = House::then(|s| {
        no_ceiling(s);
        s.source.meshes.drain(STUDY);
    });
    assert_eq!(codes(empty), [Code::RoomEmpty, Code::RoomHole]);
    let merged = House::then(|s| {
        joined(s);
        s.source.lights[0].position.0.y = 9.;
    });
    assert_eq!(codes(merged), [Code::Light, Code::RoomEmpty]);
    let large = House::then(|s| {
        no_ceiling(s);
        scaled(&mut s.source, 100.);
    });
    assert_eq!(codes(large), [Code::Scale, Code::RoomHole]);
    let open = House::then(|s| {
        chamber(s, flat(30., DOOR));
        let walls = s.source.meshes.len() - 2;
        keep_faces(&mut s.source.meshes[walls], |p| p.y < 2.99);
    });
    assert_eq!(codes(open), [Code::RoomHole, Code::RoomUnreachable]);
    // A missing wall is not a doorway.
    let no_wall = House::then(|s| {
        attic(s, cuboid([30., 0., 0.], [33., 3., 3.]));
        keep_faces(s.source.meshes.last_mut().unwrap(), |p| p.x > 30.1);
    });
    assert_eq!(codes(no_wall), [Code::RoomHole, Code::RoomUnreachable]);
    let collapsed = bent([1., 0., 1.]);
    assert_eq!(
        codes(collapsed),
        [Code::PortalTooLarge, Code::DegenerateTriangles]
    );
    let narrow = shifted([2.7, 3.9, 0., 2.1], [2.4, 3.]);
    assert_eq!(codes(narrow), [Code::PortalGap, Code::DoorWithGap]);
    let hole = House::then(|s| {
        *s = House {
            more: vec![flat(14., [1., 1.4, 1., 1.4])],
            ..House::new()
        }
        .sketch();
        mirrored(s);
    });
    // The hole cut at x = 14 is mirrored to x = 8.25.
    assert_eq!(hole.meshes.len(), 4);
    let said = codes(hole);
    assert!(
        said.contains(&Code::PortalWallNotCut) && said.len() == 2,
        "{said:?}"
    );
    let mut stairs = stairs();
    stairs.source.meshes.truncate(4);
    // Furniture beside the removed stairs, which is not one of their steps.
    furniture(
        &mut stairs,
        0,
        "shelf",
        cuboid([7.5, 1.9, 4.5], [9., 2.1, 5.5]),
    );
    assert_eq!(
        codes(stairs.source),
        [Code::MeshInOtherRoom, Code::StepTooHigh]
    );
}

/// Steep surfaces that lead nowhere, and walkable slopes, cause no problems.
#[test]
fn slopes_beside_the_path_and_flat_ones_are_no_problem() {
    let mut flat_ramp = above().sketch();
    ramp(&mut flat_ramp, [6.8, 8.], 0.9);
    assert!(codes(flat_ramp.source).is_empty());
    let mut beside = stairs();
    furniture(&mut beside, 0, "roof", cuboid([1., 0., 4.5], [2., 1., 5.5]));
    let roof = beside.source.meshes.last_mut().unwrap();
    for p in &mut roof.positions {
        p.x += if p.y > 0.5 && p.x < 1.5 { 0.6 } else { 0. };
    }
    assert!(codes(beside.source).is_empty());
}

/// The problems of a level file after the nodes with these names were removed from their parents.
fn said_without_parent(name: &str, source: &LevelSource, nodes: &[&str]) -> Vec<Problem> {
    said_edited(name, source, |text| {
        nodes.iter().for_each(|node| take_away(text, node));
    })
}

/// The problems of a level whose file was edited. Each call writes a separate file, because tests run in parallel.
pub(crate) fn said_edited(
    name: &str,
    source: &LevelSource,
    edit: impl Fn(&mut Value),
) -> Vec<Problem> {
    let glb = write_glb(source).unwrap();
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let mut text: Value = serde_json::from_slice(&glb[20..20 + word(12)]).unwrap();
    edit(&mut text);
    let mut json = text.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let rest = &glb[20 + word(12)..];
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((20 + json.len() as u32 + rest.len() as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(&json);
    bytes.extend(rest);
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{call}-{name}"));
    std::fs::write(&path, bytes).unwrap();
    let mut inspection = inspect(&path);
    std::fs::remove_file(&path).unwrap();
    if let Ok(level) = &inspection.level {
        check_walking(level, &mut inspection.problems);
        check_bodies(level, &mut inspection.problems);
    }
    all(&inspection.problems).into_iter().cloned().collect()
}

/// Removes a node's parent, and keeps its position (in Blender: Clear and Keep Transformation).
fn take_away(text: &mut Value, name: &str) {
    let nodes = text["nodes"].as_array_mut().unwrap();
    let index = nodes.iter().position(|node| node["name"] == name).unwrap();
    let is_child = |of: &Value, index: usize| {
        let children = of["children"].as_array();
        children.is_some_and(|children| children.contains(&json!(index)))
    };
    let mut above = nodes.iter().position(|node| is_child(node, index)).unwrap();
    let children = nodes[above]["children"].as_array_mut().unwrap();
    children.retain(|child| child != index);
    let mut place = [0., 0., 0.];
    loop {
        for (at, by) in place
            .iter_mut()
            .zip(nodes[above]["translation"].as_array().into_iter().flatten())
        {
            *at += by.as_f64().unwrap();
        }
        match nodes.iter().position(|node| is_child(node, above)) {
            Some(next) => above = next,
            None => break,
        }
    }
    let holder = nodes.len();
    nodes.push(json!({"translation": place, "children": [index]}));
    let roots = text["scenes"][0]["nodes"].as_array_mut().unwrap();
    roots.push(json!(holder));
}

/// Adds a copy of a node with all of its children, each with a numeric suffix as in Blender; returns the copy's index.
fn duplicate(nodes: &mut Vec<Value>, index: usize) -> usize {
    let mut copy = nodes[index].clone();
    if let Some(name) = copy["name"].as_str() {
        copy["name"] = json!(format!("{name}.001"));
    }
    if let Some(children) = copy["children"].as_array_mut() {
        for child in children {
            *child = json!(duplicate(nodes, child.as_u64().unwrap() as usize));
        }
    }
    nodes.push(copy);
    nodes.len() - 1
}

/// Regression test: the portals and the door of a copied room, which coincide with those of the original, were reported
/// too.
#[test]
fn a_room_that_was_duplicated_in_place_is_named_alone() {
    let mut sketch = House::new().sketch();
    oak_door(&mut sketch, [2.4, 3.6]);
    let said = said_edited("duplicated.glb", &sketch.source, |text| {
        let nodes = text["nodes"].as_array_mut().unwrap();
        let is_hall = |node: &Value| node["name"] == "hall-room";
        let hall = nodes.iter().position(is_hall).unwrap();
        let copy = duplicate(nodes, hall);
        let roots = text["scenes"][0]["nodes"].as_array_mut().unwrap();
        roots.push(json!(copy));
    });
    assert!(said.len() == 1, "{said:?}");
    assert_eq!(
        (said[0].code, &*said[0].node),
        (Code::RoomNameTwice, "hall-room.001")
    );
}

/// The study's walls and its half of the reveal as one mesh.
fn one_shell() -> Sketch {
    let mut sketch = House::new().sketch();
    let reveal = sketch.source.meshes.remove(3);
    let walls = &mut sketch.source.meshes[2];
    let first = walls.positions.len() as u32;
    walls.positions.extend(reveal.positions);
    let triangles = reveal.triangles.iter().map(|t| t.map(|i| i + first));
    walls.triangles.extend(triangles);
    sketch
}

/// Regression test: a mesh that is ignored because it is no child of its room was also reported as missing.
#[test]
fn a_mesh_that_is_no_child_of_its_room_is_named_alone() {
    let from_the_study = || {
        let mut sketch = one_shell();
        sketch.source.portals.clear();
        sketch.portal(1, "hall", flat(8.125, DOOR), DVec3::NEG_X);
        sketch
    };
    let mut spawned = one_shell();
    spawned.source.spawns[0].position.0 = v(11., 0.1, 3.);
    let mut floor = House::new().sketch();
    keep_faces(&mut floor.source.meshes[2], |p| p.y > 0.01);
    let corners = [
        v(8.25, 0., 0.),
        v(8.25, 0., 6.),
        v(14., 0., 6.),
        v(14., 0., 0.),
    ];
    floor.mesh(1, 0, &quad(corners));
    floor.source.meshes.last_mut().unwrap().node = "floor".into();
    for (sketch, node, at) in [
        (stairs(), "upper", v(7.5, 0.3, 3.)),
        (one_shell(), "study_mesh", v(11.0625, 1.5, 3.)),
        (from_the_study(), "study_mesh", v(11.0625, 1.5, 3.)),
        (floor, "floor", v(11.125, 0., 3.)),
    ] {
        let said = said_without_parent("no_parent.glb", &sketch.source, &[node]);
        assert!(said.len() == 1, "{node}: {said:?}");
        assert_eq!(
            (said[0].code, &*said[0].node),
            (Code::MeshOutsideRoom, node)
        );
        let place = said[0].place.as_ref().unwrap().point.0;
        assert!(place.distance(at) < 0.01, "{place}");
    }
    let said = said_without_parent("no_start.glb", &spawned.source, &["study_mesh"]);
    assert!(
        said.len() == 1 && said[0].code == Code::MeshOutsideRoom,
        "{said:?}"
    );
}

#[test]
fn problems_beside_a_mesh_without_a_parent_are_named_too() {
    let mut no_ceiling = stairs();
    keep_faces(&mut no_ceiling.source.meshes[0], |p| p.y < 2.99);
    let mut no_steps = above().sketch();
    furniture(
        &mut no_steps,
        0,
        "table",
        cuboid([1., 0., 1.], [2., 0.8, 2.]),
    );
    let mut with_lamp = above().sketch();
    let lamp = cuboid([7.8, 0.7, 2.95], [7.9, 0.9, 3.05]);
    furniture(&mut with_lamp, 0, "lamp", lamp);
    let mut with_attic = House::new().sketch();
    furniture(&mut with_attic, 0, "table", table());
    with_attic.room("attic");
    let pit_hole = cuboid([4., 0., 4.], [6., 0., 5.5]);
    let house = House {
        more: vec![pit_hole],
        ..House::new()
    };
    let mut pit = house.sketch();
    let bottom = cuboid([4., -3., 4.], [6., 0., 5.5]);
    add_tube(&mut pit, 0, bottom, &[pit_hole]);
    furniture(&mut pit, 0, "table", table());
    let mut far_hole = one_shell();
    keep_faces(&mut far_hole.source.meshes[0], |p| p.x > 0.01);
    for (sketch, node, other) in [
        (no_ceiling, "upper", Code::RoomHole),
        (no_steps, "table", Code::StepTooHigh),
        (with_lamp, "lamp", Code::StepTooHigh),
        (with_attic, "table", Code::RoomEmpty),
        (pit, "table", Code::NoWayBack),
        (far_hole, "study_mesh", Code::RoomHole),
    ] {
        let said = said_without_parent("both.glb", &sketch.source, &[node]);
        let mut codes: Vec<Code> = said.iter().map(|problem| problem.code).collect();
        codes.sort_unstable();
        let mut expected = [Code::MeshOutsideRoom, other];
        expected.sort_unstable();
        assert_eq!(codes, expected, "{said:?}");
    }
}

/// Regression test: if the meshes had no triangles, each room was reported as having no meshes, and its contents as
/// being in no room.
#[test]
fn meshes_without_triangles_are_named_alone() {
    let source = House::new().sketch().source;
    let as_lines = |text: &mut Value, is_of_room: &dyn Fn(&str) -> bool| {
        let nodes = text["nodes"].as_array().unwrap().clone();
        for node in nodes.iter().filter(|node| node["mesh"].is_u64()) {
            if is_of_room(node["name"].as_str().unwrap()) {
                let mesh = &mut text["meshes"][node["mesh"].as_u64().unwrap() as usize];
                let primitives = mesh["primitives"].as_array_mut().unwrap();
                primitives.iter_mut().for_each(|p| p["mode"] = json!(1));
            }
        }
    };
    for room in ["", "study"] {
        let is_of_room = |name: &str| name.starts_with(room) && !name.ends_with("-portal");
        let said = said_edited("lines.glb", &source, |text| as_lines(text, &is_of_room));
        let are_skipped = said.iter().all(|p| p.code == Code::MeshSkipped);
        assert!(!said.is_empty() && are_skipped, "{room}: {said:?}");
    }
}

#[test]
fn a_portal_without_a_room_has_a_place() {
    let said = said_without_parent("lost_portal.glb", &House::new().sketch().source, &[PORTAL]);
    assert!(
        said.len() == 1 && said[0].code == Code::PortalOutsideRoom,
        "{said:?}"
    );
    let place = said[0].place.as_ref().unwrap().point.0;
    assert!(place.distance(v(8.125, 1.05, 3.)) < 0.01, "{place}");
    assert!(
        said[0]
            .message
            .starts_with("at (8.12, -3.00, 1.05) in Blender"),
        "{said:?}"
    );
}

/// Regression test: if a door panel was no child of a room, its mesh and the mesh of its handle were reported too.
#[test]
fn a_door_panel_that_is_no_child_of_a_room_is_named_alone() {
    let mut sketch = House::new().sketch();
    oak_door(&mut sketch, [2.4, 3.6]);
    let said = said_without_parent("lost_door.glb", &sketch.source, &["oak-door"]);
    assert!(
        said.len() == 1 && said[0].code == Code::DoorOutsideRoom,
        "{said:?}"
    );
    let place = said[0].place.as_ref().unwrap().point.0;
    assert!(place.distance(v(8.125, 1.05, 3.)) < 0.01, "{place}");
}

/// Regression test: if a room was given the name of another, the portal to its former name was reported too.
#[test]
fn a_room_that_was_given_the_name_of_another_is_named_alone() {
    let source = House::new().sketch().source;
    let said = said_edited("renamed.glb", &source, |text| {
        let mut nodes = text["nodes"].as_array_mut().unwrap().iter_mut();
        let study = nodes.find(|node| node["name"] == "study-room");
        study.unwrap()["name"] = json!("hall-room.001");
    });
    assert!(
        said.len() == 1 && said[0].code == Code::RoomNameTwice,
        "{said:?}"
    );
}

/// Regression test: a room with flattened walls was also reported as inside out, and its lamp as being in a wall.
#[test]
fn walls_that_were_flattened_are_named_alone() {
    let said = said_edited("flattened.glb", &one_shell().source, |text| {
        let mut nodes = text["nodes"].as_array_mut().unwrap().iter_mut();
        let walls = nodes.find(|node| node["name"] == "study_mesh");
        walls.unwrap()["scale"] = json!([1., 0., 1.]);
    });
    assert!(
        said.len() == 1 && said[0].code == Code::FlatScale,
        "{said:?}"
    );
}

/// Regression test: if a room is a collection instead of a node, its portal and each of its meshes were reported as
/// being in no room.
#[test]
fn a_room_that_is_a_collection_is_named_by_its_portal_alone() {
    let said = said_edited("collection.glb", &one_shell().source, |text| {
        let mut nodes = text["nodes"].as_array_mut().unwrap().iter_mut();
        let study = nodes.find(|node| node["name"] == "study-room");
        study.unwrap()["name"] = json!("things");
    });
    let [problem] = &said[..] else {
        panic!("{said:?}");
    };
    assert_eq!(problem.code, Code::PortalUnknownRoom);
    assert!(problem.message.contains("`study-room`"), "{problem}");
}

/// Regression test: if the property of an open room was misspelt, its hole towards the sky was reported too.
#[test]
fn a_room_in_the_open_whose_property_is_misspelt_is_named_alone() {
    let source = House::then(|s| keep_faces(&mut s.source.meshes[0], |p| p.y < 2.99));
    for property in ["Open", "opne"] {
        let said = said_edited("misspelt.glb", &source, |text| {
            let mut nodes = text["nodes"].as_array_mut().unwrap().iter_mut();
            let hall = nodes.find(|node| node["name"] == "hall-room").unwrap();
            hall["extras"] = json!({property: true});
        });
        assert!(
            said.len() == 1 && said[0].code == Code::RoomOpen,
            "{said:?}"
        );
        assert!(said[0].message.contains("`open` is,"), "{said:?}");
    }
}
