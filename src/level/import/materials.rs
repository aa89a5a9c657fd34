//! Materials and their pictures.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::RangeInclusive;
use std::path::Path;

use glam::Vec2;
use gltf::json;
use gltf::json::material::AlphaMode;
use gltf::json::texture::{MagFilter, WrappingMode};
use gltf::json::validation::Checked;

use super::accessor::Buffers;
use super::files;
use super::properties::Properties;
use crate::level::{Alpha, Image, Material, Problems, Sampler, Texture, Wrap};

/// A material, and where its texture's coordinates come from.
pub(super) struct Surface {
    pub material: Material,
    pub texture: Option<TextureCoordinates>,
}

/// Which texture coordinates a texture uses, and how.
pub(super) struct TextureCoordinates {
    /// Of `TEXCOORD_n`.
    pub set: u32,
    /// The columns of the matrix of KHR_texture_transform, and its offset.
    columns: [Vec2; 2],
    offset: Vec2,
}

impl TextureCoordinates {
    /// Texture coordinates as they are to be used, from those in the file.
    pub(super) fn uv_from_file(&self, [u, v]: [f32; 2]) -> Vec2 {
        self.columns[0] * u + self.columns[1] * v + self.offset
    }
}

/// Pixels along a side of a picture: what every graphics card can take.
const MAX_SIDE: u32 = 8192;
/// Bytes of all decoded pictures of a level.
const MAX_IMAGE_BYTES: u64 = 1 << 29;
/// Bytes of one picture file.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// Reads all materials, in the order of the document, and the pictures of their base colours.
pub(super) fn read(
    root: &json::Root,
    buffers: &Buffers,
    folder: Option<&Path>,
    problems: &mut Problems,
) -> (Vec<Surface>, Vec<Image>) {
    let mut images = Images {
        root,
        buffers,
        folder,
        found: BTreeMap::new(),
        decoded: Vec::new(),
        bytes_left: MAX_IMAGE_BYTES,
    };
    let surfaces = root.materials.iter().enumerate().map(|(index, source)| {
        let mut material = read_material(index, source, problems);
        let info = source.pbr_metallic_roughness.base_color_texture.as_ref();
        let texture = info.and_then(|info| {
            let (image, sampler) = images.of_texture(info.index.value(), problems)?;
            material.base_texture = Some(Texture {
                sampler,
                ..Texture::new(image)
            });
            Some(texture_coordinates(info, &material.name, problems))
        });
        Surface { material, texture }
    });
    let surfaces = surfaces.collect();
    (surfaces, images.decoded)
}

fn read_material(index: usize, source: &json::Material, problems: &mut Problems) -> Material {
    let name = match &source.name {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("material {index}"),
    };
    let mut ranges = Ranges {
        material: &name,
        problems,
    };
    let base = source.pbr_metallic_roughness.base_color_factor.0;
    let base_colour = base.map(|x| ranges.hold("baseColorFactor", x.into(), 0.0..=1.0, 1.0) as f32);
    let extensions = source.extensions.as_ref();
    let strength = extensions.and_then(|e| e.emissive_strength.as_ref());
    let strength = strength.map_or(1.0, |s| s.emissive_strength.0.into());
    let strength = ranges.hold("emissiveStrength", strength, 0.0..=1e6, 1.0);
    let emissive = source.emissive_factor.0;
    let emissive = emissive.map(|x| {
        let factor = ranges.hold("emissiveFactor", x.into(), 0.0..=1.0, 0.0);
        (strength * factor) as f32
    });
    let alpha = match source.alpha_mode {
        Checked::Valid(AlphaMode::Mask) => {
            let cutoff = source.alpha_cutoff.unwrap_or_default().0;
            Alpha::Mask(ranges.hold("alphaCutoff", cutoff.into(), 0.0..=1e6, 0.5) as f32)
        }
        Checked::Valid(AlphaMode::Blend) => Alpha::Blend,
        _ => Alpha::Opaque,
    };
    let extras = Properties::of(source.extras.as_deref());
    let default = Material::default();
    let mut property = |what: &str, range: RangeInclusive<f64>, default| match extras.number(what) {
        Some(Ok(value)) => ranges.hold(what, value, range, default),
        Some(Err(written)) => ranges.replace(what, &written, range, default),
        None => default,
    };
    Material {
        friction: property("friction", 0.0..=1000.0, default.friction),
        drag: property("drag", 0.0..=1.0, default.drag),
        bounce: property("bounce", 0.0..=1.0, default.bounce),
        base_colour,
        emissive,
        alpha,
        double_sided: source.double_sided,
        unlit: extensions.is_some_and(|e| e.unlit.is_some()),
        name,
        ..default
    }
}

/// Keeps a material's numbers in their ranges.
struct Ranges<'a> {
    material: &'a str,
    problems: &'a mut Problems,
}

impl Ranges<'_> {
    /// The value; or with a warning the nearest in range, for NaN the default.
    fn hold(&mut self, what: &str, value: f64, range: RangeInclusive<f64>, default: f64) -> f64 {
        if range.contains(&value) {
            return value;
        }
        if value.is_nan() {
            return self.replace(what, "no number", range, default);
        }
        let nearest = value.clamp(*range.start(), *range.end());
        self.replace(what, &value.to_string(), range, nearest)
    }

    /// `used`, with a warning that what is written cannot be.
    fn replace(&mut self, what: &str, written: &str, range: RangeInclusive<f64>, used: f64) -> f64 {
        let (least, most) = (range.start(), range.end());
        let message = format!(
            "the material's {what} is {written}; {used} is used instead. It must be a number from {least} to {most}"
        );
        self.problems.warn("material-range", self.material, message);
        used
    }
}

fn texture_coordinates(
    info: &json::texture::Info,
    material: &str,
    problems: &mut Problems,
) -> TextureCoordinates {
    let plain = TextureCoordinates {
        set: info.tex_coord,
        columns: [Vec2::X, Vec2::Y],
        offset: Vec2::ZERO,
    };
    let extensions = info.extensions.as_ref();
    let Some(transform) = extensions.and_then(|e| e.texture_transform.as_ref()) else {
        return plain;
    };
    let (offset, scale) = (
        Vec2::from(transform.offset.0),
        Vec2::from(transform.scale.0),
    );
    let angle = transform.rotation.0;
    let set = transform.tex_coord.unwrap_or(plain.set);
    if !(offset.is_finite() && scale.is_finite() && angle.is_finite()) {
        let message = "its KHR_texture_transform is not finite and is ignored; reset it";
        problems.warn("texture-transform", material, message);
        return TextureCoordinates { set, ..plain };
    }
    // Counter-clockwise as seen, where v points down: u turns towards -v.
    let (sin, cos) = libm::sincosf(angle);
    TextureCoordinates {
        set,
        columns: [
            Vec2::new(cos, -sin) * scale.x,
            Vec2::new(sin, cos) * scale.y,
        ],
        offset,
    }
}

/// The pictures decoded so far.
struct Images<'a> {
    root: &'a json::Root,
    buffers: &'a Buffers<'a>,
    folder: Option<&'a Path>,
    /// Images of the document, and what became of them.
    found: BTreeMap<usize, Option<u32>>,
    decoded: Vec<Image>,
    bytes_left: u64,
}

impl Images<'_> {
    /// The picture of a texture; a warning, and nothing, if it cannot be had.
    fn of_texture(&mut self, index: usize, problems: &mut Problems) -> Option<(u32, Sampler)> {
        let Some(texture) = self.root.textures.get(index) else {
            let message = "the texture does not exist; the surface is drawn without it";
            problems.warn("texture", &format!("texture {index}"), message);
            return None;
        };
        let image = texture.source.value();
        let sampler = self.sampler(texture.sampler.map(|sampler| sampler.value()));
        if let Some(found) = self.found.get(&image) {
            return found.map(|found| (found, sampler));
        }
        let found = match self.decode(image) {
            Ok(decoded) => {
                self.decoded.push(decoded);
                Some(self.decoded.len() as u32 - 1)
            }
            Err(error) => {
                let message = format!(
                    "the image {error}; surfaces are drawn without it. Save it as PNG or JPEG"
                );
                problems.warn("image", &self.image_name(image), message);
                None
            }
        };
        self.found.insert(image, found);
        found.map(|found| (found, sampler))
    }

    fn image_name(&self, index: usize) -> String {
        let image = self.root.images.get(index);
        let name = image.and_then(|i| i.name.clone().or_else(|| i.uri.clone()));
        match name {
            Some(name) if !name.is_empty() && !name.starts_with("data:") => name,
            _ => format!("image {index}"),
        }
    }

    fn decode(&mut self, index: usize) -> Result<Image, String> {
        let source = self.root.images.get(index).ok_or("does not exist")?;
        let bytes = match (&source.uri, source.buffer_view) {
            (Some(uri), _) => files::read_uri(uri, self.folder, MAX_FILE_BYTES)
                .map_err(|error| error.to_string())?,
            (None, Some(view)) => {
                let bytes = self.buffers.view(view.value());
                bytes
                    .map_err(|error| format!("cannot be read: {error}"))?
                    .to_vec()
            }
            (None, None) => return Err("has neither uri nor bufferView".to_owned()),
        };
        let mut reader = image::ImageReader::new(Cursor::new(bytes))
            .with_guessed_format()
            .map_err(|error| format!("cannot be read: {error}"))?;
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(self.bytes_left);
        reader.limits(limits);
        let decoded = reader.decode();
        let decoded = decoded.map_err(|error| format!("cannot be decoded: {error}"))?;
        let rgba = decoded.into_rgba8();
        let left = self.bytes_left.checked_sub(rgba.as_raw().len() as u64);
        self.bytes_left = left.ok_or("does not fit: the level's pictures are too large")?;
        Ok(Image {
            name: self.image_name(index),
            width: rgba.width(),
            height: rgba.height(),
            rgba: rgba.into_raw(),
        })
    }

    fn sampler(&self, index: Option<usize>) -> Sampler {
        let Some(sampler) = index.and_then(|index| self.root.samplers.get(index)) else {
            return Sampler::default();
        };
        let wrap = |mode: &Checked<WrappingMode>| match mode {
            Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
            Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        Sampler {
            wrap: [wrap(&sampler.wrap_s), wrap(&sampler.wrap_t)],
            smooth: sampler.mag_filter != Some(Checked::Valid(MagFilter::Nearest)),
            ..Sampler::default()
        }
    }
}
