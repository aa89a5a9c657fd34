//! Finds equal rooms, so that the results for one hold for all of them.

use super::alike::{ShapeHash, first_of_equal};
use super::reveals::RoomPortals;
use super::room_meshes::Meshes;
use crate::level::{LevelData, RoomId};
use crate::parallel::{cores, parallel_map};
use crate::source::LevelSource;

/// Maximum distance between a portal's rim and geometry that touches it, metres.
const RIM: f64 = 0.02;
/// Tolerance of equal coordinates, metres.
const STEP: f64 = 1.0 / 1024.0;

/// For each room the first equal room: one with the same faces at the same relative positions, and with the same
/// geometry of adjacent rooms around the same portals.
pub(super) fn first_alike(level: &LevelData, source: &LevelSource, meshes: &Meshes) -> Vec<u32> {
    let corner = |room: RoomId| level.room(room).bounds.min;
    let shapes = parallel_map(level.rooms.len(), cores(), |index| {
        let room = RoomId(index as u32);
        let from = corner(room) + level.origin;
        let mut hash = ShapeHash::with_step(STEP);
        for &mesh in meshes.of_room(room) {
            let mesh = &source.meshes[mesh as usize];
            hash = hash.points(mesh.positions.iter().map(|&p| p - from));
            let triangle = |&[a, b, c]: &[u32; 3]| {
                let [a, b, c] = [a, b, c].map(u64::from);
                (a << 42) ^ (b << 21) ^ c
            };
            hash = hash.words(mesh.triangles.iter().map(triangle));
            hash = hash.words([u64::from(mesh.drawn) << 1 | u64::from(mesh.solid)]);
        }
        hash
    });
    let with_portals = parallel_map(level.rooms.len(), cores(), |index| {
        let room = RoomId(index as u32);
        let from = corner(room);
        let mut hash = shapes[index];
        for (_, portal) in level.portals_of(room) {
            hash = hash.points(portal.polygon.vertices.iter().map(|&p| p - from));
        }
        // Of adjacent rooms, only the faces at the rims of the portals or in front of them matter.
        let of = (level, source, meshes);
        RoomPortals::of(level, room).each_face(of, RIM, |face| {
            hash = hash.points(face.triangle.corners.map(|p| p - from));
        });
        hash.finish()
    });
    first_of_equal(with_portals.into_iter().map(Some))
}
