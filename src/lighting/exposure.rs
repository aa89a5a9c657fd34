//! How bright the picture is: authors' units differ by factors of thousands.

use glam::Vec3;

use super::{Lighting, bounce};
use crate::level::{Level, LightKind, RoomId};

/// Mean brightness, 0..1, of white surfaces in lit rooms: bright to the eye, with room above for
/// places near lamps.
const TYPICAL_WHITE: f64 = 0.38;

/// Light of the sun on a surface that faces it, as a multiple of that of a clear sky.
const SUN_TO_SKY: f32 = 5.0;

/// A place on a drawn surface.
pub(super) struct Sample {
    /// Its part of the surface of the level, square metres.
    pub area: f32,
    /// Light that falls on it from lamps, linear RGB.
    pub from_lamps: Vec3,
    /// Light that falls on it from the sun.
    pub from_sun: Vec3,
    /// Index of the surface's material.
    pub material: u32,
}

/// The factor that makes lit rooms as bright as [`TYPICAL_WHITE`] on the mean, and what the author
/// wants besides. Brightness saturates, so that neither a lamp against a wall nor a dark corner
/// weighs much; and every room counts the same, so that one hall does not set the exposure of a
/// whole house.
///
/// The sun does not count beside lamps. A level without lamps is as bright as its sky says.
pub(super) fn exposure(level: &Level, lighting: &Lighting) -> f32 {
    let suns = level
        .lights
        .iter()
        .filter(|l| l.kind == LightKind::Directional);
    let brightest_sun = suns.map(|l| l.intensity).fold(0.0, f32::max);
    let samples = samples(level, lighting);
    let fitting = if samples.is_empty() && brightest_sun > 0.0 {
        SUN_TO_SKY * level.sky.mean().max_element().max(0.1) / brightest_sun
    } else {
        fitting(&samples) as f32
    };
    level.exposure_stops.exp2() * fitting
}

fn fitting(samples: &[(f64, f64)]) -> f64 {
    let weight: f64 = samples.iter().map(|(_, weight)| weight).sum();
    let brightness = |exposure: f64| {
        let parts = samples.iter().map(|(light, weight)| {
            let light = light * exposure;
            weight * light / (1.0 + light)
        });
        parts.sum::<f64>() / weight
    };
    if weight <= 0.0 {
        return 1.0;
    }
    // Bisection over the powers of two.
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

/// Light on surfaces of lit rooms that face a light, with weights; lit places weigh more, since a
/// lamp at one end of a long dark passage is made for that end.
fn samples(level: &Level, lighting: &Lighting) -> Vec<(f64, f64)> {
    let reflected = bounce::exchanged(level, lighting, Vec3::ZERO);
    let lit = |room: &RoomId| !lighting.of_room(*room).is_empty();
    let lit: Vec<RoomId> = level.room_ids().filter(lit).collect();
    let mut samples = Vec::new();
    // Some hundred rooms tell as much as all of a huge level.
    for &room in lit.iter().step_by(lit.len().div_ceil(512).max(1)) {
        let start = samples.len();
        sample_room(level, lighting, room, |sample| {
            let from_lamps = f64::from(sample.from_lamps.max_element());
            if from_lamps > 0.0 {
                let light = sample.from_lamps + reflected[room.0 as usize];
                let weight = f64::from(sample.area) * from_lamps.sqrt();
                samples.push((f64::from(light.max_element()), weight));
            }
        });
        let of_room = &mut samples[start..];
        let weight: f64 = of_room.iter().map(|(_, weight)| weight).sum();
        of_room.iter_mut().for_each(|(_, w)| *w /= weight);
    }
    samples
}

/// Looks at places all over one room's surfaces.
pub(super) fn sample_room(
    level: &Level,
    lighting: &Lighting,
    room: RoomId,
    mut look: impl FnMut(Sample),
) {
    let draws = level.room(room).draws.clone();
    let lights = lighting.of_room(room);
    for draw in &level.draws[draws.start as usize..draws.end as usize] {
        let indices = &level.indices[draw.indices.start as usize..draw.indices.end as usize];
        let triangles = indices.as_chunks::<3>().0;
        // Enough for a mean, however fine the mesh is.
        let step = triangles.len().div_ceil(64).max(1);
        for corners in triangles.iter().step_by(step) {
            let [a, b, c] = corners.map(|i| level.vertices[i as usize].position);
            let cross = (b - a).cross(c - a);
            let Some(normal) = cross.try_normalize() else {
                continue;
            };
            let centre = (a + b + c) / 3.0;
            for point in [
                centre,
                (centre + a) * 0.5,
                (centre + b) * 0.5,
                (centre + c) * 0.5,
            ] {
                let mut sample = Sample {
                    area: cross.length() * 0.5 / 4.0 * step as f32,
                    from_lamps: Vec3::ZERO,
                    from_sun: Vec3::ZERO,
                    material: draw.material,
                };
                for light in lights {
                    let arrives = light.on_surface(point, normal, &lighting.sides);
                    if light.is_parallel() {
                        sample.from_sun += arrives;
                    } else {
                        sample.from_lamps += arrives;
                    }
                }
                look(sample);
            }
        }
    }
}
