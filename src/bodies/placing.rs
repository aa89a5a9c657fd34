//! Putting bodies somewhere, and taking them away, between two ticks.

use super::disturb::wake_in;
use super::narrow::touch;
use super::tuning::CONTACT_DISTANCE;
use super::workspace::BodyWorkspace;
use crate::geometry::{Aabb, Rigid};
use crate::level::{BodyId, Level, RoomId};
use crate::world::{BodyState, World};

/// Puts a body into a state; it is present and awake from then on. What slept beside it where it was wakes.
pub fn put_body(level: &Level, world: &mut World, id: BodyId, state: BodyState) {
    remove_body(level, world, id);
    world.bodies.set(id, state);
}

/// Takes a body out of a world: nothing meets or sees it until it is put somewhere. What slept beside it wakes.
pub fn remove_body(level: &Level, world: &mut World, id: BodyId) {
    let state = *world.bodies.state(id);
    if !state.is_present {
        return;
    }
    let around = Aabb::around([state.at.point]).grown(level.body(id).radius + CONTACT_DISTANCE);
    let beside = rooms_beside(level, world, state.at.room, &around);
    world.bodies.remove(id);
    for (room, room_from_here) in beside {
        wake_in(
            level,
            &mut world.bodies,
            room,
            &around.transformed(&room_from_here),
        );
    }
}

/// Whether a body that is put into a state would touch no other one.
pub(crate) fn is_place_free(
    level: &Level,
    world: &World,
    (id, state): (BodyId, &BodyState),
    workspace: &mut BodyWorkspace,
) -> bool {
    let body = level.body(id);
    let pose = state.room_from_body();
    let manifolds = &mut workspace.manifolds;
    let mut others = world.bodies_reaching(level, state.at.room);
    others.all(|(other, here_from_other)| {
        let beside = level.body(other);
        let apart = here_from_other.translation().distance(state.at.point);
        if other == id || apart > body.radius + beside.radius {
            return true;
        }
        let shapes = [(&body.shape, &pose), (&beside.shape, &here_from_other)];
        touch(shapes[0], shapes[1], 0.0, manifolds);
        manifolds.is_empty()
    })
}

/// A room and those behind portals that a box in its coordinates touches, each with the transform to its coordinates.
fn rooms_beside(level: &Level, world: &World, room: RoomId, around: &Aabb) -> Vec<(RoomId, Rigid)> {
    let portals = world.rooms().portals_of(level, room);
    let reached = portals.filter(|(_, portal)| portal.bounds.overlaps(around));
    let beside = reached.map(|(_, portal)| (portal.far, portal.far_from_near));
    [(room, Rigid::IDENTITY)]
        .into_iter()
        .chain(beside)
        .collect()
}
