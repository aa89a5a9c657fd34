//! The state of the light in the picture of a cube, by which changes are noticed.

use std::sync::Arc;

use crate::frame::data::Frame;
use crate::hash::Fnv128;
use crate::lighting::{Lighting, LitBy, Shadow};

/// The light on all instances of a cube's faces. Two equal states give the same picture of the same instances.
#[derive(Clone, Debug)]
pub(super) struct LightState {
    /// The hash of the lights and the ambient irradiance of all instances.
    hash: u128,
    /// The shadow maps of these lights.
    shadows: Vec<Arc<Shadow>>,
    /// The revision of the lightmap's texels.
    texels: u64,
}

impl LightState {
    /// The light on the instances of these frames.
    pub(super) fn of(lighting: &Lighting, faces: &[Frame]) -> Self {
        let instances = faces.iter().flat_map(|face| &face.instances);
        let mut all: Vec<LitBy> = Vec::new();
        for instance in instances {
            if !all.contains(&instance.lit_by) {
                all.push(instance.lit_by);
            }
        }
        let mut factors = Vec::new();
        lighting.write_factors(None, &mut factors);
        let mut hash = Fnv128::EMPTY.words(&factors);
        let mut shadows = Vec::new();
        for lit_by in all {
            let range = lighting.list(lit_by);
            let range = range.start as usize..range.end as usize;
            let lists = &lighting.lists;
            hash = hash.words(&lists.lights[range.clone()]);
            let ambient = lighting.ambient(lit_by);
            hash = hash.words(&ambient.irradiance.to_array());
            hash = hash.words(&ambient.gradient.to_array());
            let maps = lists.shadow_of[range].iter();
            shadows.extend(maps.map(|&map| Arc::clone(&lists.shadows[map as usize].shadow)));
        }
        Self {
            hash: hash.0,
            shadows,
            texels: lighting.texels.revision,
        }
    }
}

impl PartialEq for LightState {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = self.shadows.iter().zip(&other.shadows);
        self.hash == other.hash
            && self.texels == other.texels
            && self.shadows.len() == other.shadows.len()
            && pairs.all(|(a, b)| Arc::ptr_eq(a, b) || a == b)
    }
}
