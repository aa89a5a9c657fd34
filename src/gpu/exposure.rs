//! The exposure that adapts to the light of the last pictures, like an eye. It stays on the device.

use super::device::Gpu;
use super::error::GpuError;
use super::pipeline_state::LIGHT;
use super::texture::extent;
use super::tone_pipelines::{STOPS, TonePipelines};

/// The grid of cells over the picture in which the light is measured, across and down; the shader has the same number.
const CELLS: [u32; 2] = [16, 9];
/// The time in which most of a change to a higher exposure is done, seconds: eyes take long to adapt to the dark.
const RISE_SECS: f64 = 1.0;
/// The time in which most of a change to a lower exposure is done, seconds.
const FALL_SECS: f64 = 0.4;

/// The exposure on the device, relative to the level's exposure.
pub(super) struct AdaptedExposure {
    /// The exposure of the last picture, and that of the next or the previous one.
    states: [ExposureState; 2],
    /// The index of the exposure of the last picture.
    current: usize,
    /// The exposure of the level, 0 stops.
    of_level: wgpu::BindGroup,
    cells: wgpu::TextureView,
    step_buffer: wgpu::Buffer,
    /// The time by which the exposure adapts in the next picture, seconds; `None` for the exposure of the level.
    elapsed_secs: Option<f64>,
}

/// A texture of one texel: the exposure in stops.
struct ExposureState {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    /// The bind group with which the tone curve reads the exposure.
    bound: wgpu::BindGroup,
    /// The bind group with which the other state is computed from this one.
    previous: wgpu::BindGroup,
}

impl AdaptedExposure {
    /// Creates the exposure, which is that of the level at first.
    pub(super) fn new(gpu: &Gpu, pipelines: &TonePipelines) -> Self {
        let cells = new_texture(gpu, CELLS, LIGHT);
        let cells = cells.create_view(&wgpu::TextureViewDescriptor::default());
        let step_buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("step of the exposure"),
            size: size_of::<[f32; 4]>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let state = || {
            // New textures contain zeros.
            let texture = new_texture(gpu, [1, 1], STOPS);
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            ExposureState {
                bound: pipelines.bind_exposure(gpu, &view),
                previous: pipelines.bind_previous(gpu, [&cells, &view], &step_buffer),
                texture,
                view,
            }
        };
        let [level, a, b] = [state(), state(), state()];
        Self {
            states: [a, b],
            current: 0,
            of_level: level.bound,
            cells,
            step_buffer,
            elapsed_secs: None,
        }
    }

    /// Sets the time by which the exposure adapts in the next picture, seconds; `None` for the level's exposure.
    pub(super) fn set_elapsed(&mut self, secs: Option<f64>) {
        self.elapsed_secs = secs.map(|secs| secs.max(0.0));
    }

    /// The uniform buffer of the next step, and its contents: the parts of a change to a higher and to a lower exposure
    /// that are done.
    pub(super) fn step(&self) -> (&wgpu::Buffer, [f32; 4]) {
        let secs = self.elapsed_secs.unwrap_or(0.0);
        let part = |all: f64| -libm::expm1(-secs / all) as f32;
        (
            &self.step_buffer,
            [part(RISE_SECS), part(FALL_SECS), 0.0, 0.0],
        )
    }

    /// The bind group of the exposure of the last picture.
    pub(super) fn bound(&self) -> &wgpu::BindGroup {
        match self.elapsed_secs {
            Some(_) => &self.states[self.current].bound,
            None => &self.of_level,
        }
    }

    /// Records the adaptation to the light in the bind group `light`. The step must be written before.
    pub(super) fn adapt(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &TonePipelines,
        light: &wgpu::BindGroup,
    ) {
        if self.elapsed_secs.is_none_or(|secs| secs == 0.0) {
            return;
        }
        self.elapsed_secs = Some(0.0);
        let next = 1 - self.current;
        let steps = [
            (&pipelines.measure, light, &self.cells),
            (
                &pipelines.adapt,
                &self.states[self.current].previous,
                &self.states[next].view,
            ),
        ];
        for (pipeline, input, target) in steps {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("exposure"),
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
            pass.set_bind_group(0, input, &[]);
            pass.draw(0..3, 0..1);
        }
        self.current = next;
    }

    /// Waits for the device, and returns the exposure of the last picture in stops.
    pub(super) fn read(&self, gpu: &Gpu) -> Result<f32, GpuError> {
        if self.elapsed_secs.is_none() {
            return Ok(0.0);
        }
        let read_back = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.submit("exposure", |encoder| {
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT),
                rows_per_image: None,
            };
            let target = wgpu::TexelCopyBufferInfo {
                buffer: &read_back,
                layout,
            };
            let source = &self.states[self.current].texture;
            encoder.copy_texture_to_buffer(source.as_image_copy(), target, source.size());
            encoder.map_buffer_on_submit(&read_back, wgpu::MapMode::Read, .., |_| {});
            Ok(())
        })?;
        gpu.wait()?;
        let mapped = read_back.get_mapped_range(..);
        let mapped = mapped.map_err(|error| GpuError::Refused(error.to_string()))?;
        Ok(bytemuck::pod_read_unaligned(&mapped[..size_of::<f32>()]))
    }
}

fn new_texture(gpu: &Gpu, size: [u32; 2], format: wgpu::TextureFormat) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("exposure"),
        size: extent(size[0], size[1], 1),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}
