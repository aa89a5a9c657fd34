//! Shadow maps on the device: one texture layer for each view, drawn when a light first becomes visible and again only
//! after a change in its rooms.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::device::Gpu;
use super::device_level::DeviceLevel;
use super::figures::{FigureBuffers, FigureCaster, casters_of};
use super::pipeline::Pipelines;
use super::pipeline_state::DEPTH;
use super::shadow_pass::ShadowPass;
use super::texture::{array_layers, extent};
use super::upload::write_buffers;
use crate::lighting::{Lighting, Shadow};

/// The entry of the table for a view without a layer; as in the shader.
const NO_LAYER: u32 = u32::MAX;

/// A cache of the maps of visible lights, as many as fit.
pub(super) struct ShadowMaps {
    size: u32,
    /// The texture array of all layers, for the shader.
    pub(super) array: wgpu::TextureView,
    layers: Vec<wgpu::TextureView>,
    free: Vec<u32>,
    /// The maps on the device, by their indices in [`crate::lighting::LightLists::shadows`].
    cached: BTreeMap<u32, CacheEntry>,
    /// The layer of each view of all maps.
    table: Vec<u32>,
    pub(super) table_buffer: wgpu::Buffer,
    /// Whether the table has changed since it was written to the device.
    table_changed: bool,
    /// A counter of calls, for finding the least recently used maps.
    now: u64,
    pass: ShadowPass,
}

/// A shadow map on the device.
struct CacheEntry {
    /// The shadow map that was drawn.
    shadow: Arc<Shadow>,
    first_view: u32,
    layers: Vec<u32>,
    /// Whether the map contains a figure, so that it must be drawn again.
    has_figures: bool,
    last_used: u64,
}

impl ShadowMaps {
    /// Creates space for `layers` views of `size` by `size` texels, for a level with this lighting.
    pub(super) fn new(gpu: &Gpu, size: u32, layers: u32, lighting: &Lighting) -> Self {
        let all_layers = array_layers(gpu, layers);
        let layers = layers.clamp(1, all_layers);
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow maps"),
            size: extent(size, size, all_layers),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = |dimension, first, count| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(dimension),
                base_array_layer: first,
                array_layer_count: Some(count),
                ..Default::default()
            })
        };
        let array = view(wgpu::TextureViewDimension::D2Array, 0, all_layers);
        let single = |layer| view(wgpu::TextureViewDimension::D2, layer, 1);
        let mut maps = Self {
            size,
            pass: ShadowPass::new(gpu, &texture, &array),
            array,
            layers: (0..layers).map(single).collect(),
            free: (0..layers).rev().collect(),
            cached: BTreeMap::new(),
            table: Vec::new(),
            table_buffer: table_buffer(gpu, lighting.lists.view_count),
            table_changed: true,
            now: 0,
        };
        maps.update(gpu, lighting);
        maps
    }

    /// Texels along a side of a view.
    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// The bounds of the depths of all layers, for the shader.
    pub(super) fn bounds(&self) -> &wgpu::TextureView {
        &self.pass.bounds.array
    }

    /// The number of views that fit at once.
    pub(super) fn capacity(&self) -> u32 {
        self.layers.len() as u32
    }

    /// Updates the cache after changes of the lists: maps with an unchanged number of views are kept. This may replace
    /// the table's buffer.
    pub(super) fn update(&mut self, gpu: &Gpu, lighting: &Lighting) {
        let lists = &lighting.lists;
        self.table.clear();
        self.table
            .resize(lists.view_count.max(1) as usize, NO_LAYER);
        self.table_changed = true;
        if self.table_buffer.size() < self.table.len() as u64 * 4 {
            self.table_buffer = table_buffer(gpu, lists.view_count);
        }
        self.cached.retain(|&index, entry| {
            let map = &lists.shadows[index as usize];
            if map.shadow.view_count() as usize != entry.layers.len() {
                self.free.append(&mut entry.layers);
                return false;
            }
            entry.first_view = map.first_view();
            let first = entry.first_view as usize;
            self.table[first..first + entry.layers.len()].copy_from_slice(&entry.layers);
            true
        });
    }

    /// Records the drawing of the maps with these indices that are not on the device yet, or in which geometry moved.
    /// All of them must fit. The first pass takes the timestamps.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        (lighting, needed): (&Lighting, &[u32]),
        (figures, casters): (&FigureBuffers, &[FigureCaster]),
        (pipelines, level): (&mut Pipelines, &DeviceLevel),
        timestamps: &mut Option<wgpu::RenderPassTimestampWrites>,
    ) {
        self.now += 1;
        for index in needed {
            if let Some(entry) = self.cached.get_mut(index) {
                entry.last_used = self.now;
            }
        }
        self.pass.clear();
        for &index in needed {
            let map = &lighting.lists.shadows[index as usize];
            let shadow = &map.shadow;
            let casters = casters_of(casters, index);
            let has_figures = !casters.is_empty();
            if let Some(entry) = self.cached.get_mut(&index) {
                let drawn = std::mem::replace(&mut entry.shadow, Arc::clone(shadow));
                let had_figures = std::mem::replace(&mut entry.has_figures, has_figures);
                let is_changed = !Arc::ptr_eq(&drawn, shadow) && drawn != *shadow;
                if is_changed || had_figures || has_figures {
                    self.pass
                        .add((shadow, casters), &entry.layers, self.size, level);
                }
                continue;
            }
            let Some(layers) = self.take_layers(shadow.view_count()) else {
                continue;
            };
            let first = map.first_view() as usize;
            self.table[first..first + layers.len()].copy_from_slice(&layers);
            self.table_changed = true;
            self.pass.add((shadow, casters), &layers, self.size, level);
            let entry = CacheEntry {
                shadow: Arc::clone(shadow),
                first_view: map.first_view(),
                layers,
                has_figures,
                last_used: self.now,
            };
            self.cached.insert(index, entry);
        }
        if std::mem::take(&mut self.table_changed) {
            let table = bytemuck::cast_slice(&self.table);
            write_buffers(gpu, encoder, &[(&self.table_buffer, table)]);
        }
        self.pass.record(
            gpu,
            encoder,
            &self.layers,
            figures,
            (pipelines, level),
            timestamps,
        );
    }

    /// Takes `count` layers, if necessary from the least recently used maps.
    fn take_layers(&mut self, count: u32) -> Option<Vec<u32>> {
        while self.free.len() < count as usize {
            let entries = self.cached.iter();
            let unused = entries.filter(|(_, entry)| entry.last_used < self.now);
            let (&key, _) = unused.min_by_key(|(_, entry)| entry.last_used)?;
            let entry = self.cached.remove(&key)?;
            let first = entry.first_view as usize;
            self.table[first..first + entry.layers.len()].fill(NO_LAYER);
            self.table_changed = true;
            self.free.extend(entry.layers);
        }
        Some(self.free.split_off(self.free.len() - count as usize))
    }
}

fn table_buffer(gpu: &Gpu, views: u32) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("layers of shadow maps"),
        size: u64::from(views.max(1)) * 4,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
