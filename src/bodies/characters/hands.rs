//! The hands of a character: a force of limited size that moves a held body to its target position, and a torque that
//! stops its rotation.

use glam::{DMat3, DVec3};

use super::pushing::MAX_PUSH_FORCE;
use super::{Character, middle_of};
use crate::bodies::contacts::narrow::touch;
use crate::bodies::moving::Moving;
use crate::bodies::velocity::here_from_room;
use crate::bodies::workspace::BodyWorkspace;
use crate::collision::CollisionWorld;
use crate::geometry::Rigid;
use crate::level::{BodyId, Level};
use crate::world::{BodyState, World};

/// The maximum torque of the hands, N m: the maximum force at half the width of the shoulders.
const MAX_TORQUE: f64 = 100.0;

/// The speed of a held body towards its target, divided by its distance from the target, 1/s. At a higher rate the
/// body would overshoot in the next tick.
const RATE: f64 = 18.0;

/// The maximum speed of the hands relative to the player, m/s.
const MAX_SPEED: f64 = 8.0;

/// The fraction of the spin of a held body that remains after a tick.
const SPIN_LEFT: f64 = 0.8;

/// The impulse of a throw, N s.
const THROW_IMPULSE: f64 = 60.0;
/// The maximum speed that a throw adds, m/s.
const THROW_SPEED: f64 = 12.0;

/// The distance from a character above which a body is clear of it, metres. Among bodies, a character is a hull,
/// which lies up to 25 mm inside its capsule.
const CLEAR: f64 = 0.05;

/// The target of a held body, in coordinates of the body's room: the displacement from its centre, metres, and the
/// velocity, m/s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandTarget {
    pub way: DVec3,
    pub velocity: DVec3,
}

/// Pulls a body to its target for a tick of `secs` seconds, with at most 500 N, against its inertia and against
/// `gravity` (m/s2, downwards). Returns the force, N, in coordinates of the body's room.
///
/// The force lifts the weight first. The remaining force brings the body to the speed from which it can still stop at
/// the target.
pub(crate) fn pull(
    level: &Level,
    world: &mut World,
    id: BodyId,
    place: &HandTarget,
    (gravity, secs): (f64, f64),
) -> DVec3 {
    let state = *world.bodies.state(id);
    let mut moving = Moving::of(id, level.body(id), &state, DVec3::ZERO);
    let mass = level.body(id).mass.mass;
    let greatest = MAX_PUSH_FORCE * secs;
    let weight = DVec3::Y * (mass * gravity * secs).min(greatest);
    let braking = (greatest - weight.y) / (mass * secs);
    let distance = place.way.length();
    let speed = (2.0 * braking * distance).sqrt().min(RATE * distance);
    let direction = place.way.try_normalize().unwrap_or(DVec3::ZERO);
    // Half of the velocity that gravity adds in the next tick: the body then stays at its height.
    let hanging = DVec3::Y * (0.5 * gravity * secs);
    let wanted = place.velocity + direction * speed.min(MAX_SPEED) + hanging;
    let drive = (wanted - state.velocity) * mass - weight;
    let impulse = weight + drive * part_within(weight, drive, greatest);
    moving.push(impulse, DVec3::ZERO);
    let turning = moving.inverse_inertia.inverse() * (state.spin * (SPIN_LEFT - 1.0));
    let turning = turning.clamp_length_max(MAX_TORQUE * secs);
    moving.spin += moving.inverse_inertia * turning;
    set_motion(world, id, &moving);
    impulse / secs
}

/// Throws a body in a direction of its room.
pub(crate) fn throw(level: &Level, world: &mut World, id: BodyId, direction: DVec3) {
    let state = *world.bodies.state(id);
    let body = level.body(id);
    let mut moving = Moving::of(id, body, &state, DVec3::ZERO);
    let speed = (THROW_IMPULSE / body.mass.mass).min(THROW_SPEED);
    moving.velocity += direction * speed;
    set_motion(world, id, &moving);
}

fn set_motion(world: &mut World, id: BodyId, moving: &Moving) {
    let state = BodyState {
        velocity: moving.velocity,
        spin: moving.spin,
        ..*world.bodies.state(id)
    };
    world.bodies.set(id, state);
}

/// The greatest fraction of `more`, 0..1, that can be added to `first` without exceeding `length`. `first` alone must
/// not exceed it.
fn part_within(first: DVec3, more: DVec3, length: f64) -> f64 {
    let (square, half) = (more.length_squared(), first.dot(more));
    let spare = (length * length - first.length_squared()).max(0.0);
    // The root of the quadratic equation, in the form without cancellation.
    let root = (half * half + square * spare).sqrt();
    let part = if half > 0.0 {
        spare / (half + root)
    } else if square > 0.0 {
        (root - half) / square
    } else {
        0.0
    };
    part.min(1.0)
}

/// Whether a body, in the given state, is clear of all characters.
pub(crate) fn is_clear_of(
    collision: &CollisionWorld,
    (id, state): (BodyId, &BodyState),
    characters: &[Character],
    workspace: &mut BodyWorkspace,
) -> bool {
    workspace.characters.make(characters);
    let mut characters = characters.iter().enumerate();
    characters.all(|character| is_clear_of_character(collision, (id, state), character, workspace))
}

/// Whether a body, in the given state, is clear of the character with an index. The character's body must have been
/// made.
fn is_clear_of_character(
    collision: &CollisionWorld,
    (id, state): (BodyId, &BodyState),
    (index, character): (usize, &Character),
    workspace: &mut BodyWorkspace,
) -> bool {
    let BodyWorkspace {
        characters,
        manifolds,
        ..
    } = workspace;
    let CollisionWorld { level, world, .. } = *collision;
    let body = level.body(id);
    let (at, _) = middle_of(collision, character);
    let here_from_room = here_from_room(level, world, state.at.room, at);
    let here_from_body = here_from_room.after(&state.room_from_body());
    let size = body.radius + character.radius + 0.5 * character.segment_length + CLEAR;
    if here_from_body.translation().distance(at.point) > size {
        return true;
    }
    let standing = Rigid::new(DMat3::IDENTITY, at.point);
    let shape = (characters.shape(index), &standing);
    touch(shape, (&body.shape, &here_from_body), CLEAR, manifolds);
    manifolds.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_part_of_a_vector_is_added_up_to_the_greatest_length() {
        let mut rng = Rng::new(3);
        for trial in 0..10_000 {
            let mut random = || DVec3::from([0; 3].map(|_| rng.between(-1.0, 1.0)));
            let (first, more) = (random() * 0.5, random() * 4.0);
            let part = part_within(first, more, 1.0);
            let length = (first + more * part).length();
            assert!((0.0..=1.0).contains(&part), "{trial}: {part}");
            assert!(length < 1.0 + 1e-12, "{trial}: {length}");
            assert!(part == 1.0 || length > 1.0 - 1e-12, "{trial}: {length}");
        }
        assert_eq!(part_within(DVec3::Y, DVec3::ZERO, 1.0), 0.0);
    }
}
