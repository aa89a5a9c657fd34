//! A cache of the outlines of rooms and movers: a reloaded level reuses the outlines of unchanged rooms and movers.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::charts::Outline;
use super::patches::{is_lit, patches, sets, vertices_of};
use crate::hash::Fnv128;
use crate::level::{Level, RoomId};
use crate::parallel::parallel_map;

/// The outlines of all rooms and movers of a level.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    /// The outlines of each of [`sets`], if the level is not too large.
    pub of_sets: Vec<SetOutlines>,
}

/// The outlines of a room or mover.
#[derive(Clone, Debug)]
pub(super) struct SetOutlines {
    /// A hash of all inputs of the outlines.
    key: u128,
    /// A hash of the corners of their triangles.
    pub corners: u128,
    /// The outlines; their triangles are counted from the set's first.
    pub outlines: Arc<[Outline]>,
}

impl Outlines {
    /// The outlines of a newer version of the level, reusing these where nothing changed.
    pub(super) fn again(&self, level: &Level, cores: usize) -> Self {
        let known: BTreeMap<u128, &SetOutlines> =
            self.of_sets.iter().map(|of| (of.key, of)).collect();
        let sets = sets(level);
        let of_sets = parallel_map(sets.len(), cores, |set| {
            let key = key(level, set, &sets[set]);
            match known.get(&key) {
                Some(&known) => known.clone(),
                None => outlines(level, key, &sets[set]),
            }
        });
        Self { of_sets }
    }
}

/// A hash of all inputs of the outlines of a set of draws.
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

fn outlines(level: &Level, key: u128, draws: &Range<u32>) -> SetOutlines {
    let first = first_triangle(level, draws);
    let mut corners = Fnv128::EMPTY;
    let patches = patches(level, draws).into_iter();
    let outlines = patches.map(|patch| {
        let mut outline = Outline::of(level, patch);
        for triangle in &mut outline.triangles {
            let of_triangle = vertices_of(level, *triangle).map(|index| {
                let vertex = &level.vertices[index as usize];
                let [x, y, z] = vertex.position.to_array().map(f32::to_bits);
                [x, y, z, bytemuck::cast(vertex.normal)]
            });
            corners = Fnv128(corners.0).words(&of_triangle);
            *triangle -= first;
        }
        outline
    });
    let outlines = outlines.collect();
    SetOutlines {
        key,
        corners: corners.0,
        outlines,
    }
}

/// Index of the first triangle of a set of draws.
pub(super) fn first_triangle(level: &Level, draws: &Range<u32>) -> u32 {
    let first = level.draws.get(draws.start as usize);
    first.map_or(0, |draw| draw.indices.start / 3)
}
