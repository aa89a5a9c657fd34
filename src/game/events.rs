//! What happened in a tick that players, logs and scripts are told of.

use std::fmt;

use glam::DVec3;

use crate::level::{Level, RoomId};

/// Something that happened in a tick. Points are feet in the author's coordinates, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The body left its room through a hole in the room's surface, not through a portal: it was
    /// in no room, and was put back where it last stood.
    LeftRooms {
        /// The room that it left.
        room: RoomId,
        /// Where it was noticed.
        feet: DVec3,
        /// The room that it was put back into.
        back_room: RoomId,
        /// Where it was put back.
        back_feet: DVec3,
    },
}

impl Event {
    /// The event's kind, as scripts read it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::LeftRooms { .. } => "left_rooms",
        }
    }

    /// A sentence about the event.
    pub fn describe(&self, level: &Level) -> String {
        match *self {
            Self::LeftRooms {
                room,
                feet,
                back_room,
                back_feet,
            } => format!(
                "the body left room `{}` through a hole, at {}; it is back in room `{}`, at {}",
                level.room(room).name,
                Coordinates(feet),
                level.room(back_room).name,
                Coordinates(back_feet)
            ),
        }
    }
}

/// A point, to the millimetre.
struct Coordinates(DVec3);

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:.3}, {:.3}, {:.3})", self.0.x, self.0.y, self.0.z)
    }
}
