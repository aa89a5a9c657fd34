//! Entries of bind group layouts.

pub(super) const IN_BOTH: wgpu::ShaderStages = wgpu::ShaderStages::VERTEX_FRAGMENT;
pub(super) const IN_FRAGMENT: wgpu::ShaderStages = wgpu::ShaderStages::FRAGMENT;

fn entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    }
}

pub(super) fn buffer(
    binding: u32,
    stages: wgpu::ShaderStages,
    ty: wgpu::BufferBindingType,
) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    entry(binding, stages, ty)
}

pub(super) fn texture(
    binding: u32,
    sample_type: wgpu::TextureSampleType,
    view_dimension: wgpu::TextureViewDimension,
    multisampled: bool,
) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Texture {
        sample_type,
        view_dimension,
        multisampled,
    };
    entry(binding, IN_FRAGMENT, ty)
}

pub(super) fn sampler(binding: u32, ty: wgpu::SamplerBindingType) -> wgpu::BindGroupLayoutEntry {
    entry(binding, IN_FRAGMENT, wgpu::BindingType::Sampler(ty))
}
