//! A cache of patches and lit places of rooms, by hashes of all their inputs: they are computed once, even if a level is
//! reloaded or a door opens several times.

use std::sync::Arc;

use glam::Vec3;

use super::exposure::{LitPlaces, exposure, lit_places, representative_rooms};
use super::lists::{LightLists, RoomLights};
use super::patch::{RoomPatch, patch};
use super::reach::Reaches;
use super::reflectance::{Reflectance, reflectances};
use crate::hash::Fnv128;
use crate::level::{Level, LightId, RoomId};
use crate::memo::{Memo, NextMemo};
use crate::parallel::{cores, parallel_map};
use crate::world::World;

/// The patches and lit places that the lighting of the last version of a level used.
#[derive(Clone, Debug, Default)]
pub struct PatchCache {
    pub(super) patches: Memo<u128, RoomPatch>,
    pub(super) lit_places: Memo<u128, LitPlaces>,
}

/// The reflectance of a level's surfaces.
#[derive(Clone, Debug)]
pub(super) struct SurfaceReflectances {
    /// The reflectance of each material, with the emission of lit lights.
    of_materials: Arc<[Reflectance]>,
    /// The reflectance of each material with all lights lit.
    with_all_lit: Arc<[Reflectance]>,
    /// A hash of all reflectances, of the set of materials that show the sky, and of whether the level shows the sky at
    /// all.
    key: u128,
}

impl SurfaceReflectances {
    pub(super) fn of(level: &Level) -> Self {
        let with_all_lit: Arc<[Reflectance]> = reflectances(level).into();
        let mut all = Self {
            of_materials: Arc::clone(&with_all_lit),
            with_all_lit,
            key: 0,
        };
        all.find_key(level);
        all
    }

    /// Turns the emission of all materials off and on with their lights.
    pub(super) fn follow(&mut self, level: &Level, world: &World) {
        let mut materials = self.with_all_lit.to_vec();
        for (id, light) in (0..).map(LightId).zip(&level.lights) {
            if !world.is_lit(id) {
                let glowing = light.materials.iter();
                glowing.for_each(|&index| materials[index as usize].emitted = Vec3::ZERO);
            }
        }
        self.of_materials = materials.into();
        self.find_key(level);
    }

    fn find_key(&mut self, level: &Level) {
        let skies = level.materials.iter().map(|material| material.sky);
        let skies: Vec<u8> = skies.chain([level.shows_sky()]).map(u8::from).collect();
        let key = Fnv128::EMPTY.words(&skies);
        let all = self.of_materials.iter();
        self.key = all.fold(key, |key, r| key.words(&r.numbers())).0;
    }

    /// The reflectance of each material.
    pub(super) fn of_materials(&self) -> Arc<[Reflectance]> {
        Arc::clone(&self.of_materials)
    }

    /// The patches of all rooms.
    pub(super) fn patches(
        &self,
        level: &Level,
        (lists, reaches): (&LightLists, &Reaches),
        memo: &NextMemo<u128, RoomPatch>,
    ) -> Vec<RoomPatch> {
        parallel_map(level.rooms.len(), cores(), |index| {
            let room = RoomId(index as u32);
            let lights = lists.all_of_room(level, reaches, room);
            let key = self.key_of(level, &lights, room);
            memo.get_or_compute(key, || self.patch(level, &lights, room))
        })
    }

    /// The exposure of the level.
    pub(super) fn exposure(
        &self,
        level: &Level,
        (lists, reaches): (&LightLists, &Reaches),
        memo: &NextMemo<u128, LitPlaces>,
    ) -> f32 {
        let rooms = representative_rooms(level, lists);
        let places = parallel_map(rooms.len(), cores(), |index| {
            let room = rooms[index];
            let lights = lists.all_of_room(level, reaches, room);
            let key = self.key_of(level, &lights, room);
            memo.get_or_compute(key, || self.lit_places(level, &lights, room))
        });
        exposure(level, places.iter())
    }

    /// The patch of a room under these lights.
    pub(super) fn patch(&self, level: &Level, lights: &RoomLights, room: RoomId) -> RoomPatch {
        patch(level, lights, room, &self.of_materials)
    }

    /// The lit places of a room under these lights.
    pub(super) fn lit_places(&self, level: &Level, lights: &RoomLights, room: RoomId) -> LitPlaces {
        lit_places(level, lights, room, &self.of_materials)
    }

    /// A hash of all inputs of a room's patch and lit places.
    pub(super) fn key_of(&self, level: &Level, lights: &RoomLights, room: RoomId) -> u128 {
        let is_open = level.room(room).open_to_sky;
        let key = Fnv128(self.key).words(&[level.room_key(room)]);
        let key = key.bytes(&[u8::from(is_open)]);
        let all = lights.lights.iter();
        let key = all.fold(key, |key, light| key.words(&[light.anywhere()]));
        key.words(&lights.clip_planes[lights.used_planes.clone()]).0
    }
}
