//! Moving a sphere straight until it meets something, and the two reactions to what it meets.

use glam::DVec3;

use super::candidates::Candidate;
use super::contacts::{Allowed, Contact, Separation, allow, separation, touching};
use super::crossing::travel;
use super::gait::{Gait, climb, obstacle, raise_walls};
use super::sweep::{Hit, sweep_sphere};
use super::tuning::*;
use super::{Body, Scratch, State, World};
use crate::geometry::Aabb;
use crate::level::EdgeKind;

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
        .find(world, state.room, state.centre, reach, body.axis);
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
        let leaves = away > GRAZE_SLOPE && !candidate.two_sided;
        let stand_out = candidate.edges.map(|kind| match kind {
            EdgeKind::Free => !leaves,
            EdgeKind::Convex => true,
            EdgeKind::Inner => false,
        });
        if leaves && stand_out == [false; 3] {
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
            stand_out,
            centre,
            direction,
            limit,
            radius,
        ) else {
            continue;
        };
        let slope = -direction.dot(hit.normal);
        let grazes = slope < GRAZE_SLOPE && slope * (length - hit.distance) < graze_depth;
        // Exactly, for that is how faces are hit: a neighbour's edge may be met at almost this.
        let from_behind = !candidate.two_sided && hit.normal == -candidate.normal;
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

/// Which part of a motion, 0..1, a sphere can do before it meets something.
pub(super) fn reach_of<'a>(
    candidates: impl Iterator<Item = &'a Candidate>,
    centre: DVec3,
    motion: DVec3,
    radius: f64,
) -> f64 {
    let length = motion.length();
    if length <= MIN_MOTION * radius {
        return 0.0;
    }
    first_hit(candidates, centre, motion, radius).map_or(1.0, |hit| hit.distance / length)
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
    let radius = grown_radius(body);
    let part = reach_of(scratch.candidates.found(), state.centre, *motion, radius);
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
            let found = separation(candidate, state.centre);
            let Some(Separation {
                distance, normal, ..
            }) = found.filter(|s| deep || s.distance >= 0.0)
            else {
                continue;
            };
            let depth = radius - distance;
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
    let gait = if state.grounded {
        &body.gait
    } else {
        &Gait::PURE
    };
    let mut climbs_left = if gait.step_height > 0.0 {
        MAX_CLIMBS
    } else {
        0
    };
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
        scratch.contact_count += scratch.contacts.list.len();
        if climbs_left > 0
            && let Some(obstacle) = obstacle(remaining, &scratch.contacts.list, gait)
        {
            climbs_left -= 1;
            if climb(world, body, state, obstacle, &mut remaining, scratch) {
                continue;
            }
        }
        raise_walls(&mut scratch.contacts, gait.walkable_y);
        let contacts = &scratch.contacts.list;
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
        state.grounded |= carries(body, state.fall, after, &allowed, contacts);
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
pub(super) fn pushing<'a>(
    allowed: &'a Allowed,
    contacts: &'a [Contact],
) -> impl Iterator<Item = (&'a Contact, f64)> + Clone {
    let active = allowed.pushing.iter().flatten();
    active.map(|&(index, push)| (&contacts[index], push))
}

/// The velocity after an impact: bounced, or slowed by friction.
pub(super) fn react(velocity: DVec3, allowed: &Allowed, contacts: &[Contact]) -> DVec3 {
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
fn carries(
    body: &Body,
    before: DVec3,
    after: DVec3,
    allowed: &Allowed,
    contacts: &[Contact],
) -> bool {
    let lifts = (allowed.free - before).y > 0.0;
    let walkable_y = if body.gait.walkable_y > 0.0 {
        body.gait.walkable_y
    } else {
        GROUND_NORMAL_Y
    };
    let is_flat = pushing(allowed, contacts).any(|(c, _)| c.normal.y >= walkable_y);
    lifts && (is_flat || after == DVec3::ZERO)
}

/// Lets the body down onto the floor below, if there is one.
pub(super) fn settle(world: &World, body: &Body, state: &mut State, scratch: &mut Scratch) {
    let mut down = DVec3::NEG_Y * SPAWN_DROP;
    let top = state.centre + DVec3::Y * body.axis;
    let column = Aabb::around([top, state.centre + down]).grown(grown_radius(body) * 1.01);
    let candidates = &mut scratch.candidates;
    candidates.find_in(world, state.room, &column, body.axis);
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
