//! Tests of lighting against oracles: straight rays traced through portals, and lighting computed from scratch.

mod following;
mod openings;
mod surfaces;

use glam::{DVec3, DVec4, Vec4};

use super::irradiance::MIN_CHANGE;
use super::lightmap::flat;
use super::shadow::INNER;
use super::*;
use crate::author::grid_glb;
use crate::author::sketch::{Sketch, cuboid};
use crate::build::build;
use crate::geometry::Aabb;
use crate::gltf::read_source_bytes;
use crate::level::{At, AuthorPoint, LightKind, LinkId};
use crate::source::{LevelSource, LightSource};

/// Pseudorandom numbers in a range.
fn scattered(seed: u64) -> impl FnMut(f64, f64) -> f64 {
    let mut state = seed;
    move |low, high| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((state >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// Toggles a link: closes an open one and opens a closed one.
fn toggle(world: &mut World, link: LinkId) {
    if world.is_open(link) {
        world.close(link);
    } else {
        world.open(link);
    }
}

/// Furnished rooms with lamps of both kinds.
fn rooms() -> Level {
    build(rooms_source()).expect("the grid is good").0
}

fn rooms_source() -> LevelSource {
    let grid = grid_glb(4, 3);
    let (mut source, _) = read_source_bytes("grid", &grid).expect("the grid is good");
    for i in 0..source.rooms.len() {
        let meshes = source.meshes.iter().filter(|mesh| mesh.room == i);
        let bounds = Aabb::around(meshes.flat_map(|mesh| &mesh.positions).copied());
        let position = bounds.centre() + DVec3::new(0.7, 0.4, -0.3 * i as f64 % 1.0);
        let outer = 0.3 + 0.1 * i as f32;
        source.lights.push(LightSource {
            node: format!("extra {i}"),
            room: Some(i),
            position: AuthorPoint(position),
            direction: DVec3::new(1.0, -0.1, 0.3 * i as f64 - 1.0).normalize_or_zero(),
            colour: [1.0; 3],
            intensity: 300.0,
            range: Some(20.0),
            radius: 0.0,
            kind: if i % 2 == 0 {
                LightKind::Point
            } else {
                LightKind::Spot { inner: 0.1, outer }
            },
            starts_lit: true,
            flicker: 0.0,
        });
    }
    source
}

/// A surface's lights independent of their position in the buffers: each with its clip planes and its map.
fn list_of(lists: &LightLists, range: Range<u32>) -> Vec<(GpuLight, Vec<[f32; 4]>, Shadow)> {
    let list = range.map(|at| {
        let light = lists.lights[at as usize];
        let first = light.first_clip_plane as usize;
        let mut end = first;
        for _ in 0..light.opening_count {
            end += 1 + lists.clip_planes[end][0] as usize;
        }
        let map = &lists.shadows[lists.shadow_of[at as usize] as usize];
        assert_eq!(light.first_view, map.first_view());
        let light = GpuLight {
            first_clip_plane: 0,
            first_view: 0,
            ..light
        };
        (
            light,
            lists.clip_planes[first..end].to_vec(),
            (*map.shadow).clone(),
        )
    });
    list.collect()
}

/// Compares updated lighting with each of its steps computed from scratch.
fn assert_as_from_scratch(level: &Level, world: &World, followed: &Lighting) {
    let reaches = Reaches::new(level, world);
    let mut lists = LightLists::new(level, &reaches);
    let parts = || (0..level.mover_parts.len() as u32).map(MoverPartId);
    for part in parts() {
        lists.write_part(level, world, &reaches, part);
    }
    let rooms = level.room_ids().map(LitBy::Room);
    for lit_by in rooms.chain(parts().map(LitBy::MoverPart)) {
        let wanted = list_of(&lists, lists.range(lit_by, world));
        let found = list_of(&followed.lists, followed.list(lit_by));
        assert!(found == wanted, "{lit_by:?}");
    }
    let views: Vec<Range<u32>> = followed
        .lists
        .shadows
        .iter()
        .map(|map| map.first_view()..map.first_view() + map.shadow.view_count())
        .collect();
    assert!(
        views
            .iter()
            .all(|views| views.end <= followed.lists.view_count)
    );
    let reflectances = reflectance::reflectances(level);
    let patches: Vec<RoomPatch> = level
        .room_ids()
        .map(|room| {
            let lights = lists.all_of_room(level, &reaches, room);
            patch::patch(level, &lights, room, &reflectances)
        })
        .collect();
    assert_eq!(followed.patches, patches);
    let all = RoomSet::all(level.rooms.len());
    let mut radiosity = Radiosity::new(level, level.sky.mean());
    radiosity.update(world, (&patches, followed.exposure), &all, &mut all.clone());
    assert_eq!(followed.radiosity.ambient(), radiosity.ambient());
    for (is, solved) in followed.ambient.iter().zip(radiosity.ambient()) {
        assert_eq!(*is, *solved + followed.min_ambient);
    }
}

/// The maximum difference of texels, relative to their brightness.
fn worst_texel(followed: &Lighting, again: &Lighting) -> f32 {
    let texels = followed.texels.rgb.iter().zip(&again.texels.rgb);
    let (mut worst, mut lit) = (0.0f32, 0);
    for (&a, &b) in texels {
        let (a, b) = (rgb9e5::unpack(a), rgb9e5::unpack(b));
        worst = worst.max((a - b).abs().max_element() / b.max_element().max(0.1));
        lit += usize::from(b.max_element() > 0.5);
    }
    assert!(lit > 1000, "{lit}");
    worst
}

/// Whether the straight path from the light to the point passes only open portals; `None` if it passes a portal within
/// `margin` metres of its edge.
fn straight_way(
    level: &Level,
    world: &World,
    At {
        room: from,
        point: light,
    }: At,
    At { room: to, point }: At,
    margin: f64,
) -> Option<bool> {
    let mut room = from;
    let mut passed = 0.0;
    for _ in 0..8 {
        if room == to {
            return Some(true);
        }
        let crossing = level.portals_of(room).find_map(|(_, portal)| {
            let plane = portal.polygon.plane;
            let (before, behind) = (plane.distance(light), plane.distance(point));
            let at = before / (before - behind);
            let crosses = before < 0.0 && behind > 0.0 && at > passed;
            let place = light.lerp(point, at);
            let inside =
                portal.polygon.distance(place) <= 0.0 || portal.polygon.covers(place, margin);
            (crosses && inside).then_some((portal, at, place))
        });
        let Some((portal, at, place)) = crossing else {
            return Some(false);
        };
        if !portal.polygon.covers(place, -margin) {
            return None;
        }
        if !world.is_open(portal.link) {
            return Some(false);
        }
        (room, passed) = (portal.far, at);
    }
    None
}

#[test]
fn points_that_a_straight_ray_reaches_through_open_portals_are_lit_and_no_others() {
    let level = rooms();
    let mut world = World::of(&level);
    let mut next = scattered(5);
    for link in 0..level.links.len() as u32 {
        if next(0.0, 1.0) >= 0.8 {
            world.close(LinkId(link));
        }
    }
    let lighting = Lighting::new(&level, &world, flat(&level));
    let (mut lit, mut unlit) = (0, 0);
    for _ in 0..20_000 {
        let to = RoomId(next(0.0, level.rooms.len() as f64) as u32);
        let bounds = level.room(to).bounds.grown(-0.2);
        let part = DVec3::new(next(0.0, 1.0), next(0.0, 1.0), next(0.0, 1.0));
        let point = bounds.min + (bounds.max - bounds.min) * part;
        let light = &level.lights[next(0.0, level.lights.len() as f64) as usize];
        let Some(from) = light.at else { continue };
        let reach = light.range.unwrap_or(1.0);
        if from.point.distance(point) > f64::from(reach) * 0.9 || light.range.is_none() {
            continue;
        }
        let towards = (point - from.point).normalize_or_zero();
        if let LightKind::Spot { outer, .. } = light.kind
            && towards.dot(light.direction) < f64::from(outer).cos() + 0.01
        {
            continue;
        }
        let way = straight_way(&level, &world, from, At::new(to, point), 0.02);
        let Some(way) = way else { continue };
        let placed = lighting.lists.of_room(to).iter().filter(|placed| {
            placed.position.as_dvec3().distance(from.point) < 1e-3
                && placed.direction.as_dvec3().distance(light.direction) < 1e-3
        });
        let inside =
            |placed: &&GpuLight| placed.passes(point.as_vec3(), &lighting.lists.clip_planes);
        let found = placed.filter(inside).count();
        assert_eq!(found, usize::from(way), "{} at {point}", light.name);
        lit += usize::from(way && from.room != to);
        unlit += usize::from(!way);
    }
    assert!(lit > 300 && unlit > 300, "{lit} and {unlit}");
}

#[test]
fn updated_lighting_after_a_door_moves_equals_lighting_from_scratch() {
    let level = rooms();
    let mut next = scattered(11);
    let mut world = World::of(&level);
    let mut followed = Lighting::new(&level, &world, flat(&level));
    for _ in 0..12 {
        for _ in 0..2 {
            let link = LinkId(next(0.0, level.links.len() as f64) as u32);
            toggle(&mut world, link);
        }
        followed.update(&level, &world);
        assert!(followed.lists.view_count <= followed.max_views);
        assert_as_from_scratch(&level, &world, &followed);
        let again = Lighting::new(&level, &world, flat(&level));
        assert_eq!(followed.ambient, again.ambient);
    }
    assert!(!followed.update(&level, &world), "nothing moved");
}

#[test]
fn texels_that_follow_doors_stay_near_those_from_scratch() {
    let level = rooms();
    let lightmap = lightmap::bake(&level, lightmap::LightmapQuality::COARSE, &|_| {});
    let mut next = scattered(21);
    let mut world = World::of(&level);
    let mut followed = Lighting::new(&level, &world, lightmap.clone());
    for _ in 0..40 {
        let link = LinkId(next(0.0, level.links.len() as f64) as u32);
        toggle(&mut world, link);
        followed.update(&level, &world);
    }
    let again = Lighting::new(&level, &world, lightmap);
    // The room's and its neighbour's light may each differ by less than the threshold, and packing rounds both results.
    let worst = worst_texel(&followed, &again);
    assert!(worst < 4.0 * MIN_CHANGE, "{worst}");
}

/// The shader's look-up of a point: view, position in it (-1..1) and depth, as in room.wgsl.
fn looked_up(placed: &GpuLight, point: DVec3) -> (u32, DVec3) {
    let p = point.extend(1.0);
    let q: [f64; 3] = placed
        .map_from_room
        .map(|row: Vec4| DVec4::dot(row.as_dvec4(), p));
    let q = DVec3::from_array(q);
    match placed.projection {
        0 => {
            let a = q.abs();
            let (view, q) = if a.x >= a.y && a.x >= a.z {
                (u32::from(q.x <= 0.0), DVec3::new(q.y, q.z, a.x))
            } else if a.y >= a.z {
                (2 + u32::from(q.y <= 0.0), DVec3::new(q.z, q.x, a.y))
            } else {
                (4 + u32::from(q.z <= 0.0), DVec3::new(q.x, q.y, a.z))
            };
            (view, DVec3::new(q.x / q.z, q.y / q.z, 0.02 / q.z))
        }
        1 => (0, DVec3::new(q.x / q.z, q.y / q.z, 0.02 / q.z)),
        code => {
            let tiles = f64::from(code - 1);
            let at = |x: f64| (x * 0.5 + 0.5) * tiles;
            let tile = [q.x, q.y].map(|x| at(x).floor().clamp(0.0, tiles - 1.0));
            let local = [at(q.x) - tile[0], at(q.y) - tile[1]].map(|x| x * 2.0 - 1.0);
            let view = (tile[1] * tiles + tile[0]) as u32;
            (view, DVec3::new(local[0], local[1], q.z))
        }
    }
}

#[test]
fn a_point_is_looked_up_in_a_shadow_map_where_it_is_drawn() {
    let mut sketch = Sketch::new("shadows");
    let room = sketch.box_room("room", cuboid([-9.0, 0.0, -4.0], [9.0, 3.0, 8.0]), &[]);
    sketch.lamp(room, DVec3::new(1.0, 2.0, 3.0), 10.0);
    sketch.spawn(room, DVec3::new(0.0, 0.0, 1.0), DVec3::X);
    for (kind, direction) in [
        (
            LightKind::Spot {
                inner: 0.1,
                outer: 0.7,
            },
            DVec3::new(0.2, -0.9, 0.4),
        ),
        (LightKind::Directional, DVec3::new(0.5, -0.7, 0.1)),
        (
            LightKind::Spot {
                inner: 0.1,
                outer: 1.5,
            },
            DVec3::new(0.2, 0.9, 0.4),
        ),
    ] {
        let mut light = sketch.source.lights[0].clone();
        (light.kind, light.direction) = (kind, direction.normalize_or_zero());
        sketch.source.lights.push(light);
    }
    let (level, _) = build(sketch.source).expect("the sketch is good");
    let lighting = Lighting::new(&level, &World::of(&level), flat(&level));
    let mut next = scattered(3);
    assert_eq!(lighting.lists.of_room(RoomId(0)).len(), 4);
    for (at, placed) in lighting.lists.of_room(RoomId(0)).iter().enumerate() {
        let shadow = &lighting.lists.shadows[lighting.lists.shadow_of[at] as usize].shadow;
        for _ in 0..500 {
            let point = DVec3::new(next(-9.0, 9.0), next(0.0, 3.0), next(-4.0, 8.0));
            let away = point - placed.position.as_dvec3();
            let cone = matches!(shadow.projection, ShadowProjection::Cone { .. });
            let ahead = away.normalize_or_zero().dot(placed.direction.as_dvec3());
            if cone && ahead < 0.78 || away.length() < 0.1 {
                continue;
            }
            let (view, looked_up) = looked_up(placed, point);
            let clip =
                clip_from_room(shadow, &shadow.casters[0].light_room_from_room, view).as_dmat4();
            let drawn = clip * point.extend(1.0);
            let drawn = drawn.truncate() / drawn.w;
            let wanted = DVec3::new(looked_up.x * INNER, looked_up.y * INNER, looked_up.z);
            assert!(
                (drawn - wanted).length() < 1e-4,
                "{drawn} for {wanted}, {:?}",
                shadow.projection
            );
            assert!(looked_up.truncate().abs().max_element() <= 1.001);
            assert!((0.0..=1.0).contains(&looked_up.z));
        }
    }
}
