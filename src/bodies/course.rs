//! Moving a body along its course, from room to room.

use super::moving::Moving;
use crate::collision::{CollisionWorld, cross};
use crate::geometry::Rigid;

/// Moves a body along its course to a time of the tick, from room to room.
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
    moving.reach -= way;
    moving.clearance -= way;
    let (at, bent) = cross(collision, moving.at, to, |_| {});
    moving.at = at;
    if let Some(end_from_start) = bent {
        turn_with(moving, &end_from_start);
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
