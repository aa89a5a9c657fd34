//! Moving rooms: which rooms each mover moves, and which portals move with them.

use glam::DVec3;

use crate::level::{LevelData, Mover, MoverId, RoomId};
use crate::naming::plain_name;
use crate::problems::{ProblemCode, Problems};
use crate::source::{LevelSource, MoverSource};

/// Number of steps along a track after each of which a moving room has to be upright.
const SAMPLES: u32 = 64;

/// Maximum difference between the vertical directions of an upright moving room and its surroundings.
const UPRIGHT: f64 = 1e-9;

/// Merges movers that move with another mover into that mover. Afterwards no mover has a
/// [`moves_with`](MoverSource::moves_with).
pub(super) fn join_followers(source: &mut LevelSource, problems: &mut Problems) {
    let movers = std::mem::take(&mut source.movers);
    let (followers, mut leaders): (Vec<MoverSource>, Vec<MoverSource>) =
        movers.into_iter().partition(|m| m.moves_with.is_some());
    for follower in followers {
        let wanted = follower.moves_with.as_deref().unwrap_or_default();
        let is_named = |m: &&mut MoverSource| {
            !m.is_door && (m.node == wanted || plain_name(&m.node) == wanted)
        };
        let mut named = leaders.iter_mut().filter(is_named);
        match (named.next(), named.next()) {
            (Some(leader), None) => {
                leader.meshes.extend(follower.meshes);
                leader.moved_rooms.extend(follower.moved_rooms);
            }
            (found, _) => {
                let what = if found.is_some() {
                    "several movers"
                } else {
                    "no mover or room that moves by itself"
                };
                let message = format!(
                    "it moves with `{wanted}`, which names {what}; write the name of the node that has the motion"
                );
                problems.error(ProblemCode::MoverProperty, &follower.node, message);
            }
        }
    }
    source.movers = leaders;
    let mut taken = vec![None; source.rooms.len()];
    for mover in &mut source.movers {
        mover.moved_rooms.sort_unstable();
        mover.moved_rooms.dedup();
        mover.moved_rooms.retain(|&room| match taken.get_mut(room) {
            Some(by @ None) => {
                *by = Some(mover.node.clone());
                true
            }
            other => {
                let by = other.and_then(|by| by.as_deref()).unwrap_or_default();
                let message = format!("it moves a room that `{by}` moves already; leave one out");
                problems.error(ProblemCode::MoverProperty, &mover.node, message);
                false
            }
        });
    }
}

/// For each room the mover that moves it, as index in the source.
pub(super) fn movers_of_rooms(source: &LevelSource) -> Vec<Option<MoverId>> {
    let mut movers = vec![None; source.rooms.len()];
    for (id, mover) in (0..).map(MoverId).zip(&source.movers) {
        for &room in &mover.moved_rooms {
            movers[room] = Some(id);
        }
    }
    movers
}

/// Numbers the portals that join a moving room to a room that does not move with it; reports those that are not
/// allowed.
pub(super) fn mark_moving_portals(level: &mut LevelData, problems: &mut Problems) {
    let moved_by: Vec<_> = level.rooms.iter().map(|room| room.moved_by).collect();
    let moved_by = |room: RoomId| moved_by[room.0 as usize];
    let mut count = 0;
    for portal in &mut level.portals {
        if moved_by(portal.near) != moved_by(portal.far) {
            portal.moving = Some(count);
            count += 1;
        }
    }
    for link in &level.links {
        let portal = level.portal(link.portal);
        if !portal.moves() {
            continue;
        }
        let far = &level.room(link.far).name;
        if moved_by(link.near).is_none() {
            let message = format!(
                "it leads into room `{far}`, which moves, and stands still itself; make it a child of that room, named after the room around it"
            );
            problems.error(ProblemCode::PortalOfMovedRoom, &link.name, message);
        } else if !portal.far_from_near.is_identity() {
            let message =
                "it leads out of a room that moves, and bends space; leave its transform out";
            problems.error(ProblemCode::PortalOfMovedRoom, &link.name, message);
        }
    }
}

/// Stores in each room the mover that moves it, once the movers are numbered. Reports movers that tilt rooms.
pub(super) fn assign_movers(level: &mut LevelData, problems: &mut Problems) {
    for (id, mover) in (0..).map(MoverId).zip(&level.movers) {
        for room in &mover.moved_rooms {
            level.rooms[room.0 as usize].moved_by = Some(id);
        }
        if !mover.moved_rooms.is_empty() && tilts(mover) {
            let message = "it moves a room and tilts it; turn it about the vertical alone (Blender's Z), for down is the same for all in a room";
            problems.error(ProblemCode::RoomTilts, &mover.name, message);
        }
    }
}

fn tilts(mover: &Mover) -> bool {
    (0..=SAMPLES).any(|sample| {
        let pose = mover.track.pose(f64::from(sample) / f64::from(SAMPLES));
        pose.vector(DVec3::Y).distance(DVec3::Y) > UPRIGHT
    })
}
