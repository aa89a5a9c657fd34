//! The states of the lights: lit or off.

use super::{World, changed};
use crate::level::LightId;

impl World {
    /// Whether a light is lit.
    pub fn is_lit(&self, light: LightId) -> bool {
        self.lit[light.0 as usize]
    }

    /// Turns a light on if it is off, and off if it is on.
    pub fn switch_light(&mut self, light: LightId) {
        self.lit[light.0 as usize] ^= true;
    }

    /// The lights that are lit here and not in `before`, or the other way round.
    pub fn changed_lights<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = LightId> + 'a {
        changed(&self.lit, &before.lit).map(LightId)
    }
}
