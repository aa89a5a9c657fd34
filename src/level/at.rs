//! Positions: a room and a point in it.

use std::fmt;

use glam::DVec3;

use super::RoomId;

/// A position: a room and a point in it. Two rooms may overlap in space, so a point alone is ambiguous.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// The room.
    pub room: RoomId,
    /// The point, metres, in the room's coordinates.
    pub point: DVec3,
}

impl At {
    /// A point of a room, metres, in the room's coordinates.
    pub const fn new(room: RoomId, point: DVec3) -> Self {
        Self { room, point }
    }

    /// Another point of the same room.
    pub const fn with_point(self, point: DVec3) -> Self {
        Self { point, ..self }
    }
}

/// A point in the coordinates of the author's file, metres, as users read and write it.
/// [`super::LevelData::from_author`] converts it to level coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AuthorPoint(pub DVec3);

/// Prints the point to the millimetre, for messages.
impl fmt::Display for AuthorPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(DVec3 { x, y, z }) = self;
        write!(f, "({x:.3}, {y:.3}, {z:.3})")
    }
}
