//! Light that was reflected: each room has one ambient irradiance, which its surfaces and the
//! openings to its neighbours make together. Radiosity (C. Goral et al., 1984) with rooms for
//! patches: what a room's surfaces send out, they send to themselves and through its portals, in
//! proportion to the areas.

use glam::Vec3;

use super::Lighting;
use super::samples::sample_room;
use crate::level::{Image, Level, Material, RoomId, Texture};

/// Sweeps over all rooms: after so many reflections from surfaces that are not quite white, what
/// is left cannot be seen.
const SWEEPS: usize = 24;
/// The most that a surface reflects: nothing real is whiter, and light must die away.
const WHITEST: f32 = 0.85;

/// What glows lights its room at most like this multiple of white: authors write strengths of a
/// hundred to make a pane look bright beside lamps of their unit, which exposure evens out.
const BRIGHTEST_SENT: f32 = 8.0;

/// A room as a patch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patch {
    /// Square metres of surfaces.
    area: f32,
    /// Square metres of sky.
    sky_area: f32,
    /// What of the ambient irradiance the surfaces send out again, linear RGB.
    reflected: Vec3,
    /// What they send out of the lamps' light, and by themselves.
    radiosity: Vec3,
}

/// Ambient irradiance for each room and each side of each panel; see [`Lighting::ambient`].
pub(super) fn ambient(level: &Level, lighting: &Lighting) -> Vec<Vec3> {
    let mut ambient = solve_radiosity(level, lighting, level.sky.mean());
    ambient
        .iter_mut()
        .for_each(|light| *light += lighting.least_ambient);
    for link in level.doors().map(|link| level.link(link)) {
        let sides = [link.near, link.far].map(|room| ambient[room.0 as usize]);
        ambient.extend(sides);
    }
    ambient
}

/// What of the lamps' and of the sky's light comes from everywhere in each room.
pub(super) fn solve_radiosity(level: &Level, lighting: &Lighting, sky: Vec3) -> Vec<Vec3> {
    let patches = &lighting.patches;
    let mut ambient = vec![Vec3::ZERO; patches.len()];
    for _ in 0..SWEEPS {
        for (room, patch) in level.room_ids().zip(patches) {
            let own = patch.radiosity + patch.reflected * ambient[room.0 as usize];
            let mut light = own * patch.area + sky * patch.sky_area;
            let mut area = patch.area + patch.sky_area;
            for (_, portal) in level.portals_of(room) {
                let opening = portal.polygon.area() as f32;
                let behind = if lighting.world.passes_light(portal.link) {
                    portal.far
                } else {
                    room
                };
                let behind = behind.0 as usize;
                let radiosity =
                    patches[behind].radiosity + patches[behind].reflected * ambient[behind];
                light += radiosity * opening;
                area += opening;
            }
            ambient[room.0 as usize] = light / area.max(1e-3);
        }
    }
    ambient
}

/// A room's surfaces as one, with the lights of its list; `reflectances` are those of all materials.
pub(super) fn patch(
    level: &Level,
    lighting: &Lighting,
    room: RoomId,
    reflectances: &[Reflectance],
) -> Patch {
    let mut patch = Patch::default();
    sample_room(level, lighting, room, |sample| {
        let index = sample.material as usize;
        let (Some(material), Some(look)) = (level.materials.get(index), reflectances.get(index))
        else {
            return;
        };
        if material.sky {
            patch.sky_area += sample.area;
            return;
        }
        patch.area += sample.area;
        patch.reflected += look.albedo * sample.area;
        let light = sample.from_lamps + sample.from_sun;
        patch.radiosity += (look.albedo * light + look.emitted) * sample.area;
    });
    if level.room(room).open_to_sky {
        let size = level.room(room).bounds.max - level.room(room).bounds.min;
        patch.sky_area += (size.x * size.z).max(0.0) as f32;
    }
    if patch.area > 0.0 {
        patch.reflected /= patch.area;
        patch.radiosity /= patch.area;
    }
    patch
}

/// What surfaces of a material do on the mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reflectance {
    /// What they reflect, linear RGB.
    albedo: Vec3,
    /// What they send out by themselves, linear RGB, 1 being white on the screen.
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
    let look = |material: &Material| {
        let [r, g, b, _] = material.base_colour;
        let albedo = Vec3::new(r, g, b) * mean(&material.base_texture);
        let emitted = Vec3::from_array(material.emissive) * mean(&material.emissive_texture);
        let too_bright = (emitted.max_element() / BRIGHTEST_SENT).max(1.0);
        Reflectance {
            albedo: albedo.min(Vec3::splat(WHITEST)),
            emitted: emitted / too_bright,
        }
    };
    level.materials.iter().map(look).collect()
}
