//! Carries rigid bodies over to a changed version of their level that was loaded again.

use glam::DVec3;

use super::new_ids::new_ids;
use crate::level::{At, BodyId, Joint, Level, MoverId, RigidBody, RoomId, holds};
use crate::world::{Bodies, BodyState, Held, Ride, World};

/// Authored positions that differ by at most this distance count as equal, in metres.
const SAME_PLACE: f64 = 1e-6;
/// Two rotations count as equal if the absolute dot product of their quaternions is at least this: they differ by at
/// most 2.8e-6 rad.
const SAME_ROTATION: f64 = 1.0 - 1e-12;

/// Two versions of a level, and the mapping of movers between them.
pub(super) struct Versions<'a> {
    pub old: &'a Level,
    pub new: &'a Level,
    /// The new index of each mover of the old version that keeps its state; `None` for other movers.
    pub movers: Vec<Option<MoverId>>,
}

/// Gives the bodies of the new world the states of the bodies with the same names in the old world. A body starts as
/// authored if its shape or its authored position changed, or if it would be inside a solid or in a room that no
/// longer exists. Sleeping bodies wake if something changed in their room or in a neighbouring room. Returns the new
/// body that takes over the state of each old body.
pub(super) fn carry_bodies(
    versions: &Versions,
    was: &World,
    world: &mut World,
) -> Vec<Option<BodyId>> {
    let Versions { old, new, .. } = versions;
    let mut states: Vec<BodyState> = new.bodies.iter().map(BodyState::of).collect();
    let named = new_ids(&old.bodies, &new.bodies, |body| &body.name);
    let carried: Vec<Option<BodyId>> = (0..)
        .map(BodyId)
        .zip(named)
        .map(|(before, id)| {
            let id = BodyId(id?);
            let bodies = [old.body(before), new.body(id)];
            let state = carried_state(versions, world, bodies, was.bodies.state(before))?;
            states[id.0 as usize] = state;
            Some(id)
        })
        .collect();
    let changed = changed_rooms(versions, was, &carried, &states);
    for state in &mut states {
        let mut beside = new.portals_of(state.at.room).map(|(_, portal)| portal.far);
        let has_changed = |room: RoomId| changed[room.0 as usize];
        if state.is_asleep() && (has_changed(state.at.room) || beside.any(has_changed)) {
            state.slow_ticks = 0;
        }
    }
    let has_same_joints = old.joints.all == new.joints.all;
    if !has_same_joints {
        let held_before = old.joints.all.iter().flat_map(Joint::bodies);
        let held_before = held_before.filter_map(|id| carried[id.0 as usize]);
        for id in held_before.chain(new.joints.all.iter().flat_map(Joint::bodies)) {
            let state = &mut states[id.0 as usize];
            if state.is_present && state.is_asleep() {
                state.slow_ticks = 0;
            }
        }
    }
    // Contacts are identified by indices of triangles and bodies; these indices must be the same in both versions.
    let is_same = old.solids == new.solids && !changed.contains(&true);
    world.bodies = Bodies::in_states(new, states);
    if is_same {
        world.bodies.impulses.clone_from(&was.bodies.impulses);
        world.bodies.touches.clone_from(&was.bodies.touches);
        world.bodies.wake_touches(|_| ());
    }
    if has_same_joints {
        world
            .bodies
            .joint_impulses
            .clone_from(&was.bodies.joint_impulses);
    }
    for character in 0..was.bodies.character_count() {
        let held = was.bodies.held_by(character).and_then(|held| {
            let body = carried[held.body.0 as usize]?;
            Some(Held { body, ..held })
        });
        world.bodies.hold(character, held);
    }
    carried
}

/// The state of a body in the new version; `None` if it starts there as authored.
fn carried_state(
    versions: &Versions,
    world: &World,
    [before, body]: [&RigidBody; 2],
    state: &BodyState,
) -> Option<BodyState> {
    let Versions { old, new, movers } = versions;
    let shift = old.origin - new.origin;
    let moved = before.start.point + shift - body.start.point;
    let is_as_authored = before.shape == body.shape
        && moved.length() < SAME_PLACE
        && before.rotation.dot(body.rotation).abs() > SAME_ROTATION;
    let room = new.room_named(&old.room(state.at.room).name)?;
    let at = At::new(room, state.at.point + shift);
    let ride = state.ride.and_then(|ride| {
        let mover = movers[ride.mover.0 as usize]?;
        Some(Ride { mover, ..ride })
    });
    let state = BodyState { at, ride, ..*state };
    (is_as_authored && is_free(new, world, at)).then_some(state)
}

/// Whether a point is in the free space of its room, and outside all movers.
fn is_free(level: &Level, world: &World, at: At) -> bool {
    let mut movers = level.room(at.room).movers.iter();
    let is_in_mover = movers.any(|image| {
        let mover = level.mover(image.mover);
        let mover_from_here = world.here_from_mover(level, at.room, image).inverse();
        world.is_present(mover) && level.is_inside_mover(mover, mover_from_here.point(at.point))
    });
    !is_in_mover && holds(level, at)
}

/// Finds the rooms of the new version in which an object changed that bodies could rest on: a surface, a portal, a
/// mover or a body.
fn changed_rooms(
    versions: &Versions,
    was: &World,
    carried: &[Option<BodyId>],
    states: &[BodyState],
) -> Vec<bool> {
    let Versions { old, new, .. } = versions;
    let frictions = |level: &Level| -> Vec<f64> {
        let materials = level.materials.iter();
        materials.map(|material| material.friction).collect()
    };
    if frictions(old) != frictions(new) {
        return vec![true; new.rooms.len()];
    }
    let is_changed = |room: RoomId| {
        let before = old.room_named(&new.room(room).name);
        before.is_none_or(|before| !is_same_room(versions, [before, room]))
    };
    let mut changed: Vec<bool> = new.room_ids().map(is_changed).collect();
    let mut goes_on = vec![false; states.len()];
    for ((_, state), id) in was.bodies.iter().zip(carried) {
        match id {
            Some(id) => goes_on[id.0 as usize] = true,
            // Bodies that rested on the removed body lose their support.
            None => {
                if let Some(room) = new.room_named(&old.room(state.at.room).name) {
                    changed[room.0 as usize] = true;
                }
            }
        }
    }
    for (state, goes_on) in states.iter().zip(goes_on) {
        changed[state.at.room.0 as usize] |= !goes_on;
    }
    changed
}

fn is_same_room(versions: &Versions, [before, room]: [RoomId; 2]) -> bool {
    let Versions { old, new, movers } = versions;
    let (images, others) = (&new.room(room).movers, &old.room(before).movers);
    let is_same_mover = |other: MoverId, id: MoverId| {
        let corners = |level: &Level, id: MoverId| -> Vec<[DVec3; 3]> {
            let solids = level.solids.of(&level.mover(id).solids);
            solids.map(|solid| solid.triangle().corners).collect()
        };
        movers[other.0 as usize] == Some(id) && corners(old, other) == corners(new, id)
    };
    let mut pairs = others.iter().zip(images);
    new.is_same_room(room, (old, before))
        && images.len() == others.len()
        && pairs.all(|(other, image)| is_same_mover(other.mover, image.mover))
}
