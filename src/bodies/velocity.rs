//! How fast a body moves, as seen from a room beside its own.

use glam::DVec3;

use crate::geometry::Rigid;
use crate::level::{At, BodyId, Level};
use crate::world::World;

/// The velocity of a body at a point, m/s, in coordinates of the point's room, which is the body's or one behind a
/// portal of that.
pub fn velocity_at(level: &Level, world: &World, id: BodyId, at: At) -> DVec3 {
    let state = world.bodies.state(id);
    let here_from_there = here_from_room_of(level, world, id, at);
    let there = here_from_there.inverse().point(at.point);
    here_from_there.vector(state.velocity + state.spin.cross(there - state.at.point))
}

/// Takes coordinates of the room of a body to those of a point's room.
pub(super) fn here_from_room_of(level: &Level, world: &World, id: BodyId, at: At) -> Rigid {
    let room = world.bodies.state(id).at.room;
    if room == at.room {
        return Rigid::IDENTITY;
    }
    let mut portals = world.rooms().portals_of(level, at.room);
    let portal = portals.find(|(_, portal)| portal.far == room);
    portal.map_or(Rigid::IDENTITY, |(_, portal)| {
        portal.far_from_near.inverse()
    })
}
