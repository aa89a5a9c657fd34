//! The exposure that adapts to the light of the pictures.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::gpu::Gpu;
use opendoor::level::Level;
use opendoor::visibility::Culling;

use crate::fixture::{Studio, build, gpu};
use crate::light::light_of;
use crate::probe::{dark_hall, in_the_middle, matt, set_light};

const SIZE: [u32; 2] = [64, 36];
/// The time between two pictures, seconds.
const FRAME: f64 = 1.0 / 60.0;

/// A dark room and a bright one with a lamp, joined by a wide doorway at z = 0.
fn dark_and_bright() -> Level {
    let door = cuboid([-1.5, 0.0, 0.0], [1.5, 2.5, 0.0]);
    let mut sketch = Sketch::new("rooms");
    sketch.source.materials[0] = matt([0.5; 3]);
    let dark = sketch.box_room("dark", cuboid([-3.0, 0.0, 0.0], [3.0, 3.0, 12.0]), &[door]);
    let inside = cuboid([-3.0, 0.0, -6.0], [3.0, 3.0, 0.0]);
    let bright = sketch.box_room("bright", inside, &[door]);
    sketch.portal(dark, "bright", door, DVec3::NEG_Z);
    sketch.lamp(bright, DVec3::new(0.0, 2.5, -3.0), 60.0);
    build(sketch)
}

/// Draws the view from a place on the way through the doorway, and returns the exposure in stops.
fn walk(gpu: &Gpu, studio: &mut Studio, z: f64, yaw: f64, elapsed_secs: f64) -> f32 {
    let camera = studio.camera([0.0, 1.6, z], [yaw, 0.0]);
    studio.renderer.set_exposure_adaptation(Some(elapsed_secs));
    studio.draw(&camera, Culling::Portals);
    studio
        .renderer
        .adapted_stops(gpu)
        .expect("the device is there")
}

#[test]
fn the_exposure_falls_steadily_on_the_way_from_a_dark_room_to_a_bright_one() {
    let gpu = gpu();
    let level = dark_and_bright();
    let mut studio = Studio::new(&gpu, &level, SIZE);
    assert_eq!(
        walk(&gpu, &mut studio, 10.0, 180.0, 0.0),
        0.0,
        "it begins with the level's"
    );
    // Some seconds before the dark wall.
    let mut stops = 0.0;
    for _ in 0..300 {
        let next = walk(&gpu, &mut studio, 10.0, 180.0, FRAME);
        assert!(next >= stops && next - stops < 0.06, "{stops} to {next}");
        stops = next;
    }
    assert!((0.5..=2.0).contains(&stops), "{stops}");
    let in_the_dark = stops;
    // The turn to the bright doorway, and the walk through it at 3 m/s.
    for tick in 0..300 {
        let z = (10.0 - 3.0 * f64::from(tick) * FRAME).max(-1.0);
        let next = walk(&gpu, &mut studio, z, 0.0, FRAME);
        assert!(
            next <= stops + 1e-3 && stops - next < 0.12,
            "{stops} to {next} at {z}"
        );
        stops = next;
    }
    assert!(
        stops < in_the_dark - 0.5 && stops >= -2.0,
        "{stops} from {in_the_dark}"
    );
    // A walk along the same path gives the same bits, and the length of the frames matters little.
    let mut again = [FRAME, FRAME, 0.5 * FRAME].map(|frame| {
        let mut studio = Studio::new(&gpu, &level, SIZE);
        let frames = (1.0 / frame).round() as u32;
        let stops = (0..frames).map(|_| walk(&gpu, &mut studio, 4.0, 180.0, frame));
        stops.last().expect("there are frames")
    });
    assert_eq!(again[0].to_bits(), again[1].to_bits());
    assert!((again[0] - again[2]).abs() < 1e-3, "{again:?}");
    again.sort_by(f32::total_cmp);
    assert!(again[0] > 0.0);
}

#[test]
fn an_exposure_stays_over_a_resize_and_a_reload_and_can_be_turned_off() {
    let gpu = gpu();
    let level = dark_and_bright();
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let stops = walk(&gpu, &mut studio, 10.0, 180.0, 2.0);
    assert!(stops > 0.5, "{stops}");
    studio.renderer.set_resolution_scale(0.5);
    assert_eq!(walk(&gpu, &mut studio, 10.0, 180.0, 0.0), stops);
    let lighting = &studio.viewer.lighting;
    let quality = opendoor::gpu::RenderQuality::default();
    let replaced = studio
        .renderer
        .replace_level(&gpu, (&level, &level), lighting, quality);
    replaced.expect("the level fits the device");
    assert_eq!(walk(&gpu, &mut studio, 10.0, 180.0, 0.0), stops);
    studio.renderer.set_resolution_scale(1.0);
    studio.renderer.set_exposure_adaptation(None);
    let camera = studio.camera([0.0, 1.6, 10.0], [180.0, 0.0]);
    let off = studio.draw(&camera, Culling::Portals);
    let mut never = Studio::new(&gpu, &level, SIZE);
    assert!(
        off == never.draw(&camera, Culling::Portals),
        "the level's exposure"
    );
    assert_eq!(studio.renderer.adapted_stops(&gpu).ok(), Some(0.0));
}

#[test]
fn a_black_picture_and_a_blinding_one_reach_the_bounds() {
    let gpu = gpu();
    for (emission, bound) in [(0.0, 2.0), (1e6, -2.0)] {
        let (mut sketch, _) = dark_hall();
        sketch.source.materials[0].emissive = [emission; 3];
        let level = build(sketch);
        let mut studio = Studio::new(&gpu, &level, SIZE);
        set_light(&mut studio, 0.0, 0.0);
        for elapsed_secs in [0.1, 1e-9, 1e30, f64::INFINITY, 0.0] {
            let stops = walk(&gpu, &mut studio, 0.0, 0.0, elapsed_secs);
            assert!((-2.0..=2.0).contains(&stops), "{stops}");
        }
        assert_eq!(walk(&gpu, &mut studio, 0.0, 0.0, 1.0), bound);
    }
}

#[test]
fn the_adapted_exposure_is_a_factor_of_all_light() {
    let gpu = gpu();
    let (mut sketch, _) = dark_hall();
    sketch.source.materials[0].emissive = [0.02; 3];
    let level = build(sketch);
    let mut studio = crate::probe::studio(&gpu, &level, 0.0, 0.0);
    let before = in_the_middle(&mut studio).x;
    studio.renderer.set_exposure_adaptation(Some(f64::INFINITY));
    let after = in_the_middle(&mut studio).x;
    let stops = studio
        .renderer
        .adapted_stops(&gpu)
        .expect("the device is there");
    assert!(stops > 1.0, "{stops}");
    let factor = light_of(after) / light_of(before);
    assert!(
        (factor.log2() - f64::from(stops)).abs() < 0.01,
        "{factor} for {stops} stops"
    );
}
