//! How surfaces look, after glTF 2.0, and how they act on a body.

use std::sync::LazyLock;

use glam::{Mat2, Vec2, Vec3};

/// How a surface looks and how it acts on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name, for messages.
    pub name: String,
    /// Linear RGBA factor of the base colour.
    pub base_colour: [f32; 4],
    /// Base colour and alpha; sRGB.
    pub base_texture: Option<Texture>,
    /// 0 for what does not conduct, 1 for metal.
    pub metallic: f32,
    /// Perceptual roughness, 0..1: the square root of the width of the distribution of facets.
    pub roughness: f32,
    /// Roughness in green and metalness in blue, as factors; linear.
    pub metallic_roughness_texture: Option<Texture>,
    /// Normals in tangent space; linear.
    pub normal_texture: Option<Texture>,
    /// Scale of the normals' x and y.
    pub normal_scale: f32,
    /// How much ambient irradiance arrives, in red; linear.
    pub occlusion_texture: Option<Texture>,
    /// How much of the occlusion counts, 0..1.
    pub occlusion_strength: f32,
    /// Linear emitted light, its strength included.
    pub emissive: [f32; 3],
    /// Factor of the emitted light; sRGB.
    pub emissive_texture: Option<Texture>,
    /// Index of refraction, at least 1; 0 for a surface that reflects everything.
    pub ior: f32,
    /// Strength of the reflection of what does not conduct, 0..1 (KHR_materials_specular).
    pub specular: f32,
    /// Its linear colour at normal incidence (KHR_materials_specular).
    pub specular_colour: [f32; 3],
    /// What alpha means.
    pub alpha: Alpha,
    /// Whether the back is drawn and solid too.
    pub double_sided: bool,
    /// Whether it is drawn without lighting.
    pub unlit: bool,
    /// Whether it shows the sky instead of a surface, and lets the sun in.
    pub sky: bool,
    /// Coulomb friction coefficient of the gravity pass, at least 0.
    pub friction: f64,
    /// Part of the slide that the surface takes in the velocity pass, 0..1.
    pub drag: f64,
    /// Coefficient of restitution, 0..1.
    pub bounce: f64,
}

impl Material {
    /// Friction where nothing is said of it.
    pub const FRICTION: f64 = 0.7;
    /// Index of refraction where nothing is said of it: a reflectance of 0.04.
    pub const IOR: f32 = 1.5;

    /// All its textures.
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

/// What the alpha of a material means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Alpha {
    /// Nothing.
    #[default]
    Opaque,
    /// Where it is below this, nothing is drawn.
    Mask(f32),
    /// How much of what is behind is covered.
    Blend,
}

/// A picture on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Texture {
    /// Index into [`crate::level::LevelData::images`].
    pub image: u32,
    /// How it is read.
    pub sampler: Sampler,
    /// Which of [`crate::level::Vertex::uvs`] it uses.
    pub uv_set: u8,
    /// Texture coordinates from those of the vertex: KHR_texture_transform.
    pub uv_from_vertex: Mat2,
    /// Added afterwards.
    pub uv_offset: Vec2,
}

impl Texture {
    /// The whole picture, repeated, by the first coordinates of the vertex.
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

/// How a picture is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sampler {
    /// How coordinates outside 0..1 are read, in u and in v.
    pub wrap: [Wrap; 2],
    /// How texels are read that cover more than a pixel.
    pub mag_filter: Filter,
    /// How texels are read of which several come on a pixel.
    pub min_filter: Filter,
    /// How two mipmaps are read; `None` reads the image in full size only.
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

/// What is read between texels, or between mipmaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filter {
    /// The nearest.
    Nearest,
    /// The weighted mean.
    Linear,
}

/// How texture coordinates outside 0..1 are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrap {
    /// The picture repeats.
    #[default]
    Repeat,
    /// The picture repeats, every other time mirrored.
    Mirror,
    /// The border goes on.
    Clamp,
}

/// A decoded picture, 8-bit RGBA; its use says whether that is sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Name or file name, for messages.
    pub name: String,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// `width * height * 4` bytes, row by row from the top.
    pub rgba: Vec<u8>,
}

impl Image {
    /// The mean colour of a picture in sRGB, linear RGB; of some thousand texels of a large one.
    pub fn mean(&self) -> Vec3 {
        let texels = self.rgba.as_chunks::<4>().0;
        let step = (texels.len() / 4096).max(1);
        let colours = texels.iter().step_by(step).map(|texel| {
            let [r, g, b, _] = texel.map(linear_from_srgb);
            Vec3::new(r, g, b)
        });
        let count = texels.len().div_ceil(step).max(1);
        colours.sum::<Vec3>() / count as f32
    }
}

/// The linear value that an sRGB code stands for (IEC 61966-2-1).
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

/// A sky without sun: colours between which it changes with the height above the horizon.
/// Linear RGB, 1 being white on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    /// Straight up.
    pub zenith: [f32; 3],
    /// All around.
    pub horizon: [f32; 3],
    /// Below the horizon.
    pub ground: [f32; 3],
}

impl Sky {
    /// The light that comes from it on the mean, linear RGB.
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
        }
    }
}
