//! Draws frames of one level.

use std::time::Duration;

use super::batches::Batches;
use super::device::Gpu;
use super::device_level::DeviceLevel;
use super::error::GpuError;
use super::figures::{FigureCaster, Figures, find_casters};
use super::growable_buffer::GrowableBuffer;
use super::light_pass::LightPass;
use super::pipeline::{Pipelines, pipelines};
use super::quality::Quality;
use super::render_target::{BACKGROUND, RenderTarget};
use super::scene::Scene;
use super::shadow_maps::ShadowMaps;
use super::targets::Targets;
use super::texture::Textures;
use super::timer::GpuTimer;
use super::upload::write_buffers;
use super::vertex_layouts::GpuInstance;
use crate::frame::{Frame, Instance};
use crate::level::Level;
use crate::lighting::Lighting;

/// The least that [`Renderer::set_resolution_scale`] takes.
pub(super) const MIN_RESOLUTION_SCALE: f64 = 0.125;

/// A level on the device, and all that is needed to draw it.
pub struct Renderer {
    pipelines: Pipelines,
    level: DeviceLevel,
    scene: Scene,
    shadows: ShadowMaps,
    batches: Batches,
    instances: GrowableBuffer,
    lines: GrowableBuffer,
    figures: Figures,
    /// The figures that cast shadows in this frame.
    figure_casters: Vec<FigureCaster>,
    /// The frame's instances as the device reads them, reused from frame to frame.
    gpu_instances: Vec<GpuInstance>,
    timer: Option<GpuTimer>,
    targets: Option<Targets>,
    /// Pixels drawn along a side for each of the target.
    scale: f64,
    /// Whether fewer are drawn where there is not enough memory.
    adapts: bool,
}

impl Renderer {
    /// Uploads the level, to be drawn to targets of `format` (an sRGB or float format).
    ///
    /// # Errors
    /// When the device is out of memory or below the limits that [`Gpu::from_device`] names, or one
    /// mesh exceeds its largest buffer.
    pub fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        level: &Level,
        lighting: &Lighting,
        quality: Quality,
    ) -> Result<Self, GpuError> {
        gpu.checked(|| {
            let mut pipelines = pipelines(gpu, format);
            let textures = Textures::new(gpu, quality.anisotropy);
            let lightmap = &lighting.lightmap;
            let on_device =
                DeviceLevel::upload(gpu, (level, lightmap), &mut pipelines, textures, quality)?;
            let (texels, views) = quality.shadow_maps(lighting.max_views);
            let shadows = ShadowMaps::new(gpu, texels, views, lighting);
            let vertices = wgpu::BufferUsages::VERTEX;
            Ok(Self {
                scene: Scene::new(gpu, level, lighting, &pipelines, &shadows),
                pipelines,
                level: on_device,
                shadows,
                batches: Batches::default(),
                instances: GrowableBuffer::new(gpu, "instances", vertices),
                lines: GrowableBuffer::new(gpu, "lines", vertices),
                figures: Figures::new(gpu),
                figure_casters: Vec::new(),
                gpu_instances: Vec::new(),
                timer: GpuTimer::new(gpu),
                targets: None,
                scale: 1.0,
                adapts: false,
            })
        })
    }

    /// Draws from now on so many pixels along a side for each of the target: 1, or fewer down to
    /// an eighth, which is faster and blurred. Where the device has no
    /// memory for that it draws fewer from now on, instead of failing.
    pub fn set_resolution_scale(&mut self, scale: f64) {
        self.scale = scale.clamp(MIN_RESOLUTION_SCALE, 1.0);
        self.adapts = true;
    }

    /// Draws another version of its level from now on. Pictures that both have stay on the device.
    ///
    /// # Errors
    /// As [`Self::new`]; then it draws the level that it had.
    pub fn replace_level(
        &mut self,
        gpu: &Gpu,
        (old, level): (&Level, &Level),
        lighting: &Lighting,
        quality: Quality,
    ) -> Result<(), GpuError> {
        gpu.checked(|| {
            let textures = self.level.textures.kept(old, level);
            let lightmap = &lighting.lightmap;
            let on_device = DeviceLevel::upload(
                gpu,
                (level, lightmap),
                &mut self.pipelines,
                textures,
                quality,
            )?;
            let (texels, views) = quality.shadow_maps(lighting.max_views);
            let shadows = ShadowMaps::new(gpu, texels, views, lighting);
            self.scene = Scene::new(gpu, level, lighting, &self.pipelines, &shadows);
            self.shadows = shadows;
            self.level = on_device;
            self.batches = Batches::default();
            Ok(())
        })
    }

    /// Draws the level in another lighting from now on, with a lightmap of the same layout.
    pub fn replace_lighting(&mut self) {
        self.scene.forget_lighting();
    }

    /// Records the drawing of the frame over all of `target`, a view in the renderer's format. All
    /// that is written is written in the order of the encoder's commands, also where the draws
    /// need more shadow maps than fit on the device and are drawn in batches: nothing is submitted,
    /// and several frames may be recorded into one encoder. It must be submitted, since the renderer
    /// does not draw again the shadow maps that it has recorded.
    ///
    /// # Errors
    /// When the device is out of memory for a picture of a new size; then nothing is recorded.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        lighting: &Lighting,
        frame: &Frame,
        target: RenderTarget,
    ) -> Result<(), GpuError> {
        let targets = self.take_targets(gpu, target.size)?;
        self.write(gpu, encoder, lighting, frame);
        if frame.instances.iter().any(|instance| instance.mirrored) {
            self.level.prepare_pipelines(gpu, &mut self.pipelines, true);
        }
        if !frame.wireframe.is_empty() {
            self.level.geometry.prepare_edges(gpu, &lighting.lightmap);
        }
        if let Some(timer) = &mut self.timer {
            timer.begin(gpu);
        }
        let mut first = self.timer.as_ref().and_then(GpuTimer::first);
        let mut done = 0;
        loop {
            let capacity = self.shadows.capacity();
            let batch = self.batches.next(lighting, frame, done, capacity);
            self.shadows.draw(
                gpu,
                encoder,
                (lighting, &self.batches.shadows),
                (&self.figures, &self.figure_casters),
                (&mut self.pipelines, &self.level),
                &mut first,
            );
            let light = LightPass {
                frame,
                level: &self.level,
                pipelines: &self.pipelines,
                globals: &self.scene.bound,
                instances: &self.instances.buffer,
                lines: &self.lines.buffer,
                figures: &self.figures,
            };
            let cleared = (done == 0).then_some(BACKGROUND);
            done = batch.end;
            light.draw(
                &mut targets.light_pass(encoder, cleared, first.take()),
                batch,
            );
            if done == frame.draws.len() {
                break;
            }
        }
        let last = self.timer.as_ref().and_then(GpuTimer::last);
        targets.tone(encoder, &self.pipelines, target, last);
        if let Some(timer) = &mut self.timer {
            timer.resolve(encoder);
        }
        self.targets = Some(targets);
        Ok(())
    }

    /// Records the drawing of the same picture again as [`Self::draw`] drew last, from the light that it left: for
    /// what changes over a picture that stands still. Returns whether there is one for targets of this size; if not,
    /// nothing is recorded.
    pub fn draw_again(&self, encoder: &mut wgpu::CommandEncoder, target: RenderTarget) -> bool {
        let key = (target.size, self.scale.to_bits());
        let targets = self.targets.as_ref().filter(|at| at.made_for == key);
        if let Some(targets) = targets {
            targets.tone(encoder, &self.pipelines, target, None);
        }
        targets.is_some()
    }

    /// How long the device took for the latest frame of which it has reported the times, from the
    /// first shadow to the tone curve; `None` on devices without timestamps.
    pub fn gpu_time(&mut self, gpu: &Gpu) -> Option<Duration> {
        self.timer.as_mut().and_then(|timer| timer.latest(gpu))
    }

    /// The targets for pictures of `size`. Those of another size are dropped first, since there may
    /// not be enough memory for both.
    fn take_targets(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<Targets, GpuError> {
        let key = (size, self.scale.to_bits());
        if let Some(targets) = self.targets.take().filter(|at| at.made_for == key) {
            return Ok(targets);
        }
        let mut scale = self.scale;
        loop {
            let scaled = size.map(|n| ((f64::from(n) * scale).ceil() as u32).max(1));
            let made = gpu.checked(|| Ok(Targets::new(gpu, &self.pipelines, scaled, key)));
            if made.is_ok() || !self.adapts || scale <= MIN_RESOLUTION_SCALE || gpu.is_lost() {
                return made;
            }
            scale = (0.5 * scale).max(MIN_RESOLUTION_SCALE);
        }
    }

    /// Writes what changed of the lighting, and the frame.
    fn write(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        lighting: &Lighting,
        frame: &Frame,
    ) {
        self.scene
            .update(gpu, encoder, lighting, &self.pipelines, &mut self.shadows);
        self.gpu_instances.clear();
        let instances = frame.instances.iter();
        self.gpu_instances
            .extend(instances.map(|instance| gpu_instance(instance, lighting)));
        let globals = self.scene.globals(lighting, frame);
        let instances = bytemuck::cast_slice(&self.gpu_instances);
        let lines = bytemuck::cast_slice(&frame.lines);
        self.instances.fit(gpu, instances);
        self.lines.fit(gpu, lines);
        self.figures.fit(gpu, frame);
        find_casters(lighting, frame, &mut self.figure_casters);
        let figures = &self.figures;
        let writes = [
            (self.scene.globals_buffer(), bytemuck::bytes_of(&globals)),
            (&self.instances.buffer, instances),
            (&self.lines.buffer, lines),
            (
                &figures.vertices.buffer,
                bytemuck::cast_slice(&figures.drawn),
            ),
            (
                &figures.indices.buffer,
                bytemuck::cast_slice(&frame.figure_indices),
            ),
        ];
        write_buffers(gpu, encoder, &writes);
    }
}

fn gpu_instance(instance: &Instance, lighting: &Lighting) -> GpuInstance {
    let lights = lighting.list(instance.lit_by);
    GpuInstance {
        view_from_room: instance.view_from_room.to_cols_array_2d(),
        eye: instance.eye.to_array(),
        eye_remainder: instance.eye_remainder.to_array(),
        lights_and_tint: [lights.start, lights.end, u32::from_le_bytes(instance.tint)],
        ambient: lighting.ambient(instance.lit_by).to_array(),
        pose_rotation: instance.pose_rotation.to_array(),
        pose_translation: instance.pose_translation.to_array(),
    }
}
