//! The exposure of a level's lights, chosen automatically because the units of authors' lights differ by factors of
//! thousands.

use std::sync::Arc;

use glam::Vec3;

use super::lists::LightLists;
use super::patch::RoomPatch;
use super::radiosity::Radiosity;
use super::room_set::RoomSet;
use super::samples::sample_room;
use crate::level::{Level, LightKind, RoomId};
use crate::world::World;

/// The target mean brightness, 0..1, of white surfaces in lit rooms; leaves headroom for places near lamps.
const TYPICAL_WHITE: f64 = 0.38;

/// The ratio of the sun's light on a surface facing it to the light of a clear sky.
const SUN_TO_SKY: f32 = 5.0;

/// Light on places of a room, linear RGB, with weights.
pub(super) type LitPlaces = Arc<[(Vec3, f64)]>;

/// The factor for lights that makes lit rooms as bright as [`TYPICAL_WHITE`] on average. Brightness saturates, so that
/// a lamp close to a wall and a dark corner both have little weight. Every room has the same weight, so that one hall
/// does not set the exposure of a whole house. `patches` are those of all rooms, `direct` the [`lit_places`] of
/// [`representative_rooms`].
///
/// Under a sky, the sun has no weight beside lamps, and a level without lamps is as bright as its sky. Without a sky,
/// the sun counts like a lamp.
pub(super) fn exposure<'a>(
    (level, world): (&Level, &World),
    patches: &[RoomPatch],
    direct: impl Iterator<Item = (&'a RoomId, &'a LitPlaces)>,
) -> f32 {
    let samples = samples((level, world), patches, direct);
    let suns = level.lights.iter();
    let suns = suns.filter(|light| light.kind == LightKind::Directional);
    let brightest_sun = suns.map(|light| light.intensity).fold(0.0, f32::max);
    if samples.is_empty() && brightest_sun > 0.0 {
        SUN_TO_SKY * level.sky.mean().max_element().max(0.1) / brightest_sun
    } else {
        fit(&samples) as f32
    }
}

/// The exposure at which weighted samples of light are as bright as [`TYPICAL_WHITE`] on average.
fn fit(samples: &[(f64, f64)]) -> f64 {
    let weight: f64 = samples.iter().map(|(_, weight)| weight).sum();
    // Four independent sums take half the time, because one instruction divides two values.
    let (fours, rest) = samples.as_chunks::<4>();
    let brightness = |exposure: f64| {
        let part = |&(light, weight): &(f64, f64)| {
            let light = light * exposure;
            weight * light / (1.0 + light)
        };
        let mut sums = [0.0; 4];
        for four in fours {
            for (sum, sample) in sums.iter_mut().zip(four) {
                *sum += part(sample);
            }
        }
        let rest: f64 = rest.iter().map(part).sum();
        (sums.iter().sum::<f64>() + rest) / weight
    };
    if weight <= 0.0 {
        return 1.0;
    }
    // Bisection of the exponent of two.
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..40 {
        let middle: f64 = 0.5 * (low + high);
        if brightness(libm::exp2(middle)) < TYPICAL_WHITE {
            low = middle;
        } else {
            high = middle;
        }
    }
    libm::exp2(low)
}

/// Light on surfaces of lit rooms that face a light, with weights.
fn samples<'a>(
    (level, world): (&Level, &World),
    patches: &[RoomPatch],
    direct: impl Iterator<Item = (&'a RoomId, &'a LitPlaces)>,
) -> Vec<(f64, f64)> {
    let mut reflected = Radiosity::new(level, Vec3::ZERO);
    let all = RoomSet::all(level.rooms.len());
    reflected.update(world, (patches, 1.0), &all, &mut all.clone());
    let reflected = reflected.ambient();
    let places = direct.flat_map(|(room, places)| {
        let reflected = reflected[room.0 as usize];
        let light = move |direct: Vec3| f64::from((direct + reflected).max_element());
        places
            .iter()
            .map(move |&(direct, weight)| (light(direct), weight))
    });
    places.collect()
}

/// The rooms from which the exposure is computed: a few hundred rooms represent a huge level.
pub(super) fn representative_rooms(level: &Level, lists: &LightLists) -> Vec<RoomId> {
    let lit = |room: &RoomId| !lists.of_room(*room).is_empty();
    let lit: Vec<RoomId> = level.room_ids().filter(lit).collect();
    let step = lit.len().div_ceil(512).max(1);
    lit.into_iter().step_by(step).collect()
}

/// Direct light on places of one room that face the light: from lamps, and from suns where there is no sky. The weights
/// sum to 1. Lit places have more weight, since a lamp at one end of a long dark passage is meant for that end.
pub(super) fn lit_places(level: &Level, lists: &LightLists, room: RoomId) -> LitPlaces {
    let shows_sky = level.shows_sky();
    let mut places = Vec::new();
    sample_room(level, lists, room, |sample| {
        let mut direct = sample.from_lamps;
        if !shows_sky {
            direct += sample.from_sun;
        }
        let strength = f64::from(direct.max_element());
        if strength > 0.0 {
            places.push((direct, f64::from(sample.area) * strength.sqrt()));
        }
    });
    let sum: f64 = places.iter().map(|(_, weight)| weight).sum();
    places.iter_mut().for_each(|(_, weight)| *weight /= sum);
    places.into()
}
