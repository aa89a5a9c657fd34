//! Moving a sphere straight until it meets something, and the two reactions to what it meets.

use glam::DVec3;

use super::blockers::note;
use super::candidates::{Candidates, Surface};
use super::contacts::{Contact, Projection, project_velocity, touching};
use super::crossing::travel;
use super::edges::carried;
use super::ledges::part_to_ledge;
use super::steps::{climb, is_stable, obstacle, raise_walls};
use super::sweep::{Hit, sweep_sphere};
use super::tuning::*;
use super::{Body, Scratch, State, World};
use crate::level::EdgeKind;

/// The radius of the sphere that the solver moves: the body's, grown by the skin.
pub(super) fn grown_radius(body: &Body) -> f64 {
    body.radius * (1.0 + SKIN)
}

/// Gathers the candidates of all motions of the body that are no longer than `length` metres, or
/// than what the tick may still move it, whichever way they turn.
pub(super) fn gather_around(
    world: &World,
    body: &Body,
    state: &State,
    length: f64,
    scratch: &mut Scratch,
) {
    let radius = grown_radius(body);
    let reach = length.max(scratch.reach_left) + radius * 1.01;
    scratch
        .candidates
        .find(world, state.room, state.centre, reach, body.segment_length);
}

/// The first candidate that the sphere meets on its way; of several at once, the same one
/// whatever their order.
fn first_hit(candidates: &Candidates, centre: DVec3, motion: DVec3, radius: f64) -> Option<Hit> {
    let length = motion.length();
    let direction = motion / length;
    let graze_depth = GRAZE_DEPTH * SKIN * radius;
    let mut first: Option<Hit> = None;
    let middle = centre + motion * 0.5;
    candidates.look_within(middle, radius + 0.5 * length, |candidate| {
        let away = direction.dot(candidate.normal);
        let panels = away > GRAZE_SLOPE && !candidate.two_sided;
        let stand_out = candidate.edges.map(|kind| match kind {
            EdgeKind::Boundary => !panels,
            EdgeKind::Convex => true,
            EdgeKind::Internal => false,
        });
        if panels && stand_out == [false; 3] {
            return;
        }
        let limit = first.map_or(length, |hit| hit.distance);
        let height = (centre - candidate.triangle.corners[0]).dot(candidate.normal);
        let height_after = |distance: f64| height + away.min(0.0) * distance;
        let skims = height_after(length) >= radius * (1.0 - SKIMS);
        // Not exactly: of two at once the one found last may be a rounding error earlier.
        if skims
            || height_after(limit) > radius + TIE * (height + radius)
            || !candidate.may_touch(centre, height, direction, away, limit, radius)
        {
            return;
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
            return;
        };
        let slope = -direction.dot(hit.normal);
        let grazes = slope < GRAZE_SLOPE && slope * (length - hit.distance) < graze_depth;
        // Exactly, for that is how faces are hit: a neighbour's edge may be met at almost this.
        let from_behind = !candidate.two_sided && hit.normal == -candidate.normal;
        if grazes || from_behind {
            return;
        }
        let key = |h: &Hit| [h.distance, h.normal.x, h.normal.y, h.normal.z];
        if first.is_none_or(|f| key(&hit) < key(&f)) {
            first = Some(hit);
        }
    });
    first
}

/// Which part of a motion, 0..1, a sphere can do before it meets something.
pub(super) fn reach_of(candidates: &Candidates, centre: DVec3, motion: DVec3, radius: f64) -> f64 {
    let length = motion.length();
    if length <= MIN_MOTION * radius {
        return 0.0;
    }
    first_hit(candidates, centre, motion, radius).map_or(1.0, |hit| hit.distance / length)
}

/// Moves the body along `motion` up to the first contact, but by no more than the part `most` of
/// it; returns the part that was done, 0..1. The rest of the motion, and the body's velocities, turn
/// where a portal bends space.
pub(super) fn advance(
    world: &World,
    body: &Body,
    state: &mut State,
    motion: &mut DVec3,
    most: f64,
    scratch: &mut Scratch,
) -> f64 {
    let radius = grown_radius(body);
    let part = reach_of(&scratch.candidates, state.centre, *motion, radius).min(most);
    let step = *motion * part;
    scratch.reach_left = (scratch.reach_left - step.length()).max(0.0);
    if let Some(bent) = travel(world, state, step, &mut scratch.path) {
        *motion = bent.vector(*motion);
        scratch.target_from_start = bent.after(&scratch.target_from_start);
        gather_around(world, body, state, 0.0, scratch);
    }
    part
}

/// The first pass: moves the body by its walking velocity and slides along what it meets, less
/// the drag of the surface; bouncing surfaces throw the velocity back.
pub(super) fn velocity_pass(world: &World, body: &Body, state: &mut State, scratch: &mut Scratch) {
    let radius = grown_radius(body);
    let mut left_secs = TICK_SECS;
    let step_settings = &body.step_settings;
    let mut climbs_left = if state.grounded && step_settings.step_height > 0.0 {
        MAX_CLIMBS
    } else {
        0
    };
    let mut remaining = state.walk * left_secs;
    for _ in 0..MAX_SLIDES {
        let length = remaining.length();
        if length <= MIN_MOTION * radius {
            break;
        }
        touching(
            &scratch.candidates,
            state.centre,
            radius,
            &mut scratch.contacts,
        );
        scratch.contact_count += scratch.contacts.list.len();
        if climbs_left > 0
            && let Some(obstacle) = obstacle(remaining, &scratch.contacts.list, step_settings)
        {
            climbs_left -= 1;
            let part = climb(world, body, state, obstacle, remaining, scratch);
            if part > 0.0 {
                left_secs *= 1.0 - part;
                remaining = state.walk * left_secs;
                continue;
            }
        }
        raise_walls(&mut scratch.contacts, step_settings.max_slope_cos);
        let contacts = &scratch.contacts.list;
        let projection = project_velocity(remaining, contacts);
        let on_edge = active_contacts(&projection, contacts).any(|(contact, _)| !contact.is_face);
        if !projection.is_all() {
            for contact in in_the_way(remaining, &projection, contacts) {
                note(&mut scratch.blockers, contact);
            }
            remaining = deflect(remaining, &mut state.walk, &projection, contacts);
        }
        let (most, on_rim) = part_to_ledge(world, body, state, &mut remaining, scratch);
        if remaining.length() <= MIN_MOTION * radius {
            break;
        }
        let part = advance(world, body, state, &mut remaining, most, scratch);
        left_secs *= 1.0 - part;
        // A face deflects what is left, however far that goes. The tangent plane of an edge turns
        // as the sphere moves over it, so there the wish counts anew: deflected twice instead, a
        // body between two jambs would be thrown to and fro. So it would in the corner of a
        // ledge, of which it knows one side at a time.
        remaining = if on_edge || on_rim {
            state.walk * left_secs
        } else {
            remaining * (1.0 - part)
        };
    }
}

/// What is left of a motion that contacts take part of: bounced, or slowed by their drag.
/// A bounce throws back the velocity too.
fn deflect(
    motion: DVec3,
    walk: &mut DVec3,
    projection: &Projection,
    contacts: &[Contact],
) -> DVec3 {
    let taken = projection.velocity - motion;
    let bounce = strongest(projection, contacts, |surface| surface.bounce);
    if bounce > 0.0 && taken.length() > MIN_BOUNCE_SPEED * TICK_SECS {
        let free = project_velocity(*walk, contacts).velocity;
        *walk = free + (free - *walk) * bounce;
        return project_velocity(projection.velocity + taken * bounce, contacts).velocity;
    }
    let drag = strongest(projection, contacts, |surface| surface.drag);
    projection.velocity * (1.0 - drag)
}

/// The second pass: moves the body by its falling velocity for one tick. What it meets takes the
/// part of the velocity that enters it, and Coulomb friction takes from the rest up to the
/// coefficient times that; so a body rests where the tangent of the slope is at most the
/// coefficient and slips at `g (sin - mu cos)` where it is steeper.
pub(super) fn gravity_pass(world: &World, body: &Body, state: &mut State, scratch: &mut Scratch) {
    let radius = grown_radius(body);
    let mut left_secs = TICK_SECS;
    state.grounded = false;
    let (start, pieces) = (*state, scratch.path.len());
    let is_slow = start.fall.length() <= SLOW_TICKS * body.gravity * TICK_SECS;
    let mut stood = false;
    scratch.met.list.clear();
    for _ in 0..MAX_SLIDES {
        touching(
            &scratch.candidates,
            state.centre,
            radius,
            &mut scratch.contacts,
        );
        let contacts = &scratch.contacts.list;
        scratch.contact_count += contacts.len();
        let projection = project_velocity(state.fall, contacts);
        let mut after = react(state.fall, &projection, contacts);
        if is_slow && !projection.is_all() && after != DVec3::ZERO {
            let max_slope_cos = body.step_settings.max_slope_cos;
            let carried = carried(after, state.walk, max_slope_cos, &projection, contacts);
            after = carried.unwrap_or(after);
        }
        state.grounded |= carries(body, state.fall, after, &projection, contacts);
        state.fall = after;
        if state.grounded && after == DVec3::ZERO && state.centre == start.centre {
            return;
        }
        stood |= state.centre == start.centre && contacts.iter().any(Contact::supports);
        scratch.met.list.extend(contacts);
        let mut motion = state.fall * left_secs;
        if motion.length() <= MIN_MOTION * radius {
            break;
        }
        let part = advance(world, body, state, &mut motion, 1.0, scratch);
        left_secs *= 1.0 - part;
        if left_secs <= 0.0 {
            break;
        }
    }
    // In a notch each plane throws the body off the others, a hair at a time; together they hold.
    let has_moved = start.centre.distance(state.centre) > REST_DISTANCE * SKIN * radius;
    if stood
        && is_slow
        && !has_moved
        && start.room == state.room
        && is_stable(&scratch.met.list, body.step_settings.max_slope_cos)
    {
        (*state, state.fall, state.grounded) = (start, DVec3::ZERO, true);
        scratch.path.truncate(pieces);
    }
}

/// The contacts that take part of a motion, with how much each takes.
pub(super) fn active_contacts<'a>(
    projection: &'a Projection,
    contacts: &'a [Contact],
) -> impl Iterator<Item = (&'a Contact, f64)> + Clone {
    let active = projection.active_planes.iter().flatten();
    active.map(|&(index, push)| (&contacts[index], push))
}

/// The contacts that take part of a motion; all that it enters where they leave nothing.
fn in_the_way<'a>(
    motion: DVec3,
    projection: &'a Projection,
    contacts: &'a [Contact],
) -> impl Iterator<Item = &'a Contact> {
    let limit = -ENTER_SLOPE * motion.length();
    let entered = contacts
        .iter()
        .filter(move |c| motion.dot(c.normal) < limit);
    let over_constrained = entered.filter(|_| projection.over_constrained);
    active_contacts(projection, contacts)
        .map(|(contact, _)| contact)
        .chain(over_constrained)
}

/// The greatest of a quantity of the surfaces that take part of a motion; 0 without any.
fn strongest(projection: &Projection, contacts: &[Contact], of: impl Fn(&Surface) -> f64) -> f64 {
    active_contacts(projection, contacts)
        .fold(0.0, |most, (contact, _)| most.max(of(&contact.surface)))
}

/// The velocity after an impact: bounced, or slowed by friction.
pub(super) fn react(velocity: DVec3, projection: &Projection, contacts: &[Contact]) -> DVec3 {
    let taken = projection.velocity - velocity;
    let bounce = strongest(projection, contacts, |surface| surface.bounce);
    if bounce > 0.0 && taken.length() > MIN_BOUNCE_SPEED {
        return project_velocity(projection.velocity + taken * bounce, contacts).velocity;
    }
    let friction: f64 = active_contacts(projection, contacts)
        .map(|(contact, push)| contact.surface.friction * push)
        .sum();
    let speed = projection.velocity.length();
    if speed <= friction {
        DVec3::ZERO
    } else {
        projection.velocity * ((speed - friction) / speed)
    }
}

/// Whether what took the velocity is ground: it holds the body, or is flat enough to walk on.
fn carries(
    body: &Body,
    before: DVec3,
    after: DVec3,
    projection: &Projection,
    contacts: &[Contact],
) -> bool {
    let lifts = (projection.velocity - before).y > 0.0;
    let ground_y = body.step_settings.ground_y();
    let is_flat = active_contacts(projection, contacts).any(|(c, _)| c.normal.y >= ground_y);
    // Friction alone may hold a body where it is too steep to walk, but a notch is ground.
    let on_one_plane = active_contacts(projection, contacts).count() == 1;
    let is_held = after == DVec3::ZERO && !(on_one_plane && body.step_settings.max_slope_cos > 0.0);
    lifts && (is_flat || is_held)
}
