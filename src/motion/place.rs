//! Putting a body into the world: spawns and teleports.

use glam::DVec3;

use super::crossing::follow;
use super::depenetrate::{depenetrate, settle};
use super::slide::{gather_around, grown_radius, reach_of};
use super::tuning::TOUCH;
use super::{Body, Scratch, State, World};
use crate::geometry::{Aabb, Aabb32, segment_triangle_distance};
use crate::level::{Level, RoomId, SPAWN_LIFT, holds, locate};

/// Puts a body with its feet at `feet` (level coordinates) into the world, pushed out of what it
/// overlaps; with `drop`, down onto the floor below. `room` is the one just above the feet
/// ([`crate::level::SPAWN_LIFT`]), where that is known. A centre behind something solid, by no more
/// than the radius, comes out to its front. `None` where neither that nor its feet nor its centre
/// are in a room, where it is inside a shut door's panel, or where the room that the body would
/// come to be in does not hold its centre.
pub fn place(
    world: &World,
    body: &Body,
    room: Option<RoomId>,
    feet: DVec3,
    drop: bool,
    scratch: &mut Scratch,
) -> Option<State> {
    let lift = if drop {
        grown_radius(body)
    } else {
        body.radius
    };
    let centre = feet + DVec3::Y * lift;
    let via_feet = |room: RoomId| {
        let above_floor = feet + DVec3::Y * SPAWN_LIFT.min(body.radius);
        follow(world, room, above_floor, centre).0
    };
    let located = || {
        // The centre of a large body may be beyond a thin wall: it is where one gets from the feet
        // that counts.
        let above_floor = feet + DVec3::Y * SPAWN_LIFT.min(body.radius);
        locate(world.level, centre)
            .or_else(|| locate(world.level, above_floor).map(via_feet))
            .or_else(|| room_in_front(world.level, centre, body.radius))
    };
    let room = room.map(via_feet).or_else(located)?;
    let mut state = State {
        room,
        centre,
        walk: DVec3::ZERO,
        fall: DVec3::ZERO,
        grounded: false,
    };
    scratch.clear();
    scratch.reach_left = body.radius;
    gather_around(world, body, &state, 0.0, scratch);
    depenetrate(world, body, &mut state, true, scratch);
    if drop {
        settle(world, body, &mut state, scratch);
    }
    if is_inside_door(world, &state) {
        return None;
    }
    scratch.clear();
    holds(world.level, state.room, state.centre).then_some(state)
}

/// Whether the centre is inside the panel of a closed link.
fn is_inside_door(world: &World, state: &State) -> bool {
    let mut barriers = world.level.room(state.room).barriers.iter();
    barriers.any(|barrier| {
        let point = barrier.room_from_link.inverse().point(state.centre);
        !world.open.is_open(barrier.link)
            && barrier.bounds.contains(state.centre)
            && world.level.is_inside_panel(barrier.link, point)
    })
}

/// The room in front of what a point is nearest to, if it is at most `reach` metres behind that.
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

/// Whether a body has room where it is: whether nothing solid comes nearer to it than its gap,
/// from whichever side.
pub fn fits(world: &World, body: &Body, state: &State, scratch: &mut Scratch) -> bool {
    let radius = grown_radius(body);
    let (low, high) = (state.centre, state.centre + DVec3::Y * body.segment_length);
    let around = Aabb::around([low, high]).grown(radius);
    scratch.candidates.find_in(world, state.room, &around, 0.0);
    let mut found = scratch.candidates.found();
    found.all(|candidate| {
        segment_triangle_distance(&candidate.triangle, low, high) >= radius * (1.0 - TOUCH)
    })
}

/// Which part of `motion`, 0..1, a sphere of `radius` metres can do from `centre`, in coordinates
/// of `room`, before it meets something solid; 0 where it overlaps that already. No walk: for eyes
/// and the like.
pub fn cast_sphere(
    world: &World,
    room: RoomId,
    centre: DVec3,
    motion: DVec3,
    radius: f64,
    scratch: &mut Scratch,
) -> f64 {
    let reach = radius + motion.length();
    scratch.candidates.find(world, room, centre, reach, 0.0);
    let mut overlaps = false;
    scratch.candidates.look_within(centre, radius, |candidate| {
        overlaps |= candidate.triangle.distance(centre) < radius;
    });
    if overlaps {
        return 0.0;
    }
    reach_of(&scratch.candidates, centre, motion, radius)
}
