//! What each light reaches: the rooms that it lights, and the shadow maps that it needs there.

use std::sync::Arc;

use glam::DVec3;

use super::light_flood::{LitRoom, flood_light};
use super::shadow::{Caster, Shadow, ShadowKey};
use crate::level::{Level, Light, LightKind, RoomId};
use crate::world::World;

/// Light that is this much weaker than the level's typical light does not go on into further
/// rooms; the window of the falloff makes it fade out before.
const FAINTEST: f64 = 0.02;

/// Distance, metres, at which the level's median lamp is taken to light typically.
const TYPICAL_DISTANCE: f64 = 2.0;

/// What one light reaches.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// How far it reaches, metres; nothing for parallel light.
    pub range: f64,
    /// The rooms that it lights, once for each path on which it gets there.
    pub lit_rooms: Vec<LitRoom>,
    /// Its shadow maps.
    pub shadows: Vec<(ShadowKey, Arc<Shadow>)>,
    /// For each of `lit_rooms` the index of its map among `shadows`.
    pub shadow_of: Vec<usize>,
    position: DVec3,
    /// sRGB, opaque.
    colour: [u8; 4],
}

/// How a light comes into a room, in the room's coordinates, metres.
#[derive(Clone, Copy, Debug)]
pub struct LightPath<'a> {
    /// Where the lamp appears to be.
    pub position: DVec3,
    /// The part of the last portal that its light fills; empty in its own room.
    pub opening: &'a [DVec3],
    /// sRGB, opaque.
    pub colour: [u8; 4],
}

/// How far each light reaches, metres, where no wall stands in its way.
pub(super) fn ranges(level: &Level) -> Vec<f64> {
    let lamps = level.lights.iter().filter(|light| has_effect(light));
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
pub(super) fn reach(level: &Level, world: &World, index: u32, range: f64) -> Reach {
    let light = &level.lights[index as usize];
    let lit_rooms = if has_effect(light) {
        flood_light(level, world, light, range)
    } else {
        Vec::new()
    };
    let (shadows, shadow_of): (Vec<(ShadowKey, Shadow)>, _) = match light.kind {
        _ if lit_rooms.is_empty() => Default::default(),
        LightKind::Directional => sun_shadows(level, world, index, &lit_rooms),
        LightKind::Point | LightKind::Spot { .. } => {
            let shadow = Shadow::of_lamp(light, casters(level, world, lit_rooms.iter()));
            let key = ShadowKey {
                light: index,
                place: 0,
            };
            (vec![(key, shadow)], vec![0; lit_rooms.len()])
        }
    };
    let [r, g, b] = light.colour.map(|c| (libm::sqrtf(c) * 255.0) as u8);
    Reach {
        range,
        lit_rooms,
        shadows: shadows
            .into_iter()
            .map(|(key, shadow)| (key, Arc::new(shadow)))
            .collect(),
        shadow_of,
        position: light.position(),
        colour: [r, g, b, 255],
    }
}

impl Reach {
    /// The paths on which the light comes into a room.
    pub(super) fn paths_into(&self, room: RoomId) -> impl Iterator<Item = LightPath<'_>> {
        let here = self.lit_rooms.iter().filter(move |lit| lit.room == room);
        here.map(|lit| LightPath {
            position: lit.home_from_room.inverse().point(self.position),
            opening: &lit.part.opening,
            colour: self.colour,
        })
    }
}

/// The maps of parallel light, one for each image of a room, and which of them each lit room has.
fn sun_shadows(
    level: &Level,
    world: &World,
    index: u32,
    lit_rooms: &[LitRoom],
) -> (Vec<(ShadowKey, Shadow)>, Vec<usize>) {
    let light = &level.lights[index as usize];
    let fronts_only = !level.shows_sky();
    let mut shadows: Vec<(ShadowKey, Shadow)> = Vec::new();
    let mut shadow_of: Vec<usize> = Vec::new();
    for (at, lit) in lit_rooms.iter().enumerate() {
        let is_same =
            |other: &LitRoom| other.room == lit.room && other.home_from_room == lit.home_from_room;
        let map = match lit_rooms[..at].iter().position(is_same) {
            Some(first) => shadow_of[first],
            None => {
                let bounds = level.room(lit.room).bounds;
                let shadow = Shadow::of_sun(light, &bounds, &lit.home_from_room, fronts_only);
                let key = ShadowKey {
                    light: index,
                    place: at as u32,
                };
                shadows.push((key, shadow));
                shadows.len() - 1
            }
        };
        let path = std::iter::successors(Some(lit), |lit| {
            lit.part.before.map(|before| &lit_rooms[before])
        });
        shadows[map].1.add_casters(casters(level, world, path));
        shadow_of.push(map);
    }
    (shadows, shadow_of)
}

/// All that can cast shadows in lit rooms: their surfaces, geometry that sprawls into them, and the
/// movers in them.
fn casters<'a>(
    level: &Level,
    world: &World,
    lit_rooms: impl Iterator<Item = &'a LitRoom>,
) -> Vec<Caster> {
    let mut casters: Vec<Caster> = Vec::new();
    let mut add = |caster: Caster| {
        if !casters.contains(&caster) {
            casters.push(caster);
        }
    };
    for lit in lit_rooms {
        let light_from_room = lit.home_from_room;
        add(Caster::room(level, lit.room, light_from_room));
        for sprawl in level.sprawls_into(lit.room) {
            let light_from_there = light_from_room.after(&sprawl.into_from_room);
            add(Caster::room(level, sprawl.room, light_from_there));
        }
        for image in &level.room(lit.room).movers {
            let mover = level.mover(image.mover);
            if world.is_present(mover) {
                let light_from_mover = light_from_room
                    .after(&image.here_from_room)
                    .after(world.pose(image.mover));
                add(Caster::mover(level, mover, light_from_mover));
            }
        }
    }
    casters
}

/// Whether a light lights anything.
fn has_effect(light: &Light) -> bool {
    light.intensity.is_finite() && light.intensity > 0.0
}

/// The middle value; 0 of none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
