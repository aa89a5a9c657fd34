//! Direct light, measured in images of floats.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::gpu::{RenderQuality, TextureFormat};
use opendoor::level::{Level, Material};
use opendoor::lighting::lightmap;
use opendoor::source::MoverSource;
use opendoor::visibility::Culling;

use crate::fixture::{Studio, build, gpu};

const SIZE: [u32; 2] = [33, 33];

/// A dark surface with a uniform (Lambertian) reflection, which lights other surfaces hardly at all.
pub(crate) fn dark() -> Material {
    Material {
        base_colour: [0.002, 0.002, 0.002, 1.0],
        specular: 0.0,
        ..Material::default()
    }
}

/// The light from the grey point straight ahead of the eye, in an image of 33 x 33 texels.
pub(crate) fn ahead(studio: &mut Studio, eye: [f64; 3], angles: [f64; 2]) -> f64 {
    let camera = studio.camera(eye, angles);
    let pixels = studio.draw(&camera, Culling::Portals);
    let at = (16 * 33 + 16) * 8;
    light_of(half(u16::from_le_bytes([pixels[at], pixels[at + 1]])))
}

/// The grey light that the Khronos PBR neutral curve maps to `shown`: the inverse of its two lower branches.
pub(crate) fn light_of(shown: f64) -> f64 {
    assert!(shown < 0.76, "too bright to be measured: {shown}");
    if shown < 0.04 {
        (shown / 6.25).sqrt()
    } else {
        shown + 0.04
    }
}

/// Decodes a non-negative binary16 number.
pub(crate) fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    match exponent {
        0 => fraction * f64::powi(2.0, -14),
        _ => (1.0 + fraction) * f64::powi(2.0, exponent - 15),
    }
}

fn studio<'a>(gpu: &'a opendoor::gpu::Gpu, level: &'a Level) -> Studio<'a> {
    Studio::float(gpu, level, SIZE)
}

#[test]
fn light_falls_with_the_square_of_the_distance_and_the_cosine() {
    let mut sketch = Sketch::new("lamp");
    sketch.source.materials[0] = dark();
    let room = sketch.box_room("hall", cuboid([-8.0, 0.0, -8.0], [8.0, 4.0, 8.0]), &[]);
    sketch.lamp(room, DVec3::new(0.0, 1.0, 0.0), 30.0);
    let level = build(sketch);
    let gpu = gpu();
    let mut studio = studio(&gpu, &level);
    // Straight down at the floor, at several distances from the point below the lamp. The ambient part is the same
    // everywhere on the floor, so differences are due to the lamp alone.
    let mut floor = |x: f64| ahead(&mut studio, [x, 3.0, 0.0], [0.0, -90.0]);
    let seen = [0.0, 1.0, 2.0].map(&mut floor);
    // cos / d^2 = h / d^3 with h = 1 m.
    let expected = [0.0f64, 1.0, 2.0].map(|x| 1.0 / (1.0 + x * x).powf(1.5));
    let ratio = (seen[0] - seen[1]) / (seen[1] - seen[2]);
    let wanted = (expected[0] - expected[1]) / (expected[1] - expected[2]);
    assert!((ratio / wanted - 1.0).abs() < 0.03, "{ratio} for {wanted}");
}

#[test]
fn a_lamp_lights_through_a_doorway_and_only_where_it_can_be_seen_through_it() {
    let door = cuboid([-0.5, 0.0, 0.0], [0.5, 2.0, 0.0]);
    let mut sketch = Sketch::new("doorway");
    sketch.source.materials[0] = dark();
    let lit = sketch.box_room("lit", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 6.0]), &[door]);
    sketch.box_room("other", cuboid([-4.0, 0.0, -6.0], [4.0, 3.0, 0.0]), &[door]);
    sketch.portal(lit, "other", door, DVec3::NEG_Z);
    sketch.lamp(lit, DVec3::new(0.0, 2.5, 3.0), 60.0);
    let level = build(sketch);
    let gpu = gpu();
    let mut studio = studio(&gpu, &level);
    let mut floor = |x: f64, z: f64| ahead(&mut studio, [x, 1.0, z], [0.0, -90.0]);
    let in_the_beam = floor(0.0, -2.0);
    let beside_it = floor(2.5, -2.0);
    let far_beside_it = floor(-3.5, -1.0);
    assert!(
        in_the_beam > 1.05 * beside_it,
        "{in_the_beam} and {beside_it}"
    );
    assert_eq!(beside_it, far_beside_it, "only ambient light");
}

#[test]
fn the_exposure_undoes_the_units_of_the_author() {
    let picture = |candela: f32| {
        let mut sketch = Sketch::new("exposure");
        let room = sketch.box_room("room", cuboid([-3.0, 0.0, -3.0], [3.0, 3.0, 3.0]), &[]);
        sketch.lamp(room, DVec3::new(0.0, 2.5, 0.0), candela);
        let level = build(sketch);
        let gpu = gpu();
        ahead(&mut studio(&gpu, &level), [1.0, 1.5, 1.0], [30.0, -20.0])
    };
    let (candles, watts) = (picture(25.0), picture(3261.0));
    assert!(
        (candles / watts - 1.0).abs() < 0.01,
        "{candles} and {watts}"
    );
    assert!(
        (0.15..0.6).contains(&candles),
        "a lit wall is neither dark nor burnt: {candles}"
    );
}

/// A room with a lamp, and a dark room behind an opening of 2 x 2 m, which is split into `columns` x `rows` portals.
fn through_portals(columns: usize, rows: usize) -> Level {
    let whole = cuboid([-1.0, 0.0, 0.0], [1.0, 2.0, 0.0]);
    let mut sketch = Sketch::new("split");
    sketch.source.materials[0].base_colour = [0.3, 0.3, 0.3, 1.0];
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 4.0]), &[whole]);
    sketch.box_room("b", cuboid([-4.0, 0.0, -6.0], [4.0, 3.0, 0.0]), &[whole]);
    let (width, height) = (2.0 / columns as f64, 2.0 / rows as f64);
    for column in 0..columns {
        for row in 0..rows {
            let (x, y) = (-1.0 + width * column as f64, height * row as f64);
            let part = cuboid([x, y, 0.0], [x + width, y + height, 0.0]);
            sketch.portal(a, "b", part, DVec3::NEG_Z);
        }
    }
    sketch.lamp(a, DVec3::new(0.4, 1.8, 2.0), 30.0);
    build(sketch)
}

#[test]
fn an_opening_of_several_portals_lets_the_same_light_through_as_one() {
    let gpu = gpu();
    let one = through_portals(1, 1);
    let seen = |level: &Level| {
        let lightmap = lightmap::bake(level, lightmap::LightmapQuality::COARSE, &|_| {});
        let (format, quality) = (TextureFormat::Rgba16Float, RenderQuality::default());
        let mut studio = Studio::lit(&gpu, level, SIZE, format, quality, lightmap);
        let eyes = [
            [0.0, 1.2, -2.0],
            [1.5, 2.0, -3.0],
            [-2.0, 1.0, -1.0],
            [0.2, 1.0, -0.1],
        ];
        let angles = [[0.0, -40.0], [30.0, -60.0], [-20.0, -10.0], [10.0, -80.0]];
        let pictures = eyes.iter().zip(angles).map(|(&eye, angles)| {
            let camera = studio.camera(eye, angles);
            let pixels = studio.draw(&camera, Culling::Portals);
            let halves = pixels.as_chunks::<2>().0.iter();
            halves
                .map(|&h| half(u16::from_le_bytes(h)))
                .collect::<Vec<_>>()
        });
        pictures.collect::<Vec<_>>().concat()
    };
    let expected = seen(&one);
    assert!(expected.iter().filter(|&&light| light > 1e-4).count() > 500);
    for (columns, rows) in [(2, 1), (1, 2), (3, 4)] {
        let split = through_portals(columns, rows);
        let found = seen(&split);
        let off = expected.iter().zip(&found).map(|(a, b)| (a - b).abs());
        let worst = off.fold(0.0, f64::max);
        assert!(worst < 2e-3, "{columns} x {rows}: {worst}");
    }
}

#[test]
fn the_dark_side_of_a_shut_door_is_as_dark_as_its_room() {
    let gpu = gpu();
    let door = cuboid([-1.0, 0.0, 0.0], [1.0, 2.0, 0.0]);
    let mut sketch = Sketch::new("shut");
    sketch.source.materials[0].base_colour = [0.2, 0.2, 0.2, 1.0];
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 4.0]), &[door]);
    let b = sketch.box_room("b", cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 0.0]), &[door]);
    sketch.portal(a, "b", door, DVec3::NEG_Z);
    sketch.furniture(a, 0, cuboid([-1.0, 0.0, -0.02], [1.0, 2.0, 0.02]));
    let panel = sketch.source.meshes.pop().expect("it was added");
    sketch
        .source
        .movers
        .push(MoverSource::vanishing_door("panel-door", vec![panel]));
    sketch.lamp(b, DVec3::new(0.5, 1.5, -2.0), 100.0);
    let level = build(sketch);
    let mut studio = studio(&gpu, &level);
    // Straight at the door panel, and at the wall beside it.
    let [panel, wall] = [0.0, 2.5].map(|x| ahead(&mut studio, [x, 1.2, 2.0], [0.0, 0.0]));
    assert!((panel - wall).abs() < 0.02 * wall, "{panel} beside {wall}");
    let [lit_panel, lit_wall] =
        [0.0, 2.5].map(|x| ahead(&mut studio, [x, 1.2, -3.0], [180.0, 0.0]));
    assert!(
        lit_panel > 2.0 * panel && lit_panel > lit_wall,
        "{lit_panel}, {lit_wall}"
    );
}
