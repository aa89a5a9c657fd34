//! The lights of every room and of the two sides of every door panel, as the shader reads them.

use std::ops::Range;

use super::{Lighting, LitRoom, Reach};
use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, Light, LightKind, RoomId};
use crate::lighting::GpuLight;

/// At most this many lamps act on one room: the strongest. Bounds the work for one pixel.
const MAX_LAMPS: usize = 16;
/// The same for images of suns.
const MAX_SUNS: usize = 4;

/// A light that comes into a room through more openings than this is bounded by its shadow map
/// alone.
const MAX_OPENINGS: usize = 512;

/// A light in one room, by all the ways on which it gets there.
struct Entry {
    /// How much of it can arrive, for choosing among many.
    strength: f32,
    /// Index into [`lights`](crate::level::LevelData::lights).
    light: usize,
    /// Indices into the places of its spread, where it has the same image.
    places: Vec<usize>,
}

/// Makes the lists of what the lights reach.
pub(super) fn assemble(level: &Level, lighting: &mut Lighting) {
    lighting.lights.clear();
    lighting.shadow_of.clear();
    lighting.sides.clear();
    lighting.lists.clear();
    lighting.shadows.clear();
    lighting.revision += 1;
    lighting.view_count = 0;
    let mut maps = Maps::default();
    for reach in &lighting.reaches {
        maps.first_of_light.push(lighting.shadows.len());
        for (key, shadow) in &reach.shadows {
            maps.first_views.push(lighting.view_count);
            lighting.view_count += shadow.view_count();
            lighting.shadows.push((*key, shadow.clone()));
        }
    }
    let of_rooms = entries(level, &lighting.reaches);
    for entries in &of_rooms {
        let list = append(level, lighting, &maps, entries, &Rigid::IDENTITY);
        lighting.lists.push(list);
    }
    // Each side of a panel has the light of the room that it faces.
    for link in level.doors().map(|link| level.link(link)) {
        let of_from = lighting.lists[link.near.0 as usize].clone();
        let from_from_to = level.portal(link.portal).far_from_near.inverse();
        let of_to = if from_from_to.is_identity() {
            lighting.lists[link.far.0 as usize].clone()
        } else {
            let entries = &of_rooms[link.far.0 as usize];
            append(level, lighting, &maps, entries, &from_from_to)
        };
        lighting.lists.extend([of_from, of_to]);
    }
}

/// Where the shadow maps of the lights begin.
#[derive(Default)]
struct Maps {
    /// For each light the first of its maps in [`Lighting::shadows`].
    first_of_light: Vec<usize>,
    /// For each map the first of its views.
    first_views: Vec<u32>,
}

/// For each room the lights that act on it, strong ones first.
fn entries(level: &Level, reaches: &[Reach]) -> Vec<Vec<Entry>> {
    let mut of_rooms: Vec<Vec<Entry>> = level.rooms.iter().map(|_| Vec::new()).collect();
    for (light, reach) in reaches.iter().enumerate() {
        for (place, at) in reach.spread.places.iter().enumerate() {
            let bounds = level.room(at.room).bounds;
            let strength = strength(&level.lights[light], at, &bounds);
            let entries = &mut of_rooms[at.room.0 as usize];
            let of_light = entries.iter_mut().rev().take_while(|e| e.light == light);
            let image = |place: usize| &reach.spread.places[place].room_from_light;
            let mut known = of_light.filter(|e| *image(e.places[0]) == at.room_from_light);
            if let Some(entry) = known.next() {
                entry.strength = entry.strength.max(strength);
                entry.places.push(place);
            } else {
                entries.push(Entry {
                    strength,
                    light,
                    places: vec![place],
                });
            }
        }
    }
    for entries in &mut of_rooms {
        entries.sort_by(|a, b| {
            let by_strength = b.strength.total_cmp(&a.strength);
            by_strength.then((a.light, a.places[0]).cmp(&(b.light, b.places[0])))
        });
        let is_sun = |entry: &Entry| level.lights[entry.light].kind == LightKind::Directional;
        let (mut suns, mut lamps): (Vec<Entry>, Vec<Entry>) =
            std::mem::take(entries).into_iter().partition(is_sun);
        suns.truncate(MAX_SUNS);
        lamps.truncate(MAX_LAMPS);
        lamps.append(&mut suns);
        *entries = lamps;
    }
    of_rooms
}

/// Appends the lights as they are in coordinates that `list_from_room` takes those of their room
/// to.
fn append(
    level: &Level,
    lighting: &mut Lighting,
    maps: &Maps,
    entries: &[Entry],
    list_from_room: &Rigid,
) -> Range<u32> {
    let start = lighting.lights.len() as u32;
    for entry in entries {
        let (light, reach) = (&level.lights[entry.light], &lighting.reaches[entry.light]);
        let places = entry
            .places
            .iter()
            .map(|&place| &reach.spread.places[place]);
        let map = maps.first_of_light[entry.light] + reach.shadow_of[entry.places[0]];
        let room_from_light = &reach.spread.places[entry.places[0]].room_from_light;
        let list_from_light = list_from_room.after(room_from_light);
        let mut placed = GpuLight::new(light, &list_from_light, reach.range);
        placed.colour *= lighting.exposure;
        placed.look_up(&lighting.shadows[map].1, &list_from_light.inverse());
        placed.first_view = maps.first_views[map];
        placed.first_side = lighting.sides.len() as u32;
        let is_bounded = places.clone().all(|at| !at.sides.is_empty());
        if is_bounded && entry.places.len() <= MAX_OPENINGS {
            placed.opening_count = entry.places.len() as u32;
            for at in places {
                lighting.sides.push([at.sides.len() as f32, 0.0, 0.0, 0.0]);
                let sides = at.sides.iter().map(|side| list_from_room.plane(side));
                lighting.sides.extend(sides.map(|side| {
                    let normal = side.normal.as_vec3();
                    normal.extend(-side.offset as f32).to_array()
                }));
            }
        }
        lighting.lights.push(placed);
        lighting.shadow_of.push(map as u32);
    }
    start..lighting.lights.len() as u32
}

/// How much of a light can arrive in a room through the opening that it came by.
fn strength(light: &Light, at: &LitRoom, bounds: &Aabb) -> f32 {
    if light.kind == LightKind::Directional {
        return light.intensity;
    }
    let position = at.room_from_light.point(light.position);
    let lit = if at.opening.is_empty() {
        *bounds
    } else {
        Aabb::around(at.opening.iter().copied())
    };
    let distance = position.distance(position.clamp(lit.min, lit.max)).max(1.0);
    (f64::from(light.intensity) / (distance * distance)) as f32
}

impl Lighting {
    /// The lights of a room.
    pub(super) fn of_room(&self, room: RoomId) -> &[GpuLight] {
        let list = &self.lists[room.0 as usize];
        &self.lights[list.start as usize..list.end as usize]
    }
}
