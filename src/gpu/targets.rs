//! The targets of a picture before the tone curve: light in half floats, four samples per pixel.

use super::bloom::Bloom;
use super::device::Gpu;
use super::exposure::AdaptedExposure;
use super::pipeline_state::{DEPTH, LIGHT, SAMPLES};
use super::render_target::RenderTarget;
use super::texture::extent;
use super::tone_pipelines::TonePipelines;

/// The multisampled light and depth for one picture size.
pub(super) struct Targets {
    /// The picture size and the resolution scale, as bits, for which they were created.
    pub(super) made_for: ([u32; 2], u64),
    /// The size of the HDR target `light`, pixels.
    pub(super) size: [u32; 2],
    /// Whether the HDR target `light` has fewer pixels than the picture.
    is_scaled: bool,
    light: wgpu::TextureView,
    /// The means of the samples of `light`, for OpenGL.
    resolved: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
    /// The bind group of the HDR target alone.
    light_input: wgpu::BindGroup,
    /// The bind group of the HDR target and its halo.
    tone_input: wgpu::BindGroup,
    pub(super) bloom: Option<Bloom>,
}

impl Targets {
    /// Creates targets with `size` pixels, for the picture size and scale of `made_for`.
    pub(super) fn new(
        gpu: &Gpu,
        pipelines: &TonePipelines,
        size: [u32; 2],
        made_for: ([u32; 2], u64),
    ) -> Self {
        let view = |label, format, usage, samples| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: extent(size[0], size[1], 1),
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let (none, read) = (
            wgpu::TextureUsages::empty(),
            wgpu::TextureUsages::TEXTURE_BINDING,
        );
        // wgpu reads no multisampled textures of OpenGL.
        let resolved = gpu.is_gl().then(|| view("resolved light", LIGHT, read, 1));
        let usage = if gpu.is_gl() { none } else { read };
        let light = view("light", LIGHT, usage, SAMPLES);
        let input = resolved.as_ref().unwrap_or(&light);
        let bloom = pipelines.blooms.then(|| Bloom::new(gpu, pipelines, size));
        let halo = bloom.as_ref().and_then(Bloom::view);
        Self {
            made_for,
            size,
            is_scaled: size != made_for.0,
            light_input: pipelines.bind_light(gpu, input),
            tone_input: pipelines.bind_input(gpu, input, halo),
            light,
            resolved,
            depth: view("depth", DEPTH, none, SAMPLES),
            bloom,
        }
    }

    /// Begins a pass that draws light: over the colour `cleared`, or over the previous contents.
    pub(super) fn light_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        cleared: Option<wgpu::Color>,
        timestamps: Option<wgpu::RenderPassTimestampWrites>,
    ) -> wgpu::RenderPass<'a> {
        let resolved = self.resolved.as_ref();
        light_pass(
            encoder,
            ([&self.light, &self.depth], resolved),
            cleared,
            timestamps,
        )
    }

    /// Adapts the exposure to the HDR target `light`, and draws its halo.
    pub(super) fn expose(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &TonePipelines,
        exposure: &mut AdaptedExposure,
    ) {
        exposure.adapt(encoder, pipelines, &self.light_input);
        if let Some(bloom) = &self.bloom {
            bloom.draw(encoder, pipelines, [&self.light_input, exposure.bound()]);
        }
    }

    /// Draws the HDR target `light` to the target of the picture, through the tone curve.
    pub(super) fn tone(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (pipelines, exposure): (&TonePipelines, &AdaptedExposure),
        target: RenderTarget,
        timestamps: Option<wgpu::RenderPassTimestampWrites>,
    ) {
        let load = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let mut pass = target.pass(encoder, "tone", load, timestamps);
        let pipeline = if self.is_scaled {
            &pipelines.scaled
        } else {
            &pipelines.whole
        };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.tone_input, &[]);
        pass.set_bind_group(1, exposure.bound(), &[]);
        pass.draw(0..3, 0..1);
    }
}

/// Begins a pass that draws light with depth to these views, over the colour `cleared`, or over the previous contents. Where
/// there is a third view, it is of the means of the samples.
pub(super) fn light_pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    ([light, depth], resolved): ([&wgpu::TextureView; 2], Option<&wgpu::TextureView>),
    cleared: Option<wgpu::Color>,
    timestamps: Option<wgpu::RenderPassTimestampWrites>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("light"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: light,
            depth_slice: None,
            resolve_target: resolved,
            ops: wgpu::Operations {
                load: cleared.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: depth,
            depth_ops: Some(wgpu::Operations {
                // Reversed depth: 0 is at infinity.
                load: match cleared {
                    Some(_) => wgpu::LoadOp::Clear(0.0),
                    None => wgpu::LoadOp::Load,
                },
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        }),
        timestamp_writes: timestamps,
        ..Default::default()
    })
}
