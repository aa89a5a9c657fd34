//! The motion of a body during a tick.

use glam::{DMat3, DQuat, DVec3};

use super::tuning::{MAX_IMPACTS, MAX_IMPACTS_OF_BALLS};
use crate::geometry::Rigid;
use crate::level::{At, BodyId, RigidBody, TICKS_PER_SECOND};
use crate::shapes::Shape;
use crate::world::{BodyState, Participant};

/// The state of a body at a time of the tick, and its motion from then on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub id: Participant,
    /// The index in lists of all participants, awake or not: bodies of the level, then characters.
    pub slot: u32,
    /// The radius of the bounding sphere around the centre of mass, metres.
    pub radius: f64,
    /// The time since the beginning of the tick, seconds.
    pub time: f64,
    /// The centre of mass.
    pub at: At,
    pub rotation: DQuat,
    /// The velocity, m/s, and the angular velocity, radians per second.
    pub velocity: DVec3,
    pub spin: DVec3,
    /// The velocity of the centre in this step, m/s. It differs from `velocity` only where a solver also corrects
    /// positions.
    pub course: DVec3,
    /// The angular velocity at which the body turns in this step, radians per second.
    pub turn: DVec3,
    /// The acceleration, m/s2.
    pub acceleration: DVec3,
    /// The acceleration, m/s2, that the solver's velocity already includes for the whole tick; for bodies that the
    /// solver has moved.
    pub fall: DVec3,
    /// The spin that applied torques add in the tick, radians per second.
    pub torque_spin: DVec3,
    /// The part of [`Self::torque_spin`] that `spin` contains, but that the solver has not yet spread over the
    /// substeps.
    pub unspread: DVec3,
    pub inverse_mass: f64,
    /// The inverse inertia tensor in room axes, 1 / (kg m2), for the rotation at which it was computed.
    pub inverse_inertia: DMat3,
    /// The greatest distance, metres, that any point of the body may move without leaving the motion box with which
    /// it was paired. Negative infinity for a sleeping body, which is paired only with awake bodies.
    pub reach: f64,
    /// The distance, metres, from the bounding sphere within which there is no surface, with movers at the end of the
    /// tick; negative if unknown. Bodies in flight mostly meet no surface within it, so their lists of triangles need
    /// not be read.
    pub clearance: f64,
    /// The distance from the centre, metres, within which the list contains all surfaces.
    pub listed: f64,
    /// The penetration in static surfaces at the beginning of the step, metres, according to its contacts.
    pub depth: f64,
    /// Whether rotation leaves the shape unchanged: true for a ball, and for a character, which does not rotate.
    pub is_ball: bool,
    /// Whether the motion comes from the solver, and no impact has changed it yet.
    pub is_solved: bool,
    /// Whether the contacts are speculative: the body's impacts are not searched for.
    pub is_speculative: bool,
    /// Whether the body slept when the tick began, and has not been woken.
    pub is_asleep: bool,
    /// Whether a program determines the body's motion. A kinematic body counts as asleep, solved and speculative: the
    /// phases of a tick do not move it. Bodies meet it as a surface that moves (`kinematic.rs`).
    pub is_kinematic: bool,
    /// Whether the body is a character that is not at rest. Bodies that touch it do not sleep.
    pub is_restless: bool,
    /// Whether the body has touched another body in this tick.
    pub has_met_body: bool,
    /// Whether the body was held back in this tick because it would have passed a surface or ended deep in it.
    pub is_held_back: bool,
    /// The time at which the body stops in the current step, seconds since the beginning of the tick; infinite if it
    /// does not stop.
    pub stopped_at: f64,
    /// The number of impacts in this tick.
    pub impacts: u32,
    /// The version of the motion, incremented with each change: impacts found for earlier versions are out of date.
    pub version: u32,
}

#[cfg(test)]
impl Moving {
    /// A body of a kilogram at rest, without acceleration.
    pub(super) fn of_unit_mass(point: DVec3) -> Self {
        let room = crate::level::RoomId(0);
        Self {
            id: Participant::Body(BodyId(0)),
            slot: 0,
            radius: 1.0,
            time: 0.0,
            at: At { room, point },
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            course: DVec3::ZERO,
            turn: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            fall: DVec3::ZERO,
            torque_spin: DVec3::ZERO,
            unspread: DVec3::ZERO,
            inverse_mass: 1.0,
            inverse_inertia: DMat3::IDENTITY,
            reach: 1.0,
            clearance: f64::NEG_INFINITY,
            listed: 0.0,
            depth: 0.0,
            is_ball: false,
            is_solved: false,
            is_speculative: false,
            is_asleep: false,
            is_kinematic: false,
            is_restless: false,
            has_met_body: false,
            is_held_back: false,
            stopped_at: f64::INFINITY,
            impacts: 0,
            version: 0,
        }
    }
}

impl Moving {
    /// A body of the level; `acceleration` is in m/s2.
    pub(super) fn of(id: BodyId, body: &RigidBody, state: &BodyState, acceleration: DVec3) -> Self {
        Self::of_participant((Participant::Body(id), id.0), body, state, acceleration)
    }

    /// A participant, with its index among all of them. `body` has its shape and mass.
    pub(super) fn of_participant(
        (id, slot): (Participant, u32),
        body: &RigidBody,
        state: &BodyState,
        acceleration: DVec3,
    ) -> Self {
        let is_kinematic = state.is_kinematic;
        let is_asleep = state.is_asleep() || is_kinematic;
        let mut moving = Self {
            id,
            slot,
            radius: body.radius,
            time: 0.0,
            at: state.at,
            rotation: state.rotation,
            velocity: state.velocity,
            spin: state.spin,
            course: state.velocity,
            turn: state.spin,
            acceleration: if is_asleep { DVec3::ZERO } else { acceleration },
            fall: DVec3::ZERO,
            torque_spin: DVec3::ZERO,
            unspread: DVec3::ZERO,
            inverse_mass: body.mass.mass.recip(),
            inverse_inertia: DMat3::IDENTITY,
            reach: if is_asleep { f64::NEG_INFINITY } else { 0.0 },
            clearance: f64::NEG_INFINITY,
            listed: 0.0,
            depth: 0.0,
            is_ball: matches!(body.shape, Shape::Sphere { .. }),
            is_solved: is_asleep,
            is_speculative: is_kinematic,
            is_asleep,
            is_kinematic,
            is_restless: false,
            has_met_body: false,
            is_held_back: false,
            stopped_at: f64::INFINITY,
            impacts: 0,
            version: 0,
        };
        moving.find_inertia(body);
        if !is_asleep {
            moving.reach = moving.reach_in(TICKS_PER_SECOND.recip());
        }
        moving
    }

    /// Returns the body with the spin that applied torques add in the tick, radians per second.
    pub(super) fn with_torque_spin(self, torque_spin: DVec3) -> Self {
        if torque_spin == DVec3::ZERO {
            return self;
        }
        let spin = self.spin + torque_spin;
        let mut turned = Self {
            spin,
            turn: spin,
            torque_spin,
            unspread: torque_spin,
            ..self
        };
        turned.reach = turned.reach_in(TICKS_PER_SECOND.recip());
        turned
    }

    /// Begins one of `steps` equal steps of a tick. Each step adds an equal part of [`Self::torque_spin`].
    pub(super) fn begin_step(&mut self, step: u32, steps: u32) {
        if self.torque_spin == DVec3::ZERO || steps == 1 {
            return;
        }
        let part = self.torque_spin / f64::from(steps);
        self.spin += part;
        if step == 1 {
            self.spin -= self.torque_spin;
        }
        (self.turn, self.unspread) = (self.spin, part);
    }

    /// Wakes the body at the beginning of the tick, when it is paired with all bodies that it may meet.
    /// `acceleration` is in m/s2.
    pub(super) fn wake(&mut self, acceleration: DVec3) {
        (self.is_asleep, self.is_solved) = (false, false);
        self.acceleration = acceleration;
        self.reach = self.reach_in(TICKS_PER_SECOND.recip());
    }

    /// Converts the solver's solution into the motion at the current time of a tick of `secs` seconds: removes the
    /// velocity that gravity adds until the end of the tick. An impact then applies to the velocity that the body has
    /// at that time.
    pub(super) fn leave_solution(&mut self, secs: f64) {
        if self.is_solved {
            self.velocity -= self.fall * (secs - self.time);
            self.acceleration = self.fall;
            (self.is_solved, self.fall) = (false, DVec3::ZERO);
        }
    }

    /// Computes the inverse inertia tensor in room axes for the current rotation.
    pub(super) fn find_inertia(&mut self, body: &RigidBody) {
        if self.is_ball {
            let moment = body.mass.moments.x.recip();
            self.inverse_inertia = DMat3::from_diagonal(DVec3::splat(moment));
        } else {
            let rotation = DMat3::from_quat(self.rotation);
            self.inverse_inertia = body.mass.inverse_inertia(rotation);
        }
    }

    /// Scales the spin, which was computed for an earlier rotation, so that its energy stays the same at the current
    /// rotation, with which the inertia tensor has turned.
    pub(super) fn keep_energy_of_spin(&mut self, body: &RigidBody, earlier: DQuat) {
        if self.is_ball || self.spin == DVec3::ZERO {
            return;
        }
        let [then, now] = [earlier, self.rotation].map(|rotation| {
            let axes = DMat3::from_quat(rotation) * body.mass.axes;
            let spin = axes.transpose() * self.spin;
            spin.dot(body.mass.moments * spin)
        });
        let scale = (then / now).sqrt();
        if scale.is_finite() {
            self.spin *= scale;
        }
    }

    /// Whether the body does not move in the tick: it sleeps, and is not a kinematic body with a velocity.
    pub(super) fn stays(&self) -> bool {
        self.is_asleep && (self.velocity, self.spin) == (DVec3::ZERO, DVec3::ZERO)
    }

    /// Whether the body has reached its maximum number of impacts in this tick.
    pub(super) fn is_worn_out(&self) -> bool {
        let most = if self.is_ball {
            MAX_IMPACTS_OF_BALLS
        } else {
            MAX_IMPACTS
        };
        self.impacts >= most
    }

    /// The centre at a time of the tick, seconds, in coordinates of the body's current room.
    pub(super) fn centre_at(&self, time: f64) -> DVec3 {
        let secs = time - self.time;
        self.at.point + self.course * secs + self.acceleration * (0.5 * secs * secs)
    }

    /// The upper bound of the distance that the centre moves in a time, metres.
    pub(super) fn way_in(&self, secs: f64) -> f64 {
        farthest_way(self.course, self.acceleration, secs)
    }

    /// The upper bound of the distance that any point moves in a time because of `turn`, metres.
    pub(super) fn way_of_turn(&self, secs: f64) -> f64 {
        if self.is_ball {
            0.0
        } else {
            self.turn.length() * self.radius * secs
        }
    }

    /// The upper bound of the distance that any point moves in a time, metres.
    pub(super) fn reach_in(&self, secs: f64) -> f64 {
        self.way_in(secs) + self.way_of_turn(secs)
    }

    /// The upper bound of the distance that any point moves in a time because of `spin`, metres. It selects contacts,
    /// since each surface that a point can reach needs one.
    pub(super) fn way_by_turn(&self, secs: f64) -> f64 {
        if self.is_ball {
            0.0
        } else {
            self.spin.length() * self.radius * secs
        }
    }

    /// The displacement of a point at `arm` from the centre in a time by course and turn, extrapolated along a
    /// straight line, metres.
    pub(super) fn way_of(&self, arm: DVec3, secs: f64) -> DVec3 {
        self.centre_at(self.time + secs) - self.at.point + self.turn.cross(arm) * secs
    }

    /// The transform from coordinates of the body to those of its room, at the current time.
    pub(super) fn pose(&self) -> Rigid {
        Rigid::new(DMat3::from_quat(self.rotation), self.at.point)
    }

    /// The rotation at a time of the tick.
    pub(super) fn rotation_at(&self, time: f64) -> DQuat {
        let turn = self.turn * (time - self.time);
        if turn == DVec3::ZERO {
            return self.rotation;
        }
        turned(self.rotation, turn)
    }

    /// The velocity of the point at `arm` from the centre, m/s.
    pub(super) fn velocity_of(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(arm)
    }

    /// Applies an impulse, N s, at `arm` from the centre.
    pub(super) fn push(&mut self, impulse: DVec3, arm: DVec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += self.inverse_inertia * arm.cross(impulse);
    }
}

/// The upper bound of the distance that a point moves in a time at a velocity, m/s, and an acceleration, m/s2, in
/// metres.
pub(super) fn farthest_way(velocity: DVec3, acceleration: DVec3, secs: f64) -> f64 {
    velocity.length() * secs + 0.5 * acceleration.length() * secs * secs
}

/// Returns a rotation followed by a turn about a vector in room axes. The length of the vector is the angle, radians.
pub(super) fn turned(rotation: DQuat, turn: DVec3) -> DQuat {
    let angle = turn.length();
    let half = 0.5 * angle;
    // A turn that is not zero may have a length of zero: the square of 1e-162 is zero.
    let part = if angle > 0.0 {
        libm::sin(half) / angle
    } else {
        0.5
    };
    let axis = turn * part;
    let more = DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(half));
    let after = more * rotation;
    after * after.length_recip()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: before a ball that rolled to a stop fell asleep, its spin was 1e-162, and its rotation became
    /// NaN.
    #[test]
    fn turns_too_small_for_their_length_leave_the_rotation_as_it_is() {
        let rotation = DQuat::from_rotation_y(0.7);
        for size in [0.0, 5e-324, 1e-200, 1e-162, 1e-160, 1e-30] {
            let after = turned(rotation, DVec3::new(-size, 0.0, 0.5 * size));
            assert!((after - rotation).length() < 1e-15, "{size}: {after}");
        }
    }
}
