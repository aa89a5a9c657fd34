//! Dithering of pictures of 8 bits, and bloom.

use glam::{DVec3, Vec4};
use opendoor::gpu::{Offscreen, RenderQuality, TextureFormat};
use opendoor::level::{Level, Material};
use opendoor::visibility::Culling;

use crate::fixture::{Studio, build, gpu, unlit};
use crate::light::half;
use crate::probe::{add_square, dark_hall, matt, set_light};

/// Width and height of a picture, texels.
const SIDE: usize = 192;

/// A square whose colour rises from left to right, between these linear values, on all of the view from (0, 0, 1).
fn gradient([left, right]: [f32; 2], material: Material) -> Level {
    let (mut sketch, room) = dark_hall();
    let material = sketch.material(material);
    let mesh = add_square(&mut sketch, room, material, 0.0);
    let colour = |p: &DVec3| Vec4::splat(left + (right - left) * (0.5 + 0.5 * p.x as f32));
    mesh.colours = mesh
        .positions
        .iter()
        .map(|p| colour(p).to_array())
        .collect();
    build(sketch)
}

/// Draws the view from (0, 0, 1) under ambient light of this strength.
fn draw(level: &Level, light: f64, format: TextureFormat) -> Vec<u8> {
    let gpu = gpu();
    let quality = RenderQuality::default();
    let mut studio = Studio::with(&gpu, level, [SIDE as u32; 2], format, quality);
    set_light(&mut studio, light, 0.0);
    let camera = studio.camera([0.0, 0.0, 1.0], [0.0, 0.0]);
    studio.draw(&camera, Culling::Portals)
}

/// The red codes of a picture of 8 bits, row by row.
fn codes(pixels: &[u8]) -> Vec<u8> {
    pixels.chunks_exact(4).map(|texel| texel[0]).collect()
}

/// The sRGB codes, not rounded, of the red values of a picture of half floats.
fn exact_codes(pixels: &[u8]) -> Vec<f64> {
    let texels = pixels.chunks_exact(8);
    let linear = texels.map(|texel| half(u16::from_le_bytes([texel[0], texel[1]])));
    let encoded = linear.map(|value| match value {
        _ if value <= 0.0031308 => value * 12.92,
        _ => 1.055 * value.powf(1.0 / 2.4) - 0.055,
    });
    encoded.map(|value| 255.0 * value).collect()
}

/// The longest run of equal neighbours in a row.
fn longest_run(codes: &[u8]) -> usize {
    let rows = codes.chunks_exact(SIDE);
    let runs = rows.flat_map(|row| row.chunk_by(|a, b| a == b));
    runs.map(<[u8]>::len).max().unwrap_or(0)
}

#[test]
fn a_smooth_wall_shows_no_contours_and_keeps_its_brightness() {
    // Middle greys, dark greys, black, and bright light.
    for (range, light) in [
        ([0.2, 0.24], 1.0),
        ([0.03, 0.04], 1.0),
        ([0.0, 0.06], 1.0),
        ([0.1, 1.0], 30.0),
    ] {
        let level = gradient(range, matt([1.0; 3]));
        let found = codes(&draw(&level, light, Offscreen::FORMAT));
        let exact = exact_codes(&draw(&level, light, TextureFormat::Rgba16Float));
        let rounded: Vec<u8> = exact.iter().map(|code| code.round() as u8).collect();
        let run = longest_run(&found);
        let without = longest_run(&rounded);
        // Near black and white a code covers much of the wall, and a constant colour half of it.
        let is_middle = exact.iter().all(|code| (2.0..253.0).contains(code));
        if is_middle {
            assert!(
                without > 12 && run <= 6,
                "{range:?}: {run}, without noise {without}"
            );
        }
        // Means over blocks of 16 x 16 texels.
        for (x, y) in (0..SIDE / 16).flat_map(|x| (0..SIDE / 16).map(move |y| (x, y))) {
            let texels = (0..256).map(|i| (y * 16 + i / 16) * SIDE + x * 16 + i % 16);
            let off: f64 = texels.map(|i| f64::from(found[i]) - exact[i]).sum();
            let off = off / 256.0;
            assert!(off.abs() < 0.1, "{range:?}: {off} codes in block {x}, {y}");
        }
        let most = found
            .iter()
            .zip(&exact)
            .map(|(a, b)| (f64::from(*a) - b).abs());
        assert!(most.fold(0.0, f64::max) < 1.6, "{range:?}");
    }
}

#[test]
fn unlit_colours_and_black_have_no_noise() {
    let level = gradient([0.2, 0.24], unlit([1.0; 4]));
    let found = codes(&draw(&level, 1.0, Offscreen::FORMAT));
    for row in found.chunks_exact(SIDE) {
        assert_eq!(row, &found[..SIDE], "each row is the same");
        assert!(row.is_sorted());
    }
    let level = gradient([0.0, 0.0], matt([1.0; 3]));
    assert!(
        codes(&draw(&level, 1.0, Offscreen::FORMAT))
            .iter()
            .all(|&code| code == 0)
    );
}

/// A dark hall with a glowing square of 0.4 x 0.4 m, seen from 2 m, before a matt grey wall on the left, and an unlit
/// grey wall on the right.
fn lamp_before_walls(emission: f32) -> Level {
    let (mut sketch, room) = dark_hall();
    let glowing = sketch.material(Material {
        emissive: [emission; 3],
        ..matt([0.0; 3])
    });
    let walls = [matt([0.2; 3]), unlit([0.2, 0.2, 0.2, 1.0])];
    for (x, material) in [-1.0, 1.0].into_iter().zip(walls) {
        let material = sketch.material(material);
        add_square(&mut sketch, room, material, 0.0);
        let mesh = sketch.source.meshes.last_mut().expect("it was added");
        let beside = |p: &DVec3| *p * DVec3::new(1.0, 2.0, 1.0) + DVec3::X * x;
        mesh.positions = mesh.positions.iter().map(beside).collect();
    }
    add_square(&mut sketch, room, glowing, 0.0);
    let mesh = sketch.source.meshes.last_mut().expect("it was added");
    for p in &mut mesh.positions {
        *p = *p * 0.2 + DVec3::Z * 0.1;
    }
    build(sketch)
}

/// Draws the level with and without bloom, from (0, 0, 2) under ambient light 1; 8 bits per channel.
fn with_and_without_bloom(level: &Level) -> [Vec<u8>; 2] {
    [true, false].map(|bloom| {
        let gpu = gpu();
        let quality = RenderQuality {
            bloom,
            ..RenderQuality::default()
        };
        let size = [SIDE as u32; 2];
        let mut studio = Studio::with(&gpu, level, size, Offscreen::FORMAT, quality);
        set_light(&mut studio, 1.0, 0.0);
        let camera = studio.camera([0.0, 0.0, 2.0], [0.0, 0.0]);
        codes(&studio.draw(&camera, Culling::Portals))
    })
}

#[test]
fn a_lamp_brighter_than_white_has_a_halo_on_lit_surfaces_only() {
    let [with, without] = with_and_without_bloom(&lamp_before_walls(30.0));
    let at = |codes: &[u8], x: usize| i32::from(codes[SIDE / 2 * SIDE + x]);
    // The lamp covers some twenty texels around the middle.
    let gained: Vec<i32> = [75, 60, 40].map(|x| at(&with, x) - at(&without, x)).into();
    assert!(
        gained[0] > 8 && gained[0] > gained[1] && gained[1] > gained[2],
        "{gained:?}"
    );
    for x in SIDE / 2 + 14..SIDE {
        assert_eq!(at(&with, x), at(&without, x), "unlit, in column {x}");
    }
}

#[test]
fn a_picture_without_anything_above_white_is_the_same_with_bloom() {
    for emission in [0.9, 1.0] {
        let [with, without] = with_and_without_bloom(&lamp_before_walls(emission));
        assert!(with == without, "emission {emission}");
    }
}

#[test]
fn a_halo_does_not_depend_on_culling() {
    let gpu = gpu();
    let level = lamp_before_walls(30.0);
    let mut studio = Studio::new(&gpu, &level, [SIDE as u32; 2]);
    for yaw in [0.0, 20.0, -30.0] {
        let camera = studio.camera([0.3, 0.0, 2.0], [yaw, 0.0]);
        let whole = studio.draw(&camera, Culling::None);
        assert!(whole == studio.draw(&camera, Culling::Portals), "yaw {yaw}");
    }
}
