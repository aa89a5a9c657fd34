//! What a level was built of, by hashes: a later version of it tells by them what is the same.

use super::{Level, RoomId, SolidSet, Solids};
use crate::geometry::{Aabb, ConvexPolygon};

/// What a level was built of.
#[derive(Debug, Default)]
pub(in crate::level) struct Inputs {
    /// For each room.
    pub rooms: Vec<RoomInput>,
    /// Where the vertices of the last room end.
    pub vertices: u32,
    /// The triangles, and which of their edges, that have another kind beside the next room than alone; in order.
    pub seams: Vec<(u32, usize)>,
    /// For each room what its portals asked, in order.
    pub windings: Vec<Vec<KnownWinding>>,
    /// What is drawn alone, as it is packed for what sprawls.
    pub only_drawn: OnlyDrawn,
    /// For each room what sprawls into it, as far as that was found out.
    pub sprawls: Vec<KnownSprawl>,
    /// For each picture the hash of its file.
    pub images: Vec<u128>,
}

/// What a room was built of.
#[derive(Clone, Copy, Debug)]
pub(in crate::level) struct RoomInput {
    /// A hash of its meshes, and of all else that its solids and draws depend on.
    pub key: u128,
    /// Its first vertex.
    pub first_vertex: u32,
    /// The number of the first node that its solids are of.
    pub first_node: u32,
    /// How many of its triangles have no area.
    pub without_area: usize,
}

/// What is drawn but not solid, packed as solids are.
#[derive(Debug, Default)]
pub(in crate::level) struct OnlyDrawn {
    pub solids: Solids,
    /// For each room, with the number of the first node that it is of.
    pub sets: Vec<(SolidSet, u32)>,
}

/// A surface of a room, and the bits of a point.
pub(in crate::level) type WindingKey = (u8, [u64; 3]);

/// How often a surface of a room winds around a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::level) struct KnownWinding {
    pub key: WindingKey,
    pub turns: f64,
    /// What it is the sum of: a measure of work.
    pub summands: u64,
}

/// What sprawls into a room through one portal.
#[derive(Debug)]
pub(in crate::level) struct KnownSprawl {
    /// A hash of all that it depends on.
    pub key: u128,
    /// What it took to find out, in summands of winding numbers.
    pub work: u64,
    /// Which of the room's portals, the box around what comes through it, and its triangles: solid (0) or drawn alone (1),
    /// and which of those of the room behind.
    pub through: Vec<(u32, Aabb, Vec<[u32; 2]>)>,
}

impl Level {
    /// Whether a room has the surfaces and the portals of a room of another version of the level.
    pub(crate) fn is_same_room(&self, room: RoomId, (other, of_other): (&Self, RoomId)) -> bool {
        self.room_key(room) == other.room_key(of_other)
            && self.openings_of(room).eq(other.openings_of(of_other))
    }

    /// The portals of a room, and the names of the rooms that they lead to.
    fn openings_of(&self, room: RoomId) -> impl Iterator<Item = (&String, &ConvexPolygon)> {
        let portals = self.portals_of(room);
        portals.map(|(_, portal)| (&self.room(portal.far).name, &portal.polygon))
    }
}
