//! Shared resources of all surfaces on the device: camera, sky, lights, shadows, ambient irradiance.

use super::cube_maps::CubeMaps;
use super::device::Gpu;
use super::dfg_lut;
use super::growable_buffer::GrowableBuffer;
use super::pipeline::Pipelines;
use super::shadow_maps::ShadowMaps;
use super::suns::{GpuSun, MAX_SUNS, suns};
use super::texture::{array_layers, extent};
use super::upload::write_texture;
use crate::frame::Frame;
use crate::level::{Level, Sky};
use crate::lighting::Lighting;

/// The uniform layout of the shaders' `Globals`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Globals {
    pub(super) clip_from_view: [[f32; 4]; 4],
    pub(super) eye_from_view: [[f32; 4]; 3],
    pub(super) sky_zenith: [f32; 3],
    pub(super) shadow_size: f32,
    pub(super) sky_horizon: [f32; 3],
    pub(super) exposure: f32,
    pub(super) sky_ground: [f32; 3],
    pub(super) brightness: f32,
    pub(super) suns: [GpuSun; MAX_SUNS],
    pub(super) clouds: f32,
    pub(super) first_factor: u32,
    pub(super) pixel_size: [f32; 2],
}

/// The resources, and the bind group that contains all of them.
pub(super) struct SceneBindings {
    pub(super) bound: wgpu::BindGroup,
    resources: Resources,
    /// The revision of the light lists on the device.
    list_revision: Option<u64>,
    /// The revision of the texels on the device.
    texel_revision: Option<u64>,
    sky: Sky,
    suns: [GpuSun; MAX_SUNS],
    /// The factor for all light.
    brightness: f32,
    shadow_size: f32,
}

struct Resources {
    globals: wgpu::Buffer,
    lights: GrowableBuffer,
    clip_planes: GrowableBuffer,
    records: GrowableBuffer,
    cube_maps: wgpu::TextureView,
    pages: wgpu::Texture,
    lightmap: wgpu::TextureView,
    dfg_lut: wgpu::TextureView,
    nearest: wgpu::Sampler,
    linear: wgpu::Sampler,
}

impl SceneBindings {
    /// Creates the resources for a level with this lighting, which is not written yet.
    pub(super) fn new(
        gpu: &Gpu,
        level: &Level,
        lighting: &Lighting,
        pipelines: &Pipelines,
        (shadows, cubes): (&ShadowMaps, &CubeMaps),
    ) -> Self {
        let resources = Resources::new(gpu, lighting, cubes);
        Self {
            bound: resources.bind(gpu, pipelines, shadows),
            resources,
            list_revision: None,
            texel_revision: None,
            sky: level.sky,
            suns: suns(level),
            brightness: libm::exp2f(level.exposure_stops),
            shadow_size: shadows.size() as f32,
        }
    }

    /// Prepares for another lighting of the level, with a lightmap of the same layout.
    pub(super) fn forget_lighting(&mut self) {
        (self.list_revision, self.texel_revision) = (None, None);
    }

    /// Writes the changes of the lights and the texels.
    pub(super) fn update(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        lighting: &Lighting,
        pipelines: &Pipelines,
        shadows: &mut ShadowMaps,
    ) {
        let at = &mut self.resources;
        let texel_revision = Some(lighting.texels.revision);
        if self.texel_revision != texel_revision {
            self.texel_revision = texel_revision;
            let texels = bytemuck::cast_slice(&lighting.texels.rgb);
            write_texture(gpu, encoder, &at.pages, texels);
        }
        let list_revision = Some(lighting.lists.revision);
        if self.list_revision != list_revision {
            self.list_revision = list_revision;
            shadows.update(gpu, lighting);
            let lights = bytemuck::cast_slice(&lighting.lists.lights);
            at.lights.write(gpu, encoder, lights);
            let clip_planes = bytemuck::cast_slice(&lighting.lists.clip_planes);
            at.clip_planes.write(gpu, encoder, clip_planes);
            self.bound = self.resources.bind(gpu, pipelines, shadows);
        }
    }

    /// Reserves space for the records of a frame, which must be written afterwards.
    pub(super) fn fit_records(
        &mut self,
        gpu: &Gpu,
        records: &[[f32; 4]],
        (pipelines, shadows): (&Pipelines, &ShadowMaps),
    ) {
        let buffer = &mut self.resources.records;
        let before = buffer.buffer.size();
        buffer.fit(gpu, bytemuck::cast_slice(records));
        if buffer.buffer.size() != before {
            self.bound = self.resources.bind(gpu, pipelines, shadows);
        }
    }

    /// The contents of the uniform buffer for a frame that is drawn with this size in pixels. `first_factor` is the index of the record with the first factors of
    /// lights.
    pub(super) fn globals(
        &self,
        lighting: &Lighting,
        (frame, size): (&Frame, [u32; 2]),
        first_factor: u32,
    ) -> Globals {
        let wide = |[r, g, b]: [f32; 3]| [r, g, b, 0.0];
        Globals {
            clip_from_view: frame.clip_from_view.to_cols_array_2d(),
            eye_from_view: frame.eye_from_view.to_cols_array_2d().map(wide),
            sky_zenith: self.sky.zenith,
            shadow_size: self.shadow_size,
            sky_horizon: self.sky.horizon,
            exposure: lighting.exposure,
            sky_ground: self.sky.ground,
            brightness: self.brightness,
            suns: self.suns,
            clouds: self.sky.clouds,
            first_factor,
            pixel_size: size.map(|pixels| 2.0 / pixels as f32),
        }
    }

    /// The buffer of the records of a frame.
    pub(super) fn records_buffer(&self) -> &wgpu::Buffer {
        &self.resources.records.buffer
    }

    /// The uniform buffer.
    pub(super) fn globals_buffer(&self) -> &wgpu::Buffer {
        &self.resources.globals
    }
}

impl Resources {
    fn new(gpu: &Gpu, lighting: &Lighting, cubes: &CubeMaps) -> Self {
        let sampler = |filter| {
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("clamped"),
                mag_filter: filter,
                min_filter: filter,
                ..Default::default()
            })
        };
        let side = lighting.lightmap.page_side;
        let pages = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("lightmap"),
            size: extent(side, side, array_layers(gpu, lighting.lightmap.pages)),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgb9e5Ufloat,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let storage = wgpu::BufferUsages::STORAGE;
        Self {
            globals: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("globals"),
                size: size_of::<Globals>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            lights: GrowableBuffer::new(gpu, "lights", storage),
            clip_planes: GrowableBuffer::new(gpu, "clip planes", storage),
            records: GrowableBuffer::new(gpu, "frame records", storage),
            cube_maps: cubes.array.clone(),
            lightmap: pages.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            }),
            pages,
            dfg_lut: dfg_lut::upload(gpu),
            nearest: sampler(wgpu::FilterMode::Nearest),
            linear: sampler(wgpu::FilterMode::Linear),
        }
    }

    /// Creates the bind group, with the resources in the order of the shader's bindings.
    fn bind(&self, gpu: &Gpu, pipelines: &Pipelines, shadows: &ShadowMaps) -> wgpu::BindGroup {
        let view = wgpu::BindingResource::TextureView;
        let sampler = wgpu::BindingResource::Sampler;
        let resources = [
            self.globals.as_entire_binding(),
            self.lights.buffer.as_entire_binding(),
            self.clip_planes.buffer.as_entire_binding(),
            shadows.table_buffer.as_entire_binding(),
            view(&shadows.array),
            sampler(&self.nearest),
            view(&self.lightmap),
            view(&self.dfg_lut),
            sampler(&self.linear),
            self.records.buffer.as_entire_binding(),
            view(&self.cube_maps),
            view(shadows.bounds()),
        ];
        let entries = (0..).zip(resources);
        let entries = entries.map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource });
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("globals"),
            layout: &pipelines.globals,
            entries: &entries.collect::<Vec<_>>(),
        })
    }
}
