//! Connected components of a room's faces, and the closed ones among them, such as boxes that stand in it.
//!
//! A closed surface has winding number 0 around points outside of its box. So many boxes in a heap cost nothing for
//! points outside of them, whereas a tree of all their triangles would have to be traversed wherever they intersect.

use std::cell::Cell;
use std::f64::consts::PI;

use glam::DVec3;

use super::corners::{Corner, corner};
use crate::build::WindingTree;
use crate::geometry::{Aabb, BoxTree, Triangle, solid_angle};

/// Maximum number of triangles of a separate piece; larger pieces are part of the tree.
const MAX_TRIANGLES: usize = 256;

/// For each triangle the number of its connected component: triangles of a component share corners.
pub(super) fn components(triangles: &[Triangle]) -> Vec<u32> {
    let mut corners: Vec<(Corner, u32)> = Vec::with_capacity(3 * triangles.len());
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

/// The representative of an element's set, with path halving (R. Tarjan and J. van Leeuwen, 1984).
pub(super) fn find(root: &mut [u32], mut at: u32) -> u32 {
    while root[at as usize] != at {
        let above = root[root[at as usize] as usize];
        root[at as usize] = above;
        at = above;
    }
    at
}

/// The faces of each component.
#[derive(Debug)]
pub(super) struct FacesOfComponents(Vec<(u32, u32)>);

impl FacesOfComponents {
    /// Builds the lists; `component` is the component number of each face.
    pub(super) fn of(component: &[u32]) -> Self {
        let mut faces: Vec<(u32, u32)> = component.iter().copied().zip(0..).collect();
        faces.sort_unstable();
        Self(faces)
    }

    /// The faces of a component, in ascending order.
    pub(super) fn of_component(&self, component: u32) -> impl Iterator<Item = usize> {
        let first = self.0.partition_point(|(of, _)| *of < component);
        let faces = self.0[first..].iter();
        let faces = faces.take_while(move |(of, _)| *of == component);
        faces.map(|(_, face)| *face as usize)
    }
}

/// For each triangle of a scene, whether it belongs to a closed piece: a connected component in which each edge is
/// traversed equally often in both directions. `component` is the component number of each triangle.
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
    let mut edges: Vec<([Corner; 2], bool)> = Vec::with_capacity(3 * piece.len());
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

/// The winding numbers of triangles: closed pieces are evaluated separately, the others in a tree.
#[derive(Debug)]
pub(super) struct Windings {
    rest: WindingTree,
    pieces: Pieces,
}

/// Closed pieces.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    triangles: Vec<Triangle>,
    /// Start index of the triangles of each piece; a final entry is the end of the last.
    starts: Vec<u32>,
    /// The boxes around the pieces.
    boxes: BoxTree,
}

impl Windings {
    /// The winding numbers of the selected triangles. `component` and `closed` give the piece of each triangle, and
    /// whether it is closed; pieces that are only partly selected count as not closed.
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

    /// The winding number around a point, positive where the fronts face it.
    pub(super) fn turns(&self, point: DVec3) -> f64 {
        self.rest.turns(point, &Cell::new(0)) + self.pieces.turns(point)
    }
}

impl Pieces {
    /// The pieces with these faces. The number of a component is that of its first face.
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

    /// The triangles of boxes at random positions, the first box without its first face.
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
        // A piece with an excluded face is not closed.
        for left_out in [None, Some(20)] {
            let counts = |face: usize| Some(face) != left_out;
            let windings = Windings::of(&triangles, &component, &closed, counts);
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

    #[test]
    fn the_faces_of_a_component_are_those_with_its_number_in_their_order() {
        let mut rng = Rng::new(1);
        let component: Vec<u32> = (0..300).map(|_| rng.between(0.0, 20.0) as u32).collect();
        let faces = FacesOfComponents::of(&component);
        for of in 0..21 {
            let expected = (0..component.len()).filter(|&face| component[face] == of);
            assert!(faces.of_component(of).eq(expected));
        }
    }
}
