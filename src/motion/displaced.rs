//! The displacement of a character by rigid bodies, before the character's own tick.

use glam::DVec3;

use super::actor::Actor;
use super::movers::with_queries;
use super::projection::project_velocity;
use super::queries::{ContactPlane, Queries};
use super::tuning::{MAX_SLIDES, MIN_MOTION};
use super::workspace::Workspace;
use crate::collision::{CollisionWorld, Solid};

/// A velocity change with a larger upward part launches a body off the ground, m/s.
const MIN_THROW_SPEED: f64 = 0.5;

/// Moves an actor by the displacement that rigid bodies caused, `step` metres, sliding along all other
/// solids, and changes the actor's velocity by `velocity_change` m/s. Remaining overlaps are resolved by the
/// actor's next tick.
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
    let mut planes = std::mem::take(&mut workspace.buffers.planes);
    with_queries(collision, actor, workspace, |q| slide(q, step, &mut planes));
    workspace.buffers.planes = planes;
    let report = &mut actor.report;
    report.carried.append(&mut report.path);
}

/// Moves a body by `rest`, in metres, and slides it along all solids except rigid bodies. The body does not enter
/// solids that it touches already. It may enter rigid bodies, because they give way where there is no room between
/// them and static solids.
fn slide(q: &mut Queries, mut rest: DVec3, planes: &mut Vec<ContactPlane>) {
    let level = q.collision.level;
    let gives_way = |solid: Solid| solid.body(level).is_some();
    for _ in 0..MAX_SLIDES {
        if rest.length() <= MIN_MOTION * q.radius() {
            break;
        }
        planes.clone_from(&q.touching().contacts.list);
        planes.retain(|contact| !gives_way(contact.solid));
        let along = project_velocity(rest, planes).velocity;
        let before = q.state.at;
        rest = q.carry(along, gives_way) - q.state.at.point;
        if q.state.at == before {
            break;
        }
    }
}
