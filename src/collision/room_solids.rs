//! The solids of a room at their current positions: its own triangles, triangles that sprawl in, closed links, movers and rigid
//! bodies.

use crate::geometry::{Aabb, Rigid};
use crate::level::{BodyId, Level, LinkId, MoverId, RoomId, SolidSet};
use crate::world::World;

/// A group of solids of a room, except rigid bodies, with the transform from its coordinates to those of the room.
pub(crate) enum RoomSolids<'a> {
    /// The triangles of the room itself.
    Own(&'a SolidSet),
    /// Triangles of another room that sprawl into the room, by their indices in the level.
    Sprawling(&'a [u32], &'a Rigid),
    /// The polygon of a link, which is solid only while the link is closed.
    Barrier(LinkId, Rigid),
    /// A mover in its pose.
    Mover(MoverId, Rigid),
}

/// Visits the solids of a room for whose boxes, in the coordinates of the room, the caller's test is true. The
/// polygons of open links are visited too.
pub(crate) fn visit_structure<'a>(
    level: &'a Level,
    world: &'a World,
    room_id: RoomId,
    is_near: impl Fn(&Aabb) -> bool,
    mut visit: impl FnMut(RoomSolids<'a>),
) {
    let (room, rooms) = (level.room(room_id), world.rooms());
    visit(RoomSolids::Own(&room.solids));
    for sprawl in rooms.sprawls_into(level, room_id) {
        if is_near(&sprawl.bounds) {
            let triangles = sprawl.triangles.start as usize..sprawl.triangles.end as usize;
            let triangles = &level.sprawling_triangles[triangles];
            visit(RoomSolids::Sprawling(triangles, &sprawl.into_from_room));
        }
    }
    for barrier in room.barriers.iter().filter(|b| is_near(&b.bounds)) {
        let near = level.link(barrier.link).near;
        let here_from_link = rooms.from_authored(level, [near, room_id], &barrier.room_from_link);
        visit(RoomSolids::Barrier(barrier.link, here_from_link));
    }
    for image in room.movers.iter().filter(|image| is_near(&image.bounds)) {
        if world.is_present(level.mover(image.mover)) {
            let here_from_mover = world.here_from_mover(level, room_id, image);
            visit(RoomSolids::Mover(image.mover, here_from_mover));
        }
    }
}

/// Visits the rigid bodies that reach into a room and for whose box, in the coordinates of the room, `is_near` returns true.
/// `visit` gets each body with the transform from body coordinates to the room.
pub(crate) fn visit_bodies(
    level: &Level,
    world: &World,
    room: RoomId,
    is_near: impl Fn(&Aabb) -> bool,
    mut visit: impl FnMut(BodyId, Rigid),
) {
    if level.bodies.is_empty() {
        return;
    }
    for (id, here_from_body) in world.bodies_reaching(level, room) {
        let bounds = Aabb::around([here_from_body.translation()]).grown(level.body(id).radius);
        if is_near(&bounds) {
            visit(id, here_from_body);
        }
    }
}
