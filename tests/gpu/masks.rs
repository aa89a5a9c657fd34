//! Surfaces with alpha masks, in the image and in the shadows of lamps.

use glam::{DVec3, Mat2, Vec2};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{Alpha, Filter, Level, Material, Sampler, Texture, Wrap};

use crate::fixture::{build, gpu, unlit};
use crate::probe::{
    SIDE, Shown, add_image, add_square, assert_near, dark_hall, in_the_middle, matt, studio,
};

/// A hall with a board of 2 x 2 m, 1 m above the floor and 1 m below a lamp. The board has a texture, u along X and v
/// along Z.
fn board(texels: &[[u8; 4]], width: u32, material: impl FnOnce(Texture) -> Material) -> Level {
    let mut sketch = Sketch::new("board");
    sketch.source.materials[0] = matt([0.5, 0.0, 0.0]);
    let room = sketch.box_room("hall", cuboid([-6.0, 0.0, -6.0], [6.0, 4.0, 6.0]), &[]);
    let image = add_image(&mut sketch, width, texels);
    let material = sketch.material(material(Texture::new(image)));
    let lying = |p: DVec3| DVec3::new(p.x, 1.0, -p.y);
    let mesh = add_square(&mut sketch, room, material, 0.0);
    mesh.positions.iter_mut().for_each(|p| *p = lying(*p));
    sketch.lamp(room, DVec3::new(0.0, 2.0, 0.0), 100.0);
    build(sketch)
}

/// The lamp's light at points of the floor, as a fraction of the light without a board.
fn on_the_floor(level: &Level, places: &[[f64; 2]]) -> Vec<f64> {
    let gpu = gpu();
    // The lamp's light is 4 at 1 m.
    let mut studio = studio(&gpu, level, 0.0, 4.0);
    let lit = places.iter().map(|&[x, z]| {
        let found = Shown::new(&mut studio, [x, 0.5, z], [0.0, -90.0])
            .middle()
            .x;
        let distance_squared = x * x + z * z + 4.0;
        let cosine = 2.0 / distance_squared.sqrt();
        found / (0.5 * 4.0 * cosine / distance_squared)
    });
    lit.collect()
}

#[test]
fn a_pane_casts_no_shadow_and_a_board_does() {
    let places = [[0.0, 0.0], [0.5, -0.7], [1.9, 1.9]];
    for (alpha, expected) in [(Alpha::Blend, 1.0), (Alpha::Opaque, 0.0)] {
        let level = board(&[[255; 4]], 1, |_| Material {
            alpha,
            ..matt([0.5, 0.0, 0.0])
        });
        for (lit, place) in on_the_floor(&level, &places).iter().zip(places) {
            assert!((lit - expected).abs() < 0.01, "{lit} at {place:?}");
        }
    }
}

#[test]
fn light_falls_through_the_holes_of_a_masked_board() {
    // One texel of 4 x 4 is open. The hole is 0.5 m wide in the board, and its light is 1 m wide on the floor.
    let at = |open: usize| {
        let texel = |i| [255, 255, 255, if i == open { 0 } else { 255 }];
        (0..16).map(texel).collect::<Vec<[u8; 4]>>()
    };
    let same = |texture| texture;
    let hard_texels = |texture: Texture| Texture {
        sampler: Sampler {
            mag_filter: Filter::Nearest,
            ..texture.sampler
        },
        ..texture
    };
    let other_set = |texture| Texture {
        uv_set: 1,
        ..texture
    };
    // Rotated by a quarter turn about the middle: u' = v, v' = 1 - u.
    let turned = |texture| Texture {
        uv_from_vertex: Mat2::from_cols(Vec2::new(0.0, -1.0), Vec2::new(1.0, 0.0)),
        uv_offset: Vec2::new(0.0, 1.0),
        ..texture
    };
    // The texel in column 1 and row 2 extends from x = -0.5 to 0 and z = 0 to 0.5. Rotated, it has v = 0.25..0.5 and 1
    // - u = 0.5..0.75: x = -0.5..0 and z = -0.5..0. Its light on the floor is twice as far from the middle.
    type Change = fn(Texture) -> Texture;
    let cases: [(&str, Change, [f64; 2]); 4] = [
        ("smooth", same, [-1.0, 0.0]),
        ("hard", hard_texels, [-1.0, 0.0]),
        ("by the other set", other_set, [-1.0, 0.0]),
        ("turned", turned, [-1.0, -1.0]),
    ];
    for (what, change, [x, z]) in cases {
        let level = board(&at(9), 4, |texture| Material {
            base_texture: Some(change(texture)),
            alpha: Alpha::Mask(0.5),
            ..matt([0.5, 0.0, 0.0])
        });
        // The distance of the test points from the hole's edges, metres: some texels of the shadow map.
        let off = 0.06;
        let (west, east, middle) = (x, x + 1.0, x + 0.5);
        let (north, south, half_way) = (z, z + 1.0, z + 0.5);
        let inside = [
            [middle, half_way],
            [west + off, half_way],
            [east - off, half_way],
            [middle, north + off],
            [middle, south - off],
        ];
        let outside = [
            [west - off, half_way],
            [east + off, half_way],
            [middle, north - off],
            [middle, south + off],
            [-x - 0.5, half_way],
            [middle, -z - 0.5],
        ];
        for (lit, place) in on_the_floor(&level, &inside).iter().zip(inside) {
            assert!(
                (lit - 1.0).abs() < 0.01,
                "{what}: {lit} in the hole at {place:?}"
            );
        }
        for (lit, place) in on_the_floor(&level, &outside).iter().zip(outside) {
            assert!(*lit < 0.01, "{what}: {lit} beside the hole at {place:?}");
        }
    }
}

#[test]
fn a_masked_edge_covers_its_fraction_of_a_texel() {
    // Alpha rises from 0 to 1 over the middle half of the square. The edge of the mask is vertical.
    let texel = 2.0 * 2.0 / f64::from(SIDE);
    for quarters in 0..=4 {
        let (mut sketch, room) = dark_hall();
        let image = add_image(&mut sketch, 2, &[[255, 255, 255, 0], [255; 4]]);
        let part = f64::from(quarters) / 4.0;
        let material = sketch.material(Material {
            base_texture: Some(Texture {
                sampler: Sampler {
                    wrap: [Wrap::Clamp; 2],
                    ..Sampler::default()
                },
                // The square is 2 m wide. The fraction `part` of the middle texel is right of the edge.
                uv_offset: Vec2::new(((part - 0.5) * texel * 0.5) as f32, 0.0),
                ..Texture::new(image)
            }),
            alpha: Alpha::Mask(0.5),
            ..unlit([0.8, 0.4, 0.2, 1.0])
        });
        add_square(&mut sketch, room, material, 0.0);
        let level = build(sketch);
        let gpu = gpu();
        let found = in_the_middle(&mut studio(&gpu, &level, 0.0, 0.0));
        let colour = DVec3::new(0.8, 0.4, 0.2);
        assert_near(found, colour * part, 0.001, &format!("{quarters} quarters"));
    }
}

#[test]
fn alpha_equal_to_the_cutoff_is_drawn_and_casts_a_shadow() {
    for (alpha, cutoff) in [(0.5, 0.5), (0.0, 0.0), (1.0, 1.0)] {
        let masked = |base: [f32; 3]| {
            let mut material = matt(base);
            material.base_colour[3] = alpha;
            material.alpha = Alpha::Mask(cutoff);
            material
        };
        let (mut sketch, room) = dark_hall();
        let material = sketch.material(masked([0.6, 0.0, 0.0]));
        add_square(&mut sketch, room, material, 0.0);
        let level = build(sketch);
        {
            let gpu = gpu();
            let found = in_the_middle(&mut studio(&gpu, &level, 1.0, 0.0));
            assert_near(found, DVec3::X * 0.6, 0.001, &format!("cutoff {cutoff}"));
        }
        let level = board(&[[255; 4]], 1, |_| masked([0.5, 0.0, 0.0]));
        assert_eq!(on_the_floor(&level, &[[0.3, 0.2]]), [0.0]);
    }
}
