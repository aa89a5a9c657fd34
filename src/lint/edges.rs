//! The boundary edges of a room's faces: edges that no other face shares.

use super::corners::{GridCorner, corner};
use super::scene::{RoomScene, TriangleKind};

/// An edge of a face that no other face shares in the opposite direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeEdge {
    /// Index of the face in the scene.
    pub face: u32,
    /// Corner at which the edge starts; it ends at the next corner of the face.
    pub edge: usize,
}

/// An edge with its ends in ascending order, and whether it runs from the first to the second.
type OrderedEdge = ([GridCorner; 2], bool, FreeEdge);

/// The boundary edges of a room's own faces; portals close edges as faces do.
pub(super) fn free_edges(scene: &RoomScene) -> Vec<FreeEdge> {
    let mut free = Vec::new();
    each_edge(scene, |back, forth| {
        let shared = back.len().min(forth.len());
        let rest = back[shared..].iter().chain(&forth[shared..]);
        free.extend(rest.map(|(_, _, edge)| *edge));
    });
    free.retain(|edge| matches!(scene.kinds[edge.face as usize], TriangleKind::Own(_)));
    free.sort_unstable_by_key(|edge| (edge.face, edge.edge));
    free
}

/// Calls `found` for each edge, with the faces that traverse it in one direction and the faces that traverse it in the
/// opposite direction.
fn each_edge(scene: &RoomScene, mut found: impl FnMut(&[OrderedEdge], &[OrderedEdge])) {
    let mut edges: Vec<OrderedEdge> = Vec::new();
    for ((triangle, kind), face) in scene.triangles.iter().zip(&scene.kinds).zip(0..) {
        if *kind == TriangleKind::Guest {
            continue;
        }
        let corners = triangle.corners.map(corner);
        for edge in 0..3 {
            let ends = [corners[edge], corners[(edge + 1) % 3]];
            let forwards = ends[0] < ends[1];
            let key = if forwards { ends } else { [ends[1], ends[0]] };
            if ends[0] != ends[1] {
                edges.push((key, forwards, FreeEdge { face, edge }));
            }
        }
    }
    edges.sort_unstable_by_key(|(key, forwards, edge)| (*key, *forwards, edge.face));
    for same in edges.chunk_by(|a, b| a.0 == b.0) {
        let split = same.partition_point(|(_, forwards, _)| !forwards);
        let (back, forth) = same.split_at(split);
        found(back, forth);
    }
}

/// The faces that share an edge with exactly one other face and traverse it in the same direction, so that one of the
/// two is reversed.
pub(super) fn turned_faces(scene: &RoomScene) -> Vec<u32> {
    let mut turned = Vec::new();
    each_edge(scene, |back, forth| {
        for side in [back, forth] {
            if let [(_, _, a), (_, _, b)] = side
                && back.len() + forth.len() == 2
            {
                turned.extend([a.face, b.face]);
            }
        }
    });
    turned.sort_unstable();
    turned.dedup();
    turned
}
