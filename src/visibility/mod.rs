//! What a camera can see: a flood from the eye's room through open portals.
//!
//! Each room is seen through an aperture, a bundle of lines of sight through the eye. A portal
//! passes on the part of the aperture that its polygon fills; a room that is reached by several
//! ways has one aperture around them all. Everything is conservative: a room may be
//! listed in vain, a visible one is never lost. The maths, with its sources, is in
//! `docs/visibility.md`.

mod aperture;
mod camera;
mod culling;
mod flood;
#[cfg(test)]
mod tests;
mod visible;

pub use aperture::Aperture;
pub use camera::{Camera, NEAR};
pub use culling::visible_rooms;
pub use flood::flood;
pub use visible::{Culling, Visibility, VisibleRoom};
