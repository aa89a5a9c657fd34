//! Out of what a body overlaps.

use glam::DVec3;

use super::queries::{Push, Queries};
use super::tuning::{MAX_PUSHES, SKIN};

/// Gives back the gap that rounding and grazing took, and pushes the body out of what it
/// overlaps. With `from_behind`, for a body that was put somewhere rather than moved there, faces
/// that the centre is behind count too, and push it out to their front.
///
/// Where two sides push it to and fro, there is no way out, and it ends half-way between them, or stays
/// where it is if that is not as deep. Where rigid bodies are among these, it ends outside of all else: bodies give way.
/// Returns how deep it is left in them, metres.
#[inline]
pub(super) fn depenetrate(q: &mut Queries, from_behind: bool) -> f64 {
    match q.deepest(from_behind) {
        None => 0.0,
        Some(first) => push_out(q, first, from_behind),
    }
}

/// Pushes the body out of what it overlaps, beginning with the `first` push; returns how deep it is left in it, metres.
fn push_out(q: &mut Queries, first: Push, from_behind: bool) -> f64 {
    let level = q.collision.level;
    let is_structure = |push: Push| push.solid().body(level).is_none();
    let start = q.checkpoint();
    let turned = q.report.target_from_start;
    let (mut pushes, mut crush) = push_apart(q, first, |q| q.deepest(from_behind));
    let is_crushed = crush.is_some();
    let is_by_bodies = crush.is_some_and(|crush| !crush.sides.into_iter().all(is_structure));
    if is_by_bodies {
        let of_structure =
            |q: &mut Queries| q.deepest_of(from_behind, |solid| solid.body(level).is_none());
        crush = of_structure(q).and_then(|first| {
            let (more, crush) = push_apart(q, first, of_structure);
            pushes += more;
            crush
        });
    }
    if let Some(crush) = crush {
        q.push(crush.last * -0.5);
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
    let is_deeper = left > first.vector().length() && !is_by_bodies;
    if is_deeper && q.report.target_from_start == turned {
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

/// Two sides between which the body is pushed to and fro.
#[derive(Clone, Copy)]
struct Crush {
    sides: [Push; 2],
    /// The last push, metres.
    last: DVec3,
}

/// Pushes the body out of one overlap after another, beginning with the `first` one; counts the pushes, and tells
/// between what it is crushed where they do not end.
fn push_apart(
    q: &mut Queries,
    first: Push,
    mut next: impl FnMut(&mut Queries) -> Option<Push>,
) -> (usize, Option<Crush>) {
    let mut side = first;
    let mut last = q.push(first.vector());
    let mut pushes = 1;
    while let Some(push) = next(q) {
        if pushes == MAX_PUSHES {
            let sides = [side, push];
            return (pushes, Some(Crush { sides, last }));
        }
        side = push;
        last = q.push(push.vector());
        pushes += 1;
    }
    (pushes, None)
}

/// How deep the body is in what it overlaps, metres.
fn depth(q: &mut Queries) -> f64 {
    let deepest = q.touching().contacts.deepest;
    deepest.map_or(0.0, |push| push.vector().length())
}
