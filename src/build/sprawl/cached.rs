//! The cached form of the geometry that sprawls into a room. It is reused if the room and all rooms behind its portals
//! are unchanged since the last build.

use glam::DVec3;

use super::FoundSprawl;
use super::flood::SprawlTriangle;
use crate::build::cache::RoomSprawl;
use crate::hash::Fnv128;
use crate::level::{LevelData, RoomId, SolidSet, Solids};

/// A hash of everything that decides which geometry sprawls into a room through its portals.
pub(super) fn key(level: &LevelData, room: RoomId) -> u128 {
    let mut behind: Vec<RoomId> = Vec::new();
    let key_of = |room: RoomId| level.room(room).key;
    let portals = level.portals_of(room);
    let hash = Fnv128::EMPTY.words(&[key_of(room)]);
    let hash = portals.fold(hash, |hash, (_, portal)| {
        let number = behind.iter().position(|&other| other == portal.far);
        let number = number.unwrap_or_else(|| {
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

/// The cached form of the geometry that sprawls into a room; `work` is the cost of finding it.
pub(super) fn to_cached<'a>(
    level: &LevelData,
    work: u64,
    found: &[FoundSprawl],
    geometry: impl Fn(RoomId) -> [(&'a Solids, &'a SolidSet); 2],
) -> RoomSprawl {
    let through = found.iter().map(|found| {
        let first = level.room(found.into).portals.start;
        let sets = geometry(found.sprawl.room).map(|(_, set)| set);
        let pieces = found.pieces.iter().map(|piece| piece.within(sets));
        let portal = found.sprawl.through.0 - first;
        (portal, found.sprawl.bounds, pieces.collect())
    });
    RoomSprawl {
        work,
        through: through.collect(),
    }
}

/// The geometry that sprawls into a room, from its cached form.
pub(super) fn from_cached<'a>(
    level: &LevelData,
    room: RoomId,
    cached: &RoomSprawl,
    geometry: impl Fn(RoomId) -> [(&'a Solids, &'a SolidSet); 2],
) -> Vec<FoundSprawl> {
    let portals = level.portals_of(room);
    let ids: Vec<_> = portals.map(|(id, portal)| (id, portal.far)).collect();
    let through = cached.through.iter().map(|(portal, bounds, pieces)| {
        let (id, far) = ids[*portal as usize];
        let sets = geometry(far).map(|(_, set)| set);
        let pieces = pieces.iter().map(|&piece| SprawlTriangle::of(piece, sets));
        FoundSprawl::through(level, id, (*bounds, pieces.collect()))
    });
    through.collect()
}
