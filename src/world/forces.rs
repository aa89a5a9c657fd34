//! Forces and impulses that a game applies to rigid bodies.

use glam::{DMat3, DVec3};

use super::applied_force::{AppliedForce, MAX_ACCELERATION};
use super::bodies::Bodies;
use crate::level::{BodyId, RigidBody, TICKS_PER_SECOND};
use crate::save::{MAX_SPEED, bounded};

impl Bodies {
    /// Applies an impulse (a hit, a shot, a jump) at a point, and wakes the body. `impulse` is in N s, `point` in
    /// metres, both in coordinates of the body's room; `body` is the level's body with this id. Ignores a non-finite
    /// impulse, and bodies that are absent or kinematic.
    pub fn apply_impulse(&mut self, id: BodyId, body: &RigidBody, impulse: DVec3, point: DVec3) {
        let arm = point - self.state(id).at.point;
        self.change_motion(id, body, impulse / body.mass.mass, arm.cross(impulse));
    }

    /// Applies an angular impulse, N m s, about the axes of the body's room. Otherwise like [`Self::apply_impulse`].
    pub fn apply_angular_impulse(&mut self, id: BodyId, body: &RigidBody, impulse: DVec3) {
        self.change_motion(id, body, DVec3::ZERO, impulse);
    }

    /// Applies a force (wind, buoyancy, an engine) at a point in the next tick, and wakes the body. Forces of a tick
    /// add up. For a lasting force, the caller applies it again before each tick; until it stops, the body does not
    /// fall asleep. `force` is in N. Otherwise like [`Self::apply_impulse`].
    pub fn apply_force(&mut self, id: BodyId, body: &RigidBody, force: DVec3, point: DVec3) {
        let arm = point - self.state(id).at.point;
        self.add_force(id, body, force, arm.cross(force));
    }

    /// Applies a torque in the next tick, N m, about the axes of the body's room. Otherwise like [`Self::apply_force`].
    pub fn apply_torque(&mut self, id: BodyId, body: &RigidBody, torque: DVec3) {
        self.add_force(id, body, DVec3::ZERO, torque);
    }

    /// The sum of the forces and torques on a body in the next tick.
    pub(crate) fn applied_force(&self, id: BodyId) -> AppliedForce {
        if self.applied_forces.is_empty() {
            return AppliedForce::none(id);
        }
        let found = self
            .applied_forces
            .binary_search_by_key(&id, |force| force.body);
        found.map_or(AppliedForce::none(id), |at| self.applied_forces[at])
    }

    /// Whether forces and impulses act on a body.
    fn can_be_pushed(&self, id: BodyId) -> bool {
        let state = self.state(id);
        state.is_present && !state.is_kinematic
    }

    fn add_force(&mut self, id: BodyId, body: &RigidBody, force: DVec3, torque: DVec3) {
        let rotation = DMat3::from_quat(self.state(id).rotation);
        let acceleration = force / body.mass.mass;
        let torque_spin = body.mass.inverse_inertia(rotation) * torque / TICKS_PER_SECOND;
        let is_finite = acceleration.is_finite() && torque_spin.is_finite();
        if !self.can_be_pushed(id) || !is_finite {
            return;
        }
        self.wake(id);
        self.states[id.0 as usize].slow_ticks = 0;
        let at = self.applied_forces.partition_point(|force| force.body < id);
        if self
            .applied_forces
            .get(at)
            .is_none_or(|force| force.body != id)
        {
            self.applied_forces.insert(at, AppliedForce::none(id));
        }
        let applied = &mut self.applied_forces[at];
        let sum = applied.acceleration + acceleration;
        applied.acceleration = bounded(sum, MAX_ACCELERATION);
        applied.torque_spin = bounded(applied.torque_spin + torque_spin, MAX_SPEED);
    }

    /// Adds a change of velocity, m/s, and an angular impulse, N m s. Wakes the body.
    fn change_motion(
        &mut self,
        id: BodyId,
        body: &RigidBody,
        faster: DVec3,
        angular_impulse: DVec3,
    ) {
        let rotation = DMat3::from_quat(self.state(id).rotation);
        let spin = body.mass.inverse_inertia(rotation) * angular_impulse;
        if !self.can_be_pushed(id) || !faster.is_finite() || !spin.is_finite() {
            return;
        }
        self.wake(id);
        let state = &mut self.states[id.0 as usize];
        state.velocity = bounded(state.velocity + faster, MAX_SPEED);
        state.spin = bounded(state.spin + spin, MAX_SPEED);
        state.slow_ticks = 0;
    }
}
