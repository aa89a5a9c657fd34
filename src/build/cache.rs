//! Cached results of a build, for the next build of the level after a change of its file.

use std::sync::Arc;

use crate::geometry::Aabb;
use crate::level::{Level, SolidSet, Solids};

/// The last version of a level, with the results of its build that the build of the next version can reuse: unchanged rooms,
/// winding numbers, sprawling geometry, images. An empty cache makes a build slower, with the same result.
#[derive(Debug, Default)]
pub struct BuildCache(Option<(Arc<Level>, BuildMemory)>);

impl BuildCache {
    /// The last version, if there is one.
    pub(crate) fn last(&self) -> Option<LastBuild<'_>> {
        let (level, memory) = self.0.as_ref()?;
        Some(LastBuild { level, memory })
    }

    /// Makes this the last version.
    pub(crate) fn set(&mut self, level: Arc<Level>, memory: BuildMemory) {
        self.0 = Some((level, memory));
    }
}

/// The last version of a level, with the cached results of its build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastBuild<'a> {
    pub level: &'a Level,
    pub memory: &'a BuildMemory,
}

/// The results of a build that are not part of the level, for the next build.
#[derive(Debug, Default)]
pub(crate) struct BuildMemory {
    /// The offsets and counts of each room.
    pub(crate) rooms: Vec<RoomMemory>,
    /// The end of the vertices of the last room.
    pub(crate) vertices: u32,
    /// The triangles and edges whose kind differs from that of the room alone because of the next room; in order.
    pub(crate) seams: Vec<(u32, usize)>,
    /// The winding numbers that were computed for portals, sorted, for each room.
    pub(crate) windings: Vec<Vec<KnownWinding>>,
    /// Drawn, non-solid triangles, packed for the sprawl computation.
    pub(crate) only_drawn: OnlyDrawn,
    /// The geometry that sprawls into each room, if its computation was complete.
    pub(crate) sprawls: Vec<KnownSprawl>,
    /// The hash of the file of each image.
    pub(crate) images: Vec<u128>,
}

/// The offsets of the data of a room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoomMemory {
    /// Index of the first vertex.
    pub first_vertex: u32,
    /// The index of the first node of its solids.
    pub first_node: u32,
    /// The number of its degenerate triangles.
    pub without_area: usize,
}

/// Drawn but not solid triangles, packed like solids.
#[derive(Debug, Default)]
pub(crate) struct OnlyDrawn {
    pub solids: Solids,
    /// The set of each room, with the index of its first node.
    pub sets: Vec<(SolidSet, u32)>,
}

/// A surface of a room, and the bits of a point.
pub(crate) type WindingKey = (u8, [u64; 3]);

/// A cached winding number of a surface of a room around a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownWinding {
    pub key: WindingKey,
    pub turns: f64,
    /// The number of summands: a measure of work.
    pub summands: u64,
}

/// The cached geometry that sprawls into a room through its portals.
#[derive(Debug)]
pub(crate) struct KnownSprawl {
    /// A hash of everything that it depends on.
    pub key: u128,
    /// The cost of the computation, in summands of winding numbers.
    pub work: u64,
    /// The portals that geometry sprawls through: for each its index in the room, the box around the sprawling geometry,
    /// and its triangles, each as a layer, solid (0) or drawn only (1), and an index among those of the room behind.
    pub through: Vec<(u32, Aabb, Vec<[u32; 2]>)>,
}
