//! Colours, textures, depth and winding, read from the middle of an image.

use glam::{DVec3, Vec2};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{Alpha, Filter, Image, Level, Material, Sampler, Texture};
use opendoor::visibility::Culling;

use crate::fixture::{Studio, black_room, build, gpu, square, unlit};
use crate::probe;

const SIZE: [u32; 2] = [64, 64];

/// The colour in the middle of the view from (0, 0, 3) along -Z.
fn in_the_middle(level: &Level) -> [u8; 4] {
    let gpu = gpu();
    let mut studio = Studio::new(&gpu, level, SIZE);
    let camera = studio.camera([0.0, 0.0, 3.0], [0.0, 0.0]);
    let pixels = studio.draw(&camera, Culling::Portals);
    studio.texel(&pixels, 33, 30)
}

/// Decodes an sRGB code to a linear value.
fn linear(code: u8) -> f32 {
    probe::linear(code) as f32
}

#[test]
fn an_unlit_colour_reads_back_as_authored() {
    for code in [1u8, 60, 128, 200, 255] {
        let (mut sketch, room) = black_room("grey");
        let grey = sketch.material(unlit([linear(code), linear(code), linear(code), 1.0]));
        sketch.mesh(room, grey, &square(0.0));
        assert_eq!(in_the_middle(&build(sketch)), [code, code, code, 255]);
    }
}

/// A level whose square shows, in its middle, the texel in column `u` and row `v`, from the top, of a texture of 4 x 2
/// texels.
fn showing_texel(u: u32, v: u32, material: Material, alpha: u8) -> Level {
    let (mut sketch, room) = black_room("picture");
    sketch.source.images.push(Image {
        name: "texels".to_owned(),
        width: 4,
        height: 2,
        rgba: (0..8)
            .flat_map(|i| [10 + 30 * i, 250 - 30 * i, 99, alpha])
            .collect(),
    });
    let sampler = Sampler {
        mag_filter: Filter::Nearest,
        ..Sampler::default()
    };
    let textured = sketch.material(Material {
        base_texture: Some(Texture {
            sampler,
            ..Texture::new(0)
        }),
        ..material
    });
    sketch.mesh(room, textured, &square(0.0));
    let uv = Vec2::new((u as f32 + 0.5) / 4.0, (v as f32 + 0.5) / 2.0);
    let mesh = sketch
        .source
        .meshes
        .last_mut()
        .expect("the square is there");
    mesh.uvs[0] = vec![uv; mesh.positions.len()];
    build(sketch)
}

#[test]
fn a_texel_reads_back_as_authored_rows_counted_from_the_top() {
    for (u, v) in [(0, 0), (3, 0), (1, 1)] {
        let index = (v * 4 + u) as u8;
        let expected = [10 + 30 * index, 250 - 30 * index, 99, 255];
        let level = showing_texel(u, v, unlit([1.0; 4]), 255);
        assert_eq!(in_the_middle(&level), expected, "texel {u}, {v}");
    }
}

#[test]
fn texels_below_the_alpha_cutoff_show_the_surface_behind_them() {
    let masked = |alpha| {
        let material = Material {
            alpha: Alpha::Mask(0.5),
            ..unlit([1.0; 4])
        };
        in_the_middle(&showing_texel(0, 0, material, alpha))
    };
    assert_eq!(masked(100), [0, 0, 0, 255]);
    assert_eq!(masked(200), [10, 250, 99, 255]);
}

#[test]
fn the_nearer_surface_hides_the_farther_one_whatever_the_order() {
    for order in [[-1.0, 1.0], [1.0, -1.0]] {
        let (mut sketch, room) = black_room("depth");
        for z in order {
            let brightness = if z > 0.0 { linear(150) } else { linear(90) };
            let material = sketch.material(unlit([brightness, 0.0, 0.0, 1.0]));
            sketch.mesh(room, material, &square(z));
        }
        assert_eq!(in_the_middle(&build(sketch)), [150, 0, 0, 255]);
    }
}

#[test]
fn surfaces_a_millimetre_apart_do_not_mix_at_a_hundred_metres() {
    let mut sketch = Sketch::new("far");
    let hall = sketch.box_room(
        "hall",
        cuboid([-80.0, -80.0, -60.0], [80.0, 80.0, 60.0]),
        &[],
    );
    let [front, behind] =
        [linear(150), linear(90)].map(|red| sketch.material(unlit([red, 0.0, 0.0, 1.0])));
    let wall = |z: f64| square(z).map(|t| t.map(|p| DVec3::new(p.x * 50.0, p.y * 50.0, p.z)));
    sketch.mesh(hall, front, &wall(-50.0));
    sketch.mesh(hall, behind, &wall(-50.001));
    let level = build(sketch);
    let gpu = gpu();
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let camera = studio.camera([0.0, 0.0, 50.0], [0.0, 0.0]);
    let pixels = studio.draw(&camera, Culling::Portals);
    for (x, y) in [(31, 31), (32, 31), (33, 32), (31, 33)] {
        assert_eq!(studio.texel(&pixels, x, y), [150, 0, 0, 255]);
    }
}

#[test]
fn a_back_is_drawn_only_if_the_material_is_double_sided() {
    let back = |double_sided| {
        let (mut sketch, room) = black_room("back");
        let material = sketch.material(Material {
            double_sided,
            ..unlit([1.0, 1.0, 1.0, 1.0])
        });
        let turned = square(0.0).map(|[a, b, c]| [a, c, b]);
        sketch.mesh(room, material, &turned);
        in_the_middle(&build(sketch))
    };
    assert_eq!(back(false), [0, 0, 0, 255]);
    assert_eq!(back(true), [255, 255, 255, 255]);
}

#[test]
fn the_picture_is_upright_and_not_mirrored() {
    let mut sketch = Sketch::new("upright");
    sketch.source.materials[0] = unlit([0.0, 0.0, 0.0, 1.0]);
    let room = sketch.box_room("room", cuboid([-4.0; 3], [4.0; 3]), &[]);
    let white = sketch.material(unlit([1.0; 4]));
    let up_right = square(0.0).map(|t| t.map(|p| p + DVec3::new(1.0, 1.0, 0.0)));
    sketch.mesh(room, white, &up_right);
    let level = build(sketch);
    let gpu = gpu();
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let camera = studio.camera([0.0, 0.0, 3.0], [0.0, 0.0]);
    let pixels = studio.draw(&camera, Culling::Portals);
    let white_at = |x, y| studio.texel(&pixels, x, y) == [255; 4];
    assert!(white_at(42, 21));
    assert!(!white_at(21, 21) && !white_at(42, 42) && !white_at(21, 42));
}
