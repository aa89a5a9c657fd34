//! Direct light of lamps and suns on nodes, with shadows of everything that does not move.

use glam::Vec3;

use super::scene::{RayMemory, RayScene, RayStart};
use super::trace::NodePlace;
use crate::geometry::Rigid;
use crate::level::{Level, LightKind, LinkId, Material, RoomId};
use crate::lighting::gpu_light::GpuLight;
use crate::lighting::reach::Reaches;

/// The maximum number of surfaces that a ray to a light passes.
const MAX_PASSED: usize = 64;

/// Light through a sequence of links; see [`super::paths::DirectLight`].
type LightThrough = (Vec<(LinkId, RoomId)>, Vec3);

/// Returns the direct light on a node. `reaches` are those of the level with all links open.
pub(super) fn direct(
    level: &Level,
    scene: &RayScene,
    reaches: &Reaches,
    place: &NodePlace,
) -> Vec<LightThrough> {
    let mut found: Vec<LightThrough> = Vec::new();
    let mut memory = RayMemory::default();
    let mut before: Option<(u32, &Rigid)> = None;
    let weight = 1.0 / place.samples.len().max(1) as f32;
    for &(light, index) in &reaches.into_rooms[place.room.0 as usize] {
        let reach = &reaches.of_lights[light as usize];
        let home_from_room = &reach.lit_rooms[index as usize].home_from_room;
        // A light that enters by several paths is listed several times in a row.
        if before.replace((light, home_from_room)) == Some((light, home_from_room)) {
            continue;
        }
        let source = &level.lights[light as usize];
        let here = GpuLight::new(source, &home_from_room.inverse(), reach.range);
        for &point in &place.samples {
            let arrives = here.on_surface(point, place.normal, &[]) * weight;
            if arrives == Vec3::ZERO {
                continue;
            }
            let is_lit = if source.kind == LightKind::Directional {
                let ray = place.ray(point, -here.direction, f32::INFINITY);
                let home = source.at.map(|at| at.room);
                sees_sun(level, scene, ray, home, &mut memory)
            } else {
                let to_light = here.position - point;
                let distance = to_light.length();
                let ray = place.ray(point, to_light / distance, distance);
                sees_lamp(level, scene, ray, &mut memory)
            };
            if !is_lit {
                continue;
            }
            match found.iter_mut().find(|(chain, _)| *chain == memory.passed) {
                Some((_, light)) => *light += arrives,
                None => found.push((memory.passed.clone(), arrives)),
            }
        }
    }
    found
}

/// Whether nothing stops light along a ray to a lamp. Emissive surfaces let light pass, because lamps stand in them.
fn sees_lamp(level: &Level, scene: &RayScene, ray: RayStart, memory: &mut RayMemory) -> bool {
    let mut passed = Vec::new();
    let mut rest = ray;
    for _ in 0..MAX_PASSED {
        let end = scene.follow(level, rest, memory);
        passed.append(&mut memory.passed);
        let Some(end) = end else {
            memory.passed = passed;
            return true;
        };
        let emits = end
            .triangle
            .is_some_and(|triangle| material(level, scene, triangle).emissive != [0.0; 3]);
        if !emits {
            return false;
        }
        rest = end.beyond(rest.length);
    }
    false
}

/// Whether a ray against a sun's direction reaches the sky. In a level without sky, the sun shines from the outside
/// into its room `home` through all surfaces that face away from it.
fn sees_sun(
    level: &Level,
    scene: &RayScene,
    ray: RayStart,
    home: Option<RoomId>,
    memory: &mut RayMemory,
) -> bool {
    let passes_walls = !level.shows_sky();
    let mut passed = Vec::new();
    let mut rest = ray;
    for _ in 0..MAX_PASSED {
        let end = scene.follow(level, rest, memory);
        passed.append(&mut memory.passed);
        let Some(end) = end else {
            return false;
        };
        let Some(triangle) = end.triangle else {
            memory.passed = passed;
            return if passes_walls {
                home == Some(end.room)
            } else {
                end.leaves && level.room(end.room).open_to_sky
            };
        };
        let material = material(level, scene, triangle);
        if material.sky {
            memory.passed = passed;
            return true;
        }
        let stops = !passes_walls || end.is_back || material.double_sided;
        if stops && material.emissive == [0.0; 3] {
            return false;
        }
        rest = end.beyond(f32::INFINITY);
    }
    false
}

fn material<'a>(level: &'a Level, scene: &RayScene, triangle: u32) -> &'a Material {
    &level.materials[scene.material(triangle) as usize]
}
