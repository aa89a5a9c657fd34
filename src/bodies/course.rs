//! Moving a body along its course, from room to room.
//!
//! The guarantee of all that the rest of a tick does: the path of a body's centre, the point by which it is in a room, is
//! tested against every surface that it may cross. A body whose path would pass one stays where it was. So
//! no body leaves its rooms, whatever its shape, its speed and the solver.

use glam::DVec3;

use super::moving::Moving;
use crate::collision::{CollisionWorld, cross};
use crate::geometry::Rigid;
use crate::level::At;
use crate::queries::cast_ray_at_structure;

/// A path keeps so far from surfaces at both of its ends, metres: more than rounding makes of the place where it crosses one.
const MARGIN: f64 = 1e-6;

/// Moves a body along its course to a time of the tick, from room to room, as far as its centre passes no surface.
pub(super) fn advance(collision: &CollisionWorld, moving: &mut Moving, time: f64) {
    if time <= moving.time {
        return;
    }
    let (to, rotation) = (moving.centre_at(time), moving.rotation_at(time));
    let secs = time - moving.time;
    moving.rotation = rotation;
    moving.velocity += moving.acceleration * secs;
    if !moving.is_solved {
        moving.course = moving.velocity;
    }
    moving.time = time;
    if to == moving.at.point {
        return;
    }
    let way = to.distance(moving.at.point);
    // What is known to be free around the centre needs no test.
    let is_free = way + MARGIN < moving.clearance + moving.radius;
    if !is_free && let Some(normal) = passed(collision, moving.at, to) {
        hold_back(moving, normal);
        return;
    }
    moving.reach -= way;
    moving.clearance -= way;
    let (at, bent) = cross(collision, moving.at, to, |_| {});
    moving.at = at;
    if let Some(end_from_start) = bent {
        turn_with(moving, &end_from_start);
    }
}

/// The unit normal of the first surface that a path passes or comes too near to at its ends, on the side that it comes
/// from, in coordinates of the room of `from`.
fn passed(collision: &CollisionWorld, from: At, to: DVec3) -> Option<DVec3> {
    let margin = (to - from.point).normalize_or_zero() * MARGIN;
    let start = from.with_point(from.point - margin);
    let ray = to + margin - start.point;
    let hit = cast_ray_at_structure(collision.level, collision.world, start, ray)?;
    Some(hit.end_from_start.inverse().vector(hit.normal))
}

/// A body stays where it is, for a surface with this normal is in its way, and loses the velocity that it had towards it.
fn hold_back(moving: &mut Moving, normal: DVec3) {
    moving.is_held_back = true;
    for velocity in [&mut moving.velocity, &mut moving.course] {
        *velocity -= normal * velocity.dot(normal).min(0.0);
    }
}

/// Turns what a body carries with it into the coordinates of the room that it came to.
fn turn_with(moving: &mut Moving, end_from_start: &Rigid) {
    let turn = glam::DQuat::from_mat3(&end_from_start.rotation());
    moving.rotation = turn * moving.rotation;
    for vector in [
        &mut moving.velocity,
        &mut moving.spin,
        &mut moving.course,
        &mut moving.turn,
        &mut moving.acceleration,
        &mut moving.fall,
    ] {
        *vector = end_from_start.vector(*vector);
    }
    let rotation = end_from_start.rotation();
    moving.inverse_inertia = rotation * moving.inverse_inertia * rotation.transpose();
}
