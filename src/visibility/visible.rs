//! What a camera sees, as data.

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
    /// Takes its coordinates to those of the eye's room; the identity unless a portal bends space.
    pub eye_from_room: Rigid,
    /// What it is seen through: nothing of it shows in the rest of the picture. A renderer may
    /// clip to this.
    pub aperture: Aperture,
}

impl VisibleRoom {
    /// A room that is seen in the whole picture of a camera; `eye_from_room` takes its coordinates to those of
    /// the camera's room.
    pub fn unclipped(room: RoomId, eye_from_room: Rigid, camera: &Camera) -> Self {
        Self {
            room,
            eye_from_room,
            aperture: Aperture::of_camera(camera),
        }
    }
}

/// The visible rooms of a camera, and working memory, reused from frame to frame.
#[derive(Debug, Default)]
pub struct Visibility {
    /// What can be seen, the eye's room first. Conservative: it may hold more, never less.
    pub rooms: Vec<VisibleRoom>,
    /// How many times a room was taken from the work-list.
    pub visits: usize,
    /// How many sprawls of the rooms visited were compared with an aperture.
    pub sprawls: usize,
    pub(super) walk: Walk<Sighted>,
    pub(super) scratch: Scratch,
}

/// How the rooms to draw are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Culling {
    /// Those that can be seen through open portals.
    #[default]
    Portals,
    /// Those whose box touches the camera's frustum.
    Frustum,
    /// All of them: the oracle for the other two.
    None,
}

/// What of sight is in a room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sighted {
    /// Lines of sight that came in through portals, and go on from here.
    pub lines: Aperture,
    /// These, and those that meet geometry of the room that sprawls into others.
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
    /// The elements that fit into its memory without allocating.
    pub(super) fn capacity(&self) -> usize {
        self.walk.capacity() + self.scratch.capacity()
    }
}
