//! Decides whether a point is inside a room (in its air) or behind its walls, by paths that start inside.
//!
//! A path leaves the air where it crosses a wall from front to back, and returns where it crosses one from back to
//! front. Counting along a path is correct even if the room's surface has a hole that only geometry of another room
//! closes, such as a reveal. If the path seems to have left the air, the room's winding number has to confirm it,
//! because a path that crosses an open surface inside the room stays in the air. In doubt a point counts as in the air.

use glam::DVec3;

use crate::build::windings::RoomWindings;
use crate::geometry::{Aabb, Aabb32, Triangle, comes_before};
use crate::level::{LevelData, PortalId, RoomId};

/// Maximum number of evaluated terms of winding numbers in total; they take some seconds. After that, points that may
/// have left the air count as in the air.
pub(super) const MAX_WORK: u64 = 1 << 26;

/// The air of a room. One of the room's portals does not bound it.
#[derive(Clone, Copy)]
pub(super) struct Air<'a> {
    pub level: &'a LevelData,
    pub windings: &'a RoomWindings<'a>,
    pub room: RoomId,
    pub through: PortalId,
}

/// The end of a path: the number of walls between the air and the end, and whether any part of the path was in the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Depth {
    pub walls: i32,
    pub met_air: bool,
}

impl Air<'_> {
    /// Follows a segment whose start is behind `walls` walls (0: in the air).
    pub(super) fn follow(&self, walls: i32, from: DVec3, to: DVec3) -> Depth {
        let crossings = self.crossings(from, to);
        let mut depth = Depth {
            walls,
            met_air: walls <= 0,
        };
        for (_, step) in crossings {
            depth.walls = (depth.walls + step).max(0);
            depth.met_air |= depth.walls == 0;
        }
        if depth.walls > 0 && self.winds_around(to) {
            depth = Depth {
                walls: 0,
                met_air: true,
            };
        }
        depth
    }

    /// The wall crossings of a segment, in order, each with the fraction of the segment at which it lies, and 1 (into
    /// the wall) or -1 (out of it). The other portals of the room count as walls, because its air ends there.
    fn crossings(&self, from: DVec3, to: DVec3) -> Vec<(f64, i32)> {
        let mut crossings = Vec::new();
        let level = self.level;
        let room = level.room(self.room);
        let around = Aabb::around([from, to]);
        let mut pass = |triangle: &Triangle, sign: i32| {
            if let Some((part, step)) = crossing(triangle, from, to) {
                crossings.push((part, sign * step));
            }
        };
        let query = Aabb32::around(&around);
        level.solids.touching(&room.solids, &query, |solid| {
            pass(&solid.triangle(), 1);
        });
        for (id, portal) in self.windings.portals_near(self.room, &around) {
            if id != self.through {
                // The front of a portal faces out of the room.
                let triangles = portal.polygon.triangles();
                triangles.for_each(|triangle| pass(&triangle, -1));
            }
        }
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        crossings
    }

    /// Whether the room's winding number around a point is that of its inside. Also true after the limit of the work.
    fn winds_around(&self, point: DVec3) -> bool {
        let windings = self.windings;
        windings.work.get() > MAX_WORK || windings.around_closed(self.room, point) > 0.5
    }
}

/// The fraction of a segment at which it crosses a triangle, with 1 if it crosses from front to back, and -1 if from
/// back to front. If it passes through an edge shared by two triangles, it crosses exactly one of them.
pub(super) fn crossing(triangle: &Triangle, from: DVec3, to: DVec3) -> Option<(f64, i32)> {
    let normal = triangle.normal()?;
    let [before, after] = [from, to].map(|p| normal.dot(p - triangle.corners[0]));
    if (before > 0.0) == (after > 0.0) {
        return None;
    }
    let way = to - from;
    let is_left = |i: usize| {
        let (a, b) = (triangle.corners[i], triangle.corners[(i + 1) % 3]);
        let turn = |a: DVec3, b: DVec3| way.dot((a - from).cross(b - from)) >= 0.0;
        if comes_before(a, b) {
            turn(a, b)
        } else {
            !turn(b, a)
        }
    };
    let sides = [is_left(0), is_left(1), is_left(2)];
    let is_inside = sides == [true; 3] || sides == [false; 3];
    let step = if before > 0.0 { 1 } else { -1 };
    is_inside.then(|| (before / (before - after), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_through_a_shared_edge_passes_one_of_the_two_triangles() {
        let [a, b, c, d] = [
            DVec3::ZERO,
            DVec3::X,
            DVec3::new(1.0, 0.0, -1.0),
            DVec3::NEG_Z,
        ];
        let halves = [[a, b, c], [a, c, d]].map(|corners| Triangle { corners });
        for (x, z) in [(0.5, -0.5), (0.25, -0.25), (0.3, -0.2), (0.2, -0.3)] {
            let (above, below) = (DVec3::new(x, 1.0, z), DVec3::new(x, -1.0, z));
            let passes = |from, to| {
                let passed = halves.iter().filter_map(|t| crossing(t, from, to));
                passed.collect::<Vec<_>>()
            };
            assert_eq!(passes(above, below), [(0.5, 1)]);
            assert_eq!(passes(below, above), [(0.5, -1)]);
            assert_eq!(passes(above, above + DVec3::X), []);
        }
        let beside = DVec3::new(1.5, 1.0, -0.5);
        let down = beside - 2.0 * DVec3::Y;
        assert!(halves.iter().all(|t| crossing(t, beside, down).is_none()));
    }
}
