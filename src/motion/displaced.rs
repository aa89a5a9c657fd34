//! What rigid bodies do to a body, before its own tick.

use glam::DVec3;

use super::actor::Actor;
use super::movers::with_queries;
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
    actor.report.begin();
    actor.state.fall += velocity_change;
    if velocity_change.y > MIN_THROW_SPEED {
        actor.state.grounded = false;
    }
    if step != DVec3::ZERO {
        with_queries(collision, actor, workspace, |q| {
            q.carry(step, |solid| solid.body(collision.level).is_some())
        });
    }
    let report = &mut actor.report;
    report.carried.append(&mut report.path);
}
