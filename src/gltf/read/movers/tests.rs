//! Tests of the properties of movers, and of the tracks that result from them.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::*;
use crate::level::Track;
use crate::source::{MeshSource, MoverSource};

/// The track and the drive of a mover with these properties, and the warnings. Its node is at (10, 20, 30), and its
/// mesh is a box from `min` to `max` relative to the node; in Blender's axes.
fn mover(json: &str, is_door: bool, [min, max]: [[f64; 3]; 2]) -> (Track, Drive, Vec<String>) {
    let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
    let extras = Properties::of(Some(&raw));
    let mut problems = Problems::default();
    let at = DAffine3::from_translation(DVec3::new(10.0, 20.0, 30.0));
    let (motion, drive) = read(&extras, is_door, (0, &at), "it", &mut problems);
    let corner = |[x, y, z]: [f64; 3]| at.transform_point3(DVec3::new(x, z, -y));
    let mut mover = MoverSource {
        is_door,
        drive,
        meshes: vec![MeshSource {
            room: 0,
            node: "it".into(),
            positions: vec![corner(min), corner(max)],
            normals: Vec::new(),
            tangents: Vec::new(),
            uvs: [Vec::new(), Vec::new()],
            colours: Vec::new(),
            triangles: Vec::new(),
            material: 0,
            drawn: true,
            solid: true,
        }],
        ..MoverSource::vanishing_door("it", Vec::new())
    };
    motion.by_properties(&mut mover, &BTreeMap::new());
    let warnings = problems.warnings.iter().map(|p| p.message.clone());
    (mover.track, mover.drive, warnings.collect())
}

fn turn(pivot: [f64; 3], axis: DVec3, degrees: f64) -> Track {
    Track::Turn {
        pivot: DVec3::from_array(pivot),
        axis,
        angle: degrees.to_radians(),
    }
}

#[test]
fn a_door_is_hinged_at_its_origin_or_at_its_side_and_a_hatch_about_a_level_line() {
    let at_edge = [[0.0, -0.05, 0.0], [0.9, 0.05, 2.0]];
    let in_middle = [[-0.45, -0.02, -1.0], [0.45, 0.08, 1.0]];
    let flat = [[-0.5, -0.5, -0.1], [0.5, 0.5, 0.0]];
    for (shape, track) in [
        (at_edge, turn([10.0, 20.0, 30.0], DVec3::Y, 90.0)),
        (in_middle, turn([9.55, 20.0, 29.97], DVec3::Y, 90.0)),
        (flat, turn([9.5, 19.95, 30.0], DVec3::NEG_Z, 90.0)),
    ] {
        let (found, drive, warnings) = mover("{}", true, shape);
        let near = |part: f64| {
            let p = DVec3::new(10.3, 20.7, 30.1);
            found
                .pose(part)
                .point(p)
                .distance(track.pose(part).point(p))
                < 1e-12
        };
        assert!(near(0.3) && near(1.0), "{found:?} {track:?}");
        assert_eq!((drive.ticks, drive.cycle), (48, Cycle::Call));
        assert_eq!(warnings, [""; 0]);
    }
}

#[test]
fn slides_move_along_an_axis_of_blender_by_their_size_or_by_the_given_distance() {
    let shape = [[-1.0, -2.0, 0.0], [1.0, 2.0, 0.5]];
    for (json, is_door, by) in [
        (r#"{"motion":"slide"}"#, true, DVec3::X * 2.0),
        ("{}", false, DVec3::Y * 0.5),
        (r#"{"distance":3}"#, false, DVec3::Y * 3.0),
        (r#"{"axis":"Y"}"#, false, DVec3::NEG_Z * 4.0),
        (r#"{"axis":"-y","distance":"1.5"}"#, false, DVec3::Z * 1.5),
    ] {
        let (track, ..) = mover(json, is_door, shape);
        assert_eq!(track, Track::Slide(by), "{json}");
    }
}

#[test]
fn the_duration_is_given_in_seconds_or_by_a_speed() {
    let shape = [[-1.0, -2.0, 0.0], [1.0, 2.0, 0.5]];
    for (json, ticks, wait) in [
        (r#"{"time":2,"wait":0.5}"#, 120, 30),
        (r#"{"distance":6,"speed":2}"#, 180, 0),
        (r#"{"motion":"turn","speed":90}"#, 240, 0),
        (r#"{"time":0}"#, 1, 0),
    ] {
        let (_, drive, _) = mover(json, false, shape);
        assert_eq!((drive.ticks, drive.wait_ticks), (ticks, wait), "{json}");
    }
}

#[test]
fn a_door_that_opens_by_itself_closes_by_itself_and_a_conveyor_stands_still() {
    let shape = [[-1.0, -2.0, 0.0], [1.0, 2.0, 0.5]];
    let (_, drive, _) = mover(r#"{"opens":"approach"}"#, true, shape);
    assert_eq!((drive.cycle, drive.wait_ticks), (Cycle::Return, 120));
    let (track, drive, _) = mover(r#"{"conveyor":[1,2,0]}"#, false, shape);
    assert_eq!(track, Track::Slide(DVec3::ZERO));
    assert_eq!(drive.surface_velocity, DVec3::new(1.0, 0.0, -2.0));
}

#[test]
fn invalid_properties_are_named_and_ignored() {
    let shape = [[-1.0, -2.0, 0.0], [1.0, 2.0, 0.5]];
    for json in [
        r#"{"motion":"fly"}"#,
        r#"{"starts":"approach"}"#,
        r#"{"axis":"w"}"#,
        r#"{"cycle":3}"#,
        r#"{"time":"soon"}"#,
        r#"{"time":-1}"#,
        r#"{"angle":1e9}"#,
        r#"{"conveyor":[1,2]}"#,
        r#"{"conveyor":[1,2,1e300]}"#,
        r#"{"locked":"maybe"}"#,
        r#"{"ajar":2}"#,
        r#"{"speed":0}"#,
    ] {
        let (.., warnings) = mover(json, false, shape);
        assert_eq!(warnings.len(), 1, "{json}: {warnings:?}");
    }
}
