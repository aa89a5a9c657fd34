//! What characters do to bodies: they push what they walk into, and land on what is below them.

use std::ops::RangeInclusive;

use glam::DVec3;

use super::{Character, MASS};
use crate::bodies::contacts::{Mixed, code_of_body, solid_of};
use crate::bodies::moving::Moving;
use crate::bodies::velocity::{here_from_room, velocity_at};
use crate::collision::Solid;
use crate::level::{At, BodyId, Level};
use crate::world::{BodyState, World};

/// Greatest force with which a character pushes, newtons: that of a strong person who leans against something. What
/// friction holds with more stays where it is: on a usual floor, what is heavier than some 85 kg.
pub(in crate::bodies) const MAX_PUSH_FORCE: f64 = 500.0;

/// Slower approaches push nothing, m/s.
const STILL: f64 = 0.02;

/// A character that walks against a body, at a velocity in m/s, pushes it: both come to one speed, as far as the force
/// of a push does that in a tick of `secs` seconds. `normal` points from the body to the character.
///
/// It pushes with its hands and feet, not with the slope of its capsule: level, and as high as the body's centre.
pub fn push(
    level: &Level,
    world: &mut World,
    id: BodyId,
    character: &Character,
    (walk, normal): (DVec3, DVec3),
    secs: f64,
) {
    let Some(normal) = normal.with_y(0.0).try_normalize() else {
        return;
    };
    let state = world.bodies.state(id);
    let here_from_there = here_from_room(level, world, state.at.room, character.at);
    let centre = here_from_there.point(state.at.point);
    let foot = character.foot().y;
    let top = foot + 2.0 * character.radius + character.segment_length;
    let point = character.at.point - normal * character.radius;
    let at = character
        .at
        .with_point(point.with_y(centre.y.clamp(foot, top)));
    let speed = (velocity_at(level, world, id, at) - walk).dot(normal);
    if speed <= STILL {
        return;
    }
    if world.bodies.state(id).is_asleep() {
        // What holds it is known when it has been awake for a tick.
        world.bodies.wake(id);
        return;
    }
    let direction = here_from_there.inverse().vector(-normal);
    let impulses = held(level, world, id, direction)..=MAX_PUSH_FORCE * secs;
    strike(level, world, id, at, normal, (speed, impulses));
}

/// The level impulse along a unit vector, in coordinates of its room, through its centre, that what a body lies on takes from
/// it in a tick, N s: pushed with less it neither slides nor tips over its edge. Of a ball that is nothing. (A push is an
/// impulse between two ticks. Of one that friction takes back in the course of the next, a part of the way is left.)
///
/// What touches its lower half counts as what it lies on: the directions of contacts are not kept. That gravity pulls it
/// down a slope already does not count.
fn held(level: &Level, world: &World, id: BodyId, direction: DVec3) -> f64 {
    let (body, code) = (level.body(id), code_of_body(id));
    let centre = world.bodies.state(id).at;
    let (mut by_friction, mut weight) = (0.0, 0.0);
    // How far it lies on something in this direction, and how far below the centre, metres.
    let (mut edge, mut height) = (0.0_f64, 0.0_f64);
    for kept in &world.bodies.impulses {
        let (arm, other) = if kept.key.body == id {
            (kept.arm, friction_of(level, kept.key.other))
        } else if kept.key.other == code {
            let first = world.bodies.state(kept.key.body).at;
            if first.room != centre.room {
                continue;
            }
            let arm = first.point + kept.arm - centre.point;
            (arm, Some(level.body(kept.key.body).friction))
        } else {
            continue;
        };
        let Some(friction) = other.filter(|_| arm.y < 0.0) else {
            continue;
        };
        by_friction += kept.normal * Mixed::of(body, friction, 0.0).friction;
        weight += kept.normal;
        edge = edge.max(arm.dot(direction));
        height = height.max(-arm.y);
    }
    let by_edge = if height > 0.0 {
        weight * edge / height
    } else {
        0.0
    };
    by_friction.min(by_edge) * f64::from(level.stiffness.substeps())
}

/// The friction of what a code of a contact names; nothing for the polygon of a closed link, and for characters, who hold
/// nothing. (The code may come from a saved game.)
fn friction_of(level: &Level, code: u64) -> Option<f64> {
    match solid_of(code)? {
        Solid::Triangle(index) if level.solids.has(index) => {
            let surface = level.solids.triangle(index).surface;
            let material = level.materials.get(surface.material as usize)?;
            Some(material.friction)
        }
        Solid::Body(id) => level.bodies.get(id.0 as usize).map(|body| body.friction),
        _ => None,
    }
}

/// A character that lands on a body at a speed, m/s, pushes it down.
pub fn land(level: &Level, world: &mut World, id: BodyId, character: &Character, speed: f64) {
    let foot = character.at.with_point(character.foot());
    strike(
        level,
        world,
        id,
        foot,
        DVec3::Y,
        (speed, 0.0..=f64::INFINITY),
    );
}

/// Gives a body an impulse against `normal` that ends the approach at `speed` m/s of something as heavy as a character:
/// as much of it as `impulses` allow, N s, and none where it is less.
fn strike(
    level: &Level,
    world: &mut World,
    id: BodyId,
    at: At,
    normal: DVec3,
    (speed, impulses): (f64, RangeInclusive<f64>),
) {
    if speed <= STILL {
        return;
    }
    let state = *world.bodies.state(id);
    let there_from_here = here_from_room(level, world, state.at.room, at).inverse();
    let (point, normal) = (
        there_from_here.point(at.point),
        there_from_here.vector(normal),
    );
    let mut moving = Moving::of(id, level.body(id), &state, DVec3::ZERO);
    let arm = point - state.at.point;
    let turn = arm.cross(normal);
    let inverse_mass = moving.inverse_mass + turn.dot(moving.inverse_inertia * turn) + MASS.recip();
    let impulse = (speed / inverse_mass).min(*impulses.end());
    if impulse <= *impulses.start() {
        return;
    }
    moving.push(normal * -impulse, arm);
    world.bodies.set(
        id,
        BodyState {
            velocity: moving.velocity,
            spin: moving.spin,
            ..state
        },
    );
}
