//! Solid triangles, packed small and in spatial order, for fast box tests.
//!
//! A set (the triangles of a room or a mover) is divided into clusters of neighbours. A cluster is so small that a
//! corner index fits into a byte; a furnished room is one cluster. All data of a cluster are in one block of memory,
//! so that a room that is no longer in the cache is fetched at once. In a cluster, each [`GROUP`] triangles have a
//! box. Above the clusters, each [`GROUP`] clusters have a box, and so on upwards: a hierarchy without pointers, in
//! which the children of box `i` are the boxes from `GROUP * i` on. (R-trees packed this way: I. Kamel and C.
//! Faloutsos, "On packing R-trees", 1993; clusters with short indices are the meshlets of mesh shading.)

mod along;
mod boxes;
mod cluster;
mod edges;
mod pack;
mod parallel;
mod sorting;
mod soup;
#[cfg(test)]
mod tests;
mod triangle;

use std::ops::Range;

use glam::Vec3;

use crate::geometry::{Aabb, Aabb32};

use boxes::BoxQuantization;
use cluster::Cluster;
pub use edges::EdgeKind;
pub(crate) use edges::{EdgeFacet, kind_between};
pub(crate) use parallel::PackedSet;
pub(crate) use soup::Soup;
use triangle::{EDGE_CODES, GROUP};
pub use triangle::{SolidTriangle, TriangleSource};

/// The solid triangles of a level; rooms, movers and bodies own sets of them.
#[derive(Debug, Default, PartialEq)]
pub struct Solids {
    /// The clusters, set by set.
    clusters: Vec<Cluster>,
    /// The boxes above the clusters, set by set, lowest level first.
    upper: Vec<Aabb32>,
    /// The blocks of the clusters, one after another; see [`cluster::ClusterParts`].
    blocks: Vec<u32>,
    /// Names of the nodes that triangles come from.
    nodes: Vec<String>,
}

/// The triangles of a room, mover or body: a range of consecutive indices. The order of the triangles follows from
/// their coordinates, not from the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolidSet {
    triangles: Range<u32>,
    clusters: Range<u32>,
    /// Index of the first box in [`Solids::upper`].
    upper: u32,
}

/// A group of neighbouring triangles of a set, at most [`Solids::GROUP`].
#[derive(Clone, Debug, Default)]
pub(crate) struct SolidGroup {
    /// Index of the cluster.
    cluster: u32,
    /// The group's range in that cluster.
    triangles: Range<u32>,
}

impl SolidSet {
    /// The number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The indices of the triangles.
    pub(crate) fn triangles(&self) -> Range<u32> {
        self.triangles.clone()
    }

    /// Whether the set contains the triangle with this index in the level.
    pub fn contains(&self, index: u32) -> bool {
        self.triangles.contains(&index)
    }
}

impl Solids {
    /// The maximum number of triangles in a group.
    pub(crate) const GROUP: usize = GROUP;

    /// The number of triangles in all sets.
    pub fn len(&self) -> usize {
        let last = self.clusters.last();
        last.map_or(0, |last| last.range().end as usize)
    }

    /// Whether there are no triangles.
    pub fn is_empty(&self) -> bool {
        self.clusters.is_empty()
    }

    /// Memory size, bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.clusters[..])
            + size_of_val(&self.upper[..])
            + size_of_val(&self.blocks[..])
    }

    /// The triangles of a set, in order.
    pub fn of<'a>(&'a self, set: &SolidSet) -> impl Iterator<Item = SolidTriangle> + Clone + 'a {
        self.clusters_of(set).iter().flat_map(move |cluster| {
            let parts = cluster.parts(&self.blocks);
            let indices = (0..).zip(cluster.range());
            indices.map(move |(at, index)| parts.get(at, index))
        })
    }

    /// The triangle with this index in the level.
    pub fn triangle(&self, index: u32) -> SolidTriangle {
        let cluster = self.cluster_with(index);
        let at = (index - cluster.first_triangle) as usize;
        cluster.parts(&self.blocks).get(at, index)
    }

    /// Whether a triangle has this index. Some indices between two sets may be unused.
    pub(crate) fn has(&self, index: u32) -> bool {
        let begins = |cluster: &Cluster| cluster.first_triangle <= index;
        let next = self.clusters.partition_point(begins);
        let last = self.clusters[..next].last();
        last.is_some_and(|cluster| cluster.range().contains(&index))
    }

    /// Sets the kind of an edge of the triangle with this index.
    pub(crate) fn set_edge(&mut self, index: u32, edge: usize, kind: EdgeKind) {
        let cluster = *self.cluster_with(index);
        let tag = &mut cluster.triangle_mut(index, &mut self.blocks).tag;
        let mut kinds = edges::decode(*tag % EDGE_CODES);
        kinds[edge] = kind;
        *tag = *tag / EDGE_CODES * EDGE_CODES + edges::encode(kinds);
    }

    /// The name of the node that a surface belongs to.
    pub fn node_name(&self, surface: TriangleSource) -> &str {
        &self.nodes[surface.node as usize]
    }

    /// The names of all nodes that have triangles.
    pub fn node_names(&self) -> &[String] {
        &self.nodes
    }

    /// The box around a set.
    pub fn bounds(&self, set: &SolidSet) -> Aabb {
        let boxes = self.clusters_of(set).iter().map(|c| c.bounds.to_f64());
        boxes.fold(Aabb::EMPTY, Aabb::union)
    }

    /// Calls `found` for every triangle of the set whose box touches `query`.
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
    pub(crate) fn corners_of(&self, group: &SolidGroup) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let parts = self.clusters[group.cluster as usize].parts(&self.blocks);
        let triangles = group.triangles.clone();
        triangles.map(move |at| parts.corners(at as usize))
    }

    /// The triangle at position `index` of a group.
    pub(crate) fn triangle_of(&self, group: &SolidGroup, index: u32) -> SolidTriangle {
        let cluster = &self.clusters[group.cluster as usize];
        let at = group.triangles.start + index;
        let parts = cluster.parts(&self.blocks);
        parts.get(at as usize, cluster.first_triangle + at)
    }

    /// Calls `found` for every group of the set whose box touches `query`. It gets the group and its box, which may
    /// be slightly too large.
    pub(crate) fn groups_touching(
        &self,
        set: &SolidSet,
        query: &Aabb32,
        mut found: impl FnMut(SolidGroup, &Aabb32),
    ) {
        let (counts, top) = self.level_counts(set);
        for index in 0..counts[top] {
            self.descend(set, &counts, top, index, query, &mut found);
        }
    }

    /// The number of boxes of each level of a set's hierarchy, and the index of the top level. The levels start with
    /// the clusters and end where few enough boxes are left. Each level's boxes are stored after those of the level
    /// below.
    fn level_counts(&self, set: &SolidSet) -> ([usize; 12], usize) {
        let mut counts = [0; 12];
        counts[0] = set.clusters.len();
        let mut top = 0;
        while counts[top] > GROUP {
            counts[top + 1] = counts[top].div_ceil(GROUP);
            top += 1;
        }
        (counts, top)
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

    fn touching_in(&self, index: u32, query: &Aabb32, found: &mut impl FnMut(SolidGroup, &Aabb32)) {
        let cluster = &self.clusters[index as usize];
        if !cluster.bounds.overlaps(query) {
            return;
        }
        cluster.fetch(&self.blocks);
        let parts = cluster.parts(&self.blocks);
        let steps = BoxQuantization::of(&cluster.bounds);
        let query_in_steps = steps.round(query);
        let len = parts.triangles.len() as u32;
        for (row, boxes) in (0..).zip(parts.rows) {
            let lanes = (0..).zip(boxes.touching(&query_in_steps));
            for (lane, _) in lanes.filter(|&(_, touches)| touches) {
                let first = (row * GROUP + lane) * GROUP;
                let triangles = first as u32..len.min((first + GROUP) as u32);
                if triangles.is_empty() {
                    continue;
                }
                let cluster = index;
                found(SolidGroup { cluster, triangles }, &boxes.get(lane, &steps));
            }
        }
    }

    fn clusters_of(&self, set: &SolidSet) -> &[Cluster] {
        &self.clusters[set.clusters.start as usize..set.clusters.end as usize]
    }

    /// The cluster that contains the triangle with this index in the level.
    fn cluster_with(&self, index: u32) -> &Cluster {
        let after = self.clusters.partition_point(|c| c.first_triangle <= index);
        &self.clusters[after - 1]
    }
}
