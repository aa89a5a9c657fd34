//! The fraction of light that the surface of a material reflects: microfacets over a diffuse base, as in the shader.
//! B. Karis, "Real Shading in Unreal Engine 4", 2013.

use std::f32::consts::TAU;

use glam::Vec3;

/// The number of sampled directions.
const DIRECTIONS: u32 = 512;
/// The number of sampled directions to the eye.
const EYES: u32 = 8;

/// The fraction of uniform light that the facets of a surface reflect to an eye at this cosine to the normal, by
/// importance sampling of the facets' normals: the factor of the reflectance at normal incidence, and the factor of that
/// at grazing angles. `roughness` is the perceptual roughness, 0..1. Light reflected between facets is not included.
pub(crate) fn facet_albedo(cos_eye: f32, roughness: f32) -> [f32; 2] {
    let a2 = roughness * roughness * roughness * roughness;
    let eye = Vec3::new((1.0 - cos_eye * cos_eye).sqrt(), 0.0, cos_eye);
    let mut sum = [0.0; 2];
    for i in 0..DIRECTIONS {
        let u = (i as f32 + 0.5) / DIRECTIONS as f32;
        // Van der Corput's sequence: the bits of the index mirrored behind the binary point.
        let v = i.reverse_bits() as f32 / 4_294_967_296.0;
        let cos = ((1.0 - u) / (1.0 + (a2 - 1.0) * u)).sqrt();
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let (sin_v, cos_v) = libm::sincosf(TAU * v);
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
        let grazing = schlick(eye_half);
        sum[0] += part * (1.0 - grazing);
        sum[1] += part * grazing;
    }
    sum.map(|s| s / DIRECTIONS as f32)
}

/// Schlick's approximation of Fresnel's equations: the part of the reflectance at grazing angles.
fn schlick(cos: f32) -> f32 {
    let away = 1.0 - cos;
    let squared = away * away;
    squared * squared * away
}

/// The mean of [`facet_albedo`] over all directions of the eye, weighted by their cosines.
pub(super) fn mean_facet_albedo(roughness: f32) -> [f32; 2] {
    let mut sum = [0.0; 2];
    for i in 0..EYES {
        let cos = ((i as f32 + 0.5) / EYES as f32).sqrt();
        let one = facet_albedo(cos, roughness);
        sum = [sum[0] + one[0], sum[1] + one[1]];
    }
    sum.map(|sum| sum / EYES as f32)
}

/// The fraction of uniform light that facets with this reflectance at normal incidence and at grazing angles reflect,
/// including light reflected between facets (C. Fdez-Aguera, "A Multiple-Scattering Microfacet Model for Real-Time
/// Image-based Lighting", 2019). `once` is [`mean_facet_albedo`] of their roughness.
pub(super) fn specular_albedo(once: [f32; 2], reflectance: f32, grazing: f32) -> f32 {
    let first = reflectance * once[0] + grazing * once[1];
    let lost = 1.0 - (once[0] + once[1]);
    let mean = reflectance + (grazing - reflectance) / 21.0;
    first + first * mean / (1.0 - lost * mean) * lost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_reflect_at_most_the_incident_light_and_smooth_ones_all_of_it() {
        for cos in [0.05, 0.3, 0.7, 1.0] {
            let [straight, grazing] = facet_albedo(cos, 0.05);
            assert!((straight + grazing - 1.0).abs() < 0.02, "{cos}");
            for roughness in [0.2, 0.6, 1.0] {
                let [straight, grazing] = facet_albedo(cos, roughness);
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
            let [straight, grazing] = facet_albedo(cos_eye as f32, roughness as f32);
            let found = f64::from(straight + grazing);
            assert!((found / whole - 1.0).abs() < 0.01, "{found} for {whole}");
        }
    }
}
