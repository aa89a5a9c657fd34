//! Light lists: for every room and for every mover part, the lights that act on its surfaces, in the shader's layout.
//!
//! Each list has its own chunk of the buffers, so that it can be written alone. A list that outgrows its chunk gets a
//! new one, at least twice as long, at the end of the buffers. The abandoned space is never more than the space in use.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Zeroable;
use glam::Vec3;

use super::entries::{ListedLights, RoomLight, entries, sorted};
use super::gpu_light::GpuLight;
use super::reach::Reaches;
use super::room_set::RoomSet;
use super::shadow::Shadow;
use super::varying::VaryingLights;
use crate::geometry::Rigid;
use crate::level::{Level, MoverPartId, RoomId};
use crate::parallel::{cores, parallel_map};
use crate::world::World;

/// The maximum number of openings of a light into a room; beyond it, the light is bounded by its shadow map alone.
const MAX_OPENINGS: usize = 512;

/// The light list of a drawn surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LitBy {
    /// The list of the surface's room.
    Room(RoomId),
    /// The list of a mover part, which is lit by the lights of the room that it faces.
    MoverPart(MoverPartId),
    /// The list of a room, for an object that moves freely: its centre, metres, in the room's coordinates. The ambient
    /// light is that at the centre.
    Place(RoomId, Vec3),
}

/// The lights of all surfaces of a level, and their shadow maps. Between the lists, the buffers contain unused
/// elements.
#[derive(Clone, Debug, Default)]
pub struct LightLists {
    /// The lights of all lists.
    pub lights: Vec<GpuLight>,
    /// The shadow map of each of `lights`, an index into `shadows`.
    pub shadow_of: Vec<u32>,
    /// The openings through which lights enter, in the coordinates of the lit room. Each opening is stored as the
    /// number of its clip planes, then the planes: unit normal, and negated plane offset. A light reaches the points
    /// that are in front of all planes of any one of its openings.
    pub clip_planes: Vec<[f32; 4]>,
    /// The shadow maps; those of one light are consecutive.
    pub shadows: Vec<ShadowMap>,
    /// The total number of views, including unused ones.
    pub view_count: u32,
    /// A counter of changes of all fields above, except the casters of shadow maps.
    pub revision: u64,
    /// The lights that lists may contain.
    listed: ListedLights,
    /// The lights that vary from frame to frame.
    pub(super) varying: VaryingLights,
    of_rooms: Vec<ListRange>,
    /// The lists of mover parts that lie in a room instance behind a portal; other parts use the list of their room.
    of_parts: BTreeMap<MoverPartId, ListRange>,
    /// The shadow maps of each light.
    of_lights: Vec<BufferChunk>,
}

/// A shadow map of [`LightLists`].
#[derive(Clone, Debug)]
pub struct ShadowMap {
    /// The projection and the casters.
    pub shadow: Arc<Shadow>,
    /// The range of its view numbers, which are unique among all maps.
    views: BufferChunk,
}

impl ShadowMap {
    /// The number of its first view.
    pub fn first_view(&self) -> u32 {
        self.views.start
    }
}

/// The position of a list in the buffers.
#[derive(Clone, Copy, Debug, Default)]
struct ListRange {
    lights: BufferChunk,
    clip_planes: BufferChunk,
}

/// A chunk of a buffer.
#[derive(Clone, Copy, Debug, Default)]
struct BufferChunk {
    start: u32,
    len: u32,
    capacity: u32,
}

impl BufferChunk {
    /// Reserves room for `len` elements, at the end of the buffer if necessary; returns the new end of the buffer.
    fn fit(&mut self, len: usize, end: usize) -> usize {
        self.len = len as u32;
        if self.len <= self.capacity {
            return end;
        }
        self.start = end as u32;
        self.capacity = (2 * self.capacity).max(self.len);
        end + self.capacity as usize
    }

    fn range(&self) -> Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// A list before it is written: indices of clip planes count from the list's first one.
#[derive(Default)]
struct NewList {
    lights: Vec<GpuLight>,
    shadow_of: Vec<u32>,
    clip_planes: Vec<[f32; 4]>,
}

/// All lights that reach a room, also those that its list does not contain.
#[derive(Clone)]
pub(super) struct RoomLights<'a> {
    pub lights: Cow<'a, [GpuLight]>,
    pub clip_planes: Cow<'a, [[f32; 4]]>,
    /// The range of `clip_planes` to which the lights refer.
    pub used_planes: Range<usize>,
}

impl LightLists {
    /// Builds the lists of all rooms that the lights reach, but none of mover parts. `reaches` are those of the level
    /// with all links open.
    pub(super) fn new(level: &Level, reaches: &Reaches) -> Self {
        let mut lists = Self {
            listed: ListedLights::new(level, reaches),
            varying: VaryingLights::of(level),
            of_rooms: vec![ListRange::default(); level.rooms.len()],
            of_lights: vec![BufferChunk::default(); reaches.of_lights.len()],
            ..Self::default()
        };
        for light in 0..reaches.of_lights.len() as u32 {
            lists.write_maps(reaches, light);
        }
        let of_rooms = parallel_map(level.rooms.len(), cores(), |room| {
            let entries = entries(level, reaches, &lists.listed, RoomId(room as u32));
            lists.list(level, reaches, &entries, &Rigid::IDENTITY)
        });
        for (room, new) in of_rooms.into_iter().enumerate() {
            lists.of_rooms[room] = lists.write(ListRange::default(), new);
        }
        lists
    }

    /// The lights that lists may contain.
    pub(super) fn listed(&self) -> &ListedLights {
        &self.listed
    }

    /// The index of the first shadow map of a light.
    pub(super) fn first_map(&self, light: u32) -> u32 {
        self.of_lights[light as usize].start
    }

    /// The lights of a room.
    pub(super) fn of_room(&self, room: RoomId) -> &[GpuLight] {
        &self.lights[self.of_rooms[room.0 as usize].lights.range()]
    }

    /// All lights that reach a room.
    pub(super) fn all_of_room(
        &self,
        level: &Level,
        reaches: &Reaches,
        room: RoomId,
    ) -> RoomLights<'_> {
        if self.listed.contains_all(room) {
            return RoomLights {
                lights: self.of_room(room).into(),
                clip_planes: self.clip_planes.as_slice().into(),
                used_planes: self.of_rooms[room.0 as usize].clip_planes.range(),
            };
        }
        let NewList {
            lights,
            clip_planes,
            ..
        } = self.list(
            level,
            reaches,
            &sorted(level, reaches, room),
            &Rigid::IDENTITY,
        );
        RoomLights {
            lights: lights.into(),
            used_planes: 0..clip_planes.len(),
            clip_planes: clip_planes.into(),
        }
    }

    /// The lights of a surface, a range of indices into `lights`; empty for a nonexistent surface.
    pub(super) fn range(&self, lit_by: LitBy, world: &World) -> Range<u32> {
        let room = |room: RoomId| self.of_rooms.get(room.0 as usize).copied();
        let list = match lit_by {
            LitBy::Room(id) | LitBy::Place(id, _) => room(id),
            LitBy::MoverPart(part) => {
                let own = self.of_parts.get(&part).copied();
                own.or_else(|| room(world.room_of_part(part)?))
            }
        };
        let BufferChunk { start, len, .. } = list.unwrap_or_default().lights;
        start..start + len
    }

    /// Writes the shadow maps of a light. The lists that contain the light must be written afterwards.
    pub(super) fn write_maps(&mut self, reaches: &Reaches, light: u32) {
        let shadows = &reaches.of_lights[light as usize].shadows;
        let Some(first) = shadows.first() else {
            return;
        };
        let maps = &mut self.of_lights[light as usize];
        let end = maps.fit(shadows.len(), self.shadows.len());
        let unused = ShadowMap {
            shadow: Arc::clone(first),
            views: BufferChunk::default(),
        };
        self.shadows.resize(end, unused);
        for (map, shadow) in self.shadows[maps.range()].iter_mut().zip(shadows) {
            map.shadow = Arc::clone(shadow);
            let views = shadow.view_count() as usize;
            self.view_count = map.views.fit(views, self.view_count as usize) as u32;
        }
    }

    /// Rewrites the list of a room; returns whether the light on its surfaces changed, shadows aside.
    pub(super) fn write_room(&mut self, level: &Level, reaches: &Reaches, room: RoomId) -> bool {
        let entries = entries(level, reaches, &self.listed, room);
        let new = self.list(level, reaches, &entries, &Rigid::IDENTITY);
        let list = self.of_rooms[room.0 as usize];
        let is_relit = !self.is_alike(&list, &new);
        self.of_rooms[room.0 as usize] = self.write(list, new);
        is_relit
    }

    /// Writes the list of a mover part, if it has one of its own.
    pub(super) fn write_part(
        &mut self,
        level: &Level,
        world: &World,
        reaches: &Reaches,
        part: MoverPartId,
    ) {
        let place = world.part_room(level, part);
        let list_from_room = place.here_from_other.inverse();
        if list_from_room.is_identity() {
            self.of_parts.remove(&part);
            return;
        }
        let entries = entries(level, reaches, &self.listed, place.room);
        let new = self.list(level, reaches, &entries, &list_from_room);
        let list = self.of_parts.get(&part).copied().unwrap_or_default();
        let list = self.write(list, new);
        self.of_parts.insert(part, list);
    }

    /// The mover parts in one of these rooms that have a list of their own.
    pub(super) fn parts_in(&self, world: &World, rooms: &RoomSet) -> Vec<MoverPartId> {
        let parts = self.of_parts.keys().copied();
        let is_in = |part: &MoverPartId| {
            world
                .room_of_part(*part)
                .is_some_and(|room| rooms.contains(room))
        };
        let parts = parts.filter(is_in);
        parts.collect()
    }

    /// Whether the list and a new one give the same light on surfaces, shadows aside.
    fn is_alike(&self, list: &ListRange, new: &NewList) -> bool {
        let lights = &self.lights[list.lights.range()];
        let looks_like = |was: &GpuLight, is: &GpuLight| {
            let was = GpuLight {
                first_clip_plane: was.first_clip_plane - list.clip_planes.start,
                first_view: is.first_view,
                projection: is.projection,
                map_from_room: is.map_from_room,
                ..*was
            };
            was == *is
        };
        let mut pairs = lights.iter().zip(&new.lights);
        lights.len() == new.lights.len()
            && self.clip_planes[list.clip_planes.range()] == new.clip_planes
            && pairs.all(|(was, is)| looks_like(was, is))
    }

    /// Writes a list to its chunk or to a new one; returns its position.
    fn write(&mut self, mut list: ListRange, mut new: NewList) -> ListRange {
        let planes = &mut list.clip_planes;
        let end = planes.fit(new.clip_planes.len(), self.clip_planes.len());
        self.clip_planes.resize(end, [0.0; 4]);
        self.clip_planes[planes.range()].copy_from_slice(&new.clip_planes);
        for light in &mut new.lights {
            light.first_clip_plane += planes.start;
        }
        let end = list.lights.fit(new.lights.len(), self.lights.len());
        self.lights.resize(end, GpuLight::zeroed());
        self.shadow_of.resize(end, 0);
        self.lights[list.lights.range()].copy_from_slice(&new.lights);
        self.shadow_of[list.lights.range()].copy_from_slice(&new.shadow_of);
        self.revision += 1;
        list
    }

    /// Builds a list of lights. `list_from_room` maps coordinates of their room to those of the list.
    fn list(
        &self,
        level: &Level,
        reaches: &Reaches,
        entries: &[RoomLight],
        list_from_room: &Rigid,
    ) -> NewList {
        let mut new = NewList::default();
        for entry in entries {
            let reach = &reaches.of_lights[entry.light];
            let lit_rooms = entry.lit_rooms.iter().map(|&lit| &reach.lit_rooms[lit]);
            let maps = &self.of_lights[entry.light];
            let map = maps.start + reach.shadow_of[entry.lit_rooms[0]] as u32;
            let light_from_room = &reach.lit_rooms[entry.lit_rooms[0]].home_from_room;
            let list_from_light = list_from_room.after(&light_from_room.inverse());
            let light = &level.lights[entry.light];
            let mut light = GpuLight::new(light, &list_from_light, reach.range, reach.radius);
            let ShadowMap { shadow, views } = &self.shadows[map as usize];
            light.set_factor(self.varying.factor_of(entry.light));
            light.set_shadow(shadow, &list_from_light.inverse());
            light.first_view = views.start;
            light.first_clip_plane = new.clip_planes.len() as u32;
            let is_bounded = lit_rooms
                .clone()
                .all(|lit| !lit.part.clip_planes.is_empty());
            if is_bounded && entry.lit_rooms.len() <= MAX_OPENINGS {
                light.opening_count = entry.lit_rooms.len() as u32;
                for planes in lit_rooms.map(|lit| &lit.part.clip_planes) {
                    new.clip_planes.push([planes.len() as f32, 0.0, 0.0, 0.0]);
                    let planes = planes.iter().map(|plane| list_from_room.plane(plane));
                    new.clip_planes.extend(planes.map(|plane| {
                        let normal = plane.normal.as_vec3();
                        normal.extend(-plane.offset as f32).to_array()
                    }));
                }
            }
            new.lights.push(light);
            new.shadow_of.push(map);
        }
        new
    }
}
