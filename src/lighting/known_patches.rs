//! A cache of patches and lit places of rooms, keyed by all their inputs: nothing is computed twice when a level is
//! reloaded or a door opens again.

use super::exposure::{LitPlaces, lit_places};
use super::lists::LightLists;
use super::patch::{Patch, Reflectance, patch, reflectances};
use crate::hash::Fnv128;
use crate::level::{Level, RoomId};

/// Patches and lit places of rooms, of any version of a level.
#[derive(Clone, Debug, Default)]
pub struct KnownPatches {
    patches: ByKey<Patch>,
    lit_places: ByKey<LitPlaces>,
}

/// Values sorted by their keys.
#[derive(Clone, Debug, Default)]
struct ByKey<T>(Vec<(u128, T)>);

impl<T: Clone> ByKey<T> {
    fn of(mut values: Vec<(u128, T)>) -> Self {
        values.sort_unstable_by_key(|(key, _)| *key);
        values.dedup_by_key(|(key, _)| *key);
        Self(values)
    }

    fn get(&self, key: u128) -> Option<T> {
        let found = self.0.binary_search_by_key(&key, |(key, _)| *key);
        found.ok().map(|index| self.0[index].1.clone())
    }
}

/// The reflectance of a level's surfaces, and the cached results.
#[derive(Clone, Debug)]
pub(super) struct Surfaces {
    /// The reflectance of each material.
    reflectances: Vec<Reflectance>,
    /// A hash of the reflectances, of which materials show the sky, and of whether any does.
    key: u128,
    known: KnownPatches,
}

impl Surfaces {
    pub(super) fn of(level: &Level, known: KnownPatches) -> Self {
        let reflectances = reflectances(level);
        let skies = level.materials.iter().map(|material| material.sky);
        let skies: Vec<u8> = skies.chain([level.shows_sky()]).map(u8::from).collect();
        let key = Fnv128::EMPTY.words(&skies);
        let key = reflectances.iter().fold(key, |key, r| key.words(&r.rgb()));
        Self {
            reflectances,
            key: key.0,
            known,
        }
    }

    /// The patch of a room under these lights, cached or computed, with its key.
    pub(super) fn patch(&self, level: &Level, lists: &LightLists, room: RoomId) -> (u128, Patch) {
        let key = self.key_of(level, lists, room);
        let known = self.known.patches.get(key);
        let made = || patch(level, lists, room, &self.reflectances);
        (key, known.unwrap_or_else(made))
    }

    /// The lit places of a room under these lights, cached or computed, with their key.
    pub(super) fn lit_places(
        &self,
        level: &Level,
        lists: &LightLists,
        room: RoomId,
    ) -> (u128, LitPlaces) {
        let key = self.key_of(level, lists, room);
        let known = self.known.lit_places.get(key);
        (key, known.unwrap_or_else(|| lit_places(level, lists, room)))
    }

    /// A hash of all inputs of a room's patch and lit places.
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

    /// Replaces the cached results.
    pub(super) fn know(&mut self, patches: Vec<(u128, Patch)>, lit_places: Vec<(u128, LitPlaces)>) {
        self.known = KnownPatches {
            patches: ByKey::of(patches),
            lit_places: ByKey::of(lit_places),
        };
    }
}
