//! What a level was built of, by hashes: a later version of it tells by them what is the same.

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
