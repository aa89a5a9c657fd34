//! Geometry that sprawls through portals, such as a door reveal of the room behind, stairs that rise through a floor,
//! or a beam. It belongs to one room and lies inside another, so it has to be listed there too.
//!
//! It is found once, when the level is built. Geometry that crosses a portal's opening is flooded over touching
//! triangles, up to the box of the room into which it sprawls. It counts where it lies in that room's air and not
//! behind the room's walls ([`flood`], [`air`]). Then it is followed through the other portals of that room. As a
//! result each room has one list of the geometry that sprawls into it, and queries follow no portals for it. The list
//! is conservative: it may contain too much. The geometry that counts for the room's winding numbers is found
//! separately, and may be too little ([`in_air`]).
//! winding numbers of the room that it sprawls into is found separately, and may be too little ([`in_air`]).

mod air;
mod cached;
mod flood;
mod in_air;
mod opening;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::build::cache::RoomSprawl;
use crate::build::meshes::pack_meshes;
use crate::build::opening::TOUCH;
use crate::build::unchanged::UnchangedRoom;
use crate::build::windings::{RoomSurfaces, RoomWindings};
use crate::geometry::{Aabb, BoxTree, Plane, Rigid, Triangle};
use crate::level::{LevelData, PortalId, RoomId, SolidSet, Solids, Sprawl};
use crate::memo::Memo;
use crate::source::LevelSource;

use air::MAX_WORK;
use flood::{SprawlFlood, SprawlTriangle};
use in_air::SprawlImage;

/// Maximum number of portals through which the same geometry is followed. Longer rows of thin rooms do not occur, and
/// loops of portals have to end.
const MAX_PORTALS: u32 = 8;

/// A sprawl during the search for sprawls.
struct FoundSprawl {
    into: RoomId,
    sprawl: Sprawl,
    /// The triangles, in order.
    pieces: Vec<SprawlTriangle>,
    /// Number of portals through which it was followed.
    portals: u32,
}

/// Triangles that are drawn but not solid, packed like solids.
pub(in crate::build) struct OnlyDrawn {
    pub solids: Solids,
    /// The set of each room, and the index of the set's first node.
    pub sets: Vec<(SolidSet, u32)>,
}

/// Finds the geometry that sprawls into each room. If a room and its neighbours are unchanged since the last build, it
/// is taken from that build's memo. Returns the memo for the next build.
pub(in crate::build) fn measure_sprawl(
    level: &mut LevelData,
    only_drawn: &OnlyDrawn,
    surfaces: &RoomSurfaces,
    last: &Memo<u128, Arc<RoomSprawl>>,
) -> Memo<u128, Arc<RoomSprawl>> {
    let geometry = |room: RoomId| {
        let index = room.0 as usize;
        [
            (&level.solids, &level.rooms[index].solids),
            (&only_drawn.solids, &only_drawn.sets[index].0),
        ]
    };
    let windings = RoomWindings::of(level, surfaces);
    let mut found = Vec::new();
    let mut next = Vec::with_capacity(level.rooms.len());
    for room in level.room_ids() {
        let key = cached::key(level, room);
        let before = windings.work.get();
        let is_affordable = |cached: &&Arc<RoomSprawl>| before + cached.work <= MAX_WORK;
        if let Some(cached) = last.get(&key).filter(is_affordable) {
            windings.work.set(before + cached.work);
            found.extend(cached::from_cached(level, room, cached, geometry));
            next.push((key, Arc::clone(cached)));
            continue;
        }
        let here = sprawls_into(&windings, room, geometry);
        let work = windings.work.get();
        // If the limit of the work is reached, the result is incomplete and is not cached.
        if work <= MAX_WORK {
            let cached = cached::to_cached(level, work - before, &here, geometry);
            next.push((key, Arc::new(cached)));
        }
        found.extend(here);
    }
    follow_on(&windings, geometry, &mut found);
    found.sort_by_key(|at| (at.into, at.sprawl.through, at.sprawl.room));
    let parts = parts_in_air(&windings, &found);
    store(level, found, parts);
    next.into_iter().collect()
}

/// The geometry that sprawls into a room through its own portals.
fn sprawls_into<'a>(
    windings: &'a RoomWindings<'a>,
    room: RoomId,
    geometry: impl Fn(RoomId) -> [(&'a Solids, &'a SolidSet); 2],
) -> Vec<FoundSprawl> {
    let level = windings.level();
    let mut found = Vec::new();
    // Geometry may cross several openings in one plane. Then each triangle belongs to the first opening from which it
    // is reached.
    let mut walls: Vec<(RoomId, Plane, Rigid, BTreeSet<SprawlTriangle>)> = Vec::new();
    for (id, portal) in level.portals_of(room) {
        // Geometry of the surroundings never sprawls into a moving room.
        if portal.moves() && level.link(portal.link).near == room {
            continue;
        }
        let plane = portal.polygon.plane;
        let near_from_far = portal.far_from_near.inverse();
        let known = walls.iter().position(|(to, other, transform, _)| {
            *to == portal.far && same(other, &plane) && transform.is_about(&near_from_far)
        });
        let wall = known.unwrap_or_else(|| {
            walls.push((portal.far, plane, near_from_far, BTreeSet::new()));
            walls.len() - 1
        });
        let flood = SprawlFlood::new(windings, id, geometry(portal.far), near_from_far);
        let claimed = &mut walls[wall].3;
        if let Some((bounds, pieces)) = flood.run(None, claimed) {
            claimed.extend(&pieces);
            found.push(FoundSprawl::through(level, id, (bounds, pieces)));
        }
    }
    found
}

impl FoundSprawl {
    /// The geometry of the room behind a portal that sprawls in through the portal.
    fn through(
        level: &LevelData,
        id: PortalId,
        (bounds, pieces): (Aabb, Vec<SprawlTriangle>),
    ) -> Self {
        let portal = level.portal(id);
        Self {
            into: portal.near,
            sprawl: Sprawl {
                room: portal.far,
                through: id,
                into_from_room: portal.far_from_near.inverse(),
                bounds,
                triangles: 0..0,
                parts: 0..0,
                moving: None,
            },
            pieces,
            portals: 1,
        }
    }
}

/// The portals that lead into each room, with trees.
struct Entering {
    /// Sorted by room.
    portals: Vec<(RoomId, PortalId)>,
    /// For each room the index in `portals` of the first portal into it, and a tree of boxes around the far sides of
    /// its portals.
    rooms: Vec<(usize, BoxTree)>,
}

impl Entering {
    fn of(level: &LevelData) -> Self {
        let ids = (0..).map(PortalId).zip(&level.portals);
        let mut portals: Vec<(RoomId, PortalId)> =
            ids.map(|(id, portal)| (portal.far, id)).collect();
        portals.sort_unstable();
        let mut end = 0;
        let rooms = level.room_ids().map(|room| {
            let first = end;
            end += portals[first..].partition_point(|(to, _)| *to == room);
            let boxes = portals[first..end].iter().map(|(_, id)| {
                let portal = level.portal(*id);
                portal.polygon.transformed(&portal.far_from_near).bounds()
            });
            (first, BoxTree::new(boxes))
        });
        let rooms = rooms.collect();
        Self { portals, rooms }
    }

    /// The portals into a room that are near a box, in order.
    fn near(&self, room: RoomId, around: &Aabb) -> impl Iterator<Item = PortalId> {
        let (first, ref tree) = self.rooms[room.0 as usize];
        let mut near = Vec::new();
        tree.each_touching(&around.grown(TOUCH), |index| near.push(index));
        near.sort_unstable();
        let near = near.into_iter();
        near.map(move |index| self.portals[first + index as usize].1)
    }
}

/// Follows the geometry that sprawls into a room, from there into further rooms with a portal into that room.
fn follow_on<'a>(
    windings: &'a RoomWindings<'a>,
    geometry: impl Fn(RoomId) -> [(&'a Solids, &'a SolidSet); 2],
    found: &mut Vec<FoundSprawl>,
) {
    if found.is_empty() {
        return;
    }
    let level = windings.level();
    let entering = Entering::of(level);
    let mut known: BTreeMap<(RoomId, RoomId), Vec<usize>> = BTreeMap::new();
    for (index, at) in found.iter().enumerate() {
        known
            .entry((at.into, at.sprawl.room))
            .or_default()
            .push(index);
    }
    let mut next = 0;
    while next < found.len() {
        let at = &found[next];
        next += 1;
        if at.portals == MAX_PORTALS {
            continue;
        }
        let link = level.portal(at.sprawl.through).link;
        let (into, room, portals) = (at.into, at.sprawl.room, at.portals + 1);
        let solids = geometry(room);
        let triangles = at.pieces.iter().map(|piece| piece.triangle(solids));
        let corners = triangles.flat_map(|t| t.transformed(&at.sprawl.into_from_room).corners);
        for id in entering.near(into, &Aabb::around(corners).grown(TOUCH)) {
            let portal = level.portal(id);
            let at = &found[next - 1];
            let near_from_into = portal.far_from_near.inverse();
            let near_from_room = near_from_into.after(&at.sprawl.into_from_room);
            let is_at_home = portal.near == room && near_from_room.is_about(&Rigid::IDENTITY);
            // Geometry is not followed through a second opening if one of the two belongs to a moving room.
            let moves = portal.moves() || level.portal(at.sprawl.through).moving.is_some();
            if portal.link == link || is_at_home || portal.near == into || moves {
                continue;
            }
            let flood = SprawlFlood::new(windings, id, geometry(room), near_from_room);
            let passed = flood.run(Some(&at.pieces), &BTreeSet::new());
            let Some((bounds, pieces)) = passed else {
                continue;
            };
            let known = known.entry((portal.near, room)).or_default();
            let is_known = |&index: &usize| {
                let other: &FoundSprawl = &found[index];
                other.sprawl.into_from_room.is_about(&near_from_room)
                    && pieces.iter().all(|p| other.pieces.binary_search(p).is_ok())
            };
            if known.iter().any(is_known) {
                continue;
            }
            known.push(found.len());
            found.push(FoundSprawl {
                into: portal.near,
                sprawl: Sprawl {
                    room,
                    through: id,
                    into_from_room: near_from_room,
                    bounds,
                    triangles: 0..0,
                    parts: 0..0,
                    moving: None,
                },
                pieces,
                portals,
            });
        }
    }
}

/// The parts of sprawling geometry that lie inside the rooms. Each part is listed once, with the first sprawl
/// from its room into the other.
fn parts_in_air<'a>(windings: &'a RoomWindings<'a>, found: &[FoundSprawl]) -> Vec<Vec<Triangle>> {
    let mut images: BTreeMap<(RoomId, RoomId), Vec<Vec<usize>>> = BTreeMap::new();
    for (index, at) in found.iter().enumerate() {
        let images = images.entry((at.into, at.sprawl.room)).or_default();
        let transform = &at.sprawl.into_from_room;
        let known = images
            .iter_mut()
            .find(|image| found[image[0]].sprawl.into_from_room.is_about(transform));
        match known {
            Some(image) => image.push(index),
            None => images.push(vec![index]),
        }
    }
    let mut parts = vec![Vec::new(); found.len()];
    for ((into, room), images) in images {
        for of_image in images {
            let image = SprawlImage {
                windings,
                into,
                room,
                into_from_room: found[of_image[0]].sprawl.into_from_room,
            };
            let through = of_image.iter().map(|&index| {
                let at = &found[index];
                let solid = at.pieces.iter().filter_map(SprawlTriangle::solid);
                (at.sprawl.through, solid.collect())
            });
            parts[of_image[0]] = image.parts_in_air(&through.collect::<Vec<_>>());
        }
    }
    parts
}

/// Stores the lists in the rooms.
fn store(level: &mut LevelData, found: Vec<FoundSprawl>, parts: Vec<Vec<Triangle>>) {
    let mut moving = 0..;
    for (at, parts) in found.into_iter().zip(parts) {
        let mut sprawl = at.sprawl;
        let is_moving = level.portal(sprawl.through).moving.is_some();
        sprawl.moving = if is_moving { moving.next() } else { None };
        let first = level.sprawling_triangles.len() as u32;
        let solid = at.pieces.iter().filter_map(|piece| piece.solid());
        level.sprawling_triangles.extend(solid);
        sprawl.triangles = first..level.sprawling_triangles.len() as u32;
        let first = level.sprawling_parts.len() as u32;
        level.sprawling_parts.extend(parts);
        sprawl.parts = first..level.sprawling_parts.len() as u32;
        let index = level.sprawls.len() as u32;
        let owner = &mut level.rooms[sprawl.room.0 as usize];
        owner.sprawls_elsewhere.push(index);
        let room = &mut level.rooms[at.into.0 as usize];
        // The bounds of a room include its sprawls, so that box queries find them.
        room.bounds = room.bounds.union(sprawl.bounds);
        room.sprawls = if room.sprawls.is_empty() {
            index..index + 1
        } else {
            room.sprawls.start..index + 1
        };
        level.sprawls.push(sprawl);
    }
}

/// Packs the triangles that are drawn but not solid, room by room. Unchanged rooms are copied.
pub(in crate::build) fn pack_only_drawn(
    level: &LevelData,
    source: &LevelSource,
    unchanged: &[Option<UnchangedRoom>],
) -> OnlyDrawn {
    let mut sets = vec![Vec::new(); level.rooms.len()];
    for mesh in source
        .meshes
        .iter()
        .filter(|mesh| mesh.drawn && !mesh.solid)
    {
        sets[mesh.room].push(mesh);
    }
    let mut solids = Solids::default();
    let packed = pack_meshes(
        &mut solids,
        level.origin,
        &level.materials,
        sets,
        |room, first_node, solids| Some(unchanged[room]?.append_only_drawn(first_node, solids)),
    );
    let sets = packed
        .into_iter()
        .map(|(packed, first_node)| (packed.set, first_node));
    let sets = sets.collect();
    OnlyDrawn { solids, sets }
}

/// Whether two planes differ by no more than the touching distance.
fn same(a: &Plane, b: &Plane) -> bool {
    (a.offset - b.offset).abs() <= TOUCH && a.normal.abs_diff_eq(b.normal, 1e-6)
}
