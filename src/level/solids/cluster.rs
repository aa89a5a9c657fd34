//! A cluster: neighbouring triangles of a set in one block of memory.

use std::hint::black_box;
use std::ops::Range;

use glam::Vec3;

use super::boxes::GroupBoxes;
use super::edges;
use super::triangle::{EDGE_CODES, GROUP, SolidTriangle, TriangleSource};
use crate::geometry::Aabb32;

/// A cluster of neighbouring triangles in a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cluster {
    pub bounds: Aabb32,
    /// Index of the first triangle in the level.
    pub first_triangle: u32,
    /// Start of the block in [`super::Solids::blocks`].
    pub block: u32,
    /// Number of triangles. This count and the following ones are the lengths in [`ClusterParts`].
    triangles: u16,
    points: u16,
    surfaces: u16,
}

/// The contents of a cluster, in the order in which they are stored in its block.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterParts<'a> {
    /// The boxes around the groups, one row for [`GROUP`] groups.
    pub rows: &'a [GroupBoxes],
    pub triangles: &'a [PackedTriangle],
    /// Corners in the room's coordinates.
    pub points: &'a [Vec3],
    pub surfaces: &'a [TriangleSource],
}

/// A triangle in its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct PackedTriangle {
    /// Indices of the triangle's points in the cluster, counter-clockwise as seen from the front. The point with the
    /// least coordinates comes first.
    pub corners: [u8; 3],
    /// Index of the surface in the cluster times [`EDGE_CODES`], plus the kinds of the edges as base-3 digits.
    pub tag: u8,
}

impl Cluster {
    /// Adds the block of a new cluster.
    pub(super) fn new(
        bounds: Aabb32,
        first_triangle: u32,
        parts: &ClusterParts,
        blocks: &mut Vec<u32>,
    ) -> Self {
        let cluster = Self {
            bounds,
            first_triangle,
            block: blocks.len() as u32,
            triangles: parts.triangles.len() as u16,
            points: parts.points.len() as u16,
            surfaces: parts.surfaces.len() as u16,
        };
        for row in parts.rows {
            blocks.extend(bytemuck::cast::<GroupBoxes, [u32; words::<GroupBoxes>()]>(
                *row,
            ));
        }
        let triangles = parts.triangles.iter();
        blocks.extend(triangles.map(|&triangle| bytemuck::cast::<_, u32>(triangle)));
        blocks.extend(bytemuck::cast_slice::<Vec3, u32>(parts.points));
        blocks.extend(bytemuck::cast_slice::<TriangleSource, u32>(parts.surfaces));
        cluster
    }

    pub(super) fn parts<'a>(&self, blocks: &'a [u32]) -> ClusterParts<'a> {
        let [rows, triangles, points, _] = self.words();
        let (rows, rest) = self.block(blocks).split_at(rows);
        let (triangles, rest) = rest.split_at(triangles);
        let (points, surfaces) = rest.split_at(points);
        ClusterParts {
            rows: bytemuck::cast_slice(rows),
            triangles: bytemuck::cast_slice(triangles),
            points: bytemuck::cast_slice(points),
            surfaces: bytemuck::cast_slice(surfaces),
        }
    }

    /// Prefetches the block by reading one word of each cache line. These reads are independent of each other, unlike
    /// those of a walk from triangle to triangle through a room that is no longer in the cache.
    pub(super) fn fetch(&self, blocks: &[u32]) {
        const LINE: usize = 64 / size_of::<u32>();
        let words = self.block(blocks).iter().step_by(LINE);
        black_box(words.fold(0, |all, word| all | word));
    }

    /// End of the block.
    pub(super) fn block_end(&self) -> usize {
        self.block as usize + self.words().iter().sum::<usize>()
    }

    pub(super) fn surfaces_mut<'a>(&self, blocks: &'a mut [u32]) -> &'a mut [TriangleSource] {
        let [rows, triangles, points, surfaces] = self.words();
        let start = self.block as usize + rows + triangles + points;
        bytemuck::cast_slice_mut(&mut blocks[start..start + surfaces])
    }

    /// The level indices of the triangles.
    pub(super) fn range(&self) -> Range<u32> {
        self.first_triangle..self.first_triangle + u32::from(self.triangles)
    }

    /// The triangle with this index in the level, mutably.
    pub(super) fn triangle_mut<'a>(
        &self,
        index: u32,
        blocks: &'a mut [u32],
    ) -> &'a mut PackedTriangle {
        let [rows, ..] = self.words();
        let at = (index - self.first_triangle) as usize;
        bytemuck::cast_mut(&mut blocks[self.block as usize + rows + at])
    }

    fn block<'a>(&self, blocks: &'a [u32]) -> &'a [u32] {
        &blocks[self.block as usize..self.block_end()]
    }

    /// The size in words of each part of the block.
    fn words(&self) -> [usize; 4] {
        let triangles = usize::from(self.triangles);
        [
            triangles.div_ceil(GROUP * GROUP) * words::<GroupBoxes>(),
            triangles * words::<PackedTriangle>(),
            usize::from(self.points) * words::<Vec3>(),
            usize::from(self.surfaces) * words::<TriangleSource>(),
        ]
    }
}

impl ClusterParts<'_> {
    #[inline]
    pub(super) fn corners(&self, at: usize) -> [Vec3; 3] {
        let [a, b, c] = self.triangles[at].corners.map(usize::from);
        [self.points[a], self.points[b], self.points[c]]
    }

    /// The triangle at position `at` of the cluster; `index` is its index in the level.
    #[inline]
    pub(super) fn get(&self, at: usize, index: u32) -> SolidTriangle {
        let tag = self.triangles[at].tag;
        SolidTriangle {
            edges: edges::decode(tag % EDGE_CODES),
            index,
            corners: self.corners(at),
            surface: self.surfaces[usize::from(tag / EDGE_CODES)],
        }
    }
}

/// Size of a type in words.
const fn words<T>() -> usize {
    size_of::<T>() / size_of::<u32>()
}
