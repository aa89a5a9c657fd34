//! Solid triangles, packed small and in order of place, for quick box tests.
//!
//! A set (a room's or a door leaf's triangles) is cut into clusters of neighbours, small enough
//! that a corner's index fits a byte; clusters are cut into groups of [`GROUP`]. Boxes around
//! groups, clusters, [`GROUP`] clusters and so on up are a hierarchy without pointers: what lies
//! below box `i` are the boxes `GROUP * i` and following. (R-trees packed this way: I. Kamel and
//! C. Faloutsos, "On packing R-trees", 1993; clusters of short indices are the meshlets of mesh
//! shading.)

mod edges;
mod pack;

use std::ops::Range;

use glam::Vec3;

use crate::geometry::{Aabb, Aabb32, Triangle};

pub use edges::EdgeKind;
pub(super) use edges::kind_between;
pub(super) use pack::Soup;

/// Triangles in a group, clusters below a box.
const GROUP: usize = 8;
/// Triangles in a cluster at most; so it has at most 192 corners.
const CLUSTER: usize = 64;
/// Surfaces in a cluster at most: what fits into a byte beside the kinds of a triangle's edges.
const CLUSTER_SURFACES: usize = 9;
/// In how many ways three edges can be of three kinds.
const EDGE_CODES: u8 = 27;

/// All solid triangles of a level; rooms and door leaves own sets of them.
#[derive(Debug, Default)]
pub struct Solids {
    /// Corners in the room's coordinates, cluster by cluster.
    points: Vec<Vec3>,
    triangles: Vec<PackedTriangle>,
    /// A box around each group, cluster by cluster.
    groups: Vec<Aabb32>,
    clusters: Vec<Cluster>,
    /// The boxes above the clusters, set by set, lowest level first.
    upper: Vec<Aabb32>,
    /// Indices into `surfaces`, cluster by cluster.
    slots: Vec<u32>,
    surfaces: Vec<Surface>,
    /// Names of the nodes that triangles come from.
    nodes: Vec<String>,
}

/// The triangles of a room or of a door leaf: those from first to last with consecutive indices.
/// Their order follows from their coordinates, not from the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolidSet {
    triangles: Range<u32>,
    clusters: Range<u32>,
    /// Its first box in [`Solids::upper`].
    upper: u32,
}

/// What a solid triangle is made of and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Index into [`super::Level::materials`].
    pub material: u32,
    /// Index of its node's name; see [`Solids::node_name`].
    node: u32,
}

/// A triangle in its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedTriangle {
    /// Indices of its points in the cluster, counter-clockwise seen from the front, the point
    /// with the least coordinates first.
    corners: [u8; 3],
    /// Its surface's slot in the cluster times [`EDGE_CODES`], plus the kinds of its edges as
    /// digits to the base 3.
    tag: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Cluster {
    bounds: Aabb32,
    first_triangle: u32,
    first_point: u32,
    first_group: u32,
    first_slot: u32,
}

/// A solid triangle with its corners in the coordinates of its room (a door leaf: of the room
/// that its link is a child of).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidTriangle {
    /// Its index in the level.
    pub index: u32,
    /// Corners, metres, counter-clockwise seen from the front.
    pub corners: [Vec3; 3],
    /// What it is made of.
    pub surface: Surface,
    /// The kinds of its edges: the one from corner `i` to corner `i + 1` at `i`.
    pub edges: [EdgeKind; 3],
}

/// A few triangles of a set that are neighbours: at most [`Solids::GROUP`].
#[derive(Clone, Debug, Default)]
pub struct SolidGroup {
    cluster: u32,
    triangles: Range<u32>,
}

impl SolidTriangle {
    /// The triangle in f64.
    pub fn triangle(&self) -> Triangle {
        Triangle {
            corners: self.corners.map(Vec3::as_dvec3),
        }
    }
}

impl SolidSet {
    /// How many triangles it has.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Whether it has the triangle with this index in the level.
    pub fn contains(&self, index: u32) -> bool {
        self.triangles.contains(&index)
    }
}

impl Solids {
    /// Triangles in a group at most.
    pub const GROUP: usize = GROUP;

    /// How many triangles there are in all.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Memory that it takes, bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.points[..])
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.groups[..])
            + size_of_val(&self.clusters[..])
            + size_of_val(&self.upper[..])
            + size_of_val(&self.slots[..])
            + size_of_val(&self.surfaces[..])
    }

    /// The triangles of a set, in order.
    pub fn of<'a>(&'a self, set: &SolidSet) -> impl Iterator<Item = SolidTriangle> + Clone + 'a {
        set.clusters
            .clone()
            .flat_map(move |cluster| self.of_cluster(cluster).map(move |i| self.get(cluster, i)))
    }

    /// The triangle with this index in the level.
    pub fn triangle(&self, index: u32) -> SolidTriangle {
        let after = self.clusters.partition_point(|c| c.first_triangle <= index);
        self.get(after as u32 - 1, index)
    }

    /// Sets the kind of an edge of the triangle with this index.
    pub(super) fn set_edge(&mut self, index: u32, edge: usize, kind: EdgeKind) {
        let tag = &mut self.triangles[index as usize].tag;
        let mut kinds = edges::decode(*tag % EDGE_CODES);
        kinds[edge] = kind;
        *tag = *tag / EDGE_CODES * EDGE_CODES + edges::encode(kinds);
    }

    /// The name of the node that a surface belongs to.
    pub fn node_name(&self, surface: Surface) -> &str {
        &self.nodes[surface.node as usize]
    }

    /// The box around a set.
    pub fn bounds(&self, set: &SolidSet) -> Aabb {
        let clusters = &self.clusters[set.clusters.start as usize..set.clusters.end as usize];
        let boxes = clusters.iter().map(|c| c.bounds.to_f64());
        boxes.fold(Aabb::EMPTY, Aabb::union)
    }

    /// Calls `found` with every triangle of the set whose box touches `query`.
    pub fn touching(&self, set: &SolidSet, query: &Aabb32, mut found: impl FnMut(SolidTriangle)) {
        self.groups_touching(set, query, |group, _| {
            let corners = self.corners_of(&group);
            for (index, corners) in (0..).zip(corners) {
                if Aabb32::around_points(&corners).overlaps(query) {
                    found(self.triangle_of(&group, index));
                }
            }
        });
    }

    /// The corners of a group's triangles, in order.
    pub fn corners_of(&self, group: &SolidGroup) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let first_point = self.clusters[group.cluster as usize].first_point as usize;
        let points = &self.points[first_point..];
        let triangles = group.triangles.start as usize..group.triangles.end as usize;
        let triangles = self.triangles[triangles].iter();
        triangles.map(|triangle| triangle.corners.map(|i| points[usize::from(i)]))
    }

    /// The triangle of a group with this index in it.
    pub fn triangle_of(&self, group: &SolidGroup, index: u32) -> SolidTriangle {
        self.get(group.cluster, group.triangles.start + index)
    }

    /// Calls `found` with every group of the set whose box touches `query`, and that box.
    pub fn groups_touching(
        &self,
        set: &SolidSet,
        query: &Aabb32,
        mut found: impl FnMut(SolidGroup, &Aabb32),
    ) {
        // From the level that has few enough boxes down to the clusters, each level's boxes
        // following those of the level below.
        let mut counts = [0; 12];
        counts[0] = set.clusters.len();
        let mut top = 0;
        while counts[top] > GROUP {
            counts[top + 1] = counts[top].div_ceil(GROUP);
            top += 1;
        }
        for index in 0..counts[top] {
            self.descend(set, &counts, top, index, query, &mut found);
        }
    }

    fn descend(
        &self,
        set: &SolidSet,
        counts: &[usize; 12],
        level: usize,
        index: usize,
        query: &Aabb32,
        found: &mut impl FnMut(SolidGroup, &Aabb32),
    ) {
        if level == 0 {
            return self.touching_in(set.clusters.start + index as u32, query, found);
        }
        let below: usize = counts[1..level].iter().sum();
        if self.upper[set.upper as usize + below + index].overlaps(query) {
            let end = ((index + 1) * GROUP).min(counts[level - 1]);
            for index in index * GROUP..end {
                self.descend(set, counts, level - 1, index, query, found);
            }
        }
    }

    fn touching_in(
        &self,
        cluster: u32,
        query: &Aabb32,
        found: &mut impl FnMut(SolidGroup, &Aabb32),
    ) {
        let first_group = self.clusters[cluster as usize].first_group as usize;
        if !self.clusters[cluster as usize].bounds.overlaps(query) {
            return;
        }
        let triangles = self.of_cluster(cluster);
        let starts = triangles.clone().step_by(GROUP);
        for (bounds, start) in self.groups[first_group..].iter().zip(starts) {
            if bounds.overlaps(query) {
                let end = triangles.end.min(start + GROUP as u32);
                let triangles = start..end;
                found(SolidGroup { cluster, triangles }, bounds);
            }
        }
    }

    /// The indices of a cluster's triangles.
    fn of_cluster(&self, cluster: u32) -> Range<u32> {
        let next = self.clusters.get(cluster as usize + 1);
        let end = next.map_or(self.triangles.len() as u32, |next| next.first_triangle);
        self.clusters[cluster as usize].first_triangle..end
    }

    fn get(&self, cluster: u32, index: u32) -> SolidTriangle {
        let cluster = &self.clusters[cluster as usize];
        let packed = self.triangles[index as usize];
        let point = |i: u8| self.points[cluster.first_point as usize + usize::from(i)];
        let slot = cluster.first_slot as usize + usize::from(packed.tag / EDGE_CODES);
        SolidTriangle {
            edges: edges::decode(packed.tag % EDGE_CODES),
            index,
            corners: packed.corners.map(point),
            surface: self.surfaces[self.slots[slot] as usize],
        }
    }
}
