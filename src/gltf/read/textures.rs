//! The textures of materials, with their samplers and transforms.

use glam::{Mat2, Vec2};
use gltf::json;
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::texture::{Info, MagFilter, MinFilter, WrappingMode};
use gltf::json::validation::Checked;

use super::images::Images;
use crate::level::{Filter, Sampler, Texture, Wrap};
use crate::problems::{ProblemCode, Problems};

/// Stands for the absent `source` of a texture.
const NO_SOURCE: usize = u32::MAX as usize;

/// The textures of one material.
pub(crate) struct MaterialTextures<'a, 'b> {
    pub root: &'a json::Root,
    pub images: &'a mut Images<'b>,
    /// The material's name.
    pub material: &'a str,
    pub problems: &'a mut Problems,
}

impl MaterialTextures<'_, '_> {
    /// The texture in `slot`; `None`, with a warning, if it cannot be read.
    pub(crate) fn read(&mut self, slot: &str, info: Option<&Info>) -> Option<Texture> {
        let info = info?;
        let index = info.index.value();
        let Some(texture) = self.root.textures.get(index) else {
            let message = format!(
                "the material's {slot} is texture {index}, which does not exist; the surface is drawn without it"
            );
            self.problems
                .warn(ProblemCode::Texture, self.material, message);
            return None;
        };
        let transform = info.extensions.as_ref();
        let transform = transform.and_then(|e| e.texture_transform.as_ref());
        let set = transform.and_then(|t| t.tex_coord);
        let set = set.unwrap_or(info.tex_coord);
        if set > 1 {
            let message = format!(
                "the material's {slot} wants TEXCOORD_{set}; only 0 and 1 are read, and the surface is drawn without it. Use the first two UV maps"
            );
            self.problems
                .warn(ProblemCode::Texture, self.material, message);
            return None;
        }
        let source = texture.source.value();
        if source == NO_SOURCE {
            let message = format!(
                "the material's {slot} is texture {index}, which has no `source`, or only one that an extension reads; the surface is drawn without it. Give the material a PNG or JPEG, and export again"
            );
            self.problems
                .warn(ProblemCode::Image, self.material, message);
            return None;
        }
        let of = || format!("the {slot} of material `{}`", self.material);
        let image = self.images.index_of(source, of, self.problems)?;
        let (uv_from_vertex, uv_offset) = match transform {
            Some(transform) => self.transform(slot, transform),
            None => (Mat2::IDENTITY, Vec2::ZERO),
        };
        Some(Texture {
            image,
            sampler: self.sampler(slot, texture.sampler.map(|sampler| sampler.value())),
            uv_set: set as u8,
            uv_from_vertex,
            uv_offset,
        })
    }

    fn transform(&mut self, slot: &str, transform: &TextureTransform) -> (Mat2, Vec2) {
        let offset = Vec2::from(transform.offset.0);
        let [scale_u, scale_v] = transform.scale.0;
        // The rotation is counter-clockwise as seen. Because v points down, it turns u towards -v.
        let (sin, cos) = libm::sincosf(transform.rotation.0);
        let matrix = Mat2::from_cols(
            Vec2::new(cos, -sin) * scale_u,
            Vec2::new(sin, cos) * scale_v,
        );
        if matrix.is_finite() && offset.is_finite() {
            return (matrix, offset);
        }
        let message = format!(
            "the KHR_texture_transform of the material's {slot} is not finite and is ignored; reset it"
        );
        self.problems
            .warn(ProblemCode::TextureTransform, self.material, message);
        (Mat2::IDENTITY, Vec2::ZERO)
    }

    fn sampler(&mut self, slot: &str, index: Option<usize>) -> Sampler {
        let default = Sampler::default();
        let Some(index) = index else {
            return default;
        };
        let Some(sampler) = self.root.samplers.get(index) else {
            let message = format!(
                "the texture of the material's {slot} is read by sampler {index}, which does not exist; it is repeated and blended"
            );
            self.problems
                .warn(ProblemCode::Texture, self.material, message);
            return default;
        };
        let wrap = |mode: &Checked<WrappingMode>| match mode {
            Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
            Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        let (min_filter, mipmap_filter) = match sampler.min_filter {
            Some(Checked::Valid(filter)) => match filter {
                MinFilter::Nearest => (Filter::Nearest, None),
                MinFilter::Linear => (Filter::Linear, None),
                MinFilter::NearestMipmapNearest => (Filter::Nearest, Some(Filter::Nearest)),
                MinFilter::LinearMipmapNearest => (Filter::Linear, Some(Filter::Nearest)),
                MinFilter::NearestMipmapLinear => (Filter::Nearest, Some(Filter::Linear)),
                MinFilter::LinearMipmapLinear => (Filter::Linear, Some(Filter::Linear)),
            },
            _ => (default.min_filter, default.mipmap_filter),
        };
        Sampler {
            wrap: [wrap(&sampler.wrap_s), wrap(&sampler.wrap_t)],
            mag_filter: match sampler.mag_filter {
                Some(Checked::Valid(MagFilter::Nearest)) => Filter::Nearest,
                _ => Filter::Linear,
            },
            min_filter,
            mipmap_filter,
        }
    }
}
