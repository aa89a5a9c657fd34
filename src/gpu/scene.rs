//! What all surfaces share on the device: camera, sky, lights, shadows, ambient irradiance.

use super::Gpu;
use super::dfg_lut;
use super::growable_buffer::Storage;
use super::pipeline::Pipelines;
use super::shadow::ShadowMaps;
use super::texture::extent;
use crate::frame::Frame;
use crate::level::{Level, Sky};
use crate::lighting::Lighting;

/// As the shaders' `Globals`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Globals {
    pub(super) clip_from_view: [[f32; 4]; 4],
    pub(super) eye_from_view: [[f32; 4]; 3],
    pub(super) sky_zenith: [f32; 4],
    pub(super) sky_horizon: [f32; 3],
    pub(super) exposure: f32,
    pub(super) sky_ground: [f32; 3],
    pub(super) brightness: f32,
    pub(super) hemisphere: [f32; 3],
    pub(super) shadow_size: f32,
}

/// The bind group of all that surfaces share.
pub(super) struct Scene {
    pub(super) bound: wgpu::BindGroup,
    /// Of the lighting that is on the device.
    pub(super) revision: u64,
    sky: Sky,
    /// What all light is multiplied by.
    brightness: f32,
    shadow_size: f32,
    globals: wgpu::Buffer,
    lights: Storage,
    clip_planes: Storage,
    texel_revision: u64,
    pages: wgpu::Texture,
    lightmap: wgpu::TextureView,
    dfg_lut: wgpu::TextureView,
    nearest: wgpu::Sampler,
    smooth: wgpu::Sampler,
}

impl Scene {
    pub(super) fn new(
        gpu: &Gpu,
        level: &Level,
        lighting: &Lighting,
        pipelines: &Pipelines,
        shadows: &ShadowMaps,
    ) -> Self {
        let globals = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let lights = Storage::new(gpu, "lights", bytemuck::cast_slice(&lighting.lists.lights));
        let clip_planes = Storage::new(
            gpu,
            "clip planes",
            bytemuck::cast_slice(&lighting.lists.clip_planes),
        );
        let sampler = |filter| {
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("clamped"),
                mag_filter: filter,
                min_filter: filter,
                ..Default::default()
            })
        };
        let (nearest, smooth) = (
            sampler(wgpu::FilterMode::Nearest),
            sampler(wgpu::FilterMode::Linear),
        );
        let pages = pages(gpu, lighting);
        write_pages(gpu, &pages, lighting);
        let lightmap = pages.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        let dfg_lut = dfg_lut::upload(gpu);
        let bound = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("globals"),
            layout: &pipelines.globals,
            entries: &entries(
                [
                    &globals,
                    &lights.buffer,
                    &clip_planes.buffer,
                    &shadows.table_buffer,
                ],
                [&shadows.array, &lightmap, &dfg_lut],
                [&nearest, &smooth],
            ),
        });
        Self {
            bound,
            revision: lighting.revision,
            sky: level.sky,
            brightness: libm::exp2f(level.exposure_stops),
            shadow_size: shadows.size() as f32,
            globals,
            lights,
            clip_planes,
            texel_revision: lighting.texels.revision,
            pages,
            lightmap,
            dfg_lut,
            nearest,
            smooth,
        }
    }

    /// Brings the lights to the device.
    pub(super) fn follow(
        &mut self,
        gpu: &Gpu,
        lighting: &Lighting,
        pipelines: &Pipelines,
        shadows: &ShadowMaps,
    ) {
        self.revision = lighting.revision;
        if self.texel_revision != lighting.texels.revision {
            self.texel_revision = lighting.texels.revision;
            write_pages(gpu, &self.pages, lighting);
        }
        self.lights
            .write(gpu, bytemuck::cast_slice(&lighting.lists.lights));
        self.clip_planes
            .write(gpu, bytemuck::cast_slice(&lighting.lists.clip_planes));
        self.bound = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("globals"),
            layout: &pipelines.globals,
            entries: &entries(
                [
                    &self.globals,
                    &self.lights.buffer,
                    &self.clip_planes.buffer,
                    &shadows.table_buffer,
                ],
                [&shadows.array, &self.lightmap, &self.dfg_lut],
                [&self.nearest, &self.smooth],
            ),
        });
    }

    pub(super) fn write_globals(&self, gpu: &Gpu, lighting: &Lighting, frame: &Frame) {
        let wide = |[r, g, b]: [f32; 3]| [r, g, b, 0.0];
        let globals = Globals {
            clip_from_view: frame.clip_from_view.to_cols_array_2d(),
            eye_from_view: frame.eye_from_view.to_cols_array_2d().map(wide),
            sky_zenith: wide(self.sky.zenith),
            sky_horizon: self.sky.horizon,
            exposure: lighting.exposure,
            sky_ground: self.sky.ground,
            brightness: self.brightness,
            hemisphere: lighting.hemisphere.to_array(),
            shadow_size: self.shadow_size,
        };
        gpu.queue
            .write_buffer(&self.globals, 0, bytemuck::bytes_of(&globals));
    }
}

/// The entries in the order of the shader's bindings.
fn entries<'a>(
    buffers: [&'a wgpu::Buffer; 4],
    [shadows, lightmap, dfg_lut]: [&'a wgpu::TextureView; 3],
    [nearest, smooth]: [&'a wgpu::Sampler; 2],
) -> [wgpu::BindGroupEntry<'a>; 9] {
    let buffer = |i: usize| buffers[i].as_entire_binding();
    let view = wgpu::BindingResource::TextureView;
    let sampler = wgpu::BindingResource::Sampler;
    let resources = [
        buffer(0),
        buffer(1),
        buffer(2),
        buffer(3),
        view(shadows),
        sampler(nearest),
        view(lightmap),
        view(dfg_lut),
        sampler(smooth),
    ];
    let mut binding = 0;
    resources.map(|resource| {
        binding += 1;
        wgpu::BindGroupEntry {
            binding: binding - 1,
            resource,
        }
    })
}

/// The pages of the lightmap, still empty.
fn pages(gpu: &Gpu, lighting: &Lighting) -> wgpu::Texture {
    let side = lighting.lightmap.page_side;
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("lightmap"),
        size: extent(side, side, lighting.lightmap.pages),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgb9e5Ufloat,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

fn write_pages(gpu: &Gpu, pages: &wgpu::Texture, lighting: &Lighting) {
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(pages.width() * 4),
        rows_per_image: Some(pages.height()),
    };
    let texels = bytemuck::cast_slice(&lighting.texels.rgb);
    gpu.queue
        .write_texture(pages.as_image_copy(), texels, layout, pages.size());
}
