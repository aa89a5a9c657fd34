//! Packing: canonical order, order of place, clusters.

use std::cmp::Ordering;

use glam::Vec3;

use super::{CLUSTER, CLUSTER_SURFACES, Cluster, GROUP, PackedTriangle, SolidSet, Solids, Surface};
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
}

impl Soup {
    /// Adds a triangle, its front counter-clockwise, of the surface with this index.
    pub(in crate::level) fn push(&mut self, corners: [Vec3; 3], solids: &Solids, surface: u32) {
        self.triangles.push(Loose {
            corners,
            material: solids.surfaces[surface as usize].material,
            surface,
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
        let ordered: Vec<Loose> = keyed.iter().map(|&(_, i)| triangles[i as usize]).collect();
        let mut rest = &ordered[..];
        while !rest.is_empty() {
            rest = &rest[self.append_cluster(rest)..];
        }
        set.triangles.end = self.triangles.len() as u32;
        set.clusters.end = self.clusters.len() as u32;
        self.append_upper(&set);
        set
    }

    /// Packs the first triangles into a cluster; returns how many it took.
    fn append_cluster(&mut self, triangles: &[Loose]) -> usize {
        let (first_point, first_slot) = (self.points.len(), self.slots.len());
        let cluster = Cluster {
            bounds: EMPTY,
            first_triangle: self.triangles.len() as u32,
            first_point: first_point as u32,
            first_group: self.groups.len() as u32,
            first_slot: first_slot as u32,
        };
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
            let corners = triangle.corners.map(|p| {
                let points = &self.points[first_point..];
                let known = points.iter().rposition(|&q| q == p);
                known.unwrap_or_else(|| {
                    self.points.push(p);
                    self.points.len() - 1 - first_point
                }) as u8
            });
            self.triangles.push(PackedTriangle {
                corners,
                slot: slot as u8,
            });
            taken += 1;
        }
        for group in triangles[..taken].chunks(GROUP) {
            let corners = group.iter().flat_map(|t| &t.corners);
            self.groups
                .push(around(corners.map(|&p| Aabb32 { min: p, max: p })));
        }
        let groups = self.groups[cluster.first_group as usize..].iter();
        let bounds = around(groups.copied());
        self.clusters.push(Cluster { bounds, ..cluster });
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
