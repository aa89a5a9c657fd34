//! Movers: converts them from the source to the room graph.

use std::borrow::Cow;

use glam::DMat3;

use super::door_panels::{gap, is_clear, sides_of_panel, with_links};
use super::images::measure_images;
use super::meshes::{append_draws, append_solids};
use super::moved_rooms::assign_movers;
use crate::geometry::{Aabb, Rigid};
use crate::level::{LevelData, LinkId, Mover, MoverId, MoverPart, RoomId, RoomPlace};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::source::{LevelSource, MeshSource, MoverSource};

/// Adds all movers, and finds the rooms in which they and closable links can be touched.
pub(super) fn add_movers(level: &mut LevelData, source: &LevelSource, problems: &mut Problems) {
    let doors = with_links(level, source, problems);
    let doors = doors.into_iter().map(|(link, door)| (Some(link), door));
    let others = source.movers.iter().filter(|mover| !mover.is_door);
    let others = others.filter(|m| !m.meshes.is_empty() || !m.moved_rooms.is_empty());
    let others = others.map(|mover| (None, Cow::Borrowed(mover)));
    let mut sources: Vec<(Option<LinkId>, Cow<MoverSource>)> = doors.chain(others).collect();
    sources.sort_by(|a, b| (a.0.is_none(), &a.1.node).cmp(&(b.0.is_none(), &b.1.node)));
    let meshes = sources
        .iter()
        .map(|(_, mover)| mover.meshes.iter().collect());
    let meshes: Vec<Vec<&MeshSource>> = meshes.collect();
    let sets: Vec<&[&MeshSource]> = meshes.iter().map(Vec::as_slice).collect();
    let packed = append_solids(level, &sets, |_, _, _| None);
    let mut movers: Vec<(Mover, Vec<MoverPart>)> = Vec::with_capacity(sources.len());
    for (((link, source), meshes), (packed, _)) in sources.iter().zip(sets).zip(packed) {
        let mut parts = match link {
            Some(link) => parts_of_panel(level, *link, meshes),
            None => {
                let room = room_of(level, source);
                vec![part(level, meshes.iter().copied(), room, Rigid::IDENTITY)]
            }
        };
        for part in parts.iter_mut().filter(|part| part.draws.is_empty()) {
            part.middle = bounds(level, source).centre();
        }
        let draws = parts[0].draws.start..parts[parts.len() - 1].draws.end;
        let gap = link.and_then(|link| gap(level, level.link(link), draws.clone()));
        if let Some((at, message)) = &gap {
            let place = ProblemPlace::at(level.to_author(*at));
            let code = ProblemCode::DoorWithGap;
            problems.add(false, code, &source.node, Some(place), || message.clone());
        }
        let to_level = Rigid::new(DMat3::IDENTITY, -level.origin);
        let mover = Mover {
            name: source.node.clone(),
            room: parts[0].home.room,
            link: *link,
            track: source.track.transformed(&to_level),
            drive: source.drive.clone(),
            solids: packed.set,
            rooms: Vec::new(),
            moved_rooms: source
                .moved_rooms
                .iter()
                .map(|&room| RoomId(room as u32))
                .collect(),
            parts: 0..0,
            see_through: gap.is_some() || is_clear(level, draws.clone()),
            draws,
        };
        movers.push((mover, parts));
    }
    movers.sort_by_key(|(mover, _)| mover.link.map_or(u32::MAX, |link| link.0));
    for (mut mover, mut parts) in movers {
        let id = MoverId(level.movers.len() as u32);
        parts.iter_mut().for_each(|part| part.mover = id);
        if let Some(link) = mover.link {
            level.links[link.0 as usize].panel = Some(id);
        }
        let first = level.mover_parts.len() as u32;
        mover.parts = first..first + parts.len() as u32;
        level.mover_parts.extend(parts);
        level.movers.push(mover);
    }
    assign_movers(level, problems);
    for id in measure_images(level) {
        let mover = level.mover(id);
        let (code, message) = if mover.link.is_some() {
            let message = "the door panel reaches into more than 64 rooms; make it no larger than its opening, or give it another name";
            (ProblemCode::DoorTooLarge, message)
        } else {
            let message = "the mover reaches into more than 64 rooms on its way; make it smaller, or its way shorter";
            (ProblemCode::MoverTooLarge, message)
        };
        problems.error(code, &mover.name, message);
    }
}

/// The room of a mover: that of its meshes. A mover that has no meshes and only moves rooms is in the surrounding room.
fn room_of(level: &LevelData, source: &MoverSource) -> RoomId {
    if let Some(mesh) = source.meshes.first() {
        return RoomId(mesh.room as u32);
    }
    let own = || source.moved_rooms.iter().map(|&room| RoomId(room as u32));
    let mut portals = own().flat_map(|room| level.portals_of(room));
    let around = portals.find(|(_, portal)| portal.moves());
    let around = around.map(|(_, portal)| portal.far);
    around.or_else(|| own().next()).unwrap_or(RoomId(0))
}

/// The box around the meshes of a mover, drawn or not. For a mover without meshes, the box around the rooms that it
/// moves.
fn bounds(level: &LevelData, source: &MoverSource) -> Aabb {
    let corners = source.meshes.iter().flat_map(|mesh| &mesh.positions);
    let of_meshes = Aabb::around(corners.map(|corner| *corner - level.origin));
    if !source.meshes.is_empty() {
        return of_meshes;
    }
    let rooms = source.moved_rooms.iter();
    let of_rooms = rooms.map(|&room| level.rooms[room].bounds);
    of_rooms.fold(of_meshes, Aabb::union)
}

/// The two parts of a door panel; each faces one room.
fn parts_of_panel(level: &mut LevelData, link: LinkId, meshes: &[&MeshSource]) -> Vec<MoverPart> {
    let [near_side, far_side] = sides_of_panel(level, level.link(link), meshes);
    let (near, far) = (level.link(link).near, level.link(link).far);
    let far_from_near = level.portal(level.link(link).portal).far_from_near;
    vec![
        part(level, near_side.iter(), near, Rigid::IDENTITY),
        part(level, far_side.iter(), far, far_from_near),
    ]
}

/// A part of a mover, with its drawn triangles and their centre.
fn part<'a>(
    level: &mut LevelData,
    meshes: impl Iterator<Item = &'a MeshSource>,
    room: RoomId,
    here_from_other: Rigid,
) -> MoverPart {
    let (draws, bounds) = append_draws(level, &meshes.collect::<Vec<_>>());
    MoverPart {
        // The id is set once all movers are in order.
        mover: MoverId(0),
        draws,
        middle: bounds.centre(),
        home: RoomPlace {
            room,
            here_from_other,
        },
    }
}
