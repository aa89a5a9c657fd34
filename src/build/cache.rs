//! Cached results of a build, for the build of the level's next version when its file changes.

use std::ops::Range;
use std::sync::Arc;

use crate::geometry::Aabb;
use crate::level::{Image, Level, RoomId, SolidSet, Solids};
use crate::memo::Memo;

/// The results of the last build of a level that the next build can reuse: unchanged rooms, winding numbers, sprawling
/// geometry, images. Without them a build is slower, but has the same result.
#[derive(Debug, Default)]
pub struct BuildCache {
    /// The last version of the level. Unchanged rooms are copied from it; keeping their triangles in a memo would take
    /// twice the memory.
    pub(crate) level: Option<Arc<Level>>,
    /// The offsets of each room in that version, by a hash of the room's meshes.
    pub(crate) rooms: Memo<u128, RoomOffsets>,
    /// The edges whose kind depends on an adjacent room, each as triangle and edge index in the triangle; sorted.
    pub(crate) seams: Vec<(u32, usize)>,
    /// Triangles that are drawn but not solid, packed for the sprawl computation.
    pub(crate) only_drawn: Solids,
    /// The winding numbers computed for portals, by a hash of the room's meshes, the surface and the point.
    pub(crate) windings: Memo<u128, Winding>,
    /// The geometry that sprawls into a room, by a hash of all inputs; only if it was computed completely.
    pub(crate) sprawls: Memo<u128, Arc<RoomSprawl>>,
    /// Images, by a hash of their files.
    pub(crate) images: Memo<u128, Image>,
}

/// The offsets and counts of a room in the last version of a level.
#[derive(Clone, Debug)]
pub(crate) struct RoomOffsets {
    /// The index of the room.
    pub room: RoomId,
    /// The range of its drawn vertices.
    pub vertices: Range<u32>,
    /// The index of the first node of its solids.
    pub first_node: u32,
    /// The number of its degenerate triangles.
    pub without_area: usize,
    /// Its triangles that are drawn but not solid, and the index of the first node of this set.
    pub only_drawn: (SolidSet, u32),
}

/// A winding number of a surface of a room around a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Winding {
    pub turns: f64,
    /// The number of evaluated terms, as a measure of work.
    pub summands: u64,
}

/// The geometry that sprawls into a room through its portals.
#[derive(Debug)]
pub(crate) struct RoomSprawl {
    /// The cost of the computation: the number of evaluated terms of winding numbers.
    pub work: u64,
    /// For each portal through which geometry sprawls: the portal's index in the room, the box around the sprawling
    /// geometry, and its triangles. A triangle is given by its layer (0: solid, 1: only drawn) and its index in that
    /// layer of the room behind the portal.
    pub through: Vec<(u32, Aabb, Vec<[u32; 2]>)>,
}
