//! Causes other than contacts that wake sleeping bodies: movers that move, links that open or close, and bodies that
//! are teleported or removed.

use super::joints::{wake_across, wake_partners};
use super::tuning::CONTACT_DISTANCE;
use crate::geometry::{Aabb, Rigid};
use crate::level::{At, BodyId, Level, LinkId, RoomId};
use crate::world::{Bodies, LeftPlace, World};

/// Wakes the bodies that sleep beside a mover that moved in this tick, and beside changes since the last tick: a link
/// that opened or closed, or a body that was teleported or removed.
pub(super) fn wake_beside_changes(level: &Level, world: &mut World, bodies: &mut Bodies) {
    if bodies.awake_count() < bodies.len() {
        wake_beside_movers(level, world, bodies);
        for link in world.toggled().iter().copied() {
            wake_beside_link(level, world, link, bodies);
        }
    }
    world.forget_toggled();
    let mut left = std::mem::take(&mut bodies.left);
    for LeftPlace { body, at } in left.drain(..) {
        wake_beside_place(level, world, bodies, (body, at));
        wake_partners(level, bodies, body);
    }
    bodies.left = left;
}

/// Wakes the bodies that sleep beside a body's earlier position.
fn wake_beside_place(level: &Level, world: &World, bodies: &mut Bodies, (id, at): (BodyId, At)) {
    let around = Aabb::around([at.point]).grown(level.body(id).radius + CONTACT_DISTANCE);
    wake_in(level, bodies, at.room, &around);
    for (_, portal) in world.rooms().portals_of(level, at.room) {
        if portal.bounds.overlaps(&around) {
            let there = around.transformed(&portal.far_from_near);
            wake_in(level, bodies, portal.far, &there);
        }
    }
}

fn wake_beside_movers(level: &Level, world: &World, bodies: &mut Bodies) {
    for id in (0..).map_while(|index| world.awake(index)) {
        let moved = world.now_from_before(id);
        if moved.is_identity() {
            continue;
        }
        let mover = level.mover(id);
        for &room in &mover.moved_rooms {
            wake_across(level, bodies, room);
        }
        let openings = mover
            .moved_rooms
            .iter()
            .flat_map(|room| level.portals_of(*room));
        let solids = level.solids.bounds(&mover.solids);
        let bounds = openings.fold(solids, |all, (_, opening)| all.union(opening.bounds));
        let now = bounds.transformed(world.pose(id));
        let swept = now.union(now.transformed(&moved.inverse()));
        for &room in &mover.rooms {
            for image in level.room(room).images_of(id) {
                let here_from_room = world.here_from_room_of(level, room, image);
                wake_in(level, bodies, room, &swept.transformed(&here_from_room));
            }
        }
    }
}

fn wake_beside_link(level: &Level, world: &World, link: LinkId, bodies: &mut Bodies) {
    let link = level.link(link);
    let portal = level.portal(link.portal);
    let mut bounds = portal.bounds;
    if let Some(panel) = link.panel {
        let solids = level.solids.bounds(&level.mover(panel).solids);
        bounds = bounds.union(solids.transformed(world.pose(panel)));
    }
    let rooms = world.rooms();
    for room in [link.near, link.far] {
        let bend = if room == link.near {
            Rigid::IDENTITY
        } else {
            portal.far_from_near
        };
        let here = rooms.from_authored(level, [link.near, room], &bend);
        wake_in(level, bodies, room, &bounds.transformed(&here));
    }
}

/// Wakes the bodies of a room that are near a box, in coordinates of the room.
fn wake_in(level: &Level, bodies: &mut Bodies, room: RoomId, bounds: &Aabb) {
    let is_beside = |id: BodyId, bodies: &Bodies| {
        let state = bodies.state(id);
        let radius = level.body(id).radius;
        let around = Aabb::around([state.at.point]).grown(radius + CONTACT_DISTANCE);
        state.is_asleep() && around.overlaps(bounds)
    };
    for index in 0..bodies.count_in_room(room) {
        let id = bodies.nth_in_room(room, index);
        if is_beside(id, bodies) {
            bodies.wake(id);
        }
    }
}
