//! What happened in a tick that players, logs and scripts are told of.

use crate::level::{AuthorPoint, Level, RoomId};

/// Something that happened in a tick. Points are where the feet were.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The body left its room through a hole in the room's surface, not through a portal: it was
    /// in no room, and was put back where it last stood.
    LeftRooms {
        /// The room that it left.
        room: RoomId,
        /// Where it was noticed.
        feet: AuthorPoint,
        /// The room that it was put back into.
        back_room: RoomId,
        /// Where it was put back.
        back_feet: AuthorPoint,
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
                feet,
                level.room(back_room).name,
                back_feet
            ),
        }
    }
}
