//! Texture maps of normals, metalness and roughness, occlusion, emission and base colour.

use glam::{DVec3, Vec4};
use opendoor::gpu::Gpu;
use opendoor::level::{Level, Material, Texture};

use crate::fixture::{build, gpu, unlit};
use crate::probe::{
    Shown, add_image, add_square, assert_near, dark_hall, in_the_middle, linear, matt, studio,
    toned,
};

/// A level with a square whose material has a map of one texel for each of `texels`.
fn of_texels(
    texels: &[[u8; 4]],
    lamp: Option<DVec3>,
    material: impl FnOnce(&[Option<Texture>]) -> Material,
) -> Level {
    let (mut sketch, room) = dark_hall();
    let textures = texels
        .iter()
        .map(|&texel| Some(Texture::new(add_image(&mut sketch, 1, &[texel]))));
    let textures: Vec<_> = textures.collect();
    let material = sketch.material(material(&textures));
    add_square(&mut sketch, room, material, 0.0);
    if let Some(lamp) = lamp {
        sketch.lamp(room, lamp, 100.0);
    }
    build(sketch)
}

/// The placement of a normal map on the square, and the side from which it is seen.
#[derive(Clone, Copy, Debug)]
struct Bend {
    texel: [u8; 3],
    scale: f64,
    /// The direction of the square's tangent: 1 or -1 along X.
    tangent: f64,
    /// The handedness of the bitangent, 1 or -1.
    w: f64,
    from_behind: bool,
}

impl Bend {
    const STRAIGHT: Self = Self {
        texel: [128, 128, 255],
        scale: 1.0,
        tangent: 1.0,
        w: 1.0,
        from_behind: false,
    };

    /// The normal according to glTF 2.0 (3.9.3, 3.7.2.1).
    fn normal(&self) -> DVec3 {
        let [x, y, z] = self.texel.map(|code| f64::from(code) / 255.0 * 2.0 - 1.0);
        let tangent = DVec3::X * self.tangent;
        let bitangent = DVec3::Z.cross(tangent) * self.w;
        let bent = tangent * (x * self.scale) + bitangent * (y * self.scale) + DVec3::Z * z;
        let bent = bent / bent.length();
        if self.from_behind { -bent } else { bent }
    }

    /// The light from the square's middle. A lamp at `lamp` is so bright that a white matt surface in the square's
    /// place, facing the lamp, would show 1.
    fn seen(&self, gpu: &Gpu, lamp: DVec3) -> f64 {
        let [r, g, b] = self.texel;
        let (mut sketch, room) = dark_hall();
        let image = add_image(&mut sketch, 1, &[[r, g, b, 255]]);
        let material = sketch.material(Material {
            normal_texture: Some(Texture::new(image)),
            normal_scale: self.scale as f32,
            double_sided: true,
            // With no light in two channels the tone curve leaves the third unchanged.
            ..matt([0.6, 0.0, 0.0])
        });
        let mesh = add_square(&mut sketch, room, material, 0.0);
        let tangent = Vec4::new(self.tangent as f32, 0.0, 0.0, self.w as f32);
        mesh.tangents.fill(tangent);
        sketch.lamp(room, lamp, 100.0);
        let level = build(sketch);
        let mut studio = studio(gpu, &level, 0.0, lamp.length_squared());
        let (z, yaw) = if self.from_behind {
            (-2.0, 180.0)
        } else {
            (2.0, 0.0)
        };
        Shown::new(&mut studio, [0.0, 0.0, z], [yaw, 0.0])
            .middle()
            .x
    }
}

#[test]
fn a_normal_map_of_straight_normals_changes_nothing() {
    let gpu = gpu();
    let lamp = DVec3::new(1.2, 0.7, 1.6);
    let level = of_texels(&[], Some(lamp), |_| matt([0.6, 0.0, 0.0]));
    let without = in_the_middle(&mut studio(&gpu, &level, 0.0, lamp.length_squared())).x;
    let expected = 0.6 * lamp.z / lamp.length();
    assert!(
        (without - expected).abs() < 0.001,
        "{without} for {expected}"
    );
    // The code 128 is half a code more than a straight normal, which tilts the normal by 0.2 degrees.
    let with = Bend::STRAIGHT.seen(&gpu, lamp);
    assert!((with / without - 1.0).abs() < 0.006, "{with} for {without}");
}

#[test]
fn a_bent_normal_is_lit_like_a_surface_with_that_normal() {
    let gpu = gpu();
    let to_u = Bend {
        texel: [204, 128, 230],
        ..Bend::STRAIGHT
    };
    let to_both = Bend {
        texel: [90, 215, 210],
        ..Bend::STRAIGHT
    };
    let cases = [
        to_u,
        to_both,
        Bend { scale: 0.5, ..to_u },
        Bend {
            scale: 0.5,
            ..to_both
        },
        // The map mirrored left to right, and the map upside down.
        Bend {
            tangent: -1.0,
            w: -1.0,
            ..to_both
        },
        Bend { w: -1.0, ..to_both },
        Bend {
            from_behind: true,
            ..to_u
        },
        Bend {
            from_behind: true,
            ..to_both
        },
        Bend {
            from_behind: true,
            tangent: -1.0,
            w: -1.0,
            scale: 0.5,
            ..to_both
        },
    ];
    for bend in cases {
        for (x, y) in [(1.3, 0.4), (-1.3, 0.4), (0.4, 1.3), (0.4, -1.3)] {
            let z = if bend.from_behind { -1.8 } else { 1.8 };
            let lamp = DVec3::new(x, y, z);
            let expected = 0.6 * (bend.normal().dot(lamp) / lamp.length()).max(0.0);
            let found = bend.seen(&gpu, lamp);
            assert!(
                (found - expected).abs() < 0.0015,
                "{found} for {expected}, lamp at {lamp}, {bend:?}"
            );
        }
    }
}

#[test]
fn no_bent_normal_catches_light_from_behind_its_triangle() {
    let gpu = gpu();
    let bend = Bend {
        texel: [250, 128, 150],
        ..Bend::STRAIGHT
    };
    let lamp = DVec3::new(2.0, 0.0, -0.3);
    assert!(bend.normal().dot(lamp) > 0.0);
    assert_eq!(bend.seen(&gpu, lamp), 0.0);
}

#[test]
fn green_scales_roughness_and_blue_metalness_and_the_other_channels_nothing() {
    let gpu = gpu();
    let lamp = DVec3::new(1.0, 0.5, 2.0);
    let shown = |texel: Option<[u8; 4]>, metallic: f32, roughness: f32| {
        let level = of_texels(texel.as_slice(), Some(lamp), |textures| Material {
            base_colour: [0.5, 0.3, 0.1, 1.0],
            metallic,
            roughness,
            metallic_roughness_texture: textures.first().copied().flatten(),
            ..Material::default()
        });
        let mut studio = studio(&gpu, &level, 0.2, 0.4 * lamp.length_squared());
        in_the_middle(&mut studio)
    };
    for (green, blue, metallic, roughness) in [
        (128, 51, 1.0, 1.0),
        (255, 128, 0.8, 0.4),
        (90, 255, 0.5, 0.9),
        (200, 0, 1.0, 0.7),
    ] {
        let metal = metallic * f32::from(blue) / 255.0;
        let rough = roughness * f32::from(green) / 255.0;
        let expected = shown(None, metal, rough);
        for (red, alpha) in [(0, 255), (255, 255), (77, 0)] {
            let found = shown(Some([red, green, blue, alpha]), metallic, roughness);
            assert_near(
                found,
                expected,
                0.001,
                &format!("{red} {green} {blue} {alpha}"),
            );
        }
    }
    // The choice of channels matters: these two differ by more than the tolerance above.
    let off = shown(None, 0.2, 0.5) - shown(None, 0.5, 0.2);
    assert!(off.abs().max_element() > 0.02, "{off}");
}

#[test]
fn occlusion_dims_ambient_light_and_no_lamp() {
    let gpu = gpu();
    let lamp = DVec3::new(0.0, 0.0, 2.5);
    for strength in [0.0, 0.4, 1.0] {
        // The green and blue channels of the map are unused.
        let level = of_texels(&[[102, 255, 30, 128]], Some(lamp), |textures| Material {
            occlusion_texture: textures[0],
            occlusion_strength: strength as f32,
            ..matt([0.5, 0.25, 0.0])
        });
        let base = DVec3::new(0.5, 0.25, 0.0);
        let open = 1.0 + strength * (102.0 / 255.0 - 1.0);
        let ambient = in_the_middle(&mut studio(&gpu, &level, 0.8, 0.0));
        assert_near(ambient, toned(base * 0.8 * open), 0.001, "ambient");
        let lit = in_the_middle(&mut studio(&gpu, &level, 0.0, lamp.length_squared()));
        assert_near(lit, toned(base), 0.001, "under a lamp");
    }
}

#[test]
fn emission_is_its_factor_times_its_map_and_may_be_brighter_than_white() {
    let gpu = gpu();
    let shown = |emissive: [f32; 3], texel: Option<[u8; 4]>| {
        let level = of_texels(texel.as_slice(), None, |textures| Material {
            emissive,
            emissive_texture: textures.first().copied().flatten(),
            ..matt([0.0; 3])
        });
        in_the_middle(&mut studio(&gpu, &level, 0.7, 0.0))
    };
    let texel = [188, 255, 120, 9];
    let [r, g, b, _] = texel.map(linear);
    let expected = toned(DVec3::new(0.8 * r, 0.3 * g, 2.0 * b));
    assert_near(shown([0.8, 0.3, 2.0], Some(texel)), expected, 0.002, "map");
    for strength in [0.5, 1.0, 4.0, 20.0] {
        let expected = toned(DVec3::splat(strength));
        assert_near(shown([strength as f32; 3], None), expected, 0.001, "factor");
    }
    assert!(shown([4.0; 3], None).x > shown([1.0; 3], None).x + 0.05);
}

#[test]
fn a_base_colour_is_factor_times_texel_times_colour_of_the_vertex() {
    let gpu = gpu();
    let (mut sketch, room) = dark_hall();
    let image = add_image(&mut sketch, 1, &[[188, 90, 255, 255]]);
    let material = sketch.material(Material {
        base_texture: Some(Texture::new(image)),
        ..unlit([0.9, 0.8, 0.5, 1.0])
    });
    let mesh = add_square(&mut sketch, room, material, 0.0);
    mesh.colours = vec![[0.5, 1.0, 0.25, 1.0]; mesh.positions.len()];
    let level = build(sketch);
    let texel = [188, 90, 255].map(linear);
    let expected = DVec3::new(0.45, 0.8, 0.125) * DVec3::from_array(texel);
    let found = in_the_middle(&mut studio(&gpu, &level, 0.0, 0.0));
    assert_near(found, expected, 0.001, "product");
}
