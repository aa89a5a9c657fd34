//! Selection of the lights that act on a room among all lights that reach it.

use super::light_flood::LitRoom;
use super::reach::Reaches;
use crate::geometry::Aabb;
use crate::level::{Level, Light, LightKind, RoomId};
use crate::parallel::{cores, parallel_map};

/// The maximum number of entries for lamps in one room's list. This bounds the work per pixel.
const MAX_LAMPS: usize = 16;
/// The maximum number of entries for suns in one room's list.
const MAX_SUNS: usize = 4;

/// A light in one room, with all its paths into the room.
pub(super) struct RoomLight {
    /// An estimate of the light that can arrive, for selecting the strongest lights.
    strength: f32,
    /// Index into [`lights`](crate::level::LevelData::lights).
    pub light: usize,
    /// Indices into [`super::reach::Reach::lit_rooms`], all of the same instance of the room.
    pub lit_rooms: Vec<usize>,
}

/// The lights that each room's list may contain. The light of all others on the room is part of its ambient irradiance.
/// The choice is that of the level with all links open, so that it does not change with the doors.
#[derive(Clone, Debug, Default)]
pub(super) struct ListedLights {
    /// For each room, the lights that its list may contain, in order of their numbers; `None` if the list may contain all
    /// lights that reach the room.
    of_rooms: Vec<Option<Vec<u32>>>,
}

impl ListedLights {
    /// Chooses the strongest lights of each room. `reaches` are those of the level with all links open.
    pub(super) fn new(level: &Level, reaches: &Reaches) -> Self {
        let of_rooms = parallel_map(level.rooms.len(), cores(), |room| {
            let room = RoomId(room as u32);
            let paths = reaches.into_rooms[room.0 as usize].iter();
            let kinds = paths.map(|&(light, _)| level.lights[light as usize].kind);
            let (suns, lamps): (Vec<_>, Vec<_>) =
                kinds.partition(|kind| *kind == LightKind::Directional);
            if lamps.len() <= MAX_LAMPS && suns.len() <= MAX_SUNS {
                return None;
            }
            let mut entries = sorted(level, reaches, room);
            let all = entries.len();
            truncate(level, &mut entries);
            (entries.len() < all).then(|| {
                let lights = entries.iter().map(|entry| entry.light as u32);
                let mut lights: Vec<u32> = lights.collect();
                lights.sort_unstable();
                lights.dedup();
                lights
            })
        });
        Self { of_rooms }
    }

    /// Whether the list of a room may contain a light.
    pub(super) fn contains(&self, room: RoomId, light: u32) -> bool {
        let of_room = self.of_rooms.get(room.0 as usize).and_then(Option::as_ref);
        of_room.is_none_or(|lights| lights.binary_search(&light).is_ok())
    }

    /// Whether the list of a room may contain all lights.
    pub(super) fn contains_all(&self, room: RoomId) -> bool {
        self.of_rooms
            .get(room.0 as usize)
            .is_none_or(Option::is_none)
    }
}

/// Returns the lights in the list of a room: lamps first, and stronger lights first.
pub(super) fn entries(
    level: &Level,
    reaches: &Reaches,
    listed: &ListedLights,
    room: RoomId,
) -> Vec<RoomLight> {
    let mut entries = sorted(level, reaches, room);
    entries.retain(|entry| listed.contains(room, entry.light as u32));
    truncate(level, &mut entries);
    entries
}

/// The lights that reach a room: lamps first, and stronger lights first.
pub(super) fn sorted(level: &Level, reaches: &Reaches, room: RoomId) -> Vec<RoomLight> {
    let bounds = level.room(room).bounds;
    let mut entries: Vec<RoomLight> = Vec::new();
    for &(light, index) in &reaches.into_rooms[room.0 as usize] {
        let (light, index) = (light as usize, index as usize);
        let reach = &reaches.of_lights[light];
        let lit = &reach.lit_rooms[index];
        let strength = strength(&level.lights[light], lit, &bounds);
        let of_light = entries.iter_mut().rev().take_while(|e| e.light == light);
        let image = |e: &RoomLight| &reach.lit_rooms[e.lit_rooms[0]].home_from_room;
        let mut known = of_light.filter(|e| *image(e) == lit.home_from_room);
        if let Some(entry) = known.next() {
            entry.strength = entry.strength.max(strength);
            entry.lit_rooms.push(index);
        } else {
            entries.push(RoomLight {
                strength,
                light,
                lit_rooms: vec![index],
            });
        }
    }
    let is_sun = |entry: &RoomLight| level.lights[entry.light].kind == LightKind::Directional;
    entries.sort_by(|a, b| {
        let by_strength = b.strength.total_cmp(&a.strength);
        let by_index = (a.light, a.lit_rooms[0]).cmp(&(b.light, b.lit_rooms[0]));
        is_sun(a).cmp(&is_sun(b)).then(by_strength).then(by_index)
    });
    entries
}

/// Removes the weakest of too many lights.
fn truncate(level: &Level, entries: &mut Vec<RoomLight>) {
    let is_sun = |entry: &RoomLight| level.lights[entry.light].kind == LightKind::Directional;
    let lamps = entries.partition_point(|entry| !is_sun(entry));
    entries.truncate(lamps + MAX_SUNS);
    entries.drain(lamps.min(MAX_LAMPS)..lamps);
}

/// An estimate of the light that can arrive in a room: its intensity at the nearest point of the bounds of the lit
/// opening, or of the room if the light is in the room itself. A distance below 1 m counts as 1 m.
fn strength(light: &Light, lit: &LitRoom, bounds: &Aabb) -> f32 {
    if light.kind == LightKind::Directional {
        return light.intensity;
    }
    let position = lit.home_from_room.inverse().point(light.position());
    let opening = &lit.part.opening;
    let lit = if opening.is_empty() {
        *bounds
    } else {
        Aabb::around(opening.iter().copied())
    };
    let distance = position.distance(position.clamp(lit.min, lit.max)).max(1.0);
    (f64::from(light.intensity) / (distance * distance)) as f32
}
