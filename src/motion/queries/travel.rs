//! Changing rooms: a point that crosses a portal polygon is in the room behind it.

use glam::DVec3;

use crate::geometry::Rigid;
use crate::level::{At, MAX_CROSSINGS};
use crate::motion::body::State;
use crate::motion::collision_world::CollisionWorld;
use crate::motion::report::{Event, Piece, TickReport};

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
