//! The tick, phase by phase.

use glam::DVec3;

use super::actor::Actor;
use super::body::MoveCommand;
use super::depenetrate::depenetrate;
use super::passes::{gravity_pass, velocity_pass};
use super::queries::{ContactPlane, Queries, TouchingContacts};
use super::report::MotionEvent;
use super::riding::{belt, change_body, change_mover};
use super::steps::stay_on_ground;
use super::tuning::{MIN_LANDING_SPEED, SKIN, TICK_SECS};
use super::workspace::Workspace;
use crate::collision::CollisionWorld;

/// Moves a body by one tick, [`TICK_SECS`]: first by its walking velocity, then by gravity.
pub fn tick(
    collision: &CollisionWorld,
    actor: &mut Actor,
    workspace: &mut Workspace,
    command: &MoveCommand,
) {
    let Actor {
        body,
        state,
        report,
        cache,
    } = actor;
    report.begin();
    let (was_grounded, was_in) = (state.grounded, state.at.room);
    state.walk = towards(state.walk, command.wish, body.acceleration * TICK_SECS);
    if command.jump && state.grounded {
        state.fall = DVec3::Y * (2.0 * body.gravity * body.jump_height).sqrt();
        state.grounded = false;
        report.events.push(MotionEvent::Jumped);
    }
    // With half of gravity before the move and half after it, falls are exact parabolas.
    state.fall.y -= body.gravity * TICK_SECS * 0.5;
    let belt = state.rides.map(|mover| belt(collision, mover, state));
    if let Some(belt) = belt {
        state.walk += belt;
    }
    let reach = (state.walk.length() + state.fall.length()) * TICK_SECS;
    let Workspace {
        queries, buffers, ..
    } = workspace;
    let mut q = Queries::new(collision, body, state, report, (cache, queries), reach);
    let overlap = depenetrate(&mut q, false);
    // A body that has lost only part of its gap walks with its radius reduced by the missing part: then the sweep
    // starts in contact with no solid.
    let has_room = overlap < SKIN * body.radius;
    let missing = if has_room { overlap } else { 0.0 };
    q.set_radius(body.radius - missing / (1.0 + SKIN));
    velocity_pass(&mut q, buffers);
    if let Some(belt) = belt {
        q.state.walk -= belt;
    }
    q.set_radius(body.radius);
    // The ground does not launch a body that stands or walks; a body that slips still slows down.
    let walks = q.state.grounded && body.step_settings.walks();
    let is_held = walks && stay_on_ground(&mut q);
    let falling = -q.state.fall.y;
    if is_held && q.state.fall.x == 0.0 && q.state.fall.z == 0.0 {
        q.state.fall = DVec3::ZERO;
    } else {
        let done = done_by_push(q.report.pushed, q.state.fall);
        gravity_pass(&mut q, buffers, done);
        if !was_grounded && falling >= MIN_LANDING_SPEED {
            note_landing(&mut q, falling);
        }
    }
    q.report.is_begun = false;
    let (carrier, stands_on) = q.carriers();
    if carrier != state.rides || was_in != state.at.room {
        change_mover(collision, state, was_in, carrier);
    }
    if stands_on != state.stands_on {
        change_body(collision, (state, body.radius), stands_on);
    }
    state.fall.y -= body.gravity * TICK_SECS * 0.5;
}

/// The part of a fall velocity, m/s, that movers have already done in this tick by pushing the body (`pushed`,
/// metres). Movers move first, so they also push a body that flies ahead of them at least as fast; without that order
/// they would not touch it.
fn done_by_push(pushed: DVec3, fall: DVec3) -> DVec3 {
    if pushed == DVec3::ZERO {
        return DVec3::ZERO;
    }
    let direction = pushed.normalize_or_zero();
    direction * fall.dot(direction).clamp(0.0, pushed.length() / TICK_SECS)
}

/// Reports the landing of a body that fell at `speed`, m/s, if the ground supports it now.
fn note_landing(q: &mut Queries, speed: f64) {
    if !q.state.grounded {
        return;
    }
    let TouchingContacts {
        contacts, report, ..
    } = q.touching();
    let flattest = contacts.list.iter();
    let flattest = flattest.max_by(|a, b| a.normal.y.total_cmp(&b.normal.y));
    if let Some(&ContactPlane { solid, .. }) = flattest {
        report.events.push(MotionEvent::Landed { speed, solid });
    }
}

/// The vector `from`, moved towards `to` by at most `step`.
fn towards(from: DVec3, to: DVec3, step: f64) -> DVec3 {
    let difference = to - from;
    let length = difference.length();
    if length <= step {
        to
    } else {
        from + difference * (step / length)
    }
}
