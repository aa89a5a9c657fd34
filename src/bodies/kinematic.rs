//! Kinematic bodies: bodies whose motion a program determines.
//!
//! They move at a constant velocity and spin, and nothing stops them. Other bodies meet them as they meet parts of
//! movers: a contact with a kinematic body is a contact with a surface that moves in the tick, and no impulse acts on
//! the body. So kinematic bodies connect no clusters and no islands.

use glam::DVec3;

use super::contacts::BodyContact;
use super::context::StepContext;
use super::joints::taking_part;
use super::moving::Moving;
use super::path::turn_with;
use super::tuning::TICKS_TO_SLEEP;
use super::workspace::BodyWorkspace;
use crate::collision::cross;
use crate::level::{BodyId, Level};
use crate::world::{Bodies, BodyState};

/// Lists the kinematic bodies that take part in the tick.
pub(super) fn list_kinematic(workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving, kinematic, ..
    } = workspace;
    kinematic.clear();
    let all = (0..).zip(&*moving);
    kinematic.extend(all.filter_map(|(index, moving)| moving.is_kinematic.then_some(index)));
}

/// Moves all kinematic bodies to a time of the tick, seconds. They stay in the coordinates of the room in which they
/// begin the tick.
pub(super) fn move_all_kinematic(context: &StepContext, workspace: &mut BodyWorkspace, time: f64) {
    for &index in &workspace.kinematic {
        move_kinematic(context, &mut workspace.moving[index as usize], time);
    }
}

/// Moves a kinematic body to a time of the tick, seconds.
pub(super) fn move_kinematic(context: &StepContext, moving: &mut Moving, time: f64) {
    if let Some(id) = moving.id.body() {
        *moving = context.kinematic_at(id, time);
    }
}

/// Moves all kinematic bodies to the end of the tick, from room to room.
pub(super) fn finish_kinematic(context: &StepContext, workspace: &mut BodyWorkspace) {
    move_all_kinematic(context, workspace, context.secs);
    for &index in &workspace.kinematic {
        let moving = &mut workspace.moving[index as usize];
        let Some(id) = moving.id.body().filter(|_| !moving.stays()) else {
            continue;
        };
        let start = context.bodies.state(id).at;
        let (at, bent) = cross(context.collision, start, moving.at.point, |_| {});
        moving.at = at;
        if let Some(end_from_start) = bent {
            turn_with(moving, &end_from_start);
        }
    }
}

/// Keeps awake, in `workspace.quiet`, the islands that a kinematic body touches while it moves, and those that a joint
/// connects to it.
pub(super) fn disturb_islands(level: &Level, workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving,
        kinematic,
        index_of,
        contacts,
        islands,
        quiet,
        ..
    } = workspace;
    if kinematic.is_empty() {
        return;
    }
    let is_moved = |contact: &&BodyContact| {
        contact.key.other_body().is_some()
            && contact.b.is_none()
            && contact.surface_course != DVec3::ZERO
    };
    let touched = contacts.iter().filter(is_moved).map(|contact| contact.a);
    let moved = kinematic.iter().map(|index| &moving[*index as usize]);
    let moved = moved.filter(|moving| !moving.stays());
    let partners = moved.filter_map(|moving| moving.id.body());
    let partners = partners.flat_map(|id| level.joints.partners(id).flatten());
    let joined = partners.filter_map(|id| taking_part(moving, index_of, id));
    for index in touched.chain(joined.map(|(index, _)| index)) {
        quiet[islands.root_of(index) as usize] = false;
    }
}

/// Puts kinematic bodies to sleep that have been at rest for [`TICKS_TO_SLEEP`], and adds them to `slept`.
pub(super) fn let_kinematic_sleep(
    (moving, kinematic): (&[Moving], &[u32]),
    bodies: &mut Bodies,
    slept: &mut Vec<BodyId>,
) {
    for &index in kinematic {
        let Some(id) = moving[index as usize].id.body() else {
            continue;
        };
        let state = &mut bodies.states[id.0 as usize];
        if state.is_asleep() {
            continue;
        }
        state.slow_ticks = if state.moves() {
            0
        } else {
            state.slow_ticks + 1
        };
        if state.slow_ticks >= TICKS_TO_SLEEP {
            state.slow_ticks = BodyState::ASLEEP;
            bodies.before[id.0 as usize] = *state;
            slept.push(id);
        }
    }
}
