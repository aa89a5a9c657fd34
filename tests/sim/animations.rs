//! Movers that follow the animation of their node.

use base64::prelude::{BASE64_STANDARD, Engine};
use glam::{DQuat, DVec3};
use opendoor::level::{Level, MoverId};
use opendoor::load::load_bytes;
use opendoor::problems::Problems;
use serde_json::{Value, json};

use crate::hostile::folder;

/// An animation channel: the animated property, the interpolation, the times and the numbers of the values.
type Channel<'a> = (&'a str, &'a str, &'a [f32], &'a [f32]);

/// Two rooms with a vase, half a metre off its room's origin, that has these animation channels.
fn level(channels: &[Channel]) -> Result<(Level, Problems), Problems> {
    level_with(2, channels)
}

/// Two rooms with these animation channels on another node.
fn level_with(node: usize, channels: &[Channel]) -> Result<(Level, Problems), Problems> {
    let good = std::fs::read(folder().join("good.gltf")).unwrap();
    let mut file: Value = serde_json::from_slice(&good).unwrap();
    file["nodes"][2]["name"] = json!("vase-mover");
    file["nodes"][2]["translation"] = json!([0.5, 0.0, 0.0]);
    let mut bytes: Vec<u8> = Vec::new();
    let (mut samplers, mut targets) = (Vec::new(), Vec::new());
    for (nth, (path, interpolation, times, values)) in channels.iter().enumerate() {
        let (kind, width) = if *path == "rotation" {
            ("VEC4", 4)
        } else {
            ("VEC3", 3)
        };
        let mut accessor = |kind: &str, width: usize, numbers: &[f32]| {
            let views = file["bufferViews"].as_array_mut().unwrap();
            let (offset, length) = (bytes.len(), 4 * numbers.len());
            views.push(json!({"buffer": 1, "byteOffset": offset, "byteLength": length}));
            let view = views.len() - 1;
            bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
            let accessors = file["accessors"].as_array_mut().unwrap();
            accessors.push(json!({
                "bufferView": view,
                "componentType": 5126,
                "count": numbers.len() / width,
                "type": kind,
            }));
            accessors.len() - 1
        };
        let (input, output) = (accessor("SCALAR", 1, times), accessor(kind, width, values));
        samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
        targets.push(json!({"sampler": nth, "target": {"node": node, "path": path}}));
    }
    let data = BASE64_STANDARD.encode(&bytes);
    let uri = format!("data:application/octet-stream;base64,{data}");
    let buffers = file["buffers"].as_array_mut().unwrap();
    buffers.push(json!({"uri": uri, "byteLength": bytes.len()}));
    file["animations"] = json!([{"channels": targets, "samplers": samplers}]);
    load_bytes("animated", file.to_string().as_bytes())
}

/// The displacement of the vase's origin after `seconds`, and the vase's rotation.
fn pose(level: &Level, seconds: f64) -> (DVec3, DQuat) {
    let mover = level.mover(MoverId(0));
    let pose = mover
        .track
        .pose(seconds * 60.0 / f64::from(mover.drive.ticks));
    let origin = level.from_author(opendoor::level::AuthorPoint(DVec3::X * 0.5));
    (
        pose.point(origin) - origin,
        DQuat::from_mat3(&pose.rotation()),
    )
}

#[test]
fn keys_are_met_and_between_them_the_way_is_that_of_the_interpolation() {
    let times = [0.0, 1.0, 3.0];
    let moved = [0.5, 0.0, 0.0, 0.5, 2.0, 0.0, 1.5, 2.0, 0.0];
    let (linear, _) = level(&[("translation", "LINEAR", &times, &moved)]).unwrap();
    let (step, _) = level(&[("translation", "STEP", &times, &moved)]).unwrap();
    // Tangents are zero at each key: halfway in time is halfway along the path.
    let zero = [0.0; 3];
    let spline: Vec<f32> = moved
        .chunks(3)
        .flat_map(|value| [&zero, value, &zero].concat())
        .collect();
    let (spline, _) = level(&[("translation", "CUBICSPLINE", &times, &spline)]).unwrap();
    for (level, seconds, expected) in [
        (&linear, 0.5, DVec3::Y),
        (&linear, 1.0, DVec3::Y * 2.0),
        (&linear, 2.0, DVec3::new(0.5, 2.0, 0.0)),
        (&linear, 3.0, DVec3::new(1.0, 2.0, 0.0)),
        (&step, 0.99, DVec3::ZERO),
        (&step, 1.0, DVec3::Y * 2.0),
        (&step, 2.99, DVec3::Y * 2.0),
        (&step, 3.0, DVec3::new(1.0, 2.0, 0.0)),
        (&spline, 0.25, DVec3::Y * (2.0 * 0.15625)),
        (&spline, 0.5, DVec3::Y),
        (&spline, 3.0, DVec3::new(1.0, 2.0, 0.0)),
    ] {
        let (offset, _) = pose(level, seconds);
        assert!(
            offset.abs_diff_eq(expected, 1e-6),
            "{seconds}: {offset} {expected}"
        );
    }
    assert_eq!(linear.mover(MoverId(0)).drive.ticks, 180);
}

#[test]
fn rotations_are_about_the_origin_of_the_node_and_take_the_shorter_direction() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // A quarter turn about Y. All signs of its quaternion are changed, which gives the same rotation.
    let turns = [0.0, 0.0, 0.0, 1.0, 0.0, -half, 0.0, -half];
    let (level, problems) = level(&[("rotation", "LINEAR", &[0.0, 2.0], &turns)]).unwrap();
    let (offset, turned) = pose(&level, 1.0);
    let expected = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4);
    assert!(offset.length() < 1e-6, "{offset}");
    assert!(turned.dot(expected).abs() > 1.0 - 1e-9, "{turned}");
    assert!(
        problems
            .warnings
            .iter()
            .all(|problem| problem.code != "mover-property")
    );
}

#[test]
fn an_animation_that_begins_elsewhere_or_makes_no_sense_is_named() {
    let here = [0.5, 0.0, 0.0];
    let there = [0.5, 1.0, 0.0];
    let nan = [0.5, f32::NAN, 0.0];
    let two = |a: [f32; 3], b: [f32; 3]| [a, b].concat();
    for (times, values) in [
        (vec![0.0, 1.0], two(there, here)),
        (vec![1.0, 0.5], two(here, there)),
        (vec![0.0, 0.0], two(here, there)),
        (vec![-1.0, 1.0], two(here, there)),
        (vec![0.0, f32::INFINITY], two(here, there)),
        (vec![0.0, 1.0], two(here, nan)),
        (vec![0.0, 1.0, 2.0], two(here, there)),
        (vec![0.0], here.to_vec()),
    ] {
        let (_, problems) = level(&[("translation", "LINEAR", &times, &values)]).unwrap();
        let mut warnings = problems.warnings.iter();
        let named = warnings.any(|p| p.code == "mover-property" && p.node == "vase-mover");
        assert!(named, "{times:?} {values:?}");
    }
}

#[test]
fn an_animated_room_moves_with_its_followers() {
    let moved = [0.0, 0.0, 0.0, 0.0, 3.0, 0.0];
    let (level, problems) =
        level_with(5, &[("translation", "LINEAR", &[0.0, 2.0], &moved)]).unwrap();
    assert_eq!(problems.warnings, []);
    let mover = level.mover(MoverId(0));
    let room = level.room_named("a").unwrap();
    assert_eq!(mover.moved_rooms, [room]);
    assert_eq!((mover.name.as_str(), mover.drive.ticks), ("a-room", 120));
    let lifted = mover.track.pose(0.5).point(DVec3::ZERO);
    assert!(lifted.distance(DVec3::Y * 1.5) < 1e-12, "{lifted}");
    assert_eq!(level.room(room).moved_by, Some(MoverId(0)));
}

#[test]
fn a_mover_goes_along_empties_in_the_order_of_their_numbers() {
    let path = |extras: Value| {
        let good = std::fs::read(folder().join("good.gltf")).unwrap();
        let mut file: Value = serde_json::from_slice(&good).unwrap();
        file["nodes"][2]["name"] = json!("vase-mover");
        file["nodes"][2]["extras"] = extras;
        let nodes = file["nodes"].as_array_mut().unwrap();
        for (name, at) in [("rail.001", [1.0, 2.0, 0.0]), ("rail", [1.0, 0.0, 0.0])] {
            nodes.push(json!({"name": name, "translation": at}));
        }
        file["nodes"][5]["children"] = json!([0, 1, 2, 3, 7, 8]);
        load_bytes("path", file.to_string().as_bytes()).unwrap()
    };
    let (level, problems) = path(json!({"path": "rail", "speed": 2.0}));
    assert_eq!(problems.warnings, []);
    let mover = level.mover(MoverId(0));
    assert_eq!(mover.drive.ticks, 90);
    for (metres, x, y) in [
        (0.5, 0.5, 0.0),
        (1.0, 1.0, 0.0),
        (2.0, 1.0, 1.0),
        (3.0, 1.0, 2.0),
    ] {
        let at = mover.track.pose(metres / 3.0).point(DVec3::ZERO);
        assert!(at.distance(DVec3::new(x, y, 0.0)) < 1e-12, "{metres}: {at}");
    }
    let (_, problems) = path(json!({"path": "road"}));
    assert_eq!(problems.warnings.len(), 1);
    assert!(problems.warnings[0].message.contains("`road`"));
}

#[test]
fn a_way_begins_with_its_first_key_wherever_that_is_on_the_timeline() {
    let moved = [0.5, 0.0, 0.0, 0.5, 2.0, 0.0];
    for start in [0.0_f32, 0.25, 2.5, 100.0] {
        let times = [start, start + 1.0];
        let (level, problems) = level(&[("translation", "LINEAR", &times, &moved)]).unwrap();
        assert_eq!(problems.warnings, [], "{start}");
        assert_eq!(level.mover(MoverId(0)).drive.ticks, 60, "{start}");
        let (offset, _) = pose(&level, 0.5);
        assert!(offset.abs_diff_eq(DVec3::Y, 1e-6), "{start}: {offset}");
    }
}

#[test]
fn scale_keys_of_a_mover_are_named_and_make_no_slide() {
    let grown = [1.0, 1.0, 1.0, 1.0, 8.0, 1.0];
    let (level, problems) = level(&[("scale", "LINEAR", &[0.0, 1.0], &grown)]).unwrap();
    let said = &problems.warnings;
    assert!(
        said.len() == 1 && said[0].message.contains("scale"),
        "{said:?}"
    );
    assert_eq!(said[0].node, "vase-mover");
    assert_eq!(pose(&level, 1.0).0, DVec3::ZERO);
}
