//! Movers that pass through solid geometry.

mod sweep;

use std::collections::BTreeSet;

use glam::DVec3;

use crate::geometry::{Aabb, Aabb32, Triangle};
use crate::level::{LevelData, MoverId, Track};
use sweep::{MoverSweep, PLAY, StaticTriangle};

/// A penetration at the authored pose deeper than this, metres, counts as intended: for example, a sliding panel stands
/// partly in the wall that it slides into.
const LET_IN: f64 = 1e-3;
/// Maximum distance that a point of a mover travels between two tested poses, metres.
const STEP: f64 = 0.02;
/// Maximum number of tested poses.
const MAX_POSES: f64 = 2_000.0;
/// Maximum product of the number of poses and the number of triangles of the mover.
const MAX_TRIANGLES: f64 = 1e6;

/// The first obstacle that a mover passes through, its position, and the cure.
pub(super) fn through_wall(level: &LevelData, id: MoverId) -> Option<(DVec3, String)> {
    let mover = level.mover(id);
    let rooms = mover
        .moved_rooms
        .iter()
        .map(|&room| &level.room(room).solids);
    let solids = rooms
        .chain([&mover.solids])
        .flat_map(|set| level.solids.of(set));
    let triangles: Vec<Triangle> = solids.map(|solid| solid.triangle()).collect();
    let bounds = Aabb::around(triangles.iter().flat_map(|triangle| triangle.corners));
    let way = way(&mover.track, &bounds);
    if triangles.is_empty() || way == 0.0 {
        return None;
    }
    let poses = (way / STEP).ceil().min(MAX_POSES);
    let poses = poses
        .min(MAX_TRIANGLES / triangles.len() as f64)
        .max(1.0)
        .ceil() as u32;
    let mut walls = Vec::new();
    each_wall_around(level, id, |index, triangle| {
        walls.push(StaticTriangle::of(index, triangle));
    });
    let mut sweep = MoverSweep::of(&triangles, bounds, &walls);
    let mut let_in = BTreeSet::new();
    sweep.met_at_start(LET_IN, |wall, _| {
        let_in.insert(wall);
    });
    let part = |pose: usize| pose as f64 / f64::from(poses);
    let on_way = (0..=poses as usize).map(|pose| mover.track.pose(part(pose)));
    let places = sweep.places(on_way);
    let back = ((2.0 * PLAY + STEP) / way * f64::from(poses)).ceil() as usize;
    for (pose, place) in places.iter().enumerate().skip(1) {
        let mut met = None;
        let before = &places[pose.saturating_sub(back)];
        sweep.met_between([before, place], |wall, at| {
            if met.is_none() && !let_in.contains(&wall) {
                met = Some((wall, at));
            }
        });
        if let Some((wall, at)) = met {
            let node = level.solids.node_name(level.solids.triangle(wall).surface);
            let message = format!(
                "at {:.0} % of its way it goes through `{node}` here; let it turn or slide the other way (axis, angle), about another place (its node's origin) or less far, or make room",
                100.0 * part(pose)
            );
            return Some((at, message));
        }
    }
    None
}

/// An upper bound of the distance that a point of a mover travels, metres.
fn way(track: &Track, bounds: &Aabb) -> f64 {
    let radius = |pivot: DVec3| {
        let corners = bounds.corners().map(|p| p.distance(pivot));
        corners.into_iter().fold(0.0, f64::max)
    };
    match track {
        Track::Vanish => 0.0,
        Track::Slide(by) => by.length(),
        Track::Turn { pivot, angle, .. } => angle.abs() * radius(*pivot),
        Track::Keys(keys) => {
            let spans = keys.windows(2).map(|pair| {
                let turned = pair[0].rotation.dot(pair[1].rotation).abs().min(1.0);
                let moved = pair[0].offset.distance(pair[1].offset);
                moved + 2.0 * libm::acos(turned) * radius(pair[0].pivot)
            });
            spans.sum()
        }
    }
}

/// Calls `found` with the triangles that a mover may collide with, in coordinates of its room, and their indices.
pub(super) fn each_wall_around(
    level: &LevelData,
    id: MoverId,
    mut found: impl FnMut(u32, Triangle),
) {
    let rooms = level.mover(id).rooms.iter().map(|room| level.room(*room));
    // Walls of moving rooms are excluded: they are at their authored pose only at the start.
    for room in rooms.filter(|room| room.moved_by.is_none()) {
        for image in room.images_of(id) {
            let back = image.here_from_room.inverse();
            let bounds = Aabb32::around(&image.bounds);
            level.solids.touching(&room.solids, &bounds, |solid| {
                found(solid.index, solid.triangle().transformed(&back));
            });
        }
    }
}
