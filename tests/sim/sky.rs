//! The open sky: meshes with a sky material, rooms under the open sky, and the sky's colours.

use opendoor::build::build;
use opendoor::level::{Material, Sky, Stiffness, locate};
use opendoor::problems::Problems;
use opendoor::source::LevelSource;
use serde_json::{Value, json};

use crate::common::{Playtest, v};
use crate::gltf_file::{GltfFile, read, read_cleanly};

/// The faces of a box of 6 x 4 x 6 m, seen from inside; the floor is at y = 0.
fn sides() -> Vec<[[f32; 3]; 4]> {
    let at = |x: i32, y: i32, z: i32| [6.0 * x as f32 - 3.0, 4.0 * y as f32, 6.0 * z as f32 - 3.0];
    vec![
        [at(0, 1, 0), at(1, 1, 0), at(1, 1, 1), at(0, 1, 1)],
        [at(0, 0, 0), at(0, 0, 1), at(1, 0, 1), at(1, 0, 0)],
        [at(0, 0, 0), at(0, 1, 0), at(0, 1, 1), at(0, 0, 1)],
        [at(1, 0, 0), at(1, 0, 1), at(1, 1, 1), at(1, 1, 0)],
        [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)],
        [at(0, 0, 1), at(0, 1, 1), at(1, 1, 1), at(1, 0, 1)],
    ]
}

/// A court with walls and floor, whose lid is a node with this name.
fn court(lid: &str, extras: Value) -> GltfFile {
    let mut file = GltfFile::new();
    let texture = file.texture();
    file.push(
        "materials",
        json!({
            "name": "plaster", "alphaMode": "BLEND", "doubleSided": true,
            "normalTexture": {"index": texture}, "extras": {"friction": 0.1},
        }),
    );
    let sides = sides();
    for sides in [&sides[..1], &sides[1..]] {
        let corners = sides
            .iter()
            .flat_map(|[a, b, c, d]| [*a, *b, *c, *a, *c, *d]);
        let corners: Vec<[f32; 3]> = corners.collect();
        let (positions, uvs) = (
            file.floats(&corners),
            file.floats(&vec![[0.5_f32; 2]; corners.len()]),
        );
        let colours = file.floats(&vec![[0.5_f32; 3]; corners.len()]);
        file.mesh(json!({
            "attributes": {"POSITION": positions, "TEXCOORD_0": uvs, "COLOR_0": colours},
            "material": 0,
        }));
    }
    file.json["nodes"] = json!([
        {"name": lid, "mesh": 0},
        {"name": "walls", "mesh": 1},
        {"name": "player-spawn", "translation": [0, 1, 0]},
        {"name": "court-room", "children": [0, 1, 2], "extras": extras},
    ]);
    file.roots(&[3]);
    file
}

#[test]
fn a_sky_mesh_is_drawn_with_the_sky_whatever_its_material() {
    let source = read_cleanly(&court("lid-sky", json!({})));
    let lid = source
        .meshes
        .iter()
        .find(|mesh| &*mesh.node == "lid-sky")
        .unwrap();
    assert!(lid.drawn && lid.solid);
    assert_eq!(lid.triangles.len(), 2);
    let expected = Material {
        name: "sky".to_owned(),
        sky: true,
        ..Material::default()
    };
    assert_eq!(source.materials[lid.material], expected);
    assert_eq!(source.materials.iter().filter(|m| m.sky).count(), 1);
    assert!(lid.normals.is_empty() && lid.tangents.is_empty() && lid.colours.is_empty());
    let walls = source
        .meshes
        .iter()
        .find(|mesh| &*mesh.node == "walls")
        .unwrap();
    assert_eq!(source.materials[walls.material].name, "plaster");
}

#[test]
fn a_level_without_sky_meshes_has_no_sky_material() {
    let source = read_cleanly(&court("lid", json!({})));
    assert!(source.materials.iter().all(|material| !material.sky));
}

#[test]
fn a_sky_mesh_closes_its_room_like_any_wall() {
    let (level, problems) = build(read_cleanly(&court("lid-sky.001", json!({})))).unwrap();
    assert_eq!(problems, Problems::default());
    for point in [v(0.0, 3.9, 0.0), v(2.9, 3.9, -2.9), v(0.0, 0.1, 0.0)] {
        assert!(locate(&level, point).is_some(), "{point}");
    }
    for point in [v(0.0, 4.1, 0.0), v(0.0, 50.0, 0.0)] {
        assert_eq!(locate(&level, point), None, "{point}");
    }
    let drawn = level
        .draws
        .iter()
        .map(|draw| &level.materials[draw.material as usize]);
    assert_eq!(drawn.filter(|material| material.sky).count(), 1);
}

#[test]
fn a_body_does_not_pass_a_sky_mesh() {
    // The court upside down: its floor is the sky.
    let mut file = court("floor-sky", json!({}));
    file.json["nodes"][3]["rotation"] = json!([1, 0, 0, 0]);
    file.json["nodes"][3]["translation"] = json!([0, 4, 0]);
    let (level, _) = build(read_cleanly(&file)).unwrap();
    let mut playtest = Playtest::at(&level, v(0.0, 2.0, 0.0));
    playtest.stand(2.0);
    let height = playtest.centre().y;
    assert!((0.3..0.4).contains(&height), "{height}");
}

#[test]
fn nodes_below_a_sky_node_are_sky_too_and_other_suffixes_still_apply() {
    let mut file = court("lid", json!({}));
    file.json["nodes"][0]["name"] = json!("vault-nocol");
    file.json["nodes"][3]["children"] = json!([4, 1, 2]);
    file.push("nodes", json!({"name": "dome-Sky", "children": [0]}));
    let source = read_cleanly(&file);
    let vault = source
        .meshes
        .iter()
        .find(|mesh| &*mesh.node == "vault-nocol")
        .unwrap();
    assert!(source.materials[vault.material].sky && !vault.solid);
}

#[test]
fn a_room_may_be_open_to_the_sky() {
    for (extras, open, warnings) in [
        (json!({}), false, 0),
        (json!({"open": true}), true, 0),
        (json!({"open": 1}), true, 0),
        (json!({"open": false}), false, 0),
        (json!({"open": "perhaps"}), false, 1),
    ] {
        let (source, problems) = read(&court("lid", extras));
        assert_eq!(source.rooms[0].open_to_sky, open);
        assert_eq!(problems.warnings.len(), warnings, "{problems}");
        assert!(
            problems
                .warnings
                .iter()
                .all(|w| (w.code.as_str(), w.node.as_str()) == ("room-open", "court-room"))
        );
        let (level, _) = build(source).unwrap();
        assert_eq!(level.rooms[0].open_to_sky, open);
    }
}

fn with_settings(extras: Value) -> (LevelSource, Problems) {
    let mut file = court("lid-sky", json!({}));
    file.json["scenes"][0]["extras"] = extras;
    read(&file)
}

#[test]
fn properties_of_the_scene_set_the_sky_the_exposure_and_the_contact_stiffness() {
    let (source, problems) = with_settings(json!({
        "sky_zenith": [0.25, 0.5, 1], "sky_horizon": ["0.5", 0, 2], "sky_strength": 4, "exposure": -1.5,
        "stiffness": 30, "clouds": 0.25,
    }));
    assert_eq!(problems, Problems::default());
    let expected = Sky {
        zenith: [1.0, 2.0, 4.0],
        horizon: [2.0, 0.0, 8.0],
        ground: Sky::default().ground.map(|x| 4.0 * x),
        clouds: 0.25,
    };
    assert_eq!(source.sky, expected);
    assert_eq!(source.exposure_stops, -1.5);
    assert_eq!(source.stiffness, Stiffness::new(30));
    let (level, _) = build(source).unwrap();
    assert_eq!(level.stiffness, Stiffness::new(30));
    assert_eq!((level.sky, level.exposure_stops), (expected, -1.5));
}

#[test]
fn without_settings_it_is_a_clear_day() {
    let (source, problems) = with_settings(json!({}));
    assert_eq!(problems, Problems::default());
    assert_eq!((source.sky, source.exposure_stops), (Sky::default(), 0.0));
}

#[test]
fn settings_that_are_no_numbers_or_out_of_range_are_reported_and_replaced() {
    let (source, problems) = with_settings(json!({
        "sky_zenith": [-1, 0.5, "NaN"], "sky_horizon": [1, 2], "sky_ground": "green",
        "sky_strength": "strong", "exposure": 99, "stiffness": 3,
        "clouds": 1.5,
    }));
    let default = Sky::default();
    assert_eq!(source.sky.zenith, [0.0, 0.5, default.zenith[2]]);
    assert_eq!(
        (source.sky.horizon, source.sky.ground),
        (default.horizon, default.ground)
    );
    assert_eq!((source.exposure_stops, source.sky.clouds), (20.0, 1.0));
    assert_eq!(source.stiffness, Stiffness::new(8));
    assert_eq!(problems.warnings.len(), 8, "{problems}");
    for warning in &problems.warnings {
        assert_eq!(
            (warning.code.as_str(), warning.node.as_str()),
            ("scene-property", "scene")
        );
    }
    assert_eq!(
        with_settings(json!({"exposure": "NaN"})).0.exposure_stops,
        0.0
    );
}
