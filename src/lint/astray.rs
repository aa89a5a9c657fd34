//! Movers that are children of the wrong room, so that they are neither visible nor solid in the room where they stand;
//! and rooms that move out of the room around them.

use super::findings::{Finding, LintReport};
use crate::geometry::{Aabb, BoxTree};
use crate::level::winding::winding_in_air;
use crate::level::{LevelData, RoomId};
use crate::problems::{ProblemCode, ProblemPlace};

use glam::DVec3;

/// Number of poses along the track of a moving room, besides the first, at which it is tested.
const SAMPLES: u32 = 8;
/// Maximum winding number of a room around a point outside it. Not 0.5, because points inside the room but near its
/// openings also have less than 1.
const OUTSIDE: f64 = 0.25;

/// Reports each such mover and each such room once.
pub(super) fn report(report: &mut LintReport) {
    movers(report);
    moved_rooms(report);
}

/// Checks movers; door panels are checked with the openings of their rooms.
fn movers(report: &mut LintReport) {
    let (level, source) = (report.level, report.source);
    let around_rooms = BoxTree::new(level.rooms.iter().map(|room| room.bounds));
    let movers = source.movers.iter();
    for mover in movers.filter(|mover| !mover.is_door && mover.moved_rooms.is_empty()) {
        let corners = mover.meshes.iter().flat_map(|mesh| &mesh.positions);
        let author = Aabb::around(corners.copied());
        let Some(mesh) = mover.meshes.first().filter(|_| !author.is_empty()) else {
            continue;
        };
        let parent = RoomId(mesh.room as u32);
        let around = Aabb {
            min: author.min - level.origin,
            max: author.max - level.origin,
        };
        let middle = around.centre();
        if holds(level, parent, middle) {
            continue;
        }
        // A mesh in an adjacent room is visible and can be touched through the portal between the rooms.
        let is_beside = |room: RoomId| {
            let leads_to = |from: RoomId, to: RoomId| {
                let mut portals = level.portals_of(from);
                portals.any(|(_, portal)| portal.far == to)
            };
            leads_to(parent, room) || leads_to(room, parent)
        };
        let mut others = Vec::new();
        around_rooms.each_touching(&Aabb::around([middle]), |room| others.push(RoomId(room)));
        others.sort_unstable();
        let others = others.into_iter();
        let mut others = others.filter(|&room| room != parent && !is_beside(room));
        let Some(other) = others.find(|&room| holds(level, room, middle)) else {
            continue;
        };
        let message = format!(
            "it stands in room `{0}` and is a child of room `{1}`, where it is not: it is neither drawn nor solid in `{0}`; make it a child of `{0}` (Blender: select it, then the node of `{0}`, Ctrl+P, Keep Transform)",
            level.room(other).name,
            level.room(parent).name
        );
        let place = ProblemPlace::of_mesh(author);
        let code = ProblemCode::MeshInOtherRoom;
        report.add(Finding::warning(code, &mover.node, message, place));
    }
}

/// Reports moving rooms that leave the room that their portals lead to: outside it they cannot be seen or entered.
fn moved_rooms(report: &mut LintReport) {
    let (level, source) = (report.level, report.source);
    for mover in &level.movers {
        for &room in &mover.moved_rooms {
            let mut portals = level.portals_of(room).map(|(_, portal)| portal);
            let around = portals
                .find(|portal| portal.moves())
                .map(|portal| portal.far);
            let Some(around) = around.filter(|&around| !level.room(around).open_to_sky) else {
                continue;
            };
            let middle = level.room(room).bounds.centre();
            // At its authored pose the room need not be inside the other one.
            let mut ways = (0..=SAMPLES).filter_map(|sample| {
                let part = f64::from(sample) / f64::from(SAMPLES);
                let pose = mover.track.pose(part);
                (!pose.is_identity()).then(|| (part, pose.point(middle)))
            });
            let is_outside = |at: DVec3| winding_in_air(level, around, at) < OUTSIDE;
            let Some((part, at)) = ways.find(|&(_, at)| is_outside(at)) else {
                continue;
            };
            let message = format!(
                "it moves, its portals lead into room `{0}`, and at {1:.0} % of its way it is not in that room, where alone it is seen and entered; let `{0}` surround its whole way, as the shaft of a lift, or make the way shorter (distance)",
                level.room(around).name,
                100.0 * part
            );
            let node = &source.rooms[room.0 as usize].node;
            let place = report.place(at);
            let code = ProblemCode::MovedRoomOutside;
            report.add(Finding::warning(code, node, message, place).of(room));
        }
    }
}

fn holds(level: &LevelData, room: RoomId, point: DVec3) -> bool {
    level.room(room).bounds.contains(point) && winding_in_air(level, room, point) > 0.5
}
