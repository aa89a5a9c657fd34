//! Changing rooms: a body whose centre crosses a portal polygon is in the room behind it.

use glam::DVec3;

use crate::collision::{CollisionWorld, Crossing, cross};
use crate::geometry::Rigid;
use crate::motion::body::State;
use crate::motion::report::{MotionEvent, PathSegment, TickReport};

/// Moves the body's centre by `step` and changes its room at every portal crossed; adds the pieces of the path and
/// the portals to the report. If a crossed portal bends space, returns the transform from the coordinates at the
/// start to those at the end; it is already applied to the body.
pub(super) fn travel(
    collision: &CollisionWorld,
    state: &mut State,
    step: DVec3,
    report: &mut TickReport,
) -> Option<Rigid> {
    let target = state.at.point + step;
    let note = |crossing| match crossing {
        Crossing::Portal(portal) => report.events.push(MotionEvent::Crossed { portal }),
        Crossing::Piece(from, to) => report.path.push(PathSegment { from, to }),
    };
    let (end, end_from_start) = cross(collision, state.at, target, note);
    state.at = end;
    if let Some(end_from_start) = &end_from_start {
        state.walk = end_from_start.vector(state.walk);
        state.fall = end_from_start.vector(state.fall);
    }
    end_from_start
}
