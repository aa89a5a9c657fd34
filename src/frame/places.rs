//! Places at which objects smaller than rooms appear.

use std::iter;

use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, RoomId, RoomPlace};
use crate::visibility::VisibleRoom;
use crate::world::World;

/// The room of an object, and the rooms into which it extends through a portal, each with the transform from its room.
pub(super) fn places<'a>(
    (level, world): (&'a Level, &'a World),
    room: RoomId,
    around: &'a Aabb,
) -> impl Iterator<Item = RoomPlace> + 'a {
    let reached = world.rooms().portals_of(level, room);
    let reached = reached.filter(|(_, portal)| portal.bounds.overlaps(around));
    let reached = reached.map(|(_, portal)| RoomPlace {
        room: portal.far,
        here_from_other: portal.far_from_near,
    });
    let own = RoomPlace {
        room,
        here_from_other: Rigid::IDENTITY,
    };
    iter::once(own).chain(reached)
}

/// The places at which a room is seen, as transforms from the coordinates of another room whose place in it is
/// `place`.
pub(super) fn seen_at<'a>(
    rooms: &'a [VisibleRoom],
    place: &'a RoomPlace,
) -> impl Iterator<Item = Rigid> + 'a {
    let visible = rooms.iter().filter(|visible| visible.room == place.room);
    visible.map(|visible| visible.eye_from_room.after(&place.here_from_other))
}
