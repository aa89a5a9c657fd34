//! Materials on the device: factors, texture and sampler, one bind group each.

use wgpu::util::DeviceExt;

use super::Gpu;
use super::mipmap::mipmaps;
use crate::level::{Image, Level, Material, Wrap};

/// As the shader's `Material`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Factors {
    base_colour: [f32; 4],
    emissive: [f32; 3],
    alpha_cutoff: f32,
}

/// What surfaces seen at a slant need to stay sharp.
const ANISOTROPY: u16 = 8;

/// Uploads all pictures and makes a bind group for each material.
pub(super) fn upload(
    gpu: &Gpu,
    level: &Level,
    layout: &wgpu::BindGroupLayout,
) -> Vec<wgpu::BindGroup> {
    let white = Image {
        name: "white".to_owned(),
        width: 1,
        height: 1,
        rgba: vec![255; 4],
        wrap: [Wrap::Clamp; 2],
        smooth: true,
    };
    let with_sampler = |image| (texture(gpu, image), sampler(gpu, image));
    let white = with_sampler(&white);
    let images: Vec<_> = level.images.iter().map(with_sampler).collect();
    let of_material = |material: &Material| {
        let image = material.base_texture.and_then(|i| images.get(i as usize));
        let (view, sampler) = image.unwrap_or(&white);
        bind_group(gpu, layout, material, view, sampler)
    };
    level.materials.iter().map(of_material).collect()
}

fn bind_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    material: &Material,
    view: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
) -> wgpu::BindGroup {
    let factors = Factors {
        base_colour: material.base_colour,
        emissive: material.emissive,
        alpha_cutoff: material.alpha_cutoff.unwrap_or(-1.0),
    };
    let descriptor = wgpu::util::BufferInitDescriptor {
        label: Some(&material.name),
        contents: bytemuck::bytes_of(&factors),
        usage: wgpu::BufferUsages::UNIFORM,
    };
    let factors = gpu.device.create_buffer_init(&descriptor);
    let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(&material.name),
        layout,
        entries: &[
            entry(0, factors.as_entire_binding()),
            entry(1, wgpu::BindingResource::TextureView(view)),
            entry(2, wgpu::BindingResource::Sampler(sampler)),
        ],
    })
}

fn texture(gpu: &Gpu, image: &Image) -> wgpu::TextureView {
    let mips = mipmaps(image, gpu.device.limits().max_texture_dimension_2d);
    let (width, height) = mips.first().map_or((1, 1), |mip| (mip.width, mip.height));
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(&image.name),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: mips.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (level, mip) in (0u32..).zip(&mips) {
        let to = wgpu::TexelCopyTextureInfo {
            mip_level: level,
            ..texture.as_image_copy()
        };
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(mip.width * 4),
            rows_per_image: None,
        };
        let size = wgpu::Extent3d {
            width: mip.width,
            height: mip.height,
            depth_or_array_layers: 1,
        };
        gpu.queue.write_texture(to, &mip.rgba, layout, size);
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn sampler(gpu: &Gpu, image: &Image) -> wgpu::Sampler {
    let [u, v] = image.wrap.map(|wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    });
    // Anisotropy needs all filters linear; pictures of hard texels keep theirs. Drivers without a
    // card pay too dearly: Mesa's looks at every texel under a pixel, at the edges of slanted
    // surfaces millions of them.
    let (filter, anisotropy_clamp) = match (image.smooth, gpu.is_software()) {
        (true, false) => (wgpu::FilterMode::Linear, ANISOTROPY),
        (true, true) => (wgpu::FilterMode::Linear, 1),
        (false, _) => (wgpu::FilterMode::Nearest, 1),
    };
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some(&image.name),
        address_mode_u: u,
        address_mode_v: v,
        mag_filter: filter,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        anisotropy_clamp,
        ..Default::default()
    })
}
