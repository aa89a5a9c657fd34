//! Which lights act on which surface: lists for every room and for every part of a mover, as the shader
//! reads them.

use std::ops::Range;
use std::sync::Arc;

use super::gpu_light::GpuLight;
use super::light_flood::LitRoom;
use super::reach::Reach;
use super::shadow::{Shadow, ShadowKey};
use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, Light, LightKind, MoverPartId, RoomId};
use crate::world::World;

/// At most this many lamps act on one room: the strongest. Bounds the work for a pixel.
const MAX_LAMPS: usize = 16;
/// The same for images of suns.
const MAX_SUNS: usize = 4;

/// A light that comes into a room through more openings than this is bounded by its shadow map
/// alone.
const MAX_OPENINGS: usize = 512;

/// By which lights a drawn surface is lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LitBy {
    /// By those of the room that it belongs to.
    Room(RoomId),
    /// It is a part of a mover, and lit by those of the room that this part faces.
    MoverPart(MoverPartId),
}

impl LitBy {
    /// Its index where all rooms stand in a row, then all parts of movers.
    pub(super) fn index(self, rooms: usize) -> usize {
        match self {
            Self::Room(room) => room.0 as usize,
            Self::MoverPart(part) => rooms + part.0 as usize,
        }
    }
}

/// The lights of all surfaces of a level, and the shadow maps that they refer to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LightLists {
    /// The lights of all lists.
    pub lights: Vec<GpuLight>,
    /// For each of `lights` its shadow map, an index into `shadows`.
    pub shadow_of: Vec<u32>,
    /// The openings that lights come in through, in the coordinates of the room that is lit. For
    /// each the number of its clip planes, then these: unit normal, and minus the plane's offset;
    /// points in front of all planes of one of a light's openings are lit.
    pub clip_planes: Vec<[f32; 4]>,
    /// Ranges of `lights`, see [`LitBy::index`].
    pub(super) ranges: Vec<Range<u32>>,
    /// The shadow maps by their keys, in order.
    pub shadows: Vec<(ShadowKey, Arc<Shadow>)>,
    /// How many views all of them have.
    pub view_count: u32,
}

impl LightLists {
    /// The lights of a room.
    pub(super) fn of_room(&self, room: RoomId) -> &[GpuLight] {
        let range = &self.ranges[room.0 as usize];
        &self.lights[range.start as usize..range.end as usize]
    }
}

/// A light in one room, by all the paths on which it gets there.
struct Entry {
    /// How much of it can arrive, for choosing among many.
    strength: f32,
    /// Index into [`lights`](crate::level::LevelData::lights).
    light: usize,
    /// Indices into [`Reach::lit_rooms`], of one image of the room.
    lit_rooms: Vec<usize>,
}

/// Assembles the lists of the rooms that the lights reach.
pub(super) fn assemble(level: &Level, world: &World, reaches: &[Reach]) -> LightLists {
    let of_rooms = entries(level, reaches);
    let count = of_rooms.iter().map(Vec::len).sum();
    let mut lists = LightLists {
        lights: Vec::with_capacity(count),
        shadow_of: Vec::with_capacity(count),
        ranges: Vec::with_capacity(of_rooms.len()),
        shadows: Vec::with_capacity(reaches.iter().map(|reach| reach.shadows.len()).sum()),
        ..LightLists::default()
    };
    let mut maps = Maps::default();
    for reach in reaches {
        maps.first_of_light.push(lists.shadows.len());
        for (key, shadow) in &reach.shadows {
            maps.first_views.push(lists.view_count);
            lists.view_count += shadow.view_count();
            lists.shadows.push((*key, Arc::clone(shadow)));
        }
    }
    for entries in &of_rooms {
        let range = append(level, reaches, &maps, entries, &Rigid::IDENTITY, &mut lists);
        lists.ranges.push(range);
    }
    for part in (0..level.mover_parts.len() as u32).map(MoverPartId) {
        let place = world.part_room(part);
        let list_from_room = place.here_from_other.inverse();
        let range = if list_from_room.is_identity() {
            lists.ranges[place.room.0 as usize].clone()
        } else {
            let entries = &of_rooms[place.room.0 as usize];
            append(level, reaches, &maps, entries, &list_from_room, &mut lists)
        };
        lists.ranges.push(range);
    }
    lists
}

/// Where the shadow maps of the lights begin.
#[derive(Default)]
struct Maps {
    /// For each light the first of its maps in [`LightLists::shadows`].
    first_of_light: Vec<usize>,
    /// For each map the first of its views.
    first_views: Vec<u32>,
}

/// For each room the lights that act on it, lamps first, the strong ones first.
fn entries(level: &Level, reaches: &[Reach]) -> Vec<Vec<Entry>> {
    let mut of_rooms: Vec<Vec<Entry>> = level.rooms.iter().map(|_| Vec::new()).collect();
    for (light, reach) in reaches.iter().enumerate() {
        for (index, lit) in reach.lit_rooms.iter().enumerate() {
            let bounds = level.room(lit.room).bounds;
            let strength = strength(&level.lights[light], lit, &bounds);
            let entries = &mut of_rooms[lit.room.0 as usize];
            let of_light = entries.iter_mut().rev().take_while(|e| e.light == light);
            let image = |e: &Entry| &reach.lit_rooms[e.lit_rooms[0]].home_from_room;
            let mut known = of_light.filter(|e| *image(e) == lit.home_from_room);
            if let Some(entry) = known.next() {
                entry.strength = entry.strength.max(strength);
                entry.lit_rooms.push(index);
            } else {
                entries.push(Entry {
                    strength,
                    light,
                    lit_rooms: vec![index],
                });
            }
        }
    }
    let is_sun = |entry: &Entry| level.lights[entry.light].kind == LightKind::Directional;
    for entries in &mut of_rooms {
        entries.sort_by(|a, b| {
            let by_strength = b.strength.total_cmp(&a.strength);
            let by_index = (a.light, a.lit_rooms[0]).cmp(&(b.light, b.lit_rooms[0]));
            is_sun(a).cmp(&is_sun(b)).then(by_strength).then(by_index)
        });
        let lamps = entries.partition_point(|entry| !is_sun(entry));
        entries.truncate(lamps + MAX_SUNS);
        entries.drain(lamps.min(MAX_LAMPS)..lamps);
    }
    of_rooms
}

/// Appends the lights as they are in coordinates that `list_from_room` takes those of their room
/// to; returns their range.
fn append(
    level: &Level,
    reaches: &[Reach],
    maps: &Maps,
    entries: &[Entry],
    list_from_room: &Rigid,
    lists: &mut LightLists,
) -> Range<u32> {
    let start = lists.lights.len() as u32;
    for entry in entries {
        let reach = &reaches[entry.light];
        let lit_rooms = entry.lit_rooms.iter().map(|&lit| &reach.lit_rooms[lit]);
        let map = maps.first_of_light[entry.light] + reach.shadow_of[entry.lit_rooms[0]];
        let light_from_room = &reach.lit_rooms[entry.lit_rooms[0]].home_from_room;
        let list_from_light = list_from_room.after(&light_from_room.inverse());
        let mut light = GpuLight::new(&level.lights[entry.light], &list_from_light, reach.range);
        light.set_shadow(&lists.shadows[map].1, &list_from_light.inverse());
        light.first_view = maps.first_views[map];
        light.first_clip_plane = lists.clip_planes.len() as u32;
        let is_bounded = lit_rooms
            .clone()
            .all(|lit| !lit.part.clip_planes.is_empty());
        if is_bounded && entry.lit_rooms.len() <= MAX_OPENINGS {
            light.opening_count = entry.lit_rooms.len() as u32;
            for planes in lit_rooms.map(|lit| &lit.part.clip_planes) {
                lists.clip_planes.push([planes.len() as f32, 0.0, 0.0, 0.0]);
                let planes = planes.iter().map(|plane| list_from_room.plane(plane));
                lists.clip_planes.extend(planes.map(|plane| {
                    let normal = plane.normal.as_vec3();
                    normal.extend(-plane.offset as f32).to_array()
                }));
            }
        }
        lists.lights.push(light);
        lists.shadow_of.push(map as u32);
    }
    start..lists.lights.len() as u32
}

/// How much of a light can arrive in a room through the opening that it came by.
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
