//! Connected components of indexed triangles. Blended surfaces are sorted by distance when they are drawn, so each connected
//! component is drawn separately, or grouped with its neighbours if there are very many.

use std::ops::Range;

use bytemuck::NoUninit;
use glam::{DVec3, Vec3};

use super::Aabb;

/// A vertex of drawn triangles.
pub(crate) trait MeshVertex: NoUninit {
    /// The position, metres.
    fn position(&self) -> Vec3;
}

/// Sorts triangles into connected components, by their shared positions. Returns the index range of each component. The order
/// of the components, and of the triangles in them, depends only on the vertex data.
pub(crate) fn connected_components<C: MeshVertex>(
    vertices: &[C],
    indices: &mut [u32],
) -> Vec<Range<u32>> {
    let position = |&index: &u32| vertices[index as usize].position();
    let mut points: Vec<[u32; 3]> = indices.iter().map(|i| sortable(position(i))).collect();
    points.sort_unstable();
    points.dedup();
    let mut joined = UnionFind((0..points.len()).collect());
    let mut triangles: Vec<([usize; 3], [u32; 3])> = Vec::new();
    for triangle in indices.as_chunks::<3>().0 {
        let at = triangle.map(|i| points.partition_point(|p| *p < sortable(position(&i))));
        joined.join(at[0], at[1]);
        joined.join(at[1], at[2]);
        triangles.push((at, *triangle));
    }
    let first_of = joined.firsts();
    triangles.sort_by_cached_key(|(at, triangle)| {
        let mut corners = [0, 1, 2].map(|k| {
            let vertex: &[u8] = bytemuck::bytes_of(&vertices[triangle[k] as usize]);
            (at[k], vertex)
        });
        let least = (0..3).min_by_key(|&k| corners[k]).unwrap_or(0);
        corners.rotate_left(least);
        (first_of[at[0]], corners)
    });
    for (to, (_, triangle)) in indices.as_chunks_mut::<3>().0.iter_mut().zip(&triangles) {
        *to = *triangle;
    }
    let mut start = 0;
    let pieces = triangles.chunk_by(|(a, _), (b, _)| first_of[a[0]] == first_of[b[0]]);
    let ranges = pieces.map(|piece| {
        let first = start;
        start += 3 * piece.len() as u32;
        first..start
    });
    ranges.collect()
}

/// Merges neighbouring components until there are at most `most`, and reorders the triangles accordingly. With
/// thousands of components, draw calls cost more than individual sorting gains.
pub(crate) fn join_neighbours<C: MeshVertex>(
    vertices: &[C],
    indices: &mut [u32],
    pieces: Vec<Range<u32>>,
    most: usize,
) -> Vec<Range<u32>> {
    if pieces.len() <= most {
        return pieces;
    }
    let before = indices.to_vec();
    let of = |piece: &Range<u32>| &before[piece.start as usize..piece.end as usize];
    let centre = |piece: &Range<u32>| {
        let corners = of(piece).iter().map(|&i| vertices[i as usize].position());
        Aabb::around(corners.map(|p| p.as_dvec3())).centre()
    };
    let mut placed: Vec<(DVec3, Range<u32>)> =
        pieces.into_iter().map(|p| (centre(&p), p)).collect();
    let mut groups = Vec::new();
    cut(&mut placed, most, &mut groups);
    let mut end = 0;
    let ranges = groups.into_iter().map(|group| {
        group.sort_unstable_by_key(|(_, piece)| piece.start);
        let start = end;
        for (_, piece) in group {
            let to = end..end + piece.len();
            indices[to.clone()].copy_from_slice(of(piece));
            end = to.end;
        }
        start as u32..end as u32
    });
    ranges.collect()
}

/// Splits components, each with its centre, at the median into at most `most` groups.
fn cut<'a>(
    pieces: &'a mut [(DVec3, Range<u32>)],
    most: usize,
    groups: &mut Vec<&'a mut [(DVec3, Range<u32>)]>,
) {
    if most <= 1 || pieces.len() <= 1 {
        groups.push(pieces);
        return;
    }
    let around = Aabb::around(pieces.iter().map(|(centre, _)| *centre));
    let axis = (around.max - around.min).max_position();
    pieces.sort_unstable_by(|(a, piece), (b, other)| {
        let by_place = a[axis].total_cmp(&b[axis]);
        by_place.then(piece.start.cmp(&other.start))
    });
    let (lower, upper) = pieces.split_at_mut(pieces.len() / 2);
    cut(lower, most / 2, groups);
    cut(upper, most - most / 2, groups);
}

/// An integer key in the order of the coordinates.
fn sortable(point: Vec3) -> [u32; 3] {
    point.to_array().map(|x| {
        let bits = x.to_bits();
        bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }
    })
}

/// A union-find structure: for each point its parent, another point of its component that comes earlier; the first
/// point of a component is its own parent.
struct UnionFind(Vec<usize>);

impl UnionFind {
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
    }

    /// The first point of the component; shortens the path to it.
    fn first(&mut self, mut point: usize) -> usize {
        while self.0[point] != point {
            self.0[point] = self.0[self.0[point]];
            point = self.0[point];
        }
        point
    }

    /// The first point of each point's component.
    fn firsts(mut self) -> Vec<usize> {
        for point in 0..self.0.len() {
            self.0[point] = self.0[self.0[point]];
        }
        self.0
    }
}
