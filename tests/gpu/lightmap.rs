//! Sampling of the lightmap: a surface shows the texels of its own chart and no others, also at the edges of triangles,
//! where the centre of a pixel may lie outside of the triangle.

use glam::{DQuat, DVec3};
use opendoor::author::sketch::cuboid;
use opendoor::gpu::{Offscreen, RenderQuality};
use opendoor::level::Level;
use opendoor::lighting::lightmap::{self, Lightmap};
use opendoor::visibility::Culling;

use crate::fixture::{Studio, black_room, build, gpu};
use crate::probe::matt;

const SIZE: [u32; 2] = [160, 120];
/// Camera positions, with yaw and pitch.
const EYES: [([f64; 3], [f64; 2]); 6] = [
    ([0.1, 1.5, 3.6], [0.0, -20.0]),
    ([0.1, 0.1, 3.6], [0.0, -2.0]),
    ([-3.4, 0.05, 0.1], [-90.0, 0.0]),
    ([-3.5, 0.7, -3.5], [-135.0, -15.0]),
    ([3.5, 0.1, 3.5], [45.0, 5.0]),
    ([0.1, 3.5, 0.1], [20.0, -88.0]),
];

/// A black hall with a floor of 392 triangles, boxes on the floor, and boards at many angles.
fn furnished() -> Level {
    let (mut sketch, room) = black_room("lightmap");
    let white = sketch.material(matt([0.8; 3]));
    let corner =
        |i: usize, k: usize| DVec3::new(i as f64, 0.0, k as f64) * 0.5 - DVec3::new(3.5, 0.1, 3.5);
    let cells = (0..14).flat_map(|i| (0..14).map(move |k| (i, k)));
    let floor: Vec<[DVec3; 3]> = cells
        .flat_map(|(i, k)| {
            let [a, b] = [corner(i, k), corner(i, k + 1)];
            let [c, d] = [corner(i + 1, k + 1), corner(i + 1, k)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    sketch.mesh(room, white, &floor);
    for i in 0..25 {
        let (x, z) = (f64::from(i % 5) * 1.3 - 2.9, f64::from(i / 5) * 1.3 - 2.9);
        let height = 0.1 + 0.07 * f64::from(i);
        if i % 2 == 0 {
            let wide = 0.05 + 0.02 * f64::from(i);
            sketch.furniture(
                room,
                white,
                cuboid([x, 0.0, z], [x + wide, height, z + 0.4]),
            );
        } else {
            let turn =
                DQuat::from_rotation_y(f64::from(i)) * DQuat::from_rotation_x(-0.06 * f64::from(i));
            let board = |x: f64, z: f64| DVec3::new(x, height, z);
            let [a, b] = [board(-0.5, -0.5), board(-0.5, 0.5)];
            let [c, d] = [board(0.5, 0.5), board(0.5, -0.5)];
            let placed = |p: DVec3| turn * p + DVec3::new(x, 0.0, z);
            let triangles = [[a, b, c], [a, c, d]].map(|t| t.map(placed));
            sketch.mesh(room, white, &triangles);
        }
    }
    build(sketch)
}

/// Texels that are white, a quarter of white, and black (`Rgb9e5Ufloat`).
const WHITE: u32 = 16 << 27 | 256 << 18 | 256 << 9 | 256;
const GREY: u32 = 14 << 27 | 256 << 18 | 256 << 9 | 256;
const BLACK: u32 = 0;

/// A studio with texels of one value in all charts, and of another one outside of the charts. The rooms are as bright as
/// those of `like`.
fn with_charts<'a>(
    gpu: &'a opendoor::gpu::Gpu,
    level: &'a Level,
    like: &Studio,
    [in_charts, beside]: [u32; 2],
) -> Studio<'a> {
    let map = lightmap::bake(level, lightmap::LightmapQuality::COARSE, &|_| {});
    let mut studio = lit(gpu, level, map.clone());
    let lighting = &mut studio.viewer.lighting;
    lighting.ambient.clone_from(&like.viewer.lighting.ambient);
    lighting.texels.rgb.fill(beside);
    for chart in &map.charts {
        for row in chart.at[1]..chart.at[1] + chart.size[1] {
            let first = (chart.page * map.page_side + row) * map.page_side + chart.at[0];
            let first = first as usize;
            lighting.texels.rgb[first..first + chart.size[0] as usize].fill(in_charts);
        }
    }
    studio
}

/// The number of texels that differ by more than one code, for each camera.
fn differing(a: &mut Studio, b: &mut Studio) -> Vec<usize> {
    let different = EYES.map(|(eye, angles)| {
        let camera = a.camera(eye, angles);
        let one = a.draw(&camera, Culling::Portals);
        let other = b.draw(&camera, Culling::Portals);
        let texels = one.chunks_exact(4).zip(other.chunks_exact(4));
        let differ = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 1);
        texels.filter(differ).count()
    });
    different.to_vec()
}

fn lit<'a>(gpu: &'a opendoor::gpu::Gpu, level: &'a Level, lightmap: Lightmap) -> Studio<'a> {
    Studio::lit(
        gpu,
        level,
        SIZE,
        Offscreen::FORMAT,
        RenderQuality::default(),
        lightmap,
    )
}

#[test]
fn texels_beside_a_chart_never_show() {
    let level = furnished();
    let gpu = gpu();
    let mut none = lit(&gpu, &level, lightmap::flat(&level));
    let mut open = with_charts(&gpu, &level, &none, [WHITE, BLACK]);
    assert_eq!(differing(&mut none, &mut open), [0; EYES.len()]);
    let mut dark = with_charts(&gpu, &level, &none, [GREY, GREY]);
    let mut dark_in_charts = with_charts(&gpu, &level, &none, [GREY, WHITE]);
    assert_eq!(differing(&mut dark, &mut dark_in_charts), [0; EYES.len()]);
    let shown = differing(&mut none, &mut dark);
    assert!(shown.iter().all(|&count| count > 1000), "{shown:?}");
}
