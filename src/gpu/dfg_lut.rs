//! The split-sum BRDF table: the fraction of ambient irradiance that the facets of a rough surface reflect, after B.
//! Karis, "Real Shading in Unreal Engine 4", 2013.

use half::f16;

use super::device::Gpu;
use super::texture::extent;
use crate::lighting::facet_albedo;

/// The width and height, texels.
const SIDE: u32 = 32;

/// Uploads the table: u is the cosine of the angle to the eye, v the roughness. Red is the scale of the reflectance,
/// green the bias at grazing angles.
pub(super) fn upload(gpu: &Gpu) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("split-sum BRDF table"),
        size: extent(SIDE, SIDE, 1),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rg16Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let at = |i: u32| (i as f32 + 0.5) / SIDE as f32;
    let mut texels: Vec<[u16; 2]> = Vec::with_capacity((SIDE * SIDE) as usize);
    for row in 0..SIDE {
        for column in 0..SIDE {
            texels.push(facet_albedo(at(column), at(row)).map(half_bits));
        }
    }
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(SIDE * 4),
        rows_per_image: None,
    };
    gpu.queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(&texels),
        layout,
        extent(SIDE, SIDE, 1),
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Converts a number to a half float. Subnormal half floats become zero, because some cards read them as zero.
fn half_bits(number: f32) -> u16 {
    let half = f16::from_f32(number);
    if half.is_normal() { half.to_bits() } else { 0 }
}
