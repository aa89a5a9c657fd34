//! The neighbours of a body that was stopped in its motion.
//!
//! A body that would pass a surface stops at the surface. In the solution of its cluster its neighbours move on, so
//! they would penetrate the body by the rest of its motion. They stop at the same time as the body, and lose their
//! velocity towards it: the surface absorbs their momentum, too.

use glam::DVec3;

use super::members::{Members, Stop};
use crate::bodies::contacts::BodyContact;
use crate::bodies::context::StepContext;
use crate::bodies::impacts::sinking::MAX_SINKING;
use crate::bodies::moving::Moving;
use crate::bodies::path::{Way, advance_with_stop, hold_back};
use crate::bodies::workspace::BodyWorkspace;

/// The maximum number of contacts through which a stop spreads from a stopped body to its neighbours.
const MAX_PASSES: u32 = 16;

/// Stops the members that would penetrate stopped bodies. All members have been moved from `members.solved_states` to
/// `time`. Each pass finds all neighbours before it moves any of them, so that the order of contacts does not matter.
pub(super) fn stop_neighbours(context: &StepContext, workspace: &mut BodyWorkspace, time: f64) {
    let BodyWorkspace {
        moving,
        near,
        members,
        manifolds,
        ..
    } = workspace;
    let Members {
        current,
        solved_states,
        place_of,
        contacts,
        stops,
        ..
    } = members;
    let is_stopped = |index: &u32| moving[*index as usize].stopped_at < time;
    if !current.iter().any(is_stopped) {
        return;
    }
    let before = |index: u32| &solved_states[place_of[index as usize] as usize];
    for _ in 0..MAX_PASSES {
        stops.clear();
        for contact in &*contacts {
            let Some(b) = contact.b else { continue };
            let [at_a, at_b] = [contact.a, b].map(|index| moving[index as usize].stopped_at);
            if at_a != at_b && comes_deeper(moving, contact, (before(contact.a), before(b))) {
                stops.push(stop_of(moving, contact, b));
            }
        }
        if stops.is_empty() {
            return;
        }
        stops.sort_unstable_by(Stop::order);
        // The earliest stop of each body remains.
        stops.dedup_by_key(|stop| stop.body);
        for stop in &*stops {
            let body = &mut moving[stop.body as usize];
            *body = *before(stop.body);
            let way = Way::of(context, near, body);
            advance_with_stop(&way, body, (stop.at, time), manifolds);
            hold_back(body, stop.normal, stop.velocity);
        }
    }
}

/// The stop of one side of a contact, because the other side was stopped earlier. The sides have the indices
/// `contact.a` and `b`.
fn stop_of(moving: &[Moving], contact: &BodyContact, b: u32) -> Stop {
    let [of_a, of_b] = [contact.a, b].map(|index| &moving[index as usize]);
    if of_a.stopped_at < of_b.stopped_at {
        let b_from_a = contact.a_from_b.inverse();
        return Stop {
            body: b,
            at: of_a.stopped_at,
            normal: b_from_a.vector(-contact.normal),
            velocity: b_from_a.vector(of_a.velocity),
        };
    }
    Stop {
        body: contact.a,
        at: of_b.stopped_at,
        normal: contact.normal,
        velocity: contact.a_from_b.vector(of_b.velocity),
    }
}

/// Whether the sides of a contact penetrate each other deeper than at the beginning, by more than the tolerance.
/// Always false for bodies that have changed rooms.
fn comes_deeper(
    moving: &[Moving],
    contact: &BodyContact,
    (before_a, before_b): (&Moving, &Moving),
) -> bool {
    let Some(b) = contact.b else { return false };
    let (now_a, now_b) = (&moving[contact.a as usize], &moving[b as usize]);
    let displacement = |before: &Moving, now: &Moving, arm: DVec3| {
        let secs = now.stopped_at.min(now.time) - before.time;
        now.at.point - before.at.point + before.turn.cross(arm) * secs
    };
    if now_a.at.room != before_a.at.room || now_b.at.room != before_b.at.room {
        return false;
    }
    let b_from_a = contact.a_from_b.inverse();
    let of_b = displacement(before_b, now_b, b_from_a.vector(contact.arm_b));
    let parted = displacement(before_a, now_a, contact.arm_a) - contact.a_from_b.vector(of_b);
    let after = contact.separation + parted.dot(contact.normal);
    after < contact.separation.min(0.0) - MAX_SINKING
}
