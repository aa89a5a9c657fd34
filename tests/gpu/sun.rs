//! Sky and sunlight: through windows that show the sky, and from there through doorways.

use glam::DVec3;
use opendoor::level::sketch::{Sketch, cuboid};
use opendoor::level::{AuthorPoint, Level, LightKind, LightSource, Material};

use crate::fixture::{Studio, build, gpu};
use crate::light::{ahead, dark};

const SIZE: [u32; 2] = [33, 33];

/// The direction of the sun: down and along -X, 45 degrees each.
const SUN: DVec3 = DVec3::new(-1.0, -1.0, 0.0);

/// A room of 6 x 3 x 6 m with a window from 1 to 2 m above the floor in its +X side, 2 m wide,
/// that shows the sky, and a second room behind a doorway in its -X side.
fn rooms(with_chest: bool, sun: DVec3) -> Level {
    let window = cuboid([3.0, 1.0, -1.0], [3.0, 2.0, 1.0]);
    let door = cuboid([-3.0, 0.0, -1.0], [-3.0, 2.0, 1.0]);
    let mut sketch = Sketch::new("sun");
    sketch.source.materials[0] = dark();
    let room = sketch.box_room(
        "room",
        cuboid([-3.0, 0.0, -3.0], [3.0, 3.0, 3.0]),
        &[window, door],
    );
    sketch.box_room(
        "behind",
        cuboid([-6.0, 0.0, -3.0], [-3.0, 3.0, 3.0]),
        &[door],
    );
    sketch.portal(room, "behind", door, DVec3::NEG_X);
    let sky = sketch.material(Material {
        sky: true,
        ..Material::default()
    });
    let corner = |y, z| DVec3::new(3.0, y, z);
    // Its front looks into the room.
    let [a, b, c, d] = [
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(2.0, 1.0),
        corner(2.0, -1.0),
    ];
    sketch.mesh(room, sky, &[[a, b, c], [a, c, d]]);
    if with_chest {
        // A chest before half of the window, as high as the rays are that come in at its top.
        sketch.furniture(room, 0, cuboid([1.9, 0.0, -1.0], [2.0, 1.0, 0.0]));
    }
    sketch.source.lights.push(LightSource {
        node: "sun".to_owned(),
        room: None,
        position: AuthorPoint(DVec3::new(0.0, 100.0, 0.0)),
        direction: sun.normalize_or_zero(),
        colour: [1.0; 3],
        intensity: 1000.0,
        range: None,
        kind: LightKind::Directional,
    });
    build(sketch)
}

fn studio<'a>(gpu: &'a opendoor::gpu::Gpu, level: &'a Level) -> Studio<'a> {
    Studio::float(gpu, level, SIZE)
}

#[test]
fn the_sun_falls_through_a_window_on_its_place_of_the_floor_and_nowhere_else() {
    let gpu = gpu();
    let level = rooms(false, SUN);
    let mut studio = studio(&gpu, &level);
    let mut floor = |x: f64, z: f64| ahead(&mut studio, [x, 0.9, z], [0.0, -90.0]);
    // Rays go down 1 m for each metre towards -X: the window's edges at heights of 1 and 2 m fall
    // on the floor at x = 2 and x = 1.
    let dark = floor(-1.0, 2.0);
    for (x, z) in [(1.05, 0.0), (1.95, 0.0), (1.5, 0.95), (1.5, -0.95)] {
        let lit = floor(x, z);
        assert!(lit > 4.0 * dark, "{x} {z}: {lit}, in the dark {dark}");
    }
    for (x, z) in [
        (0.95, 0.0),
        (2.05, 0.0),
        (1.5, 1.05),
        (1.5, -1.05),
        (-2.0, 0.0),
    ] {
        let unlit = floor(x, z);
        assert!(unlit < 1.05 * dark, "{x} {z}: {unlit}, in the dark {dark}");
    }
}

#[test]
fn what_stands_before_the_window_throws_its_shadow_where_it_should() {
    let gpu = gpu();
    let level = rooms(true, SUN);
    let mut studio = studio(&gpu, &level);
    let mut floor = |x: f64, z: f64| ahead(&mut studio, [x, 0.9, z], [0.0, -90.0]);
    let dark = floor(-1.0, 2.0);
    // It is dark behind the chest, and lit beside it; the shadow's edge lies at z = 0.
    for (z, is_lit) in [
        (-0.95, false),
        (-0.5, false),
        (-0.04, false),
        (0.04, true),
        (0.5, true),
    ] {
        let seen = floor(1.5, z);
        assert_eq!(seen > 2.0 * dark, is_lit, "{z}: {seen}, in the dark {dark}");
    }
}

#[test]
fn the_sun_goes_on_through_a_doorway() {
    // A low sun reaches the second room: 1 m down for 4 m.
    let gpu = gpu();
    let level = rooms(false, DVec3::new(-4.0, -1.0, 0.0));
    let mut studio = studio(&gpu, &level);
    let mut floor = |x: f64, z: f64| ahead(&mut studio, [x, 0.9, z], [0.0, -90.0]);
    // From the window's edges at 1 and 2 m down to the floor: x = -1 and x = -5; the doorway at
    // x = -3 is 2 m high and 2 m wide, so that all of it passes.
    let dark = floor(-4.0, 2.0);
    for (x, is_lit) in [
        (-0.9, false),
        (-1.2, true),
        (-2.8, true),
        (-3.2, true),
        (-4.8, true),
        (-5.2, false),
    ] {
        let seen = floor(x, 0.0);
        assert_eq!(seen > 1.5 * dark, is_lit, "{x}: {seen}, in the dark {dark}");
    }
}
