//! Reflection cubes on the device: one octahedral map each, drawn when a surface first reflects its room and again only
//! after a change in the picture.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cube_capture::{CubeCapture, MAP_BYTES, MAP_LEVELS, MAP_TEXELS};
use super::device::Gpu;
use super::pipeline_state::LIGHT;
use super::quality::RenderQuality;
use super::texture::{array_layers, extent};
use crate::frame::{CubeId, FrameReflections, ReflectionCube, max_cubes};
use crate::level::Level;

/// A cache of the maps of reflected rooms, as many as fit.
pub(super) struct CubeMaps {
    texture: wgpu::Texture,
    /// The texture array of all maps, for the shader.
    pub(super) array: wgpu::TextureView,
    /// The resources for drawing; `None` if the level has no reflections.
    pub(super) capture: Option<CubeCapture>,
    free: Vec<u32>,
    cached: BTreeMap<CubeId, CachedCube>,
    /// The cube whose faces are being drawn, and the next face.
    drawing: Option<(Arc<ReflectionCube>, usize)>,
    /// A counter of batches, for finding the least recently used maps.
    now: u64,
}

/// A map on the device.
struct CachedCube {
    /// The cube that was drawn.
    cube: Arc<ReflectionCube>,
    layer: u32,
    last_used: u64,
}

impl CubeMaps {
    /// Creates space for the cubes of a level.
    pub(super) fn new(gpu: &Gpu, level: &Level, quality: RenderQuality) -> Self {
        let affordable = quality.reflection_bytes / MAP_BYTES;
        let wanted = u64::from(max_cubes(level)).min(affordable) as u32;
        let is_affordable = u64::from(array_layers(gpu, wanted)) <= affordable;
        let wanted = wanted.saturating_sub(u32::from(!is_affordable));
        let all_layers = array_layers(gpu, wanted);
        let layers = wanted.min(all_layers);
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("reflections"),
            size: extent(MAP_TEXELS, MAP_TEXELS, all_layers),
            mip_level_count: MAP_LEVELS,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: LIGHT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING,
            view_formats: &[],
        });
        Self {
            array: texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            }),
            texture,
            capture: (layers > 0).then(|| CubeCapture::new(gpu, level)),
            free: (0..layers).rev().collect(),
            cached: BTreeMap::new(),
            drawing: None,
            now: 0,
        }
    }

    /// The number of maps that fit at once; no limit if there are none at all.
    pub(super) fn capacity(&self) -> u32 {
        match self.free.len() + self.cached.len() {
            0 => u32::MAX,
            layers => layers as u32,
        }
    }

    /// Begins a batch that needs the cubes in these slots.
    pub(super) fn begin_batch(&mut self, reflections: &FrameReflections, slots: &[u32]) {
        self.now += 1;
        for &slot in slots {
            let cube = reflections.slots[slot as usize].cube.as_ref();
            if let Some(entry) = cube.and_then(|cube| self.cached.get_mut(&cube.id)) {
                entry.last_used = self.now;
            }
        }
    }

    /// The next face that must be drawn for the batch.
    pub(super) fn next_face(
        &self,
        reflections: &FrameReflections,
        slots: &[u32],
    ) -> Option<(Arc<ReflectionCube>, usize)> {
        if let Some((cube, face)) = &self.drawing {
            return Some((Arc::clone(cube), *face));
        }
        let cubes = slots
            .iter()
            .filter_map(|&slot| reflections.slots[slot as usize].cube.as_ref());
        let mut stale = cubes.filter(|cube| match self.cached.get(&cube.id) {
            Some(entry) => !Arc::ptr_eq(&entry.cube, cube),
            // If a single room reflects too many cubes, some are left out.
            None => !self.free.is_empty() || self.unused().is_some(),
        });
        stale.next().map(|cube| (Arc::clone(cube), 0))
    }

    /// Notes that a face was captured. After the last face, returns the levels of the map that the captured cube is
    /// filtered into.
    pub(super) fn add_face(
        &mut self,
        cube: Arc<ReflectionCube>,
        face: usize,
    ) -> Option<Vec<wgpu::TextureView>> {
        if face + 1 < cube.faces.len() {
            self.drawing = Some((cube, face + 1));
            return None;
        }
        self.drawing = None;
        let known = self.cached.get(&cube.id).map(|entry| entry.layer);
        let layer = known.or_else(|| self.free.pop()).or_else(|| self.evict())?;
        let entry = CachedCube {
            layer,
            last_used: self.now,
            cube: Arc::clone(&cube),
        };
        self.cached.insert(cube.id, entry);
        let levels = (0..MAP_LEVELS).map(|level| {
            self.texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_mip_level: level,
                mip_level_count: Some(1),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..Default::default()
            })
        });
        Some(levels.collect())
    }

    /// Writes the records of a frame, with the layers of the cubes that are drawn.
    pub(super) fn write_records(&self, reflections: &FrameReflections, to: &mut Vec<[f32; 4]>) {
        to.clear();
        to.extend_from_slice(&reflections.records);
        for slot in &reflections.slots {
            let cube = slot.cube.as_ref();
            if let Some(entry) = cube.and_then(|cube| self.cached.get(&cube.id)) {
                to[slot.record as usize][3] = entry.layer as f32;
            }
        }
    }

    /// The least recently used map that the batch does not need.
    fn unused(&self) -> Option<CubeId> {
        let entries = self.cached.iter();
        let unused = entries.filter(|(_, entry)| entry.last_used < self.now);
        let (&id, _) = unused.min_by_key(|(_, entry)| entry.last_used)?;
        Some(id)
    }

    /// Takes the layer of the least recently used map.
    fn evict(&mut self) -> Option<u32> {
        let id = self.unused()?;
        Some(self.cached.remove(&id)?.layer)
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::level::Material;

    /// A level of `count` polished rooms in a row, each 20 m long.
    fn polished(count: usize) -> Level {
        let mut sketch = Sketch::new("polished");
        sketch.source.materials[0] = Material {
            roughness: 0.1,
            ..Material::default()
        };
        for nth in 0..count {
            let x = 5.0 * nth as f64;
            let inside = cuboid([x, 0.0, 0.0], [x + 4.0, 3.0, 20.0]);
            sketch.box_room(&format!("room-{nth}"), inside, &[]);
        }
        sketch.spawn(0, DVec3::new(1.0, 0.1, 1.0), DVec3::X);
        build(sketch.source).expect("the sketch is good").0
    }

    #[test]
    fn reflections_take_no_more_memory_than_the_level_needs_or_the_quality_allows() {
        let gpu = Gpu::open_noop().expect("there is always a device that does nothing");
        let quality = RenderQuality::high();
        let bytes = |level: &Level, quality| {
            let maps = CubeMaps::new(&gpu, level, quality);
            u64::from(maps.texture.depth_or_array_layers()) * MAP_BYTES
        };
        // A multiple of six layers, or a single one, would not be an array on OpenGL.
        assert_eq!(bytes(&polished(2), quality), 7 * MAP_BYTES);
        let many = bytes(&polished(400), quality);
        assert!(many <= quality.reflection_bytes, "{many} bytes");
        let off = RenderQuality {
            reflection_bytes: 0,
            ..quality
        };
        assert_eq!(bytes(&polished(2), off), 2 * MAP_BYTES);
    }
}
