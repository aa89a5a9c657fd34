//! What characters do to bodies: they push what they walk into, and land on what is below them.

use std::ops::RangeInclusive;

use glam::DVec3;

use super::characters::{Character, MASS};
use super::contacts::{Mixed, code_of_body, solid_of};
use super::moving::Moving;
use super::tuning::SUBSTEPS;
use super::velocity::{here_from_room_of, velocity_at};
use crate::collision::Solid;
use crate::level::{At, BodyId, Level};
use crate::shapes::Shape;
use crate::world::{BodyState, World};

/// Greatest force with which a character pushes, newtons: that of a strong person who leans against something. What
/// friction holds with more stays where it is: on a usual floor, what is heavier than some 85 kg.
const MAX_PUSH_FORCE: f64 = 500.0;

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
    let rolls = matches!(level.body(id).shape, Shape::Sphere { .. });
    if state.is_asleep() && !rolls {
        // What friction holds is known when it has been awake for a tick.
        world.bodies.wake(id);
        return;
    }
    let held = if rolls { 0.0 } else { held(level, world, id) };
    let here_from_there = here_from_room_of(level, world, id, character.at);
    let centre = here_from_there.point(state.at.point);
    let foot = character.foot().y;
    let top = foot + 2.0 * character.radius + character.segment_length;
    let point = character.at.point - normal * character.radius;
    let at = character
        .at
        .with_point(point.with_y(centre.y.clamp(foot, top)));
    let speed = (velocity_at(level, world, id, at) - walk).dot(normal);
    let impulses = held..=MAX_PUSH_FORCE * secs;
    strike(level, world, id, at, normal, (speed, impulses));
}

/// The impulse that friction on what a body lies on takes from it in a tick at most, N s: what pushes with less does not
/// move it. (A push is an impulse between two ticks; of one that it takes back in the course of the next, friction leaves a
/// part of the way.)
fn held(level: &Level, world: &World, id: BodyId) -> f64 {
    let (body, code) = (level.body(id), code_of_body(id));
    let below = world.bodies.impulses.iter().filter_map(|kept| {
        let is_below = kept.key.body == id && kept.arm.y < 0.0;
        // To the other of the two the point is where it lies on the first.
        let is_below_as_other = kept.key.other == code && kept.arm.y > 0.0;
        let other = if is_below {
            friction_of(level, kept.key.other)?
        } else if is_below_as_other {
            level.body(kept.key.body).friction
        } else {
            return None;
        };
        Some(kept.normal * Mixed::of(body, other, 0.0).friction)
    });
    below.sum::<f64>() * f64::from(SUBSTEPS)
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
    let there_from_here = here_from_room_of(level, world, id, at).inverse();
    let (point, normal) = (
        there_from_here.point(at.point),
        there_from_here.vector(normal),
    );
    let state = *world.bodies.state(id);
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
