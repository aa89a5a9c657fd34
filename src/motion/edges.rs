//! Rolling over edges: what the walk is pressed against carries the body.
//!
//! A walk slides up over an edge at the speed that the tangent plane of the edge leaves of it, in
//! each tick anew, while a fall gathers speed. Left alone with each other the two never rest: a
//! body that is pressed against the edge of a step rises, slips back faster and faster, and
//! begins again from the floor. So an edge either stops the walk ([`least_edge_y`]) or carries the
//! body as long as the walk is pressed against it ([`carried`]).

use glam::DVec3;

use super::contacts::{Allowed, Contact, allow};
use super::slide::pushing;
use super::tuning::{ENTER_SLOPE, LEAST_EDGE_Y};

/// The least upward part of the normal of an edge that the walk rolls over.
pub(super) fn least_edge_y(walkable_y: f64) -> f64 {
    walkable_y.max(LEAST_EDGE_Y)
}

/// What an edge that takes part of a slow fall leaves of it where `walk` is pressed against that
/// edge: the part along the edge, on which `free`, the fall after friction, goes on. `None` where the
/// walk is pressed against none.
pub(super) fn carried(
    free: DVec3,
    walk: DVec3,
    walkable_y: f64,
    allowed: &Allowed,
    contacts: &[Contact],
) -> Option<DVec3> {
    let limit = -ENTER_SLOPE * walk.length();
    let is_pressed = |contact: &Contact| {
        !contact.is_face
            && contact.normal.y >= least_edge_y(walkable_y)
            && walk.dot(contact.normal) < limit
    };
    let mut pushing = pushing(allowed, contacts).map(|(contact, _)| contact);
    let edge = pushing.find(|contact| is_pressed(contact))?;
    let along = edge.along * edge.along.dot(free);
    Some(allow(along, contacts).free)
}
