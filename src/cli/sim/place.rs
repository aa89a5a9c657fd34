//! A place in an answer.

use serde::Serialize;

use opendoor::level::{AuthorPoint, Level, RoomId};

/// A room, and the position of the feet in the author's coordinates, metres.
#[derive(Debug, Serialize)]
pub(super) struct ReportedPosition<'a> {
    pub(super) room: &'a str,
    pub(super) position: [f64; 3],
}

pub(super) fn name(level: &Level, room: RoomId) -> &str {
    &level.room(room).name
}

pub(super) fn named(level: &Level, (room, feet): (RoomId, AuthorPoint)) -> ReportedPosition<'_> {
    ReportedPosition {
        room: name(level, room),
        position: feet.0.to_array(),
    }
}
