//! Sleep: bodies that have been slow for some time fall asleep, together with all bodies that they touch.

use super::kinematic::{disturb_islands, let_kinematic_sleep};
use super::tuning::{SLEEP_SPEED, TICKS_TO_SLEEP};
use super::workspace::BodyWorkspace;
use crate::level::Level;
use crate::world::{Bodies, BodyState};

/// Puts islands to sleep in which every body has been slow for [`TICKS_TO_SLEEP`].
pub(super) fn let_sleep(level: &Level, workspace: &mut BodyWorkspace, bodies: &mut Bodies) {
    find_quiet(level, workspace, bodies);
    disturb_islands(level, workspace);
    let BodyWorkspace {
        moving,
        kinematic,
        islands,
        quiet,
        events,
        ..
    } = workspace;
    let_kinematic_sleep((moving, kinematic), bodies, &mut events.slept);
    for (index, moving) in moving.iter().enumerate() {
        let Some(id) = moving.id.body().filter(|_| !moving.is_asleep) else {
            continue;
        };
        if quiet[islands.root_of(index as u32) as usize] {
            let state = &mut bodies.states[id.0 as usize];
            state.slow_ticks = BodyState::ASLEEP;
            (state.velocity, state.spin) = (glam::DVec3::ZERO, glam::DVec3::ZERO);
            bodies.before[id.0 as usize] = *state;
            events.slept.push(id);
        }
    }
    if !events.slept.is_empty() {
        bodies.forget_sleepers();
    }
}

/// Counts the ticks for which each awake body has been slow, and finds the islands that may sleep.
fn find_quiet(level: &Level, workspace: &mut BodyWorkspace, bodies: &mut Bodies) {
    let BodyWorkspace {
        moving,
        islands,
        quiet,
        ..
    } = workspace;
    // Bodies that were struck may have been added to the tick.
    islands.add(moving.len());
    // Whether all bodies of an island may sleep, stored at its root.
    quiet.clear();
    quiet.resize(moving.len(), true);
    for (index, moving) in moving.iter().enumerate() {
        if moving.is_asleep {
            continue;
        }
        let Some(id) = moving.id.body() else {
            quiet[islands.root_of(index as u32) as usize] &= !moving.is_restless;
            continue;
        };
        let state = &mut bodies.states[id.0 as usize];
        let radius = level.body(id).radius;
        let speed = state.velocity.length() + state.spin.length() * radius;
        // Without contacts a body is in flight, however slow it is.
        let rests = moving.is_solved && speed < SLEEP_SPEED;
        state.slow_ticks = if rests { state.slow_ticks + 1 } else { 0 };
        if state.slow_ticks < TICKS_TO_SLEEP {
            let root = islands.root_of(index as u32);
            quiet[root as usize] = false;
        }
    }
}
