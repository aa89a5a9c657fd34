//! Out of what a body overlaps.

use glam::DVec3;

use super::queries::Queries;
use super::tuning::{MAX_PUSHES, SKIN};

/// Gives back the gap that rounding and grazing took, and pushes the body out of what it
/// overlaps. With `from_behind`, for a body that was put somewhere rather than moved there, faces
/// that the centre is behind count too, and push it out to their front.
///
/// Where two sides push it to and fro, there is no way out, and it ends half-way between them, or stays
/// where it is if that is not as deep.
/// Returns how deep it is left in them, metres.
#[inline]
pub(super) fn depenetrate(q: &mut Queries, from_behind: bool) -> f64 {
    match q.deepest(from_behind) {
        None => 0.0,
        Some(first) => push_out(q, first, from_behind),
    }
}

/// Pushes the body out of what it overlaps, beginning with the `first` push; returns how deep it is left in it, metres.
fn push_out(q: &mut Queries, first: DVec3, from_behind: bool) -> f64 {
    let start = q.checkpoint();
    let turned = q.report.target_from_start;
    let mut last = q.push(first);
    let (mut pushes, mut is_crushed) = (1, false);
    while let Some(push) = q.deepest(from_behind) {
        if pushes == MAX_PUSHES {
            q.push(last * -0.5);
            is_crushed = true;
            break;
        }
        last = q.push(push);
        pushes += 1;
    }
    // The way to and fro is only how the end was found: the body goes there straight.
    if pushes > 1 && q.report.target_from_start == turned {
        let push = q.state.at.point - start.state.at.point;
        q.put_back(&start);
        q.within(push.length());
        q.push(push);
    }
    if !is_crushed {
        return 0.0;
    }
    let mut left = depth(q);
    if left > first.length() && q.report.target_from_start == turned {
        q.put_back(&start);
        left = depth(q);
    }
    let radius = q.body.radius;
    let touching = q.touching();
    // One that lacks only a part of its gap overlaps nothing.
    if left >= SKIN * radius {
        touching.report.note_crushed();
        for contact in &touching.contacts.list {
            touching.report.note(contact.solid, contact.normal);
        }
    }
    left
}

/// How deep the body is in what it overlaps, metres.
fn depth(q: &mut Queries) -> f64 {
    let deepest = q.touching().contacts.deepest;
    deepest.map_or(0.0, |push| push.vector().length())
}
