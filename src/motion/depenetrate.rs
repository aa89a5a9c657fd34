//! Out of what a body overlaps, and down onto the floor.

use glam::DVec3;

use super::blockers::note;
use super::contacts::{deeper, separation, touching};
use super::crossing::travel;
use super::slide::{advance, gather_around, grown_radius, reach_of};
use super::tuning::*;
use super::{Body, Scratch, State, World};
use crate::geometry::Aabb;

/// Gives back the gap that rounding and grazing took, and pushes the body out of what it
/// overlaps. With `deep`, for a body that was put somewhere rather than moved there, faces that
/// the centre is behind count too, and push it out to their front.
///
/// Where two sides push it to and fro, there is no way out, and it ends half-way between them.
/// Returns how deep it is left in them, metres.
pub(super) fn depenetrate(
    world: &World,
    body: &Body,
    state: &mut State,
    deep: bool,
    scratch: &mut Scratch,
) -> f64 {
    let Some(first) = deepest(body, state, deep, scratch) else {
        return 0.0;
    };
    let (start, pieces) = (*state, scratch.path.len());
    let turned = scratch.target_from_start;
    let mut last = push_by(world, body, state, first, scratch);
    let mut pushes = 1;
    while let Some(push) = deepest(body, state, deep, scratch) {
        if pushes == MAX_PUSHES {
            push_by(world, body, state, last * -0.5, scratch);
            scratch.crushed = true;
            break;
        }
        last = push_by(world, body, state, push, scratch);
        pushes += 1;
    }
    // The way to and fro is only how the end was found: the body goes there straight.
    if pushes > 1 && scratch.target_from_start == turned {
        let push = state.centre - start.centre;
        *state = start;
        scratch.path.truncate(pieces);
        gather_around(world, body, state, push.length(), scratch);
        push_by(world, body, state, push, scratch);
    }
    if !scratch.crushed {
        return 0.0;
    }
    let radius = grown_radius(body);
    touching(
        &scratch.candidates,
        state.centre,
        radius,
        &mut scratch.contacts,
    );
    for contact in &scratch.contacts.list {
        note(&mut scratch.blockers, contact);
    }
    let left = scratch.contacts.deepest.map(|push| push.vector());
    left.map_or(0.0, DVec3::length)
}

/// The push out of what the body is in deepest, if it is in anything.
fn deepest(body: &Body, state: &State, deep: bool, scratch: &mut Scratch) -> Option<DVec3> {
    let radius = grown_radius(body);
    if !deep {
        touching(
            &scratch.candidates,
            state.centre,
            radius,
            &mut scratch.contacts,
        );
        return scratch.contacts.deepest.map(|push| push.vector());
    }
    let mut most = None;
    for candidate in scratch.candidates.found() {
        let height = (state.centre - candidate.triangle.corners[0]).dot(candidate.normal);
        if height.abs() >= radius {
            continue;
        }
        if let Some(separation) = separation(candidate, state.centre, height) {
            most = deeper(most, &separation, radius);
        }
    }
    most.map(|push| push.vector())
}

/// Pushes the body, but its middle through nothing; returns the push as far as it came, in the
/// coordinates where it ends.
fn push_by(
    world: &World,
    body: &Body,
    state: &mut State,
    push: DVec3,
    scratch: &mut Scratch,
) -> DVec3 {
    let core = CORE * grown_radius(body);
    let push = push * reach_of(&scratch.candidates, state.centre, push, core);
    let bent = travel(world, state, push, &mut scratch.path).unwrap_or_default();
    scratch.target_from_start = bent.after(&scratch.target_from_start);
    gather_around(world, body, state, 0.0, scratch);
    bent.vector(push)
}

/// Lets the body down onto the floor below, if there is one.
pub(super) fn settle(world: &World, body: &Body, state: &mut State, scratch: &mut Scratch) {
    let mut down = DVec3::NEG_Y * SPAWN_DROP;
    let top = state.centre + DVec3::Y * body.segment_length;
    let column = Aabb::around([top, state.centre + down]).grown(grown_radius(body) * 1.01);
    let radius = grown_radius(body);
    let candidates = &mut scratch.candidates;
    candidates.find_in(world, state.room, &column, body.segment_length);
    touching(
        &scratch.candidates,
        state.centre,
        radius,
        &mut scratch.contacts,
    );
    let stands = scratch
        .contacts
        .list
        .iter()
        .any(|c| c.normal.y >= GROUND_NORMAL_Y);
    if !stands && reach_of(&scratch.candidates, state.centre, down, radius) < 1.0 {
        advance(world, body, state, &mut down, 1.0, scratch);
    }
}
