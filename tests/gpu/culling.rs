//! Images with culling equal images without culling, pixel by pixel.

use glam::{DVec3, Vec2};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::gpu::{Offscreen, RenderQuality, Renderer};
use opendoor::level::{Alpha, Image, Level, Material, Texture};
use opendoor::source::MoverSource;
use opendoor::visibility::Culling;

use crate::fixture::{Studio, build, gpu, grid};

const SIZE: [u32; 2] = [96, 64];

/// A sequence of pseudorandom numbers, the same every time.
pub(crate) fn scattered(seed: u64) -> impl FnMut(f64, f64) -> f64 {
    let mut state = seed;
    move |low, high| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((state >> 11) as f64 / (1u64 << 53) as f64)
    }
}

#[test]
fn culled_pictures_equal_pictures_without_culling() {
    let gpu = gpu();
    let level = grid(3);
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let mut next = scattered(7);
    let mut saved = 0;
    for view in 0..120 {
        let mut within_a_cell = || 6.0 * next(0.0, 3.0).floor() + next(0.15, 5.85);
        let mut eye = [within_a_cell(), 0.0, within_a_cell()];
        // Above the chests.
        eye[1] = next(1.05, 2.9);
        match view % 4 {
            // In a doorway's plane, and slightly off the plane on either side.
            0 => eye = [6.0, next(0.1, 2.1), next(2.5, 3.5)],
            1 => eye = [6.0 + next(-1e-3, 1e-3), next(0.1, 2.1), next(8.5, 9.5)],
            _ => {}
        }
        let camera = studio.camera(eye, [next(-180.0, 180.0), next(-60.0, 60.0)]);
        let whole = studio.draw(&camera, Culling::None);
        for culling in [Culling::Portals, Culling::Frustum] {
            let culled = studio.draw(&camera, culling);
            let differing = whole.iter().zip(&culled).filter(|(a, b)| a != b).count();
            assert_eq!(differing, 0, "view {view} from {eye:?}, {culling:?}");
            saved += level.rooms.len() - studio.rooms_drawn();
        }
    }
    assert!(
        saved > 400,
        "culling draws nearly everything: saved {saved}"
    );
}

/// Three rooms in a row. Closed doors of glass and of bars separate them, and each room has panes.
fn rooms_behind_glass() -> Level {
    let doors = [2.0, 6.0].map(|x| cuboid([x, 0.0, -1.0], [x, 2.2, 1.0]));
    let mut sketch = Sketch::new("glass");
    let glass = |rgb: [f32; 3]| Material {
        base_colour: [rgb[0], rgb[1], rgb[2], 0.4],
        alpha: Alpha::Blend,
        double_sided: true,
        ..Material::default()
    };
    let rooms = [("a", -2.0, 0), ("b", 2.0, 1), ("c", 6.0, 2)].map(|(name, x, nth)| {
        let openings: Vec<_> = doors[nth.max(1) - 1..(nth + 1).min(2)].to_vec();
        // Offsets, so that no two rooms share an edge, where rounding would choose the visible room.
        let off = 0.2 * nth as f64;
        let inside = cuboid([x, -off, off - 3.0], [x + 4.0, 3.0 - off, 3.0 - off]);
        let room = sketch.box_room(name, inside, &openings);
        let pane = sketch.material(glass([0.9, 0.3 * nth as f32, 0.1]));
        for at in [0.7, 2.9] {
            let outside = cuboid([x + at, 0.2, -2.0], [x + at + 0.02, 2.4, 1.5]);
            sketch.furniture(room, pane, outside);
        }
        sketch.lamp(room, DVec3::new(x + 2.1, 2.7, 0.3), 30.0);
        room
    });
    let mut bars = vec![0u8; 64 * 64 * 4];
    for (at, texel) in bars.chunks_exact_mut(4).enumerate() {
        texel.copy_from_slice(&[200, 180, 60, if at % 64 % 16 < 5 { 255 } else { 0 }]);
    }
    sketch.source.images.push(Image {
        name: "bars".to_owned(),
        width: 64,
        height: 64,
        rgba: bars.into(),
    });
    let barred = Material {
        base_texture: Some(Texture::new(0)),
        alpha: Alpha::Mask(0.5),
        double_sided: true,
        ..Material::default()
    };
    for ((door, room), material) in doors
        .into_iter()
        .zip(rooms)
        .zip([glass([0.2, 0.5, 0.9]), barred])
    {
        sketch.portal(room, ["b", "c"][room], door, DVec3::X);
        let material = sketch.material(material);
        let panel = cuboid(
            [door.min.x - 0.02, 0.0, -1.0],
            [door.min.x + 0.02, 2.2, 1.0],
        );
        sketch.furniture(room, material, panel);
        let mut panel = sketch.source.meshes.pop().expect("it was added");
        let uv = |p: &DVec3| Vec2::new(p.z as f32, p.y as f32);
        panel.uvs[0] = panel.positions.iter().map(uv).collect();
        sketch.source.movers.push(MoverSource::vanishing_door(
            format!("panel-{room}-door"),
            vec![panel],
        ));
    }
    build(sketch)
}

#[test]
fn doors_of_glass_and_bars_look_the_same_however_culled_shut_and_open() {
    let gpu = gpu();
    let level = rooms_behind_glass();
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let mut next = scattered(9);
    let (mut seen_through, mut saved) = (0, 0);
    for view in 0..90 {
        let mut eye = [next(-1.9, 9.9), next(0.2, 2.5), next(-2.5, 2.5)];
        if view % 3 == 0 {
            eye = [
                2.0 + 4.0 * f64::from(view % 2) + next(-0.3, 0.3),
                1.1,
                next(-0.9, 0.9),
            ];
        }
        let in_glass = |x: f64| {
            ((x + 2.0).rem_euclid(4.0) - 0.7).abs() < 0.05
                || ((x + 2.0).rem_euclid(4.0) - 2.9).abs() < 0.05
        };
        let in_panel = (eye[0] - 2.0).abs() < 0.03 || (eye[0] - 6.0).abs() < 0.03;
        if in_glass(eye[0]) || in_panel {
            continue;
        }
        // Both doors closed, either open, both open.
        for (index, link) in level.doors().enumerate() {
            studio.set_link(link, view >> index & 1 == 1);
        }
        let camera = studio.camera(eye, [next(-180.0, 180.0), next(-50.0, 50.0)]);
        let whole = studio.draw(&camera, Culling::None);
        let culled = studio.draw(&camera, Culling::Portals);
        let differing = whole.iter().zip(&culled).filter(|(a, b)| a != b).count();
        assert_eq!(differing, 0, "view {view} from {eye:?}");
        seen_through += studio.rooms_drawn() - 1;
        saved += level.rooms.len() - studio.rooms_drawn();
    }
    assert!(seen_through > 20 && saved > 20, "{seen_through}, {saved}");
}

#[test]
fn a_level_cut_into_many_buffers_looks_the_same() {
    let gpu = gpu();
    let level = grid(2);
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let camera = studio.camera([3.0, 1.5, 3.0], [-120.0, 0.0]);
    let whole = studio.draw(&camera, Culling::None);
    let quality = RenderQuality {
        buffer_bytes: 32_768,
        ..RenderQuality::default()
    };
    studio.renderer = Renderer::new(
        &gpu,
        Offscreen::FORMAT,
        &level,
        &studio.viewer.lighting,
        quality,
    )
    .unwrap();
    assert!(studio.draw(&camera, Culling::None) == whole);
}
