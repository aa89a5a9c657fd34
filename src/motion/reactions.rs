//! What contacts do to a velocity: slide, drag, friction, bounce, support.
//!
//! A walk slides up over an edge at the speed that the tangent plane of the edge leaves of it, in
//! each tick again, while a fall gathers speed. Left alone with each other the two never rest: a
//! body that is pressed against the edge of a step rises, slips back faster and faster, and
//! begins again from the floor. So an edge either stops the walk ([`min_edge_y`]) or carries the
//! body as long as the walk is pressed against it ([`carried`]).

use glam::DVec3;

use super::Body;
use super::projection::{Projection, project_velocity};
use super::queries::{Contact, flat};
use super::tuning::*;
use crate::collision::Surface;

/// The contacts that take part of a motion, with how much each takes.
pub(super) fn active_contacts<'a>(
    projection: &'a Projection,
    contacts: &'a [Contact],
) -> impl Iterator<Item = (&'a Contact, f64)> + Clone {
    let active = projection.active_planes.iter().flatten();
    active.map(|&(index, push)| (&contacts[index], push))
}

/// The contacts that take part of a motion; all that it enters where they leave nothing.
pub(super) fn in_the_way<'a>(
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
pub(super) fn carries(
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

/// What is left of a motion that contacts take part of: bounced, or slowed by their drag.
/// A bounce throws back the velocity too.
pub(super) fn deflect(
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

/// Whether contacts hold a body at rest against gravity: by friction on ground flat enough, or in
/// a notch.
pub(super) fn is_stable(contacts: &[Contact], max_slope_cos: f64) -> bool {
    // Slow enough not to bounce.
    let pull = DVec3::NEG_Y * (0.1 * MIN_BOUNCE_SPEED);
    let projection = project_velocity(pull, contacts);
    if react(pull, &projection, contacts) != DVec3::ZERO {
        return false;
    }
    let mut active_contacts = active_contacts(&projection, contacts);
    match (active_contacts.next(), active_contacts.next()) {
        (Some((only, _)), None) => only.normal.y >= max_slope_cos,
        _ => true,
    }
}

/// Makes walls of what is too steep to be walked up: a vertical plane beside each such contact.
pub(super) fn raise_walls(planes: &mut Vec<Contact>, max_slope_cos: f64) {
    let steep = |contact: &Contact| {
        let least_y = if contact.is_face {
            max_slope_cos
        } else {
            min_edge_y(max_slope_cos)
        };
        contact.normal.y > 0.0 && contact.normal.y < least_y
    };
    for index in 0..planes.len() {
        let contact = planes[index];
        if steep(&contact)
            && let Some(normal) = flat(contact.normal).try_normalize()
        {
            planes.push(Contact { normal, ..contact });
        }
    }
}

/// The least upward part of the normal of an edge that the walk rolls over.
pub(super) fn min_edge_y(max_slope_cos: f64) -> f64 {
    max_slope_cos.max(MIN_EDGE_Y)
}

/// What an edge that takes part of a slow fall leaves of it where `walk` is pressed against that
/// edge: the part along the edge, on which `free`, the fall after friction, goes on. `None` where the
/// walk is pressed against none.
pub(super) fn carried(
    free: DVec3,
    walk: DVec3,
    max_slope_cos: f64,
    projection: &Projection,
    contacts: &[Contact],
) -> Option<DVec3> {
    let limit = -ENTER_SLOPE * walk.length();
    let is_pressed = |contact: &Contact| {
        !contact.is_face
            && contact.normal.y >= min_edge_y(max_slope_cos)
            && walk.dot(contact.normal) < limit
    };
    let mut active_contacts = active_contacts(projection, contacts).map(|(contact, _)| contact);
    let edge = active_contacts.find(|contact| is_pressed(contact))?;
    let along = edge.along * edge.along.dot(free);
    Some(project_velocity(along, contacts).velocity)
}
