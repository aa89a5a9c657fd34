//! Joins holes that are parts of one hole: their rims lie close together, or on both sides of a doorway.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::corners::corner;
use super::pieces::find;
use crate::geometry::{Aabb, BoxTree, by_coordinates, closest_on_segment};
use crate::level::RoomId;

/// Maximum distance between two rims of one hole, metres.
const SAME_HOLE: f64 = 0.02;
/// Maximum distance, metres, between two rims of one hole that are not loops: for example, the two sides of a slit
/// between a wall and a floor.
const SAME_SLIT: f64 = 0.3;

/// A hole of a room.
#[derive(Clone, Debug)]
pub(super) struct RoomHole {
    pub room: RoomId,
    /// The edges around the hole, level coordinates.
    pub edges: Vec<[DVec3; 2]>,
    /// Points of the rim around which the backs of faces are visible.
    pub points: Vec<DVec3>,
    /// The mesh with the greatest part of the rim, in the source.
    pub mesh: u32,
    /// The middle of the rim.
    pub centre: DVec3,
    /// Area vector, out of the room; its length is the area, square metres.
    pub area: DVec3,
    pub bounds: Aabb,
    /// Whether solid geometry that is not drawn closes the hole.
    pub is_solid: bool,
}

impl RoomHole {
    /// Marks a hole of the drawn geometry as closed by solid geometry.
    pub(super) fn drawn_only(self) -> Self {
        Self {
            is_solid: true,
            ..self
        }
    }
}

/// A hole with these edges around it.
pub(super) fn of_edges(
    room: RoomId,
    edges: Vec<[DVec3; 2]>,
    points: Vec<DVec3>,
    mesh: u32,
) -> RoomHole {
    let length = |[a, b]: &[DVec3; 2]| a.distance(*b);
    let total: f64 = edges.iter().map(length).sum();
    let middle = |edge: &[DVec3; 2]| edge[0].midpoint(edge[1]) * length(edge);
    let centre = edges.iter().map(middle).sum::<DVec3>() / total.max(f64::MIN_POSITIVE);
    let cross = |[a, b]: &[DVec3; 2]| 0.5 * (*a - centre).cross(*b - centre);
    RoomHole {
        room,
        points,
        mesh,
        centre,
        area: edges.iter().map(cross).sum(),
        bounds: Aabb::around(edges.iter().flatten().copied()),
        edges,
        is_solid: false,
    }
}

/// Joins holes with adjacent rims, and coplanar holes with a side of a portal between their rims. Example of the
/// latter: the rim of a missing floor ends at both sides of each doorway. The holes are sorted by their middles.
pub(super) fn joined(mut holes: Vec<RoomHole>, portal_sides: &[[DVec3; 2]]) -> Vec<RoomHole> {
    // A joined hole has a larger box and a better plane, which may fit further holes.
    loop {
        let known = holes.len();
        holes = joined_once(holes, portal_sides);
        if holes.len() == known {
            break;
        }
    }
    holes.sort_by(|a, b| by_coordinates(a.centre, b.centre));
    holes
}

fn joined_once(holes: Vec<RoomHole>, portal_sides: &[[DVec3; 2]]) -> Vec<RoomHole> {
    let mut sets = HoleSets::of(&holes);
    join_equal_boxes(&mut sets);
    join_adjacent_rims(&mut sets);
    join_beside_portals(&mut sets, portal_sides);
    let mut root = sets.root;
    let mut parts: BTreeMap<u32, Vec<RoomHole>> = BTreeMap::new();
    for (hole, index) in holes.into_iter().zip(0..) {
        let part = find(&mut root, index);
        parts.entry(part).or_default().push(hole);
    }
    parts.into_values().filter_map(one_of).collect()
}

/// Joins holes into one that has all of their rims; `None` for an empty list.
fn one_of(mut holes: Vec<RoomHole>) -> Option<RoomHole> {
    if holes.len() <= 1 {
        return holes.pop();
    }
    let (room, mesh) = (
        holes.first()?.room,
        holes.iter().map(|hole| hole.mesh).min()?,
    );
    let (mut edges, mut points) = (Vec::new(), Vec::new());
    for hole in holes {
        edges.extend(hole.edges);
        points.extend(hole.points);
    }
    Some(of_edges(room, edges, points, mesh))
}

/// Holes in sets, with a tree of their edges. The holes of a set are one hole.
struct HoleSets<'a> {
    holes: &'a [RoomHole],
    /// Whether the rim of each hole is a loop.
    is_loop: Vec<bool>,
    root: Vec<u32>,
    /// All edges with the indices of their holes, and a tree of them.
    edges: Vec<([DVec3; 2], u32)>,
    tree: BoxTree,
}

impl<'a> HoleSets<'a> {
    fn of(holes: &'a [RoomHole]) -> Self {
        let edges = holes.iter().zip(0..);
        let edges =
            edges.flat_map(|(hole, index)| hole.edges.iter().map(move |edge| (*edge, index)));
        let edges: Vec<([DVec3; 2], u32)> = edges.collect();
        Self {
            is_loop: holes.iter().map(is_loop).collect(),
            root: (0..holes.len() as u32).collect(),
            tree: BoxTree::new(edges.iter().map(|(ends, _)| Aabb::around(*ends))),
            edges,
            holes,
        }
    }

    /// Joins the sets of two holes if the sets differ and the condition is true.
    fn join_if(&mut self, pair: [u32; 2], are_one: impl FnOnce() -> bool) {
        let [a, b] = pair.map(|hole| find(&mut self.root, hole));
        if a != b && are_one() {
            self.root[a.max(b) as usize] = a.min(b);
        }
    }

    /// The holes that have an edge with an end at a point, and whose rims are not loops.
    fn slits_at(&self, point: DVec3) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let near = Aabb::around([point]).grown(SAME_HOLE);
        self.tree.each_touching(&near, |edge| {
            let (ends, hole) = self.edges[edge as usize];
            let is_at = ends.iter().any(|end| end.distance(point) < SAME_HOLE);
            if is_at && !self.is_loop[hole as usize] {
                found.insert(hole);
            }
        });
        found
    }
}

/// Joins holes with nearly equal boxes. Example: a wall was moved away, so that the wall and the opening that it left
/// have equal rims.
fn join_equal_boxes(sets: &mut HoleSets) {
    let holes = sets.holes;
    let corners = BoxTree::new(holes.iter().map(|hole| Aabb::around([hole.bounds.min])));
    for (hole, index) in holes.iter().zip(0..) {
        let near = Aabb::around([hole.bounds.min]).grown(SAME_SLIT);
        corners.each_touching(&near, |other| {
            let pair = [hole, &holes[other as usize]];
            sets.join_if([index, other], || have_equal_boxes(pair));
        });
    }
}

fn have_equal_boxes([a, b]: [&RoomHole; 2]) -> bool {
    let is_around = |a: &RoomHole, b: &RoomHole| {
        let around = a.bounds.grown(SAME_SLIT);
        around.contains(b.bounds.min) && around.contains(b.bounds.max)
    };
    is_around(a, b) && is_around(b, a)
}

/// Joins holes where an edge of one ends on, or near, an edge of the other.
fn join_adjacent_rims(sets: &mut HoleSets) {
    let mut near = Vec::new();
    for index in 0..sets.edges.len() {
        let (ends, hole) = sets.edges[index];
        let is_loop = sets.is_loop[hole as usize];
        let reach = if is_loop { SAME_HOLE } else { SAME_SLIT };
        for end in ends {
            near.clear();
            let around = Aabb::around([end]).grown(reach);
            sets.tree.each_touching(&around, |edge| near.push(edge));
            for &edge in &near {
                let ([a, b], other) = sets.edges[edge as usize];
                let is_slit = !is_loop && !sets.is_loop[other as usize];
                let apart = if is_slit { SAME_SLIT } else { SAME_HOLE };
                sets.join_if([hole, other], || {
                    closest_on_segment(a, b, end).distance(end) < apart
                });
            }
        }
    }
}

/// Joins coplanar holes whose rims end at the two ends of a side of a portal.
fn join_beside_portals(sets: &mut HoleSets, portal_sides: &[[DVec3; 2]]) {
    let holes = sets.holes;
    for side in portal_sides {
        let [from, to] = side.map(|end| sets.slits_at(end));
        for &a in &from {
            for &b in &to {
                let pair = [a, b].map(|hole| &holes[hole as usize]);
                sets.join_if([a, b], || are_in_one_plane(pair));
            }
        }
    }
}

/// Whether each edge of a rim is continued by another edge.
fn is_loop(hole: &RoomHole) -> bool {
    let begins: BTreeSet<_> = hole.edges.iter().map(|[a, _]| corner(*a)).collect();
    hole.edges.iter().all(|[_, b]| begins.contains(&corner(*b)))
}

/// Whether the rims of two holes lie in one plane. A straight rim has no plane.
fn are_in_one_plane([a, b]: [&RoomHole; 2]) -> bool {
    let normals = [a, b].map(|hole| hole.area.normalize_or_zero());
    let lies_in = |hole: &RoomHole, normal: DVec3, at: DVec3| {
        let mut ends = hole.edges.iter().flatten();
        normal != DVec3::ZERO && ends.all(|end| (end - at).dot(normal).abs() < SAME_HOLE)
    };
    let [of_a, of_b] = normals;
    lies_in(a, of_b, b.centre) && lies_in(b, of_a, a.centre)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Whether two holes are one, computed from the distances between all pairs of their edges.
    fn are_one(a: &RoomHole, b: &RoomHole, sides: &[[DVec3; 2]]) -> bool {
        let is_slit = !is_loop(a) && !is_loop(b);
        let apart = if is_slit { 0.3 } else { 0.02 };
        let ends_on = |a: &RoomHole, b: &RoomHole| {
            a.edges.iter().flatten().any(|&end| {
                let mut edges = b.edges.iter();
                edges.any(|[from, to]| closest_on_segment(*from, *to, end).distance(end) < apart)
            })
        };
        let ends_at = |hole: &RoomHole, at: DVec3| {
            hole.edges
                .iter()
                .flatten()
                .any(|end| end.distance(at) < 0.02)
        };
        let is_between = |&[from, to]: &[DVec3; 2]| {
            ends_at(a, from) && ends_at(b, to) || ends_at(b, from) && ends_at(a, to)
        };
        let is_at_portal = is_slit && sides.iter().any(is_between) && are_in_one_plane([a, b]);
        is_at_portal || have_equal_boxes([a, b]) || ends_on(a, b) || ends_on(b, a)
    }

    /// Joins all pairs of holes that are one, until none is left.
    fn by_brute_force(mut holes: Vec<RoomHole>, sides: &[[DVec3; 2]]) -> Vec<RoomHole> {
        loop {
            let mut set: Vec<usize> = (0..holes.len()).collect();
            for a in 0..holes.len() {
                for b in a + 1..holes.len() {
                    if set[a] != set[b] && are_one(&holes[a], &holes[b], sides) {
                        let (from, to) = (set[a].max(set[b]), set[a].min(set[b]));
                        set.iter_mut()
                            .filter(|set| **set == from)
                            .for_each(|set| *set = to);
                    }
                }
            }
            let known = holes.len();
            let parts = (0..known).map(|part| {
                let own = holes.iter().zip(&set).filter(|(_, set)| **set == part);
                own.map(|(hole, _)| hole.clone()).collect()
            });
            holes = parts.filter_map(one_of).collect();
            if holes.len() == known {
                return holes;
            }
        }
    }

    fn sorted_edges(holes: &[RoomHole]) -> Vec<Vec<String>> {
        let edges = holes.iter().map(|hole| {
            let mut edges: Vec<String> = hole.edges.iter().map(|e| format!("{e:?}")).collect();
            edges.sort();
            edges
        });
        let mut edges: Vec<Vec<String>> = edges.collect();
        edges.sort();
        edges
    }

    #[test]
    fn the_joined_holes_are_those_of_all_pairs() {
        let mut rng = Rng::new(1);
        let (mut before, mut after) = (0, 0);
        for _ in 0..60 {
            let mut point = |size: f64| {
                let [x, z] = [0; 2].map(|_| rng.between(0.0, size));
                DVec3::new(x, 0.0, z)
            };
            let mut holes = Vec::new();
            for index in 0..24 {
                let at = point(6.0);
                let corners = [0; 3].map(|_| at + point(0.6));
                // Every third rim is a loop.
                let count = if index % 3 == 0 { 3 } else { 2 };
                let edges = (0..count).map(|k| [corners[k], corners[(k + 1) % 3]]);
                holes.push(of_edges(RoomId(0), edges.collect(), vec![at], index));
            }
            let sides: Vec<[DVec3; 2]> = (0..6)
                .map(|k| [k, k + 7].map(|hole: usize| holes[hole].edges[1][1]))
                .collect();
            let expected = by_brute_force(holes.clone(), &sides);
            let found = joined(holes.clone(), &sides);
            assert_eq!(sorted_edges(&found), sorted_edges(&expected));
            before += holes.len();
            after += found.len();
        }
        assert!(
            (before / 4..before * 3 / 4).contains(&after),
            "{before} {after}"
        );
    }
}
