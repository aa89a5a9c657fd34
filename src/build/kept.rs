//! Reuse of rooms that are unchanged since an older version of a level: their solids and draws are copied from there.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use super::cache::{KnownWinding, LastBuild, RoomMemory};
use crate::geometry::Aabb;
use crate::hash::Fnv128;
use crate::level::solids::Packed;
use crate::level::{Alpha, Draw, EdgeKind, LevelData, Material, RoomId, Solids};
use crate::source::MeshSource;

/// An older version of a level, and the rooms of it that are unchanged.
pub(super) struct Kept<'a> {
    last: LastBuild<'a>,
    /// The equal room of the old level, if any, for each room of the new level.
    rooms: Vec<Option<RoomId>>,
}

impl<'a> Kept<'a> {
    /// Finds the unchanged rooms of a level of rooms with these keys.
    pub(super) fn of(last: LastBuild<'a>, keys: &[u128]) -> Self {
        let rooms = last.level.rooms.iter().zip(last.level.room_ids());
        let known: BTreeMap<u128, RoomId> = rooms.map(|(room, id)| (room.key, id)).collect();
        let rooms = keys.iter().map(|key| known.get(key).copied()).collect();
        Self { last, rooms }
    }

    /// Appends the solids of an unchanged room, whose first node gets the index `first_node`; `None` if the room changed.
    pub(super) fn append_solids(
        &self,
        room: usize,
        first_node: u32,
        solids: &mut Solids,
    ) -> Option<Packed> {
        let room = self.rooms[room]?;
        let (old, input) = (self.last.level.room(room), self.input(room));
        let from = (&self.last.level.solids, &old.solids);
        let set = solids.append_copy(from, [input.first_node, first_node]);
        // The edges get the kinds that they had before the neighbouring rooms were taken into account.
        let (were, are) = (old.solids.triangles(), set.triangles());
        let seams = &self.last.memory.seams;
        let first = seams.partition_point(|(triangle, _)| *triangle < were.start);
        for &(triangle, edge) in seams[first..].iter().take_while(|(t, _)| *t < were.end) {
            solids.set_edge(triangle - were.start + are.start, edge, EdgeKind::Boundary);
        }
        Some(Packed {
            set,
            given: old.triangles as usize,
            without_area: input.without_area,
        })
    }

    /// Appends the drawn, non-solid triangles of a room, as [`Self::append_solids`] does with the solid ones.
    pub(super) fn append_only_drawn(
        &self,
        room: usize,
        first_node: u32,
        to: &mut Solids,
    ) -> Option<Packed> {
        let room = self.rooms[room]?;
        let old = &self.last.memory.only_drawn;
        let (set, old_first) = &old.sets[room.0 as usize];
        Some(Packed {
            set: to.append_copy((&old.solids, set), [*old_first, first_node]),
            // The statistics of these sets are not used.
            given: 0,
            without_area: 0,
        })
    }

    /// Whether a room is unchanged.
    pub(super) fn has(&self, room: usize) -> bool {
        self.rooms[room].is_some()
    }

    /// Appends the drawn triangles of an unchanged room, as [`append_drawn`](super::meshes::append_drawn) does; `None` if the
    /// room changed.
    pub(super) fn append_drawn(
        &self,
        room: usize,
        to: &mut LevelData,
    ) -> Option<(Range<u32>, Aabb)> {
        let room = self.rooms[room]?;
        let LastBuild { level, memory } = self.last;
        let input = self.input(room);
        let next = memory.rooms.get(room.0 as usize + 1);
        let end = next.map_or(memory.vertices, |next| next.first_vertex);
        let draws = &level.room(room).draws;
        let draws = &level.draws[draws.start as usize..draws.end as usize];
        let first = draws.first().map_or(0, |draw| draw.indices.start);
        let last = draws.last().map_or(0, |draw| draw.indices.end);
        let (vertices, index) = (to.vertices.len() as u32, to.indices.len() as u32);
        let of_room = input.first_vertex as usize..end as usize;
        to.vertices.extend_from_slice(&level.vertices[of_room]);
        let indices = level.indices[first as usize..last as usize].iter();
        let moved = indices.map(|i| i - input.first_vertex + vertices);
        to.indices.extend(moved);
        let first_draw = to.draws.len() as u32;
        to.draws.extend(draws.iter().map(|draw| Draw {
            indices: draw.indices.start - first + index..draw.indices.end - first + index,
            ..draw.clone()
        }));
        let bounds = draws.iter().map(|draw| draw.bounds);
        let bounds = bounds.fold(Aabb::EMPTY, Aabb::union);
        Some((first_draw..to.draws.len() as u32, bounds))
    }

    /// The cached winding numbers of an unchanged room; empty if the room changed.
    pub(super) fn windings(&self, room: usize) -> &'a [KnownWinding] {
        let known = &self.last.memory.windings;
        self.rooms[room].map_or(&[], |room| &known[room.0 as usize])
    }

    fn input(&self, room: RoomId) -> &RoomMemory {
        &self.last.memory.rooms[room.0 as usize]
    }
}

/// A hash of everything that the solids and draws of a room depend on.
pub(super) fn key(origin: DVec3, materials: &[Material], meshes: &[&MeshSource]) -> u128 {
    let hash = Fnv128::EMPTY.words(&origin.to_array());
    let mut previous: Option<&Arc<str>> = None;
    let hash = meshes.iter().fold(hash, |hash, mesh| {
        // Thousands of primitives may share one long name, which is hashed once.
        let is_again =
            previous.is_some_and(|name| Arc::ptr_eq(name, &mesh.node) || *name == mesh.node);
        previous = Some(&mesh.node);
        let name = if is_again { &[] } else { mesh.node.as_bytes() };
        let material = &materials[mesh.material];
        let is_blended = material.alpha == Alpha::Blend;
        let flags = [mesh.drawn, mesh.solid, material.double_sided, is_blended];
        let [uvs, more_uvs] = &mesh.uvs;
        hash.bytes(name)
            .bytes(&[0xff, u8::from(is_again)])
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
    use crate::build::{BuildMemory, build};
    use crate::level::Level;
    use crate::source::LevelSource;

    /// Rooms in a row, one of them with a box of this height.
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

    fn kept(old: &Level, new: LevelSource) -> Vec<Option<RoomId>> {
        let (new, _) = build(new).unwrap();
        let keys: Vec<u128> = new.rooms.iter().map(|room| room.key).collect();
        let last = LastBuild {
            level: old,
            memory: &BuildMemory::default(),
        };
        Kept::of(last, &keys).rooms
    }

    #[test]
    fn all_rooms_but_those_that_changed_are_kept() {
        let names = ["a", "b", "c", "d"];
        let (old, _) = build(row(&names, 2, 1.0)).unwrap();
        let ids = [0, 1, 2, 3].map(|id| Some(RoomId(id)));
        assert_eq!(kept(&old, row(&names, 2, 1.0)), ids);
        let changed = [ids[0], ids[1], None, ids[3]];
        assert_eq!(kept(&old, row(&names, 2, 1.5)), changed);
        // The names of rooms do not matter.
        let renamed = kept(&old, row(&["a", "e", "c", "d"], 2, 1.0));
        assert_eq!(renamed.iter().flatten().count(), 3);
        let mut two_sided = row(&names, 2, 1.0);
        two_sided.materials[0].double_sided = true;
        assert_eq!(kept(&old, two_sided), [None; 4]);
    }
}
