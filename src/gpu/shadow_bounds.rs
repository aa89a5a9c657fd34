//! Bounds of the depths in shadow maps, with which the shader finds out where a soft shadow may lie.

use super::bindings::texture;
use super::device::Gpu;
use super::growable_buffer::GrowableBuffer;
use super::pipeline_state::{PipelineKey, create};
use super::texture::extent;

/// Texels of a map along a side of a block; as in the shaders.
const BLOCK: u32 = 16;
/// The format of the nearest and the farthest depth: the bits of floats. OpenGL ES draws no textures of 32-bit floats.
const BOUNDS: wgpu::TextureFormat = wgpu::TextureFormat::Rg32Uint;

/// The bounds of all views, and the views to be measured.
pub(super) struct ShadowBounds {
    /// The texture array of the bounds of all layers, for the shader of rooms.
    pub(super) array: wgpu::TextureView,
    layers: Vec<wgpu::TextureView>,
    /// The bounds of the blocks of one layer without their surroundings.
    blocks: wgpu::TextureView,
    measure: wgpu::RenderPipeline,
    widen: wgpu::RenderPipeline,
    maps: wgpu::BindGroup,
    of_blocks: wgpu::BindGroup,
    views: Vec<MeasuredView>,
    buffer: GrowableBuffer,
}

/// The shader's input for a view.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct MeasuredView {
    pub(super) layer: u32,
    /// The maximum radius of a penumbra, texels, per depth of its edge.
    pub(super) reach: f32,
}

const ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Uint32, 1 => Float32];

impl ShadowBounds {
    /// Creates the bounds of all layers of `maps`, of which `array` is the view of all.
    pub(super) fn new(gpu: &Gpu, maps: &wgpu::Texture, array: &wgpu::TextureView) -> Self {
        let device = &gpu.device;
        let side = maps.width().div_ceil(BLOCK);
        let layers = maps.depth_or_array_layers();
        let bounds = |layers| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("bounds of shadow maps"),
                size: extent(side, side, layers),
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: BOUNDS,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            })
        };
        let of_layers = bounds(layers);
        let layer = |layer| {
            of_layers.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..Default::default()
            })
        };
        let blocks = bounds(1).create_view(&wgpu::TextureViewDescriptor::default());
        let layout = |entry| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("bounds of shadow maps"),
                entries: &[entry],
            })
        };
        let depth = wgpu::TextureSampleType::Float { filterable: false };
        let bits = wgpu::TextureSampleType::Uint;
        let flat = wgpu::TextureViewDimension::D2;
        let of_maps = layout(texture(
            0,
            depth,
            wgpu::TextureViewDimension::D2Array,
            false,
        ));
        let of_blocks = layout(texture(1, bits, flat, false));
        let shader =
            device.create_shader_module(wgpu::include_wgsl!("../../shaders/shadow_bounds.wgsl"));
        let pipeline = |entry, layout: &wgpu::BindGroupLayout| {
            create(
                device,
                &PipelineKey {
                    label: "bounds of shadow maps",
                    entries: ["vertex", entry],
                    groups: &[Some(layout)],
                    vertices: &[Some(wgpu::VertexBufferLayout {
                        array_stride: size_of::<MeasuredView>() as u64,
                        step_mode: wgpu::VertexStepMode::Instance,
                        attributes: &ATTRIBUTES,
                    })],
                    samples: 1,
                    ..PipelineKey::new(&shader, BOUNDS)
                },
            )
        };
        let bind = |layout: &wgpu::BindGroupLayout, binding, view| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("bounds of shadow maps"),
                layout,
                entries: &[wgpu::BindGroupEntry {
                    binding,
                    resource: wgpu::BindingResource::TextureView(view),
                }],
            })
        };
        Self {
            array: of_layers.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            }),
            layers: (0..layers).map(layer).collect(),
            measure: pipeline("measure", &of_maps),
            widen: pipeline("widen", &of_blocks),
            maps: bind(&of_maps, 0, array),
            of_blocks: bind(&of_blocks, 1, &blocks),
            blocks,
            views: Vec::new(),
            buffer: GrowableBuffer::new(gpu, "measured views", wgpu::BufferUsages::VERTEX),
        }
    }

    pub(super) fn clear(&mut self) {
        self.views.clear();
    }

    /// Adds a layer to be measured; returns its index. `reach` is the maximum radius of a penumbra, texels, per depth of
    /// its edge.
    pub(super) fn add(&mut self, layer: u32, reach: f32) -> u32 {
        self.views.push(MeasuredView { layer, reach });
        self.views.len() as u32 - 1
    }

    /// Writes the layers to be measured.
    pub(super) fn write(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
        let views = bytemuck::cast_slice(&self.views);
        self.buffer.write(gpu, encoder, views);
    }

    /// Records the measurement of the layer with this index, after its drawing.
    pub(super) fn measure(&self, encoder: &mut wgpu::CommandEncoder, index: u32) {
        let layer = self.views[index as usize].layer;
        let start = u64::from(index) * size_of::<MeasuredView>() as u64;
        for (pipeline, bound, target) in [
            (&self.measure, &self.maps, &self.blocks),
            (&self.widen, &self.of_blocks, &self.layers[layer as usize]),
        ] {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("bounds of a shadow map"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, bound, &[]);
            pass.set_vertex_buffer(0, self.buffer.buffer.slice(start..));
            pass.draw(0..3, 0..1);
        }
    }
}
