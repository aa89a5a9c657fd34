//! Depenetration: pushes a body out of overlaps.

use glam::DVec3;

use super::queries::{Depenetration, Queries};
use super::tuning::{MAX_PUSHES, SKIN};

/// Restores the gap that rounding and grazing took, and pushes the body out of overlaps; returns the remaining
/// penetration depth, in metres. With `from_behind`, for a body that was placed rather than moved, a face also pushes
/// out a body behind it, to its front.
///
/// If two solids push the body back and forth, the overlap cannot be resolved: the body ends half-way between them,
/// or at its start if the penetration is less deep there. If rigid bodies are among these solids, the body ends
/// outside of all other solids, because rigid bodies give way.
#[inline]
pub(super) fn depenetrate(q: &mut Queries, from_behind: bool) -> f64 {
    match q.deepest(from_behind) {
        None => 0.0,
        Some(first) => push_out(q, first, from_behind),
    }
}

/// Pushes the body out of overlaps, beginning with the push `first`; returns the remaining penetration depth, metres.
fn push_out(q: &mut Queries, first: Depenetration, from_behind: bool) -> f64 {
    let level = q.collision.level;
    let is_structure = |push: Depenetration| push.solid().body(level).is_none();
    let start = q.snapshot();
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
    // The pushes back and forth only found the end position: the body moves there in a straight line.
    if pushes > 1 && q.report.target_from_start == turned {
        let push = q.state.at.point - start.state.at.point;
        q.restore(&start);
        q.within(push.length());
        q.push(push);
    }
    if !is_crushed {
        return 0.0;
    }
    let mut left = depth(q);
    let is_deeper = left > first.vector().length() && !is_by_bodies;
    if is_deeper && q.report.target_from_start == turned {
        q.restore(&start);
        left = depth(q);
    }
    let radius = q.body.radius;
    let touching = q.touching();
    // A body that has lost only part of its gap overlaps nothing.
    if left >= SKIN * radius {
        touching.report.note_crushed();
        for contact in &touching.contacts.list {
            touching.report.note(contact.solid, contact.normal);
        }
    }
    left
}

/// Two solids that push the body back and forth.
#[derive(Clone, Copy)]
struct Crush {
    sides: [Depenetration; 2],
    /// The last push, metres.
    last: DVec3,
}

/// Pushes the body out of one overlap after another, beginning with the push `first`. Returns the number of
/// pushes and, if they reach the maximum, the two solids that crush the body.
fn push_apart(
    q: &mut Queries,
    first: Depenetration,
    mut next: impl FnMut(&mut Queries) -> Option<Depenetration>,
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

/// The penetration depth of the body, metres.
fn depth(q: &mut Queries) -> f64 {
    let deepest = q.touching().contacts.deepest;
    deepest.map_or(0.0, |push| push.vector().length())
}
