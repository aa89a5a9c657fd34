//! Selection of the lights that act on a room among all lights that reach it.

use super::light_flood::LitRoom;
use super::reach::Reaches;
use crate::geometry::Aabb;
use crate::level::{Level, Light, LightKind, MAX_LAMPS, RoomId};

/// The maximum number of entries for suns in one room's list, like [`MAX_LAMPS`] for lamps.
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

/// Returns the lights that act on a room: lamps first, and stronger lights first.
pub(super) fn entries(level: &Level, reaches: &Reaches, room: RoomId) -> Vec<RoomLight> {
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
    let lamps = entries.partition_point(|entry| !is_sun(entry));
    entries.truncate(lamps + MAX_SUNS);
    entries.drain(lamps.min(MAX_LAMPS)..lamps);
    entries
}

/// An estimate of the light that can arrive in a room: the intensity at the nearest point of the lit opening or of the
/// room's bounds, at least 1 m from the light.
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
