//! The displayed brightness: exposure and the tone curve.

use glam::{DVec3, Vec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{Alpha, Level, Material, Sky};

use crate::fixture::{Studio, build, gpu};
use crate::light::ahead;
use crate::probe::{SIDE, add_square, assert_near, dark_hall, in_the_middle, matt, studio, toned};

#[test]
fn light_is_shown_by_the_neutral_curve_of_khronos() {
    let greys = [
        0.02, 0.0799, 0.0801, 0.5, 0.76, 0.7999, 0.81, 1.0, 4.0, 100.0,
    ];
    let greys = greys.map(DVec3::splat);
    let colours = [
        DVec3::new(10.0, 0.0, 0.0),
        DVec3::new(0.0, 3.0, 0.2),
        DVec3::new(0.03, 0.5, 0.9),
        DVec3::new(2.0, 40.0, 1000.0),
    ];
    let gpu = gpu();
    for light in greys.into_iter().chain(colours) {
        let (mut sketch, room) = dark_hall();
        let shining = sketch.material(Material {
            emissive: light.as_vec3().to_array(),
            ..matt([0.0; 3])
        });
        add_square(&mut sketch, room, shining, 0.0);
        let level = build(sketch);
        let found = in_the_middle(&mut studio(&gpu, &level, 0.0, 0.0));
        assert_near(found, toned(light), 6e-4, &format!("light {light}"));
    }
}

#[test]
fn light_beyond_the_range_of_half_floats_is_shown_white() {
    let gpu = gpu();
    let (mut sketch, room) = dark_hall();
    let shining = sketch.material(Material {
        emissive: [1e6; 3],
        ..matt([0.0; 3])
    });
    add_square(&mut sketch, room, shining, 0.0);
    let level = build(sketch);
    let found = in_the_middle(&mut studio(&gpu, &level, 0.0, 0.0));
    assert_near(found, DVec3::ONE, 1e-3, "white");
}

/// A room with a lamp and an exposure compensation of `stops` EV.
fn room_with_a_lamp(stops: f32) -> Level {
    let mut sketch = Sketch::new("stops");
    sketch.source.materials[0] = matt([0.5; 3]);
    let room = sketch.box_room("room", cuboid([-3.0, 0.0, -3.0], [3.0, 3.0, 3.0]), &[]);
    sketch.lamp(room, DVec3::new(0.0, 2.0, 0.0), 40.0);
    sketch.source.exposure_stops = stops;
    build(sketch)
}

#[test]
fn a_stop_of_exposure_doubles_all_light() {
    let gpu = gpu();
    // A point on the wall, and the corner behind the lamp.
    for (eye, angles) in [
        ([0.0, 1.5, -2.0], [0.0, 0.0]),
        ([2.0, 1.0, 2.0], [225.0, 0.0]),
    ] {
        let seen = [-2.0, -1.0, 0.0].map(|stops| {
            let level = room_with_a_lamp(stops);
            let mut studio = Studio::float(&gpu, &level, [SIDE, SIDE]);
            studio.viewer.lighting.hemisphere = Vec3::ZERO;
            ahead(&mut studio, eye, angles)
        });
        assert!(seen[0] > 0.02, "{seen:?}");
        for pair in seen.windows(2) {
            assert!((pair[1] / pair[0] - 2.0).abs() < 0.02, "{seen:?}");
        }
    }
}

#[test]
fn walls_in_the_shadow_of_all_lamps_double_too() {
    // Ambient irradiance alone: the lamp's light that the walls reflect.
    let gpu = gpu();
    let seen = [-1.0, 0.0, 1.0].map(|stops| {
        let level = room_with_a_lamp(stops);
        let mut studio = Studio::float(&gpu, &level, [SIDE, SIDE]);
        studio.viewer.lighting.hemisphere = Vec3::ZERO;
        for light in &mut studio.viewer.lighting.lists.lights {
            light.colour = Vec3::ZERO;
        }
        studio.viewer.lighting.lists.revision += 1;
        ahead(&mut studio, [0.0, 1.5, -2.0], [0.0, 0.0])
    });
    assert!((seen[1] / seen[0] - 2.0).abs() < 0.02, "{seen:?}");
    assert!((seen[2] / seen[1] - 2.0).abs() < 0.02, "{seen:?}");
}

#[test]
fn the_sky_and_emissive_surfaces_follow_the_exposure_too() {
    let gpu = gpu();
    for (is_sky, stops) in [(false, -1.0), (false, 2.0), (true, -1.0), (true, 2.0)] {
        let (mut sketch, room) = dark_hall();
        let shown = sketch.material(Material {
            emissive: [0.1; 3],
            sky: is_sky,
            ..matt([0.0; 3])
        });
        add_square(&mut sketch, room, shown, 0.0);
        sketch.source.sky = Sky {
            zenith: [0.1; 3],
            horizon: [0.1; 3],
            ground: [0.1; 3],
            clouds: 0.0,
        };
        sketch.source.exposure_stops = stops;
        let level = build(sketch);
        let found = in_the_middle(&mut studio(&gpu, &level, 0.0, 0.0));
        let light = 0.1 * f64::from(stops).exp2();
        assert_near(found, toned(DVec3::splat(light)), 1e-3, "light");
    }
}

#[test]
fn an_unlit_surface_keeps_its_colour_whatever_the_exposure() {
    let gpu = gpu();
    for stops in [-3.0, 0.0, 3.0] {
        let (mut sketch, room) = dark_hall();
        let unlit = sketch.material(crate::fixture::unlit([0.9, 0.02, 0.5, 1.0]));
        add_square(&mut sketch, room, unlit, 0.0);
        sketch.source.exposure_stops = stops;
        sketch.lamp(room, DVec3::new(1.0, 1.0, 2.0), 100.0);
        let level = build(sketch);
        let mut studio = Studio::float(&gpu, &level, [SIDE, SIDE]);
        let found = in_the_middle(&mut studio);
        assert_near(found, DVec3::new(0.9, 0.02, 0.5), 5e-4, "unlit");
    }
}

#[test]
fn a_blended_unlit_surface_over_a_lit_one_is_not_exposed() {
    let gpu = gpu();
    for stops in [0.0, 3.0] {
        let (mut sketch, room) = dark_hall();
        let pane = sketch.material(Material {
            alpha: Alpha::Blend,
            ..crate::fixture::unlit([0.3, 0.3, 0.3, 1.0])
        });
        add_square(&mut sketch, room, pane, 0.0);
        sketch.source.exposure_stops = stops;
        let level = build(sketch);
        let found = in_the_middle(&mut studio(&gpu, &level, 0.0, 0.0));
        // The pane uses the tone curve of the surface behind it.
        assert_near(found, toned(DVec3::splat(0.3)), 1e-3, "pane");
    }
}

#[test]
fn a_lit_pane_over_an_unlit_surface_is_exposed() {
    let gpu = gpu();
    let (mut sketch, room) = dark_hall();
    let wall = sketch.material(crate::fixture::unlit([0.0, 0.0, 0.0, 1.0]));
    add_square(&mut sketch, room, wall, 0.0);
    let pane = sketch.material(Material {
        alpha: Alpha::Blend,
        emissive: [0.1; 3],
        ..matt([0.0; 3])
    });
    add_square(&mut sketch, room, pane, 0.01);
    sketch.source.exposure_stops = 2.0;
    let level = build(sketch);
    let found = in_the_middle(&mut studio(&gpu, &level, 0.0, 0.0));
    assert_near(found, DVec3::splat(0.4), 1e-3, "pane");
}
