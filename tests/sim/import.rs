//! The contents of a glTF file are imported unchanged, in every encoding.

use glam::{DAffine3, DMat3, DVec3, Vec3};
use opendoor::gltf::read_source_bytes;
use opendoor::level::{AuthorPoint, LightKind};
use opendoor::problems::Problems;
use opendoor::source::{LevelSource, MeshSource};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::gltf_file::{GltfFile, SQUARE, read, read_cleanly};

/// The triangles, each with its smallest corner first, sorted: equal for equal surfaces.
fn surface(mesh: &MeshSource) -> Vec<[[f64; 3]; 3]> {
    let corner = |i: u32| mesh.positions[i as usize].to_array();
    canonical(mesh.triangles.iter().map(|t| t.map(corner)).collect())
}

fn canonical(mut triangles: Vec<[[f64; 3]; 3]>) -> Vec<[[f64; 3]; 3]> {
    for corners in &mut triangles {
        let least = (0..3).min_by(|&a, &b| corners[a].partial_cmp(&corners[b]).unwrap());
        corners.rotate_left(least.unwrap());
    }
    triangles.sort_by(|a, b| a.partial_cmp(b).unwrap());
    triangles
}

fn square() -> Vec<[[f64; 3]; 3]> {
    let corner = |i: usize| SQUARE[i].map(f64::from);
    canonical(vec![
        [corner(0), corner(1), corner(2)],
        [corner(0), corner(2), corner(3)],
    ])
}

fn geometric_normal(mesh: &MeshSource, triangle: [u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
    (b - a).cross(c - a)
}

#[test]
fn indices_of_any_size_or_none_give_the_same_triangles() {
    let indices = [0_u8, 1, 2, 0, 2, 3];
    for (component, size) in [(5121, 1), (5123, 2), (5125, 4)] {
        let mut file = GltfFile::new();
        let positions = file.floats(&SQUARE);
        let bytes = indices
            .iter()
            .flat_map(|&i| u32::from(i).to_le_bytes()[..size].to_vec());
        let view = file.view(&bytes.collect::<Vec<u8>>());
        let accessor = json!({
            "bufferView": view, "componentType": component, "count": 6, "type": "SCALAR",
        });
        let accessor = file.push("accessors", accessor);
        let mesh = file.mesh(json!({"attributes": {"POSITION": positions}, "indices": accessor}));
        file.in_room(mesh);
        assert_eq!(
            surface(&read_cleanly(&file).meshes[0]),
            square(),
            "{component}"
        );
    }
    let mut file = GltfFile::new();
    let mesh = file.triangles(&indices.map(|i| SQUARE[i as usize]));
    file.in_room(mesh);
    assert_eq!(surface(&read_cleanly(&file).meshes[0]), square());
}

#[test]
fn strips_and_fans_keep_the_winding_of_every_triangle() {
    for (mode, order) in [(5, [0, 1, 3, 2]), (6, [0, 1, 2, 3])] {
        let mut file = GltfFile::new();
        let positions = file.floats(&order.map(|i: usize| SQUARE[i]));
        let mesh = file.mesh(json!({"attributes": {"POSITION": positions}, "mode": mode}));
        file.in_room(mesh);
        let source = read_cleanly(&file);
        let mesh = &source.meshes[0];
        assert_eq!(mesh.triangles.len(), 2);
        for triangle in &mesh.triangles {
            assert!(geometric_normal(mesh, *triangle).y > 0.0, "mode {mode}");
        }
    }
}

#[test]
fn a_sparse_accessor_replaces_elements_of_its_view_or_of_zeros() {
    for with_view in [true, false] {
        let mut file = GltfFile::new();
        let moved: Vec<u8> = SQUARE[1..]
            .iter()
            .flatten()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        let (at, values) = (file.view(&[1, 0, 2, 0, 3, 0]), file.view(&moved));
        let zeros = file.floats(&[[0.0_f32; 3]; 4]);
        file.json["accessors"][zeros]["sparse"] = json!({
            "count": 3,
            "indices": {"bufferView": at, "componentType": 5123},
            "values": {"bufferView": values},
        });
        if !with_view {
            file.json["accessors"][zeros]
                .as_object_mut()
                .unwrap()
                .remove("bufferView");
        }
        let mesh = file.mesh(json!({"attributes": {"POSITION": zeros}, "mode": 6}));
        file.in_room(mesh);
        assert_eq!(surface(&read_cleanly(&file).meshes[0]), square());
    }
}

#[test]
fn interleaved_and_quantized_vertices_are_read_with_their_stride_and_scale() {
    let mut file = GltfFile::new();
    // Position as shorts in decimetres, padding, normal as bytes, padding.
    let bytes = SQUARE.iter().flat_map(|p| {
        let position = p.iter().flat_map(|x| ((10.0 * x) as i16).to_le_bytes());
        position.chain([0, 0, 0, 127, 0, 0]).collect::<Vec<u8>>()
    });
    let view = file.view(&bytes.collect::<Vec<u8>>());
    file.json["bufferViews"][view]["byteStride"] = json!(12);
    let positions = file.push(
        "accessors",
        json!({"bufferView": view, "componentType": 5122, "count": 4, "type": "VEC3"}),
    );
    let normals = file.push(
        "accessors",
        json!({"bufferView": view, "byteOffset": 8, "componentType": 5120, "count": 4,
               "type": "VEC3", "normalized": true}),
    );
    let mesh =
        file.mesh(json!({"attributes": {"POSITION": positions, "NORMAL": normals}, "mode": 6}));
    file.in_room(mesh);
    file.json["nodes"][0]["scale"] = json!([0.1, 0.1, 0.1]);
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let source = read_cleanly(&file);
    let rounded = surface(&source.meshes[0]);
    let rounded = rounded
        .iter()
        .map(|t| t.map(|p| p.map(|x| (x * 1e12).round() / 1e12)));
    assert_eq!(rounded.collect::<Vec<_>>(), square());
    // The bytes from offset 8 on are 0, then 127: the normal is +Y.
    assert_eq!(source.meshes[0].normals, [Vec3::Y; 4]);
}

#[test]
fn a_level_a_million_metres_out_keeps_its_millionth_of_a_metre() {
    let mut file = GltfFile::new();
    let mesh = file.triangles(&[SQUARE[0], SQUARE[1], SQUARE[2]]);
    file.in_room(mesh);
    file.json["nodes"][1]["translation"] = json!([1e6, 0.0, 0.0]);
    file.json["nodes"][0]["translation"] = json!([1e-6, 0.0, 0.0]);
    let corner = read_cleanly(&file).meshes[0].positions[0];
    assert!((corner.x - 1_000_000.000_001).abs() < 1e-9, "{corner}");
}

#[test]
fn a_mesh_that_several_nodes_show_is_placed_at_each() {
    let mut file = GltfFile::new();
    let mesh = file.triangles(&[SQUARE[0], SQUARE[1], SQUARE[2]]);
    for at in 0..3 {
        let node = json!({"name": format!("m{at}"), "mesh": mesh, "translation": [at, 0, 0]});
        file.push("nodes", node);
    }
    let room = file.push("nodes", json!({"name": "hall-room", "children": [0, 1, 2]}));
    file.roots(&[room]);
    let firsts: Vec<f64> = read_cleanly(&file)
        .meshes
        .iter()
        .map(|m| m.positions[0].x)
        .collect();
    assert_eq!(firsts, [0.0, 1.0, 2.0]);
}

proptest! {
    #[test]
    fn under_any_transform_normals_and_fronts_stay_on_one_side(
        scale in prop::array::uniform3(prop_oneof![-5.0..-0.1, 0.1..5.0]),
        outer in prop::array::uniform3(prop_oneof![-5.0..-0.1, 0.1..5.0]),
        rotation in prop::array::uniform4(0.1..1.0_f64),
        corners in prop::array::uniform3(prop::array::uniform3(-2.0..2.0_f32)),
    ) {
        let [a, b, c] = corners.map(Vec3::from_array);
        let normal = (b - a).cross(c - a);
        prop_assume!(normal.length() > 0.1);
        let mut file = GltfFile::new();
        let positions = file.floats(&corners);
        let normals = file.floats(&[normal.to_array(); 3]);
        let mesh = file.mesh(json!({"attributes": {"POSITION": positions, "NORMAL": normals}}));
        file.in_room(mesh);
        file.json["nodes"][0]["scale"] = json!(scale);
        file.json["nodes"][0]["rotation"] = json!(rotation);
        file.json["nodes"][1]["scale"] = json!(outer);
        let source = read_cleanly(&file);
        let mesh = &source.meshes[0];
        let front = geometric_normal(mesh, mesh.triangles[0]).try_normalize().unwrap();
        for normal in &mesh.normals {
            prop_assert!(front.dot(normal.as_dvec3()) > 0.9999, "{front} {normal}");
        }
        // A mirror does not change the front: a point stays on the same side of the triangle.
        let quaternion = glam::DQuat::from_array(rotation).normalize();
        let author_from_mesh = DAffine3::from_mat3(DMat3::from_diagonal(DVec3::from(outer)))
            * DAffine3::from_scale_rotation_translation(scale.into(), quaternion, DVec3::ZERO);
        let in_front = author_from_mesh.transform_point3((a + normal).as_dvec3());
        prop_assert!((in_front - mesh.positions[0]).dot(front) > 0.0);
    }
}

/// A level of nodes without meshes, except for nodes with `"mesh": 0`, which is a triangle.
fn tree(nodes: Value, roots: &[usize]) -> (LevelSource, Problems) {
    let mut file = GltfFile::new();
    file.triangles(&[SQUARE[0], SQUARE[1], SQUARE[2]]);
    file.json["nodes"] = nodes;
    file.roots(roots);
    read(&file)
}

#[test]
fn a_mesh_belongs_to_the_nearest_room_above_it() {
    let (source, problems) = tree(
        json!([
            {"name": "floor-roomgroup", "children": [1, 7]},
            {"name": "hall-room", "mesh": 0, "children": [2, 3]},
            {"name": "shelf", "mesh": 0},
            {"name": "niche-room.001", "children": [4]},
            {"children": [5]},
            {"name": "vase", "mesh": 0},
            {"name": "lost", "mesh": 0},
            {"name": "yard*2-room"},
        ]),
        &[0, 6],
    );
    let rooms: Vec<_> = source
        .rooms
        .iter()
        .map(|r| (r.name.as_str(), r.node.as_str()))
        .collect();
    let expected = [
        ("hall", "hall-room"),
        ("niche", "niche-room.001"),
        ("yard", "yard*2-room"),
    ];
    assert_eq!(rooms, expected);
    let meshes: Vec<_> = source.meshes.iter().map(|m| (&*m.node, m.room)).collect();
    assert_eq!(meshes, [("hall-room", 0), ("shelf", 0), ("vase", 1)]);
    assert_eq!(problems.errors, []);
    assert_eq!(problems.warnings.len(), 1);
    assert_eq!(
        (
            problems.warnings[0].code.as_str(),
            problems.warnings[0].node.as_str()
        ),
        ("mesh-outside-room", "lost")
    );
}

#[test]
fn flags_hold_for_a_node_and_all_below_it() {
    let (source, _) = tree(
        json!([
            {"name": "hall-room", "children": [1, 3, 4, 5]},
            {"name": "ramp-colonly", "mesh": 0, "children": [2]},
            {"name": "step", "mesh": 0},
            {"name": "fern-NoCol.001", "mesh": 0},
            {"name": "hall-bound", "mesh": 0},
            {"name": "oak-door", "mesh": 0, "children": [6]},
            {"name": "knob-nocol", "mesh": 0},
        ]),
        &[0],
    );
    let flags = |m: &MeshSource| (m.node.to_string(), m.drawn, m.solid);
    let meshes: Vec<_> = source.meshes.iter().map(flags).collect();
    let expected = [
        ("ramp-colonly", false, true),
        ("step", false, true),
        ("fern-NoCol.001", true, false),
    ];
    assert_eq!(meshes, expected.map(|(n, d, s)| (n.to_owned(), d, s)));
    assert_eq!(source.bounds.len(), 1);
    assert_eq!(source.bounds[0].triangles.len(), 1);
    let panel: Vec<_> = source.movers[0].meshes.iter().map(flags).collect();
    assert_eq!(
        panel,
        [
            ("oak-door".to_owned(), true, true),
            ("knob-nocol".to_owned(), true, false)
        ]
    );
}

#[test]
fn portals_lead_to_the_room_in_their_name_and_back_unless_they_are_one_way() {
    let names = [
        ("b-portal", "b", json!({})),
        ("b-portal.001", "b", json!({"two_way": true})),
        ("s50*0-portal", "s50", json!({"two_way": "false"})),
        ("-portal", "", json!({"two_way": 0})),
        ("*x-portal", "", json!({"two_way": false})),
    ];
    let mut nodes: Vec<Value> = names
        .iter()
        .map(|(name, _, extras)| json!({"name": name, "mesh": 0, "extras": extras}))
        .collect();
    nodes.push(json!({"name": "a-room", "children": [0, 1, 2, 3, 4]}));
    let (source, problems) = tree(json!(nodes), &[5]);
    assert_eq!(problems, Problems::default());
    let found: Vec<_> = source
        .portals
        .iter()
        .map(|p| (p.dest.as_str(), p.two_way))
        .collect();
    let expected = [
        ("b", true),
        ("b", true),
        ("s50", false),
        ("", false),
        ("", false),
    ];
    assert_eq!(found, expected);
    assert!(
        source
            .portals
            .iter()
            .all(|p| p.room == 0 && p.triangles.len() == 1)
    );
    assert!(
        source.meshes.is_empty(),
        "portals are neither drawn nor solid"
    );
}

#[test]
fn a_spawn_faces_its_own_forward_and_lights_know_their_room() {
    let mut file = GltfFile::new();
    let quarter_left = json!([0.0, 0.5_f64.sqrt(), 0.0, 0.5_f64.sqrt()]);
    file.json["nodes"] = json!([
        {"name": "hall-room", "children": [1, 2]},
        {"name": "player-spawn", "translation": [1, 2, 3], "rotation": quarter_left, "scale": [2, 2, 2]},
        {"name": "lamp", "extensions": {"KHR_lights_punctual": {"light": 0}}},
        {"name": "sun", "extensions": {"KHR_lights_punctual": {"light": 1}}},
        {"name": "odd", "extensions": {"KHR_lights_punctual": {"light": 2}}},
    ]);
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "point", "color": [1, 0.5, 0], "intensity": 3261.0},
        {"type": "directional"},
        {"type": "spot", "spot": {"innerConeAngle": 2.0}},
    ]}});
    file.json["extensionsRequired"] = json!(["KHR_lights_punctual"]);
    file.roots(&[0, 3, 4]);
    let (source, problems) = read(&file);
    let spawn = &source.spawns[0];
    assert_eq!(
        (spawn.room, spawn.position),
        (Some(0), AuthorPoint(DVec3::new(1.0, 2.0, 3.0)))
    );
    assert!(
        spawn.forward.distance(-DVec3::X) < 1e-12,
        "{}",
        spawn.forward
    );
    let [lamp, sun] = source.lights.as_slice() else {
        panic!("{:?}", source.lights);
    };
    assert_eq!(
        (lamp.room, lamp.kind, lamp.intensity),
        (Some(0), LightKind::Point, 3261.0)
    );
    assert_eq!((lamp.colour, lamp.range), ([1.0, 0.5, 0.0], None));
    assert_eq!(
        (sun.room, sun.kind, sun.direction),
        (None, LightKind::Directional, -DVec3::Z)
    );
    assert_eq!(problems.warnings.len(), 1);
    assert_eq!(problems.warnings[0].node, "odd");
}

#[test]
fn primitives_that_share_one_large_accessor_keep_only_their_own_vertices() {
    let mut file = GltfFile::new();
    let mut many = vec![[9.0_f32; 3]; 1000];
    many.splice(500..504, SQUARE);
    let positions = file.floats(&many);
    let indices = file.indices(&[500, 501, 502, 500, 502, 503]);
    let mesh = file.mesh(json!({"attributes": {"POSITION": positions}, "indices": indices}));
    file.in_room(mesh);
    let source = read_cleanly(&file);
    assert_eq!(source.meshes[0].positions.len(), 4);
    assert_eq!(surface(&source.meshes[0]), square());
}

#[test]
fn all_errors_of_a_file_are_reported_together() {
    let mut file = GltfFile::new();
    let bad = file.triangles(&[[f32::NAN; 3]; 3]);
    file.triangles(&[SQUARE[0], SQUARE[1], SQUARE[2]]);
    file.json["nodes"] = json!([
        {"name": "a-room", "children": [1]},
        {"name": "loop", "mesh": bad, "children": [0, 77]},
        {"name": "a-room.001"},
        {"name": "b-portal", "mesh": 1},
        {"name": "-room"},
        {"name": "oak-door", "mesh": 1},
    ]);
    file.roots(&[0, 2, 3, 4, 5]);
    let problems = read_source_bytes("test", &file.glb()).unwrap_err();
    let found: Vec<_> = problems
        .errors
        .iter()
        .map(|e| (e.code.as_str(), e.node.as_str()))
        .collect();
    let expected = [
        ("node-twice", "a-room"),
        ("child-index", "loop"),
        ("room-name-twice", "a-room.001"),
        ("portal-outside-room", "b-portal"),
        ("room-without-name", "-room"),
        ("door-outside-room", "oak-door"),
        ("mesh", "loop"),
    ];
    assert_eq!(found, expected);
}
