//! Forces and impulses that a game applies to rigid bodies.

use glam::{DMat3, DVec3};

use super::bodies::Bodies;
use crate::level::{BodyId, RigidBody, TICKS_PER_SECOND};
use crate::save::{MAX_SPEED, saved};

/// The most that forces accelerate a body, m/s2: to [`MAX_SPEED`] in a tick.
const MAX_ACCELERATION: f64 = MAX_SPEED * TICKS_PER_SECOND;

/// What forces and torques do to a body in the next tick, in coordinates of its room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pull {
    pub body: BodyId,
    /// m/s2.
    pub acceleration: DVec3,
    /// What they add to its spin, radians per second.
    pub twist: DVec3,
}

saved!(Pull {
    body,
    acceleration,
    twist
});

impl Pull {
    fn none(body: BodyId) -> Self {
        Self {
            body,
            acceleration: DVec3::ZERO,
            twist: DVec3::ZERO,
        }
    }

    /// Whether [`Bodies`] may have made it.
    pub(super) fn is_sound(&self) -> bool {
        self.acceleration.length() <= MAX_ACCELERATION && self.twist.length() <= MAX_SPEED
    }
}

impl Bodies {
    /// Applies an impulse at a point, and wakes the body: a hit, a shot, a jump. A body that is not present is left alone, and
    /// so is any by an impulse that is not finite. `impulse` is in N s, `point` in metres, both in coordinates of the body's
    /// room; `body` is the level's of this number.
    pub fn apply_impulse(&mut self, id: BodyId, body: &RigidBody, impulse: DVec3, point: DVec3) {
        let arm = point - self.state(id).at.point;
        self.change_motion(id, body, impulse / body.mass.mass, arm.cross(impulse));
    }

    /// Applies an angular impulse, N m s, about the axes of the body's room, as [`Self::apply_impulse`].
    pub fn apply_angular_impulse(&mut self, id: BodyId, body: &RigidBody, impulse: DVec3) {
        self.change_motion(id, body, DVec3::ZERO, impulse);
    }

    /// Applies a force at a point in the next tick, and wakes the body: wind, buoyancy, an engine. Forces add up; who
    /// pushes on applies them again before each tick. `force` is in N, otherwise as [`Self::apply_impulse`].
    pub fn apply_force(&mut self, id: BodyId, body: &RigidBody, force: DVec3, point: DVec3) {
        let arm = point - self.state(id).at.point;
        self.pull(id, body, force, arm.cross(force));
    }

    /// Applies a torque in the next tick, N m, about the axes of the body's room, as [`Self::apply_force`].
    pub fn apply_torque(&mut self, id: BodyId, body: &RigidBody, torque: DVec3) {
        self.pull(id, body, DVec3::ZERO, torque);
    }

    /// What forces and torques do to a body in the next tick.
    pub(crate) fn pull_on(&self, id: BodyId) -> Pull {
        if self.pulls.is_empty() {
            return Pull::none(id);
        }
        let found = self.pulls.binary_search_by_key(&id, |pull| pull.body);
        found.map_or(Pull::none(id), |at| self.pulls[at])
    }

    fn pull(&mut self, id: BodyId, body: &RigidBody, force: DVec3, torque: DVec3) {
        let rotation = DMat3::from_quat(self.state(id).rotation);
        let acceleration = force / body.mass.mass;
        let twist = body.mass.inverse_inertia(rotation) * torque / TICKS_PER_SECOND;
        if !self.state(id).is_present || !acceleration.is_finite() || !twist.is_finite() {
            return;
        }
        self.wake(id);
        let at = self.pulls.partition_point(|pull| pull.body < id);
        if self.pulls.get(at).is_none_or(|pull| pull.body != id) {
            self.pulls.insert(at, Pull::none(id));
        }
        let pull = &mut self.pulls[at];
        let sum = pull.acceleration + acceleration;
        pull.acceleration = sum.clamp_length_max(MAX_ACCELERATION);
        pull.twist = (pull.twist + twist).clamp_length_max(MAX_SPEED);
    }

    /// `faster` is in m/s, `angular_impulse` in N m s.
    fn change_motion(
        &mut self,
        id: BodyId,
        body: &RigidBody,
        faster: DVec3,
        angular_impulse: DVec3,
    ) {
        let rotation = DMat3::from_quat(self.state(id).rotation);
        let spin = body.mass.inverse_inertia(rotation) * angular_impulse;
        if !self.state(id).is_present || !faster.is_finite() || !spin.is_finite() {
            return;
        }
        self.wake(id);
        let state = &mut self.states[id.0 as usize];
        state.velocity = (state.velocity + faster).clamp_length_max(MAX_SPEED);
        state.spin = (state.spin + spin).clamp_length_max(MAX_SPEED);
        state.slow_ticks = 0;
    }
}
