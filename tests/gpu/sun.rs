//! Sky and sunlight: through windows with a sky material, and from there through doorways.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Aabb;
use opendoor::level::{AuthorPoint, Level, LightKind, Material};
use opendoor::rng::Rng;
use opendoor::source::LightSource;
use opendoor::visibility::Culling;

use crate::fixture::{Studio, build, gpu};
use crate::light::{ahead, dark, half, light_of};

const SIZE: [u32; 2] = [33, 33];

/// The direction of the sun: down and along -X, 45 degrees each.
const SUN: DVec3 = DVec3::new(-1.0, -1.0, 0.0);

/// A room of 6 x 3 x 6 m with a sky window in its +X side, 2 m wide and from 1 to 2 m above the floor, and a second
/// room behind a doorway in its -X side.
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
    // The front of the window's triangles faces the room.
    let [a, b, c, d] = [
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(2.0, 1.0),
        corner(2.0, -1.0),
    ];
    sketch.mesh(room, sky, &[[a, b, c], [a, c, d]]);
    if with_chest {
        // A chest in front of half of the window, as high as the rays from the window's top at that distance.
        sketch.furniture(room, 0, cuboid([1.9, 0.0, -1.0], [2.0, 1.0, 0.0]));
    }
    add_sun(&mut sketch, sun, 1000.0);
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
    // Rays descend 1 m for each metre towards -X: the window's edges at heights of 1 and 2 m are projected to x = 2 and
    // x = 1 on the floor.
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
fn a_chest_before_the_window_casts_its_shadow_on_the_floor() {
    let gpu = gpu();
    let level = rooms(true, SUN);
    let mut studio = studio(&gpu, &level);
    let mut floor = |x: f64, z: f64| ahead(&mut studio, [x, 0.9, z], [0.0, -90.0]);
    let dark = floor(-1.0, 2.0);
    // The floor is dark behind the chest, and lit beside it. The shadow's edge is at z = 0.
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
    // A low sun, which descends 1 m for 4 m, reaches the second room.
    let gpu = gpu();
    let level = rooms(false, DVec3::new(-4.0, -1.0, 0.0));
    let mut studio = studio(&gpu, &level);
    let mut floor = |x: f64, z: f64| ahead(&mut studio, [x, 0.9, z], [0.0, -90.0]);
    // The window's edges at 1 and 2 m are projected to x = -1 and x = -5 on the floor. The doorway at x = -3 is 2 m
    // high and 2 m wide, so that all of the light passes.
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

/// Adds a sun whose light travels along `direction`; `intensity` in lux.
fn add_sun(sketch: &mut Sketch, direction: DVec3, intensity: f32) {
    sketch.source.lights.push(LightSource {
        node: "sun".to_owned(),
        room: None,
        position: AuthorPoint(DVec3::new(0.0, 100.0, 0.0)),
        direction: direction.normalize_or_zero(),
        colour: [1.0; 3],
        intensity,
        range: None,
        radius: 0.0,
        kind: LightKind::Directional,
        starts_lit: true,
        flicker: 0.0,
    });
}

/// The albedo of [`dark`].
const ALBEDO: f64 = 0.002;

/// Two courts, both open to the sky, which share a wall without thickness that has a doorway.
struct Courts {
    level: Level,
    /// Insides of the court in view, and of the court behind the doorway.
    insides: [Aabb; 2],
    door: Aabb,
    sun: DVec3,
}

impl Courts {
    fn random(rng: &mut Rng, intensity: f32) -> Self {
        let [width, depth, length] = [2.5, 2.5, 2.5].map(|least| rng.between(least, 9.0));
        let height = rng.between(2.2, 4.0);
        let wall = -width;
        let near = cuboid([wall, 0.0, 0.0], [0.0, height, depth]);
        let far = cuboid([wall - length, 0.0, 0.0], [wall, height, depth]);
        let side = rng.between(0.2, depth - 1.2);
        let door = cuboid([wall, 0.0, side], [wall, 1.8, side + 1.0]);
        // Most suns shine across the shared wall, from high and low.
        let (sin, cos) = rng.between(-1.5, 1.5).sin_cos();
        let sun = DVec3::new(cos, -rng.between(0.15, 3.0), sin);
        let mut sketch = Sketch::new("courts");
        sketch.source.materials[0] = dark();
        let lid = |inside: &Aabb| Aabb {
            min: inside.min.with_y(height),
            ..*inside
        };
        let court = sketch.box_room("court", near, &[lid(&near), door]);
        let behind = sketch.box_room("behind", far, &[lid(&far), door]);
        // The court behind reflects nothing: at the foot of the shared wall, a sample may show either court.
        let black = sketch.material(Material {
            base_colour: [0.0, 0.0, 0.0, 1.0],
            ..dark()
        });
        let walls = sketch.source.meshes.last_mut();
        walls.expect("the walls of the court behind").material = black;
        for room in [court, behind] {
            sketch.source.rooms[room].open_to_sky = true;
        }
        sketch.portal(court, "behind", door, DVec3::NEG_X);
        add_sun(&mut sketch, sun, intensity);
        Self {
            level: build(sketch),
            insides: [near, far],
            door,
            sun,
        }
    }

    /// Whether a ray from a point in the court to the sun hits no wall.
    fn is_lit(&self, point: DVec3) -> bool {
        let [near, far] = &self.insides;
        let towards = -self.sun;
        let exit = exit(near, point, towards);
        let at_door = self.door.grown(1e-9).contains(exit);
        is_top(near, exit) || at_door && is_top(far, self::exit(far, exit, towards))
    }

    /// Whether the sun lights no point of the court whose ray to the sun passes a point within the blur of a shadow.
    fn is_dark_around(&self, point: DVec3) -> bool {
        let across = self.sun.any_orthogonal_vector().normalize_or_zero();
        let along = self.sun.cross(across).normalize_or_zero();
        let around = (0..16).map(|i| {
            let (sin, cos) = (f64::from(i) * 22.5).to_radians().sin_cos();
            point + (across * cos + along * sin) * BLUR
        });
        let [inside, _] = &self.insides;
        // A wall that faces the sun is lit at the points where the rays to points behind it meet it.
        let mut around = around.filter_map(|p| entry(inside, p, -self.sun));
        !self.is_lit(point) && !around.any(|p| self.is_lit(p))
    }
}

/// Width of a shadow's blurred edge, metres: three texels of the shadow map, and the soft edge of light that entered
/// through an opening.
const BLUR: f64 = 0.07;

/// The point where a ray from inside of a box leaves the box.
fn exit(inside: &Aabb, from: DVec3, along: DVec3) -> DVec3 {
    let ends = [0, 1, 2].map(|i| {
        let end = if along[i] > 0.0 {
            inside.max
        } else {
            inside.min
        };
        (end[i] - from[i]) / along[i]
    });
    let least = ends.into_iter().filter(|part| !part.is_nan());
    from + along * least.fold(f64::INFINITY, f64::min).max(0.0)
}

/// The first point of a ray inside of a box.
fn entry(inside: &Aabb, from: DVec3, along: DVec3) -> Option<DVec3> {
    let (mut first, mut last) = (0.0_f64, f64::INFINITY);
    for i in 0..3 {
        if along[i] == 0.0 {
            if from[i] < inside.min[i] || from[i] > inside.max[i] {
                return None;
            }
            continue;
        }
        let ends = [inside.min[i], inside.max[i]].map(|end| (end - from[i]) / along[i]);
        first = first.max(ends[0].min(ends[1]));
        last = last.min(ends[0].max(ends[1]));
    }
    (first <= last).then(|| from + along * first)
}

/// Whether a point of a box's surface is on its upper side.
fn is_top(inside: &Aabb, point: DVec3) -> bool {
    (point.y - inside.max.y).abs() < 1e-9
}

#[test]
fn no_pixel_is_lit_by_the_sun_that_rays_find_dark() {
    const SIZE: [u32; 2] = [96, 96];
    let gpu = gpu();
    let trials = std::env::var("OPENDOOR_SUN_TRIALS");
    let trials = trials.map_or(20, |trials| trials.parse().expect("a number"));
    let (mut dark_pixels, mut lit_pixels, mut leaks) = (0, 0, Vec::new());
    for seed in 0..trials {
        let courts = [1000.0, 0.0].map(|sun| Courts::random(&mut Rng::new(seed), sun));
        let mut rng = Rng::new(!seed);
        let inside = courts[0].insides[0];
        let size = inside.max - inside.min;
        let eye = inside.min + size * DVec3::from_array([(); 3].map(|()| rng.between(0.05, 0.95)));
        let angles = [rng.between(-180.0, 180.0), rng.between(-60.0, 10.0)];
        let [with_sun, without] = [0, 1].map(|i| {
            let mut studio = Studio::float(&gpu, &courts[i].level, SIZE);
            let camera = studio.camera(eye.to_array(), angles);
            let pixels = studio.draw(&camera, Culling::Portals);
            let shown = pixels.chunks_exact(8);
            let shown = shown.map(|p| half(u16::from_le_bytes([p[0], p[1]])));
            let lighting = &studio.viewer.lighting;
            let suns = lighting.lists.lights.iter();
            let suns = suns.map(|sun| f64::from(sun.colour.x * lighting.exposure));
            let light = suns.fold(0.0, f64::max) * ALBEDO;
            (shown.collect::<Vec<f64>>(), camera, light)
        });
        for y in 0..SIZE[1] {
            for x in 0..SIZE[0] {
                let seen_at = |dx: f64, dy: f64| {
                    let x = (f64::from(x) + 0.5 + dx) / f64::from(SIZE[0]) * 2.0 - 1.0;
                    let y = 1.0 - (f64::from(y) + 0.5 + dy) / f64::from(SIZE[1]) * 2.0;
                    // The field of view is 90 degrees.
                    exit(&inside, eye, with_sun.1.axes * DVec3::new(x, y, -1.0))
                };
                let offsets = [-0.5, 0.0, 0.5];
                let places = offsets.map(|dx| offsets.map(|dy| seen_at(dx, dy)));
                let places = places.as_flattened();
                let is_wall =
                    |p: &DVec3| !is_top(&inside, *p) && !courts[0].door.grown(0.01).contains(*p);
                if !places.iter().all(is_wall) {
                    continue;
                }
                let at = (y * SIZE[0] + x) as usize;
                let [lit, unlit] = [&with_sun, &without].map(|picture| light_of(picture.0[at]));
                if places.iter().all(|&p| courts[0].is_dark_around(p)) {
                    dark_pixels += 1;
                    // A tenth of the sun's light on a surface that faces it is hardly visible in a single pixel.
                    if lit > unlit + 0.1 * with_sun.2 {
                        let (at, sun) = (places[4], courts[0].sun);
                        leaks.push(format!(
                            "seed {seed}, pixel {x} {y}, at {at}: {lit}, without sun {unlit}, sun {sun}"
                        ));
                    }
                } else if lit > 2.0 * unlit {
                    lit_pixels += 1;
                }
            }
        }
    }
    assert!(
        leaks.is_empty(),
        "{} leaks, the first: {}",
        leaks.len(),
        leaks[0]
    );
    assert!(dark_pixels > 1000 * trials as usize, "{dark_pixels}");
    assert!(lit_pixels > 200 * trials as usize, "{lit_pixels}");
}
