//! Changing rooms: a point that crosses a portal polygon is in the room behind it.

use glam::DVec3;

use super::collision_world::CollisionWorld;
use crate::geometry::Rigid;
use crate::level::{At, MAX_CROSSINGS, PortalId};

/// What a path meets on its way from room to room.
pub(crate) enum Crossing {
    /// It crosses a portal.
    Portal(PortalId),
    /// A straight piece of it ends, where a portal bends space or the path is done: where it began and ends,
    /// both in coordinates of the room that it began in.
    Piece(At, DVec3),
}

/// Follows a point along the segment from `from` to `to`, both in coordinates of `from`'s room,
/// through the portals that it crosses. Returns where it ends, and the transform from the
/// coordinates at the start to those at the end. No collision: for cameras that hang off a body.
pub fn follow(collision: &CollisionWorld, from: At, to: DVec3) -> (At, Rigid) {
    let (end, end_from_start) = cross(collision, from, to, |_| {});
    (end, end_from_start.unwrap_or_default())
}

/// The portals that a segment crosses, one after the other; `note` gets these and the straight pieces.
/// Returns where it ends (at the last portal, if it would cross too many), and the transform from the
/// coordinates at the start to those at the end where they differ.
pub(crate) fn cross(
    collision: &CollisionWorld,
    mut from: At,
    mut to: DVec3,
    mut note: impl FnMut(Crossing),
) -> (At, Option<Rigid>) {
    let mut end_from_start = None;
    let mut done = 0.0;
    let rooms = collision.world.rooms();
    // The room ahead of `from`, where portals that bend no space have been crossed.
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
