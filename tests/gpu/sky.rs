//! The sky: on surfaces with a sky material, and behind openings.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{AuthorPoint, Level, LightKind, Material, Sky};
use opendoor::source::LightSource;
use opendoor::visibility::Camera;

use crate::fixture::{Studio, build, gpu, unlit};
use crate::probe::{SIDE, Shown, assert_near, studio, toned};

const SKY: Sky = Sky {
    zenith: [0.1, 0.3, 0.9],
    horizon: [0.7, 0.5, 0.2],
    ground: [0.05, 0.2, 0.1],
    clouds: 0.0,
};

/// The radiance of the sky from a direction, in f64.
fn sky(direction: DVec3) -> DVec3 {
    let up = direction.y / direction.length();
    let [zenith, horizon, ground] = [SKY.zenith, SKY.horizon, SKY.ground]
        .map(|colour| DVec3::from_array(colour.map(f64::from)));
    // The height without the kink at the horizon.
    let soft = |up: f64| (up * up + 0.04 * 0.04).sqrt() - 0.04;
    let height = soft(up.max(0.0)) / soft(1.0);
    let above = horizon.lerp(zenith, height.powf(0.55));
    let part = (-up / 0.12).clamp(0.0, 1.0);
    above.lerp(ground, part * part * (3.0 - 2.0 * part))
}

/// The directions of the camera: yaw and pitch, degrees.
const VIEWS: [[f64; 2]; 5] = [
    [0.0, 0.0],
    [50.0, 30.0],
    [-120.0, -40.0],
    [10.0, 85.0],
    [170.0, -5.0],
];

#[test]
fn a_surface_of_sky_shows_the_sky_in_the_direction_in_which_it_is_seen() {
    let mut sketch = Sketch::new("dome");
    sketch.source.sky = SKY;
    sketch.source.materials[0] = Material {
        sky: true,
        ..Material::default()
    };
    sketch.box_room("dome", cuboid([-5.0, -3.0, -7.0], [9.0, 4.0, 6.0]), &[]);
    let level = build(sketch);
    let gpu = gpu();
    let mut studio = studio(&gpu, &level, 0.0, 0.0);
    for angles in VIEWS {
        // The position of the camera has no effect.
        for eye in [[0.0, 0.0, 0.0], [3.0, 2.0, -4.0]] {
            for (ray, light) in Shown::new(&mut studio, eye, angles).rays() {
                assert_near(light, toned(sky(ray)), 0.002, &format!("along {ray}"));
            }
        }
    }
}

/// A room of 8 x 8 x 8 m with a hole of 4 x 4 m in the ceiling, and a hole in the front wall from 1.5 m below the eye
/// to 3 m above it.
fn open_room() -> Level {
    let mut sketch = Sketch::new("court");
    sketch.source.sky = SKY;
    sketch.source.materials[0] = unlit([0.0, 0.0, 0.0, 1.0]);
    let above = cuboid([-2.0, 4.0, -2.0], [2.0, 4.0, 2.0]);
    let in_front = cuboid([-3.0, -1.5, -4.0], [3.0, 3.0, -4.0]);
    let room = sketch.box_room("court", cuboid([-4.0; 3], [4.0; 3]), &[above, in_front]);
    sketch.source.rooms[room].open_to_sky = true;
    build(sketch)
}

/// Whether the ray from the origin leaves through a hole of [`open_room`]; `None` if it passes within a texel of an
/// edge.
fn leaves(ray: DVec3) -> Option<bool> {
    let at = ray * (4.0 / ray.abs().max_element());
    // Distance of the ray from the nearest edge of the hole, metres on the wall; negative outside of the hole.
    let above = 2.0 - at.x.abs().max(at.z.abs());
    let in_front = (3.0 - at.x.abs()).min(3.0 - at.y).min(at.y + 1.5);
    let inside = match at {
        _ if at.y > 3.999 => above,
        _ if at.z < -3.999 => in_front,
        _ => f64::NEG_INFINITY,
    };
    (inside.abs() > 0.5).then_some(inside > 0.0)
}

#[test]
fn through_a_hole_of_an_open_room_the_same_sky_is_seen() {
    let level = open_room();
    let gpu = gpu();
    let mut studio = studio(&gpu, &level, 0.0, 0.0);
    let (mut of_sky, mut of_ground) = (0, 0);
    for angles in VIEWS {
        for (ray, light) in Shown::new(&mut studio, [0.0; 3], angles).rays() {
            match leaves(ray) {
                Some(true) => {
                    assert_near(light, toned(sky(ray)), 0.002, &format!("along {ray}"));
                    if ray.y > 0.0 {
                        of_sky += 1
                    } else {
                        of_ground += 1
                    }
                }
                Some(false) => assert_eq!(light, DVec3::ZERO, "along {ray}"),
                None => {}
            }
        }
    }
    assert!(of_sky > 200 && of_ground > 100, "{of_sky} {of_ground}");
}

/// A level outdoors with suns: light travels along each direction, in this colour.
fn under_suns(suns: &[(DVec3, [f32; 3])], clouds: f32) -> Level {
    let mut sketch = Sketch::new("dome");
    sketch.source.sky = Sky { clouds, ..SKY };
    sketch.source.materials[0] = Material {
        sky: true,
        ..Material::default()
    };
    sketch.box_room("dome", cuboid([-5.0, -3.0, -7.0], [9.0, 4.0, 6.0]), &[]);
    for &(direction, colour) in suns {
        sketch.source.lights.push(LightSource {
            node: "sun".to_owned(),
            room: None,
            position: AuthorPoint(DVec3::new(0.0, 100.0, 0.0)),
            direction: direction.normalize_or_zero(),
            colour,
            intensity: 1000.0,
            range: None,
            radius: 0.0,
            kind: LightKind::Directional,
            starts_lit: true,
            flicker: 0.0,
        });
    }
    build(sketch)
}

#[test]
fn each_sun_has_a_disc_of_half_a_degree_where_its_light_comes_from() {
    let gpu = gpu();
    let suns = [
        (DVec3::new(-1.0, -1.0, 0.5), [1.0, 0.8, 0.5]),
        (DVec3::new(2.0, -1.0, 0.0), [0.2, 0.3, 0.4]),
    ];
    let level = under_suns(&suns, 0.0);
    let mut studio = Studio::float(&gpu, &level, [SIDE; 2]);
    for (direction, _) in suns {
        let to_sun = -direction.normalize_or_zero();
        let yaw = -to_sun.x.atan2(-to_sun.z).to_degrees();
        let pitch = to_sun.y.asin().to_degrees();
        // Offsets from the sun, degrees: inside of the disc, and outside.
        for (offset, is_disc) in [(0.0, true), (0.18, true), (0.4, false), (5.0, false)] {
            let angles = [yaw, pitch + offset];
            let at = studio.camera([0.0; 3], angles).at;
            // A field of view of a degree, so that a texel is much smaller than the disc.
            let camera = Camera::new(at, angles, 1.0, 1.0);
            let shown = Shown::with(&mut studio, camera).middle();
            let plain = toned(sky(camera.axes * DVec3::NEG_Z));
            match is_disc {
                true => assert!(shown.min_element() > 0.95, "{shown} at {offset}"),
                false => assert_near(shown, plain, 0.002, &format!("at {offset}")),
            }
        }
    }
    // A level without surfaces that show the sky has no discs; one sun behind the ground is not seen.
    let level = under_suns(&[(DVec3::new(0.3, 1.0, 0.0), [1.0; 3])], 0.0);
    let mut studio = Studio::float(&gpu, &level, [SIDE; 2]);
    for (ray, light) in Shown::new(&mut studio, [0.0; 3], [90.0, -70.0]).rays() {
        assert_near(light, toned(sky(ray)), 0.002, &format!("along {ray}"));
    }
}

#[test]
fn clouds_cover_as_much_of_the_sky_as_the_property_says() {
    let gpu = gpu();
    let sun = [(DVec3::new(-1.0, -1.0, 0.5), [1.0; 3])];
    let covered = [0.0, 0.3, 0.6, 1.0].map(|clouds| {
        let level = under_suns(&sun, clouds);
        let mut studio = Studio::float(&gpu, &level, [SIDE; 2]);
        let (mut covered, mut count) = (0, 0);
        for angles in [[0.0, 45.0], [90.0, 60.0], [200.0, 50.0]] {
            for (ray, light) in Shown::new(&mut studio, [0.0; 3], angles).rays() {
                assert!(light.is_finite());
                let up = ray.normalize_or_zero().y;
                let off = (light - toned(sky(ray))).abs().max_element();
                if up < 0.02 {
                    assert!(off < 0.002, "below the clouds, along {ray}");
                } else if up > 0.3 {
                    count += 1;
                    covered += i32::from(off > 0.02);
                }
            }
        }
        f64::from(covered) / f64::from(count)
    });
    // Without clouds, only the disc of the sun differs.
    assert!(covered[0] < 0.01, "{covered:?}");
    assert!(covered.is_sorted() && covered[3] > 0.9, "{covered:?}");
    assert!((0.05..0.6).contains(&covered[1]), "{covered:?}");
    assert!((0.3..0.95).contains(&covered[2]), "{covered:?}");
}
