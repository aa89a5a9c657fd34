//! Bodies of files with OMI_physics_body and OMI_physics_shape, in the form that Godot writes.

use opendoor::author::sketch::cuboid;
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::collision::BroadPhase;
use opendoor::glam::DVec3;
use opendoor::gltf::write_glb;
use opendoor::level::{BodyId, Level};
use opendoor::load::load_bytes;
use opendoor::problems::{ProblemCode, Problems};
use opendoor::shapes::Shape;
use opendoor::world::World;
use serde_json::{Value, json};

use crate::hall::{GRAVITY, hall};

/// A file with a hall of 8 m, to which nodes can be added.
struct File {
    json: Value,
    binary: Vec<u8>,
    /// The index of the mesh of a cube of 0.4 m. The cube's centre is the author's origin, in the coordinates of the
    /// hall's node.
    cube: usize,
}

impl File {
    fn new() -> Self {
        let mut sketch = hall(DVec3::splat(8.0));
        sketch.furniture(0, 0, cuboid([-0.2; 3], [0.2; 3]));
        let cube = sketch.source.meshes.last_mut().expect("it was added");
        cube.node = "cube".into();
        let bytes = write_glb(&sketch.source).expect("it can be written");
        let length = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
        let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("it is JSON");
        let binary = bytes[20 + length..].to_vec();
        let nodes = json["nodes"].as_array_mut().expect("there are nodes");
        let cube = nodes.iter().position(|node| node["name"] == "cube");
        let cube = cube.expect("it is there");
        let mesh = nodes[cube]["mesh"].as_u64().expect("it has a mesh") as usize;
        nodes[cube] = json!({"name": "nothing"});
        json["extensionsUsed"] = json!(["OMI_physics_body", "OMI_physics_shape"]);
        json["extensions"] = json!({"OMI_physics_shape": {"shapes": []}});
        Self {
            json,
            binary,
            cube: mesh,
        }
    }

    fn add_shape(&mut self, shape: Value) -> usize {
        let shapes = &mut self.json["extensions"]["OMI_physics_shape"]["shapes"];
        let shapes = shapes.as_array_mut().expect("it is a list");
        shapes.push(shape);
        shapes.len() - 1
    }

    /// Adds a node below the hall's node, at a position in author's coordinates.
    fn add(&mut self, mut node: Value, at: [f64; 3]) -> usize {
        let nodes = self.json["nodes"].as_array_mut().expect("a list");
        let room = nodes.iter().position(|node| node["name"] == "hall-room");
        let room = room.expect("it is there");
        let origin = nodes[room]["translation"].clone();
        let relative = [0, 1, 2].map(|i| at[i] - origin[i].as_f64().unwrap_or(0.0));
        node["translation"] = json!(relative);
        nodes.push(node);
        let index = nodes.len() - 1;
        let children = nodes[room]["children"].as_array_mut().expect("a list");
        children.push(json!(index));
        index
    }

    /// Adds a child node with the cube's mesh.
    fn look(&mut self) -> usize {
        let origin = self.origin();
        self.child(json!({"name": "Look", "mesh": self.cube, "translation": origin}))
    }

    /// The position of the hall's node.
    fn origin(&self) -> Value {
        let mut nodes = self.json["nodes"].as_array().expect("a list").iter();
        let hall = nodes.find(|node| node["name"] == "hall-room");
        hall.expect("it is there")["translation"].clone()
    }

    /// Adds a node that becomes a child of a node added later.
    fn child(&mut self, node: Value) -> usize {
        let nodes = self.json["nodes"].as_array_mut().expect("a list");
        nodes.push(node);
        nodes.len() - 1
    }

    /// Adds a child node with a collider of this shape.
    fn collider(&mut self, shape: Value) -> usize {
        let shape = self.add_shape(shape);
        self.child(json!({"name": "Shape", "extensions": {
            "OMI_physics_body": {"collider": {"shape": shape}}
        }}))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(&self.json).expect("it is JSON");
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = |bytes: usize| (bytes as u32).to_le_bytes();
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend(length(20 + text.len() + self.binary.len()));
        bytes.extend(length(text.len()));
        bytes.extend(b"JSON");
        bytes.extend(text);
        bytes.extend(&self.binary);
        bytes
    }

    fn load(&self) -> (Level, Problems) {
        let loaded = load_bytes("file", &self.bytes());
        loaded
            .map_err(|problems| problems.to_string())
            .expect("it can be used")
    }
}

/// A body with these children.
fn dynamic(children: &[usize]) -> Value {
    json!({"name": "Crate", "children": children, "extensions": {
        "OMI_physics_body": {"motion": {"type": "dynamic", "mass": 7.0}}
    }})
}

/// A level with one body that has one shape, a metre above the floor.
fn with(shape: Value) -> (Level, Problems) {
    let mut file = File::new();
    let collider = file.collider(shape);
    file.add(dynamic(&[collider]), [0.0, 1.0, 0.0]);
    file.load()
}

fn warnings(problems: &Problems) -> Vec<String> {
    let warnings = problems.warnings.iter();
    warnings.map(|warning| warning.to_string()).collect()
}

/// The position where the first body comes to rest.
fn rest_of(level: &Level) -> DVec3 {
    let (mut world, mut workspace) = (World::of(level), BodyWorkspace::default());
    for _ in 0..600 {
        let phase = BroadPhase::Portals;
        tick_bodies(level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
    }
    assert_eq!(world.bodies.awake_count(), 0);
    level.to_author(world.bodies.state(BodyId(0)).at.point).0
}

#[test]
fn each_shape_is_a_body_of_its_size_that_comes_to_rest_on_the_floor() {
    let round = json!({"height": 0.6, "radiusBottom": 0.25, "radiusTop": 0.25});
    // Each case is a shape, its volume, and the height of its centre at rest. A polygon of 16 sides has less area than
    // its circle.
    let sides = 16.0 / 2.0 * (std::f64::consts::TAU / 16.0).sin();
    let cases = [
        (
            json!({"type": "sphere", "sphere": {"radius": 0.3}}),
            0.113_097,
            0.3,
        ),
        (
            json!({"type": "box", "box": {"size": [0.4, 0.6, 0.5]}}),
            0.12,
            0.3,
        ),
        (json!({"type": "box"}), 1.0, 0.5),
        (
            json!({"type": "cylinder", "cylinder": round}),
            sides * 0.0625 * 0.6,
            0.3,
        ),
        (
            json!({"type": "capsule", "capsule": round}),
            std::f64::consts::PI * 0.0625 * (0.6 + 0.25 * 4.0 / 3.0),
            0.55,
        ),
    ];
    for (shape, volume, height) in cases {
        let (level, problems) = with(shape.clone());
        assert_eq!(warnings(&problems), [""; 0], "{shape}");
        let body = &level.bodies[0];
        assert_eq!((body.name.as_str(), body.mass.mass), ("Crate", 7.0));
        let found = body.shape.mass_properties(1.0).mass;
        assert!((found / volume - 1.0).abs() < 1e-4, "{shape}: {found}");
        let rest = rest_of(&level);
        assert!((rest.y - height).abs() < 2e-3, "{shape}: {rest}");
    }
    let (level, _) = with(json!({"type": "capsule", "capsule": round}));
    assert!(matches!(
        level.bodies[0].shape,
        Shape::Capsule { half_segment, radius }
            if (radius - 0.25).abs() < 1e-12 && half_segment.distance(DVec3::Y * 0.3) < 1e-12
    ));
    // A tapered capsule is a hull of 16 sides.
    let tapered = json!({"height": 0.6, "radiusBottom": 0.25, "radiusTop": 0.2});
    let (level, _) = with(json!({"type": "capsule", "capsule": tapered}));
    let Shape::Hull(hull) = &level.bodies[0].shape else {
        panic!("it is a hull")
    };
    let bounds = hull
        .corners()
        .iter()
        .fold(DVec3::ZERO, |b, p| b.max(p.abs()));
    assert!(
        bounds.distance(DVec3::new(0.25, 0.55, 0.25)) < 0.03,
        "{bounds}"
    );
    assert!(
        matches!(with(json!({"type": "sphere"})).0.bodies[0].shape, Shape::Sphere { radius } if (radius - 0.5).abs() < 1e-12)
    );
}

#[test]
fn meshes_become_hulls_or_keep_their_triangles() {
    for (kind, is_hull) in [("convex", true), ("trimesh", false)] {
        let mut file = File::new();
        let cube = file.cube;
        let collider = file.collider(json!({"type": kind, kind: {"mesh": cube}}));
        file.json["nodes"][collider]["translation"] = file.origin();
        // The visible mesh is at another position than the collider.
        let drawn = file.look();
        file.add(dynamic(&[collider, drawn]), [0.0, 1.0, 0.0]);
        let (level, problems) = file.load();
        assert_eq!(warnings(&problems), [""; 0]);
        let body = &level.bodies[0];
        assert_eq!(matches!(body.shape, Shape::Hull(_)), is_hull, "{kind}");
        assert!((body.shape.mass_properties(1.0).mass - 0.064).abs() < 1e-6);
        assert_eq!(body.draws.len(), 1);
        let place = level.to_author(body.start.point).0;
        assert!(place.distance(DVec3::Y) < 1e-6, "{place}");
    }
}

#[test]
fn several_colliders_are_one_body() {
    let mut file = File::new();
    let ends = [-0.5, 0.5].map(|x| {
        let end = file.collider(json!({"type": "sphere", "sphere": {"radius": 0.2}}));
        file.json["nodes"][end]["translation"] = json!([x, 0.0, 0.0]);
        end
    });
    let bar = file.collider(json!({"type": "box", "box": {"size": [0.5, 0.1, 0.1]}}));
    file.add(dynamic(&[ends[0], bar, ends[1]]), [0.0, 1.0, 0.0]);
    let (level, problems) = file.load();
    assert_eq!(warnings(&problems), [""; 0]);
    assert_eq!(level.bodies.len(), 1);
    assert!(matches!(level.bodies[0].shape, Shape::Mesh(_)));
    let rest = rest_of(&level);
    assert!((rest.y - 0.2).abs() < 0.02, "{rest}");
}

#[test]
fn friction_and_restitution_are_those_of_the_physics_material_unless_a_property_says_otherwise() {
    let mut file = File::new();
    file.json["extensions"]["OMI_physics_body"] = json!({"physicsMaterials": [
        {"staticFriction": 0.9, "dynamicFriction": 0.25, "restitution": 0.75}
    ]});
    let ball = file.collider(json!({"type": "sphere"}));
    file.json["nodes"][ball]["extensions"]["OMI_physics_body"]["collider"]["physicsMaterial"] =
        json!(0);
    let mut node = dynamic(&[ball]);
    node["extras"] = json!({"bounce": 0.5});
    file.add(node, [0.0, 1.0, 0.0]);
    let (level, problems) = file.load();
    assert_eq!(warnings(&problems), [""; 0]);
    assert_eq!(
        (level.bodies[0].friction, level.bodies[0].bounce),
        (0.25, 0.5)
    );
}

#[test]
fn a_turned_and_mirrored_collider_is_where_its_node_is() {
    let mut file = File::new();
    let collider = file.collider(json!({"type": "box", "box": {"size": [1.0, 0.2, 0.2]}}));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    file.json["nodes"][collider]["rotation"] = json!([0.0, 0.0, half, half]);
    file.json["nodes"][collider]["scale"] = json!([-2.0, 1.0, 1.0]);
    file.add(dynamic(&[collider]), [0.0, 2.0, 0.0]);
    let (level, _) = file.load();
    let body = &level.bodies[0];
    let Shape::Box { half_extents } = body.shape else {
        panic!("it is a box")
    };
    let upright = (body.rotation * half_extents).abs();
    assert!(
        upright.distance(DVec3::new(0.1, 1.0, 0.1)) < 1e-9,
        "{upright}"
    );
}

#[test]
fn static_colliders_are_geometry_and_unusable_ones_are_named() {
    let extension =
        |json: Value| json!({"name": "Thing", "extensions": {"OMI_physics_body": json}});
    let cases = [
        (json!({"motion": {"type": "static"}}), None),
        (
            json!({"collider": {"shape": 0}}),
            Some("no mesh is beside it"),
        ),
        (json!({"motion": {"type": "kinematic"}}), Some("NAME-mover")),
        (json!({"trigger": {"shape": 0}}), Some("NAME-trigger")),
        (json!({"type": "rigid"}), Some("Godot 4.3")),
        (json!({"motion": {"type": "soft"}}), Some("`soft`")),
        (json!({"motion": 5}), Some("type")),
    ];
    for (json, expected) in cases {
        let mut file = File::new();
        file.add_shape(json!({"type": "box"}));
        file.add(extension(json.clone()), [0.0, 1.0, 0.0]);
        let (level, problems) = file.load();
        assert!(level.bodies.is_empty());
        let warnings = warnings(&problems);
        assert_eq!(
            warnings.len(),
            usize::from(expected.is_some()),
            "{json}: {warnings:?}"
        );
        let expected = expected.unwrap_or_default();
        assert!(
            warnings.iter().all(|w| w.contains(expected)),
            "{json}: {warnings:?}"
        );
    }
    // A collider beside a mesh, which is solid like all meshes.
    let mut file = File::new();
    let collider = file.collider(json!({"type": "box"}));
    let look = file.look();
    file.add(
        json!({"name": "Wall", "children": [collider, look]}),
        [0.0, 1.0, 0.0],
    );
    let (level, problems) = file.load();
    assert_eq!(warnings(&problems), [""; 0]);
    assert_eq!(level.rooms[0].triangles, 24);
}

#[test]
fn a_name_of_the_convention_counts_more_than_the_extension() {
    let mut file = File::new();
    let cube = file.cube;
    let mut node = dynamic(&[]);
    (node["name"], node["mesh"]) = (json!("cube-nocol"), json!(cube));
    file.add(node, [0.0, 1.0, 0.0]);
    let (level, problems) = file.load();
    assert!(level.bodies.is_empty());
    assert!(warnings(&problems)[0].contains("-nocol"));
}

#[test]
fn a_body_without_colliders_is_the_hull_of_its_mesh() {
    let mut file = File::new();
    let look = file.look();
    file.add(dynamic(&[look]), [0.0, 1.0, 0.0]);
    let (level, _) = file.load();
    assert!(matches!(level.bodies[0].shape, Shape::Hull(_)));
}

#[test]
fn hostile_values_are_named() {
    let shapes = [
        json!({}),
        json!(5),
        json!([]),
        json!({"type": 5}),
        json!({"type": "torus"}),
        json!({"type": "sphere", "sphere": {"radius": -1.0}}),
        json!({"type": "sphere", "sphere": {"radius": 0.0}}),
        json!({"type": "sphere", "sphere": {"radius": 1e300}}),
        json!({"type": "sphere", "sphere": {"radius": "NaN"}}),
        json!({"type": "sphere", "radius": 1.0}),
        json!({"type": "box", "box": {"size": [1.0, 2.0]}}),
        json!({"type": "box", "box": {"size": [1.0, -2.0, "inf"]}}),
        json!({"type": "capsule", "capsule": {"height": -1.0}}),
        json!({"type": "cylinder", "cylinder": {"radiusTop": {}}}),
        json!({"type": "convex", "convex": {"mesh": -1}}),
        json!({"type": "convex", "convex": {"mesh": 1000}}),
        json!({"type": "trimesh", "trimesh": {"mesh": 0.5}}),
        json!({"type": "trimesh"}),
        json!({"type": "cylinder", "cylinder": {"height": 0.0}}),
        json!({"type": "cylinder", "cylinder": {"radiusTop": 0.0, "radiusBottom": 0.0}}),
    ];
    for shape in shapes {
        let mut file = File::new();
        let collider = file.collider(shape.clone());
        file.add(dynamic(&[collider]), [0.0, 1.0, 0.0]);
        let is_named = match load_bytes("file", &file.bytes()) {
            Ok((_, problems)) => !problems.warnings.is_empty(),
            Err(problems) => !problems.errors.is_empty(),
        };
        assert!(is_named, "{shape}");
    }
    let bodies = [
        json!({"motion": {"type": "dynamic", "mass": -1.0}}),
        json!({"motion": {"type": "dynamic", "mass": "heavy"}}),
        json!({"motion": {"type": "dynamic", "linearVelocity": [0.0, 5.0, 0.0]}}),
        json!({"motion": {"type": "dynamic", "centerOfMass": "x"}}),
        json!({"motion": {"type": "dynamic"}, "collider": {"shape": 99}}),
        json!({"motion": {"type": "dynamic"}, "collider": {"shape": 0, "physicsMaterial": 3}}),
        json!({"motion": {"type": "dynamic"}, "collider": {"shape": -2}}),
        json!({"motion": {"type": "dynamic"}, "collider": {"shape": 1e300}}),
        json!([1, 2]),
    ];
    for body in bodies {
        let mut file = File::new();
        file.add_shape(json!({"type": "box"}));
        let mesh = file.cube;
        let node = json!({"name": "Thing", "mesh": mesh, "extensions": {"OMI_physics_body": body}});
        file.add(node, [0.0, 1.0, 0.0]);
        let problems = match load_bytes("file", &file.bytes()) {
            Ok((_, problems)) => problems.warnings,
            Err(problems) => problems.errors,
        };
        let mut of_extension = problems
            .iter()
            .filter(|p| p.code == ProblemCode::BodyExtension);
        assert!(of_extension.any(|p| p.node == "Thing"), "{body}");
    }
}

#[test]
fn a_body_in_no_room_is_named_like_others() {
    let mut file = File::new();
    let collider = file.collider(json!({"type": "box"}));
    file.json["nodes"]
        .as_array_mut()
        .expect("a list")
        .push(dynamic(&[collider]));
    let index = file.json["nodes"].as_array().expect("a list").len() - 1;
    let roots = file.json["scenes"][0]["nodes"]
        .as_array_mut()
        .expect("a list");
    roots.push(json!(index));
    let problems = load_bytes("file", &file.bytes()).expect_err("it has no room");
    assert_eq!(problems.errors[0].code, ProblemCode::BodyOutsideRoom);
}
