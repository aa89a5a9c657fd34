//! One tick of all rigid bodies of a world.

use glam::DVec3;

use super::contacts::{are_touching, touch_bodies, touch_surfaces};
use super::impacts::resolve_in_order;
use super::moving::Moving;
use super::near::{Near, find_all};
use super::pairs::{list_pairs, list_partners};
use super::sleep::let_sleep;
use super::solver::solve;
use super::tuning::CONTACT_DISTANCE;
use super::workspace::BodyWorkspace;
use crate::collision::{BroadPhase, CollisionWorld};
use crate::level::{BodyId, Level, TICKS_PER_SECOND};
use crate::world::{Bodies, World};

/// Advances the bodies of a world by a tick. `gravity` is an acceleration, m/s2, the same in all rooms.
///
/// In order: who takes part, and what is near; contacts that rest are solved together; then all move, and their
/// impacts are resolved in the order of time; what has been slow for long falls asleep.
pub fn tick_bodies(
    level: &Level,
    world: &mut World,
    broad_phase: BroadPhase,
    gravity: DVec3,
    workspace: &mut BodyWorkspace,
) {
    if world.bodies.awake.is_empty() {
        return;
    }
    let secs = TICKS_PER_SECOND.recip();
    let mut bodies = std::mem::take(&mut world.bodies);
    let collision = CollisionWorld::new(level, world).with_broad_phase(broad_phase);
    begin(&collision, &mut bodies, gravity, secs, workspace);
    gather(&collision, workspace, secs);
    wake(&collision, workspace, gravity);
    touch(level, workspace, secs);
    let BodyWorkspace {
        moving,
        contacts,
        constraints,
        shifts,
        solved,
        ..
    } = workspace;
    solve(
        moving,
        contacts,
        &mut bodies.impulses,
        constraints,
        (shifts, solved),
        secs,
    );
    resolve_in_order(&collision, workspace, secs);
    write_back(workspace, &mut bodies);
    let_sleep(level, workspace, &mut bodies);
    bodies.advance();
    workspace.presence.note(&collision, &bodies);
    world.bodies = bodies;
}

/// Lists the bodies that take part, and finds which of them may meet.
fn begin(
    collision: &CollisionWorld,
    bodies: &mut Bodies,
    gravity: DVec3,
    secs: f64,
    workspace: &mut BodyWorkspace,
) {
    let BodyWorkspace {
        presence,
        ids,
        meetings,
        moving,
        index_of,
        near,
        pairs,
        pairs_of,
        partners,
        ..
    } = workspace;
    for id in &bodies.awake {
        bodies.before[id.0 as usize] = bodies.states[id.0 as usize];
    }
    presence.find(collision, bodies, gravity, secs, (ids, meetings));
    near.resize_with(bodies.len(), Near::default);
    index_of.resize(bodies.len(), 0);
    moving.clear();
    for (index, &id) in (0..).zip(ids.iter()) {
        let body = collision.level.body(id);
        moving.push(Moving::of(id, body, bodies.state(id), gravity));
        near[id.0 as usize].radius = body.shape.radius_about(DVec3::ZERO);
        index_of[id.0 as usize] = index;
    }
    list_pairs(meetings, index_of, pairs);
    list_partners(moving.len(), pairs, pairs_of, partners);
}

/// Finds the triangles near each body that is awake.
fn gather(collision: &CollisionWorld, workspace: &mut BodyWorkspace, secs: f64) {
    let BodyWorkspace {
        moving,
        near,
        gathered,
        wanting,
        ..
    } = workspace;
    find_all(collision, moving, near, secs, (gathered, wanting));
}

/// Wakes the sleeping bodies that one touches which is awake, and those that they touch.
fn wake(collision: &CollisionWorld, workspace: &mut BodyWorkspace, gravity: DVec3) {
    let level = collision.level;
    let BodyWorkspace {
        moving,
        pairs,
        near,
        gathered,
        manifolds,
        ..
    } = workspace;
    loop {
        let mut woke = false;
        for pair in pairs.iter() {
            let [a, b] = [pair.a, pair.b].map(|index| &moving[index as usize]);
            if a.is_asleep == b.is_asleep || !are_touching(level, pair, moving, manifolds) {
                continue;
            }
            for index in [pair.a, pair.b] {
                let body = &mut moving[index as usize];
                if body.is_asleep {
                    (body.is_asleep, body.is_solved) = (false, false);
                    body.acceleration = gravity;
                    let near = &mut near[body.id.0 as usize];
                    near.find(gathered, collision, body.at, CONTACT_DISTANCE);
                    woke = true;
                }
            }
        }
        if !woke {
            break;
        }
    }
}

/// Finds what touches, body after body: with surfaces first, then with others.
fn touch(level: &Level, workspace: &mut BodyWorkspace, secs: f64) {
    let BodyWorkspace {
        moving,
        near,
        pairs,
        contacts,
        manifolds,
        ..
    } = workspace;
    contacts.clear();
    let mut next = 0;
    for (index, body) in (0..).zip(moving.iter()) {
        let near = &near[body.id.0 as usize];
        if !body.is_asleep {
            touch_surfaces(level, (index, body), near, secs, (manifolds, contacts));
        }
        while let Some(pair) = pairs.get(next).filter(|pair| pair.a == index) {
            if !body.is_asleep && !moving[pair.b as usize].is_asleep {
                touch_bodies(level, pair, moving, secs, (manifolds, contacts));
            }
            next += 1;
        }
    }
}

fn write_back(workspace: &BodyWorkspace, bodies: &mut Bodies) {
    for moving in &workspace.moving {
        if moving.is_asleep {
            continue;
        }
        bodies.wake(moving.id);
        let BodyId(index) = moving.id;
        let state = &mut bodies.states[index as usize];
        state.at = moving.at;
        state.rotation = moving.rotation;
        state.velocity = moving.velocity;
        state.spin = moving.spin;
    }
}
