//! Packing: canonical order, order of place, clusters.

use std::cmp::Ordering;

use glam::Vec3;

use super::edges::{EdgeKind, edge_kinds, encode};
use super::{
    CLUSTER, CLUSTER_SURFACES, Cluster, EDGE_CODES, GROUP, PackedTriangle, SolidSet, Solids,
    Surface,
};
use crate::geometry::Aabb32;

/// Triangles that are to become a set.
#[derive(Debug, Default)]
pub(in crate::level) struct Soup {
    triangles: Vec<Loose>,
}

/// A triangle on its way into a set.
#[derive(Clone, Copy, Debug)]
struct Loose {
    corners: [Vec3; 3],
    material: u32,
    /// Index into [`Solids::surfaces`].
    surface: u32,
    two_sided: bool,
}

/// A triangle ready for its cluster.
#[derive(Clone, Copy, Debug)]
struct Ready {
    /// Indices into the points of the set.
    corners: [u32; 3],
    surface: u32,
    edges: [EdgeKind; 3],
}

/// The points of a set while its clusters are packed.
struct Packed {
    points: Vec<Vec3>,
    /// For each point the cluster that it was last packed into, and its index there.
    in_cluster: Vec<(u32, u8)>,
}

impl Soup {
    /// Adds a triangle, its front counter-clockwise, of the surface with this index;
    /// `two_sided` where it is solid from behind too.
    pub(in crate::level) fn push(
        &mut self,
        corners: [Vec3; 3],
        solids: &Solids,
        surface: u32,
        two_sided: bool,
    ) {
        self.triangles.push(Loose {
            corners,
            material: solids.surfaces[surface as usize].material,
            surface,
            two_sided,
        });
    }

    /// How many triangles it has.
    pub(in crate::level) fn len(&self) -> usize {
        self.triangles.len()
    }
}

impl Solids {
    /// The index of the surface of a material on a node; the last one asked for is found again.
    pub(in crate::level) fn surface(&mut self, material: u32, node: &str) -> u32 {
        if self.nodes.last().is_none_or(|last| last != node) {
            self.nodes.push(node.to_owned());
        }
        let surface = Surface {
            material,
            node: self.nodes.len() as u32 - 1,
        };
        if self.surfaces.last() != Some(&surface) {
            self.surfaces.push(surface);
        }
        self.surfaces.len() as u32 - 1
    }

    /// Packs a soup. Identical triangles of one material are kept once.
    pub(in crate::level) fn append(&mut self, soup: Soup) -> SolidSet {
        let mut triangles = soup.triangles;
        for triangle in &mut triangles {
            let corners = &mut triangle.corners;
            let least = (0..3).min_by(|&a, &b| by_coordinates(corners[a], corners[b]));
            corners.rotate_left(least.unwrap_or(0));
        }
        triangles.sort_by(canonical);
        triangles.dedup_by(|a, b| canonical(a, b).is_eq());
        let mut keyed: Vec<([f32; 3], u32)> = (0..)
            .zip(&triangles)
            .map(|(i, t)| ((t.corners[0] + t.corners[1] + t.corners[2]).to_array(), i))
            .collect();
        in_order_of_place(&mut keyed);
        let mut set = SolidSet {
            triangles: self.triangles.len() as u32..0,
            clusters: self.clusters.len() as u32..0,
            upper: self.upper.len() as u32,
        };
        let mut points: Vec<Vec3> = triangles.iter().flat_map(|t| t.corners).collect();
        points.sort_unstable_by(|a, b| by_coordinates(*a, *b));
        points.dedup();
        let index = |p: Vec3| {
            let at = points.binary_search_by(|q| by_coordinates(*q, p));
            at.unwrap_or_else(|at| at) as u32
        };
        let corners: Vec<[u32; 3]> = triangles.iter().map(|t| t.corners.map(index)).collect();
        let two_sided: Vec<bool> = triangles.iter().map(|t| t.two_sided).collect();
        let edges = edge_kinds(&points, &corners, &two_sided);
        let ready = keyed.iter().map(|&(_, i)| Ready {
            corners: corners[i as usize],
            surface: triangles[i as usize].surface,
            edges: edges[i as usize],
        });
        let ready: Vec<Ready> = ready.collect();
        let mut packed = Packed {
            in_cluster: vec![(u32::MAX, 0); points.len()],
            points,
        };
        let mut rest = &ready[..];
        while !rest.is_empty() {
            rest = &rest[self.append_cluster(&mut packed, rest)..];
        }
        set.triangles.end = self.triangles.len() as u32;
        set.clusters.end = self.clusters.len() as u32;
        self.append_upper(&set);
        set
    }

    /// Packs the first triangles into a cluster; returns how many it took.
    fn append_cluster(&mut self, packed: &mut Packed, triangles: &[Ready]) -> usize {
        let (first_point, first_slot) = (self.points.len(), self.slots.len());
        let this = self.clusters.len() as u32;
        let first_group = self.groups.len();
        let first_triangle = self.triangles.len() as u32;
        let mut taken = 0;
        for triangle in triangles.iter().take(CLUSTER) {
            let slots = &self.slots[first_slot..];
            let slot = slots.iter().position(|&s| s == triangle.surface);
            if slot.is_none() && slots.len() == CLUSTER_SURFACES {
                break;
            }
            let slot = slot.unwrap_or_else(|| {
                self.slots.push(triangle.surface);
                self.slots.len() - 1 - first_slot
            });
            let corners = triangle.corners.map(|i| {
                let (cluster, local) = &mut packed.in_cluster[i as usize];
                if *cluster != this {
                    (*cluster, *local) = (this, (self.points.len() - first_point) as u8);
                    self.points.push(packed.points[i as usize]);
                }
                *local
            });
            self.triangles.push(PackedTriangle {
                corners,
                tag: slot as u8 * EDGE_CODES + encode(triangle.edges),
            });
            taken += 1;
        }
        for group in triangles[..taken].chunks(GROUP) {
            let corners = group.iter().flat_map(|t| t.corners);
            let points = corners.map(|i| packed.points[i as usize]);
            self.groups
                .push(around(points.map(|p| Aabb32 { min: p, max: p })));
        }
        self.clusters.push(Cluster {
            bounds: around(self.groups[first_group..].iter().copied()),
            first_triangle,
            first_point: first_point as u32,
            first_group: first_group as u32,
            first_slot: first_slot as u32,
        });
        taken
    }

    /// Adds the boxes above the clusters of a set, level by level until few are left.
    fn append_upper(&mut self, set: &SolidSet) {
        let clusters = &self.clusters[set.clusters.start as usize..set.clusters.end as usize];
        let mut level: Vec<Aabb32> = clusters.iter().map(|c| c.bounds).collect();
        while level.len() > GROUP {
            let boxes = level.chunks(GROUP);
            level = boxes.map(|boxes| around(boxes.iter().copied())).collect();
            self.upper.extend(&level);
        }
    }
}

const EMPTY: Aabb32 = Aabb32 {
    min: Vec3::INFINITY,
    max: Vec3::NEG_INFINITY,
};

fn around(boxes: impl Iterator<Item = Aabb32>) -> Aabb32 {
    boxes.fold(EMPTY, |a, b| Aabb32 {
        min: a.min.min(b.min),
        max: a.max.max(b.max),
    })
}

/// Puts neighbours together: halves what is there across its longest side, in whole clusters or
/// groups, and so on. What lies in the same place keeps its order.
fn in_order_of_place(keyed: &mut [([f32; 3], u32)]) {
    let n = keyed.len();
    if n <= GROUP {
        keyed.sort_unstable_by_key(|&(_, index)| index);
        return;
    }
    let unit = if n > CLUSTER { CLUSTER } else { GROUP };
    let half = (n / 2).div_ceil(unit) * unit;
    let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (centre, _) in &*keyed {
        for axis in 0..3 {
            min[axis] = min[axis].min(centre[axis]);
            max[axis] = max[axis].max(centre[axis]);
        }
    }
    let extent = |axis: usize| max[axis] - min[axis];
    let axis = (1..3).fold(0, |a, b| if extent(b) > extent(a) { b } else { a });
    keyed.select_nth_unstable_by(half, |(a, i), (b, j)| {
        a[axis].total_cmp(&b[axis]).then(i.cmp(j))
    });
    let (low, high) = keyed.split_at_mut(half);
    in_order_of_place(low);
    in_order_of_place(high);
}

/// An order of triangles that follows from their corners and materials alone.
fn canonical(a: &Loose, b: &Loose) -> Ordering {
    let corners = a.corners.iter().zip(&b.corners);
    corners
        .map(|(&a, &b)| by_coordinates(a, b))
        .fold(Ordering::Equal, Ordering::then)
        .then(a.material.cmp(&b.material))
}

/// Lexicographic order of coordinates; they are finite, and there is no -0.
fn by_coordinates(a: Vec3, b: Vec3) -> Ordering {
    let by_x = a.x.total_cmp(&b.x);
    by_x.then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
}
