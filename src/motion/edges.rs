//! Rolling over edges: what the walk is pressed against carries the body.
//!
//! A walk slides up over an edge at the speed that the tangent plane of the edge leaves of it, in
//! each tick anew, while a fall gathers speed. Left alone with each other the two never rest: a
//! body that is pressed against the edge of a step rises, slips back faster and faster, and
//! begins again from the floor. So an edge either stops the walk ([`min_edge_y`]) or carries the
//! body as long as the walk is pressed against it ([`carried`]).

use glam::DVec3;

use super::contacts::{Contact, Projection, project_velocity};
use super::slide::active_contacts;
use super::tuning::{ENTER_SLOPE, MIN_EDGE_Y};

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
