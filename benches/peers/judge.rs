//! How far a walk went and how deep it got into anything solid: by brute force, in f64.

use glam::DVec3;
use opendoor::geometry::{Aabb, Triangle};

use crate::common::walk::{BODY, wish};
use crate::controller::Controller;
use crate::scenes::Scene;

/// What became of a walk.
pub(crate) struct Verdict {
    /// Length of the path from tick to tick, metres.
    pub(crate) path: f64,
    /// Greatest depth of the sphere in a triangle at the end of a tick, metres; negative is a gap.
    pub(crate) deepest: f64,
    /// Whether it ended outside the box of the whole level.
    pub(crate) fell_out: bool,
}

/// Walks `ticks` from `start` and measures the sphere against every triangle of the scene.
pub(crate) fn judge(
    scene: &Scene,
    start: DVec3,
    ticks: u64,
    controller: &mut dyn Controller,
) -> Verdict {
    controller.restart(start);
    let mut centres = vec![start];
    for tick in 0..ticks {
        controller.tick(wish(tick));
        centres.push(controller.centre());
    }
    let near = Aabb::around(centres.iter().copied()).grown(BODY.radius);
    let solids = &scene.level.solids;
    let rooms = scene.level.rooms.iter();
    let triangles: Vec<(Aabb, Triangle)> = rooms
        .filter(|room| room.bounds.overlaps(&near))
        .flat_map(|room| solids.of(&room.solids))
        .map(|solid| solid.triangle())
        .map(|triangle| (Aabb::around(triangle.corners), triangle))
        .collect();
    let depth = |centre: DVec3| {
        let query = Aabb::around([centre]).grown(2.0 * BODY.radius);
        let close = triangles.iter().filter(|(b, _)| b.overlaps(&query));
        let distances = close.map(|(_, triangle)| triangle.distance(centre));
        BODY.radius - distances.fold(2.0 * BODY.radius, f64::min)
    };
    let level_bounds = scene.level.rooms.iter().map(|room| room.bounds);
    Verdict {
        path: centres.windows(2).map(|c| c[0].distance(c[1])).sum(),
        deepest: centres
            .iter()
            .map(|&c| depth(c))
            .fold(-BODY.radius, f64::max),
        fell_out: !level_bounds
            .fold(Aabb::EMPTY, Aabb::union)
            .contains(controller.centre()),
    }
}
