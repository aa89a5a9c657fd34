//! The parts of the reflected light of a room that flicker.

use glam::Vec3;

use super::gpu_light::GpuLight;
use super::lists::RoomLights;
use super::patch::RoomPatch;

/// Returns the part of a room's reflected light that comes from each flickering light, by the factor of the light. `all`
/// are the lights that reach the room; its patch, the exposure and the ambient irradiance follow. `flickers` tells whether
/// the light with a factor flickers; `patch_of` returns the patch under some of the lights.
pub(super) fn flickering_parts(
    all: &RoomLights,
    (patch, exposure, ambient): (&RoomPatch, f32, Vec3),
    flickers: impl Fn(u32) -> bool,
    patch_of: impl Fn(&RoomLights) -> RoomPatch,
) -> Vec<(u32, Vec3)> {
    // In a closed room, the light that leaves the surfaces is that of lamps over the part that is not reflected.
    let closed = (Vec3::ONE - patch.albedo).max(Vec3::splat(0.1));
    let leaving = (patch.radiosity(exposure) + patch.albedo * ambient) * closed;
    let factors = all.lights.iter().map(GpuLight::factor);
    let mut factors: Vec<u32> = factors.filter(|factor| flickers(*factor)).collect();
    factors.sort_unstable();
    factors.dedup();
    let parts = factors.into_iter().map(|factor| {
        let lights = all.lights.iter().filter(|light| light.factor() == factor);
        let alone = RoomLights {
            lights: lights.copied().collect::<Vec<_>>().into(),
            ..all.clone()
        };
        let light = patch_of(&alone).from_lights * exposure;
        let part = light / leaving.max(Vec3::splat(1e-6));
        (factor, part.min(Vec3::ONE))
    });
    parts.collect()
}
