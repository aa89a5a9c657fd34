//! What a level was built of, by hashes: a later version of it tells by them what is the same.

use super::{Level, RoomId};
use crate::geometry::ConvexPolygon;

/// What a level was built of.
#[derive(Debug, Default)]
pub(in crate::level) struct Inputs {
    /// For each room.
    pub rooms: Vec<RoomInput>,
    /// Where the vertices of the last room end.
    pub vertices: u32,
    /// The triangles, and which of their edges, that have another kind beside the next room than alone; in order.
    pub seams: Vec<(u32, usize)>,
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
