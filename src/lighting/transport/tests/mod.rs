//! Reflected light of small levels, compared with analytic solutions and with other ways to cut the same space.

use glam::{DVec3, Vec3};

mod following;
mod lamps;
mod probes;

use super::file;
use super::paths::{Node, RAYS};
use super::*;
use crate::author::sketch::{Sketch, cuboid};
use crate::build::build;
use crate::geometry::Aabb;
use crate::level::Level;
use crate::level::{LightId, LinkId, Material, RoomId};
use crate::lighting::lightmap::{LightmapQuality, bake};
use crate::lighting::{Lighting, LitBy, rgb9e5};
use crate::rng::Rng;
use crate::source::{TriggerKindSource, TriggerSource};
use crate::world::World;

fn built(mut sketch: Sketch, spawn: DVec3) -> Level {
    sketch.spawn(0, spawn, DVec3::X);
    match build(sketch.source) {
        Ok((level, _)) => level,
        Err(problems) => panic!("{problems}"),
    }
}

fn lit(level: &Level) -> Lighting {
    lit_in(level, &World::of(level))
}

fn lit_in(level: &Level, world: &World) -> Lighting {
    let quality = LightmapQuality {
        texels_per_metre: 10.0,
        ..LightmapQuality::COARSE
    };
    Lighting::new(level, world, bake(level, quality, &|_| {}))
}

fn matt(colour: [f32; 3]) -> Material {
    let [r, g, b] = colour;
    Material {
        base_colour: [r, g, b, 1.0],
        specular: 0.0,
        ..Material::default()
    }
}

/// The nodes of a room with the light on them.
fn nodes<'a>(
    lighting: &'a Lighting,
    level: &Level,
    room: &str,
) -> impl Iterator<Item = (&'a Node, Vec3)> {
    let room = level.room_ids().find(|&id| level.room(id).name == room);
    let nodes = lighting.transport.nodes_of[room.expect("the room exists").0 as usize].clone();
    let nodes = nodes.start as usize..nodes.end as usize;
    let light = lighting.solution.irradiance()[nodes.clone()].iter();
    let light = light.map(|light| *light - lighting.min_ambient);
    lighting.transport.nodes[nodes].iter().zip(light)
}

/// The light on the texels of a room in a box.
fn texels_in(lighting: &Lighting, level: &Level, room: &str, region: Aabb) -> Vec<Vec3> {
    let room = level.room_ids().find(|&id| level.room(id).name == room);
    let map = &lighting.lightmap;
    let charts = map.charts_of[room.expect("the room exists").0 as usize].clone();
    let mut found = Vec::new();
    for number in charts {
        let chart = &map.charts[number as usize];
        let inner = |axis: usize| 1..chart.size[axis].saturating_sub(1);
        for (row, column) in inner(1).flat_map(|row| inner(0).map(move |column| (row, column))) {
            let at = chart.origin + chart.along_u * column as f32 + chart.along_v * row as f32;
            if !region.contains(at.as_dvec3() + level.origin) {
                continue;
            }
            let page_row = chart.page * map.page_side + chart.at[1] + row;
            let texel = page_row * map.page_side + chart.at[0] + column;
            let in_sight = lighting.transport.in_sight[texel as usize];
            let passes = |chain| lighting.solution.passes(chain);
            let weights =
                lighting
                    .transport
                    .weights_across(number as usize, [column, row], in_sight, passes);
            let nodes = lighting.solution.irradiance();
            let light = weights.map(|(node, weight)| nodes[node as usize] * weight);
            found.push(light.into_iter().sum::<Vec3>() - lighting.min_ambient);
        }
    }
    found
}

/// The mean light on the texels of a room in a box.
fn mean_in(lighting: &Lighting, level: &Level, room: &str, region: Aabb) -> Vec3 {
    let texels = texels_in(lighting, level, room, region);
    assert!(texels.len() > 50, "{} texels in {region:?}", texels.len());
    texels.iter().sum::<Vec3>() / texels.len() as f32
}

#[test]
fn a_closed_glowing_room_has_the_analytic_radiance() {
    for albedo in [0.0, 0.5, 0.8] {
        let mut sketch = Sketch::new("furnace");
        sketch.source.materials[0] = Material {
            emissive: [0.1, 0.2, 0.4],
            ..matt([albedo; 3])
        };
        sketch.box_room("room", cuboid([0.0; 3], [5.0, 3.0, 4.0]), &[]);
        sketch.furniture(0, 0, cuboid([1.0, 0.0, 1.0], [2.0, 1.0, 2.0]));
        let level = built(sketch, DVec3::splat(0.5));
        let lighting = lit(&level);
        let wanted = Vec3::new(0.1, 0.2, 0.4) / (1.0 - albedo);
        for (_, light) in nodes(&lighting, &level, "room") {
            let off = (light / wanted - 1.0).abs().max_element();
            assert!(off < 0.01, "{light}, not {wanted} at albedo {albedo}");
        }
    }
}

/// The configuration factor from a small surface to a rectangle of `a` by `b` in a parallel plane at distance `c`, with
/// a corner above the surface (J. Howell, A Catalog of Radiation Configuration Factors, C-11).
fn parallel_factor(a: f32, b: f32, c: f32) -> f32 {
    let (x, y) = (a / c, b / c);
    let (p, q) = ((1.0 + x * x).sqrt(), (1.0 + y * y).sqrt());
    (x / p * (y / p).atan() + y / q * (x / q).atan()) / std::f32::consts::TAU
}

#[test]
fn light_of_a_panel_through_a_slit_between_two_rooms_has_the_analytic_form_factor() {
    // The panel fills a wall of the first room, and the slit is large, so that both subtend many rays.
    let mut sketch = Sketch::new("slit");
    sketch.source.materials[0] = matt([0.0; 3]);
    let glow = sketch.material(Material {
        emissive: [1.0; 3],
        ..matt([0.0; 3])
    });
    let slit = cuboid([0.0, 1.0, 2.0], [0.0, 3.0, 4.0]);
    sketch.box_room("a", cuboid([-3.0, 0.0, 0.0], [0.0, 4.0, 6.0]), &[slit]);
    sketch.box_room("b", cuboid([0.0, 0.0, 0.0], [3.0, 4.0, 6.0]), &[slit]);
    sketch.portal(0, "b", slit, DVec3::X);
    sketch.furniture(0, glow, cuboid([-2.95, 0.01, 0.01], [-2.9, 3.99, 5.99]));
    let level = built(sketch, DVec3::new(-1.0, 0.1, 1.0));
    let lighting = lit(&level);
    let mut checked = 0;
    for (node, light) in nodes(&lighting, &level, "b") {
        let point = node.point.as_dvec3() + level.origin;
        if point.x < 2.99 || !(1.0..3.0).contains(&point.y) || !(2.0..4.0).contains(&point.z) {
            continue;
        }
        // Everything that is visible through the slit is the panel.
        let [y, z] = [point.y - 1.0, point.z - 2.0].map(|at| at as f32);
        let factor: f32 = [(y, z), (2.0 - y, z), (y, 2.0 - z), (2.0 - y, 2.0 - z)]
            .iter()
            .map(|&(a, b)| parallel_factor(a, b, 3.0))
            .sum();
        assert!(
            (light.x - factor).abs() < 1.6 / RAYS as f32,
            "{light}, {factor}"
        );
        checked += 1;
    }
    assert!(checked >= 9, "{checked}");
}

/// A corridor of 16 m along x with a lamp at one end and a red wall, cut into rooms of equal length.
fn corridor(rooms: usize) -> Level {
    let mut sketch = Sketch::new("corridor");
    sketch.source.materials[0] = matt([0.6; 3]);
    let red = sketch.material(matt([0.7, 0.1, 0.1]));
    let length = 16.0 / rooms as f64;
    let cut = |x: f64| cuboid([x, 0.0, 0.0], [x, 3.0, 3.0]);
    for i in 0..rooms {
        let (from, to) = (i as f64 * length, (i + 1) as f64 * length);
        let mut openings = Vec::new();
        openings.extend((i > 0).then(|| cut(from)));
        openings.extend((i + 1 < rooms).then(|| cut(to)));
        sketch.box_room(
            &format!("r{i}"),
            cuboid([from, 0.0, 0.0], [to, 3.0, 3.0]),
            &openings,
        );
    }
    for i in 1..rooms {
        sketch.portal(i - 1, &format!("r{i}"), cut(i as f64 * length), DVec3::X);
    }
    for i in 0..rooms {
        let (from, to) = (i as f64 * length, (i + 1) as f64 * length);
        let (from, to) = (from.max(0.5), to.min(3.5));
        if from < to {
            sketch.furniture(i, red, cuboid([from, 0.0, 2.8], [to, 2.9, 2.95]));
        }
    }
    let lamp = DVec3::new(2.2, 2.5, 1.5);
    sketch.lamp((lamp.x / length) as usize, lamp, 50.0);
    built(sketch, DVec3::new(0.5, 0.1, 1.0))
}

#[test]
fn a_corridor_has_the_same_light_however_it_is_cut_into_rooms() {
    const CUTS: [usize; 4] = [1, 2, 4, 16];
    let levels = CUTS.map(corridor);
    let lit = levels.each_ref().map(lit);
    for other in &lit[1..] {
        let off = other.exposure / lit[0].exposure - 1.0;
        assert!(
            off.abs() < 0.03,
            "exposures {} and {}",
            other.exposure,
            lit[0].exposure
        );
    }
    let mean = |which: usize, x: f64| {
        let rooms = CUTS[which];
        let room = format!("r{}", (x / (16.0 / rooms as f64)) as usize);
        let region = cuboid([x - 0.4, -0.1, -0.1], [x + 0.4, 3.1, 3.1]);
        mean_in(&lit[which], &levels[which], &room, region) / lit[which].exposure
    };
    let places: [f64; 16] = std::array::from_fn(|i| i as f64 + 0.5);
    let found = places.map(|x| [0, 1, 2, 3].map(|which| mean(which, x)));
    for means in found {
        for other in &means[1..] {
            let off = (*other / means[0] - 1.0).abs().max_element();
            assert!(off < 0.02, "{found:#?}");
        }
    }
    let is_darker = |pair: &[[Vec3; 4]]| pair[1][0].x < pair[0][0].x;
    assert!(found[3..].windows(2).all(is_darker), "{found:?}");
    // The far end is dark, and the light beside the red wall is red.
    assert!(mean(0, 15.5).x < 0.05 * mean(0, 3.5).x);
    let near = mean(0, 3.5);
    assert!(near.x > 1.05 * near.y, "{near}");
}

#[test]
fn vertices_colour_the_light_that_their_surface_reflects() {
    let mut sketch = Sketch::new("red");
    sketch.source.materials[0] = matt([0.7; 3]);
    sketch.box_room("room", cuboid([0.0; 3], [4.0, 3.0, 4.0]), &[]);
    sketch.lamp(0, DVec3::new(2.0, 2.5, 2.0), 20.0);
    for mesh in &mut sketch.source.meshes {
        mesh.colours = vec![[1.0, 0.1, 0.1, 1.0]; mesh.positions.len()];
    }
    let level = built(sketch, DVec3::new(1.0, 0.1, 1.0));
    let lighting = lit(&level);
    for (node, light) in nodes(&lighting, &level, "room") {
        assert!(
            light.x > 5.0 * light.y && light.y == light.z,
            "{light} at {}",
            node.point
        );
    }
}

#[test]
fn only_a_level_without_any_light_has_a_minimum_of_ambient_irradiance() {
    let level = |emissive: f32, lamp: Option<f32>| {
        let mut sketch = Sketch::new("dark");
        sketch.source.materials[0] = Material {
            emissive: [emissive; 3],
            ..matt([0.5; 3])
        };
        let door = cuboid([4.0, 0.0, 1.0], [4.0, 2.0, 2.0]);
        sketch.box_room("a", cuboid([0.0; 3], [4.0, 3.0, 4.0]), &[door]);
        sketch.box_room("b", cuboid([4.0, 0.0, 0.0], [8.0, 3.0, 4.0]), &[door]);
        sketch.portal(0, "b", door, DVec3::X);
        if let Some(candela) = lamp {
            sketch.lamp(1, DVec3::new(6.0, 2.5, 2.0), candela);
        }
        built(sketch, DVec3::new(1.0, 0.1, 1.0))
    };
    for (emissive, lamp, minimum) in [
        (0.0, None, 0.6),
        (0.0, Some(0.0), 0.6),
        (0.0, Some(5.0), 0.0),
        (0.3, None, 0.0),
    ] {
        let lighting = lit(&level(emissive, lamp));
        assert_eq!(lighting.min_ambient, minimum, "{emissive} {lamp:?}");
    }
}

/// Two rooms with a door between them. Only the first has a lamp.
fn two_rooms(candela: f32) -> Level {
    let mut sketch = Sketch::new("door");
    sketch.source.materials[0] = matt([0.7; 3]);
    let door = cuboid([0.0, 0.0, 2.0], [0.0, 2.0, 3.0]);
    sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [0.0, 3.0, 5.0]), &[door]);
    sketch.box_room("b", cuboid([0.0, 0.0, 0.0], [4.0, 3.0, 5.0]), &[door]);
    sketch.portal(0, "b", door, DVec3::X);
    sketch.lamp(0, DVec3::new(-2.0, 2.0, 1.0), candela);
    sketch.source.exposure_stops = 0.0;
    built(sketch, DVec3::new(-1.0, 0.1, 1.0))
}

#[test]
fn no_reflected_light_passes_a_shut_link_and_opening_it_again_restores_every_bit() {
    let level = two_rooms(40.0);
    let mut world = World::all_open(&level);
    let mut lighting = lit_in(&level, &world);
    let open = lighting.solution.irradiance().to_vec();
    assert!(nodes(&lighting, &level, "b").all(|(_, light)| light.x > 0.0));
    world.close(LinkId(0));
    assert!(lighting.update(&level, &world));
    let shut = lighting.solution.irradiance().to_vec();
    assert!(nodes(&lighting, &level, "b").all(|(_, light)| light == Vec3::ZERO));
    assert_eq!(lit_in(&level, &world).solution.irradiance(), shut);
    world.open(LinkId(0));
    assert!(lighting.update(&level, &world));
    assert_eq!(lighting.solution.irradiance(), open);
    // A brighter lamp behind the shut link changes no texel.
    world.close(LinkId(0));
    lighting.update(&level, &world);
    let brighter = two_rooms(400.0);
    let other = lit_in(&brighter, &world);
    let charts = lighting.lightmap.charts_of[1].clone();
    for chart in charts {
        let chart = &lighting.lightmap.charts[chart as usize];
        let texel = chart.at[1] * lighting.lightmap.page_side + chart.at[0];
        let texels = [&lighting, &other].map(|l| l.texels.rgb[texel as usize]);
        assert_eq!(texels[0], texels[1]);
        assert_eq!(rgb9e5::unpack(texels[0]), Vec3::ZERO);
    }
}

#[test]
fn a_lamp_lights_no_node_in_the_shadow_of_an_object() {
    let mut sketch = Sketch::new("shadow");
    sketch.source.materials[0] = matt([0.5; 3]);
    sketch.box_room("room", cuboid([0.0; 3], [6.0, 4.0, 6.0]), &[]);
    sketch.furniture(0, 0, cuboid([2.0, 1.0, 2.0], [4.0, 1.1, 4.0]));
    sketch.lamp(0, DVec3::new(3.0, 3.0, 3.0), 40.0);
    let level = built(sketch, DVec3::splat(0.5));
    let lighting = lit(&level);
    let (mut dark, mut bright) = (0, 0);
    for (node, _) in nodes(&lighting, &level, "room") {
        let point = node.point.as_dvec3() + level.origin;
        if point.y > 0.1 {
            continue;
        }
        // The shadow of the plate on the floor is larger than the plate by half.
        let off = (point - DVec3::new(3.0, 0.0, 3.0)).abs();
        let beside = off.x.max(off.z);
        let is_lit = !lighting.transport.direct_of(node).is_empty();
        if beside < 1.4 {
            assert!(!is_lit, "{point}");
            dark += 1;
        } else if beside > 1.65 {
            assert!(is_lit, "{point}");
            bright += 1;
        }
    }
    assert!(dark > 20 && bright > 50, "{dark}, {bright}");
}

/// Adds a relay with these targets.
fn switch(sketch: &mut Sketch, targets: &[&str]) {
    sketch.source.triggers.push(TriggerSource {
        node: "relay-trigger".to_owned(),
        room: 0,
        kind: TriggerKindSource::Relay,
        targets: targets.iter().map(|&name| name.to_owned()).collect(),
        delay_ticks: 0,
        wait_ticks: 0,
        once: false,
        message: String::new(),
    });
}

/// A lighting with this transport instead of its own.
fn with_transport(lighting: &Lighting, level: &Level, transport: Transport) -> Lighting {
    let mut other = lighting.clone();
    other.transport = transport.into();
    other.solution = Solution::default();
    other.update_reflection(level);
    other
}

#[test]
fn stored_transport_gives_the_same_light_and_damaged_transport_does_no_harm() {
    let level = two_rooms(40.0);
    let lighting = lit(&level);
    let map = &lighting.lightmap;
    let good = file::encode(&lighting.transport);
    let decoded = file::decode(&level, map, &good).expect("it was encoded");
    let stored = with_transport(&lighting, &level, decoded);
    assert_eq!(stored.solution.irradiance(), lighting.solution.irradiance());
    assert_eq!(stored.probes, lighting.probes);
    let mut rng = Rng::new(97);
    let mut accepted = 0;
    for round in 0..300 {
        let mut bytes = good.clone();
        if round % 3 == 0 {
            bytes.truncate(rng.below(bytes.len()));
        }
        for _ in 0..=rng.below(4) {
            let at = rng.below(bytes.len().max(1));
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.below(256) as u8;
            }
        }
        if let Some(transport) = file::decode(&level, map, &bytes) {
            let other = with_transport(&lighting, &level, transport);
            let room = RoomId(rng.below(2) as u32);
            other.ambient(LitBy::Place(room, Vec3::new(1.0, 1.0, 2.5)));
            accepted += 1;
        }
    }
    assert!(accepted > 0, "no damage reached the contents");
}

/// A room with a lamp in one half and a wall of 10 cm that divides it, so that no light reaches the other half.
fn divided_room() -> Level {
    let mut sketch = Sketch::new("partition");
    sketch.source.materials[0] = matt([0.5; 3]);
    sketch.box_room("room", cuboid([0.0; 3], [8.0, 3.0, 4.0]), &[]);
    sketch.furniture(0, 0, cuboid([4.1, -0.01, -0.01], [4.2, 3.01, 4.01]));
    sketch.lamp(0, DVec3::new(2.0, 2.0, 2.0), 40.0);
    built(sketch, DVec3::splat(0.5))
}

#[test]
fn a_texel_takes_no_light_from_behind_a_wall_that_stands_in_its_room() {
    let level = divided_room();
    let lighting = lit(&level);
    let [lit, dark] = [[3.5, 4.09], [4.21, 4.8]].map(|[from, to]| {
        let region = cuboid([from, -0.1, 0.3], [to, 2.9, 3.7]);
        texels_in(&lighting, &level, "room", region)
    });
    assert!(lit.iter().all(|light| light.x > 0.01));
    // The sweeps begin with the mean of the room, which fades.
    assert!(dark.iter().all(|light| light.x < 1e-4), "{dark:?}");
}
