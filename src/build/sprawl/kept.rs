//! Cached sprawling geometry of rooms that are unchanged since an older version of the level, as are the rooms behind their
//! portals.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Found;
use super::flood::Piece;
use crate::build::cache::{KnownSprawl, LastBuild};
use crate::hash::Fnv128;
use crate::level::{LevelData, RoomId, SolidSet, Solids};

/// The cached sprawling geometry of an older version of the level, by key.
pub(super) fn by_key(last: Option<LastBuild<'_>>) -> BTreeMap<u128, &KnownSprawl> {
    let known = last.map_or(&[][..], |last| &last.memory.sprawls);
    known.iter().map(|known| (known.key, known)).collect()
}

/// A hash of everything that the geometry sprawling into a room through its portals depends on.
pub(super) fn key(level: &LevelData, room: RoomId) -> u128 {
    let mut behind: Vec<RoomId> = Vec::new();
    let key_of = |room: RoomId| level.room(room).key;
    let portals = level.portals_of(room);
    let hash = Fnv128::EMPTY.words(&[key_of(room)]);
    let hash = portals.fold(hash, |hash, (_, portal)| {
        let known = behind.iter().position(|&other| other == portal.far);
        let number = known.unwrap_or_else(|| {
            behind.push(portal.far);
            behind.len() - 1
        });
        let leaves_moving = portal.moves() && level.link(portal.link).near == room;
        let transform = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let transform = transform.map(|p| portal.far_from_near.point(p));
        let plane = &portal.polygon.plane;
        hash.words(&[key_of(portal.far)])
            .words(&[number as u32, u32::from(leaves_moving)])
            .words(&portal.polygon.vertices)
            .words(&[plane.normal.extend(plane.offset)])
            .words(&transform)
    });
    hash.0
}

/// The cache entry of the geometry that sprawls into a room, for the next version of the level.
pub(super) fn known<'a>(
    level: &LevelData,
    (key, work): (u128, u64),
    found: &[Found],
    geometry: impl Fn(RoomId) -> [(&'a Solids, &'a SolidSet); 2],
) -> KnownSprawl {
    let through = found.iter().map(|found| {
        let first = level.room(found.into).portals.start;
        let sets = geometry(found.sprawl.room).map(|(_, set)| set);
        let pieces = found.pieces.iter().map(|piece| piece.within(sets));
        let portal = found.sprawl.through.0 - first;
        (portal, found.sprawl.bounds, pieces.collect())
    });
    KnownSprawl {
        key,
        work,
        through: through.collect(),
    }
}

/// The geometry that sprawls into a room, from its cache entry.
pub(super) fn found_again<'a>(
    level: &LevelData,
    room: RoomId,
    known: &KnownSprawl,
    geometry: impl Fn(RoomId) -> [(&'a Solids, &'a SolidSet); 2],
) -> Vec<Found> {
    let portals = level.portals_of(room);
    let ids: Vec<_> = portals.map(|(id, portal)| (id, portal.far)).collect();
    let through = known.through.iter().map(|(portal, bounds, pieces)| {
        let (id, far) = ids[*portal as usize];
        let sets = geometry(far).map(|(_, set)| set);
        let pieces = pieces.iter().map(|&piece| Piece::of(piece, sets));
        Found::through(level, id, (*bounds, pieces.collect()))
    });
    through.collect()
}
