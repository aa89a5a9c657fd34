//! The exposure of a level's lights, chosen automatically because the units of authors' lights differ by factors of
//! thousands.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

use super::lists::{LightLists, RoomLights};
use super::reflectance::Reflectance;
use super::samples::{SampleDensity, sample_room};
use crate::level::{Level, LightKind, RoomId};

/// The target mean brightness, 0..1, of white surfaces; leaves headroom for places near lamps.
const TYPICAL_WHITE: f64 = 0.38;

/// The ratio of the sun's light on a surface facing it to the light of a clear sky.
const SUN_TO_SKY: f32 = 5.0;

/// The samples of a room: enough that the edges of a spot's light do not matter.
const DENSITY: SampleDensity = SampleDensity {
    max_count: 8000.0,
    min_area: 0.02,
};

/// Direct light on places of a room.
#[derive(Clone, Debug, Default)]
pub(super) struct LitPlaces {
    /// The maximum of the light's channels, and a weight.
    places: Arc<[(f64, f64)]>,
    /// The area of the surfaces, square metres, and the area times the albedo.
    areas: [f64; 2],
}

/// The factor for lights that makes lit surfaces as bright as [`TYPICAL_WHITE`] on average. Brightness saturates, so that
/// a lamp close to a wall and a dark corner both have little weight. The reflected light is estimated from the mean albedo
/// of all surfaces, as in a sphere. Places are weighted by their area, so that the exposure does not depend on where a
/// space is cut into rooms. `direct` has the [`lit_places`] of the [`representative_rooms`].
///
/// Under a sky, the sun has no weight beside lamps, and a level without lamps is as bright as its sky. Without a sky,
/// the sun counts like a lamp.
pub(super) fn exposure<'a>(level: &Level, direct: impl Iterator<Item = &'a LitPlaces>) -> f32 {
    let mut samples: Vec<(f64, f64)> = Vec::new();
    let mut areas = [0.0; 2];
    for lit in direct {
        samples.extend_from_slice(&lit.places);
        areas = [areas[0] + lit.areas[0], areas[1] + lit.areas[1]];
    }
    let absorbed = 1.0 - areas[1] / areas[0].max(1e-9);
    let suns = level.lights.iter();
    let suns = suns.filter(|light| light.kind == LightKind::Directional);
    let brightest_sun = suns.map(|light| light.intensity).fold(0.0, f32::max);
    if samples.is_empty() && brightest_sun > 0.0 {
        SUN_TO_SKY * level.sky.mean().max_element().max(0.1) / brightest_sun
    } else {
        (fit(&samples) * absorbed) as f32
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

/// The rooms from which the exposure is computed: a few hundred rooms represent a huge level.
pub(super) fn representative_rooms(level: &Level, lists: &LightLists) -> Vec<RoomId> {
    let lit = |room: &RoomId| !lists.of_room(*room).is_empty();
    let lit: Vec<RoomId> = level.room_ids().filter(lit).collect();
    let step = lit.len().div_ceil(512).max(1);
    lit.into_iter().step_by(step).collect()
}

/// Direct light on places of one room that face the light: from lamps, and from suns where there is no sky. Lit places
/// have more weight, since a lamp at one end of a long dark passage is meant for that end.
pub(super) fn lit_places(
    level: &Level,
    lights: &RoomLights,
    room: RoomId,
    reflectances: &[Reflectance],
) -> LitPlaces {
    let shows_sky = level.shows_sky();
    let mut areas = [0.0; 2];
    // Places with nearly the same light are one: the light, times the weight, and the weight, by eighths of a stop.
    let mut places: BTreeMap<i32, (f64, f64)> = BTreeMap::new();
    sample_room(level, lights, DENSITY, room, |sample| {
        let albedo = match level.materials.get(sample.material as usize) {
            Some(material) if material.sky => Vec3::ZERO,
            _ => reflectances[sample.material as usize].albedo(sample.tint),
        };
        let area = f64::from(sample.area);
        areas = [
            areas[0] + area,
            areas[1] + area * f64::from(albedo.max_element()),
        ];
        let mut direct = sample.from_lamps;
        if !shows_sky {
            direct += sample.from_sun;
        }
        let strength = f64::from(direct.max_element());
        if strength > 0.0 {
            let weight = area * strength.sqrt();
            let step = (8.0 * libm::log2(strength)).floor() as i32;
            let sums = places.entry(step).or_default();
            *sums = (sums.0 + strength * weight, sums.1 + weight);
        }
    });
    let means = places.into_values();
    LitPlaces {
        places: means.map(|(sum, weight)| (sum / weight, weight)).collect(),
        areas,
    }
}
