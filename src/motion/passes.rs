//! The two passes of a tick: velocity, then gravity.

use glam::DVec3;

use super::ledges::stop_at_ledge;
use super::projection::project_velocity;
use super::queries::{ContactPlane, Queries};
use super::reactions::{
    active_contacts, carried, carries, deflect, in_the_way, is_stable, raise_walls, react,
};
use super::riding::surface_velocity;
use super::steps::{climb, obstacle};
use super::tuning::*;
use super::workspace::MotionBuffers;
use crate::bodies::velocity_at;
use crate::collision::CollisionWorld;

/// Moves the body by its walking velocity. The body slides along contacts, slowed by the drag of their surfaces;
/// bouncing surfaces reflect the velocity.
pub(super) fn velocity_pass(q: &mut Queries, buffers: &mut MotionBuffers) {
    let radius = q.radius();
    let settings = &q.body.step_settings;
    let mut left_secs = TICK_SECS;
    let mut climbs_left = if q.state.grounded && settings.step_height > 0.0 {
        MAX_CLIMBS
    } else {
        0
    };
    let mut remaining = q.state.walk * left_secs;
    for _ in 0..MAX_SLIDES {
        let length = remaining.length();
        if length <= MIN_MOTION * radius {
            break;
        }
        let contacts = q.touching().contacts;
        buffers.planes.clone_from(&contacts.list);
        q.report.contact_count += buffers.planes.len();
        if climbs_left > 0
            && let Some(obstacle) = obstacle(remaining, &buffers.planes, settings, |solid| {
                q.is_pushed_away(solid)
            })
        {
            climbs_left -= 1;
            let part = climb(q, &mut buffers.spans, obstacle, remaining);
            if part > 0.0 {
                left_secs *= 1.0 - part;
                remaining = q.state.walk * left_secs;
                continue;
            }
        }
        let planes = &mut buffers.planes;
        raise_walls(planes, settings.max_slope_cos);
        let projection = project_velocity(remaining, planes);
        let on_edge = active_contacts(&projection, planes).any(|(contact, _)| !contact.is_face);
        if !projection.is_all() {
            for contact in in_the_way(remaining, &projection, planes) {
                let speed = -q.state.walk.dot(contact.normal);
                q.report.note(contact.solid, contact.normal);
                q.report
                    .note_hit(speed, contact.solid, contact.normal, MIN_EDGE_Y);
            }
            remaining = deflect(remaining, &mut q.state.walk, &projection, planes);
        }
        let (most, at_ledge) = stop_at_ledge(q, buffers, &mut remaining);
        if remaining.length() <= MIN_MOTION * radius {
            break;
        }
        let part = q.advance(&mut remaining, most);
        left_secs *= 1.0 - part;
        // A face deflects the remaining motion over its whole length. The tangent plane of an edge turns as the
        // sphere moves over it, so at an edge the next piece starts from the walking velocity again: repeated
        // deflection would push a body between two jambs back and forth. The same applies in the corner of a ledge,
        // because the body finds one edge of it at a time.
        remaining = if on_edge || at_ledge {
            q.state.walk * left_secs
        } else {
            remaining * (1.0 - part)
        };
    }
}

/// Moves the body by its falling velocity for one tick. A contact removes the part of the velocity that enters it,
/// and Coulomb friction reduces the rest by up to the removed part times the coefficient. So a body rests where the
/// tangent of the slope is at most the coefficient; on steeper slopes it slips at `g (sin - mu cos)`. On a mover that
/// the body lands on, all of this is relative to the mover's surface: the surface velocity is added to the body's
/// velocity. Until the body meets something, `done` (m/s) is subtracted from the velocity that moves it.
pub(super) fn gravity_pass(q: &mut Queries, buffers: &mut MotionBuffers, mut done: DVec3) {
    let (radius, body) = (q.radius(), q.body);
    let max_slope_cos = body.step_settings.max_slope_cos;
    let ground_y = body.step_settings.ground_y();
    let mut left_secs = TICK_SECS;
    q.state.grounded = false;
    let snapshot = q.snapshot();
    let start = &snapshot.state;
    let is_slow = start.fall.length() <= SLOW_TICKS * body.gravity * TICK_SECS;
    let mut stood = false;
    let met = &mut buffers.planes;
    met.clear();
    for _ in 0..MAX_SLIDES {
        let surface = surface_velocity_below(q);
        let touching = q.touching();
        let (contacts, state) = (&touching.contacts.list, touching.state);
        touching.report.contact_count += contacts.len();
        let fall = state.fall - surface;
        let projection = project_velocity(fall, contacts);
        let mut after = react(fall, &projection, contacts);
        if is_slow && !projection.is_all() && after != DVec3::ZERO {
            let carried = carried(after, state.walk, max_slope_cos, &projection, contacts);
            after = carried.unwrap_or(after);
        }
        state.grounded |= carries(body, fall, after, &projection, contacts);
        for (contact, _) in active_contacts(&projection, contacts) {
            let speed = -fall.dot(contact.normal);
            let report = &mut *touching.report;
            report.note_hit(speed, contact.solid, contact.normal, ground_y);
        }
        if after != fall {
            done = DVec3::ZERO;
        }
        // Projects the fall plus the surface velocity again, and below the fall minus `done`: the sum may point into
        // contacts that the fall alone does not point into.
        let with = |other: DVec3, fall: DVec3| match other {
            DVec3::ZERO => fall,
            _ => project_velocity(fall + other, contacts).velocity,
        };
        state.fall = with(surface, after);
        let going = with(-done, state.fall);
        if state.grounded && state.fall == DVec3::ZERO && state.at.point == start.at.point {
            return;
        }
        stood |= surface == DVec3::ZERO
            && state.at.point == start.at.point
            && contacts.iter().any(ContactPlane::supports);
        met.extend(contacts);
        let mut motion = going * left_secs;
        if surface != DVec3::ZERO {
            q.reach_at_least(motion.length());
        }
        if motion.length() <= MIN_MOTION * radius {
            break;
        }
        let part = q.advance(&mut motion, 1.0);
        left_secs *= 1.0 - part;
        if left_secs <= 0.0 {
            break;
        }
    }
    // In a notch, each plane pushes the body off the others by a tiny distance; together they hold it.
    let has_moved = start.at.point.distance(q.state.at.point) > REST_DISTANCE * SKIN * radius;
    if stood
        && is_slow
        && !has_moved
        && start.at.room == q.state.at.room
        && is_stable(met, max_slope_cos)
    {
        q.restore(&snapshot);
        (q.state.fall, q.state.grounded) = (DVec3::ZERO, true);
    }
}

/// The surface velocity, m/s, below the body, along the surface: of a rigid body or a mover that the body
/// touches below. Zero for a mover that the body rides, or whose room it is in: the body's velocities are
/// relative to those.
fn surface_velocity_below(q: &mut Queries) -> DVec3 {
    if !q.is_near_moving() {
        return DVec3::ZERO;
    }
    if q.state.stands_on.is_none()
        && let Some((body, normal)) = q.body_below()
    {
        let foot = q.state.at.point - DVec3::Y * q.body.radius;
        let CollisionWorld { level, world, .. } = *q.collision;
        let velocity = velocity_at(level, world, body, q.state.at.with_point(foot));
        return velocity.reject_from_normalized(normal);
    }
    let below = match q.state.rides {
        None => q.mover_below(),
        Some(_) => None,
    };
    let moves_room = q.collision.level.room(q.state.at.room).moved_by;
    let below = below.filter(|(mover, _)| Some(*mover) != moves_room);
    below.map_or(DVec3::ZERO, |(mover, normal)| {
        surface_velocity(q.collision, mover, q.state).reject_from_normalized(normal)
    })
}
