//! The results of visibility, as data.

use super::aperture::{Aperture, Scratch};
use super::camera::Camera;
use crate::geometry::Rigid;
use crate::level::{RoomId, Walk};

/// A room that can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct VisibleRoom {
    /// The room.
    pub room: RoomId,
    /// The transform from the room's coordinates to those of the eye's room; the identity unless a portal bends space.
    pub eye_from_room: Rigid,
    /// The aperture through which the room is seen: nothing of the room is visible in the rest of the picture. A
    /// frame draws only objects that touch the aperture, and a renderer may clip to it.
    pub aperture: Aperture,
}

impl VisibleRoom {
    /// A room that is drawn whole; `eye_from_room` is the transform from its coordinates to those of the eye's room.
    pub fn unclipped(room: RoomId, eye_from_room: Rigid) -> Self {
        Self {
            room,
            eye_from_room,
            aperture: Aperture::UNBOUNDED,
        }
    }
}

/// Visible rooms, with the camera that sees them. They may be drawn with another camera, for example in a debug view
/// that shows the culling from outside.
#[derive(Clone, Copy, Debug)]
pub struct VisibleSet<'a> {
    /// The camera of the apertures.
    pub camera: &'a Camera,
    /// The rooms, in the coordinates of the camera's room.
    pub rooms: &'a [VisibleRoom],
    /// Whether the rooms were reached through portals: then rooms behind a portal that bends space are where the portal
    /// shows them. Else they are at their places in the level.
    pub follows_portals: bool,
}

/// The visible rooms of a camera, and working memory, reused from frame to frame.
#[derive(Debug, Default)]
pub struct Visibility {
    /// The rooms that can be seen, the eye's room first. Conservative: it may contain invisible rooms, but lacks no
    /// visible one.
    pub rooms: Vec<VisibleRoom>,
    /// The number of times that a room was taken from the work list.
    pub visits: usize,
    /// The number of sprawls of the visited rooms that were tested against an aperture.
    pub sprawls: usize,
    pub(super) walk: Walk<Sighted>,
    pub(super) scratch: Scratch,
}

impl Visibility {
    /// The rooms, with the camera for which they were found.
    pub fn seen_by<'a>(&'a self, camera: &'a Camera) -> VisibleSet<'a> {
        VisibleSet {
            camera,
            rooms: &self.rooms,
            follows_portals: self.visits > 0,
        }
    }
}

/// The culling method for the rooms to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Culling {
    /// The rooms that can be seen through open portals.
    #[default]
    Portals,
    /// The rooms whose bounds overlap the camera's frustum.
    Frustum,
    /// All rooms, each drawn whole: the oracle for the other two methods.
    None,
}

/// The state of the visibility flood in a room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sighted {
    /// The lines of sight that entered through portals, and that continue from here.
    pub lines: Aperture,
    /// The aperture around `lines` and the lines of sight that hit geometry sprawling from this room into others.
    pub aperture: Aperture,
}

impl Sighted {
    pub(super) fn of(lines: Aperture) -> Self {
        Self {
            lines,
            aperture: lines,
        }
    }
}

#[cfg(test)]
impl Visibility {
    /// The number of elements that fit into the memory without allocating.
    pub(super) fn capacity(&self) -> usize {
        self.walk.capacity() + self.scratch.capacity()
    }
}
