//! Texture coordinates and vertex colours in all their encodings.

use glam::Vec2;
use opendoor::gltf::read_source_bytes;
use opendoor::source::LevelSource;
use serde_json::{Value, json};

use crate::gltf_file::{GltfFile, SQUARE, read, read_cleanly};

const UVS: [[f32; 2]; 4] = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];

/// A square whose base colour texture uses this set of texture coordinates.
fn textured(set: u32) -> GltfFile {
    let mut file = GltfFile::new();
    let texture = file.texture();
    let positions = file.floats(&SQUARE);
    let base = json!({"baseColorTexture": {"index": texture, "texCoord": set}});
    file.push("materials", json!({"pbrMetallicRoughness": base}));
    let mesh = file.mesh(json!({"attributes": {"POSITION": positions}, "mode": 6, "material": 0}));
    file.in_room(mesh);
    file
}

/// An accessor with the same bytes four times.
fn repeated(file: &mut GltfFile, component: u32, kind: &str, bytes: &[u8]) -> usize {
    let view = file.view(&bytes.repeat(4));
    file.json["bufferViews"][view]["byteStride"] = json!(bytes.len());
    let accessor = json!({
        "bufferView": view, "componentType": component, "count": 4, "type": kind,
        "normalized": component != 5126,
    });
    file.push("accessors", accessor)
}

#[test]
fn both_sets_of_texture_coordinates_are_read_where_a_texture_uses_them() {
    let second = UVS.map(|[u, v]| [0.5 * u, v - 3.0]);
    for set in [0, 1] {
        let mut file = textured(set);
        let (first, second) = (file.floats(&UVS), file.floats(&second));
        file.attributes()["TEXCOORD_0"] = json!(first);
        file.attributes()["TEXCOORD_1"] = json!(second);
        let other = json!({"index": 0, "texCoord": 1});
        file.json["materials"][0]["emissiveTexture"] = other;
        let mesh = &read_cleanly(&file).meshes[0];
        let used = if set == 0 {
            UVS.map(Vec2::from).to_vec()
        } else {
            Vec::new()
        };
        assert_eq!(mesh.uvs[0], used, "set {set}");
    }
    let mut file = textured(1);
    let second = file.floats(&second);
    file.attributes()["TEXCOORD_1"] = json!(second);
    let mesh = &read_cleanly(&file).meshes[0];
    assert_eq!(
        mesh.uvs[1],
        [[0.0, -3.0], [0.0, -2.0], [0.5, -2.0], [0.5, -3.0]].map(Vec2::from)
    );
}

#[test]
fn a_transform_of_the_texture_is_left_to_the_texture() {
    let mut file = textured(0);
    let uvs = file.floats(&UVS);
    file.attributes()["TEXCOORD_0"] = json!(uvs);
    let transform = json!({"KHR_texture_transform": {"scale": [7, 7]}});
    file.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = transform;
    assert_eq!(read_cleanly(&file).meshes[0].uvs[0], UVS.map(Vec2::from));
}

#[test]
fn normalized_integers_are_fractions_of_their_greatest() {
    let cases: [(u32, [u8; 4], Vec2); 4] = [
        (5121, [255, 51, 0, 0], Vec2::new(1.0, 0.2)),
        (5120, [127, 0x80, 0, 0], Vec2::new(1.0, -1.0)),
        (5123, [0xff, 0xff, 0x33, 0x33], Vec2::new(1.0, 0.2)),
        (5122, [0xff, 0x7f, 0x00, 0x80], Vec2::new(1.0, -1.0)),
    ];
    for set in [0, 1] {
        for (component, bytes, expected) in cases {
            let mut file = textured(set as u32);
            let uvs = repeated(&mut file, component, "VEC2", &bytes);
            file.attributes()[format!("TEXCOORD_{set}")] = json!(uvs);
            let source = read_cleanly(&file);
            assert_eq!(source.meshes[0].uvs[set], [expected; 4], "{component}");
        }
    }
}

#[test]
fn texture_coordinates_that_are_missing_are_a_warning() {
    let (source, problems) = read(&textured(1));
    assert_eq!(source.meshes[0].triangles.len(), 2);
    assert_eq!(problems.warnings.len(), 1, "{problems}");
    assert!(problems.warnings[0].message.contains("TEXCOORD_1"));
}

/// A square with these vertex colours.
fn coloured(component: u32, kind: &str, bytes: &[u8]) -> GltfFile {
    let mut file = GltfFile::new();
    let positions = file.floats(&SQUARE);
    let colours = repeated(&mut file, component, kind, bytes);
    let attributes = json!({"POSITION": positions, "COLOR_0": colours});
    let mesh = file.mesh(json!({"attributes": attributes, "mode": 6}));
    file.in_room(mesh);
    file
}

#[test]
fn colours_of_any_format_are_fractions_and_opaque_without_an_alpha() {
    let floats = |values: &[f32]| {
        values
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let shorts = |values: &[u16]| {
        values
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let rgba = [1.0, 0.2, 0.0, 0.6];
    for (component, four) in [
        (5126, floats(&rgba)),
        (5121, vec![255, 51, 0, 153]),
        (5123, shorts(&[65535, 13107, 0, 39321])),
    ] {
        let found = &read_cleanly(&coloured(component, "VEC4", &four)).meshes[0].colours;
        assert_eq!(*found, [rgba; 4], "{component}");
        let mut three = four[..four.len() / 4 * 3].to_vec();
        three.resize(three.len().next_multiple_of(4), 0);
        let found = &read_cleanly(&coloured(component, "VEC3", &three)).meshes[0].colours;
        assert_eq!(*found, [[1.0, 0.2, 0.0, 1.0]; 4], "{component}");
    }
}

#[test]
fn a_colour_reaches_the_vertex_that_is_drawn() {
    let mut file = coloured(5121, "VEC4", &[255, 51, 0, 153]);
    file.push("nodes", json!({"name": "player-spawn"}));
    let (source, _) = read(&file);
    let level = built_in_spite(source);
    assert!(!level.is_empty());
    for colour in level {
        assert_eq!(colour, [65535, 13107, 0, 39321]);
    }
}

/// The colours of all vertices of the level, after a closed room was added so that it can be built.
fn built_in_spite(source: LevelSource) -> Vec<[u16; 4]> {
    use opendoor::author::sketch::{Sketch, cuboid};
    let mut sketch = Sketch::new("room");
    let room = sketch.box_room("a", cuboid([-5.0; 3], [5.0; 3]), &[]);
    sketch.spawn(room, glam::DVec3::ZERO, glam::DVec3::X);
    sketch.source.meshes[0].drawn = false;
    sketch.source.meshes.extend(source.meshes);
    let level = crate::shared::built(sketch.source);
    level.vertices.iter().map(|vertex| vertex.colour).collect()
}

fn error_of(file: &GltfFile) -> String {
    let problems = read_source_bytes("test", &file.glb()).unwrap_err();
    assert_eq!(problems.errors.len(), 1, "{problems}");
    assert_eq!(problems.errors[0].code, "mesh");
    problems.errors[0].message.clone()
}

#[test]
fn attributes_that_cannot_be_read_break_their_mesh() {
    let square = |attribute: &str, change: fn(&mut Value)| {
        let mut file = textured(0);
        let uvs = file.floats(&UVS);
        let colours = file.floats(&[[1.0_f32; 3]; 4]);
        file.attributes()["TEXCOORD_0"] = json!(uvs);
        file.attributes()["COLOR_0"] = json!(colours);
        let at = file.attributes()[attribute].as_u64().unwrap() as usize;
        change(&mut file.json["accessors"][at]);
        error_of(&file)
    };
    for attribute in ["TEXCOORD_0", "COLOR_0"] {
        let what = attribute.split('_').next().unwrap();
        let short = square(attribute, |accessor| accessor["count"] = json!(3));
        assert!(short.contains(what) && short.contains("count 3"), "{short}");
        let odd = square(attribute, |accessor| accessor["type"] = json!("SCALAR"));
        assert!(odd.contains(what) && odd.contains("SCALAR"), "{odd}");
    }
    let mut file = coloured(5126, "VEC3", &[0, 0, 0xc0, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert!(error_of(&file).contains("not finite"));
    file.attributes()["COLOR_0"] = json!(99);
    assert!(error_of(&file).contains("accessor 99"));
}

#[test]
fn unused_vertices_are_dropped_with_all_their_attributes() {
    let mut file = textured(0);
    let mut positions = vec![[9.0_f32; 3]; 100];
    positions.splice(50..54, SQUARE);
    let count = 0..positions.len();
    let uvs: Vec<[f32; 2]> = count.clone().map(|i| [i as f32, -(i as f32)]).collect();
    let colours: Vec<[f32; 3]> = count.map(|i| [i as f32 / 128.0; 3]).collect();
    let accessors = [
        file.floats(&positions),
        file.floats(&uvs),
        file.floats(&colours),
    ];
    let indices = file.indices(&[53, 50, 51, 53, 51, 52]);
    for (name, accessor) in ["POSITION", "TEXCOORD_0", "COLOR_0"]
        .into_iter()
        .zip(accessors)
    {
        file.attributes()[name] = json!(accessor);
    }
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    file.json["meshes"][0]["primitives"][0]["mode"] = json!(4);
    let mesh = &read_cleanly(&file).meshes[0];
    assert_eq!(mesh.positions.len(), 4);
    for vertex in 0..4 {
        let old = 50.0
            + SQUARE
                .iter()
                .position(|p| mesh.positions[vertex] == glam::DVec3::from(p.map(f64::from)))
                .unwrap() as f32;
        assert_eq!(mesh.uvs[0][vertex], Vec2::new(old, -old));
        assert_eq!(mesh.colours[vertex][0], old / 128.0);
    }
}
