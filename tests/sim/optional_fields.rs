//! Optional fields of glTF 2.0: a level is read without each of them. The absence of a required field causes no panic.

use opendoor::lint::inspect_bytes;
use opendoor::problems::ProblemCode;
use serde_json::{Value, json};

use crate::gltf_file::{GltfFile, SQUARE};

/// The fields that the schema requires (glTF 2.0, chapter 5, and the extensions), with the lists or objects that
/// contain them. All others are optional.
const REQUIRED: &[(&str, &[&str])] = &[
    ("", &["asset"]),
    ("asset", &["version"]),
    ("accessors", &["componentType", "count", "type"]),
    ("sparse", &["count", "indices", "values"]),
    ("sparse.indices", &["bufferView", "componentType"]),
    ("values", &["bufferView"]),
    ("animations", &["channels", "samplers"]),
    ("channels", &["sampler", "target"]),
    ("target", &["path"]),
    ("animations.samplers", &["input", "output"]),
    ("buffers", &["byteLength"]),
    ("bufferViews", &["buffer", "byteLength"]),
    ("cameras", &["type"]),
    ("perspective", &["yfov", "znear"]),
    ("orthographic", &["xmag", "ymag", "zfar", "znear"]),
    ("meshes", &["primitives"]),
    ("primitives", &["attributes"]),
    ("skins", &["joints"]),
    ("baseColorTexture", &["index"]),
    ("metallicRoughnessTexture", &["index"]),
    ("normalTexture", &["index"]),
    ("occlusionTexture", &["index"]),
    ("emissiveTexture", &["index"]),
    ("specularTexture", &["index"]),
    ("specularColorTexture", &["index"]),
    ("transmissionTexture", &["index"]),
    ("extensions.KHR_lights_punctual", &["lights"]),
    ("nodes.extensions.KHR_lights_punctual", &["light"]),
    ("lights", &["type"]),
];

/// Optional fields without which this level has another content: it has no room or spawn, an index is invalid, or its
/// data differ.
const NEEDED: &[&str] = &[
    "/accessors",
    "/accessors/0/bufferView",
    "/accessors/3/bufferView",
    "/bufferViews",
    "/bufferViews/1/byteOffset",
    "/bufferViews/2/byteOffset",
    "/bufferViews/4/byteOffset",
    "/bufferViews/5/byteOffset",
    "/extensions",
    "/extensions/KHR_lights_punctual",
    "/materials",
    "/meshes",
    "/meshes/0/primitives/0/attributes/POSITION",
    "/nodes",
    "/nodes/5/name",
    "/nodes/6/children",
    "/nodes/6/name",
    "/scenes",
    "/scenes/0/nodes",
];

/// A file with every field of the schema: rooms with meshes, lamps, cameras and an animated mover.
fn full() -> GltfFile {
    let mut file = GltfFile::new();
    let texture = file.texture();
    let positions = file.floats(&SQUARE);
    let normals = file.floats(&[[0., 1., 0.]; 4]);
    let uvs = file.floats(&[[0., 0.], [0., 1.], [1., 1.], [1., 0.]]);
    let indices = file.indices(&[0, 1, 2, 0, 2, 3]);
    let (sparse_indices, sparse_values) = (file.view(&[0, 0]), file.view(&[0; 12]));
    let moved = file.floats(&[[0., 0., 0.], [0., 0.5, 0.]]);
    let times: Vec<u8> = [0.0_f32, 1.0]
        .iter()
        .flat_map(|t| t.to_le_bytes())
        .collect();
    let times = file.view(&times);
    let times = json!({"bufferView": times, "componentType": 5126, "count": 2, "type": "SCALAR"});
    let times = file.push("accessors", times);
    let accessor = &mut file.json["accessors"][positions];
    accessor["byteOffset"] = json!(0);
    accessor["normalized"] = json!(false);
    accessor["min"] = json!([0., 0., 0.]);
    accessor["max"] = json!([1., 0., 1.]);
    accessor["name"] = json!("corners");
    accessor["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": sparse_indices, "byteOffset": 0, "componentType": 5123},
        "values": {"bufferView": sparse_values, "byteOffset": 0},
    });
    let of_vertices = file.json["accessors"][positions]["bufferView"]
        .as_u64()
        .unwrap() as usize;
    let view = &mut file.json["bufferViews"][of_vertices];
    view["byteStride"] = json!(12);
    view["target"] = json!(34962);
    view["name"] = json!("vertices");
    file.push(
        "samplers",
        json!({"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 33071, "name": "s"}),
    );
    file.json["textures"][texture]["sampler"] = json!(0);
    file.json["textures"][texture]["name"] = json!("oak");
    file.json["images"][0]["mimeType"] = json!("image/png");
    file.json["images"][0]["name"] = json!("oak");
    let transform = json!({"offset": [0., 0.], "rotation": 0., "scale": [1., 1.], "texCoord": 0});
    let info = json!({"index": texture, "texCoord": 0, "extensions": {"KHR_texture_transform": transform}});
    let with = |key: &str, value: f64| {
        let mut info = info.clone();
        info[key] = json!(value);
        info
    };
    let material = json!({
        "name": "oak",
        "pbrMetallicRoughness": {
            "baseColorFactor": [1., 1., 1., 1.], "baseColorTexture": info, "metallicFactor": 0.,
            "roughnessFactor": 1., "metallicRoughnessTexture": info,
        },
        "normalTexture": with("scale", 1.0), "occlusionTexture": with("strength", 1.0), "emissiveTexture": info,
        "emissiveFactor": [0., 0., 0.], "alphaMode": "MASK", "alphaCutoff": 0.5, "doubleSided": true,
        "extensions": {
            "KHR_materials_emissive_strength": {"emissiveStrength": 1.},
            "KHR_materials_ior": {"ior": 1.5},
            "KHR_materials_specular": {
                "specularFactor": 1., "specularTexture": info, "specularColorFactor": [1., 1., 1.],
                "specularColorTexture": info,
            },
            "KHR_materials_transmission": {"transmissionFactor": 0., "transmissionTexture": info},
            "KHR_materials_unlit": {},
        },
        "extras": {"friction": 0.5},
    });
    let material = file.push("materials", material);
    let primitive = json!({
        "attributes": {"POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs},
        "indices": indices, "material": material, "mode": 4, "targets": [{"POSITION": positions}],
    });
    let mesh = file.mesh(primitive);
    file.json["meshes"][mesh]["weights"] = json!([0.0]);
    file.json["meshes"][mesh]["extras"] = json!({"targetNames": ["open"]});
    let spot = json!({
        "name": "spot", "type": "spot", "color": [1., 1., 1.], "intensity": 10., "range": 5.,
        "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.5},
    });
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [spot]}});
    file.json["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    file.json["extensionsRequired"] = json!(["KHR_lights_punctual"]);
    let perspective = json!({"aspectRatio": 1.5, "yfov": 1., "zfar": 100., "znear": 0.1});
    file.push(
        "cameras",
        json!({"name": "c", "type": "perspective", "perspective": perspective}),
    );
    let orthographic = json!({"xmag": 1., "ymag": 1., "zfar": 100., "znear": 0.1});
    file.push(
        "cameras",
        json!({"name": "o", "type": "orthographic", "orthographic": orthographic}),
    );
    let identity: Vec<u8> = (0..16)
        .flat_map(|at| f32::from(u8::from(at % 5 == 0)).to_le_bytes())
        .collect();
    let matrices = file.view(&identity);
    let matrices =
        json!({"bufferView": matrices, "componentType": 5126, "count": 1, "type": "MAT4"});
    let matrices = file.push("accessors", matrices);
    let child = |name: &str| {
        json!({"name": name, "translation": [0., 0., 0.], "rotation": [0., 0., 0., 1.],
        "scale": [1., 1., 1.], "mesh": mesh, "weights": [0.], "extras": {"note": "oak"}})
    };
    let shape = file.push("nodes", child("shape"));
    let mover = file.push("nodes", child("lift-mover"));
    let skinned = file.push("nodes", child("figure"));
    file.json["nodes"][skinned]["skin"] = json!(0);
    file.push("skins", json!({"name": "bones", "joints": [shape], "skeleton": shape, "inverseBindMatrices": matrices}));
    let eye = file.push("nodes", json!({"name": "eye", "camera": 0}));
    let lamp = json!({"name": "lamp", "extensions": {"KHR_lights_punctual": {"light": 0}},
        "matrix": [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]});
    let lamp = file.push("nodes", lamp);
    let spawn = file.push(
        "nodes",
        json!({"name": "player-spawn", "translation": [0.5, 0.5, 0.5]}),
    );
    let children = [shape, mover, skinned, eye, lamp, spawn];
    let room = file.push("nodes", json!({"name": "hall-room", "children": children}));
    file.roots(&[room]);
    file.json["scenes"][0]["name"] = json!("level");
    let target = json!({"node": mover, "path": "translation"});
    let animation = json!({
        "name": "rise", "channels": [{"sampler": 0, "target": target}],
        "samplers": [{"input": times, "interpolation": "LINEAR", "output": moved}],
    });
    file.push("animations", animation);
    file.json["asset"] =
        json!({"version": "2.0", "minVersion": "2.0", "generator": "a test", "copyright": "none"});
    file
}

/// Collects the paths of all fields in a JSON text.
fn fields(value: &Value, place: &str, all: &mut Vec<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            let place = format!("{place}/{key}");
            fields(value, &place, all);
            all.push(place);
        }),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(at, value)| fields(value, &format!("{place}/{at}"), all));
        }
        _ => {}
    }
}

/// Whether the schema requires a field.
fn is_required(place: &str) -> bool {
    let names: Vec<&str> = place
        .split('/')
        .skip(1)
        .filter(|part| part.parse::<u32>().is_err())
        .collect();
    let (field, holders) = names.split_last().unwrap();
    let holder = format!(".{}", holders.join("."));
    REQUIRED.iter().any(|(of, fields)| {
        let is_there = if of.is_empty() {
            holders.is_empty()
        } else {
            holder.ends_with(&format!(".{of}"))
        };
        is_there && fields.contains(field)
    })
}

fn without(file: &GltfFile, place: &str) -> GltfFile {
    let (holder, field) = place.rsplit_once('/').unwrap();
    let mut file = file.clone();
    let holder = file.json.pointer_mut(holder).unwrap().as_object_mut();
    holder.unwrap().remove(field);
    file
}

#[test]
fn a_file_is_read_without_each_of_its_optional_fields() {
    let full = full();
    let mut all = Vec::new();
    fields(&full.json, "", &mut all);
    assert!(all.len() > 200, "{}", all.len());
    let good = inspect_bytes("full", &full.glb());
    assert_eq!(good.problems.errors.total(), 0, "{}", good.problems);
    let (mut required, mut optional) = (0, 0);
    for place in all {
        let read = inspect_bytes("cut", &without(&full, &place).glb());
        let errors = &read.problems.errors;
        if is_required(&place) {
            // There is no panic; some required fields are not checked.
            required += 1;
        } else if NEEDED.contains(&place.as_str()) {
            let unreadable = errors
                .iter()
                .find(|problem| problem.code == ProblemCode::Json);
            assert_eq!(unreadable, None, "{place}");
        } else {
            assert_eq!(errors.total(), 0, "{place}: {}", read.problems);
            optional += 1;
        }
    }
    assert!(required > 50 && optional > 150, "{required} {optional}");
}
