//! Surfaces that continue in the next room, so that their edges under the portal are not boundary edges.

use glam::DVec3;

use crate::geometry::{Aabb, Aabb32, Rigid};
use crate::level::solids::{EdgeFacet, kind_between};
use crate::level::{EdgeKind, LevelData, PortalId, RoomId};
use crate::parallel::{cores, parallel_map};

/// Maximum distance between equal corners of two rooms, metres. It exceeds the rounding of nested transforms, and is
/// too small to affect a body.
const WELD: f64 = 2e-5;
/// Maximum number of candidates that are tested before and after each edge in sorted order. Only malformed files have
/// more edges at one place.
const MAX_AT_AN_EDGE: usize = 16;
/// A direction along which edges are sorted by their midpoints; in this one, hardly any two midpoints coincide.
const SORTING: DVec3 = DVec3::new(0.577, 0.331, 0.747);

/// An edge that no other triangle of its room shares.
struct BoundaryEdge {
    /// The triangle's index in the level.
    triangle: u32,
    /// The edge's index in the triangle.
    edge: usize,
    /// The triangle in coordinates of the room that is processed.
    facet: EdgeFacet,
}

impl BoundaryEdge {
    fn ends(&self) -> [DVec3; 2] {
        self.facet.ends(self.edge)
    }

    fn key(&self) -> f64 {
        let [a, b] = self.ends();
        (a + b).dot(SORTING)
    }

    /// Whether both are the same edge, traversed in opposite directions.
    fn meets(&self, other: &BoundaryEdge) -> bool {
        let ([a, b], [c, d]) = (self.ends(), other.ends());
        a.abs_diff_eq(d, WELD) && b.abs_diff_eq(c, WELD)
    }
}

/// Sets the kind of each boundary edge under an open portal according to its neighbour in the next room. Returns these
/// edges as triangle and edge index, in order.
pub(super) fn join_seams(level: &mut LevelData) -> Vec<(u32, usize)> {
    let of_portals = parallel_map(level.portals.len(), cores(), |id| {
        kinds_at(level, PortalId(id as u32))
    });
    let mut kinds: Vec<(u32, usize, EdgeKind)> = of_portals.into_iter().flatten().collect();
    // As inside a room, the kind internal has priority over convex.
    kinds.sort_unstable_by_key(|&(triangle, edge, kind)| (triangle, edge, kind as u8));
    kinds.retain(|&(_, _, kind)| kind != EdgeKind::Boundary);
    for &(triangle, edge, kind) in &kinds {
        level.solids.set_edge(triangle, edge, kind);
    }
    let mut joined: Vec<(u32, usize)> = kinds.into_iter().map(|(t, e, _)| (t, e)).collect();
    joined.dedup();
    joined
}

/// The kinds of edges under a portal that have a neighbour in the next room.
fn kinds_at(level: &LevelData, id: PortalId) -> Vec<(u32, usize, EdgeKind)> {
    let portal = level.portal(id);
    let mut kinds = Vec::new();
    // A mirror reverses the winding, and bodies do not pass it. A moving room has other neighbours in each pose.
    if portal.far_from_near.is_mirror() || portal.moves() {
        return kinds;
    }
    let around = portal.bounds.union(level.sprawl_through(id)).grown(WELD);
    let own = boundary_edges(level, &around, portal.near, &Rigid::IDENTITY);
    if own.is_empty() {
        return kinds;
    }
    let near_from_far = portal.far_from_near.inverse();
    let mut others = boundary_edges(level, &around, portal.far, &near_from_far);
    others.sort_unstable_by(|a, b| a.key().total_cmp(&b.key()));
    for own_edge in &own {
        let first = others.partition_point(|other| other.key() < own_edge.key() - 2.0 * WELD);
        let near = others[first..].iter().take(MAX_AT_AN_EDGE);
        for other in near.filter(|other| own_edge.meets(other)) {
            let kind = kind_between((&own_edge.facet, own_edge.edge), (&other.facet, other.edge));
            kinds.push((own_edge.triangle, own_edge.edge, kind));
        }
    }
    kinds
}

/// The boundary edges of a room in a box. `from_room` transforms to the coordinates of the box.
fn boundary_edges(
    level: &LevelData,
    query: &Aabb,
    room: RoomId,
    from_room: &Rigid,
) -> Vec<BoundaryEdge> {
    let in_room = Aabb32::around(&query.transformed(&from_room.inverse()));
    let mut found = Vec::new();
    let set = &level.room(room).solids;
    level.solids.touching(set, &in_room, |solid| {
        let corners = solid.triangle().corners.map(|p| from_room.point(p));
        let two_sided = level.materials[solid.surface.material as usize].double_sided;
        for edge in 0..3 {
            let ends = [corners[edge], corners[(edge + 1) % 3]];
            let is_near = ends.iter().all(|&p| query.contains(p));
            if solid.edges[edge] == EdgeKind::Boundary && is_near {
                found.push(BoundaryEdge {
                    triangle: solid.index,
                    edge,
                    facet: EdgeFacet::new(corners, two_sided),
                });
            }
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::geometry::Triangle;

    /// The kinds of all edges in the floor under the door at x = 0. The second room is displaced by `off` metres.
    fn under_the_door(off: f64, with_portal: bool) -> Vec<EdgeKind> {
        let door = |x: f64| cuboid([x, 0.0, -1.0], [x, 2.0, 1.0]);
        let mut sketch = Sketch::new("two rooms");
        let here = cuboid([-4.0, 0.0, -1.0], [0.0, 2.0, 1.0]);
        let there = cuboid([off, 0.0, -1.0], [4.0, 2.0, 1.0]);
        let a = sketch.box_room("a", here, &[door(0.0)]);
        sketch.box_room("b", there, &[door(off)]);
        if with_portal {
            sketch.portal(a, "b", door(0.0), DVec3::X);
        }
        sketch.spawn(a, DVec3::new(-2.0, 0.5, 0.0), DVec3::X);
        let (level, _) = build(sketch.source).unwrap();
        let mut kinds = Vec::new();
        for room in &level.rooms {
            for solid in level.solids.of(&room.solids) {
                let Triangle { corners } = solid.triangle();
                for edge in 0..3 {
                    let ends = [corners[edge], corners[(edge + 1) % 3]];
                    if ends.iter().all(|p| p.x.abs() < 1e-3 && p.y == 0.0) {
                        kinds.push(solid.edges[edge]);
                    }
                }
            }
        }
        kinds
    }

    #[test]
    fn a_floor_goes_on_under_a_door_and_ends_at_a_wall_without_one() {
        assert_eq!(under_the_door(0.0, true), [EdgeKind::Internal; 2]);
        assert_eq!(under_the_door(1e-5, true), [EdgeKind::Internal; 2]);
        assert_eq!(under_the_door(5e-4, true), [EdgeKind::Boundary; 2]);
        assert_eq!(under_the_door(0.0, false), [EdgeKind::Boundary; 2]);
    }
}
