//! Rooms of an older version of a level that are built of the same: their solids and draws are taken from there.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use crate::geometry::Aabb;
use crate::hash::Fnv128;
use crate::level::graph::solids::Packed;
use crate::level::graph::{KnownWinding, RoomInput};
use crate::level::{Alpha, Draw, EdgeKind, Level, LevelData, Material, MeshSource, RoomId, Solids};

/// An older version of a level, and which of its rooms are the same.
pub(super) struct Kept<'a> {
    level: &'a Level,
    /// For each room of the new level the same one here, if any.
    rooms: Vec<Option<RoomId>>,
}

impl<'a> Kept<'a> {
    /// What is the same in a level of rooms with these keys.
    pub(super) fn of(level: &'a Level, keys: &[u128]) -> Self {
        let inputs = level.inputs.rooms.iter();
        let known: BTreeMap<u128, RoomId> = inputs
            .zip(level.room_ids())
            .map(|(input, room)| (input.key, room))
            .collect();
        let rooms = keys.iter().map(|key| known.get(key).copied()).collect();
        Self { level, rooms }
    }

    /// Adds the solids of a room to others, in which its first node has this number; nothing if it is another.
    pub(super) fn append_solids(
        &self,
        room: usize,
        first_node: u32,
        solids: &mut Solids,
    ) -> Option<Packed> {
        let room = self.rooms[room]?;
        let (old, input) = (self.level.room(room), self.input(room));
        let from = (&self.level.solids, &old.solids);
        let set = solids.append_copy(from, [input.first_node, first_node]);
        // As they were before the rooms around were known.
        let (were, are) = (old.solids.triangles(), set.triangles());
        let seams = &self.level.inputs.seams;
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

    /// Adds what is drawn alone of a room, as [`Self::append_solids`] does what is solid.
    pub(super) fn append_only_drawn(
        &self,
        room: usize,
        first_node: u32,
        to: &mut Solids,
    ) -> Option<Packed> {
        let room = self.rooms[room]?;
        let old = &self.level.inputs.only_drawn;
        let (set, old_first) = &old.sets[room.0 as usize];
        Some(Packed {
            set: to.append_copy((&old.solids, set), [*old_first, first_node]),
            // Nobody asks what of it is not there.
            given: 0,
            without_area: 0,
        })
    }

    /// Whether a room is the same.
    pub(super) fn has(&self, room: usize) -> bool {
        self.rooms[room].is_some()
    }

    /// Adds what is drawn of a room, as [`append_drawn`](super::meshes::append_drawn) does; nothing if it is another.
    pub(super) fn append_drawn(
        &self,
        room: usize,
        to: &mut LevelData,
    ) -> Option<(Range<u32>, Aabb)> {
        let room = self.rooms[room]?;
        let (level, input) = (self.level, self.input(room));
        let inputs = &level.inputs;
        let next = inputs.rooms.get(room.0 as usize + 1);
        let end = next.map_or(inputs.vertices, |next| next.first_vertex);
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

    /// What portals asked of a room; nothing if it is another.
    pub(super) fn windings(&self, room: usize) -> &'a [KnownWinding] {
        let known = &self.level.inputs.windings;
        self.rooms[room].map_or(&[], |room| &known[room.0 as usize])
    }

    fn input(&self, room: RoomId) -> &RoomInput {
        &self.level.inputs.rooms[room.0 as usize]
    }
}

/// A hash of all that the solids and draws of a room depend on.
pub(super) fn key(origin: DVec3, materials: &[Material], meshes: &[&MeshSource]) -> u128 {
    let hash = Fnv128::EMPTY.words(&origin.to_array());
    let mut previous: Option<&Arc<str>> = None;
    let hash = meshes.iter().fold(hash, |hash, mesh| {
        // Thousands of primitives may have one long name.
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
    use crate::level::sketch::{Sketch, cuboid};
    use crate::level::{LevelSource, build};

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
        let keys: Vec<u128> = new.inputs.rooms.iter().map(|input| input.key).collect();
        Kept::of(old, &keys).rooms
    }

    #[test]
    fn all_rooms_but_those_that_changed_are_kept() {
        let names = ["a", "b", "c", "d"];
        let (old, _) = build(row(&names, 2, 1.0)).unwrap();
        let ids = [0, 1, 2, 3].map(|id| Some(RoomId(id)));
        assert_eq!(kept(&old, row(&names, 2, 1.0)), ids);
        let changed = [ids[0], ids[1], None, ids[3]];
        assert_eq!(kept(&old, row(&names, 2, 1.5)), changed);
        // It is not the names of rooms that count.
        let renamed = kept(&old, row(&["a", "e", "c", "d"], 2, 1.0));
        assert_eq!(renamed.iter().flatten().count(), 3);
        let mut two_sided = row(&names, 2, 1.0);
        two_sided.materials[0].double_sided = true;
        assert_eq!(kept(&old, two_sided), [None; 4]);
    }
}
