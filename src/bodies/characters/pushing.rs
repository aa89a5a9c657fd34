//! The effects of characters on bodies: a character pushes the body that it walks into and the body that it lands on.

use std::ops::RangeInclusive;

use glam::DVec3;

use super::{Character, MASS};
use crate::bodies::contacts::{Mixed, solid_of};
use crate::bodies::moving::Moving;
use crate::bodies::velocity::{here_from_room, velocity_at};
use crate::collision::Solid;
use crate::level::{At, BodyId, Level};
use crate::world::{BodyState, ContactKey, Participant, World};

/// The maximum force with which a character pushes, newtons: that of a strong person who leans against an object. On
/// a usual floor, friction holds a body heavier than some 85 kg against this force.
pub(in crate::bodies) const MAX_PUSH_FORCE: f64 = 500.0;

/// The closing speed below which a character does not push, m/s.
const STILL: f64 = 0.02;

/// Pushes a body that a character walks against at a velocity in m/s. Both reach one speed, unless this needs more
/// than the maximum force during the tick of `secs` seconds. `normal` points from the body to the character.
///
/// The push is horizontal, at the height of the body's centre: characters push with hands and feet, not with the
/// slope of the capsule.
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
    if speed <= STILL || state.is_kinematic {
        return;
    }
    if world.bodies.state(id).is_asleep() {
        // The body's contacts are known only after it has been awake for a tick.
        world.bodies.wake(id);
        return;
    }
    let direction = here_from_there.inverse().vector(-normal);
    let impulses = held(level, world, id, direction)..=MAX_PUSH_FORCE * secs;
    strike(level, world, id, at, normal, (speed, impulses));
}

/// The impulse, N s, that the contacts below a body absorb in a tick, if it acts through the centre along a
/// horizontal unit vector in coordinates of the body's room. A smaller push neither slides the body nor tips it over
/// its edge. For a ball it is zero. (A push acts between two ticks. If friction only reversed it during the next
/// tick, the body would keep a part of the displacement.)
///
/// Contacts on the lower half of the body count as its support, because the directions of contacts are not stored.
/// The effect of gravity on a slope is ignored.
fn held(level: &Level, world: &World, id: BodyId, direction: DVec3) -> f64 {
    let (body, own) = (level.body(id), Participant::Body(id));
    let code = ContactKey::code_of(own);
    let centre = world.bodies.state(id).at;
    let (mut by_friction, mut weight) = (0.0, 0.0);
    // The extent of the support in this direction, and its distance below the centre, metres.
    let (mut edge, mut height) = (0.0_f64, 0.0_f64);
    for kept in &world.bodies.impulses {
        let (arm, other) = if kept.key.first == own {
            (kept.arm, friction_of(level, kept.key.other))
        } else if let Some(other) = kept.key.first.body().filter(|_| kept.key.other == code) {
            let first = world.bodies.state(other).at;
            if first.room != centre.room {
                continue;
            }
            let arm = first.point + kept.arm - centre.point;
            (arm, Some(level.body(other).friction))
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

/// The friction of the solid of a contact code; `None` for solids that do not hold a body: the polygon of a closed
/// link, and characters. (The code may come from a saved game.)
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

/// Pushes down a body on which a character lands at a speed, m/s.
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

/// Applies an impulse against `normal` to a body, which stops its approach, at `speed` m/s, to an object with the
/// mass of a character. The impulse is at most the upper end of `impulses`, N s; below the lower end it is not
/// applied.
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
    if state.is_kinematic {
        return;
    }
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
