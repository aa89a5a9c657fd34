//! The velocities of a body that steps onto or off a mover, a rigid body or a moving room.

use glam::DVec3;

use super::actor::Actor;
use super::body::State;
use super::report::{MotionEvent, PathSegment};
use super::tuning::TICK_SECS;
use crate::bodies::velocity_at;
use crate::collision::CollisionWorld;
use crate::collision::Solid;
use crate::geometry::Rigid;
use crate::level::{At, BodyId, Level, Mover, MoverId, RoomId};

/// The velocity of a conveyor that a body rides, m/s, in coordinates of the body's room.
pub(super) fn belt(collision: &CollisionWorld, id: MoverId, state: &State) -> DVec3 {
    let belt = collision.level.mover(id).drive.surface_velocity;
    here_from_room(collision, id, state).vector(belt)
}

/// Changes the mover that carries a body (to `carrier`, or to none) from the next tick on, or handles a change of
/// room. A body that leaves a mover, by a jump or over an edge, keeps the mover's velocity, because the mover still
/// carried it in this tick. A body that lands on a mover slides on with its own velocity minus the mover's. Moving
/// rooms are handled in the same way, because the velocities of a body inside are relative to the room.
#[cold]
pub(super) fn change_mover(
    collision: &CollisionWorld,
    state: &mut State,
    was_in: RoomId,
    carrier: Option<MoverId>,
) {
    let moved_by = |room: RoomId| collision.level.room(room).moved_by;
    let (rode, rooms) = (state.rides, [was_in, state.at.room].map(moved_by));
    let velocity = |id: MoverId| surface_velocity(collision, id, state);
    let mut change = DVec3::ZERO;
    match (rode.or(rooms[0]), carrier.or(rooms[1])) {
        (before, after) if before == after => {}
        (before, after) if rooms[0] != rooms[1] => {
            change += before.map(velocity).unwrap_or_default();
            change -= after.map(velocity).unwrap_or_default();
        }
        (Some(left), _) if carrier.is_none() => change += velocity(left),
        (_, Some(landed)) if rode.is_none() => change -= velocity(landed).with_y(0.0),
        _ => {}
    }
    state.fall += change;
    state.rides = carrier;
}

/// Changes the rigid body that a body stands on (to `carrier`, or to none) from the next tick on. As with
/// movers, the body keeps the velocity of the rigid body that it leaves, and slides on with its own velocity
/// less that of the rigid body that it lands on.
#[cold]
pub(super) fn change_body(
    collision: &CollisionWorld,
    (state, radius): (&mut State, f64),
    carrier: Option<BodyId>,
) {
    let foot = state.at.with_point(state.at.point - DVec3::Y * radius);
    let CollisionWorld { level, world, .. } = *collision;
    let velocity = |id: BodyId| velocity_at(level, world, id, foot);
    match (state.stands_on, carrier) {
        (Some(left), None) => state.fall += velocity(left),
        (None, Some(landed)) => state.fall -= velocity(landed).with_y(0.0),
        _ => {}
    }
    state.stands_on = carrier;
}

/// Velocity of the surface of a mover below a body, m/s, in coordinates of the body's room.
pub(super) fn surface_velocity(collision: &CollisionWorld, id: MoverId, state: &State) -> DVec3 {
    let here_from_room = here_from_room(collision, id, state);
    let on_mover = here_from_room.inverse().point(state.at.point);
    let before = collision
        .world
        .now_from_before(id)
        .inverse()
        .point(on_mover);
    let belt = collision.level.mover(id).drive.surface_velocity;
    here_from_room.vector((on_mover - before) / TICK_SECS + belt)
}

/// The transform from the coordinates of a mover's room to the coordinates of a body's room, for a body on the mover.
pub(super) fn here_from_room(collision: &CollisionWorld, id: MoverId, state: &State) -> Rigid {
    let CollisionWorld { level, world, .. } = collision;
    let here = state.at.room;
    let image = level.room(here).images_of(id).next();
    image.map_or(Rigid::IDENTITY, |image| {
        world.here_from_room_of(level, here, image)
    })
}

/// A transform in coordinates of a mover's room, converted to the coordinates of a body's room.
pub(super) fn in_room_of_body(
    collision: &CollisionWorld,
    id: MoverId,
    state: &State,
    moved: &Rigid,
) -> Rigid {
    let here_from_room = here_from_room(collision, id, state);
    here_from_room.after(moved).after(&here_from_room.inverse())
}

/// Whether a solid moves with a mover: it is part of the mover, of a room that the mover moves, or of another
/// mover in one of these rooms.
pub(super) fn goes_along(level: &Level, id: MoverId, solid: Solid) -> bool {
    let is_moved = |room: RoomId| level.room(room).moved_by == Some(id);
    match solid {
        Solid::Link(link) => is_moved(level.link(link).near),
        Solid::Body(_) => false,
        Solid::Triangle(index) => {
            let mover = level.mover(id);
            let mut rooms = mover.moved_rooms.iter();
            let is_inside = |mover: &Mover| is_moved(mover.room) && mover.solids.contains(index);
            mover.solids.contains(index)
                || rooms.any(|room| level.room(*room).solids.contains(index))
                || !mover.moved_rooms.is_empty() && level.movers.iter().any(is_inside)
        }
    }
}

/// Whether a body is in a room that a mover moves.
pub(super) fn is_inside(level: &Level, id: MoverId, actor: &Actor) -> bool {
    level.room(actor.state.at.room).moved_by == Some(id)
}

/// Changes the room of a body if an opening of a moving room has passed over it. Relative to the mover, which has
/// made a step, the body has moved from `from`, in coordinates of the body's room. `tick` is the mover's motion in
/// the whole tick, in coordinates of the mover's room.
pub(super) fn enter(
    collision: &CollisionWorld,
    id: MoverId,
    from: DVec3,
    actor: &mut Actor,
    tick: &Rigid,
) {
    let CollisionWorld { level, world, .. } = collision;
    let (state, report) = (&mut actor.state, &mut actor.report);
    let (at, rooms) = (state.at, world.rooms());
    let way = (at.with_point(from), at.point);
    let Some((portal, _)) = rooms.first_crossing(level, way, 0.0, |link| world.is_open(link))
    else {
        return;
    };
    let side = rooms.portal(level, portal);
    if level.room(side.far).moved_by != Some(id) {
        return;
    }
    // The velocities of a body that rides the mover are relative to the mover already.
    if state.rides != Some(id) {
        let moved = in_room_of_body(collision, id, state, tick);
        state.fall -= (moved.point(at.point) - at.point) / TICK_SECS;
    }
    let bend = side.far_from_near;
    state.at = At::new(side.far, bend.point(at.point));
    state.walk = bend.vector(state.walk);
    state.fall = bend.vector(state.fall);
    report.events.push(MotionEvent::Crossed { portal });
    let still = |at: At| PathSegment {
        from: at,
        to: at.point,
    };
    report.path.extend([still(at), still(state.at)]);
    report.target_from_start = bend.after(&report.target_from_start);
}
