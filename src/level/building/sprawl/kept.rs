//! What sprawls into rooms that are as they were in an older version of the level, and the rooms behind their portals too.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Found;
use super::flood::Piece;
use crate::hash::Fnv128;
use crate::level::graph::KnownSprawl;
use crate::level::{Inputs, Level, LevelData, RoomId, SolidSet, Solids};

/// What an older version of the level knows.
pub(super) fn by_key(old: Option<&Level>) -> BTreeMap<u128, &KnownSprawl> {
    let known = old.map_or(&[][..], |old| &old.inputs.sprawls);
    known.iter().map(|known| (known.key, known)).collect()
}

/// A number for all that what sprawls into a room through one portal depends on.
pub(super) fn key((level, inputs): (&LevelData, &Inputs), room: RoomId) -> u128 {
    let mut behind: Vec<RoomId> = Vec::new();
    let key_of = |room: RoomId| inputs.rooms[room.0 as usize].key;
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

/// What sprawls into a room, to be known in the next version of the level.
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

/// What sprawls into a room as it is known.
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
