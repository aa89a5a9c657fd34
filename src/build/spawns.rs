//! Spawns, each in the room that contains it.

use glam::DVec3;

use super::rooms_along_x::{Finder, TooMany};
use crate::level::locate::{is_in_or_above, is_inside};
use crate::level::winding::winding_in_air;
use crate::level::{At, LevelData, RoomId, SPAWN_LIFT, Spawn};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::source::{LevelSource, SpawnSource};

pub(super) fn add_spawns(level: &mut LevelData, source: &LevelSource, problems: &mut Problems) {
    if source.spawns.is_empty() {
        let message =
            "the level has no spawn; add an empty named `player-spawn` where the character starts";
        problems.error(ProblemCode::NoSpawn, "", message);
    }
    let mut spawns: Vec<&SpawnSource> = source.spawns.iter().collect();
    spawns.sort_by_key(|spawn| spawn.node != "player-spawn");
    let mut finder = Finder::of(level);
    for spawn in spawns {
        let position = level.from_author(spawn.position);
        let above = position + DVec3::Y * SPAWN_LIFT;
        let parent = spawn.room.map(|room| RoomId(room as u32));
        let found = match room_of_point(level, &mut finder, parent, above) {
            Ok(found) => found,
            Err(TooMany) => parent,
        };
        let Some(room) = found else {
            let place = ProblemPlace::at(spawn.position);
            problems.add(true, ProblemCode::SpawnOutside, &spawn.node, Some(place), || {
                "it stands inside no room; move it into one, out of walls and furniture, and see that the room is closed and its faces look inwards".to_owned()
            });
            continue;
        };
        level.spawns.push(Spawn {
            name: spawn.node.clone(),
            at: At::new(room, position),
            yaw: libm::atan2(-spawn.forward.x, -spawn.forward.z).to_degrees(),
        });
    }
}

/// The room that contains a point; the parent room if that contains it.
pub(super) fn room_of_point(
    level: &LevelData,
    finder: &mut Finder,
    parent: Option<RoomId>,
    point: DVec3,
) -> Result<Option<RoomId>, TooMany> {
    let winding = |room| winding_in_air(level, room, point);
    if let Some(room) = parent {
        finder.pay(level, &[room])?;
        let near = is_in_or_above(&level.room(room).bounds, point);
        if near && is_inside(level, room, point, winding(room)) {
            return Ok(parent);
        }
    }
    finder.room_of(level, point, winding)
}
