//! Lights of a level.

use glam::DVec3;

use super::At;

/// Index of a light in [`LevelData::lights`](super::LevelData::lights).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LightId(pub u32);

/// A light in a room.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Light {
    /// Name of its node.
    pub name: String,
    /// The position; a light in no room belongs to the room of its parent node. `None` if that has no room either:
    /// such a light has no effect, unless it is the sun of a level with visible sky.
    pub at: Option<At>,
    /// Unit direction of emission.
    pub direction: DVec3,
    /// Linear RGB, each component at most 1.
    pub colour: [f32; 3],
    /// Intensity in candela; for a directional light in lux.
    pub intensity: f32,
    /// Distance beyond which the light has no effect, in metres; `None` for unlimited.
    pub range: Option<f32>,
    /// The radius of the sphere that emits the light, metres; for a directional light the angular radius of its disc,
    /// radians. 0 for a light without size, whose shadows are sharp.
    pub radius: f32,
    /// The kind of light.
    pub kind: LightKind,
    /// Whether it is lit at the start.
    pub starts_lit: bool,
    /// Whether triggers or switches turn it on and off.
    pub is_switched: bool,
    /// The part of its light that varies, as that of a fire, 0..1.
    pub flicker: f32,
    /// The materials whose emission is turned on and off with the light, and flickers like it: indices into
    /// [`LevelData::materials`](super::LevelData::materials).
    pub materials: Vec<u32>,
}

/// The kinds of KHR_lights_punctual.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LightKind {
    /// A point light: equal intensity in all directions.
    Point,
    /// A spot light: a cone. Angles are measured from its axis, in radians.
    Spot {
        /// Angle up to which it has full strength.
        inner: f32,
        /// Angle beyond which it has no effect.
        outer: f32,
    },
    /// A directional light: parallel rays.
    Directional,
}
