//! Rooms that are alike: what is known of one need not be found again for the next.

use std::collections::BTreeMap;

use glam::DVec3;

use super::scene::Meshes;
use crate::hash::Fnv64;
use crate::level::{LevelData, LevelSource, RoomId};
use crate::parallel::{cores, parallel_map};

/// Coordinates that differ by less, metres, are equal.
const STEP: f64 = 1.0 / 1024.0;

/// For each room the first that has the same faces at the same places, and the same rooms behind the same portals.
pub(super) fn first_alike(level: &LevelData, source: &LevelSource, meshes: &Meshes) -> Vec<u32> {
    let corner = |room: RoomId| level.room(room).bounds.min;
    let shapes = parallel_map(level.rooms.len(), cores(), |index| {
        let room = RoomId(index as u32);
        let from = corner(room);
        let mut hash = Fnv64::EMPTY;
        for &mesh in meshes.of_room(room) {
            let mesh = &source.meshes[mesh as usize];
            let from = from + level.origin;
            for &p in &mesh.positions {
                hash = steps(hash, p - from);
            }
            for [a, b, c] in &mesh.triangles {
                hash.0 = mixed(hash.0, (u64::from(*a) << 42) ^ (u64::from(*b) << 21) ^ u64::from(*c));
            }
            hash.0 = mixed(hash.0, u64::from(mesh.drawn) << 1 | u64::from(mesh.solid));
        }
        hash.0
    });
    let mut first: BTreeMap<u64, u32> = BTreeMap::new();
    (0..level.rooms.len() as u32)
        .map(|index| {
            let room = RoomId(index);
            let mut hash = Fnv64(shapes[index as usize]);
            for (_, portal) in level.portals_of(room) {
                for &p in &portal.polygon.vertices {
                    hash = steps(hash, p - corner(room));
                }
                let back = portal.far_from_near.inverse();
                hash = steps(hash, back.point(corner(portal.far)) - corner(room));
                hash = steps(hash, back.vector(DVec3::X));
                hash.0 = mixed(hash.0, shapes[portal.far.0 as usize]);
            }
            *first.entry(hash.0).or_insert(index)
        })
        .collect()
}

fn steps(hash: Fnv64, offset: DVec3) -> Fnv64 {
    let steps = (offset / STEP).round().to_array().map(|x| x as i64 as u64);
    Fnv64(steps.into_iter().fold(hash.0, mixed))
}

/// The next state of a hash, a word at a time (S. Vigna's splitmix64, 2015).
fn mixed(hash: u64, word: u64) -> u64 {
    let mut x = (hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
