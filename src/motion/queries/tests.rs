//! Casts of both kinds find the same contact.

use super::*;
use crate::author::{dungeon, grid_glb};
use crate::gltf::write_glb;
use crate::level::{RoomId, holds};
use crate::load::load_bytes;
use crate::rng::Rng;
use crate::world::World;

#[test]
fn a_cast_ends_where_one_does_that_looks_all_around() {
    let dungeon = write_glb(&dungeon(12, 3).unwrap()).unwrap();
    let (mut met, mut free) = (0, 0);
    for glb in [grid_glb(3, 3), dungeon] {
        let (level, _) = load_bytes("level", &glb).unwrap();
        let world = World::all_open(&level);
        let collision = CollisionWorld::new(&level, &world);
        let mut rng = Rng::new(1);
        let (mut cache, mut memory) = (BodyCache::default(), Memory::default());
        let (mut all, mut gathered) = (CandidateCache::default(), Candidates::default());
        for index in 0..2000 {
            let room = RoomId(index % level.rooms.len() as u32);
            let bounds = level.room(room).bounds;
            let mut part = || DVec3::from([0; 3].map(|_| rng.between(0.0, 1.0)));
            let point = bounds.min + (bounds.max - bounds.min) * part();
            let motion = (part() * 2.0 - 1.0).normalize_or_zero() * 12.0 * part().x;
            let (at, radius) = (At { room, point }, 0.02 + 0.4 * part().x);
            // From a start behind walls, only the larger box reaches some rooms.
            if !holds(&level, at) {
                continue;
            }
            let swept = cast_from(&collision, at, motion, radius, (&mut cache, &mut memory));
            all.find(&mut gathered, &collision, at, radius + motion.length(), 0.0);
            let expected = free_part(&all, point, motion, radius);
            assert_eq!(
                swept.to_bits(),
                expected.to_bits(),
                "{at:?} {motion} {radius}"
            );
            met += u32::from(swept > 0.0 && swept < 1.0);
            free += u32::from(swept == 1.0);
        }
    }
    assert!(met > 1000 && free > 100, "{met} {free}");
}
