//! Materials, their textures and images.

use std::io::Cursor;

use glam::Vec2;
use image::{ImageFormat, RgbaImage};
use serde_json::{Value, json};

use super::error::WriteError;
use crate::gltf::write::glb::Glb;
use crate::level::{Alpha, Filter, Image, Material, Sampler, Texture, Wrap};
use crate::source::LevelSource;

/// Maximum cosine of the angle between the columns of a texture transform that are orthogonal up to rounding.
const SQUARE_COS: f32 = 1e-6;

/// The top level of the document, with all materials, textures and images.
pub(super) fn write(source: &LevelSource, glb: &mut Glb) -> Result<Value, WriteError> {
    let mut looks = MaterialObjects::default();
    let written = &source.materials[..used(source)];
    let materials = written.iter().map(|m| looks.material(m));
    let materials = materials.collect::<Result<Vec<Value>, WriteError>>()?;
    let mut top = json!({"materials": materials});
    let mut extensions = vec![
        "KHR_lights_punctual",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_specular",
        "KHR_materials_unlit",
    ];
    if !looks.textures.is_empty() {
        let images = source.images.iter().map(|image| write_image(image, glb));
        top["images"] = json!(images.collect::<Result<Vec<Value>, WriteError>>()?);
        top["samplers"] = json!(looks.samplers);
        top["textures"] = json!(looks.textures);
        extensions.push("KHR_texture_transform");
    }
    top["extensionsUsed"] = json!(extensions);
    Ok(top)
}

/// The number of materials that a file needs: all up to the last visible one. Those after it were added when a file was
/// read.
fn used(source: &LevelSource) -> usize {
    let of_movers = source.movers.iter().flat_map(|mover| &mover.meshes);
    let shown = source.meshes.iter().chain(of_movers);
    let shown = shown.map(|mesh| mesh.material);
    let shown = shown.filter(|&material| !source.materials[material].sky);
    // Portals use the first material.
    shown
        .max()
        .unwrap_or(0)
        .saturating_add(1)
        .min(source.materials.len())
}

/// Writes an image as a PNG in the file.
fn write_image(image: &Image, glb: &mut Glb) -> Result<Value, WriteError> {
    let wrong = || WriteError::Image {
        image: image.name.clone(),
        bytes: image.rgba.len(),
    };
    let picture = RgbaImage::from_raw(image.width, image.height, image.rgba.to_vec());
    let mut png = Cursor::new(Vec::new());
    let picture = picture.ok_or_else(wrong)?;
    let written = picture.write_to(&mut png, ImageFormat::Png);
    // Encoding fails only for an image without pixels.
    written.map_err(|_| wrong())?;
    let view = glb.raw(&png.into_inner());
    Ok(json!({"name": image.name, "mimeType": "image/png", "bufferView": view}))
}

/// The objects that materials refer to, each stored once.
#[derive(Default)]
struct MaterialObjects {
    samplers: Vec<Value>,
    textures: Vec<Value>,
}

impl MaterialObjects {
    fn material(&mut self, material: &Material) -> Result<Value, WriteError> {
        let brightest = material
            .emissive
            .iter()
            .fold(1.0_f32, |most, x| most.max(*x));
        let mut extensions = json!({
            "KHR_materials_emissive_strength": {"emissiveStrength": brightest},
            "KHR_materials_ior": {"ior": material.ior},
            "KHR_materials_specular": {
                "specularFactor": material.specular, "specularColorFactor": material.specular_colour,
            },
        });
        if material.unlit {
            extensions = json!({"KHR_materials_unlit": {}});
        }
        let mut written = json!({
            "name": material.name,
            "pbrMetallicRoughness": {
                "baseColorFactor": material.base_colour, "metallicFactor": material.metallic,
                "roughnessFactor": material.roughness,
            },
            "emissiveFactor": material.emissive.map(|x| x / brightest),
            "doubleSided": material.double_sided,
            "extensions": extensions,
            "extras": {
                "friction": material.friction, "drag": material.drag, "bounce": material.bounce,
            },
        });
        if !material.glows_with.is_empty() {
            written["extras"]["glows_with"] = json!(material.glows_with);
        }
        match material.alpha {
            Alpha::Opaque => {}
            Alpha::Mask(cutoff) => {
                written["alphaMode"] = json!("MASK");
                written["alphaCutoff"] = json!(cutoff);
            }
            Alpha::Blend => written["alphaMode"] = json!("BLEND"),
        }
        let mut info = |texture: &Option<Texture>| self.info(texture.as_ref(), &material.name);
        if let Some(info) = info(&material.base_texture)? {
            written["pbrMetallicRoughness"]["baseColorTexture"] = info;
        }
        if let Some(info) = info(&material.metallic_roughness_texture)? {
            written["pbrMetallicRoughness"]["metallicRoughnessTexture"] = info;
        }
        if let Some(mut info) = info(&material.normal_texture)? {
            info["scale"] = json!(material.normal_scale);
            written["normalTexture"] = info;
        }
        if let Some(mut info) = info(&material.occlusion_texture)? {
            info["strength"] = json!(material.occlusion_strength);
            written["occlusionTexture"] = info;
        }
        if let Some(info) = info(&material.emissive_texture)? {
            written["emissiveTexture"] = info;
        }
        Ok(written)
    }

    /// A reference to a texture; `None` where there is none.
    fn info(
        &mut self,
        texture: Option<&Texture>,
        material: &str,
    ) -> Result<Option<Value>, WriteError> {
        let Some(texture) = texture else {
            return Ok(None);
        };
        let [u, v] = [texture.uv_from_vertex.x_axis, texture.uv_from_vertex.y_axis];
        if u.dot(v).abs() > SQUARE_COS * u.length() * v.length() {
            let material = material.to_owned();
            return Err(WriteError::Texture { material });
        }
        // As v points down, the rotation turns u towards -v. Mirroring is a negative scale of v.
        let rotation = libm::atan2f(-u.y, u.x);
        let (sin, cos) = libm::sincosf(rotation);
        let scale = [u.length(), v.dot(Vec2::new(sin, cos))];
        let sampler = index_of(&mut self.samplers, sampler(&texture.sampler));
        let shown = json!({"source": texture.image, "sampler": sampler});
        Ok(Some(json!({
            "index": index_of(&mut self.textures, shown),
            "texCoord": texture.uv_set,
            "extensions": {"KHR_texture_transform": {
                "offset": texture.uv_offset.to_array(), "rotation": rotation, "scale": scale,
            }},
        })))
    }
}

/// The index of a value in a list; the value is added if it is absent.
fn index_of(list: &mut Vec<Value>, value: Value) -> usize {
    let known = list.iter().position(|known| *known == value);
    known.unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// A sampler as OpenGL constants, which glTF uses.
fn sampler(sampler: &Sampler) -> Value {
    let [wrap_s, wrap_t] = sampler.wrap.map(|wrap| match wrap {
        Wrap::Repeat => 10497,
        Wrap::Mirror => 33648,
        Wrap::Clamp => 33071,
    });
    let mag_filter = match sampler.mag_filter {
        Filter::Nearest => 9728,
        Filter::Linear => 9729,
    };
    let min_filter = match (sampler.min_filter, sampler.mipmap_filter) {
        (Filter::Nearest, None) => 9728,
        (Filter::Linear, None) => 9729,
        (Filter::Nearest, Some(Filter::Nearest)) => 9984,
        (Filter::Linear, Some(Filter::Nearest)) => 9985,
        (Filter::Nearest, Some(Filter::Linear)) => 9986,
        (Filter::Linear, Some(Filter::Linear)) => 9987,
    };
    json!({"wrapS": wrap_s, "wrapT": wrap_t, "magFilter": mag_filter, "minFilter": min_filter})
}
