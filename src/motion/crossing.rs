//! Changing rooms: a point that crosses a portal polygon is in the room behind it.

use glam::DVec3;

use super::tuning::MAX_CROSSINGS;
use super::{State, World};
use crate::geometry::Rigid;
use crate::level::{PortalId, RoomId};

/// Portals count as this much larger, metres, so that a path through the shared edge of two of
/// them crosses one.
const EDGE_MARGIN: f64 = 1e-6;

/// A straight piece of a path: the room at its start, and its ends in that room's coordinates.
pub type Piece = (RoomId, DVec3, DVec3);

/// Moves the body's centre by `step` and changes its room at every portal crossed. Returns the
/// transform from the coordinates at the start to those at the end, already applied to the
/// body; the pieces walked are added to `path`.
pub(super) fn travel(
    world: &World,
    state: &mut State,
    step: DVec3,
    path: &mut Vec<Piece>,
) -> Rigid {
    let mut end_from_start = Rigid::IDENTITY;
    let (mut from, mut to) = (state.centre, state.centre + step);
    let mut done = 0.0;
    let mut piece_room = state.room;
    for _ in 0..MAX_CROSSINGS {
        let Some((id, part)) = first_crossing(world, state.room, from, to, done) else {
            break;
        };
        let portal = world.level.portal(id);
        state.room = portal.to;
        if portal.to_from_from.is_identity() {
            done = part;
            continue;
        }
        let crossing = from + (to - from) * part;
        path.push((piece_room, from, crossing));
        let bend = portal.to_from_from;
        (from, to) = (bend.point(crossing), bend.point(to));
        state.walk = bend.vector(state.walk);
        state.fall = bend.vector(state.fall);
        end_from_start = bend.after(&end_from_start);
        (done, piece_room) = (0.0, state.room);
    }
    path.push((piece_room, from, to));
    state.centre = to;
    end_from_start
}

/// The first open portal of `room` that the segment passes from its back to its front, at or
/// after the part `done` of the segment; and at which part.
fn first_crossing(
    world: &World,
    room: RoomId,
    from: DVec3,
    to: DVec3,
    done: f64,
) -> Option<(PortalId, f64)> {
    let mut first: Option<(PortalId, f64)> = None;
    for (id, portal) in world.level.portals_of(room) {
        let plane = &portal.polygon.plane;
        let (before, after) = (plane.distance(from), plane.distance(to));
        if before > 0.0 || after <= 0.0 {
            continue;
        }
        let part = before / (before - after);
        let earlier = first.is_none_or(|(_, earliest)| part < earliest);
        if part < done - 1e-9 || !earlier || !world.open.is_open(portal.link) {
            continue;
        }
        if portal
            .polygon
            .covers(from + (to - from) * part, EDGE_MARGIN)
        {
            first = Some((id, part));
        }
    }
    first
}

/// Moves a point along a segment through the portals that it crosses; returns the room it ends
/// in and its coordinates there. No collision: for cameras that hang off a body.
pub fn follow(world: &World, room: RoomId, from: DVec3, to: DVec3) -> (RoomId, DVec3) {
    let mut point = State {
        room,
        centre: from,
        walk: DVec3::ZERO,
        fall: DVec3::ZERO,
        grounded: false,
    };
    travel(world, &mut point, to - from, &mut Vec::new());
    (point.room, point.centre)
}
