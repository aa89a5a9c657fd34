//! Packing: spatial order, clusters, boxes.

use glam::Vec3;

use super::boxes::{BoxQuantization, GroupBoxes};
use super::cluster::{Cluster, ClusterParts, PackedTriangle};
use super::edges::encode;
use super::parallel::PackedSet;
use super::sorting::ordered;
use super::soup::{Soup, SoupMesh};
use super::triangle::{CLUSTER, CLUSTER_SURFACES, EDGE_CODES, GROUP, TriangleSource};
use super::{SolidSet, Solids};
use crate::geometry::Aabb32;

impl Solids {
    /// The surface of a material on a node. If the node name is that of the last call, the stored name is reused.
    pub(crate) fn surface(&mut self, material: u32, node: &str) -> TriangleSource {
        if self.nodes.last().is_none_or(|last| last != node) {
            self.nodes.push(node.to_owned());
        }
        TriangleSource {
            material,
            node: self.nodes.len() as u32 - 1,
        }
    }

    /// Packs a soup. Of identical triangles with one material, only one is stored.
    pub(crate) fn append(&mut self, soup: &Soup) -> PackedSet {
        let mesh = soup.mesh();
        let first_cluster = self.clusters.len() as u32;
        let first_triangle = self.len() as u32;
        let mut order: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
        let mut packing = Packing::of(&mesh);
        packing.arrange(&mut order, false);
        let mut rest = &order[..];
        for size in std::mem::take(&mut packing.sizes) {
            let (cluster, after) = rest.split_at(size);
            self.append_cluster(&mut packing, cluster);
            rest = after;
        }
        let set = SolidSet {
            triangles: first_triangle..self.len() as u32,
            clusters: first_cluster..self.clusters.len() as u32,
            upper: self.upper.len() as u32,
        };
        self.append_upper(&set);
        PackedSet {
            set,
            given: soup.len(),
            without_area: soup.without_area(),
        }
    }

    /// Copies a packed set from other solids. Node indices are shifted so that `node` becomes `new_node`.
    pub(crate) fn append_copy(
        &mut self,
        (from, set): (&Self, &SolidSet),
        [node, new_node]: [u32; 2],
    ) -> SolidSet {
        let clusters = from.clusters_of(set);
        let (first_triangle, first_cluster) = (self.len() as u32, self.clusters.len() as u32);
        let blocks = match (clusters.first(), clusters.last()) {
            (Some(first), Some(last)) => first.block as usize..last.block_end(),
            _ => 0..0,
        };
        let first_block = self.blocks.len() as u32;
        self.blocks.extend_from_slice(&from.blocks[blocks.clone()]);
        for cluster in clusters {
            let mut cluster = *cluster;
            cluster.first_triangle = cluster.first_triangle - set.triangles.start + first_triangle;
            cluster.block = cluster.block - blocks.start as u32 + first_block;
            for surface in cluster.surfaces_mut(&mut self.blocks) {
                surface.node = surface.node - node + new_node;
            }
            self.clusters.push(cluster);
        }
        let copy = SolidSet {
            triangles: first_triangle..self.len() as u32,
            clusters: first_cluster..self.clusters.len() as u32,
            upper: self.upper.len() as u32,
        };
        self.append_upper(&copy);
        copy
    }

    fn append_cluster(&mut self, packing: &mut Packing, order: &[u32]) {
        let mesh = packing.mesh;
        packing.visit += 1;
        let mut points: Vec<Vec3> = Vec::with_capacity(CLUSTER);
        let mut surfaces: Vec<TriangleSource> = Vec::with_capacity(CLUSTER_SURFACES);
        let mut boxes: Vec<Aabb32> = Vec::with_capacity(order.len().div_ceil(GROUP));
        let mut triangles: Vec<PackedTriangle> = Vec::with_capacity(order.len());
        for group in order.chunks(GROUP) {
            let mut bounds = EMPTY;
            for &index in group {
                let triangle = &mesh.triangles[index as usize];
                let found = surfaces.iter().position(|&s| s == triangle.surface);
                let surface = found.unwrap_or_else(|| {
                    surfaces.push(triangle.surface);
                    surfaces.len() - 1
                });
                let corners = triangle.corners.map(|i| {
                    let point = mesh.points[i as usize];
                    (bounds.min, bounds.max) = (bounds.min.min(point), bounds.max.max(point));
                    let (visit, local) = &mut packing.visited[i as usize];
                    if *visit != packing.visit {
                        (*visit, *local) = (packing.visit, points.len() as u8);
                        points.push(point);
                    }
                    *local
                });
                triangles.push(PackedTriangle {
                    corners,
                    tag: surface as u8 * EDGE_CODES + encode(triangle.edges),
                });
            }
            boxes.push(bounds);
        }
        let bounds = around(&boxes);
        let steps = BoxQuantization::of(&bounds);
        let rows = boxes
            .chunks(GROUP)
            .map(|boxes| GroupBoxes::around(boxes, &steps));
        let parts = ClusterParts {
            rows: &rows.collect::<Vec<_>>(),
            triangles: &triangles,
            points: &points,
            surfaces: &surfaces,
        };
        let cluster = Cluster::new(bounds, self.len() as u32, &parts, &mut self.blocks);
        self.clusters.push(cluster);
    }

    /// Adds the boxes above the clusters of a set, level by level until few remain.
    fn append_upper(&mut self, set: &SolidSet) {
        let clusters = &self.clusters[set.clusters.start as usize..set.clusters.end as usize];
        let mut level: Vec<Aabb32> = clusters.iter().map(|c| c.bounds).collect();
        while level.len() > GROUP {
            let boxes = level.chunks(GROUP);
            level = boxes.map(around).collect();
            self.upper.extend(&level);
        }
    }
}

/// The state of dividing a mesh into clusters.
struct Packing<'a> {
    mesh: &'a SoupMesh,
    /// The sum of the corners of each triangle.
    centres: Vec<Vec3>,
    /// For each point, the number of its last visit, and its index in the cluster of that visit.
    visited: Vec<(u32, u8)>,
    /// Number of the current visit of the points.
    visit: u32,
    /// The numbers of triangles of the clusters, in order.
    sizes: Vec<usize>,
    /// Working memory: coordinates and triangles.
    keys: Vec<u64>,
}

impl<'a> Packing<'a> {
    fn of(mesh: &'a SoupMesh) -> Self {
        let centres = mesh.triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.corners.map(|i| mesh.points[i as usize]);
            a + b + c
        });
        Self {
            mesh,
            centres: centres.collect(),
            visited: vec![(0, 0); mesh.points.len()],
            visit: 0,
            sizes: Vec::new(),
            keys: Vec::with_capacity(mesh.triangles.len()),
        }
    }

    /// Orders triangles so that neighbours are together. Splits them recursively in half across the longest axis, in
    /// whole groups. The largest parts that fit into a cluster become clusters. Triangles at the same position keep
    /// their order.
    fn arrange(&mut self, order: &mut [u32], in_cluster: bool) {
        let is_cluster = !in_cluster && self.fits_cluster(order);
        if is_cluster {
            self.sizes.push(order.len());
        }
        if order.len() <= GROUP {
            order.sort_unstable();
            return;
        }
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for &index in &*order {
            let centre = self.centres[index as usize];
            (min, max) = (min.min(centre), max.max(centre));
        }
        let extent = max - min;
        let axis = (1..3).fold(0, |a, b| if extent[b] > extent[a] { b } else { a });
        let key = |&index: &u32| {
            let centre = self.centres[index as usize];
            u64::from(ordered(centre[axis])) << 32 | u64::from(index)
        };
        self.keys.clear();
        self.keys.extend(order.iter().map(key));
        let half = (order.len() / 2).next_multiple_of(GROUP);
        self.keys.select_nth_unstable(half);
        for (index, key) in order.iter_mut().zip(&self.keys) {
            *index = *key as u32;
        }
        let (low, high) = order.split_at_mut(half);
        self.arrange(low, in_cluster || is_cluster);
        self.arrange(high, in_cluster || is_cluster);
    }

    /// Whether triangles fit into one cluster; a group always does.
    fn fits_cluster(&mut self, order: &[u32]) -> bool {
        if order.len() > CLUSTER {
            return false;
        }
        self.visit += 1;
        let mut points = 0;
        let mut surfaces: Vec<TriangleSource> = Vec::with_capacity(CLUSTER_SURFACES + 1);
        for &index in order {
            let triangle = &self.mesh.triangles[index as usize];
            if !surfaces.contains(&triangle.surface) {
                surfaces.push(triangle.surface);
            }
            for i in triangle.corners {
                let (visit, _) = &mut self.visited[i as usize];
                points += usize::from(*visit != self.visit);
                *visit = self.visit;
            }
            if points > CLUSTER || surfaces.len() > CLUSTER_SURFACES {
                return false;
            }
        }
        true
    }
}

const EMPTY: Aabb32 = Aabb32 {
    min: Vec3::INFINITY,
    max: Vec3::NEG_INFINITY,
};

fn around(boxes: &[Aabb32]) -> Aabb32 {
    boxes.iter().fold(EMPTY, |a, b| Aabb32 {
        min: a.min.min(b.min),
        max: a.max.max(b.max),
    })
}
