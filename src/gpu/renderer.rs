//! Draws frames of one level.

use wgpu::util::DeviceExt;

use super::geometry::{self, Geometry};
use super::overlay::Overlay;
use super::pipeline::{DEPTH, Instance, Pipelines, SAMPLES, Surface, pipelines};
use super::{Gpu, GpuError, material};
use crate::frame::{Frame, Placement};
use crate::level::Level;
use crate::lighting;

/// Behind everything: where a level has a hole.
const BACKGROUND: wgpu::Color = wgpu::Color {
    r: 0.01,
    g: 0.012,
    b: 0.016,
    a: 1.0,
};

/// As the shaders' `Globals`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Globals {
    clip_from_view: [[f32; 4]; 4],
    ambient: f32,
    padding: [f32; 3],
}

/// A level on the device, and all that is needed to draw it.
pub struct Renderer {
    pipelines: Pipelines,
    geometry: Geometry,
    materials: Vec<wgpu::BindGroup>,
    /// For each of the level's draws: its material and what decides on the pipeline.
    surfaces: Vec<(u32, Surface)>,
    /// For each room and leaf: first and one past the last of its lights.
    light_lists: Vec<[u32; 2]>,
    ambient: f32,
    globals: wgpu::Buffer,
    bound: wgpu::BindGroup,
    instances: Stream,
    /// The placements as the device reads them, reused from frame to frame.
    placed: Vec<Instance>,
    overlay: Overlay,
    format: wgpu::TextureFormat,
    targets: Option<Targets>,
}

/// The multisampled colour and depth of one size of picture.
struct Targets {
    size: [u32; 2],
    colour: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Renderer {
    /// Uploads the level, to be drawn to targets of `format` (an sRGB or float format).
    ///
    /// # Errors
    /// When the device has not the memory, or one mesh exceeds its largest buffer.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, level: &Level) -> Result<Self, GpuError> {
        let max_bytes = gpu.device.limits().max_buffer_size;
        Self::with_buffers_of(gpu, format, level, max_bytes)
    }

    /// As [`Renderer::new`], with buffers of the level's geometry of at most `max_bytes`.
    ///
    /// # Errors
    /// As for [`Renderer::new`].
    pub fn with_buffers_of(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        level: &Level,
        max_bytes: u64,
    ) -> Result<Self, GpuError> {
        gpu.checked(|| {
            let pipelines = pipelines(gpu, format);
            let geometry = geometry::upload(gpu, level, max_bytes)?;
            let materials = material::upload(gpu, level, &pipelines.material);
            let lighting = lighting::light(level);
            let globals = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("globals"),
                size: size_of::<Globals>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let lights = storage(gpu, "lights", &lighting.lights);
            let sides = storage(gpu, "sides of openings", &lighting.sides);
            let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
            let bound = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("globals"),
                layout: &pipelines.globals,
                entries: &[
                    entry(0, globals.as_entire_binding()),
                    entry(1, lights.as_entire_binding()),
                    entry(2, sides.as_entire_binding()),
                ],
            });
            let surface = |index: u32| {
                let material = level.materials.get(index as usize);
                let surface = Surface {
                    double_sided: material.is_some_and(|m| m.double_sided),
                    masked: material.is_some_and(|m| m.alpha_cutoff.is_some()),
                    unlit: material.is_some_and(|m| m.unlit),
                };
                (index, surface)
            };
            Ok(Self {
                overlay: Overlay::new(gpu, &pipelines),
                pipelines,
                geometry,
                materials,
                surfaces: level
                    .draws
                    .iter()
                    .map(|draw| surface(draw.material))
                    .collect(),
                light_lists: lighting.lists.iter().map(|l| [l.start, l.end]).collect(),
                ambient: lighting.ambient,
                globals,
                bound,
                instances: Stream::new(gpu, "placements", 64 << 10),
                placed: Vec::new(),
                format,
                targets: None,
            })
        })
    }

    /// Submits the drawing of the frame to `target`, a view of `size` pixels in the renderer's
    /// format.
    pub fn draw(&mut self, gpu: &Gpu, frame: &Frame, target: &wgpu::TextureView, size: [u32; 2]) {
        self.upload(gpu, frame, size);
        if self.targets.as_ref().is_none_or(|t| t.size != size) {
            self.targets = Some(targets(gpu, self.format, size));
        }
        let Some(targets) = &self.targets else { return };
        let descriptor = wgpu::CommandEncoderDescriptor {
            label: Some("frame"),
        };
        let mut encoder = gpu.device.create_command_encoder(&descriptor);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("frame"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.colour,
                depth_slice: None,
                resolve_target: Some(target),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(BACKGROUND),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations {
                    // Reversed depth: 0 is infinitely far.
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.bound, &[]);
        self.draw_rooms(&mut pass, frame);
        self.overlay.draw(&mut pass, &self.pipelines, frame);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }

    fn upload(&mut self, gpu: &Gpu, frame: &Frame, size: [u32; 2]) {
        let globals = Globals {
            clip_from_view: frame.clip_from_view.to_cols_array_2d(),
            ambient: self.ambient,
            padding: [0.0; 3],
        };
        gpu.queue
            .write_buffer(&self.globals, 0, bytemuck::bytes_of(&globals));
        self.placed.clear();
        let placed = frame
            .placements
            .iter()
            .map(|at| instance(at, &self.light_lists));
        self.placed.extend(placed);
        self.instances
            .write(gpu, bytemuck::cast_slice(&self.placed));
        self.overlay.upload(gpu, frame, size);
    }

    /// One draw call for each range, changing only the state that differs from the last.
    fn draw_rooms(&self, pass: &mut wgpu::RenderPass, frame: &Frame) {
        pass.set_vertex_buffer(1, self.instances.buffer.slice(..));
        let (mut last_pipeline, mut last_material, mut last_chunk) = (None, None, None);
        for placed in &frame.draws {
            let draw = placed.draw as usize;
            let (Some(range), Some(&(material, surface))) =
                (self.geometry.draws.get(draw), self.surfaces.get(draw))
            else {
                continue;
            };
            let mirrored = frame.placements[placed.placement as usize].mirrored;
            let pipeline = surface.pipeline(mirrored);
            if last_pipeline.replace(pipeline) != Some(pipeline) {
                pass.set_pipeline(&self.pipelines.room[pipeline]);
            }
            if last_material.replace(material) != Some(material) {
                let Some(group) = self.materials.get(material as usize) else {
                    continue;
                };
                pass.set_bind_group(1, group, &[]);
            }
            if last_chunk.replace(range.chunk) != Some(range.chunk) {
                let chunk = &self.geometry.chunks[range.chunk];
                pass.set_vertex_buffer(0, chunk.vertices.slice(..));
                pass.set_index_buffer(chunk.indices.slice(..), wgpu::IndexFormat::Uint32);
            }
            let instance = placed.placement..placed.placement + 1;
            pass.draw_indexed(range.indices.clone(), 0, instance);
        }
    }
}

fn instance(at: &Placement, light_lists: &[[u32; 2]]) -> Instance {
    let list = light_lists.get(at.light_list as usize);
    Instance {
        view_from_room: at.view_from_room.to_cols_array_2d(),
        eye: at.eye.to_array(),
        eye_remainder: at.eye_remainder.to_array(),
        lights: list.copied().unwrap_or_default(),
    }
}

fn targets(gpu: &Gpu, format: wgpu::TextureFormat, size: [u32; 2]) -> Targets {
    let view = |label, format| {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d {
                width: size[0],
                height: size[1],
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: SAMPLES,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    };
    Targets {
        size,
        colour: view("multisampled colour", format),
        depth: view("multisampled depth", DEPTH),
    }
}

/// A storage buffer of the values; never empty, since nothing empty can be bound.
fn storage<T: bytemuck::Pod>(gpu: &Gpu, label: &str, values: &[T]) -> wgpu::Buffer {
    let nothing = [T::zeroed()];
    let values = if values.is_empty() { &nothing } else { values };
    gpu.device
        .create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(label),
            contents: bytemuck::cast_slice(values),
            usage: wgpu::BufferUsages::STORAGE,
        })
}

/// A vertex buffer that is written every frame and grows when it must.
pub(super) struct Stream {
    pub(super) buffer: wgpu::Buffer,
    label: &'static str,
}

impl Stream {
    pub(super) fn new(gpu: &Gpu, label: &'static str, bytes: u64) -> Self {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, label }
    }

    pub(super) fn write(&mut self, gpu: &Gpu, bytes: &[u8]) {
        if bytes.len() as u64 > self.buffer.size() {
            *self = Self::new(gpu, self.label, (bytes.len() as u64).next_power_of_two());
        }
        gpu.queue.write_buffer(&self.buffer, 0, bytes);
    }
}
