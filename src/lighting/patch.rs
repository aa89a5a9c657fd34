//! Rooms as radiosity patches.

use glam::Vec3;

use super::lists::RoomLights;
use super::reflectance::Reflectance;
use super::samples::{SampleDensity, sample_room};
use crate::level::{Level, RoomId};

/// The samples of a patch.
const DENSITY: SampleDensity = SampleDensity {
    max_count: 800.0,
    min_area: 0.1,
};

/// A room as a patch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RoomPatch {
    /// The area of the surfaces, square metres.
    pub area: f32,
    /// The area of the sky, square metres.
    pub sky_area: f32,
    /// Mean albedo of the surfaces, linear RGB.
    pub albedo: Vec3,
    /// Reflected light of lamps and suns that leaves the surfaces, at exposure 1.
    pub from_lights: Vec3,
    /// Emitted light that leaves the surfaces, which is independent of exposure.
    pub emitted: Vec3,
}

impl RoomPatch {
    /// The light that leaves the surfaces with the light of lamps multiplied by `exposure`; without reflected ambient
    /// irradiance.
    pub(super) fn radiosity(&self, exposure: f32) -> Vec3 {
        self.from_lights * exposure + self.emitted
    }
}

/// Builds the patch of a room's surfaces; `reflectances` are those of all materials.
pub(super) fn patch(
    level: &Level,
    lights: &RoomLights,
    room: RoomId,
    reflectances: &[Reflectance],
) -> RoomPatch {
    let mut patch = RoomPatch::default();
    sample_room(level, lights, DENSITY, room, |sample| {
        let index = sample.material as usize;
        let (Some(material), Some(reflectance)) =
            (level.materials.get(index), reflectances.get(index))
        else {
            return;
        };
        if material.sky {
            patch.sky_area += sample.area;
            return;
        }
        patch.area += sample.area;
        let albedo = reflectance.albedo(sample.tint);
        patch.albedo += albedo * sample.area;
        let light = sample.from_lamps + sample.from_sun;
        patch.from_lights += albedo * light * sample.area;
        patch.emitted += reflectance.emitted * sample.area;
    });
    if level.room(room).open_to_sky {
        let size = level.room(room).bounds.max - level.room(room).bounds.min;
        patch.sky_area += (size.x * size.z).max(0.0) as f32;
    }
    if patch.area > 0.0 {
        patch.albedo /= patch.area;
        patch.from_lights /= patch.area;
        patch.emitted /= patch.area;
    }
    patch
}
