//! Rooms that are alike: what is known of one need not be found again for the next.

use std::collections::BTreeMap;

use glam::DVec3;

use super::reveals::Reveals;
use super::room_meshes::Meshes;
use crate::level::{LevelData, LevelSource, RoomId};
use crate::parallel::{cores, parallel_map};

/// What is so near to a portal, metres, touches its rim.
const RIM: f64 = 0.02;
/// Coordinates that differ by less, metres, are equal.
const STEP: f64 = 1.0 / 1024.0;

/// For each room the first that has the same faces at the same places, and the same around the same portals.
pub(super) fn first_alike(level: &LevelData, source: &LevelSource, meshes: &Meshes) -> Vec<u32> {
    let corner = |room: RoomId| level.room(room).bounds.min;
    let shapes = parallel_map(level.rooms.len(), cores(), |index| {
        let room = RoomId(index as u32);
        let from = corner(room);
        let mut hash = 0;
        for &mesh in meshes.of_room(room) {
            let mesh = &source.meshes[mesh as usize];
            let from = from + level.origin;
            for &p in &mesh.positions {
                hash = steps(hash, p - from);
            }
            for [a, b, c] in &mesh.triangles {
                hash = mixed(
                    hash,
                    (u64::from(*a) << 42) ^ (u64::from(*b) << 21) ^ u64::from(*c),
                );
            }
            hash = mixed(hash, u64::from(mesh.drawn) << 1 | u64::from(mesh.solid));
        }
        hash
    });
    let with_portals = parallel_map(level.rooms.len(), cores(), |index| {
        let room = RoomId(index as u32);
        let mut hash = shapes[index];
        for (_, portal) in level.portals_of(room) {
            for &p in &portal.polygon.vertices {
                hash = steps(hash, p - corner(room));
            }
        }
        // Of the rooms behind portals what is at their rims counts, and what stands before them.
        let of = (level, source, meshes);
        Reveals::of(level, room).each_face(of, RIM, |face| {
            let corners = face.triangle.corners.iter();
            hash = corners.fold(hash, |h, &p| steps(h, p - corner(room)));
        });
        hash
    });
    let mut first: BTreeMap<u64, u32> = BTreeMap::new();
    let rooms = (0..).zip(with_portals);
    rooms
        .map(|(index, hash)| *first.entry(hash).or_insert(index))
        .collect()
}

fn steps(hash: u64, offset: DVec3) -> u64 {
    let steps = (offset / STEP).round().to_array().map(|x| x as i64 as u64);
    steps.into_iter().fold(hash, mixed)
}

/// The next state of a hash, a word at a time (S. Vigna's splitmix64, 2015).
fn mixed(hash: u64, word: u64) -> u64 {
    let mut x = (hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
