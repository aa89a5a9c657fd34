//! The room of a point by a vote of rays: the oracle for points in rooms that are not closed.

use glam::DVec3;
use opendoor::level::{Level, RoomId};

/// Number of rays of one vote.
const RAYS: usize = 200;

/// A triangle of a room, or of a portal between two rooms.
struct Surface {
    corners: [DVec3; 3],
    /// The rooms in front of the triangle and behind it.
    sides: [Option<RoomId>; 2],
}

/// All surfaces of a level.
pub(crate) struct Soup(Vec<Surface>);

/// The first hits of the rays from a point.
#[derive(Debug)]
pub(crate) struct Votes {
    /// For each room, the number of rays that hit the front of one of its surfaces.
    pub(crate) rooms: Vec<usize>,
    /// Number of rays that hit the back of a surface.
    pub(crate) backs: usize,
    /// Distance of the nearest hit, metres.
    pub(crate) nearest: f64,
}

impl Soup {
    pub(crate) fn of(level: &Level) -> Self {
        let mut surfaces = Vec::new();
        for id in level.room_ids() {
            for solid in level.solids.of(&level.room(id).solids) {
                let corners = solid.triangle().corners;
                let sides = [Some(id), None];
                surfaces.push(Surface { corners, sides });
            }
        }
        for portal in &level.portals {
            let [first, rest @ ..] = &portal.polygon.vertices[..] else {
                continue;
            };
            for pair in rest.windows(2) {
                let corners = [*first, pair[0], pair[1]];
                // The front of a portal faces the room that the portal leads into.
                let sides = [Some(portal.far), Some(portal.near)];
                surfaces.push(Surface { corners, sides });
            }
        }
        Self(surfaces)
    }

    /// The distance of the first wall in a direction, and the room whose front the wall shows.
    pub(crate) fn seen(&self, from: DVec3, direction: DVec3) -> Option<(f64, RoomId)> {
        let (distance, is_front, room) = self.first_wall(from, direction)?;
        is_front.then_some((distance, room?))
    }

    /// Whether a point is inside of a solid, determined by rays straight up and down.
    pub(crate) fn is_behind(&self, point: DVec3) -> bool {
        let meets_back = |direction| {
            let first = self.first_wall(point, direction);
            first.is_some_and(|(_, is_front, _)| !is_front)
        };
        meets_back(DVec3::Y) || meets_back(DVec3::NEG_Y)
    }

    fn first_wall(&self, from: DVec3, direction: DVec3) -> Option<(f64, bool, Option<RoomId>)> {
        let walls = self.0.iter().filter(|surface| surface.sides[1].is_none());
        let hits = walls.filter_map(|wall| {
            let (distance, is_front) = hit(&wall.corners, from, direction)?;
            Some((distance, is_front, wall.sides[0]))
        });
        hits.reduce(|a, b| if b.0 < a.0 { b } else { a })
    }

    /// The first hits in directions that are distributed evenly over the sphere (a Fibonacci lattice).
    pub(crate) fn vote(&self, level: &Level, point: DVec3) -> Votes {
        let mut votes = Votes {
            rooms: vec![0; level.rooms.len()],
            backs: 0,
            nearest: f64::INFINITY,
        };
        for ray in 0..RAYS {
            let y = 1.0 - (2 * ray + 1) as f64 / RAYS as f64;
            let angle = ray as f64 * std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            let across = (1.0 - y * y).sqrt();
            let direction = DVec3::new(cos * across, y, sin * across);
            let hits = self.0.iter().filter_map(|surface| {
                let (distance, is_front) = hit(&surface.corners, point, direction)?;
                Some((distance, surface.sides[usize::from(!is_front)]))
            });
            let Some((distance, room)) = hits.reduce(|a, b| if b.0 < a.0 { b } else { a }) else {
                continue;
            };
            votes.nearest = votes.nearest.min(distance);
            match room {
                Some(room) => votes.rooms[room.0 as usize] += 1,
                None => votes.backs += 1,
            }
        }
        votes
    }
}

impl Votes {
    /// The room of a clear majority: at least a quarter of all rays hit something, and nine tenths of these hit this
    /// room.
    pub(crate) fn majority(&self) -> Option<RoomId> {
        let all = self.rooms.iter().sum::<usize>() + self.backs;
        let (room, most) = self
            .rooms
            .iter()
            .enumerate()
            .max_by_key(|(_, votes)| **votes)?;
        (4 * all >= RAYS && 10 * most >= 9 * all).then_some(RoomId(room as u32))
    }
}

/// The distance at which a ray hits a triangle, and whether it hits the front.
fn hit(corners: &[DVec3; 3], from: DVec3, direction: DVec3) -> Option<(f64, bool)> {
    let [a, b, c] = corners.map(|corner| corner - from);
    let volumes = [b.cross(c), c.cross(a), a.cross(b)].map(|normal| normal.dot(direction));
    let is_back = volumes.iter().all(|&volume| volume >= 0.0);
    let is_front = volumes.iter().all(|&volume| volume <= 0.0);
    let sum: f64 = volumes.iter().sum();
    if !is_back && !is_front || sum == 0.0 {
        return None;
    }
    let at = (a * volumes[0] + b * volumes[1] + c * volumes[2]) / sum;
    let distance = at.dot(direction);
    (distance > 0.0).then_some((distance, is_front))
}
