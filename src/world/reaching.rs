//! The bodies that reach into a room.

use std::iter;

use super::World;
use crate::geometry::{Aabb, Rigid};
use crate::level::{BodyId, Level, RoomId};

impl World {
    /// The bodies that reach into a room, with the transforms from their coordinates to the room's: bodies whose centres are in
    /// the room, and bodies whose centres are behind one of its portals and whose boxes touch the portal's box. A body that
    /// reaches in through several portals is returned once per portal.
    pub(crate) fn bodies_reaching<'a>(
        &'a self,
        level: &'a Level,
        room: RoomId,
    ) -> impl Iterator<Item = (BodyId, Rigid)> + 'a {
        let own = iter::once((room, Rigid::IDENTITY, None));
        let portals = self.rooms.portals_of(level, room);
        let behind = portals.map(|(_, portal)| {
            let here_from_there = portal.far_from_near.inverse();
            (portal.far, here_from_there, Some(portal.bounds))
        });
        own.chain(behind)
            .flat_map(move |(room, here_from_there, opening)| {
                let bodies = self.bodies.in_room(room);
                bodies.filter_map(move |(body, state)| {
                    let here_from_body = || here_from_there.after(&state.room_from_body());
                    let reaches = |opening: Aabb| {
                        let radius = level.body(body).radius;
                        let centre = here_from_there.point(state.at.point);
                        opening.overlaps(&Aabb::around([centre]).grown(radius))
                    };
                    opening
                        .is_none_or(reaches)
                        .then(|| (body, here_from_body()))
                })
            })
    }
}
