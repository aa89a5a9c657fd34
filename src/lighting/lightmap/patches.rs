//! Segmentation of drawn surfaces into patches that can be flattened without folding.

use std::cmp::Reverse;
use std::ops::Range;

use glam::{DVec3, Vec3};

use crate::geometry::{Plane, Triangle, comes_before};
use crate::level::{Draw, Level};

/// A triangle belongs to a patch's plane only if its corners are at most this far from the plane, metres: far less than
/// a texel, more than errors of f32 coordinates.
const FLATNESS: f64 = 1e-3;
/// The minimum cosine of the angle between the normals of the triangle and the plane: about 25 degrees. Without this
/// limit, a bevel no deeper than [`FLATNESS`] would belong to the plane at any angle.
const FLAT_COS: f64 = 0.9;
/// The minimum cosine between the normals of a patch: it bends by less than 45 degrees either way, so that its texels
/// are stretched by less than the root of two.
const BEND_COS: f64 = 0.708;
/// The cosine of 2.5 degrees: vertex normals that differ by less are equal, and the edge is smooth.
const SMOOTH_COS: f32 = 0.999;
/// The area, square metres, below which a triangle is degenerate: it has no reliable normal, and fills no pixel.
const DEGENERATE_AREA: f64 = 1e-9;
/// The maximum number of triangles at one edge that are compared: bounds the work in fans around one edge.
const MAX_AT_AN_EDGE: usize = 8;

/// Connected triangles that can be projected along `normal` without folding, except for spirals.
pub(super) struct SurfacePatch {
    /// The unit normal of the largest triangle.
    pub normal: DVec3,
    /// Triangles by number: corners are `3 * number..` in [`indices`](crate::level::LevelData::indices). The largest
    /// is first.
    pub triangles: Vec<u32>,
}

/// A triangle that is part of a surface.
struct SurfaceFacet {
    triangle: u32,
    normal: DVec3,
    /// The area, square metres.
    area: f64,
    /// The numbers of the corners' points.
    points: [u32; 3],
    /// The indices of the corners in [`vertices`](crate::level::LevelData::vertices).
    vertices: [u32; 3],
}

/// A half-edge of a facet, from one point to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HalfEdge {
    from: u32,
    to: u32,
    facet: u32,
    /// The corner of the facet at the start of the half-edge.
    corner: u32,
}

/// Cuts the lit surfaces among some draws into patches. Their order depends on coordinates only.
pub(super) fn patches(level: &Level, draws: &Range<u32>) -> Vec<SurfacePatch> {
    let facets = facets(level, draws);
    let edges = half_edges(&facets);
    let mut taken = vec![false; facets.len()];
    let mut patches = Vec::new();
    for seed in 0..facets.len() {
        if taken[seed] {
            continue;
        }
        taken[seed] = true;
        let mut patch = vec![seed];
        let mut next = 0;
        while next < patch.len() {
            let here = patch[next];
            next += 1;
            for corner in 0..3 {
                for edge in opposite(&facets[here], corner, &edges) {
                    let there = edge.facet as usize;
                    if !taken[there]
                        && (is_flat(level, &facets[seed], &facets[there])
                            || is_smooth(
                                level,
                                &facets[seed],
                                (&facets[here], corner),
                                edge,
                                &facets,
                            ))
                    {
                        taken[there] = true;
                        patch.push(there);
                    }
                }
            }
        }
        patches.push(SurfacePatch {
            normal: facets[seed].normal,
            triangles: patch.into_iter().map(|i| facets[i].triangle).collect(),
        });
    }
    patches
}

/// The half-edges of all facets, sorted.
fn half_edges(facets: &[SurfaceFacet]) -> Vec<HalfEdge> {
    let of_facet = |(facet, SurfaceFacet { points, .. }): (u32, &SurfaceFacet)| {
        let points = *points;
        (0..3).map(move |corner| HalfEdge {
            from: points[corner],
            to: points[(corner + 1) % 3],
            facet,
            corner: corner as u32,
        })
    };
    let mut edges: Vec<HalfEdge> = (0..).zip(facets).flat_map(of_facet).collect();
    edges.sort_unstable();
    edges
}

/// The triangles of some draws that are lit and not degenerate, the largest first.
fn facets(level: &Level, draws: &Range<u32>) -> Vec<SurfaceFacet> {
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let lit: Vec<u32> = draws
        .iter()
        .filter(|draw| is_lit(level, draw))
        .flat_map(|draw| draw.indices.start / 3..draw.indices.end / 3)
        .collect();
    let mut keys: Vec<[u32; 3]> = lit
        .iter()
        .flat_map(|&triangle| vertices_of(level, triangle))
        .map(|vertex| key(level, vertex))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let mut facets: Vec<SurfaceFacet> = lit
        .iter()
        .filter_map(|&triangle| facet(level, triangle, &keys))
        .collect();
    facets.sort_by_key(|facet| {
        // The bits of non-negative floats have the same order as the floats.
        (Reverse(facet.area.to_bits()), facet.points, facet.triangle)
    });
    facets
}

fn facet(level: &Level, triangle: u32, keys: &[[u32; 3]]) -> Option<SurfaceFacet> {
    let vertices = vertices_of(level, triangle);
    let corners = corners_of(level, triangle);
    let cross = corners.cross();
    let area = cross.length() * 0.5;
    let normal = cross.try_normalize().filter(|_| area > DEGENERATE_AREA)?;
    let points =
        vertices.map(|vertex| keys.partition_point(|other| *other < key(level, vertex)) as u32);
    Some(SurfaceFacet {
        triangle,
        normal,
        area,
        points,
        vertices,
    })
}

/// The draws of each room and each mover.
pub(super) fn sets(level: &Level) -> Vec<Range<u32>> {
    let rooms = level.rooms.iter().map(|room| room.draws.clone());
    let movers = level.movers.iter().map(|mover| mover.draws.clone());
    rooms.chain(movers).collect()
}

/// Whether the material of these triangles is affected by light.
pub(super) fn is_lit(level: &Level, draw: &Draw) -> bool {
    let material = &level.materials[draw.material as usize];
    !material.sky && !material.unlit
}

/// The vertices of a triangle, rotated so that the one with the least position is first: results do not depend on the
/// order in the file.
pub(super) fn vertices_of(level: &Level, triangle: u32) -> [u32; 3] {
    let first = 3 * triangle as usize;
    let [a, b, c] = [0, 1, 2].map(|i| level.indices[first + i]);
    let [at_a, at_b, at_c] = [a, b, c].map(|i| level.vertices[i as usize].position.as_dvec3());
    if comes_before(at_b, at_a) && !comes_before(at_c, at_b) {
        [b, c, a]
    } else if comes_before(at_c, at_a) {
        [c, a, b]
    } else {
        [a, b, c]
    }
}

/// The corners of a triangle, in the room's coordinates.
pub(in crate::lighting) fn corners_of(level: &Level, triangle: u32) -> Triangle {
    let corners = vertices_of(level, triangle);
    Triangle {
        corners: corners.map(|i| level.vertices[i as usize].position.as_dvec3()),
    }
}

/// The bits of a vertex's position, with negative zeros as positive ones.
fn key(level: &Level, vertex: u32) -> [u32; 3] {
    let position = level.vertices[vertex as usize].position + Vec3::ZERO;
    position.to_array().map(f32::to_bits)
}

/// The half-edges opposite to the half-edge of `facet` that starts at this corner.
fn opposite<'a>(
    facet: &SurfaceFacet,
    corner: usize,
    edges: &'a [HalfEdge],
) -> impl Iterator<Item = &'a HalfEdge> {
    let [to, from] = [corner, (corner + 1) % 3].map(|i| facet.points[i]);
    let first = edges.partition_point(|edge| (edge.from, edge.to) < (from, to));
    let same = edges[first..].iter().take(MAX_AT_AN_EDGE);
    same.take_while(move |edge| (edge.from, edge.to) == (from, to))
}

/// Whether a facet lies in the plane of the patch of `seed`.
fn is_flat(level: &Level, seed: &SurfaceFacet, there: &SurfaceFacet) -> bool {
    let at = level.vertices[seed.vertices[0] as usize].position;
    let plane = Plane::through(at.as_dvec3(), seed.normal);
    let corners = corners_of(level, there.triangle).corners;
    seed.normal.dot(there.normal) > FLAT_COS
        && corners.iter().all(|&p| plane.distance(p).abs() < FLATNESS)
}

/// Whether the patch of `seed` continues smoothly across an edge of the facet `here`.
fn is_smooth(
    level: &Level,
    seed: &SurfaceFacet,
    (here, corner): (&SurfaceFacet, usize),
    edge: &HalfEdge,
    facets: &[SurfaceFacet],
) -> bool {
    let there = &facets[edge.facet as usize];
    let normal = |facet: &SurfaceFacet, corner: usize| {
        let vertex = facet.vertices[corner % 3];
        level.vertices[vertex as usize].normal.unpack()
    };
    let start = edge.corner as usize;
    let ends = [(corner, start + 1), (corner + 1, start)];
    seed.normal.dot(there.normal) > BEND_COS
        && ends
            .iter()
            .all(|&(a, b)| normal(here, a).dot(normal(there, b)) > SMOOTH_COS)
}

#[cfg(test)]
mod tests {
    use super::super::tests::hostile::fan;
    use super::*;

    /// Regression test: each triangle at an edge was compared with all others.
    #[test]
    fn in_a_fan_around_one_edge_each_triangle_is_compared_with_a_few_others() {
        let level = fan(5_000);
        let facets = facets(&level, &level.rooms[0].draws);
        let edges = half_edges(&facets);
        let compared = facets.iter().map(|facet| {
            let at = (0..3).map(|corner| opposite(facet, corner, &edges).count());
            at.max().unwrap_or(0)
        });
        let compared: Vec<usize> = compared.collect();
        assert!(compared.len() > 9_000);
        assert_eq!(compared.iter().max(), Some(&MAX_AT_AN_EDGE));
    }
}
