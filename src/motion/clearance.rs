//! The judge of the solver: how near does a path come to anything solid, by brute force.

use glam::DVec3;

use super::{Scope, World};
use crate::geometry::{Aabb, Rigid, Triangle, segment_triangle_distance};
use crate::level::RoomId;

/// Least distance, metres, from the segment (in coordinates of `room`) to anything solid that
/// can be reached from `room` within `reach` metres; infinite when nothing is nearer than that.
/// With an `axis` (metres), from the upright parallelogram that a capsule's axis passes over when
/// its lower end moves along the segment.
///
/// Shares nothing with the solver but the level: every triangle of every room reached is
/// measured against the segment in closed form, from both sides.
pub fn clearance(
    world: &World,
    room: RoomId,
    [from, to]: [DVec3; 2],
    axis: f64,
    reach: f64,
) -> f64 {
    let level = world.level;
    let mut least = f64::INFINITY;
    let up = DVec3::Y * axis;
    let swept = [from, to, to + up, from + up];
    for (room, room_from_start) in rooms_within(world, room, &swept, reach) {
        let swept = swept.map(|p| room_from_start.point(p));
        let query = Aabb::around(swept).grown(reach);
        let mut measure = |triangle: &Triangle| {
            if Aabb::around(triangle.corners).overlaps(&query) {
                least = least.min(swept_distance(triangle, &swept));
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

/// Distance from a triangle to a parallelogram, or to the segment that its first two corners are
/// the ends of if it is no more than that.
fn swept_distance(triangle: &Triangle, swept: &[DVec3; 4]) -> f64 {
    let [a, b, c, d] = *swept;
    let mut least = segment_triangle_distance(triangle, a, b);
    if a == d {
        return least;
    }
    for (p, q) in [(b, c), (c, d), (d, a)] {
        least = least.min(segment_triangle_distance(triangle, p, q));
    }
    for half in [[a, b, c], [a, c, d]] {
        let half = Triangle { corners: half };
        // What has no area is its edges, and these are measured.
        if half.normal().is_none() {
            continue;
        }
        let [p, q, r] = triangle.corners;
        for (p, q) in [(p, q), (q, r), (r, p)] {
            least = least.min(segment_triangle_distance(&half, p, q));
        }
    }
    least
}

/// The rooms whose openings lead within `reach` of what is swept, with the transforms to them.
fn rooms_within(
    world: &World,
    room: RoomId,
    swept: &[DVec3; 4],
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
        let query = swept.map(|p| room_from_start.point(p));
        let query = Aabb::around(query).grown(reach);
        let mut add = |room: RoomId, room_from_this: &Rigid, reach: &Aabb| {
            let entry = (room, room_from_this.after(&room_from_start));
            if reach.overlaps(&query) && !rooms.contains(&entry) {
                rooms.push(entry);
            }
        };
        // Closed ones too: the jambs behind a shut door may stand out on this side.
        for (_, portal) in world.level.portals_of(room) {
            add(portal.to, &portal.to_from_from, &portal.bounds);
        }
        for sprawl in world.level.sprawls_into(room) {
            add(
                sprawl.room,
                &sprawl.into_from_room.inverse(),
                &sprawl.bounds,
            );
        }
    }
    rooms
}
