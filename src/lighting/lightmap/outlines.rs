//! Outlines of rooms and movers that were made before: a level that is loaded again needs those of what did not change
//! no second time.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::charts::Outline;
use super::patches::{is_lit, patches, sets};
use crate::hash::Fnv128;
use crate::level::{Level, RoomId};
use crate::parallel::parallel_map;

/// The outlines of all rooms and movers of a level.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    /// For each of [`sets`], if the level is not too large, a number for all that its outlines depend on, and these. Their
    /// triangles are counted from the set's first.
    pub of_sets: Vec<(u128, Arc<[Outline]>)>,
}

impl Outlines {
    /// Those of a level that these are of an older version of, or of no level yet.
    pub(super) fn again(&self, level: &Level, cores: usize) -> Self {
        let known: BTreeMap<u128, &Arc<[Outline]>> =
            self.of_sets.iter().map(|(key, of)| (*key, of)).collect();
        let sets = sets(level);
        let of_sets = parallel_map(sets.len(), cores, |set| {
            let key = key(level, set, &sets[set]);
            let outlines = match known.get(&key) {
                Some(&known) => Arc::clone(known),
                None => outlines(level, &sets[set]),
            };
            (key, outlines)
        });
        Self { of_sets }
    }
}

/// A number for all that the outlines of a set of draws depend on.
fn key(level: &Level, set: usize, draws: &Range<u32>) -> u128 {
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let lit: Vec<u8> = draws.iter().map(|d| u8::from(is_lit(level, d))).collect();
    let hash = Fnv128::EMPTY.words(&lit);
    if set < level.rooms.len() {
        return hash.words(&[level.room_key(RoomId(set as u32))]).0;
    }
    let first = draws.first().map_or(0, |draw| draw.indices.start);
    let last = draws.last().map_or(0, |draw| draw.indices.end);
    let indices = &level.indices[first as usize..last as usize];
    let lowest = indices.iter().min().copied().unwrap_or(0);
    let corners = indices.iter().map(|&index| {
        let vertex = &level.vertices[index as usize];
        let [x, y, z] = vertex.position.to_array().map(f32::to_bits);
        [index - lowest, x, y, z, bytemuck::cast(vertex.normal)]
    });
    corners.fold(hash, |hash, corner| hash.words(&corner)).0
}

fn outlines(level: &Level, draws: &Range<u32>) -> Arc<[Outline]> {
    let first = first_triangle(level, draws);
    let patches = patches(level, draws).into_iter();
    let outlines = patches.map(|patch| {
        let mut outline = Outline::of(level, patch);
        outline.triangles.iter_mut().for_each(|t| *t -= first);
        outline
    });
    outlines.collect()
}

/// The first triangle of a set of draws.
pub(super) fn first_triangle(level: &Level, draws: &Range<u32>) -> u32 {
    let first = level.draws.get(draws.start as usize);
    first.map_or(0, |draw| draw.indices.start / 3)
}
