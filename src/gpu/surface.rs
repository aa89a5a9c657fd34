//! Surfaces: the properties of a material that determine its pipeline.

use crate::level::{Alpha, Material, Sky};

/// The properties of a material that determine its pipeline, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SurfaceKey(u16);

const DOUBLE_SIDED: u16 = 1;
const MASKED: u16 = 1 << 1;
const BLENDED: u16 = 1 << 2;
/// The bit of surfaces that cast no shadow: emissive or blended ones, and the sky.
const SHADOWLESS: u16 = 1 << 3;
/// The index of the first bit that is a constant of the shader.
const FIRST_CONSTANT: u32 = 4;
const CONSTANTS: [&str; 10] = [
    "UNLIT",
    "SKY",
    "BASE_TEXTURE",
    "METALLIC_ROUGHNESS_TEXTURE",
    "NORMAL_TEXTURE",
    "OCCLUSION_TEXTURE",
    "EMISSIVE_TEXTURE",
    "REFLECTIONS",
    "CLOUDS",
    "GLOWS_WITH_LIGHT",
];
/// The bit of `CLOUDS`.
const CLOUDS: u16 = 1 << (FIRST_CONSTANT + 8);
/// The bit of `GLOWS_WITH_LIGHT`.
const GLOWS_WITH_LIGHT: u16 = 1 << (FIRST_CONSTANT + 9);

/// A surface that emits more than this may enclose a light, for example as a shade, and casts no shadow; 1 is white on
/// the screen.
const MIN_EMISSION: f32 = 0.2;

impl SurfaceKey {
    /// The key of a material; `reflects` tells whether smooth surfaces reflect the room.
    pub(super) fn of(material: &Material, reflects: bool) -> Self {
        // A surface with an emission map is mostly dark, and casts shadows like any other.
        let strongest = material.emissive.into_iter().fold(0.0, f32::max);
        let glows = strongest > MIN_EMISSION && material.emissive_texture.is_none();
        let flags = [
            material.double_sided,
            matches!(material.alpha, Alpha::Mask(_)),
            material.alpha == Alpha::Blend,
            glows || material.sky || material.alpha == Alpha::Blend,
            material.unlit,
            material.sky,
            material.base_texture.is_some(),
            material.metallic_roughness_texture.is_some(),
            material.normal_texture.is_some(),
            material.occlusion_texture.is_some(),
            material.emissive_texture.is_some(),
            reflects && material.mirrors_surroundings(),
        ];
        Self((0..).zip(flags).map(|(i, flag)| u16::from(flag) << i).sum())
    }

    /// The key of this surface under a sky: a surface of sky shows its clouds.
    pub(super) fn under(self, material: &Material, sky: &Sky) -> Self {
        if material.sky && sky.clouds > 0.0 {
            return Self(self.0 | CLOUDS);
        }
        self
    }

    /// The key of this surface if its emission has the factor of a light.
    pub(super) fn with_light(self, light_factor: u32) -> Self {
        match light_factor {
            0 => self,
            _ => Self(self.0 | GLOWS_WITH_LIGHT),
        }
    }

    fn has(self, bit: u16) -> bool {
        self.0 & bit != 0
    }

    pub(super) fn is_double_sided(self) -> bool {
        self.has(DOUBLE_SIDED)
    }

    pub(super) fn is_masked(self) -> bool {
        self.has(MASKED)
    }

    pub(super) fn is_blended(self) -> bool {
        self.has(BLENDED)
    }

    pub(super) fn casts_shadow(self) -> bool {
        !self.has(SHADOWLESS)
    }

    /// The entry point of the fragment shader; `in_sheet` tells whether portals that bend space hide parts of the surface.
    pub(super) fn entry(self, in_sheet: bool) -> &'static str {
        match (self.is_masked(), self.is_blended(), in_sheet) {
            (true, _, false) => "masked",
            (true, _, true) => "masked_in_sheet",
            (_, true, false) => "blended",
            (_, true, true) => "blended_in_sheet",
            (_, _, false) => "fragment",
            (_, _, true) => "fragment_in_sheet",
        }
    }

    /// The shader constants that are set.
    pub(super) fn constants(self) -> Vec<(&'static str, f64)> {
        let set = (0u32..).zip(CONSTANTS);
        set.filter(|(i, _)| self.0 >> (FIRST_CONSTANT + i) & 1 == 1)
            .map(|(_, name)| (name, 1.0))
            .collect()
    }
}
