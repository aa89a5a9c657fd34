//! Materials are imported as glTF defines them, and values out of range are reported and clamped.

use opendoor::level::{Alpha, Material};
use opendoor::problems::Problems;
use opendoor::source::LevelSource;
use serde_json::{Value, json};

use crate::gltf_file::{GltfFile, read, read_cleanly};

fn with_materials(materials: Value) -> GltfFile {
    let mut file = GltfFile::new();
    file.json["materials"] = materials;
    file
}

fn one(material: Value) -> Material {
    let mut source = read_cleanly(&with_materials(json!([material])));
    source.materials.swap_remove(0)
}

fn warned(materials: Value) -> (LevelSource, Problems) {
    let (source, problems) = read(&with_materials(materials));
    assert_eq!(problems.errors, []);
    (source, problems)
}

#[test]
fn every_factor_arrives() {
    let material = one(json!({
        "name": "ice", "doubleSided": true, "alphaMode": "BLEND",
        "emissiveFactor": [1, 0.5, 0],
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.6, "roughnessFactor": 0.7,
        },
        "extensions": {
            "KHR_materials_unlit": {},
            "KHR_materials_emissive_strength": {"emissiveStrength": 4},
            "KHR_materials_ior": {"ior": 1.31},
            "KHR_materials_specular": {"specularFactor": 0.9, "specularColorFactor": [0, 1, 2]},
        },
        "extras": {"friction": "0.05", "drag": 0.5, "bounce": "1"},
    }));
    let expected = Material {
        name: "ice".to_owned(),
        base_colour: [0.1, 0.2, 0.3, 0.4],
        alpha: Alpha::Blend,
        metallic: 0.6,
        roughness: 0.7,
        emissive: [4.0, 2.0, 0.0],
        ior: 1.31,
        specular: 0.9,
        specular_colour: [0.0, 1.0, 2.0],
        double_sided: true,
        unlit: true,
        friction: 0.05,
        drag: 0.5,
        bounce: 1.0,
        ..Material::default()
    };
    assert_eq!(material, expected);
}

#[test]
fn absent_material_values_are_the_defaults_of_gltf() {
    let material =
        one(json!({"extensions": {"KHR_materials_ior": {}, "KHR_materials_specular": {}}}));
    // The defaults of the standard: white, metallic and rough.
    let expected = Material {
        name: "material 0".to_owned(),
        base_colour: [1.0; 4],
        metallic: 1.0,
        roughness: 1.0,
        ..Material::default()
    };
    assert_eq!(material, expected);
    assert_eq!((expected.ior, expected.specular), (1.5, 1.0));
    assert_eq!(
        (expected.friction, expected.drag, expected.bounce),
        (0.7, 0.0, 0.0)
    );
}

#[test]
fn alpha_is_opaque_cut_or_blended() {
    for (written, alpha) in [
        (json!({}), Alpha::Opaque),
        (
            json!({"alphaMode": "OPAQUE", "alphaCutoff": 0.3}),
            Alpha::Opaque,
        ),
        (json!({"alphaMode": "MASK"}), Alpha::Mask(0.5)),
        (
            json!({"alphaMode": "MASK", "alphaCutoff": 0.25}),
            Alpha::Mask(0.25),
        ),
        (json!({"alphaMode": "BLEND"}), Alpha::Blend),
    ] {
        assert_eq!(one(written).alpha, alpha);
    }
}

#[test]
fn an_index_of_refraction_of_0_reflects_everything() {
    let ior = |ior: f64| one(json!({"extensions": {"KHR_materials_ior": {"ior": ior}}})).ior;
    assert_eq!(ior(0.0), 0.0);
    assert_eq!(ior(1.0), 1.0);
}

#[test]
fn values_out_of_range_become_the_nearest_valid_value() {
    // 1e39 is infinite in single precision.
    let look = json!({
        "emissiveFactor": [1e39, -1, 2], "alphaMode": "MASK", "alphaCutoff": -0.5,
        "pbrMetallicRoughness": {
            "baseColorFactor": [1e39, -1e39, 2, 0.5], "metallicFactor": 1e39, "roughnessFactor": -2,
        },
        "normalTexture": {"index": 9, "scale": 1e39},
        "occlusionTexture": {"index": 9, "strength": 2},
    });
    let extensions = json!({"extensions": {
        "KHR_materials_emissive_strength": {"emissiveStrength": -1},
        "KHR_materials_ior": {"ior": 0.5},
        "KHR_materials_specular": {"specularFactor": 2, "specularColorFactor": [-1, 1, 1e39]},
    }});
    let feel = json!({"extras": {"friction": -3, "drag": 7, "bounce": "much"}});
    let nan = json!({"extras": {"friction": "NaN", "drag": "nan"}});
    let (source, problems) = warned(json!([look, extensions, feel, nan]));
    let [look, extensions, feel, nan, _] = source.materials.as_slice() else {
        panic!("{:?}", source.materials);
    };
    assert_eq!(look.emissive, [1.0, 0.0, 1.0]);
    assert_eq!(look.base_colour, [1.0, 0.0, 1.0, 0.5]);
    assert_eq!((look.metallic, look.roughness), (1.0, 0.0));
    assert_eq!((look.normal_scale, look.occlusion_strength), (1e6, 1.0));
    assert_eq!(look.alpha, Alpha::Mask(0.0));
    assert_eq!((extensions.ior, extensions.specular), (1.0, 1.0));
    assert_eq!(extensions.specular_colour, [0.0, 1.0, 1e6]);
    assert_eq!((feel.friction, feel.drag, feel.bounce), (0.0, 1.0, 0.0));
    assert_eq!((nan.friction, nan.drag), (0.7, 0.0));
    let ranges = |index: usize| {
        let name = format!("material {index}");
        let warnings = problems.warnings.iter();
        warnings
            .filter(|w| w.code == "material-range" && w.node == name)
            .count()
    };
    // Twenty problems are listed, and one more is only counted.
    assert_eq!([0, 1, 2, 3].map(ranges), [11, 5, 3, 1], "{problems}");
    let last = problems
        .warnings
        .last()
        .map(|w| (w.code.as_str(), w.message.as_str()));
    assert_eq!(last, Some(("material-range", "and 1 more")));
}

#[test]
fn textures_of_the_specular_extension_are_named_once() {
    let material = json!({"extensions": {"KHR_materials_specular": {
        "specularFactor": 0.5, "specularTexture": {"index": 0}, "specularColorTexture": {"index": 0},
    }}});
    let (source, problems) = warned(json!([material, material]));
    assert_eq!(source.materials[1].specular, 0.5);
    let [warning] = &problems.warnings[..] else {
        panic!("{problems}");
    };
    assert_eq!(warning.code, "extension-ignored");
    assert!(warning.message.contains("KHR_materials_specular"));
}

/// A glass material with this transmission factor, and with further properties.
fn glass(transmission: f64, more: Value) -> Value {
    let mut material = json!({
        "name": "glass",
        "pbrMetallicRoughness": {"metallicFactor": 0},
        "extensions": {"KHR_materials_transmission": {"transmissionFactor": transmission}},
    });
    let more = more.as_object().expect("an object").clone();
    for (key, value) in more {
        material[key] = value;
    }
    material
}

/// Regression test: a surface that transmits light was imported as opaque and white.
#[test]
fn a_surface_that_transmits_light_blends() {
    let clear = one(glass(1.0, json!({})));
    assert_eq!(clear.alpha, Alpha::Blend);
    assert_eq!(clear.base_colour[..3], [1.0; 3]);
    assert!((0.05..0.15).contains(&clear.base_colour[3]), "{clear:?}");

    // The alpha rises as the transmission decreases, and as the colour gets darker.
    let mut last = clear.base_colour[3];
    for factor in [0.9, 0.5, 0.1] {
        let material = one(glass(factor, json!({})));
        assert_eq!(material.alpha, Alpha::Blend);
        assert!(material.base_colour[3] > last + 0.05, "{material:?}");
        last = material.base_colour[3];
    }
    let mut last = clear.base_colour[3];
    for shade in [0.8, 0.4, 0.1] {
        let colour = json!([shade, shade, shade, 1.0]);
        let pbr = json!({"metallicFactor": 0, "baseColorFactor": colour});
        let material = one(glass(1.0, json!({"pbrMetallicRoughness": pbr})));
        assert_eq!(material.base_colour[0], shade as f32, "the tint stays");
        assert!(material.base_colour[3] > last + 0.1, "{material:?}");
        last = material.base_colour[3];
    }
}

#[test]
fn the_alpha_of_glass_counts_as_its_mode_allows() {
    let alpha = |mode: &str| {
        let pbr = json!({"metallicFactor": 0, "baseColorFactor": [1, 1, 1, 0.5]});
        let more = json!({"alphaMode": mode, "pbrMetallicRoughness": pbr});
        one(glass(1.0, more)).base_colour[3]
    };
    assert_eq!(alpha("BLEND"), 0.5 * alpha("OPAQUE"));
    assert_eq!(alpha("MASK"), 0.5 * alpha("OPAQUE"));
}

#[test]
fn glass_with_a_dark_texture_is_darker_than_clear_glass() {
    let alpha = |texel: [u8; 4]| {
        let mut file = with_materials(json!([glass(
            1.0,
            json!({
                "pbrMetallicRoughness": {"metallicFactor": 0, "baseColorTexture": {"index": 0}},
            })
        )]));
        let pixels = image::RgbaImage::from_raw(1, 1, texel.to_vec()).expect("one pixel");
        let mut png = std::io::Cursor::new(Vec::new());
        let written = pixels.write_to(&mut png, image::ImageFormat::Png);
        written.expect("it fits");
        let view = file.view(&png.into_inner());
        let image = json!({"bufferView": view, "mimeType": "image/png"});
        let image = file.push("images", image);
        file.push("textures", json!({"source": image}));
        read_cleanly(&file).materials[0].base_colour[3]
    };
    let [clear, blue, black] = [[255; 4], [0, 0, 255, 255], [0, 0, 0, 255]].map(alpha);
    assert!(
        clear < 0.15 && (0.6..0.8).contains(&blue),
        "{clear}, {blue}"
    );
    assert_eq!(black, 1.0);
}

#[test]
fn materials_without_transmission_stay_opaque() {
    let metal = json!({"pbrMetallicRoughness": {"metallicFactor": 1}});
    let black = json!({
        "pbrMetallicRoughness": {"metallicFactor": 0, "baseColorFactor": [0, 0, 0, 1]},
    });
    for material in [glass(0.0, json!({})), glass(1.0, metal), glass(1.0, black)] {
        let material = one(material);
        assert_eq!(
            (material.alpha, material.base_colour[3]),
            (Alpha::Opaque, 1.0)
        );
    }
    let (source, problems) = warned(json!([glass(1e39, json!({})), glass(-1.0, json!({}))]));
    let [clear, solid] = [0, 1].map(|index: usize| source.materials[index].alpha);
    assert_eq!((clear, solid), (Alpha::Blend, Alpha::Opaque));
    let codes = problems
        .warnings
        .iter()
        .map(|warning| warning.code.as_str());
    assert_eq!(
        codes.collect::<Vec<_>>(),
        ["material-range"; 2],
        "{problems}"
    );
}

#[test]
fn a_texture_of_transmission_is_named_once() {
    let mut material = glass(1.0, json!({}));
    let extension = &mut material["extensions"]["KHR_materials_transmission"];
    extension["transmissionTexture"] = json!({"index": 0});
    let (source, problems) = warned(json!([material, material]));
    assert_eq!(source.materials[1].alpha, Alpha::Blend);
    let [warning] = &problems.warnings[..] else {
        panic!("{problems}");
    };
    assert_eq!(warning.code, "extension-ignored");
    assert!(warning.message.contains("KHR_materials_transmission"));
}

#[test]
fn extensions_that_are_read_go_unsaid_and_each_other_is_named_once() {
    let mut file = GltfFile::new();
    file.json["extensionsUsed"] = json!([
        "KHR_materials_ior",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_emissive_strength",
        "KHR_texture_transform",
        "KHR_lights_punctual",
        "KHR_materials_clearcoat",
        "KHR_materials_volume",
        "KHR_materials_clearcoat",
        "KHR_materials_pbrSpecularGlossiness",
        "ACME_sparkle",
    ]);
    let (_, problems) = read(&file);
    let named = [
        "ACME_sparkle",
        "KHR_materials_clearcoat",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_volume",
    ];
    assert_eq!(problems.warnings.len(), named.len(), "{problems}");
    for (warning, name) in problems.warnings.iter().zip(named) {
        assert_eq!(warning.code, "extension-ignored");
        assert!(warning.message.contains(name), "{warning}");
    }
}

#[test]
fn a_required_extension_that_is_not_read_is_an_error_and_one_that_is_read_is_none() {
    let mut file = GltfFile::new();
    file.json["extensionsRequired"] = json!(["KHR_materials_ior", "KHR_materials_specular"]);
    file.json["extensionsUsed"] = file.json["extensionsRequired"].clone();
    read_cleanly(&file);
    file.json["extensionsRequired"] = json!(["KHR_materials_volume"]);
    file.json["extensionsUsed"] = json!(["KHR_materials_volume"]);
    let problems = opendoor::gltf::read_source_bytes("test", &file.glb()).unwrap_err();
    assert_eq!(problems.errors[0].code, "extension-required");
    assert_eq!(problems.warnings, []);
}
