//! The reach of each light: the rooms that it lights, and the shadow maps that it needs there.

use std::sync::Arc;

use glam::DVec3;

use super::lamp_size;
use super::light_flood::{LitRoom, flood_light};
use super::room_set::RoomSet;
use super::shadow::{Caster, Shadow};
use crate::level::{Level, Light, LightId, LightKind, RoomId, RoomPlace};
use crate::parallel::{cores, parallel_map};
use crate::world::World;

/// A light's range ends at most where its light, without the falloff window, is this fraction of the typical light. The
/// window fades the light to zero at the end of the range, and the light enters no rooms beyond.
const FAINTEST: f64 = 0.002;

/// The distance, metres, at which the light of the level's median lamp is defined as typical.
const TYPICAL_DISTANCE: f64 = 2.0;

/// The reach of one light.
#[derive(Clone, Debug)]
pub(super) struct LitRooms {
    /// The range, metres; unused for parallel light.
    pub range: f64,
    /// The radius with which it casts shadows; see [`lamp_size::radius`].
    pub radius: f32,
    /// The rooms that it lights, once for each path into the room.
    pub lit_rooms: Vec<LitRoom>,
    /// The shadow maps: one for a lamp; for parallel light, one for each instance of a room.
    pub shadows: Vec<Arc<Shadow>>,
    /// The rooms of the casters of each of `shadows`, each with the transform to the light's room.
    pub rooms_of_maps: Vec<Vec<RoomPlace>>,
    /// The map of each of `lit_rooms`, an index into `shadows`.
    pub shadow_of: Vec<usize>,
    position: DVec3,
    /// The colour, sRGB, opaque.
    colour: [u8; 4],
}

/// A light's path into a room, in the room's coordinates, metres.
#[derive(Clone, Copy, Debug)]
pub struct LightPath<'a> {
    /// The apparent position of the lamp.
    pub position: DVec3,
    /// The part of the last portal that the light fills; empty in the light's own room.
    pub opening: &'a [DVec3],
    /// The colour, sRGB, opaque.
    pub colour: [u8; 4],
}

/// The range of each light without occlusion, metres.
fn ranges(level: &Level) -> Vec<f64> {
    let lamps = level.lights.iter().filter(|light| light.has_effect());
    let lamps = lamps.filter(|light| light.kind != LightKind::Directional);
    let typical = median(lamps.map(|light| f64::from(light.intensity)).collect());
    let faintest = typical / (TYPICAL_DISTANCE * TYPICAL_DISTANCE) * FAINTEST;
    let range = |light: &Light| {
        let visible = (f64::from(light.intensity) / faintest).sqrt();
        let range = light.range.map(f64::from);
        range.map_or(visible, |range| visible.min(range))
    };
    level.lights.iter().map(range).collect()
}

/// Floods the level with the light of this index.
fn reach(level: &Level, world: &World, index: u32, (range, radius): (f64, f32)) -> LitRooms {
    let light = &level.lights[index as usize];
    let lit_rooms = if light.has_effect() && world.is_lit(LightId(index)) {
        flood_light(level, world, light, range)
    } else {
        Vec::new()
    };
    let Maps {
        shadows,
        rooms,
        shadow_of,
    } = maps(level, world, light, &lit_rooms);
    let [r, g, b] = light.colour.map(|c| (libm::sqrtf(c) * 255.0) as u8);
    LitRooms {
        range,
        radius,
        lit_rooms,
        shadows,
        rooms_of_maps: rooms,
        shadow_of,
        position: light.position(),
        colour: [r, g, b, 255],
    }
}

/// The shadow maps of a light.
#[derive(Default)]
struct Maps {
    shadows: Vec<Arc<Shadow>>,
    /// The rooms of the casters of each map.
    rooms: Vec<Vec<RoomPlace>>,
    /// The map of each lit room, an index into `shadows`.
    shadow_of: Vec<usize>,
}

fn maps(level: &Level, world: &World, light: &Light, lit_rooms: &[LitRoom]) -> Maps {
    match light.kind {
        _ if lit_rooms.is_empty() => Maps::default(),
        LightKind::Directional => sun_maps(level, world, light, lit_rooms),
        LightKind::Point | LightKind::Spot { .. } => {
            let mut rooms = Vec::new();
            let casters = casters(level, world, lit_rooms.iter(), &mut rooms);
            Maps {
                shadows: vec![Arc::new(Shadow::of_lamp(light, casters))],
                rooms: vec![rooms],
                shadow_of: vec![0; lit_rooms.len()],
            }
        }
    }
}

impl LitRooms {
    /// The paths of the light into a room.
    pub(super) fn paths_into(&self, room: RoomId) -> impl Iterator<Item = LightPath<'_>> {
        let here = self.lit_rooms.iter().filter(move |lit| lit.room == room);
        here.map(|lit| LightPath {
            position: lit.home_from_room.inverse().point(self.position),
            opening: &lit.part.opening,
            colour: self.colour,
        })
    }
}

/// The reach of all lights of a level.
#[derive(Clone, Debug)]
pub(super) struct Reaches {
    /// The reach of each light.
    pub of_lights: Vec<LitRooms>,
    /// The light paths into each room, sorted: the index of the light, and of the lit room in its reach.
    pub into_rooms: Vec<Vec<(u32, u32)>>,
}

impl Reaches {
    pub(super) fn new(level: &Level, world: &World) -> Self {
        let ranges = ranges(level);
        let of_lights = parallel_map(ranges.len(), cores(), |light| {
            let radius = lamp_size::radius(level, &level.lights[light]);
            reach(level, world, light as u32, (ranges[light], radius))
        });
        let mut reaches = Self {
            of_lights,
            into_rooms: vec![Vec::new(); level.rooms.len()],
        };
        for light in 0..reaches.of_lights.len() as u32 {
            reaches.enter(light);
        }
        reaches
    }

    /// The lights that reach a room, sorted; a light with several paths is repeated.
    pub(super) fn lights_in(&self, room: RoomId) -> impl Iterator<Item = u32> {
        let lit = self.into_rooms[room.0 as usize].iter();
        lit.map(|&(light, _)| light)
    }

    /// Floods the level with a light again; adds the rooms that it lit before and lights now to `relit`.
    pub(super) fn flood_again(
        &mut self,
        level: &Level,
        world: &World,
        light: u32,
        relit: &mut RoomSet,
    ) {
        let LitRooms { range, radius, .. } = self.of_lights[light as usize];
        let again = reach(level, world, light, (range, radius));
        let before = std::mem::replace(&mut self.of_lights[light as usize], again);
        for lit in &before.lit_rooms {
            relit.insert(lit.room);
            self.into_rooms[lit.room.0 as usize].retain(|&(other, _)| other != light);
        }
        self.enter(light);
        for lit in &self.of_lights[light as usize].lit_rooms {
            relit.insert(lit.room);
        }
    }

    /// Rebuilds a light's shadow maps in the rooms that it lights. Adds to `relit` the rooms in which the shader must
    /// look up the light's map differently.
    pub(super) fn cast_again(
        &mut self,
        level: &Level,
        world: &World,
        light: u32,
        relit: &mut RoomSet,
    ) {
        let reach = &mut self.of_lights[light as usize];
        let source = &level.lights[light as usize];
        let Maps { shadows, .. } = maps(level, world, source, &reach.lit_rooms);
        for (lit, &map) in reach.lit_rooms.iter().zip(&reach.shadow_of) {
            if shadows[map].projection != reach.shadows[map].projection {
                relit.insert(lit.room);
            }
        }
        reach.shadows = shadows;
    }

    /// Adds a light to the entries of the rooms that it lights.
    fn enter(&mut self, light: u32) {
        for (index, lit) in (0u32..).zip(&self.of_lights[light as usize].lit_rooms) {
            let lit_by = &mut self.into_rooms[lit.room.0 as usize];
            let at = lit_by.partition_point(|&other| other < (light, index));
            lit_by.insert(at, (light, index));
        }
    }
}

/// The maps of parallel light, one for each instance of a room.
fn sun_maps(level: &Level, world: &World, light: &Light, lit_rooms: &[LitRoom]) -> Maps {
    let fronts_only = !level.shows_sky();
    let mut shadows: Vec<Shadow> = Vec::new();
    let mut shadow_of: Vec<usize> = Vec::new();
    let mut rooms: Vec<Vec<RoomPlace>> = Vec::new();
    for (at, lit) in lit_rooms.iter().enumerate() {
        let is_same =
            |other: &LitRoom| other.room == lit.room && other.home_from_room == lit.home_from_room;
        let map = match lit_rooms[..at].iter().position(is_same) {
            Some(first) => shadow_of[first],
            None => {
                let bounds = level.room(lit.room).bounds;
                let shadow = Shadow::of_sun(light, &bounds, &lit.home_from_room, fronts_only);
                shadows.push(shadow);
                rooms.push(Vec::new());
                shadows.len() - 1
            }
        };
        let path = std::iter::successors(Some(lit), |lit| {
            lit.part.before.map(|before| &lit_rooms[before])
        });
        shadows[map].add_casters(casters(level, world, path, &mut rooms[map]));
        shadow_of.push(map);
    }
    Maps {
        shadows: shadows.into_iter().map(Arc::new).collect(),
        rooms,
        shadow_of,
    }
}

/// All shadow casters in lit rooms, except those in `known`: the rooms' surfaces, geometry that sprawls into them, and
/// the movers in them. The rooms are added to `known`.
fn casters<'a>(
    level: &Level,
    world: &World,
    lit_rooms: impl Iterator<Item = &'a LitRoom>,
    known: &mut Vec<RoomPlace>,
) -> Vec<Caster> {
    let mut casters: Vec<Caster> = Vec::new();
    let mut add = |caster: Caster| {
        if !casters.contains(&caster) {
            casters.push(caster);
        }
    };
    for lit in lit_rooms {
        let light_from_room = lit.home_from_room;
        let place = RoomPlace {
            room: lit.room,
            here_from_other: light_from_room,
        };
        // A light may enter a room by many paths.
        if known.contains(&place) {
            continue;
        }
        known.push(place);
        add(Caster::room(level, lit.room, light_from_room));
        for sprawl in world.rooms().sprawls_into(level, lit.room) {
            let light_from_there = light_from_room.after(&sprawl.into_from_room);
            add(Caster::room(level, sprawl.room, light_from_there));
        }
        for (id, state) in world.bodies.in_room(lit.room) {
            let body = level.body(id);
            let light_from_body = light_from_room.after(&state.room_from_authored(body));
            add(Caster::of(level, body.draws.clone(), light_from_body));
        }
        for image in &level.room(lit.room).movers {
            let mover = level.mover(image.mover);
            if world.is_present(mover) {
                let here_from_mover = world.here_from_mover(level, lit.room, image);
                let light_from_mover = light_from_room.after(&here_from_mover);
                add(Caster::of(level, mover.draws.clone(), light_from_mover));
            }
        }
    }
    casters
}

/// The median; 0 for no values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
