//! The capture of a reflection cube: its faces are drawn one after the other, then filtered into an octahedral map.

use super::device::Gpu;
use super::pipeline_state::{DEPTH, LIGHT, SAMPLES};
use super::targets::light_pass;
use super::texture::extent;
use crate::level::Level;

/// Texels along a side of a face; the same in the shader.
pub(super) const FACE_TEXELS: u32 = 64;
/// The levels of the captured cube, down to one texel.
const FACE_LEVELS: u32 = FACE_TEXELS.ilog2() + 1;
/// The level of the captured cube whose texels are averaged for the mean: 8 x 8 on each face.
const MEAN_LEVEL: u32 = FACE_LEVELS - 4;
/// Texels along a side of the largest level of an octahedral map, with a border of one texel; the same in the shaders.
pub(super) const MAP_TEXELS: u32 = 128;
/// The levels of an octahedral map, for roughness 0 to 1; the same in the shaders.
pub(super) const MAP_LEVELS: u32 = 5;
/// The memory of an octahedral map, bytes.
pub(super) const MAP_BYTES: u64 = {
    let (mut bytes, mut level) = (0, 0);
    while level < MAP_LEVELS {
        let side = (MAP_TEXELS >> level) as u64;
        bytes += side * side * 8;
        level += 1;
    }
    bytes
};

/// The targets of a face, the captured cube, and the pipelines that filter it.
pub(super) struct CubeCapture {
    light: wgpu::TextureView,
    depth: wgpu::TextureView,
    resolve: wgpu::ComputePipeline,
    halve: wgpu::ComputePipeline,
    measure: wgpu::ComputePipeline,
    filter: wgpu::ComputePipeline,
    /// The bind groups of `resolve`, for each face.
    to_face: Vec<wgpu::BindGroup>,
    /// The bind groups of `halve`, for each level but the first.
    to_level: Vec<wgpu::BindGroup>,
    to_mean: wgpu::BindGroup,
    cube: wgpu::TextureView,
    trilinear: wgpu::Sampler,
    mean: wgpu::Buffer,
}

impl CubeCapture {
    /// Creates the resources for a level.
    pub(super) fn new(gpu: &Gpu, level: &Level) -> Self {
        let device = &gpu.device;
        let target = |label, format, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: extent(FACE_TEXELS, FACE_TEXELS, 1),
                mip_level_count: 1,
                sample_count: SAMPLES,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let light = target("face", LIGHT, wgpu::TextureUsages::TEXTURE_BINDING);
        let captured = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("captured cube"),
            size: extent(FACE_TEXELS, FACE_TEXELS, 6),
            mip_level_count: FACE_LEVELS,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: LIGHT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING,
            view_formats: &[],
        });
        let faces = |level| {
            captured.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                base_mip_level: level,
                mip_level_count: Some(1),
                ..Default::default()
            })
        };
        let face = |face| {
            captured.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: face,
                array_layer_count: Some(1),
                mip_level_count: Some(1),
                ..Default::default()
            })
        };
        let mean = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("mean of a cube"),
            size: 16,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        let shader = wgpu::include_wgsl!("../../shaders/reflection.wgsl");
        let shader = device.create_shader_module(shader);
        let pipeline = |entry, constants: &[(&str, f64)]| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: None,
                module: &shader,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants,
                    ..Default::default()
                },
                cache: None,
            })
        };
        let resolve = pipeline("resolve", &[]);
        let halve = pipeline("halve", &[]);
        let brightness = libm::exp2(f64::from(level.exposure_stops));
        let measure = pipeline("measure", &[("BRIGHTNESS", brightness)]);
        let to_face = (0..6).map(|at| {
            let face = face(at);
            bind(gpu, &resolve, &[(0, view(&light)), (1, view(&face))])
        });
        let to_face = to_face.collect();
        let to_level = (1..FACE_LEVELS).map(|level| {
            let (large, small) = (faces(level - 1), faces(level));
            bind(gpu, &halve, &[(2, view(&large)), (3, view(&small))])
        });
        let averaged = faces(MEAN_LEVEL);
        let to_mean = [(4, view(&averaged)), (5, mean.as_entire_binding())];
        Self {
            depth: target("depth of a face", DEPTH, wgpu::TextureUsages::empty()),
            to_face,
            to_level: to_level.collect(),
            to_mean: bind(gpu, &measure, &to_mean),
            light,
            resolve,
            halve,
            measure,
            filter: pipeline("filter_level", &[]),
            cube: captured.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::Cube),
                ..Default::default()
            }),
            trilinear: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("trilinear"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            }),
            mean,
        }
    }

    /// Begins a pass that draws the light of a face: over the colour `cleared`, or over the previous contents.
    pub(super) fn light_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        cleared: Option<wgpu::Color>,
    ) -> wgpu::RenderPass<'a> {
        light_pass(encoder, ([&self.light, &self.depth], None), cleared, None)
    }

    /// Copies the drawn picture to a face of the captured cube.
    pub(super) fn copy_face(&self, encoder: &mut wgpu::CommandEncoder, face: usize) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.resolve);
        pass.set_bind_group(0, &self.to_face[face], &[]);
        dispatch(&mut pass, FACE_TEXELS, 1);
    }

    /// Filters the captured cube into the levels of a map; each view has one level.
    pub(super) fn filter(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        levels: &[wgpu::TextureView],
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.halve);
        for (level, bound) in (1..).zip(&self.to_level) {
            pass.set_bind_group(0, bound, &[]);
            dispatch(&mut pass, FACE_TEXELS >> level, 6);
        }
        pass.set_pipeline(&self.measure);
        pass.set_bind_group(0, &self.to_mean, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        pass.set_pipeline(&self.filter);
        for (level, map) in (0..).zip(levels) {
            let resources = [
                (6, view(&self.cube)),
                (7, wgpu::BindingResource::Sampler(&self.trilinear)),
                (8, self.mean.as_entire_binding()),
                (9, view(map)),
            ];
            pass.set_bind_group(0, &bind(gpu, &self.filter, &resources), &[]);
            dispatch(&mut pass, MAP_TEXELS >> level, 1);
        }
    }
}

fn view(texture: &wgpu::TextureView) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::TextureView(texture)
}

fn bind(
    gpu: &Gpu,
    pipeline: &wgpu::ComputePipeline,
    resources: &[(u32, wgpu::BindingResource)],
) -> wgpu::BindGroup {
    let entries = resources
        .iter()
        .map(|(binding, resource)| wgpu::BindGroupEntry {
            binding: *binding,
            resource: resource.clone(),
        });
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries.collect::<Vec<_>>(),
    })
}

/// Runs a kernel for each texel of square layers.
fn dispatch(pass: &mut wgpu::ComputePass, side: u32, layers: u32) {
    let groups = side.div_ceil(8);
    pass.dispatch_workgroups(groups, groups, layers);
}
