//! What characters do to bodies: they push what they walk into, and land on what is below them.

use glam::DVec3;

use super::characters::{Character, MASS};
use super::moving::Moving;
use super::velocity::{here_from_room_of, velocity_at};
use crate::level::{At, BodyId, Level};
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
    let here_from_there = here_from_room_of(level, world, id, character.at);
    let centre = here_from_there.point(state.at.point);
    let foot = character.foot().y;
    let top = foot + 2.0 * character.radius + character.segment_length;
    let point = character.at.point - normal * character.radius;
    let at = character
        .at
        .with_point(point.with_y(centre.y.clamp(foot, top)));
    let speed = (velocity_at(level, world, id, at) - walk).dot(normal);
    strike(level, world, id, at, normal, (speed, MAX_PUSH_FORCE * secs));
}

/// A character that lands on a body at a speed, m/s, pushes it down.
pub fn land(level: &Level, world: &mut World, id: BodyId, character: &Character, speed: f64) {
    let foot = character.at.with_point(character.foot());
    strike(level, world, id, foot, DVec3::Y, (speed, f64::INFINITY));
}

/// Gives a body an impulse against `normal` that ends the approach at `speed` m/s of something as heavy as a character,
/// but at most `most` N s.
fn strike(
    level: &Level,
    world: &mut World,
    id: BodyId,
    at: At,
    normal: DVec3,
    (speed, most): (f64, f64),
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
    let impulse = (speed / inverse_mass).min(most);
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
