//! Patches that were made before, by all that each depends on: a level that is loaded again, and a door that opens
//! again, need none of them twice.

use super::lists::LightLists;
use super::patch::{Patch, Reflectance, patch, reflectances};
use crate::hash::Fnv128;
use crate::level::{Level, RoomId};

/// Patches of rooms, of any version of a level.
#[derive(Clone, Debug, Default)]
pub struct KnownPatches {
    /// In order of their keys.
    patches: Vec<(u128, Patch)>,
}

impl KnownPatches {
    fn of(mut patches: Vec<(u128, Patch)>) -> Self {
        patches.sort_unstable_by_key(|(key, _)| *key);
        patches.dedup_by_key(|(key, _)| *key);
        Self { patches }
    }

    fn get(&self, key: u128) -> Option<Patch> {
        let found = self.patches.binary_search_by_key(&key, |(key, _)| *key);
        found.ok().map(|index| self.patches[index].1)
    }
}

/// What the surfaces of a level reflect, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Surfaces {
    /// For each material.
    reflectances: Vec<Reflectance>,
    /// A hash of these, and of which materials show the sky.
    key: u128,
    known: KnownPatches,
}

impl Surfaces {
    pub(super) fn of(level: &Level, known: KnownPatches) -> Self {
        let reflectances = reflectances(level);
        let skies: Vec<u8> = level.materials.iter().map(|m| u8::from(m.sky)).collect();
        let key = Fnv128::EMPTY.words(&skies);
        let key = reflectances.iter().fold(key, |key, r| key.words(&r.rgb()));
        Self {
            reflectances,
            key: key.0,
            known,
        }
    }

    /// The patch of a room under these lights, known or made now.
    pub(super) fn patch(&self, level: &Level, lists: &LightLists, room: RoomId) -> Patch {
        let known = self.known.get(self.key_of(level, lists, room));
        known.unwrap_or_else(|| patch(level, lists, room, &self.reflectances))
    }

    /// A number for all that the patch of a room depends on.
    pub(super) fn key_of(&self, level: &Level, lists: &LightLists, room: RoomId) -> u128 {
        let is_open = level.room(room).open_to_sky;
        let key = Fnv128(self.key).words(&[level.room_key(room)]);
        let key = key.bytes(&[u8::from(is_open)]);
        let lights = lists.of_room(room).iter();
        let key = lights.fold(key, |key, light| key.words(&[light.anywhere()]));
        key.words(lists.clip_planes_of(room)).0
    }

    pub(super) fn known(&self) -> &KnownPatches {
        &self.known
    }

    /// Knows these patches from now on, and no others.
    pub(super) fn know(&mut self, patches: Vec<(u128, Patch)>) {
        self.known = KnownPatches::of(patches);
    }
}
