//! Light in the air of rooms, compared with analytic solutions.

use std::f64::consts::PI;

use super::*;
use crate::geometry::Triangle;
use crate::geometry::solid_angle;
use crate::lighting::AmbientLight;

/// The light at a point of a level, metres, in a room.
fn light_at(lighting: &Lighting, level: &Level, room: u32, point: DVec3) -> AmbientLight {
    let here = (point - level.origin).as_vec3();
    let mut light = lighting.ambient(LitBy::Place(RoomId(room), here));
    light.irradiance -= lighting.min_ambient;
    light
}

#[test]
fn light_in_a_closed_glowing_room_is_uniform() {
    let mut sketch = Sketch::new("furnace");
    sketch.source.materials[0] = Material {
        emissive: [0.1, 0.2, 0.4],
        ..matt([0.5; 3])
    };
    sketch.box_room("room", cuboid([0.0; 3], [5.0, 3.0, 4.0]), &[]);
    let furniture = cuboid([1.0, 0.0, 1.0], [2.0, 1.0, 2.0]);
    sketch.furniture(0, 0, furniture);
    let level = built(sketch, DVec3::splat(0.5));
    let lighting = lit(&level);
    let wanted = Vec3::new(0.2, 0.4, 0.8);
    let mut rng = Rng::new(5);
    for _ in 0..500 {
        let point = DVec3::from_array([4.9, 2.9, 3.9].map(|size| rng.between(0.05, size)));
        if furniture.contains(point) {
            continue;
        }
        let light = light_at(&lighting, &level, 0, point);
        let off = (light.irradiance / wanted - 1.0).abs().max_element();
        assert!(
            off < 0.01 && light.gradient.length() < 0.02,
            "{light:?} at {point}"
        );
    }
}

#[test]
fn light_under_a_glowing_ceiling_is_that_of_its_solid_angle_and_has_its_direction() {
    let mut sketch = Sketch::new("ceiling");
    // The walls glow too: an object that is lit from above alone has less direction than its light.
    sketch.source.materials[0] = Material {
        emissive: [0.3; 3],
        ..matt([0.0; 3])
    };
    let glow = sketch.material(Material {
        emissive: [1.0; 3],
        ..matt([0.0; 3])
    });
    sketch.box_room("room", cuboid([0.0; 3], [6.0, 4.0, 6.0]), &[]);
    sketch.furniture(0, glow, cuboid([0.01, 3.9, 0.01], [5.99, 3.99, 5.99]));
    let level = built(sketch, DVec3::splat(0.5));
    let lighting = lit(&level);
    let corners = [[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0]];
    let corners = corners.map(|[x, z]| DVec3::new(x, 3.9, z));
    let halves = [[0, 1, 2], [0, 2, 3]].map(|half| Triangle {
        corners: half.map(|corner| corners[corner]),
    });
    let (mut rng, count) = (Rng::new(4), 300.0);
    let (mut bias, mut squared) = ([0.0; 2], [0.0; 2]);
    for _ in 0..300 {
        let [x, z] = [0.3, 0.3].map(|least| rng.between(least, 5.7));
        let point = DVec3::new(x, rng.between(0.2, 3.3), z);
        let angle: f64 = halves.iter().map(|half| solid_angle(half, point)).sum();
        let light = light_at(&lighting, &level, 0, point);
        let form_factor: f32 = [(x, z), (6.0 - x, z), (x, 6.0 - z), (6.0 - x, 6.0 - z)]
            .iter()
            .map(|&(a, b)| parallel_factor(a as f32, b as f32, (3.9 - point.y) as f32))
            .sum();
        let flow = light.gradient.y * light.irradiance.x / 2.0;
        let off = [
            f64::from(light.irradiance.x) - (0.3 + 0.7 * angle.abs() / (4.0 * PI)),
            f64::from(flow - 0.7 * form_factor / 4.0),
        ];
        for i in 0..2 {
            bias[i] += off[i] / count;
            squared[i] += off[i] * off[i] / count;
        }
    }
    // One of 64 rays is 0.016.
    assert!(bias.iter().all(|bias| bias.abs() < 0.006), "{bias:?}");
    let off = squared.map(f64::sqrt);
    assert!(off.iter().all(|&off| off < 0.016), "{off:?}");
}

#[test]
fn light_along_a_way_through_an_opening_is_continuous() {
    let level = two_rooms(40.0);
    let lighting = lit(&level);
    let step = 0.005;
    for z in [2.2, 2.5, 2.75] {
        let at = |i: usize| DVec3::new(-1.5 + step * i as f64, 1.0, z);
        let light = |i: usize| {
            let point = at(i);
            light_at(&lighting, &level, u32::from(point.x > 0.0), point).irradiance
        };
        let mut last = light(0);
        assert!(last.x > 0.05, "{last}");
        for i in 1..600 {
            let next = light(i);
            let jump = (next - last).abs().max_element() / last.max_element();
            assert!(jump < 0.04, "{last} to {next} at {}", at(i));
            last = next;
        }
    }
}

#[test]
fn no_light_in_the_air_passes_a_shut_link_or_a_wall() {
    let level = two_rooms(40.0);
    let mut world = World::all_open(&level);
    world.close(LinkId(0));
    let lighting = lit_in(&level, &world);
    let mut rng = Rng::new(6);
    for _ in 0..500 {
        let mut point = |from: f64, to: f64| {
            let parts = [from..to, 0.05..2.95, 0.05..4.95];
            DVec3::from_array(parts.map(|part| rng.between(part.start, part.end)))
        };
        let (here, there) = (point(-3.95, -0.05), point(0.05, 3.95));
        assert!(light_at(&lighting, &level, 0, here).irradiance.x > 0.01);
        assert_eq!(light_at(&lighting, &level, 1, there).irradiance, Vec3::ZERO);
    }
}

#[test]
fn light_in_the_air_does_not_pass_a_wall_inside_a_room() {
    let level = divided_room();
    let lighting = lit(&level);
    let mut rng = Rng::new(7);
    for _ in 0..500 {
        let [y, z] = [2.9, 3.9].map(|size| rng.between(0.05, size));
        // Sight is known for octants of half a metre.
        let dark = DVec3::new(rng.between(4.7, 7.9), y, z);
        let light = light_at(&lighting, &level, 0, dark).irradiance;
        assert!(light.x < 1e-4, "{light} at {dark}");
        let lit = DVec3::new(rng.between(0.1, 3.6), y, z);
        let light = light_at(&lighting, &level, 0, lit).irradiance;
        assert!(light.x > 0.01, "{light} at {lit}");
    }
}
