//! Sky visibility of each place of a level's surfaces: a lightmap, baked once from the polygons alone.
//!
//! The surfaces are cut into [`Chart`]s, flat patches whose rectangles of texels are packed onto pages. For every
//! texel, rays sample the fraction of the hemisphere above it without nearby occluders (ambient obscurance: S. Zhukov
//! et al., "An ambient light illumination model", 1998). Doors are ignored, since they move.

mod layout;

mod charts;
mod outlines;
mod pack;
mod patches;
mod unwrap;

mod occluders;
mod texels;

mod bake;
mod finish;

mod key;
mod load;
mod resample;

mod draft;

#[cfg(test)]
mod tests;

pub use bake::bake;
pub(super) use bake::{LIFT, MAX_BACK_FACES, directions};
pub use draft::{Draft, LightmapCache};
pub(super) use key::key;
pub use layout::{Chart, Lightmap, LightmapQuality};
pub use load::{load_or_bake, store_in_cache};
pub(super) use patches::corners_of;
pub use texels::Texel;
pub use unwrap::flat;
pub(super) use unwrap::{NO_CHART, chart_of_triangles};
