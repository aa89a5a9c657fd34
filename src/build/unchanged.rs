//! Rooms that are unchanged since the last build. Their solids and draws are copied from the level's last version.

use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use super::cache::{BuildCache, RoomOffsets};
use crate::geometry::Aabb;
use crate::hash::Fnv128;
use crate::level::solids::PackedSet;
use crate::level::{Alpha, Draw, EdgeKind, Level, LevelData, Material, Solids};
use crate::source::MeshSource;

/// A room of the level's last version that has the same meshes as a room of the new version.
#[derive(Clone, Copy)]
pub(super) struct UnchangedRoom<'a> {
    level: &'a Level,
    cache: &'a BuildCache,
    offsets: &'a RoomOffsets,
}

impl<'a> UnchangedRoom<'a> {
    /// The room with this key in the level's last version, if there is one.
    pub(super) fn with_key(key: u128, cache: &'a BuildCache) -> Option<Self> {
        Some(Self {
            level: cache.level.as_deref()?,
            cache,
            offsets: cache.rooms.get(&key)?,
        })
    }

    /// Appends a copy of the solids; their first node gets the index `first_node`.
    pub(super) fn append_solids(&self, first_node: u32, solids: &mut Solids) -> PackedSet {
        let room = self.level.room(self.offsets.room);
        let from = (&self.level.solids, &room.solids);
        let set = solids.append_copy(from, [self.offsets.first_node, first_node]);
        // Resets the edges at seams to the kinds that they had before adjacent rooms were considered.
        let (were, are) = (room.solids.triangles(), set.triangles());
        let seams = &self.cache.seams;
        let first = seams.partition_point(|(triangle, _)| *triangle < were.start);
        for &(triangle, edge) in seams[first..].iter().take_while(|(t, _)| *t < were.end) {
            solids.set_edge(triangle - were.start + are.start, edge, EdgeKind::Boundary);
        }
        PackedSet {
            set,
            given: room.triangles as usize,
            without_area: self.offsets.without_area,
        }
    }

    /// Appends a copy of the triangles that are drawn but not solid, as [`Self::append_solids`] does with solid ones.
    pub(super) fn append_only_drawn(&self, first_node: u32, to: &mut Solids) -> PackedSet {
        let (set, last_first_node) = &self.offsets.only_drawn;
        PackedSet {
            set: to.append_copy(
                (&self.cache.only_drawn, set),
                [*last_first_node, first_node],
            ),
            // The statistics of these sets are not used.
            given: 0,
            without_area: 0,
        }
    }

    /// Appends a copy of the drawn triangles, with the same result as [`append_drawn`](super::meshes::append_drawn).
    pub(super) fn append_drawn(&self, to: &mut LevelData) -> (Range<u32>, Aabb) {
        let level = self.level;
        let draws = &level.room(self.offsets.room).draws;
        let draws = &level.draws[draws.start as usize..draws.end as usize];
        let first = draws.first().map_or(0, |draw| draw.indices.start);
        let last = draws.last().map_or(0, |draw| draw.indices.end);
        let (vertices, index) = (to.vertices.len() as u32, to.indices.len() as u32);
        let of_room = &self.offsets.vertices;
        let of_room = of_room.start as usize..of_room.end as usize;
        to.vertices.extend_from_slice(&level.vertices[of_room]);
        let indices = level.indices[first as usize..last as usize].iter();
        let moved = indices.map(|i| i - self.offsets.vertices.start + vertices);
        to.indices.extend(moved);
        let first_draw = to.draws.len() as u32;
        to.draws.extend(draws.iter().map(|draw| Draw {
            indices: draw.indices.start - first + index..draw.indices.end - first + index,
            ..draw.clone()
        }));
        let bounds = draws.iter().map(|draw| draw.bounds);
        let bounds = bounds.fold(Aabb::EMPTY, Aabb::union);
        (first_draw..to.draws.len() as u32, bounds)
    }
}

/// A hash of everything that decides the solids and draws of a room.
pub(super) fn room_key(origin: DVec3, materials: &[Material], meshes: &[&MeshSource]) -> u128 {
    let hash = Fnv128::EMPTY.words(&origin.to_array());
    let mut previous: Option<&Arc<str>> = None;
    let hash = meshes.iter().fold(hash, |hash, mesh| {
        // Thousands of primitives may share one long name; it is hashed only once.
        let is_previous =
            previous.is_some_and(|name| Arc::ptr_eq(name, &mesh.node) || *name == mesh.node);
        previous = Some(&mesh.node);
        let name = if is_previous {
            &[]
        } else {
            mesh.node.as_bytes()
        };
        let material = &materials[mesh.material];
        let is_blended = material.alpha == Alpha::Blend;
        let flags = [mesh.drawn, mesh.solid, material.double_sided, is_blended];
        let [uvs, more_uvs] = &mesh.uvs;
        hash.bytes(name)
            .bytes(&[0xff, u8::from(is_previous)])
            .bytes(&flags.map(u8::from))
            .words(&[mesh.material as u32])
            .words(&mesh.positions)
            .words(&mesh.normals)
            .words(&mesh.tangents)
            .words(uvs)
            .words(more_uvs)
            .words(&mesh.colours)
            .words(&mesh.triangles)
    });
    hash.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build_reporting;
    use crate::level::RoomId;
    use crate::problems::Problems;
    use crate::source::LevelSource;

    /// Rooms in a row. The room with index `furnished` has a box of this height in it.
    fn row(names: &[&str], furnished: usize, height: f64) -> LevelSource {
        let mut sketch = Sketch::new("row");
        for (i, name) in names.iter().enumerate() {
            let x = 10.0 * i as f64;
            let room = sketch.box_room(name, cuboid([x, 0.0, 0.0], [x + 4.0, 3.0, 4.0]), &[]);
            if i == furnished {
                let part = cuboid([x + 1.0, 0.0, 1.0], [x + 2.0, height, 2.0]);
                sketch.furniture(room, 0, part);
            }
        }
        sketch.spawn(0, DVec3::new(3.0, 0.1, 3.0), DVec3::Z);
        sketch.source
    }

    /// Builds a level with the cache of its last version, and returns the new cache.
    fn built(mut source: LevelSource, last: &BuildCache) -> BuildCache {
        let built = build_reporting(&mut source, last, &mut Problems::default());
        let (level, mut cache) = built.unwrap();
        cache.level = Some(Arc::new(level));
        cache
    }

    #[test]
    fn rooms_with_equal_meshes_are_unchanged() {
        let names = ["a", "b", "c", "d"];
        let last = built(row(&names, 2, 1.0), &BuildCache::default());
        let unchanged = |new: LevelSource| -> Vec<Option<RoomId>> {
            let next = built(new, &last);
            let rooms = next.level.as_ref().unwrap().rooms.iter();
            let rooms = rooms.map(|room| UnchangedRoom::with_key(room.key, &last));
            rooms
                .map(|room| room.map(|room| room.offsets.room))
                .collect()
        };
        let ids = [0, 1, 2, 3].map(|id| Some(RoomId(id)));
        assert_eq!(unchanged(row(&names, 2, 1.0)), ids);
        let changed = [ids[0], ids[1], None, ids[3]];
        assert_eq!(unchanged(row(&names, 2, 1.5)), changed);
        // The names of rooms do not matter.
        let renamed = unchanged(row(&["a", "e", "c", "d"], 2, 1.0));
        assert_eq!(renamed.iter().flatten().count(), 3);
        let mut two_sided = row(&names, 2, 1.0);
        two_sided.materials[0].double_sided = true;
        assert_eq!(unchanged(two_sided), [None; 4]);
    }
}
