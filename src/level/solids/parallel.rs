//! Packing on several cores. The result does not depend on their number.

use std::ops::Range;

use super::{SolidSet, Solids};
use crate::parallel::parallel_map;

/// Number of triangles that justifies one more core: about a millisecond of work.
const BATCH: usize = 4096;

/// A packed set, with statistics of its soup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackedSet {
    pub set: SolidSet,
    /// Number of authored triangles that are not degenerate.
    pub given: usize,
    /// Number of degenerate triangles, which are dropped.
    pub without_area: usize,
}

impl Solids {
    /// Adds several sets in order, on at most `cores` cores. `sizes` are the approximate triangle counts of the sets.
    /// `append` adds one set to the given solids; it may run on any core.
    pub(crate) fn append_all(
        &mut self,
        sizes: &[usize],
        cores: usize,
        append: impl Fn(&mut Self, usize) -> PackedSet + Sync,
    ) -> Vec<PackedSet> {
        let batches = batches(sizes);
        let parts = parallel_map(batches.len(), cores, |index| {
            let mut solids = Self::default();
            let packed = batches[index].clone();
            let packed = packed.map(|index| append(&mut solids, index)).collect();
            (solids, packed)
        });
        self.join(parts)
    }

    /// Appends separately packed solids.
    fn join(&mut self, parts: Vec<(Self, Vec<PackedSet>)>) -> Vec<PackedSet> {
        let total = |size: fn(&Self) -> usize| parts.iter().map(|(part, _)| size(part)).sum();
        self.clusters.reserve(total(|part| part.clusters.len()));
        self.upper.reserve(total(|part| part.upper.len()));
        self.blocks.reserve(total(|part| part.blocks.len()));
        let mut all = Vec::new();
        for (part, packed) in parts {
            let triangles = self.len() as u32;
            let clusters = self.clusters.len() as u32;
            let upper = self.upper.len() as u32;
            let blocks = self.blocks.len() as u32;
            for mut cluster in part.clusters {
                cluster.first_triangle += triangles;
                cluster.block += blocks;
                self.clusters.push(cluster);
            }
            self.upper.extend(part.upper);
            self.blocks.extend(part.blocks);
            let moved = |range: &Range<u32>, by: u32| range.start + by..range.end + by;
            all.extend(packed.into_iter().map(|packed| PackedSet {
                set: SolidSet {
                    triangles: moved(&packed.set.triangles, triangles),
                    clusters: moved(&packed.set.clusters, clusters),
                    upper: packed.set.upper + upper,
                },
                ..packed
            }));
        }
        all
    }
}

/// Divides a list of sizes into ranges of about [`BATCH`] each.
fn batches(sizes: &[usize]) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for (index, size) in sizes.iter().enumerate() {
        sum += size;
        if sum >= BATCH || index + 1 == sizes.len() {
            batches.push(start..index + 1);
            (start, sum) = (index + 1, 0);
        }
    }
    batches
}
