//! Placement of a body in the world: spawns and teleports.

use glam::DVec3;

use super::body::{Body, State};
use super::depenetrate::depenetrate;
use super::doors::is_inside_mover;
use super::queries::{self, Queries};
use super::report::TickReport;
use super::tuning::{GROUND_NORMAL_Y, SPAWN_DROP, TOUCH};
use super::workspace::Workspace;
use crate::collision::CollisionWorld;
use crate::collision::follow;
use crate::geometry::{Aabb, Aabb32};
use crate::level::{At, Level, RoomId, SPAWN_LIFT, holds, locate};

/// Places a body with its lowest point at `feet` (level coordinates) in the world, and pushes it out of overlaps.
/// With `drop`, also lowers it onto the floor below. `room` is the room just above `feet`
/// ([`crate::level::SPAWN_LIFT`]), if known. A centre behind a solid surface, by at most the radius, is moved to the
/// front of the surface. Returns `None` if no room contains the centre, its front position or `feet`; if the body is
/// inside a mover; or if the resulting room does not contain the centre.
pub fn place(
    collision: &CollisionWorld,
    body: &Body,
    room: Option<RoomId>,
    feet: DVec3,
    drop: bool,
    workspace: &mut Workspace,
) -> Option<State> {
    let lift = if drop {
        body.grown_radius()
    } else {
        body.radius
    };
    let centre = feet + DVec3::Y * lift;
    let via_feet = |room: RoomId| {
        let above_floor = feet + DVec3::Y * SPAWN_LIFT.min(body.radius);
        follow(collision, At::new(room, above_floor), centre).0.room
    };
    let located = || {
        // The centre of a large body may be beyond a thin wall. So the room is that at the end of the path from
        // `feet` to the centre.
        let above_floor = feet + DVec3::Y * SPAWN_LIFT.min(body.radius);
        locate(collision.level, centre)
            .or_else(|| locate(collision.level, above_floor).map(via_feet))
            .or_else(|| room_in_front(collision.level, centre, body.radius))
    };
    let room = room.map(via_feet).or_else(located)?;
    let mut state = State::at_rest(At::new(room, centre));
    let mut report = TickReport::default();
    let memory = workspace.queries();
    let mut q = Queries::new(
        collision,
        body,
        &mut state,
        &mut report,
        memory,
        body.radius,
    );
    depenetrate(&mut q, true);
    if drop {
        settle(&mut q);
    }
    if is_inside_mover(collision, state.at, |_| true) {
        return None;
    }
    holds(collision.level, state.at).then_some(state)
}

/// Lowers the body onto the floor below, if there is one.
fn settle(q: &mut Queries) {
    let centre = q.state.at.point;
    let mut near = q.below(SPAWN_DROP);
    let contacts = &near.contacts(centre).list;
    let stands = contacts.iter().any(|c| c.normal.y >= GROUND_NORMAL_Y);
    let down = DVec3::NEG_Y * SPAWN_DROP;
    let part = near.cast(centre, down);
    if !stands && part < 1.0 {
        q.travel(down * part);
    }
}

/// The room in front of the surface nearest to a point, if the point is at most `reach` metres behind that surface.
fn room_in_front(level: &Level, point: DVec3, reach: f64) -> Option<RoomId> {
    let around = Aabb32::around(&Aabb::around([point]).grown(reach));
    let mut nearest: Option<([f64; 4], DVec3)> = None;
    for room in level.room_ids() {
        let solids = &level.room(room).solids;
        level.solids.touching(solids, &around, |solid| {
            let triangle = solid.triangle();
            let (closest, _) = triangle.closest_point(point);
            let Some(normal) = triangle.normal() else {
                return;
            };
            let distance = closest.distance(point);
            let key = [distance, normal.x, normal.y, normal.z];
            let is_behind = distance <= reach && (point - closest).dot(normal) <= 0.0;
            if is_behind && nearest.is_none_or(|(least, _)| key < least) {
                nearest = Some((key, closest + normal * (0.1 * reach)));
            }
        });
    }
    nearest.and_then(|(_, front)| locate(level, front))
}

/// Whether no solid, seen from either side, is nearer to the body than the body's gap.
pub fn fits(
    collision: &CollisionWorld,
    body: &Body,
    state: &State,
    workspace: &mut Workspace,
) -> bool {
    let radius = body.grown_radius();
    let top = state.at.point + DVec3::Y * body.segment_length;
    let distance = radius * (1.0 - TOUCH);
    let around = Aabb::around([state.at.point, top]).grown(radius);
    let memory = workspace.queries();
    !queries::is_near(collision, state.at, top, distance, &around, memory, |_| {
        true
    })
}

/// The part of `motion`, 0..1, that a sphere of `radius` metres can move from `centre` before it meets a solid; 0 if
/// it overlaps one at the start. The sphere does not slide or step: this is for cameras and similar uses.
pub fn cast_sphere(
    collision: &CollisionWorld,
    centre: At,
    motion: DVec3,
    radius: f64,
    workspace: &mut Workspace,
) -> f64 {
    queries::cast_from(collision, centre, motion, radius, workspace.queries())
}
