//! Direct light of lamps and suns on nodes and in the air, with shadows of everything that does not move.

use glam::Vec3;

use super::chains::Gate;
use super::probes::LightSum;
use super::scene::{PassedLinks, RayMemory, RayScene, RayStart};
use super::trace::NodePlace;
use crate::geometry::Rigid;
use crate::level::{Level, Light, LightId, LightKind, Material, RoomId};
use crate::lighting::entries::ListedLights;
use crate::lighting::gpu_light::GpuLight;
use crate::lighting::lamp_size::{CENTRE, disc_offset, point_of_disc};
use crate::lighting::reach::Reaches;

/// The maximum number of surfaces that a ray to a light passes.
const MAX_PASSED: usize = 64;

/// The lights of a level with all links open.
#[derive(Clone, Copy)]
pub(in crate::lighting) struct TransportLights<'a> {
    pub reaches: &'a Reaches,
    /// The lights that the shader computes; those of all others are added to the reflected light.
    pub listed: &'a ListedLights,
}

/// Light that arrives through a sequence of gates.
pub(super) struct LightThrough<Light> {
    pub chain: PassedLinks,
    pub light: Light,
}

/// Light on a node; see [`super::paths::DirectLight`].
#[derive(Clone, Copy, Default)]
pub(super) struct LightOnNode {
    pub all: Vec3,
    pub unlisted: Vec3,
}

/// Returns the direct light on a node.
pub(super) fn on_node(
    level: &Level,
    scene: &RayScene,
    lights: TransportLights,
    place: &NodePlace,
) -> Vec<LightThrough<LightOnNode>> {
    let mut found = Vec::new();
    let mut memory = RayMemory::default();
    let weight = 1.0 / place.samples.len().max(1) as f32;
    for light in lights_in(level, lights.reaches, place.room) {
        let is_listed = lights.listed.contains(place.room, light.number);
        for (sample, &point) in place.samples.iter().enumerate() {
            let arrives = light.here.on_surface(point, place.normal, &[]) * weight;
            let ray = |direction, length| place.ray(point, direction, length);
            if arrives == Vec3::ZERO {
                continue;
            }
            // A node with a single sample looks to the centre of the lamp.
            let of_disc = if place.samples.len() > 1 {
                point_of_disc(sample)
            } else {
                CENTRE
            };
            let towards = light.towards(point, of_disc);
            if !light.sees(level, scene, towards, ray, &mut memory) {
                continue;
            }
            light.pass_switch(level, place.room, &mut memory);
            let sum: &mut LightOnNode = through(&mut found, &memory.passed);
            sum.all += arrives;
            if !is_listed {
                sum.unlisted += arrives;
            }
        }
    }
    found
}

/// Light at a point in the air; see [`super::probes::ProbeDirect`].
#[derive(Clone, Copy, Default)]
pub(super) struct LightInAir {
    pub all: LightSum,
    pub unlisted: LightSum,
}

/// Returns the direct light at a point in the air of a room.
pub(super) fn in_air(
    level: &Level,
    scene: &RayScene,
    lights: TransportLights,
    (room, point): (RoomId, Vec3),
    memory: &mut RayMemory,
) -> Vec<LightThrough<LightInAir>> {
    let mut found = Vec::new();
    for light in lights_in(level, lights.reaches, room) {
        let to_light = light.towards(point, CENTRE);
        let towards = to_light.normalize_or_zero();
        let arrives = light.here.on_surface(point, towards, &[]);
        let ray = |direction, length| RayStart {
            room,
            point,
            direction,
            length,
        };
        if arrives != Vec3::ZERO && light.sees(level, scene, to_light, ray, memory) {
            light.pass_switch(level, room, memory);
            let sum: &mut LightInAir = through(&mut found, &memory.passed);
            // The mean over the sphere of light from one direction that gives a white surface this radiance.
            sum.all.add(arrives * 0.25, towards);
            if !lights.listed.contains(room, light.number) {
                sum.unlisted.add(arrives * 0.25, towards);
            }
        }
    }
    found
}

/// The sum of light through a sequence of gates.
fn through<'a, Light: Default>(
    found: &'a mut Vec<LightThrough<Light>>,
    passed: &[(Gate, RoomId)],
) -> &'a mut Light {
    let known = found.iter().position(|sum| sum.chain == passed);
    let index = known.unwrap_or_else(|| {
        found.push(LightThrough {
            chain: passed.to_vec(),
            light: Light::default(),
        });
        found.len() - 1
    });
    &mut found[index].light
}

/// A light in the coordinates of a room that it reaches.
struct LightIn<'a> {
    /// Index into [`lights`](crate::level::LevelData::lights).
    number: u32,
    source: &'a Light,
    here: GpuLight,
}

/// The lights that reach a room, once for each place at which they appear.
fn lights_in<'a>(
    level: &'a Level,
    reaches: &'a Reaches,
    room: RoomId,
) -> impl Iterator<Item = LightIn<'a>> + 'a {
    let mut before: Option<(u32, &Rigid)> = None;
    let all = reaches.into_rooms[room.0 as usize].iter();
    all.filter_map(move |&(number, index)| {
        let reach = &reaches.of_lights[number as usize];
        let home_from_room = &reach.lit_rooms[index as usize].home_from_room;
        // A light that enters by several paths is listed several times in a row.
        if before.replace((number, home_from_room)) == Some((number, home_from_room)) {
            return None;
        }
        let source = &level.lights[number as usize];
        let room_from_home = home_from_room.inverse();
        Some(LightIn {
            number,
            source,
            here: GpuLight::new(source, &room_from_home, reach.range, reach.radius),
        })
    })
}

impl LightIn<'_> {
    /// The vector from a point to a point of the light's disc, metres; to a sun, of length 1.
    fn towards(&self, point: Vec3, of_disc: [f32; 2]) -> Vec3 {
        let radius = self.here.radius;
        let (centre, normal) = match self.source.kind {
            LightKind::Directional => (-self.here.direction, -self.here.direction),
            LightKind::Spot { .. } => (self.here.position - point, self.here.direction),
            LightKind::Point => {
                let centre = self.here.position - point;
                (centre, centre.normalize_or(Vec3::Y))
            }
        };
        if radius == 0.0 || of_disc == CENTRE {
            return centre;
        }
        let towards = centre + disc_offset(normal, of_disc) * radius;
        match self.source.kind {
            LightKind::Directional => towards.normalize_or(centre),
            LightKind::Spot { .. } | LightKind::Point => towards,
        }
    }

    /// Adds the gate of a light that can be turned off to the gates that the light passes into a room.
    fn pass_switch(&self, level: &Level, room: RoomId, memory: &mut RayMemory) {
        if self.source.is_switched {
            let gate = Gate::of_light(level, LightId(self.number));
            memory.passed.push((gate, room));
        }
    }

    /// Whether light arrives along a vector to the light. `ray` makes the ray from the point in a direction, with a length.
    /// The links that it passes are in `memory`.
    fn sees(
        &self,
        level: &Level,
        scene: &RayScene,
        towards: Vec3,
        ray: impl Fn(Vec3, f32) -> RayStart,
        memory: &mut RayMemory,
    ) -> bool {
        if self.source.kind == LightKind::Directional {
            let home = self.source.at.map(|at| at.room);
            sees_sun(level, scene, ray(towards, f32::INFINITY), home, memory)
        } else {
            let distance = towards.length();
            sees_lamp(level, scene, ray(towards / distance, distance), memory)
        }
    }
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
