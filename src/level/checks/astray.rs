//! Movers that are children of another room than the one that they stand in, where nobody sees or meets them.

use super::report::{Finding, Report};
use crate::geometry::Aabb;
use crate::level::graph::winding::winding_in_air;
use crate::level::{LevelData, ProblemCode, ProblemPlace, RoomId};

use glam::DVec3;

/// Reports each such mover once; door panels are looked for in the openings of their rooms.
pub(super) fn report(report: &mut Report) {
    let (level, source) = (report.level, report.source);
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
        // A mesh in a room next to its own is met through the portal between them.
        let is_beside = |room: RoomId| {
            let mut links = level.links.iter().map(|link| [link.near, link.far]);
            links.any(|ends| ends.contains(&room) && ends.contains(&parent))
        };
        let mut others = level
            .room_ids()
            .filter(|&room| room != parent && !is_beside(room));
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

fn holds(level: &LevelData, room: RoomId, point: DVec3) -> bool {
    level.room(room).bounds.contains(point) && winding_in_air(level, room, point) > 0.5
}
