//! Places at which objects smaller than rooms appear.

use std::iter;

use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, RoomId, RoomPlace};
use crate::world::World;

/// The room of an object, and the rooms into which it extends through a portal, each with the transform from the
/// object's room.
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

/// Whether an object with this box in its room touches an opening of the room, from either side.
pub(super) fn touches_opening(
    (level, world): (&Level, &World),
    room: RoomId,
    around: &Aabb,
) -> bool {
    let mut own = world.rooms().portals_of(level, room);
    own.any(|(_, portal)| portal.bounds.overlaps(around)) || {
        let mut entrances = level.room(room).one_way_entrances.iter();
        entrances.any(|&id| {
            let portal = world.rooms().portal(level, id);
            let there = around.transformed(&portal.far_from_near.inverse());
            portal.bounds.overlaps(&there)
        })
    }
}
