//! Visibility: a flood from the eye's room through open portals finds the rooms that a camera sees.
//!
//! Each room is seen through an aperture, a bundle of lines of sight through the eye. A portal passes on the part of
//! the aperture that its polygon fills; a room that is reached by several paths has one aperture around those of all
//! paths. Everything is conservative: an invisible room may be listed, but a visible one is never lost. The maths, with
//! its sources, is in `docs/visibility.md`.

mod aperture;
mod camera;
mod culling;
mod flood;
#[cfg(test)]
mod tests;
mod view_volume;
mod visible;

pub use aperture::Aperture;
pub use camera::{Camera, NEAR, view_axes};
pub use culling::visible_rooms;
pub use flood::flood;
pub use view_volume::ViewVolume;
pub use visible::{Culling, Visibility, VisibleRoom, VisibleSet};
