//! Materials: the appearance of surfaces, after glTF 2.0, and their contact properties.

use std::sync::{Arc, LazyLock};

use glam::{Mat2, Vec2, Vec3};

/// The appearance and the contact properties of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name, for messages.
    pub name: String,
    /// Linear RGBA factor of the base colour.
    pub base_colour: [f32; 4],
    /// Base colour and alpha, sRGB.
    pub base_texture: Option<Texture>,
    /// Metalness: 0 for dielectrics, 1 for metal.
    pub metallic: f32,
    /// Perceptual roughness, 0..1: the square root of the width of the microfacet distribution.
    pub roughness: f32,
    /// Factors of roughness (green) and metalness (blue); linear.
    pub metallic_roughness_texture: Option<Texture>,
    /// Normals in tangent space; linear.
    pub normal_texture: Option<Texture>,
    /// Scale of the normals' x and y.
    pub normal_scale: f32,
    /// Ambient occlusion in the red channel, where 1 is unoccluded; linear.
    pub occlusion_texture: Option<Texture>,
    /// Strength of the occlusion, 0..1.
    pub occlusion_strength: f32,
    /// Emitted light, linear RGB, including its strength.
    pub emissive: [f32; 3],
    /// The node name of the light with which the surface glows; empty if it always glows.
    pub glows_with: String,
    /// Factor of the emitted light; sRGB.
    pub emissive_texture: Option<Texture>,
    /// Index of refraction, at least 1; 0 for a surface that reflects everything.
    pub ior: f32,
    /// Strength of the dielectric reflection, 0..1 (KHR_materials_specular).
    pub specular: f32,
    /// Linear colour of the dielectric reflection at normal incidence (KHR_materials_specular).
    pub specular_colour: [f32; 3],
    /// The alpha mode.
    pub alpha: Alpha,
    /// Whether the back is drawn and solid too.
    pub double_sided: bool,
    /// Whether it is drawn without lighting.
    pub unlit: bool,
    /// Whether the sky is drawn in place of the surface, and sunlight enters through it.
    pub sky: bool,
    /// Coulomb friction coefficient of the gravity pass, at least 0.
    pub friction: f64,
    /// Fraction of the sliding motion that the surface removes in the velocity pass, 0..1.
    pub drag: f64,
    /// Coefficient of restitution, 0..1.
    pub bounce: f64,
}

impl Material {
    /// Default friction.
    pub const FRICTION: f64 = 0.7;
    /// Default index of refraction: a reflectance of 0.04.
    pub const IOR: f32 = 1.5;
    /// The roughness from which on the reflection of a dielectric shows nothing of its surroundings.
    const MATT: f32 = 0.5;

    /// Whether the surroundings can be recognised in the surface: metals, and dielectrics that are smooth somewhere.
    pub fn mirrors_surroundings(&self) -> bool {
        let may_mirror = self.metallic > 0.0
            || self.roughness < Self::MATT
            || self.metallic_roughness_texture.is_some();
        may_mirror && !self.unlit && !self.sky
    }

    /// The textures of the material.
    pub fn textures(&self) -> impl Iterator<Item = &Texture> {
        let textures = [
            &self.base_texture,
            &self.metallic_roughness_texture,
            &self.normal_texture,
            &self.occlusion_texture,
            &self.emissive_texture,
        ];
        textures.into_iter().flatten()
    }
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            base_colour: [0.8, 0.8, 0.8, 1.0],
            base_texture: None,
            metallic: 0.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            glows_with: String::new(),
            emissive_texture: None,
            ior: Self::IOR,
            specular: 1.0,
            specular_colour: [1.0; 3],
            alpha: Alpha::Opaque,
            double_sided: false,
            unlit: false,
            sky: false,
            friction: Self::FRICTION,
            drag: 0.0,
            bounce: 0.0,
        }
    }
}

/// The alpha mode of a material.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Alpha {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// Nothing is drawn where alpha is below this cutoff.
    Mask(f32),
    /// Alpha is the opacity for blending over the background.
    Blend,
}

/// An image on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Texture {
    /// Index into [`crate::level::LevelData::images`].
    pub image: u32,
    /// The sampler.
    pub sampler: Sampler,
    /// Index into [`crate::level::Vertex::uvs`].
    pub uv_set: u8,
    /// Transform of the vertex's texture coordinates (KHR_texture_transform), without the offset.
    pub uv_from_vertex: Mat2,
    /// Offset, added after the transform.
    pub uv_offset: Vec2,
}

impl Texture {
    /// A texture of the whole image, repeated, with the first texture coordinates of the vertex.
    pub fn new(image: u32) -> Self {
        Self {
            image,
            sampler: Sampler::default(),
            uv_set: 0,
            uv_from_vertex: Mat2::IDENTITY,
            uv_offset: Vec2::ZERO,
        }
    }
}

/// Wrapping and filtering of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sampler {
    /// Wrapping of coordinates outside 0..1, in u and in v.
    pub wrap: [Wrap; 2],
    /// Magnification filter.
    pub mag_filter: Filter,
    /// Minification filter.
    pub min_filter: Filter,
    /// Filter between mipmaps; `None` uses the full-size image only.
    pub mipmap_filter: Option<Filter>,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            wrap: [Wrap::Repeat; 2],
            mag_filter: Filter::Linear,
            min_filter: Filter::Linear,
            mipmap_filter: Some(Filter::Linear),
        }
    }
}

/// A filter: between texels, or between mipmaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filter {
    /// The nearest one.
    Nearest,
    /// Linear interpolation.
    Linear,
}

/// Wrapping of texture coordinates outside 0..1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrap {
    /// The image repeats.
    #[default]
    Repeat,
    /// The image repeats, mirrored every other time.
    Mirror,
    /// The texels of the border continue.
    Clamp,
}

/// A decoded image, 8-bit RGBA; its use decides whether it is sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Name or file name, for messages.
    pub name: String,
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// `width * height * 4` bytes, row by row from the top; clones of the image share them.
    pub rgba: Arc<[u8]>,
}

impl Image {
    /// The mean colour of an sRGB image, linear RGB. A large image is sampled at some thousand texels.
    pub fn mean(&self) -> Vec3 {
        self.mean_of(linear_from_srgb)
    }

    /// The mean of an image with linear data, 0..1. A large image is sampled at some thousand texels.
    pub fn mean_data(&self) -> Vec3 {
        self.mean_of(|code| f32::from(code) / 255.0)
    }

    fn mean_of(&self, decode: impl Fn(u8) -> f32) -> Vec3 {
        let texels = self.rgba.as_chunks::<4>().0;
        let step = (texels.len() / 4096).max(1);
        let colours = texels.iter().step_by(step).map(|texel| {
            let [r, g, b, _] = texel.map(&decode);
            Vec3::new(r, g, b)
        });
        let count = texels.len().div_ceil(step).max(1);
        colours.sum::<Vec3>() / count as f32
    }
}

/// The linear value of an sRGB code (IEC 61966-2-1).
pub fn linear_from_srgb(code: u8) -> f32 {
    static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|code| {
            let value = code as f32 / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                libm::powf((value + 0.055) / 1.055, 2.4)
            }
        })
    });
    LINEAR[usize::from(code)]
}

/// A sky. Its colours are interpolated by the height above the horizon; they are linear RGB, where 1 is
/// white on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    /// Colour straight up.
    pub zenith: [f32; 3],
    /// Colour at the horizon.
    pub horizon: [f32; 3],
    /// Colour below the horizon.
    pub ground: [f32; 3],
    /// The part of the sky that clouds cover, 0..1. They are drawn only: the light of the sky has no clouds.
    pub clouds: f32,
}

impl Sky {
    /// The mean radiance of the sky, linear RGB.
    pub fn mean(&self) -> Vec3 {
        (Vec3::from_array(self.zenith) + Vec3::from_array(self.horizon)) * 0.5
    }
}

impl Default for Sky {
    /// A clear day.
    fn default() -> Self {
        Self {
            zenith: [0.16, 0.33, 0.72],
            horizon: [0.62, 0.74, 0.86],
            ground: [0.19, 0.17, 0.15],
            clouds: 0.0,
        }
    }
}
