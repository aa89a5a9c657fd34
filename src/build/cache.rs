//! Cached results of a build, for the next build of the level after a change of its file.

use std::ops::Range;
use std::sync::Arc;

use crate::geometry::Aabb;
use crate::level::{Image, Level, RoomId, SolidSet, Solids};
use crate::memo::Memo;

/// The results of the last build of a level that the build of its next version can reuse: unchanged rooms, winding numbers,
/// sprawling geometry, images. An empty cache makes a build slower, with the same result.
#[derive(Debug, Default)]
pub struct BuildCache {
    /// The last version of the level. Unchanged rooms are copied from it: a memo of their triangles would take their memory
    /// twice.
    pub(crate) level: Option<Arc<Level>>,
    /// The offsets of each room, by a hash of its meshes.
    pub(crate) rooms: Memo<u128, RoomOffsets>,
    /// The edges of the level whose kind the next room changes: each as its triangle and its index in the triangle, in
    /// order.
    pub(crate) seams: Vec<(u32, usize)>,
    /// Drawn, non-solid triangles, packed for the sprawl computation.
    pub(crate) only_drawn: Solids,
    /// The winding numbers that were computed for portals, by a hash of the room's meshes, the surface and the point.
    pub(crate) windings: Memo<u128, Winding>,
    /// The geometry that sprawls into a room, if its computation was complete, by a hash of its inputs.
    pub(crate) sprawls: Memo<u128, Arc<RoomSprawl>>,
    /// Images, by the hashes of their files.
    pub(crate) images: Memo<u128, Image>,
}

/// The offsets and counts of a room of the last version of a level.
#[derive(Clone, Debug)]
pub(crate) struct RoomOffsets {
    /// The index of the room.
    pub room: RoomId,
    /// Its drawn vertices.
    pub vertices: Range<u32>,
    /// The index of the first node of its solids.
    pub first_node: u32,
    /// The number of its degenerate triangles.
    pub without_area: usize,
    /// Its set of the drawn, non-solid triangles, with the index of its first node.
    pub only_drawn: (SolidSet, u32),
}

/// A winding number of a surface of a room around a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Winding {
    pub turns: f64,
    /// The number of summands: a measure of work.
    pub summands: u64,
}

/// The geometry that sprawls into a room through its portals.
#[derive(Debug)]
pub(crate) struct RoomSprawl {
    /// The cost of the computation, in summands of winding numbers.
    pub work: u64,
    /// The portals that geometry sprawls through: for each its index in the room, the box around the sprawling geometry,
    /// and its triangles, each as a layer, solid (0) or drawn only (1), and an index among those of the room behind.
    pub through: Vec<(u32, Aabb, Vec<[u32; 2]>)>,
}
