//! The split-sum BRDF table: the fraction of ambient irradiance that the facets of a rough surface reflect, after B.
//! Karis, "Real Shading in Unreal Engine 4", 2013.

use std::f32::consts::TAU;

use glam::Vec3;
use half::f16;

use super::device::Gpu;
use super::texture::extent;

/// The width and height, texels.
const SIDE: u32 = 32;
/// The number of sampled directions for each texel.
const DIRECTIONS: u32 = 512;

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
            texels.push(reflected(at(column), at(row)).map(half_bits));
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

/// The integral over the hemisphere by importance sampling of the facets' normals.
fn reflected(cos_eye: f32, roughness: f32) -> [f32; 2] {
    let a2 = roughness.powi(4);
    let eye = Vec3::new((1.0 - cos_eye * cos_eye).sqrt(), 0.0, cos_eye);
    let mut sum = [0.0; 2];
    for i in 0..DIRECTIONS {
        let u = (i as f32 + 0.5) / DIRECTIONS as f32;
        // Van der Corput's sequence: the bits of the index mirrored behind the binary point.
        let v = i.reverse_bits() as f32 / 4_294_967_296.0;
        let cos = ((1.0 - u) / (1.0 + (a2 - 1.0) * u)).sqrt();
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let (sin_v, cos_v) = (TAU * v).sin_cos();
        let half_way = Vec3::new(sin * cos_v, sin * sin_v, cos);
        let eye_half = eye.dot(half_way);
        let to_light = 2.0 * eye_half * half_way - eye;
        if to_light.z <= 0.0 || eye_half <= 0.0 {
            continue;
        }
        let masking = to_light.z * (cos_eye * cos_eye * (1.0 - a2) + a2).sqrt();
        let shadowing = cos_eye * (to_light.z * to_light.z * (1.0 - a2) + a2).sqrt();
        // The facets' term divided by the probability density of the direction.
        let part = 2.0 * to_light.z * eye_half / ((masking + shadowing) * cos.max(1e-4));
        let grazing = (1.0 - eye_half).powi(5);
        sum[0] += part * (1.0 - grazing);
        sum[1] += part * grazing;
    }
    sum.map(|s| s / DIRECTIONS as f32)
}

/// Converts a number to a half float. Subnormal half floats become zero, because some cards read them as zero.
fn half_bits(number: f32) -> u16 {
    let half = f16::from_f32(number);
    if half.is_normal() { half.to_bits() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_reflect_at_most_the_incident_light_and_smooth_ones_all_of_it() {
        for cos in [0.05, 0.3, 0.7, 1.0] {
            let [straight, grazing] = reflected(cos, 0.05);
            assert!((straight + grazing - 1.0).abs() < 0.02, "{cos}");
            for roughness in [0.2, 0.6, 1.0] {
                let [straight, grazing] = reflected(cos, roughness);
                assert!(straight >= 0.0 && grazing >= 0.0);
                assert!(straight + grazing < 1.01, "{cos} {roughness}");
            }
        }
    }

    #[test]
    fn the_table_agrees_with_an_integral_over_all_directions_of_light() {
        // Brute force in f64 over the hemisphere, without importance sampling.
        for (cos_eye, roughness) in [(0.9f64, 0.8f64), (0.4, 0.5), (0.25, 1.0)] {
            let a2 = roughness.powi(4);
            let eye = glam::DVec3::new((1.0 - cos_eye * cos_eye).sqrt(), 0.0, cos_eye);
            let (steps, mut sum) = (600, 0.0);
            for i in 0..steps {
                for k in 0..steps {
                    let z = (i as f64 + 0.5) / steps as f64;
                    let angle = f64::from(TAU) * (k as f64 + 0.5) / steps as f64;
                    let r = (1.0 - z * z).sqrt();
                    let light = glam::DVec3::new(r * angle.cos(), r * angle.sin(), z);
                    let half_way = (light + eye).normalize_or_zero();
                    let d = half_way.z * half_way.z * (a2 - 1.0) + 1.0;
                    let distribution = a2 / (std::f64::consts::PI * d * d);
                    let masking = z * (cos_eye * cos_eye * (1.0 - a2) + a2).sqrt();
                    let shadowing = cos_eye * (z * z * (1.0 - a2) + a2).sqrt();
                    sum += distribution * 0.5 / (masking + shadowing) * z;
                }
            }
            let whole = sum * f64::from(TAU) / f64::from(steps * steps);
            let [straight, grazing] = reflected(cos_eye as f32, roughness as f32);
            let found = f64::from(straight + grazing);
            assert!((found / whole - 1.0).abs() < 0.01, "{found} for {whole}");
        }
    }
}
