//! Levels of furnished rooms, of any number.

use glam::DVec3;
use opendoor::author::grid_glb;
use opendoor::gltf::read_source_bytes;
use opendoor::source::LevelSource;

/// Maximum number of rooms along a side of one file: the largest power of two that the importer accepts.
pub const BLOCK: u32 = 128;

/// Memory per room. Measured at the peak with the peers' copies of 65,536 rooms: 4.0 GiB.
const GIB_PER_ROOM: f64 = 1.0 / 16384.0;

/// Distance from a room of [`grid_glb`] to the next, metres.
const PITCH: f64 = 6.25;

/// The source of `side` x `side` furnished rooms joined by doorways, with solid geometry only. If one file cannot
/// contain all rooms, the rooms of several files stand side by side, without doorways between rooms of different files.
pub fn source(side: u32) -> LevelSource {
    let block = side.min(BLOCK);
    let glb = grid_glb(block, block);
    let mut all = LevelSource::default();
    for column in (0..side).step_by(block as usize) {
        for row in (0..side).step_by(block as usize) {
            let (source, _) = read_source_bytes("", &glb).expect("a generated level is good");
            let offset = DVec3::new(f64::from(column), 0.0, f64::from(row)) * PITCH;
            append(&mut all, source, &format!("{column}_{row}_"), offset);
        }
    }
    all.name = format!("{} furnished rooms", side * side);
    all
}

/// Adds the solid geometry of `source` under unique names, moved by `offset` metres.
fn append(all: &mut LevelSource, mut source: LevelSource, prefix: &str, offset: DVec3) {
    let base = all.rooms.len();
    for room in &mut source.rooms {
        room.name.insert_str(0, prefix);
    }
    for mesh in &mut source.meshes {
        mesh.room += base;
        mesh.drawn = false;
        mesh.positions.iter_mut().for_each(|p| *p += offset);
    }
    for portal in &mut source.portals {
        portal.room += base;
        portal.dest.insert_str(0, prefix);
        let corners = portal.triangles.iter_mut().flatten();
        corners.for_each(|p| *p += offset);
    }
    all.rooms.append(&mut source.rooms);
    all.meshes.append(&mut source.meshes);
    all.portals.append(&mut source.portals);
    if base == 0 {
        all.materials = source.materials;
        all.spawns = source.spawns;
    }
}

/// The middle of the floor of a room, metres, author's coordinates.
pub fn middle(column: u32, row: u32) -> DVec3 {
    DVec3::new(f64::from(column), 0.0, f64::from(row)) * PITCH + DVec3::new(3.0, 0.0, 3.0)
}

/// Peak memory of reading and building a level of this size, GiB.
pub fn needed_gib(side: u32) -> f64 {
    GIB_PER_ROOM * f64::from(side * side)
}
