//! The discs of the suns in the sky.

use std::cmp::Reverse;

use crate::level::{Level, Light, LightKind};

/// The number of suns with a disc; the shader has the same number.
pub(super) const MAX_SUNS: usize = 4;

/// The layout of a sun in the shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct GpuSun {
    /// The unit direction to the sun, and 0; zero where there is no sun.
    direction: [f32; 4],
    /// Linear RGB, of which the largest component is 1, and 0.
    colour: [f32; 4],
}

/// The suns of a level that shows the sky, the strongest first.
pub(super) fn suns(level: &Level) -> [GpuSun; MAX_SUNS] {
    let is_sun = |light: &&Light| light.kind == LightKind::Directional && light.intensity > 0.0;
    let mut found: Vec<&Light> = match level.shows_sky() {
        true => level.lights.iter().filter(is_sun).collect(),
        false => Vec::new(),
    };
    found.sort_by_key(|light| Reverse(light.intensity.to_bits()));
    let mut suns = [GpuSun::default(); MAX_SUNS];
    for (sun, light) in suns.iter_mut().zip(found) {
        let [x, y, z] = (-light.direction.as_vec3()).to_array();
        let peak = light.colour.into_iter().fold(0.0, f32::max);
        if peak > 0.0 {
            let [r, g, b] = light.colour.map(|part| part / peak);
            *sun = GpuSun {
                direction: [x, y, z, 0.0],
                colour: [r, g, b, 0.0],
            };
        }
    }
    suns
}
