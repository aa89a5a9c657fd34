//! Render pipelines from light to the colours of the picture, and the layouts of their bind groups.

use super::bindings::{IN_FRAGMENT, buffer, sampler, texture};
use super::device::Gpu;
use super::pipeline_state::{LIGHT, PipelineKey, create};
use super::shader_sources;
use super::texture::extent;

/// The format of an adapted exposure, the bits of a float: half floats would lose the small steps of short frames, and
/// OpenGL ES draws no textures of 32-bit floats.
pub(super) const STOPS: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;

/// The pipelines from light to the colours of the picture.
pub(super) struct TonePipelines {
    /// Whether light above white has a halo.
    pub(super) blooms: bool,
    /// The tone curve.
    pub(super) whole: wgpu::RenderPipeline,
    /// The tone curve for light with fewer pixels than the picture.
    pub(super) scaled: wgpu::RenderPipeline,
    /// Draws the light above white in half of its resolution.
    pub(super) bright: wgpu::RenderPipeline,
    /// Draws a texture of the bloom in half of its size.
    pub(super) halve: wgpu::RenderPipeline,
    /// Blends a texture of the bloom over the next larger one.
    pub(super) enlarge: wgpu::RenderPipeline,
    /// Measures the light of the cells of a picture.
    pub(super) measure: wgpu::RenderPipeline,
    /// Computes an exposure from the previous one.
    pub(super) adapt: wgpu::RenderPipeline,
    light: wgpu::BindGroupLayout,
    /// The layout of the multisampled light and its halo.
    input: wgpu::BindGroupLayout,
    /// The layout of a texture of the bloom.
    pub(super) source: wgpu::BindGroupLayout,
    exposure: wgpu::BindGroupLayout,
    /// The layout from which an exposure is computed.
    previous_exposure: wgpu::BindGroupLayout,
    smooth_clamped: wgpu::Sampler,
    /// A texture without light, where there is no halo.
    black: wgpu::TextureView,
}

impl TonePipelines {
    /// Creates the pipelines for targets of `format`.
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat, blooms: bool) -> Self {
        let device = &gpu.device;
        let unfiltered = wgpu::TextureSampleType::Float { filterable: false };
        let bits = wgpu::TextureSampleType::Uint;
        let filtered = wgpu::TextureSampleType::Float { filterable: true };
        let flat = wgpu::TextureViewDimension::D2;
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let light_entry = texture(0, unfiltered, flat, !gpu.is_gl());
        let source_entries = [
            texture(1, filtered, flat, false),
            sampler(2, wgpu::SamplerBindingType::Filtering),
        ];
        let light = layout("light", &[light_entry]);
        let input = layout("tone", &[light_entry, source_entries[0], source_entries[1]]);
        let source = layout("bloom", &source_entries);
        let exposure = layout("exposure", &[texture(0, bits, flat, false)]);
        let previous_exposure = layout(
            "previous exposure",
            &[
                texture(3, unfiltered, flat, false),
                texture(4, bits, flat, false),
                buffer(5, IN_FRAGMENT, wgpu::BufferBindingType::Uniform),
            ],
        );

        let shader = shader_sources::create(gpu, shader_sources::tone);
        let pipeline = |label, entries, groups: &[Option<&wgpu::BindGroupLayout>], format| {
            create(
                device,
                &PipelineKey {
                    label,
                    entries,
                    groups,
                    samples: 1,
                    ..PipelineKey::new(&shader, format)
                },
            )
        };
        let flag = |flag: bool| f64::from(u8::from(flag));
        let tone = |label, entries| {
            create(
                device,
                &PipelineKey {
                    label,
                    entries,
                    constants: &[("DITHERS", flag(format.is_srgb())), ("BLOOM", flag(blooms))],
                    groups: &[Some(&input), Some(&exposure)],
                    samples: 1,
                    ..PipelineKey::new(&shader, format)
                },
            )
        };
        let exposed = [Some(&light), Some(&exposure)];
        Self {
            blooms,
            whole: tone("tone", ["vertex", "fragment"]),
            scaled: tone("tone, scaled", ["scaled_vertex", "scaled"]),
            bright: pipeline("light above white", ["vertex", "bright"], &exposed, LIGHT),
            halve: pipeline("halved bloom", ["vertex", "halve"], &[Some(&source)], LIGHT),
            enlarge: create(
                device,
                &PipelineKey {
                    label: "enlarged bloom",
                    entries: ["vertex", "enlarge"],
                    groups: &[Some(&source)],
                    blend: Some(MIXED),
                    samples: 1,
                    ..PipelineKey::new(&shader, LIGHT)
                },
            ),
            measure: pipeline(
                "measured light",
                ["vertex", "measure"],
                &[Some(&light)],
                LIGHT,
            ),
            adapt: pipeline(
                "adapted exposure",
                ["vertex", "adapt"],
                &[Some(&previous_exposure)],
                STOPS,
            ),
            smooth_clamped: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("bloom"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            black: black(device),
            light,
            input,
            source,
            exposure,
            previous_exposure,
        }
    }

    /// Binds multisampled light alone.
    pub(super) fn bind_light(&self, gpu: &Gpu, light: &wgpu::TextureView) -> wgpu::BindGroup {
        bind(gpu, &self.light, &[(0, view(light))])
    }

    /// Binds multisampled light and its halo.
    pub(super) fn bind_input(
        &self,
        gpu: &Gpu,
        light: &wgpu::TextureView,
        halo: Option<&wgpu::TextureView>,
    ) -> wgpu::BindGroup {
        let halo = halo.unwrap_or(&self.black);
        let smooth = wgpu::BindingResource::Sampler(&self.smooth_clamped);
        let entries = [(0, view(light)), (1, view(halo)), (2, smooth)];
        bind(gpu, &self.input, &entries)
    }

    /// Binds a texture of the bloom.
    pub(super) fn bind_source(&self, gpu: &Gpu, source: &wgpu::TextureView) -> wgpu::BindGroup {
        let smooth = wgpu::BindingResource::Sampler(&self.smooth_clamped);
        bind(gpu, &self.source, &[(1, view(source)), (2, smooth)])
    }

    /// Binds the exposure of a texel.
    pub(super) fn bind_exposure(&self, gpu: &Gpu, exposure: &wgpu::TextureView) -> wgpu::BindGroup {
        bind(gpu, &self.exposure, &[(0, view(exposure))])
    }

    /// Binds the measured cells, the previous exposure and the size of the step to the next one.
    pub(super) fn bind_previous(
        &self,
        gpu: &Gpu,
        [cells, exposure]: [&wgpu::TextureView; 2],
        step: &wgpu::Buffer,
    ) -> wgpu::BindGroup {
        let step = step.as_entire_binding();
        let entries = [(3, view(cells)), (4, view(exposure)), (5, step)];
        bind(gpu, &self.previous_exposure, &entries)
    }
}

/// A mix by the blend constant of the new colour and the colour already in the texture.
const MIXED: wgpu::BlendState = wgpu::BlendState {
    color: MIXED_COMPONENT,
    alpha: MIXED_COMPONENT,
};

const MIXED_COMPONENT: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::Constant,
    dst_factor: wgpu::BlendFactor::OneMinusConstant,
    operation: wgpu::BlendOperation::Add,
};

/// A texture of one black texel: new textures contain zeros.
fn black(device: &wgpu::Device) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("black"),
        size: extent(1, 1, 1),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: LIGHT,
        usage: wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn view(of: &wgpu::TextureView) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::TextureView(of)
}

fn bind(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    resources: &[(u32, wgpu::BindingResource)],
) -> wgpu::BindGroup {
    let entries = resources.iter().cloned();
    let entries = entries.map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource });
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("tone"),
        layout,
        entries: &entries.collect::<Vec<_>>(),
    })
}
