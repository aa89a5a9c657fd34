//! A cache of patches and lit places of rooms, by hashes of all their inputs: they are computed once, even if a level is
//! reloaded or a door opens several times.

use std::sync::Arc;

use super::exposure::{LitPlaces, lit_places};
use super::lists::RoomLights;
use super::patch::{RoomPatch, patch};
use super::reflectance::{Reflectance, reflectances};
use crate::hash::Fnv128;
use crate::level::{Level, RoomId};
use crate::memo::Memo;

/// The patches and lit places that the lighting of the last version of a level used.
#[derive(Clone, Debug, Default)]
pub struct PatchCache {
    pub(super) patches: Memo<u128, RoomPatch>,
    pub(super) lit_places: Memo<u128, LitPlaces>,
}

/// The reflectance of a level's surfaces.
#[derive(Clone, Debug)]
pub(super) struct SurfaceReflectances {
    /// The reflectance of each material.
    of_materials: Arc<[Reflectance]>,
    /// A hash of all reflectances, of the set of materials that show the sky, and of whether the level shows the sky at
    /// all.
    key: u128,
}

impl SurfaceReflectances {
    pub(super) fn of(level: &Level) -> Self {
        let of_materials = reflectances(level);
        let skies = level.materials.iter().map(|material| material.sky);
        let skies: Vec<u8> = skies.chain([level.shows_sky()]).map(u8::from).collect();
        let key = Fnv128::EMPTY.words(&skies);
        let key = of_materials
            .iter()
            .fold(key, |key, r| key.words(&r.numbers()));
        Self {
            of_materials: of_materials.into(),
            key: key.0,
        }
    }

    /// The reflectance of each material.
    pub(super) fn of_materials(&self) -> Arc<[Reflectance]> {
        Arc::clone(&self.of_materials)
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
