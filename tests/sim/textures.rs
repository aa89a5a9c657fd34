//! Textures: every slot of a material, the settings of its texture, and images that cannot be loaded.

use glam::{Mat3, Vec2, Vec3};
use opendoor::level::{Filter, Image, Material, Sampler, Texture, Wrap};
use serde_json::{Value, json};

use crate::gltf_file::{GltfFile, png, read, read_cleanly};

/// A slot of a material: its name in the file, and its field.
type Slot = (&'static str, fn(&Material) -> Option<Texture>);
const SLOTS: [Slot; 5] = [
    ("/pbrMetallicRoughness/baseColorTexture", |m| m.base_texture),
    ("/pbrMetallicRoughness/metallicRoughnessTexture", |m| {
        m.metallic_roughness_texture
    }),
    ("/normalTexture", |m| m.normal_texture),
    ("/occlusionTexture", |m| m.occlusion_texture),
    ("/emissiveTexture", |m| m.emissive_texture),
];

/// A file with a material whose slots hold `infos`, and one texture.
fn with_slots(infos: [Value; 5]) -> GltfFile {
    let mut file = GltfFile::new();
    file.texture();
    let mut material = json!({"pbrMetallicRoughness": {}});
    for ((path, _), info) in SLOTS.iter().zip(infos) {
        let (parent, slot) = path.rsplit_once('/').unwrap();
        if !info.is_null() {
            material.pointer_mut(parent).unwrap()[slot] = info;
        }
    }
    file.push("materials", material);
    file
}

fn with_base(info: Value) -> GltfFile {
    with_slots([info, json!(null), json!(null), json!(null), json!(null)])
}

#[test]
fn each_slot_has_its_own_texture_set_and_transform() {
    let infos = [0, 1, 2, 3, 4].map(|slot| {
        let transform = json!({"offset": [slot, 0.5], "scale": [1 + slot, 1]});
        json!({
            "index": slot, "texCoord": slot % 2, "scale": 0.25, "strength": 0.75,
            "extensions": {"KHR_texture_transform": transform},
        })
    });
    let mut file = with_slots(infos);
    for image in 1..5 {
        let view = file.view(&png());
        file.push("images", json!({"bufferView": view}));
        file.push("textures", json!({"source": image}));
    }
    let source = read_cleanly(&file);
    let material = &source.materials[0];
    for (slot, (path, of)) in SLOTS.iter().enumerate() {
        let texture = of(material).unwrap();
        assert_eq!(
            (texture.image, texture.uv_set),
            (slot as u32, slot as u8 % 2),
            "{path}"
        );
        assert_eq!(texture.uv_offset, Vec2::new(slot as f32, 0.5), "{path}");
        assert_eq!(
            texture.uv_from_vertex.x_axis,
            Vec2::new(1.0 + slot as f32, 0.0),
            "{path}"
        );
    }
    assert_eq!(
        (material.normal_scale, material.occlusion_strength),
        (0.25, 0.75)
    );
}

#[test]
fn a_picture_is_decoded_once_however_many_slots_and_samplers_show_it() {
    let infos = [0, 1, 0, 1, 0].map(|index| json!({"index": index}));
    let mut file = with_slots(infos);
    file.json["images"][0]["name"] = json!("flag");
    file.push("samplers", json!({"magFilter": 9728}));
    file.push("textures", json!({"source": 0, "sampler": 0}));
    let source = read_cleanly(&file);
    let expected = Image {
        name: "flag".to_owned(),
        width: 2,
        height: 1,
        rgba: [255u8, 0, 0, 255, 0, 0, 255, 128].into(),
    };
    assert_eq!(source.images, [expected]);
    let filters = SLOTS.map(|(_, of)| of(&source.materials[0]).unwrap().sampler.mag_filter);
    let (nearest, linear) = (Filter::Nearest, Filter::Linear);
    assert_eq!(filters, [linear, nearest, linear, nearest, linear]);
}

#[test]
fn a_texture_without_sampler_is_repeated_and_blended() {
    let source = read_cleanly(&with_base(json!({"index": 0})));
    assert_eq!(source.materials[0].base_texture, Some(Texture::new(0)));
    let sampler = Sampler {
        wrap: [Wrap::Repeat; 2],
        mag_filter: Filter::Linear,
        min_filter: Filter::Linear,
        mipmap_filter: Some(Filter::Linear),
    };
    assert_eq!(Texture::new(0).sampler, sampler);
}

#[test]
fn samplers_are_read_in_full() {
    let wraps = [
        (None, Wrap::Repeat),
        (Some(10497), Wrap::Repeat),
        (Some(33648), Wrap::Mirror),
        (Some(33071), Wrap::Clamp),
    ];
    let (nearest, linear) = (Filter::Nearest, Filter::Linear);
    let large = [(None, linear), (Some(9728), nearest), (Some(9729), linear)];
    let small = [
        (None, (linear, Some(linear))),
        (Some(9728), (nearest, None)),
        (Some(9729), (linear, None)),
        (Some(9984), (nearest, Some(nearest))),
        (Some(9985), (linear, Some(nearest))),
        (Some(9986), (nearest, Some(linear))),
        (Some(9987), (linear, Some(linear))),
    ];
    let mut file = with_base(json!({"index": 0}));
    let mut expected = Vec::new();
    for (wrap_s, wrap_u) in wraps {
        for (wrap_t, wrap_v) in wraps {
            for (written_mag, mag_filter) in large {
                for (written_min, (min_filter, mipmap_filter)) in small {
                    let written = [
                        ("wrapS", wrap_s),
                        ("wrapT", wrap_t),
                        ("magFilter", written_mag),
                        ("minFilter", written_min),
                    ];
                    let mut sampler = json!({});
                    for (key, value) in written {
                        if let Some(value) = value {
                            sampler[key] = json!(value);
                        }
                    }
                    let sampler = file.push("samplers", sampler);
                    let texture = file.push("textures", json!({"source": 0, "sampler": sampler}));
                    file.push("materials", json!({"emissiveTexture": {"index": texture}}));
                    let wrap = [wrap_u, wrap_v];
                    expected.push(Sampler {
                        wrap,
                        mag_filter,
                        min_filter,
                        mipmap_filter,
                    });
                }
            }
        }
    }
    let source = read_cleanly(&file);
    let read = source.materials.iter().filter_map(|m| m.emissive_texture);
    assert_eq!(read.map(|t| t.sampler).collect::<Vec<_>>(), expected);
}

#[test]
fn a_texture_transform_scales_then_turns_then_moves() {
    let angle = 0.7_f32;
    let (offset, scale) = ([0.25, 0.5], [2.0, -3.0]);
    let transform = json!({"offset": offset, "rotation": angle, "scale": scale, "texCoord": 1});
    let info = json!({"index": 0, "extensions": {"KHR_texture_transform": transform}});
    let source = read_cleanly(&with_base(info));
    let texture = source.materials[0].base_texture.unwrap();
    assert_eq!(
        texture.uv_set, 1,
        "the transform's set overrides the texture's"
    );
    // The matrices that KHR_texture_transform defines, column by column.
    let (sin, cos) = (f64::from(angle).sin() as f32, f64::from(angle).cos() as f32);
    let translation = Mat3::from_cols(Vec3::X, Vec3::Y, Vec3::new(offset[0], offset[1], 1.0));
    let rotation = Mat3::from_cols(Vec3::new(cos, -sin, 0.0), Vec3::new(sin, cos, 0.0), Vec3::Z);
    let scale = Mat3::from_diagonal(Vec3::new(scale[0], scale[1], 1.0));
    for uv in [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::new(0.3, -1.7)] {
        let expected = translation * rotation * scale * uv.extend(1.0);
        let found = texture.uv_from_vertex * uv + texture.uv_offset;
        assert!(
            found.distance(expected.truncate()) < 1e-6,
            "{found} {expected}"
        );
    }
    // A quarter turn is counter-clockwise as seen with v down: right becomes up.
    let quarter = json!({"rotation": std::f32::consts::FRAC_PI_2});
    let info = json!({"index": 0, "extensions": {"KHR_texture_transform": quarter}});
    let turned = read_cleanly(&with_base(info)).materials[0]
        .base_texture
        .unwrap();
    let right = turned.uv_from_vertex * Vec2::X;
    assert!(right.distance(Vec2::NEG_Y) < 1e-6, "{right}");
}

#[test]
fn a_texture_transform_that_is_not_finite_is_ignored_with_a_warning() {
    for transform in [
        json!({"scale": [1e39, 1]}),
        json!({"offset": [0, 1e39]}),
        json!({"rotation": 1e39}),
    ] {
        let info = json!({"index": 0, "extensions": {"KHR_texture_transform": transform}});
        let (source, problems) = read(&with_base(info));
        assert_eq!(source.materials[0].base_texture, Some(Texture::new(0)));
        assert_eq!(problems.warnings[0].code, "texture-transform");
        assert_eq!(problems.warnings.len(), 1);
    }
}

#[test]
fn a_texture_that_cannot_be_had_is_left_out_with_a_warning() {
    let files = |image: Value| {
        let mut file = with_base(json!({"index": 0}));
        file.json["images"][0] = image;
        file
    };
    let mut cases = vec![
        (files(json!({"uri": "data:image/png;base64,AAAA"})), "image"),
        (files(json!({"uri": "../secret.png"})), "image"),
        (files(json!({"bufferView": 99})), "image"),
        (files(json!({})), "image"),
        (with_base(json!({"index": 4})), "texture"),
        (with_base(json!({"index": 0, "texCoord": 7})), "texture"),
        (
            with_base(
                json!({"index": 0, "extensions": {"KHR_texture_transform": {"texCoord": 2}}}),
            ),
            "texture",
        ),
    ];
    let mut without_image = with_base(json!({"index": 0}));
    without_image.json["textures"][0] = json!({});
    cases.push((without_image, "image"));
    for (file, code) in cases {
        let (source, problems) = read(&file);
        assert_eq!(source.materials[0].base_texture, None);
        assert_eq!(problems.errors, []);
        assert_eq!(problems.warnings.len(), 1, "{problems}");
        assert_eq!(problems.warnings[0].code, code);
    }
}

#[test]
fn a_broken_picture_is_named_once() {
    let mut file = with_slots([0, 1, 2, 3, 4].map(|_| json!({"index": 0})));
    file.json["images"][0] = json!({"name": "poster", "bufferView": 99});
    let (source, problems) = read(&file);
    assert_eq!(source.materials[0].textures().count(), 0);
    assert_eq!(problems.warnings.len(), 1, "{problems}");
    assert_eq!(problems.warnings[0].node, "poster");
}

#[test]
fn a_sampler_that_does_not_exist_is_the_usual_one_with_a_warning() {
    let mut file = with_base(json!({"index": 0}));
    file.json["textures"][0]["sampler"] = json!(3);
    let (source, problems) = read(&file);
    assert_eq!(source.materials[0].base_texture, Some(Texture::new(0)));
    assert_eq!(problems.warnings[0].code, "texture");
}

/// A grey PNG of 8192 x 8192 pixels, which decodes to half of the limit for all images.
fn huge_png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = image::GrayImage::new(8192, 8192);
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Regression test: a thousand images of one buffer view were each decoded before they were refused.
#[test]
fn pictures_beyond_the_limit_are_refused_before_they_are_decoded() {
    let whole = huge_png();
    let cut = &whole[..whole.len() / 2];
    for (bytes, decoded) in [(&whole[..], 2), (cut, 0)] {
        let mut file = GltfFile::new();
        let view = file.view(bytes);
        for _ in 0..50 {
            let image = file.push("images", json!({"bufferView": view}));
            let texture = file.push("textures", json!({"source": image}));
            file.push("materials", json!({"emissiveTexture": {"index": texture}}));
        }
        let (source, problems) = read(&file);
        assert_eq!(source.images.len(), decoded);
        assert_eq!(problems.warnings.total(), 50 - decoded);
        let refused = problems.warnings.iter();
        let refused = refused.filter(|w| w.message.contains("does not fit"));
        // Twenty problems are listed. Only the first two images fit into the limit; if they are truncated, two of the
        // twenty problems are their decoding errors instead.
        assert_eq!(refused.count(), 20 - (2 - decoded));
    }
}

/// Regression test: if an emissive texture could not be loaded, the emissive factor stayed, so that the whole surface
/// emitted light.
#[test]
fn a_surface_whose_picture_of_light_cannot_be_had_does_not_shine() {
    let shine = |info: Value| {
        let mut file = with_slots([
            json!(null),
            json!(null),
            json!(null),
            json!(null),
            info.clone(),
        ]);
        file.json["materials"][0]["emissiveFactor"] = json!([1, 0.5, 0]);
        let (source, problems) = read(&file);
        assert_eq!(problems.warnings.len(), usize::from(info["index"] == 9));
        source.materials[0].emissive
    };
    assert_eq!(shine(json!({"index": 0})), [1.0, 0.5, 0.0]);
    assert_eq!(shine(json!(null)), [1.0, 0.5, 0.0]);
    assert_eq!(shine(json!({"index": 9})), [0.0; 3]);
}

/// Regression test: a missing image was reported as `4294967295`, without the material and the cure.
#[test]
fn a_missing_picture_is_reported_with_its_material_and_the_fix() {
    let mut no_source = with_base(json!({"index": 0}));
    no_source.json["textures"][0] = json!({"extensions": {"EXT_texture_webp": {"source": 0}}});
    let mut no_picture = with_base(json!({"index": 0}));
    no_picture.json["images"][0] = json!({"name": "oak"});
    for (mut file, code, node, says) in [
        (
            no_source,
            "image",
            "wood",
            "the material's baseColorTexture is texture 0, which has no `source`",
        ),
        (
            no_picture,
            "image",
            "oak",
            "the image of the baseColorTexture of material `wood` has no picture",
        ),
    ] {
        file.json["materials"][0]["name"] = json!("wood");
        let (_, problems) = read(&file);
        assert_eq!(problems.warnings.total(), 1, "{problems}");
        let problem = &problems.warnings[0];
        assert_eq!((problem.code.as_str(), &*problem.node), (code, node));
        let has_cure = problem.message.contains("PNG or JPEG");
        assert!(problem.message.starts_with(says) && has_cure, "{problem}");
    }
}
