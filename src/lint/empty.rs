//! Rooms without walls. Their walls were not exported, have no parent, or were joined to another room's mesh.

use std::collections::BTreeSet;

use glam::DVec3;

use super::findings::{Finding, LintReport};
use super::rooms::CheckedRooms;
use crate::geometry::{Aabb, BoxTree};
use crate::level::locate::is_inside;
use crate::level::winding::{winding_in_air, winding_number};
use crate::level::{LevelData, RoomId};
use crate::problems::ProblemCode;

/// Distance between a portal and the point in front of it that should be inside the room, metres.
const BEFORE: f64 = 0.3;
/// Number of sample points along each axis of a room's box. If the room has walls, at least one point is inside it.
const SAMPLES: u32 = 6;

/// Reports each room that consists only of its node, or of the objects in it.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    let (level, source) = (rooms.level, rooms.source);
    let mut is_empty = vec![true; level.rooms.len()];
    let of_movers = source.movers.iter().flat_map(|mover| &mover.meshes);
    for mesh in source.meshes.iter().chain(of_movers) {
        is_empty[mesh.room] &= mesh.triangles.is_empty();
    }
    let far = report.findings.iter();
    let far = far.filter(|finding| finding.code == ProblemCode::PortalFar);
    let far: BTreeSet<String> = far.map(|finding| finding.node.clone()).collect();
    // A room without walls is far from its portals. A room that was moved as a whole is too, but has walls.
    let far = level.links.iter().filter(|link| far.contains(&link.name));
    let far: BTreeSet<RoomId> = far.flat_map(|link| [link.near, link.far]).collect();
    let around_rooms = BoxTree::new(level.rooms.iter().map(|room| room.bounds));
    for room in level.room_ids() {
        let is_empty = is_empty[room.0 as usize];
        let lacks_walls =
            || far.contains(&room) && !level.room(room).open_to_sky && !has_walls(level, room);
        if !is_empty && !lacks_walls() {
            continue;
        }
        let points = points_of(rooms, room);
        let name = &level.room(room).name;
        let joined = points.iter().find_map(|(node, point)| {
            let other = other_at((level, &around_rooms), room, *point)?;
            Some(format!(
                ", and around its `{node}` is room `{}`: if its walls were joined to that room's mesh, part them again (Blender: Edit Mode, L over the walls, P, Selection) and make them children of its node",
                level.room(other).name
            ))
        });
        let cure = joined.unwrap_or_else(|| {
            "; make its walls children of its node, and let them be exported (Blender: not hidden), or delete the node".to_owned()
        });
        let message = if is_empty {
            format!("room `{name}` has no meshes: it is neither drawn nor solid{cure}")
        } else {
            format!("room `{name}` has no walls: none of its meshes surrounds it{cure}")
        };
        let node = &source.rooms[room.0 as usize].node;
        let place = points.first().map(|(_, point)| report.place(*point));
        report.add(Finding::warning(ProblemCode::RoomEmpty, node, message, place).of(room));
    }
}

/// Whether the surface of a room encloses any sample point.
fn has_walls(level: &LevelData, room: RoomId) -> bool {
    let bounds = level.room(room).bounds;
    let part = |i: u32| (f64::from(i) + 0.5) / f64::from(SAMPLES);
    let all = (0..SAMPLES).flat_map(|x| (0..SAMPLES).map(move |y| (x, y)));
    let mut all = all.flat_map(|(x, y)| (0..SAMPLES).map(move |z| [x, y, z]));
    all.any(|at| {
        let part = DVec3::from_array(at.map(part));
        let point = bounds.min + part * (bounds.max - bounds.min);
        // Solid objects, such as tables, have the opposite sign, and faces of other rooms at this position are not
        // counted.
        winding_number(level, room, point) > 0.5
    })
}

/// Positions of the room's children without triangles, each with its node, and points in front of the room's portals.
fn points_of<'a>(rooms: &CheckedRooms<'a>, room: RoomId) -> Vec<(&'a str, DVec3)> {
    let (level, source) = (rooms.level, rooms.source);
    let is_child = |parent: &Option<usize>| *parent == Some(room.0 as usize);
    let lights = source.lights.iter().filter(|light| is_child(&light.room));
    let lights = lights.map(|light| (light.node.as_str(), light.position));
    let spawns = source.spawns.iter().filter(|spawn| is_child(&spawn.room));
    let spawns = spawns.map(|spawn| (spawn.node.as_str(), spawn.position));
    let stand = lights.chain(spawns);
    let stand = stand.map(|(node, at)| (node, level.from_author(at)));
    let portals = level.portals_of(room).map(|(_, portal)| {
        let before = portal.polygon.centre() - portal.polygon.plane.normal * BEFORE;
        (level.link(portal.link).name.as_str(), before)
    });
    stand.chain(portals).collect()
}

/// Another room that contains the point.
fn other_at(
    (level, around_rooms): (&LevelData, &BoxTree),
    room: RoomId,
    point: DVec3,
) -> Option<RoomId> {
    let mut others = Vec::new();
    around_rooms.each_touching(&Aabb::around([point]), |other| others.push(RoomId(other)));
    others.sort_unstable();
    let mut others = others.into_iter().filter(|&other| other != room);
    others.find(|&other| {
        let own = winding_number(level, other, point);
        let winding = own.max(winding_in_air(level, other, point));
        is_inside(level, other, point, winding)
    })
}
