//! Changing rooms: a point that crosses a portal polygon is in the room behind it.

use glam::DVec3;

use super::collision_world::CollisionWorld;
use crate::geometry::Rigid;
use crate::level::{At, MAX_CROSSINGS, PortalId};

/// An event on a path from room to room.
pub(crate) enum Crossing {
    /// The path crosses a portal.
    Portal(PortalId),
    /// A straight piece of the path ends at a portal that bends space, or at the end of the path. The values are its
    /// start and its end, both in the coordinates of the room at its start.
    Piece(At, DVec3),
}

/// Follows a point along the segment from `from` to `to`, both in coordinates of `from`'s room, through the
/// portals that the segment crosses. Returns the end, and the transform from the coordinates at the start to
/// the coordinates at the end. There is no collision: for cameras attached to a body.
pub fn follow(collision: &CollisionWorld, from: At, to: DVec3) -> (At, Rigid) {
    let (end, end_from_start) = cross(collision, from, to, |_| {});
    (end, end_from_start.unwrap_or_default())
}

/// Finds the portals that a segment crosses, in order, and calls `note` with the portals and the straight pieces.
/// Returns the end; if the segment crosses more portals than the maximum, that is at the last one. Also returns the
/// transform from the coordinates at the start to those at the end, if they differ.
pub(crate) fn cross(
    collision: &CollisionWorld,
    mut from: At,
    mut to: DVec3,
    mut note: impl FnMut(Crossing),
) -> (At, Option<Rigid>) {
    let mut end_from_start = None;
    let mut done = 0.0;
    let rooms = collision.world.rooms();
    // The current room. It differs from the room of `from` once the path has crossed portals that do not bend space.
    let mut room = from.room;
    for crossed in 0.. {
        let segment = (At { room, ..from }, to);
        let is_open = |link| collision.is_open(link);
        let Some((id, part)) = rooms.first_crossing(collision.level, segment, done, is_open) else {
            break;
        };
        if crossed == MAX_CROSSINGS {
            to = from.point + (to - from.point) * done;
            break;
        }
        let portal = rooms.portal(collision.level, id);
        room = portal.far;
        note(Crossing::Portal(id));
        if portal.far_from_near.is_identity() {
            done = part;
            continue;
        }
        let crossing = from.point + (to - from.point) * part;
        note(Crossing::Piece(from, crossing));
        let bend = portal.far_from_near;
        (from, to) = (At::new(room, bend.point(crossing)), bend.point(to));
        end_from_start = Some(bend.after(&end_from_start.unwrap_or_default()));
        done = 0.0;
    }
    note(Crossing::Piece(from, to));
    (At::new(room, to), end_from_start)
}
