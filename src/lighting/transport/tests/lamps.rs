//! Lamps: more of them than a room's list contains, and the sum of their light.

use super::*;
use crate::lighting::LampLight;
use crate::lighting::gpu_light::GpuLight;

/// A hall of 16 x 4 x 8 m with up to 28 lamps: `candela` returns the intensity of each, if there is one.
fn hall(albedo: f32, candela: impl Fn(usize) -> Option<f32>) -> Level {
    let mut sketch = Sketch::new("office");
    sketch.source.materials[0] = matt([albedo; 3]);
    sketch.box_room("hall", cuboid([0.0; 3], [16.0, 4.0, 8.0]), &[]);
    for number in 0..28 {
        let Some(candela) = candela(number) else {
            continue;
        };
        let (column, row) = ((number % 7) as f64, (number / 7) as f64);
        let place = DVec3::new(2.0 + 2.0 * column, 3.2, 1.0 + 2.0 * row);
        sketch.lamp(0, place, candela);
    }
    built(sketch, DVec3::new(8.0, 0.1, 4.0))
}

/// The light of all nodes, at exposure 1.
fn light_of_nodes(level: &Level) -> Vec<Vec3> {
    let lighting = lit(level);
    let light = nodes(&lighting, level, "hall").map(|(_, light)| light / lighting.exposure);
    light.collect()
}

#[test]
fn a_hall_with_more_lamps_than_its_list_has_the_direct_light_of_all() {
    let level = hall(0.0, |number| Some(20.0 + number as f32));
    let lighting = lit(&level);
    let listed = lighting.lists.of_room(RoomId(0));
    assert_eq!(listed.len(), 16);
    let all = level.lights.iter().zip(&lighting.reaches.of_lights);
    let all: Vec<GpuLight> = all
        .map(|(light, reach)| {
            let home = crate::geometry::Rigid::IDENTITY;
            GpuLight::new(light, &home, reach.range, reach.radius)
        })
        .collect();
    let mut checked = 0;
    for (node, unlisted) in nodes(&lighting, &level, "hall") {
        let point = node.point.as_dvec3() + level.origin;
        let is_inner = (1.0..15.0).contains(&point.x) && (1.0..7.0).contains(&point.z);
        if point.y > 0.01 || !is_inner {
            continue;
        }
        let on_floor = |lights: &[GpuLight]| -> Vec3 {
            let light = |light: &GpuLight| light.on_surface(node.point, Vec3::Y, &[]);
            lights.iter().map(light).sum::<Vec3>() * lighting.exposure
        };
        let (found, wanted) = (on_floor(listed) + unlisted, on_floor(&all));
        let off = (found / wanted - 1.0).abs().max_element();
        assert!(off < 0.03, "{found}, not {wanted} at {point}");
        checked += 1;
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn an_object_in_the_air_is_lit_by_lamps_that_the_list_does_not_contain() {
    let level = hall(0.0, |number| Some(20.0 + number as f32));
    let lighting = lit(&level);
    // No lamp from the second half of the rows is missing, because the later ones are stronger.
    let at = |x: f64, z: f64| {
        let point = (DVec3::new(x, 1.5, z) - level.origin).as_vec3();
        lighting.ambient(LitBy::Place(RoomId(0), point))
    };
    let (weak, strong) = (at(8.0, 1.0), at(8.0, 7.0));
    assert!(
        weak.irradiance.x > 3.0 * strong.irradiance.x,
        "{weak:?}, {strong:?}"
    );
    assert!(weak.gradient.y > 0.5, "{weak:?}");
}

#[test]
fn baked_lamps_light_surfaces_and_the_air_like_drawn_lamps() {
    let level = hall(0.0, |number| (number < 14).then_some(20.0 + number as f32));
    let drawn = lit(&level);
    let mut baked = lit(&level);
    baked.set_lamps(LampLight::Baked);
    assert!(baked.update(&level, &World::of(&level)));
    assert!(baked.list(LitBy::Room(RoomId(0))).is_empty());
    let lamps = drawn.lists.of_room(RoomId(0));
    assert_eq!(drawn.list(LitBy::Room(RoomId(0))).len(), 14);
    let mut checked = 0;
    for (node, light) in nodes(&baked, &level, "hall") {
        let point = node.point.as_dvec3() + level.origin;
        let is_inner = (1.0..15.0).contains(&point.x) && (1.0..7.0).contains(&point.z);
        if point.y > 0.01 || !is_inner {
            continue;
        }
        let one = |lamp: &GpuLight| lamp.on_surface(node.point, Vec3::Y, &[]);
        let wanted = lamps.iter().map(one).sum::<Vec3>() * drawn.exposure;
        let off = (light / wanted - 1.0).abs().max_element();
        assert!(off < 0.03, "{light}, not {wanted} at {point}");
        checked += 1;
    }
    assert!(checked > 200, "{checked}");
    // Uniform light from all directions would have the mean radiance of the lamps, seen from the point.
    let point = (DVec3::new(8.0, 1.5, 4.0) - level.origin).as_vec3();
    let in_air = baked.ambient(LitBy::Place(RoomId(0), point));
    assert!(
        in_air.irradiance.x > 0.05 && in_air.gradient.y > 0.5,
        "{in_air:?}"
    );
    baked.set_lamps(LampLight::Drawn);
    baked.update(&level, &World::of(&level));
    assert_eq!(baked.solution.irradiance(), drawn.solution.irradiance());
    assert_eq!(baked.texels.rgb, drawn.texels.rgb);
}

#[test]
fn a_lamp_lights_the_far_end_of_a_hall_by_the_square_of_the_distance() {
    let mut sketch = Sketch::new("hall");
    sketch.source.materials[0] = matt([0.0; 3]);
    sketch.box_room("hall", cuboid([0.0; 3], [31.0, 4.0, 4.0]), &[]);
    sketch.lamp(0, DVec3::new(1.0, 2.0, 2.0), 100.0);
    let level = built(sketch, DVec3::new(8.0, 0.1, 2.0));
    let lighting = lit(&level);
    let lamp = lighting.lists.of_room(RoomId(0))[0];
    let mut before = f32::INFINITY;
    for distance in [1.0, 5.0, 10.0, 15.0, 20.0] {
        let place = (DVec3::new(1.0 + distance, 2.0, 2.0) - level.origin).as_vec3();
        let found = lamp.on_surface(place, Vec3::NEG_X, &[]) * (distance * distance) as f32;
        let full = lamp.colour;
        let off = (found / full - 1.0).abs().max_element();
        assert!(
            off < 0.05 && found.x <= before,
            "{found} of {full} at {distance} m"
        );
        before = found.x;
    }
}

#[test]
fn the_light_of_all_lamps_is_the_sum_of_the_light_of_each() {
    let of = |first: usize, last: usize| {
        let candela = |number| (first..last).contains(&number).then_some(20.0);
        light_of_nodes(&hall(0.6, candela))
    };
    let (all, parts) = (of(0, 15), [of(0, 4), of(4, 9), of(9, 15)]);
    for (node, all) in all.iter().enumerate() {
        let sum: Vec3 = parts.iter().map(|part| part[node]).sum();
        let off = (sum / *all - 1.0).abs().max_element();
        assert!(off < 1e-3, "{sum}, {all}");
    }
}

/// Two rooms with an open door, with a lamp in each; the second also has a shade that glows with its lamp. Both lamps
/// are switched.
fn switched_rooms(starts_lit: [bool; 2]) -> Level {
    let mut sketch = Sketch::new("switches");
    sketch.source.materials[0] = matt([0.7; 3]);
    let door = cuboid([0.0, 0.0, 2.0], [0.0, 2.0, 3.0]);
    sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [0.0, 3.0, 5.0]), &[door]);
    sketch.box_room("b", cuboid([0.0, 0.0, 0.0], [4.0, 3.0, 5.0]), &[door]);
    sketch.portal(0, "b", door, DVec3::X);
    sketch.source.materials.push(Material {
        emissive: [0.8; 3],
        glows_with: "b_lamp".to_owned(),
        ..matt([0.7; 3])
    });
    sketch.furniture(1, 1, cuboid([1.0, 1.0, 1.0], [1.5, 1.5, 1.5]));
    sketch.lamp(0, DVec3::new(-2.0, 2.0, 1.0), 40.0);
    sketch.lamp(1, DVec3::new(2.0, 2.0, 4.0), 20.0);
    for (light, lit) in sketch.source.lights.iter_mut().zip(starts_lit) {
        light.starts_lit = lit;
    }
    switch(&mut sketch, &["a_lamp", "b_lamp"]);
    built(sketch, DVec3::new(-1.0, 0.1, 1.0))
}

#[test]
fn the_light_of_switched_lamps_is_the_sum_of_each_with_its_bounce_and_that_of_none_is_zero() {
    let light = |starts_lit: [bool; 2]| {
        let level = switched_rooms(starts_lit);
        let mut lighting = lit(&level);
        lighting.set_lamps(LampLight::Baked);
        let world = World::of(&level);
        lighting.update(&level, &world);
        assert_eq!(lighting.exposure, lit(&switched_rooms([true; 2])).exposure);
        lighting.solution.irradiance().to_vec()
    };
    let [none, first, second, both] =
        [[false; 2], [true, false], [false, true], [true; 2]].map(light);
    assert!(none.iter().all(|light| *light == Vec3::ZERO));
    let mut brightest = 0.0_f32;
    for ((first, second), both) in first.iter().zip(&second).zip(&both) {
        let sum = *first + *second;
        // Small surfaces beside a lamp reach the limit of their radiosity.
        assert!(
            sum.abs_diff_eq(*both, 0.01 * sum.max_element() + 1e-5),
            "{sum} {both}"
        );
        brightest = brightest.max(both.max_element());
    }
    assert!(brightest > 0.3, "{brightest}");
}

#[test]
fn a_lamp_that_is_switched_on_again_restores_every_bit() {
    let level = switched_rooms([true; 2]);
    let mut world = World::of(&level);
    let mut lighting = lit(&level);
    let lit_before = lighting.solution.irradiance().to_vec();
    let listed = lighting.list(LitBy::Room(RoomId(0))).len();
    world.switch_light(LightId(0));
    assert!(lighting.update(&level, &world));
    assert_eq!(lighting.list(LitBy::Room(RoomId(0))).len(), listed - 1);
    assert_ne!(lighting.solution.irradiance(), lit_before);
    world.switch_light(LightId(0));
    assert!(lighting.update(&level, &world));
    assert_eq!(lighting.solution.irradiance(), lit_before);
    assert_eq!(lighting.list(LitBy::Room(RoomId(0))).len(), listed);
}

#[test]
fn the_reflected_light_of_a_room_flickers_by_the_share_of_its_flickering_lamp() {
    for (others, share) in [(None, 1.0), (Some(20.0), 0.5)] {
        let mut sketch = Sketch::new("fire");
        sketch.source.materials[0] = matt([0.5; 3]);
        sketch.box_room("hall", cuboid([0.0; 3], [6.0, 3.0, 4.0]), &[]);
        sketch.lamp(0, DVec3::new(1.5, 1.5, 2.0), 20.0);
        sketch.source.lights[0].flicker = 0.4;
        if let Some(candela) = others {
            sketch.lamp(0, DVec3::new(4.5, 1.5, 2.0), candela);
        }
        let level = built(sketch, DVec3::new(3.0, 0.1, 2.0));
        let lighting = lit(&level);
        let mut factors = Vec::new();
        let room = LitBy::Room(RoomId(0));
        lighting.write_factors(None, &mut factors);
        assert_eq!(lighting.ambient_factor(room, &factors), Vec3::ONE);
        for tick in 0..100 {
            lighting.write_factors(Some(f64::from(tick) / 60.0), &mut factors);
            let all = &factors[1..];
            assert!(all.len() == 1 && (0.6..=1.4).contains(&all[0]));
            let wanted = 1.0 + share * (factors[1] - 1.0);
            let found = lighting.ambient_factor(room, &factors);
            assert!(
                found.abs_diff_eq(Vec3::splat(wanted), 0.02),
                "{found} {wanted}"
            );
        }
    }
}

#[test]
fn nodes_in_a_penumbra_see_a_part_of_the_lamp() {
    /// The edge of the shadow of a point: not at the border of two cells, where the light has samples.
    const EDGE: f64 = 0.02;
    let of = |radius: f32, has_board: bool| {
        let mut sketch = Sketch::new("hall");
        sketch.source.materials[0] = matt([0.0; 3]);
        sketch.box_room("hall", cuboid([-4.0, 0.0, -4.0], [4.0, 4.0, 4.0]), &[]);
        if has_board {
            let board = cuboid([EDGE, 1.5, -3.0], [3.0, 1.51, 3.0]);
            sketch.furniture(0, 0, board);
        }
        sketch.lamp(0, DVec3::new(EDGE, 3.0, 0.0), 50.0);
        sketch.source.lights[0].radius = radius;
        let level = built(sketch, DVec3::new(-2.0, 0.1, 0.0));
        let mut lighting = lit(&level);
        lighting.set_lamps(LampLight::Baked);
        lighting.update(&level, &World::of(&level));
        let light = nodes(&lighting, &level, "hall").map(|(node, light)| {
            let point = node.point.as_dvec3() + level.origin;
            (point, light.x / lighting.exposure)
        });
        let is_below = |point: &DVec3| point.y < 0.01 && point.z.abs() < 1.0 && point.x.abs() < 2.0;
        light
            .filter(|(point, _)| is_below(point))
            .collect::<Vec<_>>()
    };
    let whole = of(0.8, false);
    for radius in [0.0, 0.4, 0.8] {
        let shaded = of(radius, true);
        assert!(shaded.len() > 20 && shaded.len() == whole.len());
        for ((point, light), (_, whole)) in shaded.iter().zip(&whole) {
            // The penumbra is as wide as the lamp, and a node is the mean of its cell of half a metre.
            let at = |x: f64| {
                let edge = ((EDGE - x) / f64::from(radius)).clamp(-1.0, 1.0);
                let area = edge * (1.0 - edge * edge).sqrt() + libm::asin(edge);
                0.5 + area / std::f64::consts::PI
            };
            let in_cell = |x: f64| {
                let places = (0..32).map(|i| x + (f64::from(i) + 0.5) / 64.0 - 0.25);
                places.map(at).sum::<f64>() / 32.0
            };
            // Neighbouring nodes are blended.
            let [before, own, after] = [-0.5, 0.0, 0.5].map(|off| in_cell(point.x + off));
            let wanted = 0.25 * before + 0.5 * own + 0.25 * after;
            let part = f64::from(light / whole);
            assert!(
                (part - wanted).abs() < 0.12,
                "{part}, not {wanted} at {point}, radius {radius}"
            );
        }
    }
}
