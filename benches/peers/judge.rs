//! Runs the walk of all controllers, and measures the distance that each covers and its depth in solid geometry, by
//! brute force in f64.

use glam::DVec3;
use opendoor::geometry::{Aabb, Triangle};
use opendoor::motion::{State, TICK_SECS};

use crate::controller::{Controller, Ours};
use crate::scenes::Scene;
use opendoor_benches::walk::{BODY, LEG, SPEED, wish};

/// Ticks of a walk. With a thousand, criterion's milliseconds are microseconds per tick.
pub(crate) const TICKS: u64 = 1000;

/// The result of a walk.
pub(crate) struct Verdict {
    /// Distance covered over the ground, metres.
    pub(crate) way: f64,
    /// Ticks in which the controller covered less than a hundredth of the wanted distance.
    pub(crate) stuck: usize,
    /// Greatest penetration depth of the sphere in a triangle at the end of a tick, metres; a negative value is a gap.
    pub(crate) deepest: f64,
}

/// States of our character at the start of every leg. All controllers start their legs there, so that all walk the same
/// path. For our own character this changes nothing.
pub(crate) fn legs(ours: &mut Ours) -> Vec<State> {
    let mut legs = Vec::new();
    for tick in 0..TICKS {
        if tick % LEG == 0 {
            legs.push(ours.actor.state);
        }
        ours.tick(wish(tick));
    }
    legs
}

/// Walks all legs and passes the centre before and after every tick to `visit`.
pub(crate) fn walk(
    controller: &mut dyn Controller,
    legs: &[State],
    mut visit: impl FnMut(DVec3, DVec3),
) {
    for (leg, state) in (0..).zip(legs) {
        controller.put(state);
        let (mut before, wish) = (state.at.point, wish(leg * LEG));
        for _ in 0..LEG {
            controller.tick(wish);
            let after = controller.centre();
            visit(before, after);
            before = after;
        }
    }
}

/// Walks and measures the sphere against every triangle of the scene.
pub(crate) fn judge(scene: &Scene, legs: &[State], controller: &mut dyn Controller) -> Verdict {
    let mut steps = Vec::new();
    walk(controller, legs, |before, after| {
        steps.push((before, after));
    });
    let near = Aabb::around(steps.iter().map(|step| step.1)).grown(BODY.radius);
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
    let ground = |(before, after): &(DVec3, DVec3)| (*after - *before).with_y(0.0).length();
    Verdict {
        way: steps.iter().map(ground).sum(),
        stuck: steps
            .iter()
            .filter(|step| ground(step) < 0.01 * SPEED * TICK_SECS)
            .count(),
        deepest: steps
            .iter()
            .map(|step| depth(step.1))
            .fold(-BODY.radius, f64::max),
    }
}
