//! Moves a body along its course, from room to room.
//!
//! The path test is the last safeguard of a tick. The path of a body's centre, the point that determines its room, is
//! tested against every surface that it may cross. A body that would pass a surface stops at it, whatever its shape,
//! its speed and the result of the solver. A body also stops if another part of it would end deep in a surface. A
//! moving surface carries the body along.

mod movers;
mod still;

use glam::{DQuat, DVec3};

use crate::bodies::moving::Moving;
use crate::collision::cross;
use crate::geometry::Rigid;
use crate::shapes::Manifold;
use movers::{CarriedBody, carried};
pub(super) use still::Way;
use still::stop;

/// Moves a body along its course to a time of the tick, from room to room, until a surface stops it.
pub(super) fn advance(way: &Way, moving: &mut Moving, time: f64, manifolds: &mut Vec<Manifold>) {
    advance_with_stop(way, moving, (f64::INFINITY, time), manifolds);
}

/// Moves a body as [`advance`] does, but no farther than its position at the time `stop_at`.
pub(super) fn advance_with_stop(
    way: &Way,
    moving: &mut Moving,
    (stop_at, time): (f64, f64),
    manifolds: &mut Vec<Manifold>,
) {
    if time <= moving.time {
        return;
    }
    if moving.is_asleep {
        // A sleeping body does not move, and its list of triangles is out of date.
        moving.time = time;
        return;
    }
    let collision = way.collision;
    let stop = stop(way, moving, time, manifolds).filter(|(before, _)| *before <= stop_at);
    let until = stop.map_or(time.min(stop_at), |(before, _)| before);
    if until < time {
        moving.stopped_at = until;
    }
    let carried = carried(way, moving, (until, time), manifolds);
    let (to, rotation) = match &carried {
        Some(CarriedBody { pose, .. }) => (pose.translation(), DQuat::from_mat3(&pose.rotation())),
        None => (moving.centre_at(until), moving.rotation_at(until)),
    };
    moving.reach -= moving.way_of_turn(time - moving.time);
    moving.rotation = rotation;
    moving.velocity += moving.acceleration * (time - moving.time);
    if !moving.is_solved {
        moving.course = moving.velocity;
    }
    moving.time = time;
    if let Some((_, normal)) = stop {
        hold_back(moving, normal, DVec3::ZERO);
    }
    if let Some(CarriedBody {
        normal, velocity, ..
    }) = carried
    {
        hold_back(moving, normal, velocity);
    }
    if to == moving.at.point {
        return;
    }
    let length = to.distance(moving.at.point);
    moving.reach -= length;
    moving.clearance -= length;
    moving.listed -= length;
    let (at, bent) = cross(collision, moving.at, to, |_| {});
    moving.at = at;
    if let Some(end_from_start) = bent {
        turn_with(moving, &end_from_start);
    }
}

/// Removes the velocity of a body towards an obstacle that stopped it: a surface, or another body that was stopped.
/// `normal` is the unit normal of the obstacle, and `of_obstacle` its velocity, m/s.
pub(super) fn hold_back(moving: &mut Moving, normal: DVec3, of_obstacle: DVec3) {
    moving.is_held_back = true;
    for velocity in [&mut moving.velocity, &mut moving.course] {
        *velocity -= normal * (*velocity - of_obstacle).dot(normal).min(0.0);
    }
}

/// Rotates the body's rotation and vectors into the coordinates of the room that it entered.
pub(super) fn turn_with(moving: &mut Moving, end_from_start: &Rigid) {
    let turn = DQuat::from_mat3(&end_from_start.rotation());
    moving.rotation = turn * moving.rotation;
    for vector in [
        &mut moving.velocity,
        &mut moving.spin,
        &mut moving.course,
        &mut moving.turn,
        &mut moving.acceleration,
        &mut moving.fall,
        &mut moving.torque_spin,
        &mut moving.unspread,
    ] {
        *vector = end_from_start.vector(*vector);
    }
    let rotation = end_from_start.rotation();
    moving.inverse_inertia = rotation * moving.inverse_inertia * rotation.transpose();
}
