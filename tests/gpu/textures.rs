//! Mapping of textures to surfaces: sets of coordinates, transforms, samplers, mipmaps.

use glam::swizzles::Vec3Swizzles;
use glam::{DQuat, DVec2, DVec3, EulerRot, Mat2, Vec2};
use opendoor::gpu::{Offscreen, RenderQuality};
use opendoor::level::{Filter, Level, Material, Sampler, Texture, Wrap};
use opendoor::rng::Rng;
use opendoor::visibility::Culling;
use std::f64::consts::FRAC_PI_2;

use crate::fixture::{Studio, build, gpu, unlit};
use crate::probe::{
    Shown, add_image, add_square, assert_near, dark_hall, linear, matt, studio, uv_at,
};

const FILTERS: [Filter; 2] = [Filter::Nearest, Filter::Linear];

/// A sampler without filtering and without mipmaps.
const HARD: Sampler = Sampler {
    wrap: [Wrap::Repeat; 2],
    mag_filter: Filter::Nearest,
    min_filter: Filter::Nearest,
    mipmap_filter: None,
};

/// Allowed error of a driver's sRGB decoding: half a code where codes are farthest apart.
const HALF_A_CODE: f64 = 0.0045;

/// The texels of an image that the square fills, each with its texture coordinates.
fn filling(level: &Level, ambient: f64) -> Vec<(DVec2, DVec3)> {
    let gpu = gpu();
    let shown = Shown::new(
        &mut studio(&gpu, level, ambient, 0.0),
        [0.0, 0.0, 1.0],
        [0.0, 0.0],
    );
    let places = shown
        .rays()
        .map(|(ray, light)| (uv_at(ray.truncate()), light));
    places.collect()
}

/// A level with an image, `width` texels wide, on the square.
fn picture(width: u32, texels: &[[u8; 4]], texture: Texture) -> Level {
    let (mut sketch, room) = dark_hall();
    let image = add_image(&mut sketch, width, texels);
    let material = sketch.material(Material {
        base_texture: Some(Texture { image, ..texture }),
        ..unlit([1.0; 4])
    });
    add_square(&mut sketch, room, material, 0.0);
    build(sketch)
}

/// Sixteen distinguishable greys, one for each texel of a 4 x 4 image.
fn greys() -> Vec<[u8; 4]> {
    (1..=16).map(|i| [i * 15, i * 15, i * 15, 255]).collect()
}

/// The index of the texel in a 4 x 4 image at coordinates in 0..1, if it is not too close to the next texel.
fn texel_of_4_by_4(uv: DVec2) -> Option<usize> {
    let at = uv * 4.0;
    let off = (at - at.round()).abs().min_element();
    let cell = at.floor().as_usizevec2();
    (off > 0.02).then_some(cell.y * 4 + cell.x)
}

/// The transform of KHR_texture_transform: scale, then rotation, then offset.
fn transformed(uv: DVec2, scale: DVec2, turn: f64, offset: DVec2) -> DVec2 {
    let (sin, cos) = turn.sin_cos();
    let DVec2 { x, y } = uv * scale;
    DVec2::new(cos * x + sin * y, cos * y - sin * x) + offset
}

/// The scale and rotation of KHR_texture_transform as a matrix.
fn matrix(scale: DVec2, turn: f64) -> Mat2 {
    let column = |unit| transformed(unit, scale, turn, DVec2::ZERO).as_vec2();
    Mat2::from_cols(column(DVec2::X), column(DVec2::Y))
}

#[test]
fn each_map_goes_by_its_own_set_of_coordinates_and_its_own_transform() {
    // The base colour uses the second set, in red; the emission uses the first set, in green.
    let (mut sketch, room) = dark_hall();
    let reds: Vec<[u8; 4]> = greys().iter().map(|&[g, ..]| [g, 0, 0, 255]).collect();
    let greens: Vec<[u8; 4]> = greys()
        .iter()
        .rev()
        .map(|&[g, ..]| [0, g, 0, 255])
        .collect();
    let (red, green) = (
        add_image(&mut sketch, 4, &reds),
        add_image(&mut sketch, 4, &greens),
    );
    let base = (DVec2::new(1.5, 0.7), 0.6, DVec2::new(0.31, -0.2));
    let emissive = (DVec2::new(-0.8, 2.0), -1.1, DVec2::new(-0.4, 0.07));
    let texture = |image, uv_set, (scale, turn, offset): (DVec2, f64, DVec2)| Texture {
        uv_set,
        uv_from_vertex: matrix(scale, turn),
        uv_offset: offset.as_vec2(),
        sampler: HARD,
        ..Texture::new(image)
    };
    let material = sketch.material(Material {
        base_texture: Some(texture(red, 1, base)),
        emissive: [0.7; 3],
        emissive_texture: Some(texture(green, 0, emissive)),
        ..matt([1.0; 3])
    });
    let mesh = add_square(&mut sketch, room, material, 0.0);
    // The second set differs from the first.
    let second = |uv: &mut Vec2| *uv = Vec2::new(uv.y * 0.5, uv.x + 0.25);
    mesh.uvs[1].iter_mut().for_each(second);
    let mut compared = 0;
    for (uv, light) in filling(&build(sketch), 0.7) {
        let second = DVec2::new(uv.y * 0.5, uv.x + 0.25);
        let at = |uv, (scale, turn, offset)| {
            let uv: DVec2 = transformed(uv, scale, turn, offset);
            texel_of_4_by_4(uv - uv.floor())
        };
        if let (Some(base), Some(emissive)) = (at(second, base), at(uv, emissive)) {
            let [red, green] = [reds[base][0], greens[emissive][1]];
            // Below 0.76 and without blue the tone curve changes nothing.
            let expected = DVec3::new(0.7 * linear(red), 0.7 * linear(green), 0.0);
            assert_near(light, expected, HALF_A_CODE, &format!("at {uv}"));
            compared += 1;
        }
    }
    assert!(compared > 700, "{compared}");
}

#[test]
fn outside_of_the_picture_it_repeats_or_is_mirrored_or_its_border_goes_on() {
    let wraps = [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp];
    let wrapped = |at: f64, wrap| match wrap {
        Wrap::Repeat => at.rem_euclid(1.0),
        Wrap::Mirror => 1.0 - (at.rem_euclid(2.0) - 1.0).abs(),
        Wrap::Clamp => at.clamp(0.001, 0.999),
    };
    for (u, v) in wraps.into_iter().flat_map(|u| wraps.map(|v| (u, v))) {
        let level = picture(
            4,
            &greys(),
            Texture {
                sampler: Sampler {
                    wrap: [u, v],
                    ..HARD
                },
                // The coordinates range from -1.7 to 2.3.
                uv_from_vertex: Mat2::from_diagonal(Vec2::splat(4.0)),
                uv_offset: Vec2::splat(-1.7),
                ..Texture::new(0)
            },
        );
        let mut compared = 0;
        for (uv, light) in filling(&level, 0.0) {
            let at = uv * 4.0 - 1.7;
            let inside = DVec2::new(wrapped(at.x, u), wrapped(at.y, v));
            let far_from_texels_edges =
                ((at * 4.0) - (at * 4.0).round()).abs().min_element() > 0.02;
            if far_from_texels_edges {
                let cell = (inside * 4.0).floor().as_usizevec2();
                let expected = linear(greys()[cell.y * 4 + cell.x][0]);
                assert_near(
                    light,
                    DVec3::splat(expected),
                    HALF_A_CODE,
                    &format!("{u:?} {v:?} at {at}"),
                );
                compared += 1;
            }
        }
        assert!(compared > 700, "{compared}");
    }
}

const BLACK_AND_WHITE: [[u8; 4]; 2] = [[0, 0, 0, 255], [255; 4]];

#[test]
fn enlarged_texels_have_hard_edges_or_blend_as_light() {
    for mag_filter in FILTERS {
        let sampler = Sampler {
            wrap: [Wrap::Clamp; 2],
            mag_filter,
            ..HARD
        };
        let texture = Texture {
            sampler,
            ..Texture::new(0)
        };
        let level = picture(2, &BLACK_AND_WHITE, texture);
        for (uv, light) in filling(&level, 0.0) {
            let expected = if mag_filter == Filter::Linear {
                ((uv.x - 0.25) * 2.0).clamp(0.0, 1.0)
            } else if (uv.x - 0.5).abs() < 0.01 {
                continue;
            } else {
                f64::from(uv.x > 0.5)
            };
            let what = format!("{mag_filter:?} at {uv}");
            assert_near(light, DVec3::splat(expected), 0.006, &what);
        }
    }
}

/// The greys of a far board of 64 x 64 black and white fields, one texel each, with `fields` fields per pixel of the
/// image.
fn far_away(fields: f64, sampler: Sampler) -> Vec<f64> {
    let texels = (0..64 * 64usize).map(|i| BLACK_AND_WHITE[(i / 64 + i % 64) % 2]);
    let times = fields * f64::from(crate::probe::SIDE) / 64.0;
    let level = picture(
        64,
        &texels.collect::<Vec<_>>(),
        Texture {
            sampler,
            uv_from_vertex: Mat2::from_diagonal(Vec2::splat(times as f32)),
            ..Texture::new(0)
        },
    );
    filling(&level, 0.0)
        .iter()
        .map(|(_, light)| light.x)
        .collect()
}

fn is_black_or_white(grey: &f64) -> bool {
    [0.0, 1.0].contains(grey)
}

#[test]
fn without_mipmaps_a_far_picture_keeps_its_contrast() {
    // The result is the same for any filter for magnified texels.
    for mag_filter in FILTERS {
        let sampler = Sampler { mag_filter, ..HARD };
        let seen = far_away(14.7, sampler);
        assert!(seen.iter().all(is_black_or_white), "{mag_filter:?}");
        let white = seen.iter().sum::<f64>() / seen.len() as f64;
        assert!((0.3..0.7).contains(&white), "{white} of it is white");
    }
    // Blending the four nearest texels mixes black and white to grey.
    for mag_filter in FILTERS {
        let sampler = Sampler {
            mag_filter,
            min_filter: Filter::Linear,
            ..HARD
        };
        let seen = far_away(14.7, sampler);
        let sharp = seen.iter().filter(|grey| is_black_or_white(grey)).count();
        assert!(sharp < seen.len() / 10, "{sharp}, {mag_filter:?}");
    }
}

#[test]
fn a_far_picture_of_black_and_white_sends_half_the_light() {
    for mipmap_filter in FILTERS {
        for min_filter in FILTERS {
            let sampler = Sampler {
                mipmap_filter: Some(mipmap_filter),
                min_filter,
                ..HARD
            };
            for grey in far_away(14.7, sampler) {
                assert!((grey - 0.5).abs() < 0.004, "{grey}");
            }
        }
    }
}

#[test]
fn two_mipmaps_are_read_by_the_nearest_or_blended() {
    // 1.25 texels per pixel are 0.32 of the way from the first mip level to the second, which is grey.
    let seen_by = |filter| {
        let sampler = Sampler {
            mipmap_filter: Some(filter),
            ..HARD
        };
        far_away(1.25, sampler)
    };
    assert!(seen_by(Filter::Nearest).iter().all(is_black_or_white));
    for grey in seen_by(Filter::Linear) {
        let expected = if grey < 0.5 { 0.16 } else { 0.84 };
        assert!((grey - expected).abs() < 0.03, "{grey}");
    }
}

/// Regression test: with software drivers the stripes were grey from 2 m on.
#[test]
fn stripes_of_a_floor_seen_at_a_slant_stay_apart() {
    let (mut sketch, room) = dark_hall();
    let [black, white] = BLACK_AND_WHITE;
    let image = add_image(&mut sketch, 2, &[black, white, black, white]);
    let striped = sketch.material(Material {
        base_texture: Some(Texture::new(image)),
        ..unlit([1.0; 4])
    });
    // Stripes of 0.25 m that run away from the camera, 0.4 m below it.
    let corner = |x, z| DVec3::new(x, -0.4, z);
    let [a, b] = [corner(-9.0, -18.0), corner(-9.0, 0.0)];
    let [c, d] = [corner(9.0, 0.0), corner(9.0, -18.0)];
    sketch.mesh(room, striped, &[[a, b, c], [a, c, d]]);
    if let Some(mesh) = sketch.source.meshes.last_mut() {
        let uv = |p: &DVec3| DVec2::new(p.x, p.z).as_vec2() * 2.0;
        mesh.uvs[0] = mesh.positions.iter().map(uv).collect();
    }
    let level = build(sketch);
    let gpu = gpu();
    let contrast = |anisotropy: u16| {
        let quality = RenderQuality {
            anisotropy,
            ..RenderQuality::default()
        };
        let mut studio = Studio::with(&gpu, &level, [64, 64], Offscreen::FORMAT, quality);
        let camera = studio.camera([0.1, 0.0, 0.0], [0.0, 0.0]);
        let pixels = studio.draw(&camera, Culling::Portals);
        // This row shows the floor 2.8 m away, where a pixel is 0.09 m wide and 0.6 m deep.
        let row = (0..64).map(|x| studio.texel(&pixels, x, 36)[0]);
        let (least, most) = row.fold((255, 0), |(least, most), x| (x.min(least), x.max(most)));
        most - least
    };
    assert!(contrast(1) < 60, "{}", contrast(1));
    let shown = contrast(RenderQuality::default().anisotropy);
    assert!(shown > 120, "{shown}");
}

/// Regression test: the shader replaced the positions of such pixels by near ones, with the large mipmaps.
#[test]
fn a_texture_repeated_hundreds_of_times_in_a_pixel_has_its_mean_colour() {
    let (mut sketch, room) = dark_hall();
    let [black, white] = BLACK_AND_WHITE;
    let rows = [[black; 1024], [white; 1024], [white; 1024], [black; 1024]].concat();
    let image = add_image(&mut sketch, 64, &rows);
    let material = sketch.material(Material {
        base_texture: Some(Texture::new(image)),
        ..unlit([1.0; 4])
    });
    // A wall 4 m wide, 1 m away, that fills the picture: 64 pixels show 2 m.
    let corner = |x, y| DVec3::new(x, y, -1.0);
    let [a, b] = [corner(-2.0, -2.0), corner(2.0, -2.0)];
    let [c, d] = [corner(2.0, 2.0), corner(-2.0, 2.0)];
    sketch.mesh(room, material, &[[a, b, c], [a, c, d]]);
    if let Some(mesh) = sketch.source.meshes.last_mut() {
        // 300 repetitions in a pixel, in an irregular direction.
        let uv = |p: &DVec3| DVec2::new(p.x * 9613.7, p.y * 9411.3 + p.x * 77.7).as_vec2();
        mesh.uvs[0] = mesh.positions.iter().map(uv).collect();
    }
    let level = build(sketch);
    let gpu = gpu();
    let quality = RenderQuality::default();
    let mut studio = Studio::with(&gpu, &level, [64, 64], Offscreen::FORMAT, quality);
    let camera = studio.camera([0.0; 3], [0.0, 0.0]);
    let pixels = studio.draw(&camera, Culling::Portals);
    let shown = (8..56).flat_map(|y| (8..56).map(move |x| (x, y)));
    let shown = shown.map(|(x, y)| studio.texel(&pixels, x, y)[0]);
    let (least, most) = shown.fold((255, 0), |(least, most), x| (x.min(least), x.max(most)));
    assert!(
        least > 160 && most < 215,
        "{least} to {most}, for a mean of 188"
    );
}

/// Regression test: a driver without a graphics card filtered the texture without end where a surface and the eye were
/// almost in one plane, because texture coordinates beyond the edges of its triangles were at any distance.
#[test]
fn a_texture_whose_plane_almost_contains_the_eye_is_drawn_at_all_angles() {
    let gpu = gpu();
    let mut rng = Rng::new(5);
    let mut random = |low, high| rng.between(low, high);
    let mut shown = 0;
    for _ in 0..20 {
        let (mut sketch, room) = dark_hall();
        let [black, white] = BLACK_AND_WHITE;
        let image = add_image(&mut sketch, 256, &[black, white].repeat(32768));
        let material = sketch.material(Material {
            base_texture: Some(Texture::new(image)),
            double_sided: true,
            ..unlit([1.0; 4])
        });
        for _ in 0..8 {
            let turn = [0; 3].map(|_| random(-2.0, 2.0).round() * FRAC_PI_2);
            let turn = DQuat::from_euler(EulerRot::XYZ, turn[0], turn[1], turn[2]);
            let height = libm::exp2(random(-40.0, -5.0)) * random(-1.0, 1.0).round();
            let corner = |x, z| turn * DVec3::new(x, height, z);
            let [near, far] = [random(-3.0, 0.5), random(0.5, 5.0)];
            let [a, b] = [corner(-4.0, near), corner(-4.0, far)];
            let [c, d] = [corner(4.0, far), corner(4.0, near)];
            sketch.mesh(room, material, &[[a, b, c], [a, c, d]]);
            if let Some(mesh) = sketch.source.meshes.last_mut() {
                mesh.solid = false;
                mesh.uvs[0] = [a, b, c, a, c, d]
                    .map(|p| (turn.inverse() * p).xz().as_vec2())
                    .to_vec();
            }
        }
        let level = build(sketch);
        let quality = RenderQuality::default();
        let mut studio = Studio::with(&gpu, &level, [64, 64], Offscreen::FORMAT, quality);
        for _ in 0..8 {
            let angles = [random(-3.0, 3.0), random(-1.5, 1.5)];
            let camera = studio.camera([0.0; 3], angles);
            let pixels = studio.draw(&camera, Culling::Portals);
            let mut colours = pixels.chunks_exact(4);
            shown += usize::from(colours.any(|colour| colour[0] > 0));
        }
    }
    assert!(shown > 80, "{shown} of 160 pictures show a surface");
}
