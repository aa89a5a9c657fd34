//! A level on the device.

use super::device::Gpu;
use super::error::GpuError;
use super::geometry::{self, DrawRange, Geometry};
use super::material::{self, DeviceMaterial};
use super::pipeline::{InstanceKey, Pipelines, RoomState};
use super::quality::RenderQuality;
use super::texture::GpuTextures;
use crate::level::Level;
use crate::lighting::lightmap::Lightmap;

/// Geometry and materials of a level, which never change.
pub(super) struct DeviceLevel {
    pub(super) geometry: Geometry,
    pub(super) materials: Vec<DeviceMaterial>,
    /// The material of figures.
    pub(super) figures: DeviceMaterial,
    pub(super) textures: GpuTextures,
    pub(super) shows_sky: bool,
    pub(super) has_clouds: bool,
}

impl DeviceLevel {
    /// Uploads the level, creates the pipelines for its materials, and uploads the textures that are not on the device
    /// yet.
    pub(super) fn upload(
        gpu: &Gpu,
        (level, lightmap): (&Level, &Lightmap),
        pipelines: &mut Pipelines,
        mut textures: GpuTextures,
        quality: RenderQuality,
    ) -> Result<Self, GpuError> {
        let device_bytes = gpu.device.limits().max_buffer_size;
        let max_bytes = match quality.buffer_bytes {
            0 => device_bytes,
            bytes => bytes.min(device_bytes),
        };
        let reflects = quality.reflects();
        let mut materials = material::upload(gpu, level, pipelines, &mut textures, reflects);
        for (on_device, material) in materials.iter_mut().zip(&level.materials) {
            on_device.surface = on_device.surface.under(material, &level.sky);
        }
        let uploaded = Self {
            geometry: geometry::upload(gpu, level, lightmap, max_bytes)?,
            materials,
            figures: material::upload_figures(gpu, level, pipelines, &mut textures),
            textures,
            shows_sky: level.shows_sky(),
            has_clouds: level.sky.clouds > 0.0,
        };
        let may_be_occluded = !level.bodies.is_empty();
        let instances = InstanceKey::all().filter(|key| {
            !key.mirrored
                && (may_be_occluded || !key.occluded)
                && (level.bends_space || !key.in_sheet)
        });
        for instance in instances {
            uploaded.prepare_pipelines(gpu, pipelines, instance);
        }
        Ok(uploaded)
    }

    /// Creates the pipelines for all materials in instances of a kind.
    pub(super) fn prepare_pipelines(
        &self,
        gpu: &Gpu,
        pipelines: &mut Pipelines,
        instance: InstanceKey,
    ) {
        for material in self.materials.iter().chain([&self.figures]) {
            for state in RoomState::of(material.surface, instance) {
                pipelines.prepare_room(gpu, state);
            }
        }
    }

    /// The location of a level's draw on the device, and its material.
    pub(super) fn range_and_material(&self, draw: u32) -> Option<(&DrawRange, &DeviceMaterial)> {
        let range = self.geometry.ranges.get(draw as usize)?;
        Some((range, self.materials.get(range.material as usize)?))
    }
}
