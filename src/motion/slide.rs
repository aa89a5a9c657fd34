//! Moving a sphere straight until it meets something, and the two reactions to what it meets.

use glam::DVec3;

use super::candidates::Candidate;
use super::contacts::{Allowed, Contact, allow, separation, touching};
use super::crossing::travel;
use super::sweep::{Hit, sweep_sphere};
use super::tuning::*;
use super::{Body, Scratch, State, World};
use crate::geometry::Aabb;

/// The radius of the sphere that the solver moves: the body's, grown by the skin.
pub(super) fn grown_radius(body: &Body) -> f64 {
    body.radius * (1.0 + SKIN)
}

/// Gathers the candidates of all motions of the body that are no longer than `length` metres,
/// whichever way they turn.
pub(super) fn gather_around(
    world: &World,
    body: &Body,
    state: &State,
    length: f64,
    scratch: &mut Scratch,
) {
    let radius = grown_radius(body);
    let reach = length + radius * 1.01;
    scratch
        .candidates
        .find(world, state.room, state.centre, reach);
    scratch.reach_left = length;
}

/// The first candidate that the sphere meets on its way; of several at once, the same one
/// whatever their order.
fn first_hit<'a>(
    candidates: impl Iterator<Item = &'a Candidate>,
    centre: DVec3,
    motion: DVec3,
    radius: f64,
) -> Option<Hit> {
    let length = motion.length();
    let direction = motion / length;
    let graze_depth = GRAZE_DEPTH * SKIN * radius;
    let mut first: Option<Hit> = None;
    for candidate in candidates {
        let away = direction.dot(candidate.normal);
        if away > GRAZE_SLOPE && !candidate.two_sided {
            continue;
        }
        let limit = first.map_or(length, |hit| hit.distance);
        let height = (centre - candidate.triangle.corners[0]).dot(candidate.normal);
        if height + away.min(0.0) * limit >= radius * (1.0 - SKIMS) {
            continue;
        }
        let Some(hit) = sweep_sphere(
            &candidate.triangle,
            candidate.normal,
            centre,
            direction,
            limit,
            radius,
        ) else {
            continue;
        };
        let slope = -direction.dot(hit.normal);
        let grazes = slope < GRAZE_SLOPE && slope * (length - hit.distance) < graze_depth;
        let from_behind = !candidate.two_sided && hit.normal.dot(candidate.normal) < -1.0 + 1e-6;
        if grazes || from_behind {
            continue;
        }
        let key = |h: &Hit| [h.distance, h.normal.x, h.normal.y, h.normal.z];
        if first.is_none_or(|f| key(&hit) < key(&f)) {
            first = Some(hit);
        }
    }
    first
}

/// Moves the body along `motion` up to the first contact; returns the part of it that was done,
/// 0..1. The rest of the motion, and the body's velocities, turn where a portal bends space.
fn advance(
    world: &World,
    body: &Body,
    state: &mut State,
    motion: &mut DVec3,
    scratch: &mut Scratch,
) -> f64 {
    let length = motion.length();
    let hit = first_hit(
        scratch.candidates.found(),
        state.centre,
        *motion,
        grown_radius(body),
    );
    let part = hit.map_or(1.0, |hit| hit.distance / length);
    let step = *motion * part;
    scratch.reach_left -= step.length();
    let bent = travel(world, state, step, &mut scratch.path);
    if !bent.is_identity() {
        *motion = bent.vector(*motion);
        scratch.target_from_start = bent.after(&scratch.target_from_start);
        let left = scratch.reach_left.max(0.0);
        gather_around(world, body, state, left, scratch);
    }
    part
}

/// Gives back the gap that rounding and grazing took, and pushes the body out of what it
/// overlaps. With `deep`, for a body that was put somewhere rather than moved there, faces that
/// the centre is behind count too, and push it out to their front.
pub(super) fn recover(
    world: &World,
    body: &Body,
    state: &mut State,
    deep: bool,
    scratch: &mut Scratch,
) {
    let radius = grown_radius(body);
    for _ in 0..MAX_PUSHES {
        let mut push: Option<(f64, DVec3)> = None;
        for candidate in scratch.candidates.found() {
            let height = (state.centre - candidate.triangle.corners[0]).dot(candidate.normal);
            if height.abs() >= radius {
                continue;
            }
            let (depth, normal) = match separation(candidate, state.centre) {
                Some(s) => (radius - s.distance, s.normal),
                None if deep => (radius - height, candidate.normal),
                None => continue,
            };
            let key = |(depth, n): (f64, DVec3)| [depth, n.x, n.y, n.z];
            if depth > radius * TOUCH && push.is_none_or(|p| key((depth, normal)) > key(p)) {
                push = Some((depth, normal));
            }
        }
        let Some((depth, normal)) = push else { break };
        let bent = travel(world, state, normal * depth, &mut scratch.path);
        if !bent.is_identity() || deep {
            let left = scratch.reach_left.max(0.0);
            gather_around(world, body, state, left, scratch);
            scratch.target_from_start = bent.after(&scratch.target_from_start);
        }
    }
}

/// The first pass: moves the body by its walking velocity and slides along what it meets, less
/// the drag of the surface; bouncing surfaces throw the velocity back.
pub(super) fn velocity_pass(world: &World, body: &Body, state: &mut State, scratch: &mut Scratch) {
    let radius = grown_radius(body);
    let mut remaining = state.walk * TICK_SECS;
    for _ in 0..MAX_SLIDES {
        if remaining.length() <= MIN_MOTION * radius {
            break;
        }
        touching(
            scratch.candidates.found(),
            state.centre,
            radius,
            &mut scratch.contacts,
        );
        let contacts = &scratch.contacts.list;
        scratch.contact_count += contacts.len();
        let allowed = allow(remaining, contacts);
        let pushing = pushing(&allowed, contacts);
        let drag = pushing
            .clone()
            .fold(0.0, |most: f64, (c, _)| most.max(c.surface.drag));
        let speed = remaining.length() / TICK_SECS;
        let push = (allowed.free - remaining).length() / remaining.length();
        let bounce = pushing.fold(0.0, |most: f64, (c, _)| most.max(c.surface.bounce));
        if bounce > 0.0 && push * speed > MIN_BOUNCE_SPEED {
            let off = (allowed.free - remaining) * bounce;
            remaining = allow(allowed.free + off, contacts).free;
            let free = allow(state.walk, contacts).free;
            state.walk = free + (free - state.walk) * bounce;
        } else if push > 0.0 {
            remaining = allowed.free * (1.0 - drag);
        }
        if remaining.length() <= MIN_MOTION * radius {
            break;
        }
        let part = advance(world, body, state, &mut remaining, scratch);
        remaining *= 1.0 - part;
    }
}

/// The second pass: moves the body by its falling velocity for one tick. What it meets takes the
/// part of the velocity that enters it, and Coulomb friction takes from the rest up to the
/// coefficient times that; so a body rests where the tangent of the slope is at most the
/// coefficient and slips at `g (sin - mu cos)` where it is steeper.
pub(super) fn gravity_pass(world: &World, body: &Body, state: &mut State, scratch: &mut Scratch) {
    let radius = grown_radius(body);
    let mut left_secs = TICK_SECS;
    state.grounded = false;
    for _ in 0..MAX_SLIDES {
        touching(
            scratch.candidates.found(),
            state.centre,
            radius,
            &mut scratch.contacts,
        );
        let contacts = &scratch.contacts.list;
        scratch.contact_count += contacts.len();
        let allowed = allow(state.fall, contacts);
        let after = react(state.fall, &allowed, contacts);
        state.grounded |= carries(state.fall, after, &allowed, contacts);
        state.fall = after;
        let mut motion = state.fall * left_secs;
        if motion.length() <= MIN_MOTION * radius {
            break;
        }
        let part = advance(world, body, state, &mut motion, scratch);
        left_secs *= 1.0 - part;
        if left_secs <= 0.0 {
            break;
        }
    }
}

/// The contacts that take part of a motion, with how much each takes.
fn pushing<'a>(
    allowed: &'a Allowed,
    contacts: &'a [Contact],
) -> impl Iterator<Item = (&'a Contact, f64)> + Clone {
    let active = allowed.pushing.iter().flatten();
    active.map(|&(index, push)| (&contacts[index], push))
}

/// The velocity after an impact: bounced, or slowed by friction.
fn react(velocity: DVec3, allowed: &Allowed, contacts: &[Contact]) -> DVec3 {
    let taken = allowed.free - velocity;
    let bounce =
        pushing(allowed, contacts).fold(0.0, |most: f64, (c, _)| most.max(c.surface.bounce));
    if bounce > 0.0 && taken.length() > MIN_BOUNCE_SPEED {
        return allow(allowed.free + taken * bounce, contacts).free;
    }
    let friction: f64 = pushing(allowed, contacts)
        .map(|(contact, push)| contact.surface.friction * push)
        .sum();
    let speed = allowed.free.length();
    if speed <= friction {
        DVec3::ZERO
    } else {
        allowed.free * ((speed - friction) / speed)
    }
}

/// Whether what took the velocity is ground: it holds the body, or is flat enough to walk on.
fn carries(before: DVec3, after: DVec3, allowed: &Allowed, contacts: &[Contact]) -> bool {
    let lifts = (allowed.free - before).y > 0.0;
    let is_flat = pushing(allowed, contacts).any(|(c, _)| c.normal.y >= GROUND_NORMAL_Y);
    lifts && (is_flat || after == DVec3::ZERO)
}

/// Lets the body down onto the floor below, if there is one.
pub(super) fn settle(world: &World, body: &Body, state: &mut State, scratch: &mut Scratch) {
    let mut down = DVec3::NEG_Y * SPAWN_DROP;
    let column = Aabb::around([state.centre, state.centre + down]).grown(grown_radius(body) * 1.01);
    scratch.candidates.find_in(world, state.room, &column);
    let candidates = scratch.candidates.found();
    touching(
        candidates.clone(),
        state.centre,
        grown_radius(body),
        &mut scratch.contacts,
    );
    let stands = scratch
        .contacts
        .list
        .iter()
        .any(|c| c.normal.y >= GROUND_NORMAL_Y);
    if !stands && first_hit(candidates, state.centre, down, grown_radius(body)).is_some() {
        advance(world, body, state, &mut down, scratch);
    }
}
