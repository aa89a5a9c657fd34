//! The places of the reflection cubes of a room, and the box to which their pictures are projected.

use glam::DVec3;

use crate::geometry::{Aabb, Triangle};
use crate::level::winding::drawn_triangles;
use crate::level::{At, Level, Material, RoomId, holds};

/// A room has one cube for each such length, metres.
const LENGTH: f64 = 8.0;
/// The maximum number of cubes of a room.
const MAX_CUBES: usize = 4;
/// The height of cubes above the floor, metres; in low rooms, half of their height.
const HEIGHT: f64 = 1.7;
/// The distance of a cube from all surfaces that is enough, metres.
const CLEARANCE: f64 = 0.4;
/// The minimum cosine between a wall and the side of the box that represents it.
const FACING: f64 = 0.95;
/// Walls closer together than this count as one, metres.
const WALL_DEPTH: f64 = 0.1;
/// The places that are tried around the ideal one, fractions of the cube's part of the room.
const TRIED: [f64; 5] = [0.0, -0.17, 0.17, -0.34, 0.34];

/// The maximum number of cubes of a level; 0 if no surface mirrors its surroundings.
pub fn max_cubes(level: &Level) -> u32 {
    if !level.materials.iter().any(Material::mirrors_surroundings) {
        return 0;
    }
    let counts = level.rooms.iter().map(|room| {
        let size = room.bounds.max - room.bounds.min;
        count(size.x.max(size.z)) as u32
    });
    counts.sum()
}

/// The number of cubes of a room of this length.
fn count(length: f64) -> usize {
    ((length / LENGTH).ceil() as usize).clamp(1, MAX_CUBES)
}

/// The cubes of a room.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RoomCubes {
    /// The box of the room's walls, floor and ceiling.
    pub walls: Aabb,
    /// The unit vector along which the cubes are placed.
    pub axis: DVec3,
    /// The places, in order along `axis`.
    pub places: Vec<DVec3>,
}

impl RoomCubes {
    /// Finds the places in the authored room, apart from its movers and bodies.
    pub(super) fn new(level: &Level, room: RoomId) -> Self {
        let triangles: Vec<Triangle> = drawn_triangles(level, room, |_| true).collect();
        let walls = walls(&triangles, &level.room(room).bounds);
        let size = walls.max - walls.min;
        let axis = if size.x >= size.z { DVec3::X } else { DVec3::Z };
        let length = size.dot(axis);
        let count = count(length);
        let part = length / count as f64;
        let place = |nth: usize| {
            let min = walls.min + axis * (part * nth as f64);
            let part = Aabb {
                min,
                max: walls.max - axis * (part * (count - 1 - nth) as f64),
            };
            free_place(level, room, &part, &triangles)
        };
        Self {
            walls,
            axis,
            places: (0..count).map(place).collect(),
        }
    }
}

/// The box of the walls: on each side, the plane in which most of the area that faces the opposite side lies. `bounds`
/// are used for sides without such surfaces.
fn walls(triangles: &[Triangle], bounds: &Aabb) -> Aabb {
    let mut walls = *bounds;
    for axis in 0..3 {
        let wall = |sign: f64| {
            let facing = triangles.iter().filter_map(|triangle| {
                let [a, b, c] = triangle.corners;
                let area = (b - a).cross(c - a);
                let part = area[axis] * sign;
                (part > FACING * area.length()).then(|| ((a[axis] + b[axis] + c[axis]) / 3.0, part))
            });
            plane_with_most_area(facing.collect())
        };
        // The wall at the lower end faces the upper end.
        let (low, high) = (wall(1.0), wall(-1.0));
        let (low, high) = (
            low.unwrap_or(bounds.min[axis]),
            high.unwrap_or(bounds.max[axis]),
        );
        if low + WALL_DEPTH < high {
            (walls.min[axis], walls.max[axis]) = (low, high);
        }
    }
    walls
}

/// The mean coordinate of the group with the largest area. Each surface has a coordinate and an area; a group lies
/// within [`WALL_DEPTH`].
fn plane_with_most_area(mut surfaces: Vec<(f64, f64)>) -> Option<f64> {
    surfaces.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (mut best, mut first) = ((0.0, None), 0);
    let (mut area, mut moment) = (0.0, 0.0);
    for &(at, part) in &surfaces {
        (area, moment) = (area + part, moment + part * at);
        while surfaces[first].0 < at - WALL_DEPTH {
            let (left, part) = surfaces[first];
            (area, moment) = (area - part, moment - part * left);
            first += 1;
        }
        if area > best.0 {
            best = (area, Some(moment / area));
        }
    }
    best.1
}

/// The place in a part of the room, near its middle, that is inside of the room and at [`CLEARANCE`] from all surfaces;
/// if there is none, the place with the largest clearance.
fn free_place(level: &Level, room: RoomId, part: &Aabb, triangles: &[Triangle]) -> DVec3 {
    let size = part.max - part.min;
    let mut middle = part.centre();
    middle.y = part.min.y + HEIGHT.min(0.5 * size.y);
    let mut offsets: Vec<DVec3> = Vec::with_capacity(TRIED.len().pow(3));
    for y in TRIED {
        for z in TRIED {
            offsets.extend(TRIED.map(|x| DVec3::new(x, y, z)));
        }
    }
    offsets.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    let mut best = (f64::NEG_INFINITY, middle);
    for offset in offsets {
        let at = middle + offset * size;
        if !part.contains(at) || !holds(level, At::new(room, at)) {
            continue;
        }
        let clearance = triangles.iter().map(|triangle| triangle.distance(at));
        let clearance = clearance.fold(f64::INFINITY, f64::min);
        if clearance >= CLEARANCE {
            return at;
        }
        if clearance > best.0 {
            best = (clearance, at);
        }
    }
    best.1
}
