//! Connected components of a room's faces, and the closed components among them, such as boxes that stand in the room.
//!
//! The winding number of a closed surface is 0 around points outside the surface's bounding box. So the boxes of a heap
//! cost nothing for points outside them. A single tree of all triangles would have to be traversed wherever boxes
//! intersect.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::f64::consts::PI;

use glam::DVec3;

use super::corners::{GridCorner, corner};
use crate::build::WindingTree;
use crate::geometry::{Aabb, BoxTree, Triangle, solid_angle};

/// Maximum number of triangles of a component that is evaluated separately; larger components are in the tree.
const MAX_TRIANGLES: usize = 256;

/// For each triangle the number of its connected component. Triangles with a common corner are connected.
pub(super) fn components(triangles: &[Triangle]) -> Vec<u32> {
    let mut corners: Vec<(GridCorner, u32)> = Vec::with_capacity(3 * triangles.len());
    for (triangle, face) in triangles.iter().zip(0..) {
        corners.extend(triangle.corners.map(|p| (corner(p), face)));
    }
    corners.sort_unstable();
    let mut root: Vec<u32> = (0..triangles.len() as u32).collect();
    for pair in corners.windows(2) {
        if pair[0].0 == pair[1].0 {
            let [a, b] = [pair[0].1, pair[1].1].map(|face| find(&mut root, face));
            root[a.max(b) as usize] = a.min(b);
        }
    }
    (0..triangles.len() as u32)
        .map(|face| find(&mut root, face))
        .collect()
}

/// The representative of an element's set (union-find), with path halving (R. Tarjan and J. van Leeuwen, 1984).
pub(super) fn find(root: &mut [u32], mut at: u32) -> u32 {
    while root[at as usize] != at {
        let above = root[root[at as usize] as usize];
        root[at as usize] = above;
        at = above;
    }
    at
}

/// The winding numbers of components. Large components are in trees: the winding number of a wall with thousands of
/// openings is computed at each of them.
#[derive(Debug)]
pub(super) struct ComponentWindings {
    /// The counted faces, each as component and face number; sorted.
    faces: Vec<(u32, u32)>,
    trees: BTreeMap<u32, WindingTree>,
}

impl ComponentWindings {
    /// Prepares the winding numbers of the faces for which `counts` is true. `component` has the component number of
    /// each triangle.
    pub(super) fn of(
        triangles: &[Triangle],
        component: &[u32],
        counts: impl Fn(usize) -> bool,
    ) -> Self {
        let faces = component.iter().copied().zip(0..);
        let mut faces: Vec<(u32, u32)> = faces.filter(|(_, f)| counts(*f as usize)).collect();
        faces.sort_unstable();
        let parts = faces.chunk_by(|a, b| a.0 == b.0);
        let large = parts.filter(|part| part.len() > MAX_TRIANGLES);
        let tree = |part: &[(u32, u32)]| {
            let own = part.iter().map(|(_, face)| triangles[*face as usize]);
            (part[0].0, WindingTree::of(own.collect()))
        };
        let trees = large.map(tree).collect();
        Self { faces, trees }
    }

    /// The winding number of a component around a point. Adds the number of evaluated terms to `work`.
    pub(super) fn turns(
        &self,
        triangles: &[Triangle],
        component: u32,
        point: DVec3,
        work: &Cell<u64>,
    ) -> f64 {
        if let Some(tree) = self.trees.get(&component) {
            return tree.turns(point, work);
        }
        let faces = self.faces_of(component);
        work.set(work.get() + faces.len() as u64);
        let own = faces.iter().map(|(_, face)| &triangles[*face as usize]);
        own.map(|t| solid_angle(t, point)).sum::<f64>() / (4.0 * PI)
    }

    /// The faces of a component, in ascending order.
    fn faces_of(&self, component: u32) -> &[(u32, u32)] {
        let first = self.faces.partition_point(|(of, _)| *of < component);
        let end = self.faces.partition_point(|(of, _)| *of <= component);
        &self.faces[first..end]
    }
}

/// For each triangle of a scene, whether its component is closed: each edge is traversed equally often in both
/// directions. `component` has the component number of each triangle. Components of more than `MAX_TRIANGLES` count as
/// not closed.
pub(super) fn closed(triangles: &[Triangle], component: &[u32]) -> Vec<bool> {
    let mut faces: Vec<(u32, u32)> = component.iter().copied().zip(0..).collect();
    faces.sort_unstable();
    let mut closed = vec![false; triangles.len()];
    for piece in faces.chunk_by(|a, b| a.0 == b.0) {
        if piece.len() <= MAX_TRIANGLES && is_closed(triangles, piece) {
            for &(_, face) in piece {
                closed[face as usize] = true;
            }
        }
    }
    closed
}

fn is_closed(triangles: &[Triangle], piece: &[(u32, u32)]) -> bool {
    let mut edges: Vec<([GridCorner; 2], bool)> = Vec::with_capacity(3 * piece.len());
    for &(_, face) in piece {
        let corners = triangles[face as usize].corners.map(corner);
        for k in 0..3 {
            let [a, b] = [corners[k], corners[(k + 1) % 3]];
            if a != b {
                edges.push(if a < b {
                    ([a, b], true)
                } else {
                    ([b, a], false)
                });
            }
        }
    }
    edges.sort_unstable();
    let mut same = edges.chunk_by(|a, b| a.0 == b.0);
    same.all(|edge| 2 * edge.iter().filter(|(_, forwards)| *forwards).count() == edge.len())
}

/// The winding numbers of triangles. Each closed component is evaluated separately, and all others together in a tree.
#[derive(Debug)]
pub(super) struct PieceWindings {
    rest: WindingTree,
    pieces: Pieces,
}

/// Closed components.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    triangles: Vec<Triangle>,
    /// Index of the first triangle of each component. The last entry is the total number of triangles.
    starts: Vec<u32>,
    /// The bounding boxes of the components.
    boxes: BoxTree,
}

impl PieceWindings {
    /// Prepares the winding numbers of the triangles for which `counts` is true. `component` and `closed` have for each
    /// triangle the number of its component, and whether that is closed. A component that is only partly selected
    /// counts as not closed.
    pub(super) fn of(
        triangles: &[Triangle],
        component: &[u32],
        closed: &[bool],
        counts: impl Fn(usize) -> bool,
    ) -> Self {
        let mut whole = closed.to_vec();
        for (face, of) in component.iter().enumerate() {
            if closed[face] && !counts(face) {
                whole[*of as usize] = false;
            }
        }
        let is_whole = |face: usize| closed[face] && whole[component[face] as usize];
        let rest = (0..triangles.len()).filter(|&face| counts(face) && !is_whole(face));
        let of_pieces = (0..triangles.len()).filter(|&face| is_whole(face));
        Self {
            rest: WindingTree::of(rest.map(|face| triangles[face]).collect()),
            pieces: Pieces::of(triangles, component, of_pieces),
        }
    }

    /// The winding number around a point; positive around points that see the fronts.
    pub(super) fn turns(&self, point: DVec3) -> f64 {
        self.rest.turns(point, &Cell::new(0)) + self.pieces.turns(point)
    }
}

impl Pieces {
    /// The components that consist of these faces. A component has the number of its first face.
    fn of(triangles: &[Triangle], component: &[u32], faces: impl Iterator<Item = usize>) -> Self {
        let mut faces: Vec<(u32, u32)> = faces.map(|f| (component[f], f as u32)).collect();
        faces.sort_unstable();
        let mut pieces = Self::default();
        let mut boxes = Vec::new();
        for piece in faces.chunk_by(|a, b| a.0 == b.0) {
            pieces.starts.push(pieces.triangles.len() as u32);
            let own = piece.iter().map(|(_, face)| triangles[*face as usize]);
            pieces.triangles.extend(own.clone());
            boxes.push(Aabb::around(own.flat_map(|t| t.corners)));
        }
        pieces.starts.push(pieces.triangles.len() as u32);
        pieces.boxes = BoxTree::new(boxes);
        pieces
    }

    fn turns(&self, point: DVec3) -> f64 {
        let mut angle = 0.0;
        self.boxes.each_touching(&Aabb::around([point]), |piece| {
            let [first, end] = [piece, piece + 1].map(|at| self.starts[at as usize] as usize);
            let own = self.triangles[first..end].iter();
            angle += own.map(|t| solid_angle(t, point)).sum::<f64>();
        });
        angle / (4.0 * PI)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::Sketch;
    use crate::rng::Rng;

    /// The triangles of boxes at random positions. The first triangle is removed, so that one box is open.
    fn heap(rng: &mut Rng) -> Vec<Triangle> {
        let mut sketch = Sketch::new("heap");
        let room = sketch.room("heap");
        for _ in 0..40 {
            let min = DVec3::from([0; 3].map(|_| rng.between(-5.0, 5.0)));
            let max = min + DVec3::from([0; 3].map(|_| rng.between(0.1, 4.0)));
            sketch.furniture(room, 0, Aabb { min, max });
        }
        let corners = |mesh: &crate::source::MeshSource| {
            let corner = |i: u32| mesh.positions[i as usize];
            let corners = mesh.triangles.iter().map(|t| t.map(corner));
            corners.map(|corners| Triangle { corners }).collect()
        };
        let all: Vec<Triangle> = sketch
            .source
            .meshes
            .iter()
            .flat_map(|mesh| -> Vec<_> { corners(mesh) })
            .collect();
        all[1..].to_vec()
    }

    #[test]
    fn pieces_and_the_rest_wind_as_the_sum_over_all_triangles() {
        let mut rng = Rng::new(1);
        let triangles = heap(&mut rng);
        let component = components(&triangles);
        let closed = closed(&triangles, &component);
        assert_eq!(closed.iter().filter(|is| !**is).count(), 11);
        // A component without one of its faces is not closed.
        for left_out in [None, Some(20)] {
            let counts = |face: usize| Some(face) != left_out;
            let windings = PieceWindings::of(&triangles, &component, &closed, counts);
            for _ in 0..200 {
                let point = DVec3::from([0; 3].map(|_| rng.between(-6.0, 10.0)));
                let counting = (0..triangles.len()).filter(|&face| counts(face));
                let angle: f64 = counting
                    .map(|face| solid_angle(&triangles[face], point))
                    .sum();
                let found = windings.turns(point);
                assert!(
                    (found - angle / (4.0 * PI)).abs() < 1e-2,
                    "{found} at {point}"
                );
            }
        }
    }

    /// Regression test: at each portal, the winding number of the wall was summed over all of the wall's faces, so that
    /// the check of 4,096 portals between two rooms took 29 s.
    #[test]
    fn components_wind_as_the_sum_over_their_triangles_and_large_ones_in_logarithmic_work() {
        let wall = |cells: u32| {
            let at = |i: u32, k: u32| DVec3::new(0.0, f64::from(i), f64::from(k));
            let cells = (0..cells * cells).map(move |cell| (cell / cells, cell % cells));
            cells.flat_map(move |(i, k)| {
                let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
                [[a, b, c], [a, c, d]].map(|corners| Triangle { corners })
            })
        };
        let mut works = Vec::new();
        for cells in [32, 64, 128] {
            let apart = wall(2).map(|t| Triangle {
                corners: t.corners.map(|p| p + DVec3::X),
            });
            let triangles: Vec<Triangle> = wall(cells).chain(apart).collect();
            let component = components(&triangles);
            let windings = ComponentWindings::of(&triangles, &component, |face| face != 3);
            let mut rng = Rng::new(1);
            let work = Cell::new(0);
            for _ in 0..50 {
                let mut part = || rng.between(0.0, f64::from(cells));
                let point = DVec3::new(0.3, part(), part());
                for of in [0, component[triangles.len() - 1]] {
                    let faces = (0..triangles.len()).filter(|&f| f != 3 && component[f] == of);
                    let angle: f64 = faces.map(|f| solid_angle(&triangles[f], point)).sum();
                    let found = windings.turns(&triangles, of, point, &work);
                    assert!(
                        (found - angle / (4.0 * PI)).abs() < 1e-2,
                        "{found} at {point}"
                    );
                }
            }
            works.push(work.get());
        }
        // Each wall has four times as many faces as the one before.
        assert!(
            works.windows(2).all(|two| two[1] < two[0] * 3 / 2),
            "{works:?}"
        );
    }
}
