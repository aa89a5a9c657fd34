//! Shadow maps on the device: one layer of a texture for each view, drawn when a light first
//! comes into sight and again only when something in its rooms changed.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{DMat4, DVec4};

use super::Gpu;
use super::geometry::Geometry;
use super::growable_buffer::GrowableBuffer;
use super::material::DeviceMaterial;
use super::pipeline::{CasterInstance, DEPTH, Pipelines, ShadowState};
use super::texture::extent;
use crate::geometry::Aabb;
use crate::lighting::{Lighting, Shadow, ShadowKey, clip_from_room};

/// What the shader reads where a view has no layer.
const NO_LAYER: u32 = u32::MAX;

/// The maps of the lights in sight, as far as there is room for them.
pub(super) struct ShadowMaps {
    size: u32,
    /// All layers, for the shader.
    pub(super) array: wgpu::TextureView,
    layers: Vec<wgpu::TextureView>,
    free: Vec<u32>,
    held: BTreeMap<ShadowKey, CacheEntry>,
    /// For each view of all maps its layer.
    table: Vec<u32>,
    pub(super) table_buffer: wgpu::Buffer,
    /// First view of each of [`crate::lighting::LightLists::shadows`].
    first_views: Vec<u32>,
    /// Counts calls, to know what was not needed for longest.
    now: u64,
    instances: GrowableBuffer,
    /// Working memory: what to draw.
    placed: Vec<CasterInstance>,
    views: Vec<View>,
    draws: Vec<CasterDraw>,
}

/// A map that is on the device.
struct CacheEntry {
    shadow: Shadow,
    /// Its index in [`crate::lighting::LightLists::shadows`].
    index: usize,
    layers: Vec<u32>,
    last_used: u64,
}

/// A view to be drawn.
struct View {
    layer: u32,
    fronts_only: bool,
    draws: Range<usize>,
}

struct CasterDraw {
    instance: u32,
    chunk: usize,
    /// The material, if its texels matter: then of the chunk's indices, else of its casters.
    masked: Option<u32>,
    indices: Range<u32>,
}

impl ShadowMaps {
    /// Room for `layers` views of `size` by `size` texels, of a level with this lighting.
    pub(super) fn new(gpu: &Gpu, size: u32, layers: u32, lighting: &Lighting) -> Self {
        let layers = layers.clamp(1, gpu.device.limits().max_texture_array_layers);
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow maps"),
            size: extent(size, size, layers),
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
        let single = |layer| view(wgpu::TextureViewDimension::D2, layer, 1);
        let mut maps = Self {
            size,
            array: view(wgpu::TextureViewDimension::D2Array, 0, layers),
            layers: (0..layers).map(single).collect(),
            free: (0..layers).rev().collect(),
            held: BTreeMap::new(),
            table: Vec::new(),
            table_buffer: table_buffer(gpu, lighting.lists.view_count),
            first_views: Vec::new(),
            now: 0,
            instances: GrowableBuffer::new(gpu, "casters", 16 << 10),
            placed: Vec::new(),
            views: Vec::new(),
            draws: Vec::new(),
        };
        maps.follow(gpu, lighting);
        maps
    }

    /// Texels along a side of a view.
    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// How many views have room at once.
    pub(super) fn capacity(&self) -> u32 {
        self.layers.len() as u32
    }

    /// Keeps of the maps those that are still right, after the lighting changed. The table may be
    /// another buffer afterwards.
    pub(super) fn follow(&mut self, gpu: &Gpu, lighting: &Lighting) {
        let free = &mut self.free;
        self.held.retain(|key, held| {
            let index = lighting
                .lists
                .shadows
                .binary_search_by(|(other, _)| other.cmp(key));
            match index {
                Ok(index) if lighting.lists.shadows[index].1 == held.shadow => {
                    held.index = index;
                    true
                }
                _ => {
                    free.append(&mut held.layers);
                    false
                }
            }
        });
        self.first_views.clear();
        let mut views = 0;
        for (_, shadow) in &lighting.lists.shadows {
            self.first_views.push(views);
            views += shadow.view_count();
        }
        self.table.clear();
        self.table.resize(views.max(1) as usize, NO_LAYER);
        if self.table_buffer.size() < self.table.len() as u64 * 4 {
            self.table_buffer = table_buffer(gpu, views);
        }
        for held in self.held.values() {
            let first = self.first_views[held.index] as usize;
            self.table[first..first + held.layers.len()].copy_from_slice(&held.layers);
        }
        self.write_table(gpu);
    }

    fn write_table(&self, gpu: &Gpu) {
        gpu.queue
            .write_buffer(&self.table_buffer, 0, bytemuck::cast_slice(&self.table));
    }

    /// Makes the maps with these indices be there after `encoder` is done; they fit. The first
    /// pass takes the timestamps.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        lighting: &Lighting,
        last_used: &[u32],
        device: (&mut Pipelines, &Geometry, &[DeviceMaterial]),
        encoder: &mut wgpu::CommandEncoder,
        timestamps: &mut Option<wgpu::RenderPassTimestampWrites>,
    ) {
        self.now += 1;
        for &index in last_used {
            let (key, _) = &lighting.lists.shadows[index as usize];
            if let Some(held) = self.held.get_mut(key) {
                held.last_used = self.now;
            }
        }
        self.views.clear();
        self.draws.clear();
        self.placed.clear();
        let (pipelines, geometry, materials) = device;
        for &index in last_used {
            let (key, shadow) = &lighting.lists.shadows[index as usize];
            if self.held.contains_key(key) {
                continue;
            }
            let Some(layers) = self.make_room(shadow.view_count()) else {
                continue;
            };
            let first = self.first_views[index as usize] as usize;
            self.table[first..first + layers.len()].copy_from_slice(&layers);
            for (view, &layer) in (0u32..).zip(&layers) {
                self.plan(shadow, view, layer, geometry, materials);
            }
            let held = CacheEntry {
                shadow: shadow.clone(),
                index: index as usize,
                layers,
                last_used: self.now,
            };
            self.held.insert(*key, held);
        }
        if self.views.is_empty() {
            return;
        }
        self.write_table(gpu);
        self.instances
            .write(gpu, bytemuck::cast_slice(&self.placed));
        for view in &self.views {
            let device = (&mut *pipelines, geometry, materials);
            self.draw(gpu, view, device, encoder, timestamps.take());
        }
    }

    /// So many layers, if need be those of maps that were not needed for longest.
    fn make_room(&mut self, count: u32) -> Option<Vec<u32>> {
        while self.free.len() < count as usize {
            let oldest = self
                .held
                .iter()
                .filter(|(_, held)| held.last_used < self.now);
            let (&key, _) = oldest.min_by_key(|(_, held)| held.last_used)?;
            let held = self.held.remove(&key)?;
            let first = self.first_views[held.index] as usize;
            self.table[first..first + held.layers.len()].fill(NO_LAYER);
            self.free.extend(held.layers);
        }
        Some(self.free.split_off(self.free.len() - count as usize))
    }

    /// Lists what is drawn in a view.
    fn plan(
        &mut self,
        shadow: &Shadow,
        view: u32,
        layer: u32,
        geometry: &Geometry,
        materials: &[DeviceMaterial],
    ) {
        let start = self.draws.len();
        for caster in &shadow.casters {
            let clip_from_room = clip_from_room(shadow, caster, view, self.size);
            if !may_show(&caster.bounds, clip_from_room.as_dmat4()) {
                continue;
            }
            let instance = self.placed.len() as u32;
            self.placed.push(CasterInstance {
                clip_from_room: clip_from_room.to_cols_array_2d(),
            });
            let draws = caster.draws.start as usize..caster.draws.end as usize;
            let draws = geometry.draws.get(draws).unwrap_or_default();
            for draw in draws {
                let material = materials.get(draw.material as usize);
                let masked = material.is_some_and(|m| m.shadow.is_some());
                match self.draws[start..].last_mut() {
                    Some(last)
                        if last.instance == instance
                            && last.masked.is_none()
                            && last.chunk == draw.chunk
                            && last.indices.end == draw.casters.start =>
                    {
                        last.indices.end = draw.casters.end;
                    }
                    _ if !draw.casters.is_empty() => self.draws.push(CasterDraw {
                        instance,
                        chunk: draw.chunk,
                        masked: None,
                        indices: draw.casters.clone(),
                    }),
                    _ => {}
                }
                if masked {
                    self.draws.push(CasterDraw {
                        instance,
                        chunk: draw.chunk,
                        masked: Some(draw.material),
                        indices: draw.indices.clone(),
                    });
                }
            }
        }
        self.views.push(View {
            layer,
            fronts_only: shadow.fronts_only,
            draws: start..self.draws.len(),
        });
    }

    fn draw(
        &self,
        gpu: &Gpu,
        view: &View,
        (pipelines, geometry, materials): (&mut Pipelines, &Geometry, &[DeviceMaterial]),
        encoder: &mut wgpu::CommandEncoder,
        timestamps: Option<wgpu::RenderPassTimestampWrites>,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.layers[view.layer as usize],
                depth_ops: Some(wgpu::Operations {
                    // Reversed depth: 0 is infinitely far.
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: timestamps,
            ..Default::default()
        });
        pass.set_vertex_buffer(1, self.instances.buffer.slice(..));
        let (mut last_state, mut last_buffer) = (None, None);
        for draw in &self.draws[view.draws.clone()] {
            let state = ShadowState {
                masked: draw.masked.is_some(),
                fronts_only: view.fronts_only,
            };
            if last_state.replace(state) != Some(state) {
                pass.set_pipeline(pipelines.shadow(gpu, state));
            }
            let material = draw.masked.and_then(|m| materials.get(m as usize));
            if let Some(bound) = material.and_then(|m| m.shadow.as_ref()) {
                pass.set_bind_group(0, bound, &[]);
            }
            let buffer = (draw.chunk, state.masked);
            if last_buffer.replace(buffer) != Some(buffer) {
                let chunk = &geometry.chunks[draw.chunk];
                let indices = if state.masked {
                    &chunk.indices
                } else {
                    &chunk.casters
                };
                pass.set_vertex_buffer(0, chunk.vertices.slice(..));
                pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            }
            pass.draw_indexed(draw.indices.clone(), 0, draw.instance..draw.instance + 1);
        }
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

/// Whether a box may show in the clip space that the matrix takes it to: no plane of the view has
/// all corners outside.
fn may_show(bounds: &Aabb, clip_from_room: DMat4) -> bool {
    if bounds.is_empty() {
        return false;
    }
    let corners = bounds.corners().map(|p| clip_from_room * p.extend(1.0));
    let outside: [fn(DVec4) -> bool; 5] = [
        |p| p.x < -p.w,
        |p| p.x > p.w,
        |p| p.y < -p.w,
        |p| p.y > p.w,
        |p| p.z > p.w,
    ];
    !outside
        .iter()
        .any(|outside| corners.iter().all(|&p| outside(p)))
}
