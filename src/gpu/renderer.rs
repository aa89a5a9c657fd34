//! Draws frames of one level.

use std::ops::Range;
use std::time::Duration;

use super::geometry::{self, Geometry};
use super::growable_buffer::GrowableBuffer;
use super::material::{self, DeviceMaterial};
use super::overlay::DeviceOverlay;
use super::pipeline::{GpuInstance, Pipelines, RoomState, Sides, pipelines};
use super::scene::Scene;
use super::shadow::ShadowMaps;
use super::targets::Targets;
use super::timer::GpuTimer;
use super::{Gpu, GpuError};
use crate::frame::{DrawItem, Frame, Instance};
use crate::level::Level;
use crate::lighting::Lighting;
use crate::overlay::Painted;

/// Behind everything, where a level has a hole and no sky.
pub(super) const BACKGROUND: wgpu::Color = wgpu::Color {
    r: 0.01,
    g: 0.012,
    b: 0.016,
    // Shown as it is.
    a: 0.0,
};

/// What may be chosen of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Texels along a side of a view of a shadow map; half of that in a level with more views than
    /// fit into `shadow_bytes`.
    pub shadow_texels: u32,
    /// Memory for shadow maps; a lamp has six views of four bytes a texel. More lights than fit in
    /// one picture cost time, not shadows.
    pub shadow_bytes: u64,
    /// Bytes of a buffer of the level's geometry, at most; 0 for what the device can do.
    pub buffer_bytes: u64,
    /// Samples of a texture along the slant of its surface, at most (anisotropic filtering): 1 for
    /// none; devices have up to 16.
    pub anisotropy: u16,
}

impl Default for Quality {
    fn default() -> Self {
        Self {
            shadow_texels: 512,
            shadow_bytes: 256 << 20,
            buffer_bytes: 0,
            anisotropy: 8,
        }
    }
}

impl Quality {
    /// For frames that follow each other: on software drivers, which look at every texel under a
    /// pixel, without anisotropic filtering.
    pub fn live(gpu: &Gpu) -> Self {
        let all = Self::default();
        Self {
            anisotropy: if gpu.is_software() { 1 } else { all.anisotropy },
            ..all
        }
    }

    /// Texels along a side of a view, and how many views are kept, for a level that has `wanted`:
    /// a small level needs no more memory than it has views.
    fn shadow_maps(&self, wanted: u32) -> (u32, u32) {
        let views = |texels: u32| {
            let bytes = 4 * u64::from(texels) * u64::from(texels);
            u32::try_from(self.shadow_bytes / bytes.max(1)).unwrap_or(u32::MAX)
        };
        let texels = if views(self.shadow_texels) >= wanted {
            self.shadow_texels
        } else {
            self.shadow_texels / 2
        };
        (texels, views(texels).clamp(1, wanted.max(1)))
    }
}

/// A level on the device, and all that is needed to draw it.
pub struct Renderer {
    pipelines: Pipelines,
    geometry: Geometry,
    materials: Vec<DeviceMaterial>,
    scene: Scene,
    shadows: ShadowMaps,
    instances: GrowableBuffer,
    lines: GrowableBuffer,
    /// The frame's instances as the device reads them, reused from frame to frame.
    placed: Vec<GpuInstance>,
    /// The shadow maps that are needed at once, and when each was last found to be.
    last_used: Vec<u32>,
    needed_in: Vec<u64>,
    batches: u64,
    overlay: DeviceOverlay,
    clock: Option<GpuTimer>,
    shows_sky: bool,
    targets: Option<Targets>,
}

impl Renderer {
    /// Uploads the level, to be drawn to targets of `format` (an sRGB or float format).
    ///
    /// # Errors
    /// When the device has not the memory, or one mesh exceeds its largest buffer.
    pub fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        level: &Level,
        lighting: &Lighting,
        quality: Quality,
    ) -> Result<Self, GpuError> {
        let device_bytes = gpu.device.limits().max_buffer_size;
        let max_bytes = match quality.buffer_bytes {
            0 => device_bytes,
            bytes => bytes.min(device_bytes),
        };
        gpu.checked(|| {
            let mut pipelines = pipelines(gpu, format);
            let geometry = geometry::upload(gpu, level, &lighting.lightmap, max_bytes)?;
            let materials = material::upload(gpu, level, &pipelines, quality.anisotropy);
            prepare_rooms(gpu, &mut pipelines, &materials, false);
            let (texels, views) = quality.shadow_maps(lighting.max_views);
            let shadows = ShadowMaps::new(gpu, texels, views, lighting);
            let scene = Scene::new(gpu, level, lighting, &pipelines, &shadows);
            Ok(Self {
                scene,
                pipelines,
                geometry,
                materials,
                shadows,
                instances: GrowableBuffer::new(gpu, "instances", 64 << 10),
                lines: GrowableBuffer::new(gpu, "lines", 64 << 10),
                placed: Vec::new(),
                last_used: Vec::new(),
                needed_in: Vec::new(),
                batches: 0,
                overlay: DeviceOverlay::new(gpu, format),
                clock: GpuTimer::new(gpu),
                shows_sky: level.shows_sky(),
                targets: None,
            })
        })
    }

    /// Submits the drawing of the frame to `target`, a view of `size` pixels in the renderer's
    /// format.
    ///
    /// # Errors
    /// When the device has not the memory for a picture of a new size; then nothing is drawn.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        lighting: &Lighting,
        frame: &Frame,
        target: &wgpu::TextureView,
        size: [u32; 2],
    ) -> Result<(), GpuError> {
        let targets = self.take_targets(gpu, size)?;
        self.follow(gpu, lighting);
        self.upload(gpu, lighting, frame);
        if frame.instances.iter().any(|at| at.mirrored) {
            prepare_rooms(gpu, &mut self.pipelines, &self.materials, true);
        }
        if !frame.wireframe.is_empty() {
            self.geometry.prepare_edges(gpu, &lighting.lightmap);
        }
        let mut clock = self.clock.take();
        if let Some(clock) = &mut clock {
            clock.begin(gpu);
        }
        let mut first = clock.as_ref().and_then(GpuTimer::first);
        let mut next = 0;
        loop {
            let batch = self.next_batch(lighting, frame, next);
            let is_last = batch.end == frame.draws.len();
            let mut encoder = encoder(gpu, "frame");
            let device = (&mut self.pipelines, &self.geometry, &self.materials[..]);
            self.shadows.prepare(
                gpu,
                lighting,
                &self.last_used,
                device,
                &mut encoder,
                &mut first,
            );
            let cleared = (next == 0).then_some(BACKGROUND);
            let mut pass = targets.light_pass(&mut encoder, cleared, first.take());
            self.draw_batch(&mut pass, frame, batch.clone());
            drop(pass);
            if is_last {
                let last = clock.as_ref().and_then(GpuTimer::last);
                targets.tone(&mut encoder, &self.pipelines, target, last);
                self.overlay.draw(gpu, &mut encoder, target, size, None);
                if let Some(clock) = &clock {
                    clock.resolve(&mut encoder);
                }
            }
            gpu.queue.submit([encoder.finish()]);
            next = batch.end;
            if is_last {
                break;
            }
        }
        self.targets = Some(targets);
        if let Some(clock) = &mut clock {
            clock.end();
        }
        self.clock = clock;
        Ok(())
    }

    /// The targets for pictures of `size`. Those of another size are dropped first, for there may
    /// not be the memory for both.
    fn take_targets(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<Targets, GpuError> {
        if let Some(targets) = self.targets.take().filter(|at| at.size == size) {
            return Ok(targets);
        }
        gpu.checked(|| Ok(Targets::new(gpu, &self.pipelines, size)))
    }

    /// How long the device took for the latest frame of which it has told, from the first shadow
    /// to the tone curve; `None` where it cannot tell.
    pub fn gpu_time(&mut self, gpu: &Gpu) -> Option<Duration> {
        self.clock.as_mut().and_then(|clock| clock.latest(gpu))
    }

    /// Draws this over the pictures from now on.
    pub fn set_overlay(&mut self, gpu: &Gpu, painted: Painted) {
        self.overlay.set(gpu, painted);
    }

    /// Brings on the device what changed of the lighting.
    fn follow(&mut self, gpu: &Gpu, lighting: &Lighting) {
        if self.scene.revision == lighting.revision {
            return;
        }
        self.shadows.follow(gpu, lighting);
        self.scene
            .follow(gpu, lighting, &self.pipelines, &self.shadows);
    }

    fn upload(&mut self, gpu: &Gpu, lighting: &Lighting, frame: &Frame) {
        self.scene.write_globals(gpu, lighting, frame);
        self.placed.clear();
        let placed = frame.instances.iter().map(|at| gpu_instance(at, lighting));
        self.placed.extend(placed);
        self.instances
            .write(gpu, bytemuck::cast_slice(&self.placed));
        self.lines.write(gpu, bytemuck::cast_slice(&frame.lines));
    }

    /// The draws from `start` on whose shadow maps fit on the device together, which are left in
    /// `last_used`: nearly always all.
    fn next_batch(&mut self, lighting: &Lighting, frame: &Frame, start: usize) -> Range<usize> {
        self.batches += 1;
        self.last_used.clear();
        self.needed_in.resize(lighting.lists.shadows.len(), 0);
        let (mut views, mut last_instance) = (0, None);
        for (at, draw) in frame.draws.iter().enumerate().skip(start) {
            if last_instance.replace(draw.instance) == Some(draw.instance) {
                continue;
            }
            let before = self.last_used.len();
            for &shadow in shadows_of(lighting, &frame.instances[draw.instance as usize]) {
                let seen = &mut self.needed_in[shadow as usize];
                if std::mem::replace(seen, self.batches) != self.batches {
                    self.last_used.push(shadow);
                    views += lighting.lists.shadows[shadow as usize].1.view_count();
                }
            }
            // What one room alone has too many of goes without.
            if views > self.shadows.capacity() && at > start {
                self.last_used.truncate(before);
                return start..at;
            }
        }
        start..frame.draws.len()
    }

    /// The material of a draw, and whether it is seen mirrored.
    fn look_of(&self, frame: &Frame, placed: &DrawItem) -> Option<(u32, bool)> {
        let draw = self.geometry.draws.get(placed.draw as usize)?;
        let _ = self.materials.get(draw.material as usize)?;
        let mirrored = frame.instances[placed.instance as usize].mirrored;
        Some((draw.material, mirrored))
    }

    /// Draws some of the frame, and what belongs between and behind it.
    fn draw_batch(&self, pass: &mut wgpu::RenderPass, frame: &Frame, batch: Range<usize>) {
        pass.set_bind_group(0, &self.scene.bound, &[]);
        let solid = frame.solid_draws.clamp(batch.start, batch.end);
        self.draw_rooms(pass, frame, batch.start..solid);
        if self.shows_sky && solid == frame.solid_draws {
            pass.set_pipeline(&self.pipelines.background);
            pass.draw(0..3, 0..1);
        }
        self.draw_rooms(pass, frame, solid..batch.end);
        if batch.end == frame.draws.len() {
            self.draw_over_all(pass, frame);
        }
    }

    /// Edges of what was culled, and lines.
    fn draw_over_all(&self, pass: &mut wgpu::RenderPass, frame: &Frame) {
        if !frame.wireframe.is_empty() {
            pass.set_pipeline(&self.pipelines.wireframe);
            pass.set_vertex_buffer(1, self.instances.buffer.slice(..));
        }
        for placed in &frame.wireframe {
            let Some(draw) = self.geometry.draws.get(placed.draw as usize) else {
                continue;
            };
            let chunk = &self.geometry.chunks[draw.chunk];
            if let Some(edges) = &chunk.edges {
                pass.set_vertex_buffer(0, chunk.vertices.slice(..));
                pass.set_index_buffer(edges.slice(..), wgpu::IndexFormat::Uint32);
                let ends = draw.indices.start * 2..draw.indices.end * 2;
                pass.draw_indexed(ends, 0, placed.instance..placed.instance + 1);
            }
        }
        if !frame.lines.is_empty() {
            pass.set_pipeline(&self.pipelines.line);
            pass.set_vertex_buffer(0, self.lines.buffer.slice(..));
            pass.draw(0..frame.lines.len() as u32, 0..1);
        }
    }

    /// One draw call for each range, changing only the state that differs from the last.
    fn draw_rooms(&self, pass: &mut wgpu::RenderPass, frame: &Frame, draws: Range<usize>) {
        pass.set_vertex_buffer(1, self.instances.buffer.slice(..));
        let (mut last_state, mut last_material, mut last_chunk) = (None, None, None);
        for placed in &frame.draws[draws] {
            let Some((material, mirrored)) = self.look_of(frame, placed) else {
                continue;
            };
            let range = &self.geometry.draws[placed.draw as usize];
            let on_device = &self.materials[material as usize];
            if last_material.replace(material) != Some(material) {
                pass.set_bind_group(1, &on_device.bound, &[]);
            }
            if last_chunk.replace(range.chunk) != Some(range.chunk) {
                self.geometry.chunks[range.chunk].bind(pass);
            }
            for state in states(on_device, mirrored).into_iter().flatten() {
                if last_state != Some(state) {
                    let Some(pipeline) = self.pipelines.room(state) else {
                        continue;
                    };
                    pass.set_pipeline(pipeline);
                    last_state = Some(state);
                }
                let instance = placed.instance..placed.instance + 1;
                pass.draw_indexed(range.indices.clone(), 0, instance);
            }
        }
    }
}

/// Sees that the pipelines for all materials are there, for rooms that are seen mirrored or not.
fn prepare_rooms(
    gpu: &Gpu,
    pipelines: &mut Pipelines,
    materials: &[DeviceMaterial],
    mirrored: bool,
) {
    let states = materials.iter().flat_map(|m| states(m, mirrored));
    for state in states.flatten() {
        pipelines.prepare_room(gpu, state);
    }
}

/// How a material is drawn: a blended one with two sides in two steps, its backs first.
fn states(material: &DeviceMaterial, mirrored: bool) -> [Option<RoomState>; 2] {
    let surface = material.surface;
    let state = |sides| {
        Some(RoomState {
            surface,
            mirrored,
            sides,
        })
    };
    match (surface.is_double_sided(), surface.is_blended()) {
        (false, _) => [state(Sides::Fronts), None],
        (true, false) => [state(Sides::Both), None],
        (true, true) => [state(Sides::Backs), state(Sides::Fronts)],
    }
}

/// The shadow maps of the lights that reach an instance.
fn shadows_of<'a>(lighting: &'a Lighting, at: &Instance) -> &'a [u32] {
    let list = lighting.list(at.lit_by);
    lighting
        .lists
        .shadow_of
        .get(list.start as usize..list.end as usize)
        .unwrap_or_default()
}

fn gpu_instance(at: &Instance, lighting: &Lighting) -> GpuInstance {
    let lights = lighting.list(at.lit_by);
    GpuInstance {
        view_from_room: at.view_from_room.to_cols_array_2d(),
        eye: at.eye.to_array(),
        eye_remainder: at.eye_remainder.to_array(),
        lights: [lights.start, lights.end],
        ambient: lighting.ambient(at.lit_by).to_array(),
        tint: at.tint,
    }
}

fn encoder(gpu: &Gpu, label: &str) -> wgpu::CommandEncoder {
    let descriptor = wgpu::CommandEncoderDescriptor { label: Some(label) };
    gpu.device.create_command_encoder(&descriptor)
}
