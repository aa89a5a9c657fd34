//! Pictures with culling equal pictures without, pixel by pixel.

use opendoor::gpu::{Offscreen, Quality, Renderer};
use opendoor::visibility::Culling;

use crate::fixture::{Studio, gpu, grid};

const SIZE: [u32; 2] = [96, 64];

/// Numbers that look random, the same every time.
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
fn what_the_portals_reveal_is_all_that_there_is_to_see() {
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
            // In a doorway's plane, and a hair off it on either side.
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

#[test]
fn a_level_cut_into_many_buffers_looks_the_same() {
    let gpu = gpu();
    let level = grid(2);
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let camera = studio.camera([3.0, 1.5, 3.0], [-120.0, 0.0]);
    let whole = studio.draw(&camera, Culling::None);
    let quality = Quality {
        buffer_bytes: 32_768,
        ..Quality::default()
    };
    studio.renderer =
        Renderer::new(&gpu, Offscreen::FORMAT, &level, &studio.lighting, quality).unwrap();
    assert!(studio.draw(&camera, Culling::None) == whole);
}
