//! Materials: the appearance of surfaces, and their physical properties.

use std::path::Path;

use glam::Vec3;
use gltf::json;
use gltf::json::material::AlphaMode;
use gltf::json::validation::Checked;

use super::accessor::AccessorBuffers;
use super::document::{Document, MoreTextures};
use super::images::Images;
use super::properties::Properties;
use super::ranges::{ANY, Ranges};
use super::textures::MaterialTextures;
use crate::level::{Alpha, Image, Material};
use crate::memo::Memo;
use crate::problems::{ProblemCode, Problems};

/// Fraction of the light that a clear glass pane reflects. It is about 0.08 at normal incidence, and more at grazing
/// angles.
const REFLECTED_BY_GLASS: f32 = 0.1;
/// A lower alpha than this is likely a mistake if the material is drawn as opaque.
const MIN_OPAQUE: f32 = 0.99;
/// A lower transmission than this, one step of 8-bit alpha, is invisible.
const NO_TRANSMISSION: f32 = 1.0 / 255.0;

/// Reads all materials, in the order of the document, and their images. The images are also returned by the hashes of
/// their files. Images that are in `last` (of the level's last version) are not decoded again.
pub(crate) fn read(
    document: &Document,
    buffers: &AccessorBuffers,
    folder: Option<&Path>,
    last: &Memo<u128, Image>,
    problems: &mut Problems,
) -> (Vec<Material>, Vec<Image>, Memo<u128, Image>) {
    let root = &document.root;
    let mut images = Images::new(root, buffers, folder, last);
    let sources = root.materials.iter().zip(&document.more_textures);
    let materials = sources.enumerate().map(|(index, (source, more))| {
        let name = match &source.name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("material {index}"),
        };
        let mut material = read_numbers(source, name, problems);
        read_textures(&mut material, source, more, root, &mut images, problems);
        material
    });
    let mut materials: Vec<Material> = materials.collect();
    let (images, by_key) = images.decoded();
    for (material, source) in materials.iter_mut().zip(&root.materials) {
        read_transmission(material, source, &images, problems);
        warn_of_opaque(material, problems);
    }
    warn_of_unread_textures(root, problems);
    (materials, images, by_key)
}

/// Reads everything of a material except its textures.
fn read_numbers(source: &json::Material, name: String, problems: &mut Problems) -> Material {
    let mut ranges = Ranges {
        code: ProblemCode::MaterialRange,
        of: "the material's",
        name: &name,
        problems,
    };
    let mut unit = |what: &str, value: f32, default: f64| {
        ranges.clamp_or_warn(what, value.into(), 0.0..=1.0, default) as f32
    };
    let pbr = &source.pbr_metallic_roughness;
    let base_colour = pbr.base_color_factor.0;
    let base_colour = base_colour.map(|x| unit("baseColorFactor", x, 1.0));
    let metallic = unit("metallicFactor", pbr.metallic_factor.0, 1.0);
    let roughness = unit("roughnessFactor", pbr.roughness_factor.0, 1.0);
    let occlusion_strength = match &source.occlusion_texture {
        Some(texture) => unit("occlusionTexture.strength", texture.strength.0, 1.0),
        None => 1.0,
    };
    let emissive = source.emissive_factor.0;
    let emissive = emissive.map(|x| unit("emissiveFactor", x, 0.0));
    let normal_scale = match &source.normal_texture {
        Some(texture) => {
            let scale = texture.scale.into();
            ranges.clamp_or_warn("normalTexture.scale", scale, -1e6..=1e6, 1.0) as f32
        }
        None => 1.0,
    };
    let alpha = match source.alpha_mode {
        Checked::Valid(AlphaMode::Mask) => {
            let cutoff = source.alpha_cutoff.unwrap_or_default().0.into();
            Alpha::Mask(ranges.clamp_or_warn("alphaCutoff", cutoff, ANY, 0.5) as f32)
        }
        Checked::Valid(AlphaMode::Blend) => Alpha::Blend,
        _ => Alpha::Opaque,
    };
    let default = Material::default();
    let extras = Properties::of(source.extras.as_deref());
    let friction = ranges.property(&extras, "friction", 0.0..=1000.0, default.friction);
    let drag = ranges.property(&extras, "drag", 0.0..=1.0, default.drag);
    let bounce = ranges.property(&extras, "bounce", 0.0..=1.0, default.bounce);
    let glows_with = extras.text("glows_with").unwrap_or_default();
    let mut material = Material {
        base_colour,
        metallic,
        roughness,
        normal_scale,
        occlusion_strength,
        emissive,
        alpha,
        double_sided: source.double_sided,
        friction,
        drag,
        bounce,
        glows_with,
        ..default
    };
    if let Some(extensions) = &source.extensions {
        read_extensions(&mut material, extensions, &mut ranges);
    }
    material.name = name;
    material
}

fn read_extensions(
    material: &mut Material,
    extensions: &json::extensions::material::Material,
    ranges: &mut Ranges,
) {
    material.unlit = extensions.unlit.is_some();
    if let Some(source) = &extensions.emissive_strength {
        let strength = source.emissive_strength.0.into();
        let strength = ranges.clamp_or_warn("emissiveStrength", strength, ANY, 1.0) as f32;
        material.emissive = material.emissive.map(|x| x * strength);
    }
    if let Some(source) = &extensions.ior {
        material.ior = source.ior.0;
        if material.ior != 0.0 {
            material.ior = ranges.clamp_or_warn("ior", material.ior.into(), 1.0..=1e6, 1.5) as f32;
        }
    }
    if let Some(source) = &extensions.specular {
        let strength = source.specular_factor.0.into();
        material.specular = ranges.clamp_or_warn("specularFactor", strength, 0.0..=1.0, 1.0) as f32;
        let colour = source.specular_color_factor.0;
        let mut hold =
            |x: f32| ranges.clamp_or_warn("specularColorFactor", x.into(), ANY, 1.0) as f32;
        material.specular_colour = colour.map(&mut hold);
    }
}

fn read_textures(
    material: &mut Material,
    source: &json::Material,
    more: &MoreTextures,
    root: &json::Root,
    images: &mut Images,
    problems: &mut Problems,
) {
    let mut textures = MaterialTextures {
        root,
        images,
        material: &material.name,
        problems,
    };
    let pbr = &source.pbr_metallic_roughness;
    let base = textures.read("baseColorTexture", pbr.base_color_texture.as_ref());
    let metallic_roughness = pbr.metallic_roughness_texture.as_ref();
    let metallic_roughness = textures.read("metallicRoughnessTexture", metallic_roughness);
    let normal = textures.read("normalTexture", more.normal.as_ref());
    let occlusion = textures.read("occlusionTexture", more.occlusion.as_ref());
    let emissive = textures.read("emissiveTexture", source.emissive_texture.as_ref());
    material.base_texture = base;
    material.metallic_roughness_texture = metallic_roughness;
    material.normal_texture = normal;
    material.occlusion_texture = occlusion;
    material.emissive_texture = emissive;
    if source.emissive_texture.is_some() && emissive.is_none() {
        // The missing image would have limited the emission, usually to a few areas; without it everything would glow.
        material.emissive = [0.0; 3];
    }
}

/// Applies KHR_materials_transmission, without refraction: the surface blends. Its alpha is the fraction of the light
/// that is not transmitted; for coloured glass, the mean over the colours.
fn read_transmission(
    material: &mut Material,
    source: &json::Material,
    images: &[Image],
    problems: &mut Problems,
) {
    let extensions = source.extensions.as_ref();
    let Some(transmission) = extensions.and_then(|e| e.transmission.as_ref()) else {
        return;
    };
    let mut ranges = Ranges {
        code: ProblemCode::MaterialRange,
        of: "the material's",
        name: &material.name,
        problems,
    };
    let factor = transmission.transmission_factor.0.into();
    let factor = ranges.clamp_or_warn("transmissionFactor", factor, 0.0..=1.0, 0.0) as f32;
    // Metals transmit nothing. If there is a metallic texture, the metallic factor is not used here.
    let metallic = match material.metallic_roughness_texture {
        Some(_) => 0.0,
        None => material.metallic,
    };
    let [r, g, b, alpha] = material.base_colour;
    let texture = material.base_texture.as_ref();
    let texture = texture.and_then(|t| images.get(t.image as usize));
    let colour = Vec3::new(r, g, b) * texture.map_or(Vec3::ONE, Image::mean);
    let clearness = colour.element_sum() / 3.0 * (1.0 - REFLECTED_BY_GLASS);
    let transmitted = factor * (1.0 - metallic) * clearness;
    // Unlit materials ignore other extensions.
    if transmitted < NO_TRANSMISSION || material.unlit {
        return;
    }
    let coverage = match material.alpha {
        Alpha::Opaque => 1.0,
        Alpha::Mask(_) | Alpha::Blend => alpha,
    };
    material.base_colour[3] = coverage * (1.0 - transmitted);
    material.alpha = Alpha::Blend;
}

/// Warns of a material with an alpha below 1 that is drawn as opaque. Exporters write this if the author did not choose
/// a blend mode.
fn warn_of_opaque(material: &Material, problems: &mut Problems) {
    let coverage = material.base_colour[3];
    if material.alpha != Alpha::Opaque || coverage >= MIN_OPAQUE {
        return;
    }
    let message = format!(
        "its alpha is {coverage:.2}, but its mode is opaque: it is drawn as if that were 1; let it blend (Blender: Material Properties, Settings, Blend Mode, Alpha Blend; from 4.2 on Render Method, Blended), or set its alpha to 1"
    );
    problems.warn(ProblemCode::MaterialOpaque, &material.name, message);
}

/// Warns of unsupported textures, once for each extension.
fn warn_of_unread_textures(root: &json::Root, problems: &mut Problems) {
    let extensions = || root.materials.iter().filter_map(|m| m.extensions.as_ref());
    let mut specular = extensions().filter_map(|e| e.specular.as_ref());
    if specular.any(|s| s.specular_texture.is_some() || s.specular_color_texture.is_some()) {
        let message = "the textures of KHR_materials_specular are not read, only its factors; leave them out if reflections look wrong";
        problems.warn(ProblemCode::ExtensionIgnored, "", message);
    }
    let mut transmission = extensions().filter_map(|e| e.transmission.as_ref());
    if transmission.any(|t| t.transmission_texture.is_some()) {
        let message = "the texture of KHR_materials_transmission is not read, only its factor, so that the whole surface is clear; give opaque parts a material of their own";
        problems.warn(ProblemCode::ExtensionIgnored, "", message);
    }
}
