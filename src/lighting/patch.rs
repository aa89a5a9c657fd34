//! Rooms as radiosity patches: the reflectance and emission of their surfaces.

use glam::Vec3;

use super::lists::LightLists;
use super::samples::sample_room;
use crate::level::{Image, Level, Material, RoomId, Texture};

/// The maximum albedo of a surface: no real surface is whiter, and reflected light must fade.
const MAX_ALBEDO: f32 = 0.85;

/// The maximum emission with which surfaces light their room, as a multiple of white: authors use strengths of a
/// hundred to make a pane look bright beside lamps in their units; exposure compensates for that.
const MAX_EMITTED: f32 = 8.0;

/// A room as a patch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RoomPatch {
    /// The area of the surfaces, square metres.
    pub area: f32,
    /// The area of the sky, square metres.
    pub sky_area: f32,
    /// Mean albedo of the surfaces, linear RGB.
    pub albedo: Vec3,
    /// Reflected light of lamps and suns that leaves the surfaces, at exposure 1.
    pub from_lights: Vec3,
    /// Emitted light that leaves the surfaces, which is independent of exposure.
    pub emitted: Vec3,
}

impl RoomPatch {
    /// The light that leaves the surfaces with the light of lamps multiplied by `exposure`; without reflected ambient
    /// irradiance.
    pub(super) fn radiosity(&self, exposure: f32) -> Vec3 {
        self.from_lights * exposure + self.emitted
    }
}

/// Builds the patch of a room's surfaces; `reflectances` are those of all materials.
pub(super) fn patch(
    level: &Level,
    lists: &LightLists,
    room: RoomId,
    reflectances: &[Reflectance],
) -> RoomPatch {
    let mut patch = RoomPatch::default();
    sample_room(level, lists, room, |sample| {
        let index = sample.material as usize;
        let (Some(material), Some(reflectance)) =
            (level.materials.get(index), reflectances.get(index))
        else {
            return;
        };
        if material.sky {
            patch.sky_area += sample.area;
            return;
        }
        patch.area += sample.area;
        patch.albedo += reflectance.albedo * sample.area;
        let light = sample.from_lamps + sample.from_sun;
        patch.from_lights += reflectance.albedo * light * sample.area;
        patch.emitted += reflectance.emitted * sample.area;
    });
    if level.room(room).open_to_sky {
        let size = level.room(room).bounds.max - level.room(room).bounds.min;
        patch.sky_area += (size.x * size.z).max(0.0) as f32;
    }
    if patch.area > 0.0 {
        patch.albedo /= patch.area;
        patch.from_lights /= patch.area;
        patch.emitted /= patch.area;
    }
    patch
}

/// The mean reflectance and emission of a material's surfaces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reflectance {
    /// The albedo, linear RGB, at most [`MAX_ALBEDO`].
    pub albedo: Vec3,
    /// The emission, linear RGB, 1 being white on the screen.
    pub emitted: Vec3,
}

impl Reflectance {
    /// Returns albedo and emission.
    pub(super) fn rgb(&self) -> [[f32; 3]; 2] {
        [self.albedo.to_array(), self.emitted.to_array()]
    }
}

/// The reflectances of all materials.
pub(super) fn reflectances(level: &Level) -> Vec<Reflectance> {
    let images: Vec<Vec3> = level.images.iter().map(Image::mean).collect();
    let mean = |texture: &Option<Texture>| {
        let image = texture.as_ref();
        let mean = image.and_then(|t| images.get(t.image as usize));
        mean.copied().unwrap_or(Vec3::ONE)
    };
    let reflectance = |material: &Material| {
        let [r, g, b, _] = material.base_colour;
        let albedo = Vec3::new(r, g, b) * mean(&material.base_texture);
        let emitted = Vec3::from_array(material.emissive) * mean(&material.emissive_texture);
        let too_bright = (emitted.max_element() / MAX_EMITTED).max(1.0);
        Reflectance {
            albedo: albedo.min(Vec3::splat(MAX_ALBEDO)),
            emitted: emitted / too_bright,
        }
    };
    level.materials.iter().map(reflectance).collect()
}
