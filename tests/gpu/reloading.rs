//! A renderer that is updated to another version of its level draws the same images as a new renderer.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::gpu::{Offscreen, RenderQuality};
use opendoor::level::{Level, Material, Texture};
use opendoor::lighting::Lighting;
use opendoor::lighting::lightmap;
use opendoor::visibility::Culling;

use crate::fixture::{Studio, build, gpu};
use crate::probe::add_image;

const SIZE: [u32; 2] = [96, 64];

/// A hall with lamps, and with crates that use the textures in turn, in this order.
fn hall(pictures: &[[u8; 4]], crates: &[[f64; 2]], lamps: &[f64]) -> Level {
    let mut sketch = Sketch::new("hall");
    let room = sketch.box_room("hall", cuboid([-5.0, 0.0, -5.0], [5.0, 3.0, 5.0]), &[]);
    let materials: Vec<usize> = pictures
        .iter()
        .map(|texel| {
            let [r, g, b, a] = *texel;
            let image = add_image(
                &mut sketch,
                2,
                &[*texel, [b, r, g, a], [g, b, r, a], *texel],
            );
            sketch.material(Material {
                base_texture: Some(Texture::new(image)),
                ..Material::default()
            })
        })
        .collect();
    for (i, &[x, z]) in crates.iter().enumerate() {
        let material = materials[i % materials.len()];
        sketch.furniture(room, material, cuboid([x, 0.0, z], [x + 1.0, 1.0, z + 1.0]));
    }
    for &x in lamps {
        sketch.lamp(room, DVec3::new(x, 2.5, 0.5), 30.0);
    }
    build(sketch)
}

const RED: [u8; 4] = [200, 40, 20, 255];
const BLUE: [u8; 4] = [30, 60, 220, 255];

#[test]
fn another_version_of_a_level_looks_as_if_nothing_had_been_drawn_before() {
    let gpu = gpu();
    let versions = [
        hall(&[RED, BLUE], &[[-2.0, -3.0], [1.0, -2.0]], &[0.0]),
        // The textures in the other order, one more crate, another lamp.
        hall(
            &[BLUE, RED],
            &[[-2.0, -3.0], [1.0, -2.0], [-0.5, -1.0]],
            &[0.0, 3.0],
        ),
        hall(&[RED], &[[0.0, -3.0]], &[]),
        hall(&[RED, BLUE], &[[-2.0, -3.0], [1.0, -2.0]], &[0.0]),
    ];
    let quality = RenderQuality::default();
    let mut shown = Vec::new();
    let mut renderer = None;
    let mut before: Option<&Level> = None;
    for level in &versions {
        let mut studio = Studio::with(&gpu, level, SIZE, Offscreen::FORMAT, quality);
        let camera = studio.camera([0.2, 1.6, 3.5], [0.0, -10.0]);
        let fresh = studio.draw(&camera, Culling::Portals);
        if let (Some(mut kept), Some(old)) = (renderer.take(), before) {
            let kept: &mut opendoor::gpu::Renderer = &mut kept;
            kept.replace_level(&gpu, (old, level), &studio.viewer.lighting, quality)
                .unwrap();
            std::mem::swap(kept, &mut studio.renderer);
            assert!(studio.draw(&camera, Culling::Portals) == fresh);
        }
        renderer = Some(studio.renderer);
        before = Some(level);
        shown.push(fresh);
    }
    assert!(shown[0] == shown[3]);
    assert!(shown[0] != shown[1] && shown[1] != shown[2]);
}

#[test]
fn another_light_on_a_level_looks_as_if_it_had_been_the_first() {
    let gpu = gpu();
    let level = hall(&[RED, BLUE], &[[-2.0, -3.0], [1.0, -2.0]], &[0.0]);
    let map = lightmap::bake(&level, lightmap::LightmapQuality::COARSE, &|_| ());
    let lit = |map| {
        Studio::lit(
            &gpu,
            &level,
            SIZE,
            Offscreen::FORMAT,
            RenderQuality::default(),
            map,
        )
    };
    let mut open = map.clone();
    open.sky_visibility.fill(255);
    let mut studio = lit(open);
    let camera = studio.camera([0.2, 1.6, 3.5], [0.0, -10.0]);
    let before = studio.draw(&camera, Culling::Portals);
    let fresh = lit(map.clone()).draw(&camera, Culling::Portals);
    studio.viewer.lighting = Lighting::new(&level, &studio.world, map);
    studio.renderer.replace_lighting();
    assert!(studio.draw(&camera, Culling::Portals) == fresh);
    assert!(before != fresh);
}
