//! What rigid bodies do to a body, before its own tick.

use glam::DVec3;

use super::actor::Actor;
use super::queries::Queries;
use super::workspace::Workspace;
use crate::collision::CollisionWorld;

/// A change of velocity that is faster upwards than this throws a body off the ground, m/s.
const MIN_THROW_SPEED: f64 = 0.5;

/// Moves an actor by what rigid bodies did to it, `step` metres, up to the first contact with what is none, and
/// changes its velocity by `velocity_change` m/s. What it overlaps then, its next tick pushes it out of.
pub fn displace(
    collision: &CollisionWorld,
    actor: &mut Actor,
    workspace: &mut Workspace,
    step: DVec3,
    velocity_change: DVec3,
) {
    let Actor {
        body,
        state,
        report,
        cache,
    } = actor;
    report.begin();
    state.fall += velocity_change;
    if velocity_change.y > MIN_THROW_SPEED {
        state.grounded = false;
    }
    if step != DVec3::ZERO {
        let memory = (cache, &mut workspace.queries);
        let mut q = Queries::new(collision, body, state, report, memory, step.length());
        q.carry(step, |solid| solid.body(collision.level).is_some());
    }
    report.carried.append(&mut report.path);
}
