//! Changing rooms: a point that crosses a portal polygon is in the room behind it.

use glam::DVec3;

use crate::geometry::Rigid;
use crate::level::{At, PortalId};
use crate::motion::body::State;
use crate::motion::collision_world::CollisionWorld;
use crate::motion::report::{Event, Piece, TickReport};
use crate::motion::tuning::MAX_CROSSINGS;

/// Portals count as this much larger, metres, so that a path through the shared edge of two of
/// them crosses one.
const EDGE_MARGIN: f64 = 1e-6;

/// A portal is crossed this far beyond its plane, metres, and left again as far before it: where a
/// body moves in the plane itself, rounding does not make it change rooms.
const BEYOND_PLANE: f64 = 1e-9;

/// Moves the body's centre by `step` and changes its room at every portal crossed. Returns the
/// transform from the coordinates at the start to those at the end, already applied to the
/// body, where they differ; the report gets the pieces and the portals.
pub(super) fn travel(
    collision: &CollisionWorld,
    state: &mut State,
    step: DVec3,
    report: &mut TickReport,
) -> Option<Rigid> {
    let target = state.at.point + step;
    let (end, end_from_start) = cross(collision, state.at, target, Some(report));
    state.at = end;
    if let Some(end_from_start) = &end_from_start {
        state.walk = end_from_start.vector(state.walk);
        state.fall = end_from_start.vector(state.fall);
    }
    end_from_start
}

/// Follows a point along the segment from `from` to `to`, both in coordinates of `from`'s room,
/// through the portals that it crosses. Returns where it ends, and the transform from the
/// coordinates at the start to those at the end. No collision: for cameras that hang off a body.
pub fn follow(collision: &CollisionWorld, from: At, to: DVec3) -> (At, Rigid) {
    let (end, end_from_start) = cross(collision, from, to, None);
    (end, end_from_start.unwrap_or_default())
}

/// The portals that a segment crosses, one after the other; a report gets these and its pieces.
/// Returns where it ends: at the last portal, if it would cross too many.
fn cross(
    collision: &CollisionWorld,
    mut from: At,
    mut to: DVec3,
    mut report: Option<&mut TickReport>,
) -> (At, Option<Rigid>) {
    let mut end_from_start = None;
    let mut done = 0.0;
    // The room ahead of `from`, where portals that bend no space have been crossed.
    let mut room = from.room;
    for crossed in 0.. {
        let segment = (At { room, ..from }, to);
        let Some((id, part)) = first_crossing(collision, segment, done) else {
            break;
        };
        if crossed == MAX_CROSSINGS {
            to = from.point + (to - from.point) * done;
            break;
        }
        let portal = collision.level.portal(id);
        room = portal.far;
        if let Some(report) = &mut report {
            report.events.push(Event::Crossed { portal: id });
        }
        if portal.far_from_near.is_identity() {
            done = part;
            continue;
        }
        let crossing = from.point + (to - from.point) * part;
        if let Some(report) = &mut report {
            report.path.push(Piece { from, to: crossing });
        }
        let bend = portal.far_from_near;
        (from, to) = (At::new(room, bend.point(crossing)), bend.point(to));
        end_from_start = Some(bend.after(&end_from_start.unwrap_or_default()));
        done = 0.0;
    }
    if let Some(report) = report {
        report.path.push(Piece { from, to });
    }
    (At::new(room, to), end_from_start)
}

/// The first open portal of its room that the segment passes from its back to its front, at or
/// after the part `done` of the segment; and at which part.
fn first_crossing(
    collision: &CollisionWorld,
    (from, to): (At, DVec3),
    done: f64,
) -> Option<(PortalId, f64)> {
    let mut first: Option<(PortalId, f64)> = None;
    for (id, portal) in collision.level.portals_of(from.room) {
        let plane = &portal.polygon.plane;
        let [before, after] = [from.point, to].map(|p| plane.distance(p) - BEYOND_PLANE);
        if before > 0.0 || after <= 0.0 {
            continue;
        }
        let part = before / (before - after);
        let earlier = first.is_none_or(|(_, earliest)| part < earliest);
        if part < done - 1e-9 || !earlier || !collision.is_open(portal.link) {
            continue;
        }
        if portal
            .polygon
            .covers(from.point + (to - from.point) * part, EDGE_MARGIN)
        {
            first = Some((id, part));
        }
    }
    first
}
