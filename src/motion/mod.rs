//! One tick of movement: the two-pass loop through the polygon soup.
//!
//! [`tick`] is a function: the world, an [`Actor`] and a command go in, the actor's new state comes
//! out. Everything is f64 and nothing depends on the order of rooms, portals or polygons.
//! The maths is in `docs/collision.md`.
//!
//! From the ground up: `body` is what moves; `queries` answer what it can touch and move it;
//! `projection` and `reactions` are what contacts do to a velocity; `support`, `ledges` and
//! `steps` its behaviour on the ground; `passes` the two passes; `tick` is on top.

mod actor;
mod blockers;
mod body;
mod clearance;
mod collision_world;
mod depenetrate;
mod doors;
mod ledges;
mod passes;
mod place;
mod projection;
mod queries;
mod reactions;
mod report;
mod steps;
mod support;
mod tuning;
mod workspace;

pub use actor::Actor;
pub use blockers::{Blocker, Solid};
pub use body::{Body, Command, State, StepSettings};
pub use clearance::clearance;
pub use collision_world::{BroadPhase, CollisionWorld};
pub use doors::{Blocked, close_link};
pub use place::{cast_sphere, fits, place};
pub use queries::{BodyCache, Hit, follow, sweep_sphere};
pub use report::{Event, Piece, TickReport};
pub use tuning::TICK_SECS;
pub use workspace::Workspace;

use depenetrate::depenetrate;
use glam::DVec3;
use passes::{gravity_pass, velocity_pass};
use queries::{Contact, Queries, Touching};
use steps::stay_on_ground;
use tuning::{MIN_LANDING_SPEED, SKIN};

/// Moves a body by one tick, [`TICK_SECS`]: first its walking velocity, then gravity.
pub fn tick(
    collision: &CollisionWorld,
    actor: &mut Actor,
    workspace: &mut Workspace,
    command: &Command,
) {
    let Actor {
        body,
        state,
        report,
        cache,
    } = actor;
    report.clear();
    let was_grounded = state.grounded;
    state.walk = towards(state.walk, command.wish, body.acceleration * TICK_SECS);
    if command.jump && state.grounded {
        state.fall = DVec3::Y * (2.0 * body.gravity * body.jump_height).sqrt();
        state.grounded = false;
        report.events.push(Event::Jumped);
    }
    // Half of gravity before the move and half after makes falls exact parabolas.
    state.fall.y -= body.gravity * TICK_SECS * 0.5;
    let reach = (state.walk.length() + state.fall.length()) * TICK_SECS;
    let Workspace {
        queries, buffers, ..
    } = workspace;
    let mut q = Queries::new(collision, body, state, report, (cache, queries), reach);
    let overlap = depenetrate(&mut q, false);
    // A body that lacks only a part of its gap walks as one that just has it: then all that it is
    // swept against lies ahead.
    let has_room = overlap < SKIN * body.radius;
    let missing = if has_room { overlap } else { 0.0 };
    q.set_radius(body.radius - missing / (1.0 + SKIN));
    velocity_pass(&mut q, buffers);
    q.set_radius(body.radius);
    // A body that stands or walks is not thrown by the ground; one that slips still slows down.
    let walks = q.state.grounded && body.step_settings.walks();
    let is_held = walks && stay_on_ground(&mut q);
    let falling = -q.state.fall.y;
    if is_held && q.state.fall.x == 0.0 && q.state.fall.z == 0.0 {
        q.state.fall = DVec3::ZERO;
    } else {
        gravity_pass(&mut q, buffers);
        if !was_grounded && falling >= MIN_LANDING_SPEED {
            note_landing(&mut q, falling);
        }
    }
    state.fall.y -= body.gravity * TICK_SECS * 0.5;
}

/// Reports that a body that fell at `speed`, m/s, landed, if the ground carries it now.
fn note_landing(q: &mut Queries, speed: f64) {
    if !q.state.grounded {
        return;
    }
    let Touching {
        contacts, report, ..
    } = q.touching();
    let flattest = contacts.list.iter();
    let flattest = flattest.max_by(|a, b| a.normal.y.total_cmp(&b.normal.y));
    if let Some(&Contact { solid, .. }) = flattest {
        report.events.push(Event::Landed { speed, solid });
    }
}

/// `from` moved towards `to` by at most `step`.
fn towards(from: DVec3, to: DVec3, step: f64) -> DVec3 {
    let difference = to - from;
    let length = difference.length();
    if length <= step {
        to
    } else {
        from + difference * (step / length)
    }
}
