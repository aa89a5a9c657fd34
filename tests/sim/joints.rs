//! Joints of files: their properties, their problems, and that they are written as they were read.

use glam::{DMat3, DQuat, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::gltf::{read_source_bytes, write_glb};
use opendoor::level::{AuthorPoint, JointBase, JointKind};
use opendoor::problems::ProblemCode as Code;
use opendoor::source::{BodyShape, BodySource, JointSource, LevelSource};
use serde_json::{Value, json};

use crate::checks::House;
use crate::checks_followers::said_edited;

/// A house with two crates, one above the other.
fn house() -> LevelSource {
    House::then(|sketch| {
        for (node, y) in [("lamp-body", 1.0), ("rod-body", 1.6)] {
            add_crate(sketch, node, DVec3::new(1.5, y, 0.5));
        }
    })
}

fn add_crate(sketch: &mut Sketch, node: &str, place: DVec3) {
    let half = DVec3::splat(0.2);
    let outside = cuboid((place - half).to_array(), (place + half).to_array());
    sketch.furniture(0, 0, outside);
    sketch.source.bodies.push(BodySource {
        node: node.to_owned(),
        meshes: sketch.source.meshes.pop().into_iter().collect(),
        shape: BodyShape::Box,
        axes: DMat3::IDENTITY,
        mass: Some(1.0),
        friction: None,
        bounce: None,
    });
}

fn joint(kind: JointKind, bodies: &[&str]) -> JointSource {
    JointSource {
        node: "lamp-joint".to_owned(),
        room: Some(0),
        position: AuthorPoint(DVec3::new(1.5, 2.0, 0.5)),
        axes: DMat3::from_quat(DQuat::from_rotation_z(0.5)),
        bodies: bodies.iter().map(|&body| body.to_owned()).collect(),
        kind,
        damping: 0.25,
    }
}

#[test]
fn joints_are_written_as_they_are_read() {
    let limits = Some([-0.5, 1.25]);
    for kind in [
        JointKind::Ball,
        JointKind::Hinge { limits: None },
        JointKind::Hinge { limits },
        JointKind::Rope { length: 1.5 },
    ] {
        let mut source = house();
        source.joints.push(joint(kind, &["lamp-body", "rod-body"]));
        let (read, _) = read_source_bytes("joint", &write_glb(&source).unwrap()).unwrap();
        let [was, is] = [&source, &read].map(|source| source.joints[0].clone());
        assert_eq!(is.node, was.node);
        assert_eq!(is.bodies, was.bodies);
        assert_eq!(is.damping, was.damping);
        assert!((is.position.0 - was.position.0).length() < 1e-6);
        assert!(is.axes.abs_diff_eq(was.axes, 1e-6));
        let numbers = |kind| match kind {
            JointKind::Hinge {
                limits: Some(limits),
            } => (1, limits),
            JointKind::Hinge { limits: None } => (2, [0.0; 2]),
            JointKind::Rope { length } => (3, [length, 0.0]),
            _ => (0, [0.0; 2]),
        };
        let (was, is) = (numbers(was.kind), numbers(is.kind));
        assert_eq!(is.0, was.0);
        for (is, was) in is.1.into_iter().zip(was.1) {
            assert!((is - was).abs() < 1e-12, "{is} {was}");
        }
    }
}

/// Suffixes of names may be omitted. A rope is attached to the nearest point of its body, and is at least as long as
/// the distance to that point.
#[test]
fn joints_find_their_bodies_and_places() {
    let mut source = house();
    source
        .joints
        .push(joint(JointKind::Rope { length: 0.0 }, &["lamp"]));
    let (level, problems) = build(source).unwrap();
    assert!(
        problems
            .warnings
            .iter()
            .all(|p| p.code != Code::JointBodies)
    );
    let joint = &level.joints.all[0];
    assert_eq!(level.body(joint.body).name, "lamp-body");
    let end = joint.body_from_joint.translation();
    assert!((end - DVec3::Y * 0.2).length() < 1e-9, "{end}");
    let JointKind::Rope { length } = joint.kind else {
        panic!("{:?}", joint.kind);
    };
    assert!((length - 0.8).abs() < 1e-9, "{length}");
    let JointBase::Room(at, _) = joint.base else {
        panic!("{:?}", joint.base);
    };
    assert_eq!(level.to_author(at.point).0, DVec3::new(1.5, 2.0, 0.5));
}

#[test]
fn wrong_properties_of_a_joint_are_named() {
    let mut source = house();
    source.joints.push(joint(JointKind::Ball, &["lamp-body"]));
    let bodies = Code::JointBodies;
    let property = Code::JointProperty;
    let cases: [(Value, Option<Code>); 11] = [
        (json!({"bodies": "lamp"}), None),
        (json!({"bodies": "lamp, rod-body"}), None),
        (
            json!({"bodies": ["lamp-body", "rod"], "joint": "Hinge", "lower_angle": -10.0}),
            None,
        ),
        (
            json!({"bodies": {"name": "lamp-body", "type": "OBJECT"}}),
            None,
        ),
        (json!({}), Some(bodies)),
        (json!({"bodies": "lamp, lamp-body"}), Some(bodies)),
        (json!({"bodies": "lamp, rod, lamp"}), Some(bodies)),
        (json!({"bodies": "chandelier"}), Some(bodies)),
        (json!({"bodies": "lamp", "joint": "glue"}), Some(property)),
        (
            json!({"bodies": "lamp", "joint": "hinge", "lower_angle": 20.0}),
            Some(property),
        ),
        (
            json!({"bodies": "lamp", "joint": "rope", "length": "long"}),
            Some(property),
        ),
    ];
    for (extras, expected) in cases {
        let problems = said_edited("joint.glb", &source, |text| {
            let mut nodes = text["nodes"].as_array_mut().unwrap().iter_mut();
            let node = nodes.find(|node| node["name"] == "lamp-joint").unwrap();
            node["extras"] = extras.clone();
        });
        let said = problems.iter().filter(|p| p.node == "lamp-joint");
        let said: Vec<Code> = said.map(|p| p.code).collect();
        assert_eq!(said, Vec::from_iter(expected), "{extras}");
    }
}
