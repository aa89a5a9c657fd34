//! The mean reflectance and emission of materials, for reflected light.

use glam::Vec3;

use super::facets::{mean_facet_albedo, specular_albedo};
use crate::level::{Image, Level, Material, Texture};

/// The maximum albedo of a surface: no real surface is whiter, and reflected light must fade.
const MAX_ALBEDO: f32 = 0.85;

/// The maximum emission with which surfaces light their room, as a multiple of white: authors use strengths of a
/// hundred to make a pane look bright beside lamps in their units; exposure compensates for that.
const MAX_EMITTED: f32 = 8.0;

/// The minimum roughness, as in the shader.
const MIN_ROUGHNESS: f32 = 0.045;

/// The mean reflectance and emission of a material's surfaces, linear RGB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reflectance {
    /// The part of the albedo that is multiplied by the colour of the vertices.
    coloured: Vec3,
    /// The other part: the reflection of the facets of a dielectric.
    clear: Vec3,
    /// The emission, 1 being white on the screen.
    pub emitted: Vec3,
}

impl Reflectance {
    /// The fraction of light that a surface reflects, with this colour of its vertices; at most [`MAX_ALBEDO`].
    pub(super) fn albedo(&self, tint: Vec3) -> Vec3 {
        (self.coloured * tint + self.clear).min(Vec3::splat(MAX_ALBEDO))
    }

    /// Returns all numbers.
    pub(super) fn numbers(&self) -> [[f32; 3]; 3] {
        [self.coloured, self.clear, self.emitted].map(|part| part.to_array())
    }

    /// The reflectance of a material. `mean` returns the mean of a colour texture, `mean_data` that of a linear one.
    fn of(
        material: &Material,
        mean: impl Fn(&Option<Texture>) -> Vec3,
        mean_data: impl Fn(&Option<Texture>) -> Vec3,
    ) -> Self {
        let [r, g, b, _] = material.base_colour;
        let base = Vec3::new(r, g, b) * mean(&material.base_texture);
        let texel = mean_data(&material.metallic_roughness_texture);
        let metallic = material.metallic * texel.z;
        let once = mean_facet_albedo((material.roughness * texel.y).max(MIN_ROUGHNESS));
        let straight = (material.ior - 1.0) / (material.ior + 1.0);
        let straight = Vec3::from_array(material.specular_colour) * (straight * straight);
        let facets = (straight.min(Vec3::ONE) * material.specular)
            .map(|straight| specular_albedo(once, straight, material.specular));
        let metal = base.map(|base| specular_albedo(once, base, 1.0));
        let diffuse = base * (1.0 - facets.max_element());
        let emitted = Vec3::from_array(material.emissive) * mean(&material.emissive_texture);
        let too_bright = (emitted.max_element() / MAX_EMITTED).max(1.0);
        Self {
            coloured: diffuse.lerp(metal, metallic),
            clear: facets * (1.0 - metallic),
            emitted: emitted / too_bright,
        }
    }
}

/// The reflectances of all materials.
pub(super) fn reflectances(level: &Level) -> Vec<Reflectance> {
    let colours: Vec<Vec3> = level.images.iter().map(Image::mean).collect();
    let mean = |texture: &Option<Texture>| {
        let image = texture.as_ref();
        let mean = image.and_then(|t| colours.get(t.image as usize));
        mean.copied().unwrap_or(Vec3::ONE)
    };
    let mean_data = |texture: &Option<Texture>| {
        let image = texture.as_ref();
        let image = image.and_then(|t| level.images.get(t.image as usize));
        image.map_or(Vec3::ONE, Image::mean_data)
    };
    let materials = level.materials.iter();
    let all = materials.map(|material| Reflectance::of(material, mean, mean_data));
    all.collect()
}

/// The mean colour of the vertices of a triangle, linear RGB.
pub(super) fn tint_of_triangle(level: &Level, triangle: u32) -> Vec3 {
    let first = triangle as usize * 3;
    let corners = level.indices[first..first + 3].iter();
    let colours = corners.map(|&corner| {
        let [r, g, b, _] = level.vertices[corner as usize].colour.map(f32::from);
        Vec3::new(r, g, b) / f32::from(u16::MAX)
    });
    colours.sum::<Vec3>() / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn albedo(material: &Material) -> Vec3 {
        Reflectance::of(material, |_| Vec3::ONE, |_| Vec3::ONE).albedo(Vec3::ONE)
    }

    fn grey(base: f32, metallic: f32, roughness: f32) -> Material {
        Material {
            base_colour: [base, base, base, 1.0],
            metallic,
            roughness,
            ..Material::default()
        }
    }

    #[test]
    fn a_dielectric_reflects_some_light_even_if_its_colour_is_black() {
        for roughness in [0.3, 0.6, 1.0] {
            let black = albedo(&grey(0.0, 0.0, roughness)).x;
            assert!((0.015..0.1).contains(&black), "{black} at {roughness}");
            // Light that the facets reflect does not reach the base.
            let half = albedo(&grey(0.5, 0.0, roughness)).x;
            assert!((half - (0.5 + 0.5 * black)).abs() < 1e-5, "{half}");
            let matt = Material {
                specular: 0.0,
                ..grey(0.5, 0.0, roughness)
            };
            assert!((albedo(&matt).x - 0.5).abs() < 1e-5);
        }
    }

    #[test]
    fn a_white_metal_reflects_everything_and_a_rough_grey_one_less_than_a_smooth_one() {
        let mut before = 1.0;
        for roughness in [0.1, 0.5, 1.0] {
            let white = specular_albedo(mean_facet_albedo(roughness), 1.0, 1.0);
            assert!((white - 1.0).abs() < 1e-5, "{white} at {roughness}");
            // Light that is reflected several times between facets is absorbed several times.
            let grey = albedo(&grey(0.6, 1.0, roughness)).x;
            assert!(grey < before, "{grey} at {roughness}");
            before = grey;
        }
        let smooth = albedo(&grey(0.6, 1.0, 0.1)).x;
        assert!((0.6..0.65).contains(&smooth), "{smooth}");
    }

    #[test]
    fn the_colour_of_vertices_does_not_change_the_reflection_of_a_dielectrics_facets() {
        let all = Reflectance::of(&grey(0.8, 0.0, 0.7), |_| Vec3::ONE, |_| Vec3::ONE);
        assert_eq!(all.albedo(Vec3::ZERO), all.clear);
        assert!(all.albedo(Vec3::X).x > all.albedo(Vec3::X).y);
    }
}
