//! Reflection of surfaces, compared with independent formulas in f64.

use glam::{DVec3, Vec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{Level, Material};
use opendoor::visibility::Culling;

use crate::fixture::{Studio, build, gpu, square};
use crate::light::{half, light_of};
use crate::probe::toned;

const SIZE: [u32; 2] = [33, 33];

/// The light of the middle texel of an image from `eye`, where the camera looks at the origin.
fn in_the_middle(studio: &mut Studio, eye: DVec3, angles: [f64; 2]) -> [f64; 3] {
    let camera = studio.camera(eye.to_array(), angles);
    let pixels = studio.draw(&camera, Culling::Portals);
    let at = (16 * SIZE[0] as usize + 16) * 8;
    [0, 1, 2].map(|c| {
        half(u16::from_le_bytes([
            pixels[at + 2 * c],
            pixels[at + 2 * c + 1],
        ]))
    })
}

/// A hall with a square at the origin that faces +Z.
fn hall(material: Material) -> (Sketch, usize) {
    let mut sketch = Sketch::new("hall");
    sketch.source.materials[0] = Material {
        base_colour: [0.0, 0.0, 0.0, 1.0],
        specular: 0.0,
        ..Material::default()
    };
    let room = sketch.box_room("hall", cuboid([-20.0; 3], [20.0; 3]), &[]);
    let material = sketch.material(material);
    sketch.mesh(room, material, &square(0.0));
    (sketch, room)
}

#[test]
fn a_white_surface_of_any_kind_vanishes_in_a_white_furnace() {
    let gpu = gpu();
    for metallic in [0.0, 0.5, 1.0] {
        for roughness in [0.0, 0.1, 0.3, 0.5, 0.7, 1.0] {
            let white = Material {
                base_colour: [1.0; 4],
                metallic,
                roughness,
                ..Material::default()
            };
            let (sketch, _) = hall(white);
            let level = build(sketch);
            let mut studio = Studio::float(&gpu, &level, SIZE);
            // Ambient light of 0.5, the same from all directions.
            studio.viewer.lighting.hemisphere = Vec3::ZERO;
            studio.viewer.lighting.ambient.fill(Vec3::splat(0.5));
            for yaw in [0.0f64, 40.0, 70.0, 82.0] {
                let (sin, cos) = yaw.to_radians().sin_cos();
                let eye = DVec3::new(sin * 2.0, 0.0, cos * 2.0);
                let [r, g, b] = in_the_middle(&mut studio, eye, [yaw, 0.0]);
                for shown in [r, g, b] {
                    let light = light_of(shown);
                    assert!(
                        (light - 0.5).abs() < 0.005,
                        "{light} of 0.5 from {yaw} degrees, metallic {metallic}, roughness {roughness}"
                    );
                }
            }
        }
    }
}

/// The light that a surface reflects according to glTF 2.0, appendix B.2 and B.3: a mix of a metal and a dielectric.
/// Written in f64 from the specification. The light comes from one direction with radiance pi, under which a white matt
/// surface facing it shows 1.
fn reflected(
    base: DVec3,
    metallic: f64,
    roughness: f64,
    normal: DVec3,
    light: DVec3,
    eye: DVec3,
) -> DVec3 {
    let pi = std::f64::consts::PI;
    let a2 = roughness.powi(4);
    let half_way = (light + eye).normalize_or_zero();
    let (nl, nv) = (normal.dot(light), normal.dot(eye));
    let (nh, vh) = (normal.dot(half_way), eye.dot(half_way));
    let d = a2 / (pi * (nh * nh * (a2 - 1.0) + 1.0).powi(2));
    let masking = nl * (nv * nv * (1.0 - a2) + a2).sqrt();
    let shadowing = nv * (nl * nl * (1.0 - a2) + a2).sqrt();
    let specular = d * 0.5 / (masking + shadowing);
    let schlick = |f0: DVec3| f0 + (DVec3::ONE - f0) * (1.0 - vh).powi(5);
    let metal = schlick(base) * specular;
    let fresnel = schlick(DVec3::splat(0.04));
    let dielectric = (DVec3::ONE - fresnel) * base / pi + fresnel * specular;
    dielectric.lerp(metal, metallic) * (pi * nl)
}

#[test]
fn lit_surfaces_agree_with_the_formulas_of_gltf() {
    let gpu = gpu();
    let base = DVec3::new(0.5, 0.3, 0.1);
    for (metallic, roughness) in [
        (0.0, 0.3),
        (0.0, 0.6),
        (0.0, 1.0),
        (1.0, 0.3),
        (1.0, 0.5),
        (0.4, 0.4),
    ] {
        let material = Material {
            base_colour: base.as_vec3().extend(1.0).to_array(),
            metallic: metallic as f32,
            roughness: roughness as f32,
            ..Material::default()
        };
        let (mut sketch, room) = hall(material);
        let lamp = DVec3::new(1.5, 0.5, 2.0);
        sketch.lamp(room, lamp, 100.0);
        let level = build(sketch);
        let mut studio = Studio::float(&gpu, &level, SIZE);
        studio.viewer.lighting.ambient.fill(Vec3::ZERO);
        // So bright that a white matt surface in the square's place, facing the lamp, shows 0.4.
        let strength = 0.4 * lamp.length_squared();
        studio.viewer.lighting.exposure = 1.0;
        for light in &mut studio.viewer.lighting.lists.lights {
            light.colour = Vec3::splat(strength as f32);
            light.inverse_range_squared = 0.0;
        }
        studio.viewer.lighting.lists.revision += 1;
        for yaw in [0.0f64, -37.0, 30.0, 60.0] {
            let (sin, cos) = yaw.to_radians().sin_cos();
            let to_eye = DVec3::new(sin, 0.0, cos);
            let found = in_the_middle(&mut studio, to_eye * 2.0, [yaw, 0.0]);
            let expected = 0.4
                * reflected(
                    base,
                    metallic,
                    roughness,
                    DVec3::Z,
                    lamp.normalize_or_zero(),
                    to_eye,
                );
            let expected = toned(expected);
            for (found, expected) in found.iter().zip(expected.to_array()) {
                // Multiple scattering among the microfacets, which the formulas ignore, adds up to a tenth to rough
                // metal.
                let again = 0.1 * metallic * roughness * expected;
                assert!(
                    *found > expected - 0.004 - 0.01 * expected
                        && *found < expected + 0.004 + 0.015 * expected + again,
                    "{found} for {expected}, yaw {yaw}, metallic {metallic}, roughness {roughness}"
                );
            }
        }
    }
}

#[test]
fn no_plane_however_slanted_shadows_itself() {
    // Slabs at several slopes, each lit by one unoccluded lamp. A lamp needs six shadow views; with memory for only one
    // it casts no shadows. This gives the expected image.
    let gpu = gpu();
    for angle in [0.0f64, 30.0, 60.0, 75.0, 85.0, 89.0] {
        let (mut sketch, room) = hall(Material::default());
        let turn = glam::DQuat::from_rotation_x(angle.to_radians());
        let slab = square(0.0).map(|t| t.map(|p| turn * (p * 4.0) + DVec3::new(0.3, -0.2, -1.0)));
        sketch.mesh(room, 0, &slab);
        sketch.source.meshes.remove(1);
        let white = sketch.material(Material::default());
        if let Some(mesh) = sketch.source.meshes.last_mut() {
            mesh.material = white;
        }
        sketch.lamp(room, DVec3::new(0.0, 0.5, 3.0), 100.0);
        let level = build(sketch);
        let picture = |shadow_bytes| {
            let quality = opendoor::gpu::RenderQuality {
                shadow_bytes,
                ..Default::default()
            };
            let format = opendoor::gpu::Offscreen::FORMAT;
            let mut studio = Studio::with(&gpu, &level, [200, 200], format, quality);
            let camera = studio.camera([0.0, 0.3, 4.0], [0.0, -8.0]);
            studio.draw(&camera, Culling::Portals)
        };
        let (shadowed, unshadowed) = (picture(256 << 20), picture(4 * 256 * 256));
        let differing = shadowed
            .iter()
            .zip(&unshadowed)
            .filter(|(a, b)| a.abs_diff(**b) > 1)
            .count();
        assert_eq!(differing, 0, "at {angle} degrees");
    }
}

/// A hall with a board between a lamp and the floor.
fn board() -> Level {
    let mut sketch = Sketch::new("board");
    let room = sketch.box_room("hall", cuboid([-5.0, 0.0, -5.0], [5.0, 4.0, 5.0]), &[]);
    sketch.furniture(room, 0, cuboid([0.0, 1.0, -2.0], [2.0, 1.001, 2.0]));
    sketch.lamp(room, DVec3::new(0.0, 2.0, 0.0), 50.0);
    sketch.source.lights[0].radius = 0.0;
    build(sketch)
}

#[test]
fn a_shadows_edge_lies_where_the_ray_past_the_board_meets_the_floor() {
    let gpu = gpu();
    let level = board();
    let mut studio = Studio::float(&gpu, &level, SIZE);
    studio.viewer.lighting.ambient.fill(Vec3::ZERO);
    // The board's edge at x = 0 is straight below the lamp at x = 0. Its far edge, at x = 2 and 1 m below the lamp,
    // casts its shadow to x = 4; its sides, at z = 2 and -2, to 4 and -4.
    let mut is_lit = |x: f64, z: f64| {
        let found = in_the_middle(&mut studio, DVec3::new(x, 0.9, z), [0.0, -90.0]);
        found[0] > 0.001
    };
    let off = 0.04;
    for (x, z, lit) in [
        (-off, 0.0, true),
        (off, 0.0, false),
        (4.0 - off, 0.0, false),
        (4.0 + off, 0.0, true),
        (2.0, 4.0 - off, false),
        (2.0, 4.0 + off, true),
        (2.0, -4.0 - off, true),
    ] {
        assert_eq!(is_lit(x, z), lit, "{x} {z}");
    }
}

#[test]
fn a_shadow_begins_at_the_foot_of_its_caster() {
    // A chest on the floor: the floor directly behind the chest is dark, to within a texel of the shadow map.
    let gpu = gpu();
    let mut sketch = Sketch::new("contact");
    let room = sketch.box_room("hall", cuboid([-5.0, 0.0, -5.0], [5.0, 4.0, 5.0]), &[]);
    sketch.furniture(room, 0, cuboid([0.0, 0.0, -1.0], [0.5, 1.0, 1.0]));
    sketch.lamp(room, DVec3::new(-3.0, 2.5, 0.0), 50.0);
    let level = build(sketch);
    let mut studio = Studio::float(&gpu, &level, SIZE);
    studio.viewer.lighting.ambient.fill(Vec3::ZERO);
    let mut floor = |x: f64| {
        let found = in_the_middle(&mut studio, DVec3::new(x, 0.05, 0.0), [0.0, -90.0]);
        found[0]
    };
    for x in [0.515, 0.53, 0.6, 0.9] {
        assert!(floor(x) < 0.001, "light at {x}");
    }
    assert!(floor(-0.015) > 0.01);
}

#[test]
fn a_shut_door_takes_the_light_out_and_an_open_one_lets_it_in_again() {
    let door = cuboid([-0.5, 0.0, 0.0], [0.5, 2.0, 0.0]);
    let mut sketch = Sketch::new("door");
    let lit = sketch.box_room("lit", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 6.0]), &[door]);
    sketch.box_room("other", cuboid([-4.0, 0.0, -6.0], [4.0, 3.0, 0.0]), &[door]);
    sketch.portal(lit, "other", door, DVec3::NEG_Z);
    sketch.lamp(lit, DVec3::new(0.0, 2.5, 3.0), 60.0);
    let level = build(sketch);
    let gpu = gpu();
    let mut studio = Studio::float(&gpu, &level, SIZE);
    let floor = |studio: &mut Studio| {
        let found = in_the_middle(studio, DVec3::new(0.0, 1.0, -2.0), [0.0, -90.0]);
        found[0]
    };
    let open = floor(&mut studio);
    let link = opendoor::level::LinkId(0);
    studio.set_link(link, false);
    let shut = floor(&mut studio);
    studio.set_link(link, true);
    assert_eq!(floor(&mut studio), open);
    assert!(shut < 0.7 * open, "{shut} when shut, {open} when open");
    // Only the minimum light of every room remains.
    assert!(shut < 0.08, "{shut}");
}
