//! The reactions of a velocity to contacts: slide, drag, friction, bounce, support.
//!
//! A walk slides up over an edge with the part of its speed that lies in the edge's tangent plane. The walk starts anew
//! in each tick, whereas a fall gains speed from tick to tick. So without a further rule, a body pressed against the
//! edge of a step would never come to rest: it would rise, slip back faster and faster, and begin again from the floor.
//! Therefore an edge either stops the walk ([`min_edge_y`]) or supports the body as long as the walk is pressed against
//! the edge ([`carried`]).

use glam::DVec3;

use super::Body;
use super::projection::{Projection, project_velocity};
use super::queries::{ContactPlane, flat};
use super::tuning::*;
use crate::collision::SurfaceResponse;

/// The contacts that remove a part of a motion, each with the size of its push.
pub(super) fn active_contacts<'a>(
    projection: &'a Projection,
    contacts: &'a [ContactPlane],
) -> impl Iterator<Item = (&'a ContactPlane, f64)> + Clone {
    let active = projection.active_planes.iter().flatten();
    active.map(|&(index, push)| (&contacts[index], push))
}

/// The contacts that remove a part of a motion; if the motion is over-constrained, all contacts that it enters.
pub(super) fn in_the_way<'a>(
    motion: DVec3,
    projection: &'a Projection,
    contacts: &'a [ContactPlane],
) -> impl Iterator<Item = &'a ContactPlane> {
    let limit = -ENTER_SLOPE * motion.length();
    let entered = contacts
        .iter()
        .filter(move |c| motion.dot(c.normal) < limit);
    let over_constrained = entered.filter(|_| projection.over_constrained);
    active_contacts(projection, contacts)
        .map(|(contact, _)| contact)
        .chain(over_constrained)
}

/// The maximum of a quantity over the surfaces that remove a part of a motion; 0 without any.
fn strongest(
    projection: &Projection,
    contacts: &[ContactPlane],
    of: impl Fn(&SurfaceResponse) -> f64,
) -> f64 {
    active_contacts(projection, contacts)
        .fold(0.0, |most, (contact, _)| most.max(of(&contact.surface)))
}

/// The velocity after an impact: bounced, or slowed by friction.
pub(super) fn react(velocity: DVec3, projection: &Projection, contacts: &[ContactPlane]) -> DVec3 {
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

/// Whether the contacts that reduced the velocity are ground: they push the body upwards, and either stop it or
/// include one that is flat enough to walk on.
pub(super) fn carries(
    body: &Body,
    before: DVec3,
    after: DVec3,
    projection: &Projection,
    contacts: &[ContactPlane],
) -> bool {
    let lifts = (projection.velocity - before).y > 0.0;
    let ground_y = body.step_settings.ground_y();
    let is_flat = active_contacts(projection, contacts).any(|(c, _)| c.normal.y >= ground_y);
    // Friction alone may hold a body on a slope too steep to walk on; such a slope is not ground, but a notch is.
    let on_one_plane = active_contacts(projection, contacts).count() == 1;
    let is_held = after == DVec3::ZERO && !(on_one_plane && body.step_settings.max_slope_cos > 0.0);
    lifts && (is_flat || is_held)
}

/// The remaining motion after contacts removed a part of it: reflected by bounce, or slowed by the drag of the
/// surfaces. A bounce also reflects the walking velocity.
pub(super) fn deflect(
    motion: DVec3,
    walk: &mut DVec3,
    projection: &Projection,
    contacts: &[ContactPlane],
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

/// Whether contacts hold a body at rest against gravity: by friction on ground that is flat enough, or in a notch.
pub(super) fn is_stable(contacts: &[ContactPlane], max_slope_cos: f64) -> bool {
    // This speed is too low for a bounce.
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

/// Adds a vertical wall plane for each contact that is too steep to be walked up.
pub(super) fn raise_walls(planes: &mut Vec<ContactPlane>, max_slope_cos: f64) {
    let steep = |contact: &ContactPlane| {
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
            planes.push(ContactPlane { normal, ..contact });
        }
    }
}

/// The minimum upward part of the normal of an edge that the walk rolls over.
pub(super) fn min_edge_y(max_slope_cos: f64) -> f64 {
    max_slope_cos.max(MIN_EDGE_Y)
}

/// The fall velocity of a slowly falling body that an edge supports because `walk` presses the body against it: the
/// part along the edge of `free`, the fall velocity after friction. `None` if the walk presses against no edge that
/// removes a part of the fall.
pub(super) fn carried(
    free: DVec3,
    walk: DVec3,
    max_slope_cos: f64,
    projection: &Projection,
    contacts: &[ContactPlane],
) -> Option<DVec3> {
    let limit = -ENTER_SLOPE * walk.length();
    let is_pressed = |contact: &ContactPlane| {
        !contact.is_face
            && contact.normal.y >= min_edge_y(max_slope_cos)
            && walk.dot(contact.normal) < limit
    };
    let mut active_contacts = active_contacts(projection, contacts).map(|(contact, _)| contact);
    let edge = active_contacts.find(|contact| is_pressed(contact))?;
    let along = edge.along * edge.along.dot(free);
    Some(project_velocity(along, contacts).velocity)
}
