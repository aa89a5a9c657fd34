//! Lights that flicker, and lights with which surfaces glow: their factors in a frame.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::level::{Level, Light, LightId, RoomId};
use crate::world::World;

/// The number of independent values of the noise of a flickering light in a second.
const FLICKERS_PER_SECOND: f64 = 9.0;

/// The lights of a level that have a factor in each frame, and the room light that flickers with them.
#[derive(Clone, Debug, Default)]
pub(super) struct VaryingLights {
    /// Per light: the index of its factor. Factor 0 is that of all other lights: 1.
    factor_of: Vec<u32>,
    /// The light of each factor from number 1.
    lights: Vec<(LightId, f32)>,
    /// The part of the reflected light of a room that comes from a flickering light, by its factor.
    in_rooms: BTreeMap<RoomId, Vec<(u32, Vec3)>>,
}

impl VaryingLights {
    pub(super) fn of(level: &Level) -> Self {
        let mut lights = Vec::new();
        let factor_of = (0..).map(LightId).zip(&level.lights).map(|(id, light)| {
            if !varies(light) {
                return 0;
            }
            lights.push((id, light.flicker));
            lights.len() as u32
        });
        Self {
            factor_of: factor_of.collect(),
            lights,
            in_rooms: BTreeMap::new(),
        }
    }

    /// The index of the factor of a light.
    pub(super) fn factor_of(&self, light: usize) -> u32 {
        self.factor_of[light]
    }

    /// Writes all factors at a time, seconds; without a time those of steady light.
    pub(super) fn write_factors(&self, world: &World, secs: Option<f64>, to: &mut Vec<f32>) {
        to.clear();
        to.push(1.0);
        to.extend(self.lights.iter().map(|&(id, flicker)| match secs {
            _ if !world.is_lit(id) => 0.0,
            Some(secs) if flicker > 0.0 => 1.0 + flicker * noise(id.0, secs),
            _ => 1.0,
        }));
    }

    /// The factor of the reflected light of a room.
    pub(super) fn of_room(&self, room: RoomId, factors: &[f32]) -> Vec3 {
        let parts = self.in_rooms.get(&room).into_iter().flatten();
        let parts = parts.map(|&(factor, part)| part * (factors[factor as usize] - 1.0));
        Vec3::ONE + parts.sum::<Vec3>()
    }

    /// Whether any light flickers.
    pub(super) fn has_flicker(&self) -> bool {
        self.lights.iter().any(|(_, flicker)| *flicker > 0.0)
    }

    /// Sets the parts of a room's reflected light that flicker.
    pub(super) fn set_parts(&mut self, room: RoomId, parts: Vec<(u32, Vec3)>) {
        if parts.is_empty() {
            self.in_rooms.remove(&room);
        } else {
            self.in_rooms.insert(room, parts);
        }
    }

    /// Whether the light with this factor flickers.
    pub(super) fn flickers(&self, factor: u32) -> bool {
        let light = factor.checked_sub(1).map(|at| self.lights[at as usize]);
        light.is_some_and(|(_, flicker)| flicker > 0.0)
    }
}

/// Whether a light has a factor of its own.
fn varies(light: &Light) -> bool {
    light.flicker > 0.0 || !light.materials.is_empty()
}

/// The index of the factor of each material's emission.
pub fn factors_of_materials(level: &Level) -> Vec<u32> {
    let mut factors = vec![0; level.materials.len()];
    let varying = level.lights.iter().filter(|light| varies(light));
    for (factor, light) in (1..).zip(varying) {
        for &material in &light.materials {
            factors[material as usize] = factor;
        }
    }
    factors
}

/// Smooth noise between -1 and 1 with a mean of 0, different for each light.
fn noise(light: u32, secs: f64) -> f32 {
    let at = secs.max(0.0) * FLICKERS_PER_SECOND;
    let step = at.floor();
    let part = (at - step) as f32;
    let value = |step: u64| {
        let hash = (step ^ u64::from(light) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (hash >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let [before, after] = [0, 1].map(|next| value(step as u64 + next));
    let smooth = part * part * (3.0 - 2.0 * part);
    before + (after - before) * smooth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_of_a_flickering_light_is_smooth_within_bounds_and_has_no_mean() {
        let mut sum = 0.0;
        for light in 0..20 {
            let mut before = noise(light, 0.0);
            for tick in 1..6000 {
                let now = noise(light, f64::from(tick) / 60.0);
                assert!((-1.0..=1.0).contains(&now) && (now - before).abs() < 0.6);
                before = now;
                sum += f64::from(now);
            }
        }
        assert!((sum / 120_000.0).abs() < 0.02, "{sum}");
        assert_ne!(noise(1, 3.3), noise(2, 3.3));
    }
}
