//! Materials on the device: factors, textures and samplers, one bind group each.

use wgpu::util::DeviceExt;

use super::device::Gpu;
use super::figures;
use super::mipmap::Colours;
use super::pipeline::Pipelines;
use super::surface::SurfaceKey;
use super::texture::GpuTextures;
use crate::level::{Alpha, Level, Material, Texture};
use crate::lighting::factors_of_materials;

/// The uniform layout of the shader's `Coordinates`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Coordinates {
    pub(super) columns: [f32; 4],
    pub(super) offset: [f32; 2],
    pub(super) uv_set: f32,
    pub(super) padding: f32,
}

/// The uniform layout of the shader's `Material`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Factors {
    pub(super) base_colour: [f32; 4],
    pub(super) emissive: [f32; 3],
    pub(super) alpha_cutoff: f32,
    pub(super) reflectance: [f32; 3],
    pub(super) grazing_reflectance: f32,
    pub(super) metallic: f32,
    pub(super) roughness: f32,
    pub(super) normal_scale: f32,
    pub(super) occlusion_strength: f32,
    pub(super) coordinates: [Coordinates; 5],
    pub(super) light_factor: u32,
    pub(super) padding: [u32; 3],
}

/// The tolerance below the alpha cutoff, a fraction of a step of 8-bit alpha: alpha at the cutoff is drawn despite
/// rounding.
const CUTOFF_SLACK: f32 = 1e-3;

/// A material on the device.
pub(super) struct DeviceMaterial {
    pub(super) surface: SurfaceKey,
    pub(super) bound: wgpu::BindGroup,
    /// The bind group for drawing its shadow, if the shadow depends on its texels.
    pub(super) shadow: Option<wgpu::BindGroup>,
}

/// Uploads all used images and creates the bind groups. `reflects` tells whether smooth surfaces reflect the room.
pub(super) fn upload(
    gpu: &Gpu,
    level: &Level,
    pipelines: &Pipelines,
    textures: &mut GpuTextures,
    reflects: bool,
) -> Vec<DeviceMaterial> {
    for material in &level.materials {
        for (texture, colours) in slots(material) {
            textures.prepare(gpu, level, texture, colours);
        }
    }
    let factors = factors_of_materials(level);
    let all = level.materials.iter().zip(factors);
    let upload = |material| upload_one(gpu, material, textures, pipelines, reflects);
    all.map(upload).collect()
}

/// Uploads the material of figures.
pub(super) fn upload_figures(
    gpu: &Gpu,
    level: &Level,
    pipelines: &Pipelines,
    textures: &mut GpuTextures,
) -> DeviceMaterial {
    let material = figures::material();
    for (texture, colours) in slots(&material) {
        textures.prepare(gpu, level, texture, colours);
    }
    upload_one(gpu, (&material, 0), textures, pipelines, false)
}

/// The textures of a material in the shader's order.
fn slots(material: &Material) -> [(Option<&Texture>, Colours); 5] {
    [
        (material.base_texture.as_ref(), Colours::Srgb),
        (
            material.metallic_roughness_texture.as_ref(),
            Colours::Linear,
        ),
        (material.normal_texture.as_ref(), Colours::Linear),
        (material.occlusion_texture.as_ref(), Colours::Linear),
        (material.emissive_texture.as_ref(), Colours::Srgb),
    ]
}

fn upload_one(
    gpu: &Gpu,
    (material, light_factor): (&Material, u32),
    textures: &GpuTextures,
    pipelines: &Pipelines,
    reflects: bool,
) -> DeviceMaterial {
    let factors = gpu
        .device
        .create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(&material.name),
            contents: bytemuck::bytes_of(&factors(material, light_factor)),
            usage: wgpu::BufferUsages::UNIFORM,
        });
    let slots = slots(material);
    let bind_group = |layout, count: usize| {
        let mut entries = vec![wgpu::BindGroupEntry {
            binding: 0,
            resource: factors.as_entire_binding(),
        }];
        for (texture, colours) in &slots[..count] {
            let Some((view, sampler)) = textures.get(*texture, *colours) else {
                continue;
            };
            for resource in [
                wgpu::BindingResource::TextureView(view),
                wgpu::BindingResource::Sampler(sampler),
            ] {
                let binding = entries.len() as u32;
                entries.push(wgpu::BindGroupEntry { binding, resource });
            }
        }
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&material.name),
            layout,
            entries: &entries,
        })
    };
    let surface = SurfaceKey::of(material, reflects).with_light(light_factor);
    DeviceMaterial {
        surface,
        bound: bind_group(&pipelines.material, slots.len()),
        shadow: surface
            .is_masked()
            .then(|| bind_group(&pipelines.shadow_material, 1)),
    }
}

/// The uniform of a material; `light_factor` is the index of the factor of its emission.
fn factors(material: &Material, light_factor: u32) -> Factors {
    let coordinates = slots(material).map(|(texture, _)| {
        let texture = texture.copied().unwrap_or_else(|| Texture::new(0));
        Coordinates {
            columns: texture.uv_from_vertex.to_cols_array(),
            offset: texture.uv_offset.to_array(),
            uv_set: f32::from(texture.uv_set),
            padding: 0.0,
        }
    });
    // KHR_materials_ior and KHR_materials_specular: Fresnel's equations for light at normal incidence, from air.
    let straight = ((material.ior - 1.0) / (material.ior + 1.0)).powi(2);
    let reflectance = material
        .specular_colour
        .map(|c| (straight * c).min(1.0) * material.specular);
    Factors {
        base_colour: material.base_colour,
        emissive: material.emissive,
        light_factor,
        padding: [0; 3],
        alpha_cutoff: match material.alpha {
            Alpha::Mask(cutoff) => cutoff - CUTOFF_SLACK,
            Alpha::Opaque | Alpha::Blend => 0.0,
        },
        reflectance,
        grazing_reflectance: material.specular,
        metallic: material.metallic,
        roughness: material.roughness,
        normal_scale: material.normal_scale,
        occlusion_strength: material.occlusion_strength,
        coordinates,
    }
}
