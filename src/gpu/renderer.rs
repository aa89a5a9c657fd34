//! The renderer, which draws frames of one level.

use std::ops::Range;
use std::time::Duration;

use glam::Vec3;

use super::batches::Batches;
use super::cube_capture::FACE_TEXELS;
use super::cube_maps::CubeMaps;
use super::device::Gpu;
use super::device_level::DeviceLevel;
use super::error::GpuError;
use super::exposure::AdaptedExposure;
use super::figures::{FigureBuffers, FigureCaster, find_casters};
use super::growable_buffer::GrowableBuffer;
use super::light_pass::LightPass;
use super::pipeline::{InstanceKey, Pipelines, pipelines};
use super::quality::RenderQuality;
use super::render_target::{BACKGROUND, RenderTarget};
use super::scene::SceneBindings;
use super::shadow_maps::ShadowMaps;
use super::targets::Targets;
use super::texture::GpuTextures;
use super::timer::GpuTimer;
use super::upload::write_buffers;
use super::vertex_layouts::GpuInstance;
use crate::frame::{Frame, Instance};
use crate::level::Level;
use crate::lighting::Lighting;

/// The minimum of [`Renderer::set_resolution_scale`].
pub(super) const MIN_RESOLUTION_SCALE: f64 = 0.125;

/// A level on the device, and all resources needed to draw it.
pub struct Renderer {
    pipelines: Pipelines,
    level: DeviceLevel,
    scene: SceneBindings,
    shadows: ShadowMaps,
    cubes: CubeMaps,
    batches: Batches,
    /// The batches of faces of reflection cubes.
    face_batches: Batches,
    instances: GrowableBuffer,
    lines: GrowableBuffer,
    figures: FigureBuffers,
    /// The figures that cast shadows in this frame.
    figure_casters: Vec<FigureCaster>,
    /// The frame's instances in the device's layout, reused from frame to frame.
    gpu_instances: Vec<GpuInstance>,
    /// The factors of lights in this frame.
    light_factors: Vec<f32>,
    /// The frame's records for the shader.
    records: Vec<[f32; 4]>,
    timer: Option<GpuTimer>,
    targets: Option<Targets>,
    exposure: AdaptedExposure,
    /// The resolution scale: pixels drawn along a side per pixel of the target.
    scale: f64,
    /// Whether the resolution is reduced if the device is out of memory.
    adapts: bool,
}

impl Renderer {
    /// Uploads the level for drawing to targets of `format` (an sRGB or float format).
    ///
    /// # Errors
    /// When the device is out of memory or below the limits that [`Gpu::from_device`] names, or one
    /// mesh exceeds its largest buffer.
    pub fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        level: &Level,
        lighting: &Lighting,
        quality: RenderQuality,
    ) -> Result<Self, GpuError> {
        gpu.checked(|| {
            let mut pipelines = pipelines(gpu, format, quality.bloom);
            let textures = GpuTextures::new(gpu, quality.anisotropy);
            let lightmap = &lighting.lightmap;
            let on_device =
                DeviceLevel::upload(gpu, (level, lightmap), &mut pipelines, textures, quality)?;
            let (texels, views) = quality.shadow_maps(lighting.max_views);
            let shadows = ShadowMaps::new(gpu, texels, views, lighting);
            let cubes = CubeMaps::new(gpu, level, quality);
            let vertices = wgpu::BufferUsages::VERTEX;
            let bindings = (&shadows, &cubes);
            Ok(Self {
                scene: SceneBindings::new(gpu, level, lighting, &pipelines, bindings),
                exposure: AdaptedExposure::new(gpu, &pipelines.tone),
                pipelines,
                level: on_device,
                shadows,
                cubes,
                batches: Batches::default(),
                face_batches: Batches::default(),
                instances: GrowableBuffer::new(gpu, "instances", vertices),
                lines: GrowableBuffer::new(gpu, "lines", vertices),
                figures: FigureBuffers::new(gpu),
                figure_casters: Vec::new(),
                gpu_instances: Vec::new(),
                light_factors: Vec::new(),
                records: Vec::new(),
                timer: GpuTimer::new(gpu),
                targets: None,
                scale: 1.0,
                adapts: false,
            })
        })
    }

    /// Sets the resolution scale for the following draws, pixels along a side per pixel of the target: 1, or less down
    /// to an eighth, which is faster and blurred. If the device is out of memory, the following draws use a lower
    /// resolution instead of failing.
    pub fn set_resolution_scale(&mut self, scale: f64) {
        self.scale = scale.clamp(MIN_RESOLUTION_SCALE, 1.0);
        self.adapts = true;
    }

    /// Sets the time since the last picture, seconds, by which the exposure adapts to the light in the next picture;
    /// pictures without a new time keep the exposure. The exposure begins at that of the level, stays within two stops
    /// of it, and depends only on the pictures and these times. `None`, as at first, is the exposure of the level.
    pub fn set_exposure_adaptation(&mut self, elapsed_secs: Option<f64>) {
        self.exposure.set_elapsed(elapsed_secs);
    }

    /// Waits for the device, and returns the difference of the adapted exposure from that of the level, stops.
    ///
    /// # Errors
    /// When the device was lost or is out of memory.
    pub fn adapted_stops(&self, gpu: &Gpu) -> Result<f32, GpuError> {
        gpu.checked(|| self.exposure.read(gpu))
    }

    /// Replaces the level by another version of it. Images that both versions have stay on the device.
    ///
    /// # Errors
    /// As [`Self::new`]; the renderer then keeps the old level.
    pub fn replace_level(
        &mut self,
        gpu: &Gpu,
        (old, level): (&Level, &Level),
        lighting: &Lighting,
        quality: RenderQuality,
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
            let cubes = CubeMaps::new(gpu, level, quality);
            let bindings = (&shadows, &cubes);
            self.scene = SceneBindings::new(gpu, level, lighting, &self.pipelines, bindings);
            self.shadows = shadows;
            self.cubes = cubes;
            self.level = on_device;
            self.batches = Batches::default();
            self.face_batches = Batches::default();
            Ok(())
        })
    }

    /// Replaces the lighting of the level by another one, with a lightmap of the same layout.
    pub fn replace_lighting(&mut self) {
        self.scene.forget_lighting();
    }

    /// Records the drawing of the frame over all of `target`, a view in the renderer's format. All writes happen in
    /// the order of the encoder's commands, even if the draws need more shadow maps than fit on the device and are
    /// drawn in batches. Nothing is submitted, and several frames may be recorded into one encoder. The encoder must
    /// be submitted, since the renderer does not draw recorded shadow maps again.
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
        self.scene
            .update(gpu, encoder, lighting, &self.pipelines, &mut self.shadows);
        self.prepare_pipelines(gpu, frame);
        if !frame.wireframe.is_empty() {
            self.level.geometry.prepare_edges(gpu, &lighting.lightmap);
        }
        let mut timer = self.timer.take();
        if let Some(timer) = &mut timer {
            timer.begin(gpu);
        }
        let mut first = timer.as_ref().and_then(GpuTimer::first);
        let mut batches = std::mem::take(&mut self.batches);
        let mut max_faces = frame.reflections.max_faces.unwrap_or(u32::MAX);
        let mut done = 0;
        loop {
            let capacity = (self.shadows.capacity(), self.cubes.capacity());
            let batch = batches.next(lighting, frame, done, capacity);
            self.draw_faces(
                gpu,
                encoder,
                lighting,
                (frame, &batches.cubes),
                &mut max_faces,
            );
            self.write(gpu, encoder, lighting, (frame, targets.size));
            let cleared = (done == 0).then_some(BACKGROUND);
            done = batch.end;
            self.draw_batch(
                gpu,
                encoder,
                lighting,
                (frame, batch, &batches.shadows),
                &mut first,
                |encoder, timestamps| targets.light_pass(encoder, cleared, timestamps),
            );
            if done == frame.draws.len() {
                break;
            }
        }
        self.batches = batches;
        let last = timer.as_ref().and_then(GpuTimer::last);
        let tone = &self.pipelines.tone;
        targets.expose(encoder, tone, &mut self.exposure);
        targets.tone(encoder, (tone, &self.exposure), target, last);
        if let Some(timer) = &mut timer {
            timer.resolve(encoder);
        }
        self.timer = timer;
        self.targets = Some(targets);
        Ok(())
    }

    /// Records the drawing of the faces of cubes that are not up to date, for a batch that needs the cubes in these slots.
    fn draw_faces(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        lighting: &Lighting,
        (frame, slots): (&Frame, &[u32]),
        max_faces: &mut u32,
    ) {
        let reflections = &frame.reflections;
        self.cubes.begin_batch(reflections, slots);
        let Some(capture) = self.cubes.capture.take() else {
            return;
        };
        let mut batches = std::mem::take(&mut self.face_batches);
        while *max_faces > 0
            && let Some((cube, face)) = self.cubes.next_face(reflections, slots)
        {
            *max_faces -= 1;
            let picture = &cube.faces[face];
            self.prepare_pipelines(gpu, picture);
            self.write(gpu, encoder, lighting, (picture, [FACE_TEXELS; 2]));
            let mut done = 0;
            loop {
                let capacity = (self.shadows.capacity(), 0);
                let batch = batches.next(lighting, picture, done, capacity);
                let cleared = (done == 0).then_some(BACKGROUND);
                done = batch.end;
                self.draw_batch(
                    gpu,
                    encoder,
                    lighting,
                    (picture, batch, &batches.shadows),
                    &mut None,
                    |encoder, _| capture.light_pass(encoder, cleared),
                );
                if done == picture.draws.len() {
                    break;
                }
            }
            capture.copy_face(encoder, face);
            if let Some(levels) = self.cubes.add_face(cube, face) {
                capture.filter(gpu, encoder, &levels);
            }
        }
        self.cubes.capture = Some(capture);
        self.face_batches = batches;
    }

    /// Creates the pipelines that a frame needs and others do not.
    fn prepare_pipelines(&mut self, gpu: &Gpu, frame: &Frame) {
        for key in InstanceKey::all().filter(|key| key.mirrored) {
            let mut instances = frame.instances.iter();
            if instances.any(|instance| InstanceKey::of(instance) == key) {
                self.level.prepare_pipelines(gpu, &mut self.pipelines, key);
            }
        }
    }

    /// Records the drawing of a batch of a frame: its shadow maps, and its light in the pass that `begin` begins.
    fn draw_batch<'a>(
        &mut self,
        gpu: &Gpu,
        encoder: &'a mut wgpu::CommandEncoder,
        lighting: &Lighting,
        (frame, batch, shadows): (&Frame, Range<usize>, &[u32]),
        timestamps: &mut Option<wgpu::RenderPassTimestampWrites>,
        begin: impl FnOnce(
            &'a mut wgpu::CommandEncoder,
            Option<wgpu::RenderPassTimestampWrites>,
        ) -> wgpu::RenderPass<'a>,
    ) {
        self.shadows.draw(
            gpu,
            encoder,
            (lighting, shadows),
            (&self.figures, &self.figure_casters),
            (&mut self.pipelines, &self.level),
            timestamps,
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
        light.draw(&mut begin(encoder, timestamps.take()), batch);
    }

    /// Tone-maps the HDR image of the last [`Self::draw`] again, for an overlay that changes while the scene does not.
    /// Returns false, and records nothing, if there is no such image of this size.
    pub fn draw_again(&self, encoder: &mut wgpu::CommandEncoder, target: RenderTarget) -> bool {
        let key = (target.size, self.scale.to_bits());
        let targets = self.targets.as_ref().filter(|at| at.made_for == key);
        if let Some(targets) = targets {
            let tone = (&self.pipelines.tone, &self.exposure);
            targets.tone(encoder, tone, target, None);
        }
        targets.is_some()
    }

    /// The GPU time of the latest frame whose times have arrived, from the first shadow to the tone curve; `None` on
    /// devices without timestamps.
    pub fn gpu_time(&mut self, gpu: &Gpu) -> Option<Duration> {
        self.timer.as_mut().and_then(|timer| timer.latest(gpu))
    }

    /// Takes the targets for pictures of `size`. Targets of another size are dropped first, since both may not fit
    /// into memory.
    fn take_targets(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<Targets, GpuError> {
        let key = (size, self.scale.to_bits());
        if let Some(targets) = self.targets.take().filter(|at| at.made_for == key) {
            return Ok(targets);
        }
        let mut scale = self.scale;
        loop {
            let scaled = size.map(|n| ((f64::from(n) * scale).ceil() as u32).max(1));
            let made = gpu.checked(|| Ok(Targets::new(gpu, &self.pipelines.tone, scaled, key)));
            if made.is_ok() || !self.adapts || scale <= MIN_RESOLUTION_SCALE || gpu.is_lost() {
                return made;
            }
            scale = (0.5 * scale).max(MIN_RESOLUTION_SCALE);
        }
    }

    /// Writes the frame.
    fn write(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        lighting: &Lighting,
        (frame, size): (&Frame, [u32; 2]),
    ) {
        self.cubes
            .write_records(&frame.reflections, &mut self.records);
        let first_grid = self.records.len() as u32;
        self.records.extend_from_slice(&frame.occluders.records);
        let first_sheet = self.records.len() as u32;
        self.records.extend_from_slice(&frame.sheets.records);
        let first_factor = self.records.len() as u32;
        lighting.write_factors(frame.flicker_secs, &mut self.light_factors);
        let factors = &self.light_factors;
        self.records
            .extend(factors.iter().map(|&factor| [factor, 0.0, 0.0, 0.0]));
        let records = self.records.as_slice();
        let bindings = (&self.pipelines, &self.shadows);
        self.scene.fit_records(gpu, records, bindings);
        self.gpu_instances.clear();
        let instances = frame.instances.iter();
        self.gpu_instances.extend(
            instances.map(|instance| {
                gpu_instance(instance, lighting, factors, [first_grid, first_sheet])
            }),
        );
        let globals = self.scene.globals(lighting, (frame, size), first_factor);
        let instances = bytemuck::cast_slice(&self.gpu_instances);
        let lines = bytemuck::cast_slice(&frame.lines);
        self.instances.fit(gpu, instances);
        self.lines.fit(gpu, lines);
        self.figures.fit(gpu, frame);
        find_casters(lighting, frame, &mut self.figure_casters);
        let figures = &self.figures;
        let (step_buffer, step) = self.exposure.step();
        let writes = [
            (step_buffer, bytemuck::cast_slice(&step)),
            (self.scene.globals_buffer(), bytemuck::bytes_of(&globals)),
            (self.scene.records_buffer(), bytemuck::cast_slice(records)),
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

/// Packs a vector whose components lie between -1 and 1: 10 bits each, from the lowest bits on.
fn pack_gradient(gradient: Vec3) -> u32 {
    let bits = |part: f32| ((part * 511.0).round() as i32 & 0x3ff) as u32;
    bits(gradient.x) | bits(gradient.y) << 10 | bits(gradient.z) << 20
}

/// The bits of the number of an instance's lights; the index of its reflections is in the other bits.
const LIGHT_COUNT_BITS: u32 = 8;

/// `factors` are those of lights; `first_grid` and `first_sheet` are the indices of the first records of occluders and of
/// sheets.
fn gpu_instance(
    instance: &Instance,
    lighting: &Lighting,
    factors: &[f32],
    [first_grid, first_sheet]: [u32; 2],
) -> GpuInstance {
    let lights = lighting.list(instance.lit_by);
    let ambient = lighting.ambient(instance.lit_by);
    let occluders = instance.occluders;
    let grid = if occluders.grid < 0.0 {
        -1.0
    } else {
        occluders.grid + first_grid as f32
    };
    let sheet = instance.sheet;
    let sheet = sheet.map_or(-1.0, |head| (first_sheet + head) as f32);
    let flicker = lighting.ambient_factor(instance.lit_by, factors);
    GpuInstance {
        view_from_room: instance.view_from_room.to_cols_array_2d(),
        eye: instance.eye.to_array(),
        eye_remainder_sheet: instance.eye_remainder.extend(sheet).to_array(),
        lights_tint_gradient: [
            lights.start,
            lights.len() as u32 | instance.reflections << LIGHT_COUNT_BITS,
            u32::from_le_bytes(instance.tint),
            pack_gradient(ambient.gradient),
        ],
        ambient: (ambient.irradiance * flicker).extend(grid).to_array(),
        pose_rotation: instance.pose_rotation.to_array(),
        pose_translation: instance.pose_translation.extend(occluders.own).to_array(),
    }
}
