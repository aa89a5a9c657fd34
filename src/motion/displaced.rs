//! What rigid bodies do to a body, before its own tick.

use glam::DVec3;

use super::actor::Actor;
use super::movers::with_queries;
use super::projection::project_velocity;
use super::queries::{Contact, Queries};
use super::tuning::{MAX_SLIDES, MIN_MOTION};
use super::workspace::Workspace;
use crate::collision::{CollisionWorld, Solid};

/// A change of velocity that is faster upwards than this throws a body off the ground, m/s.
const MIN_THROW_SPEED: f64 = 0.5;

/// Moves an actor by what rigid bodies did to it, `step` metres, along everything else, and changes its velocity by
/// `velocity_change` m/s. What it overlaps then, its next tick pushes it out of.
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

/// Moves a body among rigid bodies by `rest`, metres, and along what it meets beside them. It enters nothing that
/// it touches already: rigid bodies give way, if there is no room between them and what stands still.
fn slide(q: &mut Queries, mut rest: DVec3, planes: &mut Vec<Contact>) {
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
