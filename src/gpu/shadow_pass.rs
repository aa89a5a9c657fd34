//! Render passes for shadow maps.

use std::ops::Range;

use glam::{DMat4, DVec4};

use super::device::Gpu;
use super::device_level::DeviceLevel;
use super::figures::{FigureBuffers, FigureCaster};
use super::growable_buffer::GrowableBuffer;
use super::pipeline::{Pipelines, ShadowState};
use super::shadow_bounds::ShadowBounds;
use super::vertex_layouts::CasterInstance;
use crate::geometry::Aabb;
use crate::lighting::{Shadow, clip_from_room};

/// The views to draw, and working memory.
pub(super) struct ShadowPass {
    buffer: GrowableBuffer,
    instances: Vec<CasterInstance>,
    views: Vec<ShadowView>,
    draws: Vec<CasterDraw>,
    /// The bounds of the depths of all views, for lights with a size.
    pub(super) bounds: ShadowBounds,
}

/// A view to be drawn.
struct ShadowView {
    layer: u32,
    /// The index of its bounds, if the light has a size.
    bounds: Option<u32>,
    fronts_only: bool,
    draws: Range<usize>,
}

struct CasterDraw {
    instance: u32,
    source: IndexSource,
    indices: Range<u32>,
}

/// The source of indices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IndexSource {
    /// The casters of a chunk of the level.
    Casters(usize),
    /// The indices of a chunk, for a material whose texels affect the shadow.
    Masked(usize, u32),
    /// The index buffer of all figures.
    Figures,
}

impl ShadowPass {
    /// Creates the pass for the layers of `maps`, the texture array of all views.
    pub(super) fn new(gpu: &Gpu, maps: &wgpu::Texture, array: &wgpu::TextureView) -> Self {
        Self {
            bounds: ShadowBounds::new(gpu, maps, array),
            buffer: GrowableBuffer::new(gpu, "casters", wgpu::BufferUsages::VERTEX),
            instances: Vec::new(),
            views: Vec::new(),
            draws: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.instances.clear();
        self.views.clear();
        self.draws.clear();
        self.bounds.clear();
    }

    /// Adds all views of a shadow map of `size` by `size` texels, to be drawn to these layers.
    pub(super) fn add(
        &mut self,
        shadow: (&Shadow, &[FigureCaster]),
        layers: &[u32],
        size: u32,
        level: &DeviceLevel,
    ) {
        for (view, &layer) in (0u32..).zip(layers) {
            self.add_view(shadow, (view, layer), size, level);
        }
    }

    fn add_view(
        &mut self,
        (shadow, figures): (&Shadow, &[FigureCaster]),
        (view, layer): (u32, u32),
        size: u32,
        level: &DeviceLevel,
    ) {
        let start = self.draws.len();
        for caster in &shadow.casters {
            let clip_from_room = clip_from_room(shadow, &caster.light_room_from_room, view);
            if !may_show(&caster.bounds, clip_from_room.as_dmat4()) {
                continue;
            }
            let instance = self.instances.len() as u32;
            self.instances.push(CasterInstance {
                clip_from_room: clip_from_room.to_cols_array_2d(),
            });
            let ranges = caster.draws.start as usize..caster.draws.end as usize;
            let ranges = level.geometry.ranges.get(ranges).unwrap_or_default();
            for range in ranges {
                let material = level.materials.get(range.material as usize);
                let masked = material.is_some_and(|m| m.shadow.is_some());
                match self.draws[start..].last_mut() {
                    Some(last)
                        if last.instance == instance
                            && last.source == IndexSource::Casters(range.chunk)
                            && last.indices.end == range.casters.start =>
                    {
                        last.indices.end = range.casters.end;
                    }
                    _ if !range.casters.is_empty() => self.draws.push(CasterDraw {
                        instance,
                        source: IndexSource::Casters(range.chunk),
                        indices: range.casters.clone(),
                    }),
                    _ => {}
                }
                if masked {
                    self.draws.push(CasterDraw {
                        instance,
                        source: IndexSource::Masked(range.chunk, range.material),
                        indices: range.indices.clone(),
                    });
                }
            }
        }
        for figure in figures {
            let clip_from_figure = clip_from_room(shadow, &figure.light_room_from_figure, view);
            if may_show(&figure.bounds, clip_from_figure.as_dmat4()) {
                self.draws.push(CasterDraw {
                    instance: self.instances.len() as u32,
                    source: IndexSource::Figures,
                    indices: figure.indices.clone(),
                });
                self.instances.push(CasterInstance {
                    clip_from_room: clip_from_figure.to_cols_array_2d(),
                });
            }
        }
        // Penumbras are up to twice as wide towards the corners of a view.
        let reach = (shadow.penumbra_texels(size) * 2.0) as f32;
        self.views.push(ShadowView {
            layer,
            bounds: (reach > 0.0).then(|| self.bounds.add(layer, reach)),
            fronts_only: shadow.fronts_only,
            draws: start..self.draws.len(),
        });
    }

    /// Records the drawing of all views; the first takes the timestamps.
    pub(super) fn record(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        layers: &[wgpu::TextureView],
        figures: &FigureBuffers,
        (pipelines, level): (&mut Pipelines, &DeviceLevel),
        timestamps: &mut Option<wgpu::RenderPassTimestampWrites>,
    ) {
        let instances = bytemuck::cast_slice(&self.instances);
        self.buffer.write(gpu, encoder, instances);
        self.bounds.write(gpu, encoder);
        for view in &self.views {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow"),
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &layers[view.layer as usize],
                    depth_ops: Some(wgpu::Operations {
                        // Reversed depth: 0 is at infinity.
                        load: wgpu::LoadOp::Clear(0.0),
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
                timestamp_writes: timestamps.take(),
                ..Default::default()
            });
            pass.set_vertex_buffer(1, self.buffer.buffer.slice(..));
            self.draw(gpu, &mut pass, view, figures, (&mut *pipelines, level));
            drop(pass);
            if let Some(index) = view.bounds {
                self.bounds.measure(encoder, index);
            }
        }
    }

    fn draw(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass,
        view: &ShadowView,
        figures: &FigureBuffers,
        (pipelines, level): (&mut Pipelines, &DeviceLevel),
    ) {
        let (mut last_state, mut last_source) = (None, None);
        for draw in &self.draws[view.draws.clone()] {
            let state = ShadowState {
                masked: matches!(draw.source, IndexSource::Masked(..)),
                flattened: draw.source == IndexSource::Figures,
                fronts_only: view.fronts_only,
            };
            if last_state.replace(state) != Some(state) {
                pass.set_pipeline(pipelines.shadow(gpu, state));
            }
            if last_source.replace(draw.source) != Some(draw.source) {
                let chunks = &level.geometry.chunks;
                match draw.source {
                    IndexSource::Casters(chunk) => chunks[chunk].bind_casters(pass),
                    IndexSource::Masked(chunk, material) => {
                        let material = level.materials.get(material as usize);
                        if let Some(bound) = material.and_then(|m| m.shadow.as_ref()) {
                            pass.set_bind_group(0, bound, &[]);
                        }
                        chunks[chunk].bind(pass);
                    }
                    IndexSource::Figures => figures.bind(pass),
                }
            }
            pass.draw_indexed(draw.indices.clone(), 0, draw.instance..draw.instance + 1);
        }
    }
}

/// Whether a box may be visible in the clip space of the matrix: its corners are not all outside of one plane of the
/// view.
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
