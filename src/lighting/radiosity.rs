//! Reflected light: each room has one ambient irradiance, to which its surfaces and the openings to
//! its neighbours contribute. Radiosity (C. Goral et al., 1984) with rooms for patches: the light that
//! leaves a room's surfaces arrives at these again and passes the portals, in proportion to the areas.

use glam::Vec3;

use super::lists::LightLists;
use super::samples::sample_room;
use crate::level::{Image, Level, Material, MoverPartId, RoomId, Texture};
use crate::world::World;

/// Sweeps over all rooms: after so many reflections from surfaces that are not quite white, the rest
/// is too faint to be seen.
const SWEEPS: usize = 24;
/// Greatest albedo of a surface: nothing real is whiter, and light must die away.
const MAX_ALBEDO: f32 = 0.85;

/// Emissive surfaces light their room at most like this multiple of white: authors write strengths of
/// a hundred to make a pane look bright beside lamps of their unit, which exposure evens out.
const MAX_EMITTED: f32 = 8.0;

/// A room as a patch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patch {
    /// Square metres of surfaces.
    area: f32,
    /// Square metres of sky.
    sky_area: f32,
    /// Mean albedo of the surfaces, linear RGB.
    albedo: Vec3,
    /// Light that leaves them, of lamps and of their own; without reflected ambient irradiance.
    radiosity: Vec3,
}

/// Ambient irradiance of each room and on each part of a mover, at least `min`; see
/// [`super::LitBy`].
pub(super) fn ambient(level: &Level, world: &World, patches: &[Patch], min: f32) -> Vec<Vec3> {
    let mut ambient = solve_radiosity(level, world, patches, level.sky.mean());
    ambient.iter_mut().for_each(|light| *light += min);
    for part in (0..level.mover_parts.len() as u32).map(MoverPartId) {
        ambient.push(ambient[world.part_room(part).room.0 as usize]);
    }
    ambient
}

/// Ambient irradiance of each room by the light of lamps and of a sky of this colour.
pub(super) fn solve_radiosity(
    level: &Level,
    world: &World,
    patches: &[Patch],
    sky: Vec3,
) -> Vec<Vec3> {
    let mut ambient = vec![Vec3::ZERO; patches.len()];
    for _ in 0..SWEEPS {
        for (room, patch) in level.room_ids().zip(patches) {
            let own = patch.radiosity + patch.albedo * ambient[room.0 as usize];
            let mut light = own * patch.area + sky * patch.sky_area;
            let mut area = patch.area + patch.sky_area;
            for (_, portal) in level.portals_of(room) {
                let opening = portal.polygon.area() as f32;
                let behind = if world.passes_light(portal.link) {
                    portal.far
                } else {
                    room
                };
                let behind = behind.0 as usize;
                let radiosity =
                    patches[behind].radiosity + patches[behind].albedo * ambient[behind];
                light += radiosity * opening;
                area += opening;
            }
            ambient[room.0 as usize] = light / area.max(1e-3);
        }
    }
    ambient
}

/// Makes the patches of `changed` rooms, with the lights of their lists multiplied by `exposure`;
/// `reflectances` are those of all materials.
pub(super) fn update_patches(
    level: &Level,
    lists: &LightLists,
    exposure: f32,
    reflectances: &[Reflectance],
    changed: &[bool],
    patches: &mut [Patch],
) {
    for room in level.room_ids().filter(|room| changed[room.0 as usize]) {
        patches[room.0 as usize] = patch(level, lists, exposure, room, reflectances);
    }
}

/// A room's surfaces as one patch.
fn patch(
    level: &Level,
    lists: &LightLists,
    exposure: f32,
    room: RoomId,
    reflectances: &[Reflectance],
) -> Patch {
    let mut patch = Patch::default();
    sample_room(level, lists, exposure, room, |sample| {
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
        patch.radiosity += (reflectance.albedo * light + reflectance.emitted) * sample.area;
    });
    if level.room(room).open_to_sky {
        let size = level.room(room).bounds.max - level.room(room).bounds.min;
        patch.sky_area += (size.x * size.z).max(0.0) as f32;
    }
    if patch.area > 0.0 {
        patch.albedo /= patch.area;
        patch.radiosity /= patch.area;
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
