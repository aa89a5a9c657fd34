//! Files that are broken, accidentally or maliciously: each is answered, and none does harm.

use std::path::{Path, PathBuf};

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::problems::{Problem, Problems};
use serde_json::{Value, json};

use crate::common::{MAX_COMPARED, v};
use crate::gltf_file::{GltfFile, SQUARE};
use crate::shared::built;

/// A row of levels/broken/broken.json.
#[derive(serde::Deserialize)]
pub(crate) struct Case {
    pub(crate) file: String,
    pub(crate) finds: String,
    says: String,
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/broken")
}

pub(crate) fn cases() -> Vec<Case> {
    let table = std::fs::read_to_string(folder().join("broken.json")).unwrap();
    serde_json::from_str(&table).unwrap()
}

#[test]
fn every_broken_level_gets_the_answer_in_its_table() {
    for case in cases() {
        let result = opendoor::load::load(&folder().join(&case.file));
        let loaded = result.is_ok();
        let problems = match result {
            Ok((_, problems)) | Err(problems) => problems,
        };
        let (list, code): (&[Problem], _) = match case.finds.split_once(' ') {
            Some(("error", code)) => (&problems.errors, code),
            Some(("warning", code)) => (&problems.warnings, code),
            _ => {
                assert_eq!(problems, Problems::default(), "{}", case.file);
                continue;
            }
        };
        let wanted = |p: &&Problem| p.code == code && p.to_string().contains(&case.says);
        assert!(list.iter().any(|p| wanted(&p)), "{}: {problems}", case.file);
        assert_eq!(loaded, !case.finds.starts_with("error"), "{}", case.file);
    }
}

#[test]
fn the_table_names_every_level_of_its_folder() {
    let mut named: Vec<String> = cases().into_iter().map(|case| case.file).collect();
    let mut there: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".glb") || name.ends_with(".gltf"))
        .collect();
    named.sort();
    there.sort();
    assert_eq!(named, there);
}

/// Loads a file and formats its problems; the test is that this ends.
fn load(bytes: &[u8]) {
    match opendoor::load::load_bytes("test", bytes) {
        Ok((_, problems)) | Err(problems) => assert!(problems.to_string().len() < 1_000_000),
    }
}

#[test]
fn a_level_cut_or_flipped_anywhere_ends_in_an_answer() {
    let good = std::fs::read(folder().join("good.glb")).unwrap();
    for length in 0..good.len() {
        assert!(
            opendoor::load::load_bytes("test", &good[..length]).is_err(),
            "cut at {length}"
        );
    }
    for at in 0..good.len() {
        for bit in [0, 4, 7] {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            load(&bytes);
        }
    }
}

/// Calls `visit` with the JSON pointer of every value in the tree.
fn for_each_value(value: &Value, path: &mut String, visit: &mut impl FnMut(&str)) {
    visit(path);
    let length = path.len();
    let mut child = |key: String, value: &Value, path: &mut String| {
        path.push('/');
        path.push_str(&key);
        for_each_value(value, path, visit);
        path.truncate(length);
    };
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                child(index.to_string(), item, path);
            }
        }
        Value::Object(items) => {
            for (key, item) in items {
                child(key.clone(), item, path);
            }
        }
        _ => {}
    }
}

/// Loads the file with each of its values replaced by odd ones.
fn load_with_odd_values(good: &Value, bytes: impl Fn(&Value) -> Vec<u8>) {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(4_294_967_295_u64),
        json!(18_446_744_073_709_551_615_u64),
        json!(1e300),
        json!(0.5),
        json!(""),
        json!("*-portal.001"),
        json!([]),
        json!([0, 0]),
        json!({}),
    ];
    for_each_value(good, &mut String::new(), &mut |path| {
        for odd in &odd {
            let mut changed = good.clone();
            *changed.pointer_mut(path).unwrap() = odd.clone();
            load(&bytes(&changed));
        }
    });
}

#[test]
fn any_value_of_the_text_may_be_anything() {
    let text = std::fs::read(folder().join("good.gltf")).unwrap();
    let good: Value = serde_json::from_slice(&text).unwrap();
    load_with_odd_values(&good, |changed| changed.to_string().into_bytes());
}

#[test]
fn any_value_of_a_surface_may_be_anything() {
    let mut file = GltfFile::new();
    let image = file.texture();
    file.push(
        "samplers",
        json!({"wrapS": 33071, "magFilter": 9728, "minFilter": 9986}),
    );
    let texture = file.push("textures", json!({"source": image, "sampler": 0}));
    let transform = json!({"offset": [0, 1], "scale": [2, 3], "rotation": 1.5, "texCoord": 1});
    let info = json!({
        "index": texture, "texCoord": 0, "scale": 0.5, "strength": 0.5,
        "extensions": {"KHR_texture_transform": transform},
    });
    let pbr = json!({
        "baseColorTexture": info, "metallicRoughnessTexture": info,
        "baseColorFactor": [1, 1, 1, 0.5], "metallicFactor": 0.5, "roughnessFactor": 0.5,
    });
    file.push(
        "materials",
        json!({
            "pbrMetallicRoughness": pbr, "normalTexture": info, "occlusionTexture": info,
            "emissiveTexture": info, "emissiveFactor": [0, 0, 1], "alphaMode": "BLEND",
            "extensions": {
                "KHR_materials_emissive_strength": {"emissiveStrength": 2},
                "KHR_materials_ior": {"ior": 1.4},
                "KHR_materials_specular": {"specularFactor": 1, "specularColorFactor": [1, 1, 1]},
            },
        }),
    );
    let attributes = json!({
        "POSITION": file.floats(&SQUARE),
        "NORMAL": file.floats(&[[0.0_f32, 1.0, 0.0]; 4]),
        "TANGENT": file.floats(&[[1.0_f32, 0.0, 0.0, 1.0]; 4]),
        "TEXCOORD_0": file.floats(&[[0.0_f32, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]),
        "TEXCOORD_1": file.floats(&[[0.5_f32, 0.5]; 4]),
        "COLOR_0": file.floats(&[[1.0_f32; 4]; 4]),
    });
    let mesh = file.mesh(json!({"attributes": attributes, "mode": 6, "material": 0}));
    file.in_room(mesh);
    file.json["nodes"][1]["extras"] = json!({"open": true});
    file.json["scenes"][0]["extras"] = json!({
        "sky_zenith": [0, 0, 1], "sky_strength": 2, "exposure": 1,
        "stiffness": 12,
    });
    let good = file.json.clone();
    load_with_odd_values(&good, |changed| {
        if !changed.is_object() {
            return changed.to_string().into_bytes();
        }
        let binary = file.binary.clone();
        let json = changed.clone();
        GltfFile { json, binary }.glb()
    });
}

#[test]
fn a_tree_a_hundred_thousand_nodes_deep_is_walked() {
    let mut file = GltfFile::new();
    let depth = 100_000;
    let mut nodes: Vec<Value> = (1..depth)
        .map(|child| json!({"children": [child]}))
        .collect();
    nodes.push(json!({"name": "deep-spawn"}));
    file.json["nodes"] = json!(nodes);
    file.roots(&[0]);
    let (source, _) = opendoor::gltf::read_source_bytes("deep", &file.glb()).unwrap();
    assert_eq!(source.spawns.len(), 1);
}

#[test]
fn a_node_that_names_a_million_wrong_children_is_reported_once() {
    let mut file = GltfFile::new();
    let children: Vec<usize> = vec![7; 1_000_000];
    file.push("nodes", json!({"name": "a-room", "children": children}));
    file.push(
        "nodes",
        json!({"name": "b-room", "children": vec![2; 1_000_000]}),
    );
    file.push("nodes", json!({"name": "c"}));
    file.roots(&[0, 1]);
    let problems = opendoor::gltf::read_source_bytes("wide", &file.glb()).unwrap_err();
    let codes: Vec<_> = problems
        .errors
        .iter()
        .map(|e| (e.code.as_str(), e.node.as_str()))
        .collect();
    assert_eq!(codes, [("child-index", "a-room"), ("node-twice", "c")]);
}

#[test]
fn errors_of_the_file_and_of_the_graph_are_reported_together() {
    let bytes = std::fs::read(folder().join("good.gltf")).unwrap();
    let mut text: Value = serde_json::from_slice(&bytes).unwrap();
    text["nodes"][1]["name"] = json!("nowhere-portal");
    text["nodes"][3]["name"] = json!("begin");
    text["nodes"][6]["children"] = json!([]);
    text["scenes"][0]["nodes"] = json!([5, 6, 7]);
    let lost = json!({"name": "lost-portal", "mesh": 2});
    text["nodes"].as_array_mut().unwrap().push(lost);
    let problems = opendoor::load::load_bytes("test", text.to_string().as_bytes()).unwrap_err();
    let codes: Vec<_> = problems.errors.iter().map(|e| e.code.as_str()).collect();
    for code in ["portal-outside-room", "portal-unknown-room", "no-spawn"] {
        assert!(codes.contains(&code), "{codes:?}");
    }
}

#[test]
fn a_level_that_is_no_file_is_an_error() {
    for path in ["levels/broken", "levels/none.glb", ""] {
        let problems = opendoor::load::load(Path::new(path)).unwrap_err();
        assert_eq!(problems.errors[0].code, "file", "{path}");
    }
}

/// A room with one mesh of many primitives, used by many nodes that end in `suffix`.
fn shown_often(primitive: Value, primitives: usize, nodes: usize, suffix: &str) -> GltfFile {
    let mut file = GltfFile::new();
    let corners = file.floats(&SQUARE);
    file.push(
        "meshes",
        json!({"primitives": [{"attributes": {"POSITION": corners}, "mode": 6}]}),
    );
    file.push("meshes", json!({"primitives": vec![primitive; primitives]}));
    let mut children = vec![file.push("nodes", json!({"name": "floor", "mesh": 0}))];
    for i in 0..nodes {
        let node = json!({"name": format!("n{i}{suffix}"), "mesh": 1});
        children.push(file.push("nodes", node));
    }
    let room = file.push("nodes", json!({"name": "hall-room", "children": children}));
    file.roots(&[room]);
    file
}

/// Regression test: each primitive was reported for each node. A file of 135 kB caused nine million warnings.
#[test]
fn parts_that_are_left_out_are_named_once_for_all_nodes_that_show_them() {
    let file = shown_often(json!({"attributes": {}}), 3000, 3000, "");
    let (_, problems) = opendoor::gltf::read_source_bytes("test", &file.glb()).unwrap();
    assert_eq!(problems.warnings.total(), 3000);
    let first = &problems.warnings[0];
    assert_eq!(
        (first.code.as_str(), first.node.as_str()),
        ("mesh-skipped", "n0")
    );
    assert!(first.message.contains("2999 more nodes"), "{first}");
    let last = problems.warnings.last().unwrap();
    assert_eq!(last.message, "and 2,980 more");

    let file = shown_often(json!({"attributes": {}}), 30, 15, "-portal");
    let problems = opendoor::gltf::read_source_bytes("test", &file.glb())
        .unwrap()
        .1;
    let named: Vec<_> = problems
        .errors
        .iter()
        .map(|e| (e.code.as_str(), e.node.clone()))
        .collect();
    let each: Vec<_> = (0..15)
        .map(|i| ("portal-mesh", format!("n{i}-portal")))
        .collect();
    assert_eq!(named, each);
}

/// Regression test: each empty primitive was stored for each node.
#[test]
fn parts_without_triangles_take_no_memory() {
    let mut file = shown_often(json!({"attributes": {"POSITION": 1}}), 1500, 1500, "");
    file.push(
        "accessors",
        json!({"componentType": 5126, "count": 0, "type": "VEC3"}),
    );
    let (source, _) = opendoor::gltf::read_source_bytes("test", &file.glb()).unwrap();
    assert_eq!(source.meshes.len(), 1);
}

#[test]
fn the_parts_of_a_node_share_its_name() {
    let file = shown_often(json!({"attributes": {"POSITION": 0}}), 50, 1, "");
    let (source, _) = opendoor::gltf::read_source_bytes("test", &file.glb()).unwrap();
    let [_, parts @ ..] = &source.meshes[..] else {
        panic!("no meshes");
    };
    assert_eq!(parts.len(), 50);
    assert!(
        parts
            .iter()
            .all(|part| part.node.as_ptr() == parts[0].node.as_ptr())
    );
}

#[test]
fn a_name_that_is_far_too_long_is_an_error() {
    for (length, is_error) in [(1000, false), (1001, true), (100_000, true)] {
        let mut file = shown_often(json!({"attributes": {"POSITION": 0}}), 1, 0, "");
        file.json["nodes"][0]["name"] = json!("x".repeat(length));
        let (_, problems) = opendoor::gltf::read_source_bytes("test", &file.glb()).unwrap();
        let codes: Vec<_> = problems
            .errors
            .iter()
            .map(|error| error.code.as_str())
            .collect();
        assert_eq!(
            codes.contains(&"name-too-long"),
            is_error,
            "{length}: {codes:?}"
        );
        assert!(problems.to_string().len() < 10_000);
    }
}

#[test]
fn materials_without_number_are_an_error() {
    let mut file = shown_often(json!({"attributes": {"POSITION": 0}}), 1, 0, "");
    file.json["materials"] = json!(vec![json!({}); 1 << 16]);
    assert!(opendoor::gltf::read_source_bytes("test", &file.glb()).is_ok());
    file.push("materials", json!({}));
    let problems = opendoor::gltf::read_source_bytes("test", &file.glb()).unwrap_err();
    assert_eq!(problems.errors[0].code, "too-large");
}

/// Regression test: an index of a missing light was only a warning, and the level was good.
#[test]
fn a_light_that_the_file_does_not_have_is_an_error_with_its_node() {
    let mut file = shown_often(json!({"attributes": {"POSITION": 0}}), 1, 0, "");
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "point"}]}});
    for (light, is_error) in [(0, false), (1, true), (4_000_000, true)] {
        let extension = json!({"KHR_lights_punctual": {"light": light}});
        file.json["nodes"][0]["extensions"] = extension;
        let (source, problems) = opendoor::gltf::read_source_bytes("test", &file.glb()).unwrap();
        let named: Vec<_> = problems
            .errors
            .iter()
            .map(|e| (e.code.as_str(), e.node.as_str()))
            .collect();
        let expected: &[_] = if is_error { &[("light", "floor")] } else { &[] };
        assert_eq!(named, expected, "light {light}");
        assert_eq!(source.lights.len(), usize::from(!is_error));
    }
}

/// The countable contents of a bad file are reported, wherever reading it ends.
#[test]
fn the_error_of_a_bad_file_describes_its_content() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let good = std::fs::read(self::folder().join("good.gltf")).unwrap();
    let good: Value = serde_json::from_slice(&good).unwrap();
    let of = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut json = good.clone();
        change(&mut json);
        let path = folder.join(format!("holds-{name}.gltf"));
        std::fs::write(&path, json.to_string()).unwrap();
        let inspection = opendoor::lint::inspect(&path);
        assert!(inspection.problems.errors.total() > 0, "{name}");
        let Err(source) = inspection.level else {
            panic!("{name} is good");
        };
        let triangles: usize = source.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        [
            source.rooms.len(),
            source.portals.len(),
            source.spawns.len(),
            triangles,
        ]
    };
    let all = of("spawn", &|json| {
        json["nodes"][1]["name"] = json!("nowhere-portal")
    });
    assert!(all.iter().all(|count| *count > 0), "{all:?}");
    for (key, value) in [
        ("asset", json!({"version": "1.0"})),
        ("extensionsRequired", json!(["EXT_none"])),
    ] {
        assert_eq!(of(key, &|json| json[key] = value.clone()), all, "{key}");
    }
    let rotated = of("rotation", &|json| {
        json["nodes"][0]["rotation"] = json!([0, 0, 0, 0])
    });
    assert_eq!(rotated, all);
    let [rooms, portals, spawns, triangles] = of("buffer", &|json| {
        json["buffers"][0]["uri"] = json!("none.bin")
    });
    assert_eq!(
        ([rooms, portals, spawns].as_slice(), triangles),
        (&all[..3], 0)
    );
    let nothing = of("json", &|json| *json = json!("no level"));
    assert_eq!(nothing, [0; 4]);
}

/// Regression test: each spawn was compared with every triangle of its room.
#[test]
fn a_hundred_thousand_spawns_in_a_finely_made_room_cost_a_bounded_number_of_comparisons() {
    const TRIANGLES: usize = 12_000;
    let mut sketch = Sketch::new("spawns");
    let hall = sketch.box_room("hall", cuboid([0.0; 3], [9.0, 3.0, 9.0]), &[]);
    let other = sketch.box_room("other", cuboid([10.0, 0.0, 0.0], [12.0, 3.0, 2.0]), &[]);
    for i in 0..1000 {
        let at = f64::from(i) * 0.005;
        sketch.furniture(hall, 0, cuboid([at, 1.0, 0.0], [at + 0.004, 1.1, 0.1]));
    }
    for i in 0..100_000 {
        // Each spawn is a child of another room than the one that contains it.
        sketch.spawn(other, v(1.0 + f64::from(i) * 1e-5, 0.0, 2.0), DVec3::X);
    }
    let level = built(sketch.source);
    assert_eq!(level.spawns.len(), 100_000);
    let rooms = level.spawns.iter().map(|spawn| spawn.at.room);
    let compared = rooms
        .filter(|&room| level.room(room).name == "hall")
        .count();
    assert!(
        (1..=MAX_COMPARED / TRIANGLES).contains(&compared),
        "{compared}"
    );
}
