//! Bodies beside one that was held back in its motion.
//!
//! A body that would pass a surface stops on its way. The solution of its cluster lets the bodies on it go on: they
//! would come into it by as much as it lacks. They stop at the same time.

use glam::DVec3;

use super::members::Members;
use crate::bodies::contacts::Contact;
use crate::bodies::context::StepContext;
use crate::bodies::impacts::sinking::MAX_SINKING;
use crate::bodies::moving::Moving;
use crate::bodies::path::{Way, advance};
use crate::bodies::workspace::BodyWorkspace;

/// How far from body to body this goes at most.
const MAX_PASSES: u32 = 16;

/// Stops the members that would come into bodies which were held back. All have been moved to `time`.
pub(super) fn hold_beside(context: &StepContext, workspace: &mut BodyWorkspace, time: f64) {
    let BodyWorkspace {
        moving,
        near,
        members,
        manifolds,
        ..
    } = workspace;
    let Members {
        current,
        starts,
        place_of,
        contacts,
        ..
    } = members;
    let is_held = |index: &u32| moving[*index as usize].held_at < time;
    if !current.iter().any(is_held) {
        return;
    }
    for _ in 0..MAX_PASSES {
        let mut is_done = true;
        for contact in &*contacts {
            let Some(b) = contact.b else { continue };
            let start_of = |index: u32| &starts[place_of[index as usize] as usize];
            let [held_a, held_b] = [contact.a, b].map(|index| moving[index as usize].held_at);
            if held_a == held_b
                || !comes_deeper(moving, contact, (start_of(contact.a), start_of(b)))
            {
                continue;
            }
            let (other, until) = if held_a < held_b {
                (b, held_a)
            } else {
                (contact.a, held_b)
            };
            let start = start_of(other);
            let body = &mut moving[other as usize];
            (body.at, body.rotation, body.time) = (start.at, start.rotation, start.time);
            advance(&Way::of(context, near, body.id), body, until, manifolds);
            body.held_at = body.held_at.min(until);
            body.time = time;
            is_done = false;
        }
        if is_done {
            return;
        }
    }
}

/// Whether the sides of a contact ended deeper in each other than they began, by more than bodies may sink in. Bodies that have left
/// the room in which they began are left alone.
fn comes_deeper(
    moving: &[Moving],
    contact: &Contact,
    (start_a, start_b): (&Moving, &Moving),
) -> bool {
    let Some(b) = contact.b else { return false };
    let (now_a, now_b) = (&moving[contact.a as usize], &moving[b as usize]);
    let way = |start: &Moving, now: &Moving, arm: DVec3| {
        let secs = now.held_at.min(now.time) - start.time;
        now.at.point - start.at.point + now.turn.cross(arm) * secs
    };
    if now_a.at.room != start_a.at.room || now_b.at.room != start_b.at.room {
        return false;
    }
    let b_from_a = contact.a_from_b.inverse();
    let way_b = way(start_b, now_b, b_from_a.vector(contact.arm_b));
    let parted = way(start_a, now_a, contact.arm_a) - contact.a_from_b.vector(way_b);
    let after = contact.separation + parted.dot(contact.normal);
    after < contact.separation.min(0.0) - MAX_SINKING
}
