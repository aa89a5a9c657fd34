//! Openings of rooms that move. If such an opening passes over a body outside the room, the body is in the room from
//! then on.

use glam::DQuat;

use super::velocity::{change_of_room, here_from_before};
use crate::collision::CollisionWorld;
use crate::level::{At, BodyId, MoverId, Portal, RoomId, holds};
use crate::world::Bodies;

/// Moves each body whose centre an opening has passed over in this tick into the room behind that opening. Only bodies
/// that have moved in this tick are tested: bodies that sleep beside a moving opening have been woken before.
pub(super) fn enter_moved_rooms(collision: &CollisionWorld, bodies: &mut Bodies) {
    let CollisionWorld { level, world, .. } = *collision;
    for mover in (0..).map_while(|index| world.awake(index)) {
        if world.now_from_before(mover).is_identity() {
            continue;
        }
        for &moved in &level.mover(mover).moved_rooms {
            for (_, opening) in level.portals_of(moved) {
                if level.room(opening.far).moved_by != Some(mover) {
                    enter_from(collision, bodies, (mover, moved), opening.far);
                }
            }
        }
    }
}

/// Moves bodies from a room outside into a moved room whose openings have passed over them.
fn enter_from(
    collision: &CollisionWorld,
    bodies: &mut Bodies,
    (mover, moved): (MoverId, RoomId),
    outside: RoomId,
) {
    let mut index = 0;
    while index < bodies.count_in_room(outside) {
        let id = bodies.nth_in_room(outside, index);
        match opening_over(collision, bodies, id, (mover, moved)) {
            // The next body moves up to this index of the list.
            Some(opening) => enter(collision, bodies, id, opening),
            None => index += 1,
        }
    }
}

/// The opening of a moved room that has passed over the centre of a body outside in this tick.
fn opening_over<'a>(
    collision: &CollisionWorld<'a>,
    bodies: &Bodies,
    id: BodyId,
    (mover, moved): (MoverId, RoomId),
) -> Option<&'a Portal> {
    let CollisionWorld { level, world, .. } = *collision;
    let state = bodies.state(id);
    let before = bodies.before[id.0 as usize].at;
    if state.is_asleep() || before.room != state.at.room {
        return None;
    }
    // The path of the body relative to the opening.
    let from = here_from_before(collision, mover, before.room).point(before.point);
    let way = (before.with_point(from), state.at.point);
    let rooms = world.rooms();
    let (portal, _) = rooms.first_crossing(level, way, 0.0, |link| world.is_open(link))?;
    let portal = rooms.portal(level, portal);
    if portal.far != moved {
        return None;
    }
    // A path that enters through the opening and leaves through a wall ends outside.
    let inside = At::new(moved, portal.far_from_near.point(state.at.point));
    holds(level, inside).then_some(portal)
}

/// Moves a body into the room behind an opening. It keeps the velocity that it has outside.
fn enter(collision: &CollisionWorld, bodies: &mut Bodies, id: BodyId, opening: &Portal) {
    let state = bodies.state(id);
    let (was_in, bend) = (state.at.room, &opening.far_from_near);
    let at = At::new(opening.far, bend.point(state.at.point));
    let rotation = DQuat::from_mat3(&bend.rotation()) * state.rotation;
    bodies.put(id, at, rotation);
    let [velocity, spin] = change_of_room(collision, was_in, at);
    let state = &mut bodies.states[id.0 as usize];
    state.velocity = bend.vector(state.velocity) + velocity;
    state.spin = bend.vector(state.spin) + spin;
    state.ride = None;
}
