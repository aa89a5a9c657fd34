//! Rooms as patches: what their surfaces reflect and emit.

use glam::Vec3;

use super::lists::LightLists;
use super::samples::sample_room;
use crate::level::{Image, Level, Material, RoomId, Texture};

/// Greatest albedo of a surface: nothing real is whiter, and light must die away.
const MAX_ALBEDO: f32 = 0.85;

/// Emissive surfaces light their room at most like this multiple of white: authors write strengths of
/// a hundred to make a pane look bright beside lamps of their unit, which exposure evens out.
const MAX_EMITTED: f32 = 8.0;

/// A room as a patch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Patch {
    /// Square metres of surfaces.
    pub area: f32,
    /// Square metres of sky.
    pub sky_area: f32,
    /// Mean albedo of the surfaces, linear RGB.
    pub albedo: Vec3,
    /// Light of lamps and suns that leaves them, at exposure 1.
    pub from_lights: Vec3,
    /// Light of their own that leaves them, which no exposure changes.
    pub emitted: Vec3,
}

impl Patch {
    /// Light that leaves the surfaces where that of lamps is multiplied by `exposure`; without reflected ambient
    /// irradiance.
    pub(super) fn radiosity(&self, exposure: f32) -> Vec3 {
        self.from_lights * exposure + self.emitted
    }
}

/// A room's surfaces as one patch; `reflectances` are those of all materials.
pub(super) fn patch(
    level: &Level,
    lists: &LightLists,
    room: RoomId,
    reflectances: &[Reflectance],
) -> Patch {
    let mut patch = Patch::default();
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
    /// Linear RGB, at most [`MAX_ALBEDO`].
    albedo: Vec3,
    /// Light of their own, linear RGB, 1 being white on the screen.
    emitted: Vec3,
}

impl Reflectance {
    /// Both colours.
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
