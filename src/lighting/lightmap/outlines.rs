//! The outlines of rooms and movers, with a memo: a reloaded level reuses the outlines of unchanged rooms and movers.

use std::ops::Range;
use std::sync::Arc;

use super::charts::ChartOutline;
use super::patches::{is_lit, patches, sets, vertices_of};
use crate::hash::Fnv128;
use crate::level::{Level, RoomId};
use crate::memo::Memo;
use crate::parallel::parallel_map;

/// The outlines of a room or mover.
#[derive(Clone, Debug)]
pub(super) struct SetOutlines {
    /// A hash of the corners of their triangles.
    pub corners: u128,
    /// The outlines; their triangles are counted from the set's first.
    pub outlines: Arc<[ChartOutline]>,
}

/// The outlines of each of [`sets`] and their memo; those of unchanged sets are taken from the memo of the last version.
pub(super) fn outlines_of_sets(
    level: &Level,
    cores: usize,
    last: &Memo<u128, SetOutlines>,
) -> (Vec<SetOutlines>, Memo<u128, SetOutlines>) {
    let sets = sets(level);
    let next = last.next();
    let of_sets = parallel_map(sets.len(), cores, |set| {
        let draws = &sets[set];
        next.get_or_compute(key(level, set, draws), || outlines(level, draws))
    });
    (of_sets, next.finish())
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

fn outlines(level: &Level, draws: &Range<u32>) -> SetOutlines {
    let first = first_triangle(level, draws);
    let mut corners = Fnv128::EMPTY;
    let patches = patches(level, draws).into_iter();
    let outlines = patches.map(|patch| {
        let mut outline = ChartOutline::of(level, patch);
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
        corners: corners.0,
        outlines,
    }
}

/// Index of the first triangle of a set of draws.
pub(super) fn first_triangle(level: &Level, draws: &Range<u32>) -> u32 {
    let first = level.draws.get(draws.start as usize);
    first.map_or(0, |draw| draw.indices.start / 3)
}
