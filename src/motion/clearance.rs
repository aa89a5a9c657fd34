//! The judge of the solver: how near does a path come to anything solid, by brute force.

use glam::DVec3;

use super::{Scope, World};
use crate::geometry::{Aabb, Rigid, Triangle, segment_triangle_distance};
use crate::level::RoomId;

/// Least distance, metres, from the segment (in coordinates of `room`) to anything solid that
/// can be reached from `room` within `reach` metres; infinite when nothing is nearer than that.
///
/// Shares nothing with the solver but the level: every triangle of every room reached is
/// measured against the segment in closed form, from both sides.
pub fn clearance(world: &World, room: RoomId, from: DVec3, to: DVec3, reach: f64) -> f64 {
    let level = world.level;
    let mut least = f64::INFINITY;
    for (room, room_from_start) in rooms_within(world, room, from, to, reach) {
        let (from, to) = (room_from_start.point(from), room_from_start.point(to));
        let query = Aabb::around([from, to]).grown(reach);
        let mut measure = |triangle: &Triangle| {
            if Aabb::around(triangle.corners).overlaps(&query) {
                least = least.min(segment_triangle_distance(triangle, from, to));
            }
        };
        for solid in level.solids.of(&level.room(room).solids) {
            measure(&solid.triangle());
        }
        for link in world.open.closed() {
            let link = level.link(link);
            let portal = level.portal(link.portal);
            let room_from_leaf = match room {
                _ if room == link.from => Rigid::IDENTITY,
                _ if room == link.to => portal.to_from_from,
                _ => continue,
            };
            let leaf = link.leaf.iter();
            let leaf = leaf.flat_map(|leaf| level.solids.of(&leaf.solids));
            let leaf = leaf.map(|solid| solid.triangle());
            for triangle in portal.polygon.triangles().chain(leaf) {
                measure(&Triangle {
                    corners: triangle.corners.map(|p| room_from_leaf.point(p)),
                });
            }
        }
    }
    if least <= reach { least } else { f64::INFINITY }
}

/// The rooms whose openings lead within `reach` of the segment, with the transforms to them.
fn rooms_within(
    world: &World,
    room: RoomId,
    from: DVec3,
    to: DVec3,
    reach: f64,
) -> Vec<(RoomId, Rigid)> {
    if world.scope == Scope::WholeSoup {
        return world
            .level
            .room_ids()
            .map(|id| (id, Rigid::IDENTITY))
            .collect();
    }
    let mut rooms = vec![(room, Rigid::IDENTITY)];
    let mut next = 0;
    while let Some(&(room, room_from_start)) = rooms.get(next) {
        next += 1;
        let ends = [from, to].map(|p| room_from_start.point(p));
        let query = Aabb::around(ends).grown(reach);
        for (_, portal) in world.level.portals_of(room) {
            let entry = (portal.to, portal.to_from_from.after(&room_from_start));
            if world.open.is_open(portal.link)
                && portal.reach.overlaps(&query)
                && !rooms.contains(&entry)
            {
                rooms.push(entry);
            }
        }
    }
    rooms
}
