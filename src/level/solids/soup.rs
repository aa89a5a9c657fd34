//! Triangle soups, the input of a set. A soup becomes a mesh with welded corners, canonical order and classified
//! edges.

use glam::{DVec3, Vec3};

use super::TriangleSource;
use super::edges::{EdgeFacet, EdgeKind, edge_kinds};
use super::sorting::{in_buckets, ordered};

/// Triangles with a height below this, in metres, are degenerate: nothing can stand on them or hit them.
const MIN_HEIGHT: f64 = 1e-6;

/// A soup of triangles, the input of a set.
#[derive(Debug, Default)]
pub(crate) struct Soup {
    /// Corners in the room's coordinates, finite and without -0; duplicates are allowed.
    points: Vec<Vec3>,
    triangles: Vec<Loose>,
    without_area: usize,
}

/// A triangle of a soup.
#[derive(Clone, Copy, Debug)]
struct Loose {
    /// Indices into the soup's points.
    corners: [u32; 3],
    surface: TriangleSource,
    two_sided: bool,
}

/// The mesh of a soup: each point and each triangle once, in an order that depends only on coordinates and materials.
#[derive(Debug, Default)]
pub(super) struct SoupMesh {
    /// Points, sorted by x, then y, then z.
    pub points: Vec<Vec3>,
    /// Triangles, sorted by their corners, then by material.
    pub triangles: Vec<MeshTriangle>,
}

/// A triangle of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshTriangle {
    /// Indices into the mesh's points; the smallest index comes first.
    pub corners: [u32; 3],
    pub surface: TriangleSource,
    pub edges: [EdgeKind; 3],
}

impl Soup {
    /// Adds triangles as corner indices into `points`, counter-clockwise as seen from the front, all with one
    /// surface. `two_sided` is whether their backs are solid too. Degenerate triangles are dropped.
    pub(crate) fn add(
        &mut self,
        points: impl Iterator<Item = Vec3>,
        triangles: &[[u32; 3]],
        surface: TriangleSource,
        two_sided: bool,
    ) {
        let base = self.points.len() as u32;
        self.points.extend(points);
        for corners in triangles {
            let corners = corners.map(|i| base + i);
            if has_area(corners.map(|i| self.points[i as usize].as_dvec3())) {
                self.triangles.push(Loose {
                    corners,
                    surface,
                    two_sided,
                });
            } else {
                self.without_area += 1;
            }
        }
    }

    /// The number of triangles.
    pub(super) fn len(&self) -> usize {
        self.triangles.len()
    }

    /// The number of dropped degenerate triangles.
    pub(super) fn without_area(&self) -> usize {
        self.without_area
    }

    /// Welds corners and drops duplicate triangles.
    pub(super) fn mesh(&self) -> SoupMesh {
        let (points, joined) = join(&self.points);
        // Of equal triangles with one material, the first is stored.
        let keys: Vec<[u32; 5]> = (0..)
            .zip(&self.triangles)
            .map(|(index, loose)| {
                let [a, b, c] = least_first(loose.corners.map(|i| joined[i as usize]));
                [a, b, c, loose.surface.material, index]
            })
            .collect();
        let mut keys = in_buckets(&keys, points.len(), |key| key[0]);
        keys.dedup_by(|a, b| a[..4] == b[..4]);
        let loose = |key: &[u32; 5]| &self.triangles[key[4] as usize];
        let corners: Vec<[u32; 3]> = keys.iter().map(|&[a, b, c, ..]| [a, b, c]).collect();
        let facets = corners.iter().zip(&keys).map(|(corners, key)| {
            let corners = corners.map(|i| points[i as usize].as_dvec3());
            EdgeFacet::new(corners, loose(key).two_sided)
        });
        let edges = edge_kinds(points.len(), &corners, &facets.collect::<Vec<_>>());
        let triangles = corners.iter().zip(&keys).zip(&edges);
        let triangles = triangles.map(|((&corners, key), &edges)| MeshTriangle {
            corners,
            surface: loose(key).surface,
            edges,
        });
        SoupMesh {
            triangles: triangles.collect(),
            points,
        }
    }
}

/// Whether the height of a triangle over its longest edge is at least [`MIN_HEIGHT`].
fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let squares = [ab, bc, ca].map(DVec3::length_squared);
    let longest = squares[0].max(squares[1]).max(squares[2]);
    ab.cross(ca).length_squared() > MIN_HEIGHT * MIN_HEIGHT * longest * longest
}

fn least_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// The distinct points, sorted by coordinates, and the index among them of each input point.
fn join(points: &[Vec3]) -> (Vec<Vec3>, Vec<u32>) {
    let keys = (0u32..).zip(points).map(|(index, point)| {
        let [x, y, z] = point.to_array().map(|c| u128::from(ordered(c)));
        x << 96 | y << 64 | z << 32 | u128::from(index)
    });
    let mut keys: Vec<u128> = keys.collect();
    keys.sort_unstable();
    let mut different = Vec::with_capacity(points.len());
    let mut numbers = vec![0; points.len()];
    for equal in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        for &key in equal {
            numbers[key as u32 as usize] = different.len() as u32;
        }
        different.push(points[equal[0] as u32 as usize]);
    }
    (different, numbers)
}
