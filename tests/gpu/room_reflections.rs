//! Reflections of rooms on smooth surfaces.

use glam::{DVec3, Vec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::gpu::{Offscreen, RenderQuality, TextureFormat};
use opendoor::level::{Level, Material, linear_from_srgb};
use opendoor::source::MoverSource;
use opendoor::visibility::{Camera, Culling};

use crate::culling::scattered;
use crate::fixture::{Studio, build, gpu, grid_of, unlit};
use crate::light::{half, light_of};

fn metal(roughness: f32) -> Material {
    Material {
        base_colour: [0.95, 0.95, 0.95, 1.0],
        metallic: 1.0,
        roughness,
        ..Material::default()
    }
}

fn matt(rgb: [f32; 3]) -> Material {
    Material {
        base_colour: [rgb[0], rgb[1], rgb[2], 1.0],
        ..Material::default()
    }
}

/// Adds a sphere with smooth normals.
fn ball(sketch: &mut Sketch, room: usize, material: usize, centre: DVec3, radius: f64) {
    const RINGS: usize = 24;
    let point = |ring: usize, column: usize| {
        let (sin, cos) = (std::f64::consts::PI * ring as f64 / RINGS as f64).sin_cos();
        let (s, c) = (std::f64::consts::PI * column as f64 / RINGS as f64).sin_cos();
        DVec3::new(sin * c, cos, -sin * s)
    };
    let mut triangles = Vec::new();
    for ring in 0..RINGS {
        for column in 0..2 * RINGS {
            let [a, b] = [point(ring, column), point(ring, column + 1)];
            let [c, d] = [point(ring + 1, column), point(ring + 1, column + 1)];
            if ring + 1 < RINGS {
                triangles.push([a, c, d]);
            }
            if ring > 0 {
                triangles.push([a, d, b]);
            }
        }
    }
    let placed: Vec<_> = triangles
        .iter()
        .map(|t| t.map(|p| centre + p * radius))
        .collect();
    sketch.mesh(room, material, &placed);
    let mesh = sketch.source.meshes.last_mut().expect("it was added");
    mesh.normals = triangles.iter().flatten().map(|p| p.as_vec3()).collect();
}

#[test]
fn a_mirror_ball_shows_the_red_wall_on_its_red_side_and_the_green_wall_on_the_other() {
    let mut sketch = Sketch::new("ball");
    let room = sketch.box_room("room", cuboid([-3.0, 0.0, -3.0], [3.0, 3.0, 5.0]), &[]);
    for (x, rgb) in [(-2.99, [0.8, 0.05, 0.05]), (2.99, [0.05, 0.8, 0.05])] {
        let wall = sketch.material(matt(rgb));
        sketch.furniture(
            room,
            wall,
            cuboid([x - 0.01, 0.0, -3.0], [x + 0.01, 3.0, 5.0]),
        );
    }
    let mirror = sketch.material(metal(0.0));
    ball(&mut sketch, room, mirror, DVec3::new(0.0, 1.5, 0.0), 1.0);
    let level = build(sketch);
    let gpu = gpu();
    let mut studio = Studio::reflecting(&gpu, &level, [33, 33]);
    let camera = studio.camera([0.0, 1.5, 2.5], [0.0, 0.0]);
    let pixels = studio.draw(&camera, Culling::Portals);
    let light = |x| studio.texel(&pixels, x, 16).map(linear_from_srgb);
    let [red, green] = [11, 21].map(light);
    assert!(red[0] > 2.0 * red[1], "{red:?} beside the red wall");
    assert!(green[1] > 2.0 * green[0], "{green:?} beside the green wall");
}

/// The direction in which the camera sees the centre of a pixel.
fn ray(camera: &Camera, [x, y]: [u32; 2], size: u32) -> DVec3 {
    let at = |i: u32| (f64::from(i) + 0.5) / f64::from(size) * 2.0 - 1.0;
    (camera.axes * DVec3::new(at(x), -at(y), -1.0)).normalize_or_zero()
}

#[test]
fn the_edge_of_a_wall_is_reflected_where_the_geometry_says() {
    const SIZE: u32 = 129;
    let mut sketch = Sketch::new("edge");
    sketch.source.materials[0] = metal(0.0);
    let room = sketch.box_room("room", cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 4.0]), &[]);
    let [white, black] =
        [[0.6, 0.6, 0.6, 1.0], [0.0, 0.0, 0.0, 1.0]].map(|rgba| sketch.material(unlit(rgba)));
    // The wall ahead: white left of x = 1, black right of it.
    sketch.furniture(room, white, cuboid([-4.0, 0.0, -4.0], [1.0, 3.0, -3.99]));
    sketch.furniture(room, black, cuboid([1.0, 0.0, -4.0], [4.0, 3.0, -3.99]));
    let level = build(sketch);
    let gpu = gpu();
    let mut studio = Studio::reflecting(&gpu, &level, [SIZE; 2]);
    let mut measured = 0;
    for eye in [[-2.5, 1.2, -0.5], [0.0, 1.5, 1.0], [3.0, 1.0, -1.0]] {
        let camera = studio.camera(eye, [0.0, -45.0]);
        let pixels = studio.draw(&camera, Culling::Portals);
        for y in [30, 36, 42, 48, 54, 60, 66, 75, 90] {
            let light = |x: u32| i32::from(studio.texel(&pixels, x, y)[1]);
            // Where the floor reflects the wall ahead: the texels whose ray ends there.
            let reflected = |x: u32| {
                let direction = ray(&camera, [x, y], SIZE);
                let point = DVec3::from_array(eye) + direction * (eye[1] / -direction.y);
                let up = direction * DVec3::new(1.0, -1.0, 1.0);
                let at = point + up * ((-3.99 - point.z) / up.z);
                (point, at)
            };
            let on_wall: Vec<u32> = (0..SIZE)
                .filter(|&x| {
                    let (point, at) = reflected(x);
                    point.x.abs() < 3.9 && at.x.abs() < 3.0 && at.y < 2.9
                })
                .collect();
            let edge = on_wall
                .windows(2)
                .max_by_key(|pair| (light(pair[0]) - light(pair[1])).abs());
            let Some(&[edge, _]) = edge else { continue };
            let expected = on_wall.iter().copied().min_by(|&a, &b| {
                let off = |x: u32| (reflected(x).1.x - 1.0).abs();
                off(a).total_cmp(&off(b))
            });
            if (reflected(expected.expect("not empty")).1.x - 1.0).abs() > 0.2 {
                continue;
            }
            measured += 1;
            // As seen from the place of the cube, whose texels limit the precision.
            let from_cube = |at: DVec3| at - DVec3::new(0.0, 1.5, 0.0);
            let at = reflected(edge).1;
            let wanted = from_cube(DVec3::new(1.0, at.y, -3.99));
            let angle = from_cube(at).angle_between(wanted).to_degrees();
            assert!(angle < 2.5, "{angle} degrees from {eye:?} in row {y}");
        }
    }
    assert!(measured >= 5, "{measured} edges");
}

#[test]
fn a_metal_of_any_roughness_is_as_bright_as_a_closed_white_room() {
    let gpu = gpu();
    for roughness in [0.0, 0.2, 0.5, 0.8, 1.0] {
        let white = |metallic| Material {
            base_colour: [1.0; 4],
            metallic,
            roughness,
            ..Material::default()
        };
        let mut sketch = Sketch::new("furnace");
        sketch.source.materials[0] = white(0.0);
        let room = sketch.box_room("room", cuboid([-5.0; 3], [5.0, 5.0, 8.0]), &[]);
        let metal = sketch.material(white(1.0));
        ball(&mut sketch, room, metal, DVec3::ZERO, 1.0);
        let level = build(sketch);
        let quality = RenderQuality {
            bloom: false,
            ..RenderQuality::high()
        };
        let format = TextureFormat::Rgba16Float;
        let mut studio = Studio::with(&gpu, &level, [33, 33], format, quality);
        studio.viewer.lighting.hemisphere = Vec3::ZERO;
        studio.viewer.lighting.ambient.fill(Vec3::splat(0.5));
        let camera = studio.camera([0.0, 0.0, 2.0], [0.0, 0.0]);
        let pixels = studio.draw(&camera, Culling::Portals);
        for half_texel in pixels.as_chunks::<8>().0 {
            for channel in 0..3 {
                let at = [half_texel[2 * channel], half_texel[2 * channel + 1]];
                let light = light_of(half(u16::from_le_bytes(at)));
                assert!(
                    (light / 0.5 - 1.0).abs() < 0.02,
                    "{light} of 0.5, roughness {roughness}"
                );
            }
        }
    }
}

/// A red and a green room that are joined by an opening, over one polished floor; with a door if wanted.
fn two_rooms(has_door: bool) -> Level {
    let opening = cuboid([-1.0, 0.0, 0.0], [1.0, 2.2, 0.0]);
    let mut sketch = Sketch::new("two");
    let floor = sketch.material(metal(0.1));
    let rooms =
        [("a", 0.0, [0.7, 0.1, 0.1]), ("b", -5.0, [0.1, 0.6, 0.2])].map(|(name, z, rgb)| {
            sketch.source.materials[0] = matt([0.5; 3]);
            let room = sketch.box_room(
                name,
                cuboid([-3.0, 0.0, z], [3.0, 3.0, z + 5.0]),
                &[opening],
            );
            let paint = sketch.material(unlit([rgb[0], rgb[1], rgb[2], 1.0]));
            // Panels on the walls at the sides, at the far wall, and a ceiling.
            for panel in [
                cuboid([-3.0, 0.0, z + 0.1], [-2.98, 3.0, z + 4.9]),
                cuboid([2.98, 0.0, z + 0.1], [3.0, 3.0, z + 4.9]),
                cuboid([-3.0, 2.9, z + 0.1], [3.0, 2.98, z + 4.9]),
            ] {
                sketch.furniture(room, paint, panel);
            }
            room
        });
    // The floors of the rooms are those triangles whose corners are all on the floor.
    for mesh in &mut sketch.source.meshes {
        let is_floor = |t: &[u32; 3]| t.iter().all(|&i| mesh.positions[i as usize].y == 0.0);
        if mesh.material == 0 {
            mesh.triangles.retain(|t| !is_floor(t));
        }
    }
    for (room, z) in rooms.into_iter().zip([0.0, -5.0]) {
        let corner = |x, z| DVec3::new(x, 0.0, z);
        let [a, b] = [corner(-3.0, z + 5.0), corner(3.0, z + 5.0)];
        let [c, d] = [corner(3.0, z), corner(-3.0, z)];
        sketch.mesh(room, floor, &[[a, b, c], [a, c, d]]);
    }
    sketch.portal(rooms[0], "b", opening, DVec3::NEG_Z);
    if has_door {
        sketch.furniture(rooms[0], 0, cuboid([-1.0, 0.0, -0.02], [1.0, 2.2, 0.02]));
        let panel = sketch.source.meshes.pop().expect("it was added");
        let door = MoverSource::vanishing_door("panel-door", vec![panel]);
        sketch.source.movers.push(door);
    }
    build(sketch)
}

#[test]
fn the_reflection_is_continuous_across_a_portal() {
    const SIZE: u32 = 129;
    let level = two_rooms(false);
    let gpu = gpu();
    let mut studio = Studio::reflecting(&gpu, &level, [SIZE; 2]);
    let camera = studio.camera([0.2, 1.4, 0.3], [0.0, -90.0]);
    let pixels = studio.draw(&camera, Culling::Portals);
    // The row in which the floor crosses z = 0.
    let row = (0.5 - 0.3 / 1.4 * 0.5) * f64::from(SIZE);
    let row = row as u32;
    let mut colours = Vec::new();
    for x in [40, 64, 80] {
        for y in row - 3..row + 3 {
            let [a, b] = [y, y + 1].map(|y| studio.texel(&pixels, x, y));
            for (a, b) in a.into_iter().zip(b) {
                assert!(
                    a.abs_diff(b) <= 2,
                    "row {y} of {row}, column {x}: {a} and {b}"
                );
            }
        }
        colours.push([5, 128 - 5].map(|y| studio.texel(&pixels, x, y)));
    }
    let [far, near] = colours[1];
    assert!(far[1] > far[0] && near[0] > near[1], "{far:?} and {near:?}");
}

#[test]
fn an_opened_door_changes_the_reflection_and_a_shut_one_restores_it() {
    let level = two_rooms(true);
    let gpu = gpu();
    let mut studio = Studio::reflecting(&gpu, &level, [64, 64]);
    let door = level.doors().next().expect("there is a door");
    // Towards the side wall: the doorway itself is not in the picture.
    let camera = studio.camera([0.5, 1.5, 1.5], [-180.0, -60.0]);
    let shut = studio.draw(&camera, Culling::Portals);
    studio.set_link(door, true);
    let open = studio.draw(&camera, Culling::Portals);
    studio.set_link(door, false);
    let shut_again = studio.draw(&camera, Culling::Portals);
    let changed = shut
        .iter()
        .zip(&open)
        .filter(|(a, b)| a.abs_diff(**b) > 3)
        .count();
    assert!(changed > 300, "{changed} of {} bytes", shut.len());
    assert!(shut == shut_again);
}

fn polished() -> Material {
    Material {
        roughness: 0.2,
        ..matt([0.5, 0.4, 0.3])
    }
}

#[test]
fn culled_pictures_of_polished_rooms_equal_pictures_without_culling() {
    let gpu = gpu();
    let level = grid_of(3, polished());
    let mut next = scattered(11);
    // There is space for few cubes, so most pictures are drawn in several batches.
    for reflection_bytes in [64 << 20, 1 << 20] {
        let quality = RenderQuality {
            reflection_bytes,
            ..RenderQuality::default()
        };
        let size = [96, 64];
        let mut studio = Studio::with(&gpu, &level, size, Offscreen::FORMAT, quality);
        for view in 0..24 {
            let mut within_a_cell = || 6.0 * next(0.0, 3.0).floor() + next(0.15, 5.85);
            let mut eye = [within_a_cell(), 0.0, within_a_cell()];
            eye[1] = next(1.05, 2.9);
            if view % 4 == 0 {
                eye = [6.0, next(0.1, 2.1), next(2.5, 3.5)];
            }
            let camera = studio.camera(eye, [next(-180.0, 180.0), next(-60.0, 60.0)]);
            let whole = studio.draw(&camera, Culling::None);
            let culled = studio.draw(&camera, Culling::Portals);
            let differing = whole.iter().zip(&culled).filter(|(a, b)| a != b).count();
            assert_eq!(differing, 0, "view {view} from {eye:?}");
        }
    }
}

#[test]
fn a_picture_does_not_depend_on_the_pictures_before() {
    let gpu = gpu();
    let level = two_rooms(true);
    let door = level.doors().next().expect("there is a door");
    let picture = |others: bool| {
        let mut studio = Studio::reflecting(&gpu, &level, [64, 64]);
        if others {
            let camera = studio.camera([0.0, 1.0, -2.0], [30.0, -20.0]);
            studio.draw(&camera, Culling::Portals);
        }
        studio.set_link(door, true);
        if others {
            let camera = studio.camera([1.0, 1.0, 2.0], [100.0, -20.0]);
            studio.draw(&camera, Culling::None);
        }
        let camera = studio.camera([0.3, 1.5, 2.0], [10.0, -40.0]);
        studio.draw(&camera, Culling::Portals)
    };
    assert!(picture(false) == picture(true));
}
