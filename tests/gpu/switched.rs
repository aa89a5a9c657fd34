//! Lamps that are switched, lamps that flicker, and surfaces that glow with them, in pictures.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{Level, LightId, Material};

use crate::fixture::{Studio, build, gpu};
use crate::light::{ahead, dark};

/// A dark room with a lamp under the ceiling, and a panel in the wall ahead that glows with it.
fn room(flicker: f32) -> Level {
    let mut sketch = Sketch::new("switched");
    sketch.source.materials[0] = dark();
    let room = sketch.box_room("hall", cuboid([-4.0, 0.0, -4.0], [4.0, 4.0, 4.0]), &[]);
    sketch.source.materials.push(Material {
        emissive: [0.4; 3],
        glows_with: "hall_lamp".to_owned(),
        ..dark()
    });
    sketch.furniture(room, 1, cuboid([-1.0, 1.0, -3.9], [1.0, 3.0, -3.8]));
    sketch.lamp(room, DVec3::new(0.0, 2.0, 0.0), 30.0);
    sketch.source.lights[0].flicker = flicker;
    build(sketch)
}

const PANEL: ([f64; 3], [f64; 2]) = ([0.0, 2.0, -2.0], [0.0, 0.0]);
const FLOOR: ([f64; 3], [f64; 2]) = ([0.5, 1.0, 0.5], [0.0, -90.0]);

#[test]
fn a_lamp_that_is_off_lights_nothing_and_the_surface_that_glows_with_it_is_dark() {
    let level = room(0.0);
    let gpu = gpu();
    let mut studio = Studio::float(&gpu, &level, [33, 33]);
    let seen = |studio: &mut Studio| [PANEL, FLOOR].map(|(eye, angles)| ahead(studio, eye, angles));
    let lit = seen(&mut studio);
    assert!((lit[0] - 0.4).abs() < 0.02 && lit[1] > 0.002, "{lit:?}");
    studio.world.switch_light(LightId(0));
    // The minimum of levels without traced light remains.
    assert!(seen(&mut studio).into_iter().all(|light| light < 2e-4));
    studio.world.switch_light(LightId(0));
    assert_eq!(seen(&mut studio), lit);
}

#[test]
fn a_lamp_and_the_surface_that_glows_with_it_flicker_alike() {
    let level = room(0.5);
    let gpu = gpu();
    let mut studio = Studio::float(&gpu, &level, [33, 33]);
    let seen = |studio: &mut Studio| [PANEL, FLOOR].map(|(eye, angles)| ahead(studio, eye, angles));
    studio.world.switch_light(LightId(0));
    let dark = seen(&mut studio);
    studio.world.switch_light(LightId(0));
    let steady = seen(&mut studio);
    let mut range = [f64::INFINITY, 0.0_f64];
    for tick in [1, 7, 20, 31, 50, 77] {
        studio.viewer.frame.flicker_secs = Some(f64::from(tick) / 60.0);
        let now = seen(&mut studio);
        let [panel, floor] = [0, 1].map(|at| (now[at] - dark[at]) / (steady[at] - dark[at]));
        assert!((panel / floor - 1.0).abs() < 0.02, "{panel} {floor}");
        range = [range[0].min(floor), range[1].max(floor)];
    }
    assert!(
        (0.45..0.9).contains(&range[0]) && (1.05..1.55).contains(&range[1]),
        "{range:?}"
    );
    studio.viewer.frame.flicker_secs = None;
    assert_eq!(seen(&mut studio), steady);
}
