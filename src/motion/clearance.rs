//! The oracle of the solver: the distance from a path to the nearest solid, by brute force.

use glam::DVec3;

use super::PathSegment;
use crate::collision::{BroadPhase, CollisionWorld};
use crate::geometry::{Aabb, Rigid, Triangle, segment_triangle_distance};
use crate::level::{At, LinkId, MoverId, PortalId, RoomId};

/// A mover within this distance of an opening, in metres, counts as sticking through the opening.
const IN_OPENING: f64 = 1e-2;

/// The minimum distance, in metres, from a piece of a path to any solid within `reach` metres that can be reached
/// from the piece's room; infinite if there is none. With a `segment_length` (metres), the distance is measured from
/// the vertical parallelogram that a capsule's segment sweeps while its lower end moves along the piece.
///
/// This oracle shares only the level with the solver. In every reached room it measures the distance to every
/// triangle in closed form, from both sides. It also measures the polygons of all closed links of these rooms, and
/// all movers that reach into the rooms, in their current poses.
pub fn clearance(
    collision: &CollisionWorld,
    piece: &PathSegment,
    segment_length: f64,
    reach: f64,
) -> f64 {
    let level = collision.level;
    let PathSegment { from, to } = *piece;
    let At { room, point: from } = from;
    let mut least = f64::INFINITY;
    let up = DVec3::Y * segment_length;
    let swept = [from, to, to + up, from + up];
    let query = Aabb::around(swept).grown(reach);
    let closed: Vec<LinkId> = collision.world.closed().collect();
    let movers = (0..).map(MoverId).zip(&level.movers);
    let movers = movers.filter(|(_, mover)| collision.world.is_present(mover));
    let rooms = collision.world.rooms();
    let mut portals = (0..).map(PortalId).take(level.portals.len());
    let is_bent = portals.any(|id| !rooms.portal(level, id).far_from_near.is_identity());
    // Unless space is bent, the same box is valid for all rooms.
    let is_near = |id: MoverId| is_bent || mover_bounds(collision, id).overlaps(&query);
    let movers = movers.filter(|(id, _)| is_near(*id));
    let movers: Vec<_> = movers
        .map(|(id, _)| (id, mover_images(collision, id)))
        .collect();
    for (room, room_from_start) in rooms_within(collision, room, &swept, reach) {
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
        for link in &closed {
            let portal = rooms.portal(level, level.link(*link).portal);
            for triangle in portal.polygon.triangles() {
                if portal.near == room {
                    measure(&triangle);
                }
                if portal.far == room {
                    measure(&triangle.transformed(&portal.far_from_near));
                }
            }
        }
        for (id, images) in &movers {
            for (_, here_from_room) in images.iter().filter(|(of, _)| *of == room) {
                let here_from_mover = here_from_room.after(collision.world.pose(*id));
                for solid in level.solids.of(&level.mover(*id).solids) {
                    measure(&solid.triangle().transformed(&here_from_mover));
                }
            }
        }
    }
    if least <= reach { least } else { f64::INFINITY }
}

/// The distance from a triangle to a parallelogram, or to the segment between its first two corners if the
/// parallelogram is degenerate.
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
        // A degenerate triangle consists of its edges, whose distance is already included.
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

/// The box around a mover in its pose, in coordinates of its room.
fn mover_bounds(collision: &CollisionWorld, id: MoverId) -> Aabb {
    let CollisionWorld { level, world, .. } = collision;
    let bounds = level.solids.bounds(&level.mover(id).solids);
    bounds.transformed(world.pose(id))
}

/// The rooms that a mover reaches into, with the transforms to them from the coordinates of its own room: a
/// flood through all openings whose box touches the mover's box.
fn mover_images(collision: &CollisionWorld, id: MoverId) -> Vec<(RoomId, Rigid)> {
    let level = collision.level;
    let mut images = vec![(level.mover(id).room, Rigid::IDENTITY)];
    let bounds = mover_bounds(collision, id).grown(IN_OPENING);
    let mut next = 0;
    while let Some(&(room, here_from_room)) = images.get(next) {
        next += 1;
        for id in (0..level.portals.len() as u32).map(PortalId) {
            let portal = collision.world.rooms().portal(level, id);
            let far_from_near = portal.far_from_near;
            let ends = [
                (portal.near, portal.far, far_from_near, Rigid::IDENTITY),
                (
                    portal.far,
                    portal.near,
                    far_from_near.inverse(),
                    far_from_near,
                ),
            ];
            for (here, there, there_from_here, here_from_polygon) in ends {
                let polygon = portal.polygon.bounds().transformed(&here_from_polygon);
                let image = (there, there_from_here.after(&here_from_room));
                if here == room
                    && polygon.overlaps(&bounds.transformed(&here_from_room))
                    && !is_known(&images, &image)
                {
                    images.push(image);
                }
            }
        }
    }
    images
}

/// The rooms whose openings are within `reach` of the swept shape, with the transforms to them.
fn rooms_within(
    collision: &CollisionWorld,
    room: RoomId,
    swept: &[DVec3; 4],
    reach: f64,
) -> Vec<(RoomId, Rigid)> {
    if collision.broad_phase == BroadPhase::Exhaustive {
        let CollisionWorld { level, world, .. } = collision;
        let place = |id: RoomId| {
            let there = world
                .rooms()
                .from_authored(level, [room, id], &Rigid::IDENTITY);
            (id, there)
        };
        return level.room_ids().map(place).collect();
    }
    let mut rooms = vec![(room, Rigid::IDENTITY)];
    let mut next = 0;
    while let Some(&(room, room_from_start)) = rooms.get(next) {
        next += 1;
        let query = swept.map(|p| room_from_start.point(p));
        let query = Aabb::around(query).grown(reach);
        let mut add = |room: RoomId, room_from_this: &Rigid, reach: &Aabb| {
            let entry = (room, room_from_this.after(&room_from_start));
            if reach.overlaps(&query) && !is_known(&rooms, &entry) {
                rooms.push(entry);
            }
        };
        // Closed portals too: the jambs behind a closed door may sprawl to this side.
        let CollisionWorld { level, world, .. } = collision;
        for (_, portal) in world.rooms().portals_of(level, room) {
            add(portal.far, &portal.far_from_near, &portal.bounds);
        }
        for sprawl in world.rooms().sprawls_into(level, room) {
            add(
                sprawl.room,
                &sprawl.into_from_room.inverse(),
                &sprawl.bounds,
            );
        }
    }
    rooms
}

/// Whether a room is already listed with this transform; the comparison has a tolerance, because transforms
/// through moving rooms and back are rounded.
fn is_known(images: &[(RoomId, Rigid)], (room, transform): &(RoomId, Rigid)) -> bool {
    let mut images = images.iter();
    images.any(|(known, at)| known == room && at.is_about(transform))
}
