//! A body in the course of a tick.

use glam::{DMat3, DQuat, DVec3};

use super::tuning::{MAX_IMPACTS, MAX_IMPACTS_OF_BALLS};
use crate::geometry::Rigid;
use crate::level::{At, BodyId, RigidBody, TICKS_PER_SECOND};
use crate::shapes::Shape;
use crate::world::BodyState;

/// A body as it is at a time of the tick, and how it moves from then on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub id: BodyId,
    /// Of a sphere around its centre that has all of it, metres.
    pub radius: f64,
    /// Seconds since the beginning of the tick.
    pub time: f64,
    /// Its centre of mass.
    pub at: At,
    pub rotation: DQuat,
    /// m/s and radians per second.
    pub velocity: DVec3,
    pub spin: DVec3,
    /// How its centre moves, m/s, which is its velocity but where a solver corrects positions too.
    pub course: DVec3,
    /// How it turns, radians per second.
    pub turn: DVec3,
    /// m/s2.
    pub acceleration: DVec3,
    /// That of a body whose velocity the solver has found, m/s2: in its velocity already for all of the tick.
    pub fall: DVec3,
    /// The spin that applied torques add in the tick, radians per second.
    pub torque_spin: DVec3,
    /// The part of [`Self::torque_spin`] that its spin contains, and that the solver has not yet spread over the substeps.
    pub unspread: DVec3,
    pub inverse_mass: f64,
    /// In room axes, 1 / (kg m2), of the rotation that it was made for.
    pub inverse_inertia: DMat3,
    /// It is paired with all bodies that it may meet where no point of it goes farther than this, metres; of one that sleeps,
    /// which is paired only with bodies that are awake, negative infinity.
    pub reach: f64,
    /// No surface is nearer to the sphere around it than this, metres, movers being where they are at the end of the tick;
    /// negative where that is not known. Most bodies in flight meet none: then their lists of triangles need not be read.
    pub clearance: f64,
    /// All surfaces that come within this distance of its centre are listed, metres, whatever the list was made for.
    pub listed: f64,
    /// Whether no turn changes it: a ball, and a character, which does not turn.
    pub is_ball: bool,
    /// Whether the solver has found its motion, and no impact has changed that yet.
    pub is_solved: bool,
    /// Whether its contacts are speculative: no impact of it is searched for.
    pub is_speculative: bool,
    /// Whether it slept when the tick began, and nothing woke it.
    pub is_asleep: bool,
    /// Whether it is a character that does not rest: what it touches does not sleep.
    pub is_restless: bool,
    /// Whether it has touched another body in this tick.
    pub has_met_body: bool,
    /// Whether it was held back in this tick, for it would have passed a surface or ended deep in it.
    pub is_held_back: bool,
    /// When it stops on its way in the step that is solved, seconds since the beginning of the tick; else infinite.
    pub stopped_at: f64,
    /// Impacts in this tick.
    pub impacts: u32,
    /// Counts changes of its motion: impacts found before are out of date.
    pub version: u32,
}

#[cfg(test)]
impl Moving {
    /// A body of a kilogram at rest, which nothing pulls.
    pub(super) fn of_unit_mass(point: DVec3) -> Self {
        let room = crate::level::RoomId(0);
        Self {
            id: BodyId(0),
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
            is_ball: false,
            is_solved: false,
            is_speculative: false,
            is_asleep: false,
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
    pub(super) fn of(id: BodyId, body: &RigidBody, state: &BodyState, gravity: DVec3) -> Self {
        let is_asleep = state.is_asleep();
        let mut moving = Self {
            id,
            radius: body.radius,
            time: 0.0,
            at: state.at,
            rotation: state.rotation,
            velocity: state.velocity,
            spin: state.spin,
            course: state.velocity,
            turn: state.spin,
            acceleration: if is_asleep { DVec3::ZERO } else { gravity },
            fall: DVec3::ZERO,
            torque_spin: DVec3::ZERO,
            unspread: DVec3::ZERO,
            inverse_mass: body.mass.mass.recip(),
            inverse_inertia: DMat3::IDENTITY,
            reach: if is_asleep { f64::NEG_INFINITY } else { 0.0 },
            clearance: f64::NEG_INFINITY,
            listed: 0.0,
            is_ball: matches!(body.shape, Shape::Sphere { .. }),
            is_solved: is_asleep,
            is_speculative: false,
            is_asleep,
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

    /// The body with the spin that applied torques add in the tick, radians per second.
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

    /// Wakes it when the tick begins, when it is paired with all that it may meet. `acceleration` is what pulls it, m/s2.
    pub(super) fn wake(&mut self, acceleration: DVec3) {
        (self.is_asleep, self.is_solved) = (false, false);
        self.acceleration = acceleration;
        self.reach = self.reach_in(TICKS_PER_SECOND.recip());
    }

    /// Makes what the solver has found into the motion that it is at this time of a tick of `secs` seconds: so an impact
    /// finds the velocity that the body has then, and not what gravity will have given it at the end.
    pub(super) fn leave_solution(&mut self, secs: f64) {
        if self.is_solved {
            self.velocity -= self.fall * (secs - self.time);
            self.acceleration = self.fall;
            (self.is_solved, self.fall) = (false, DVec3::ZERO);
        }
    }

    /// Finds the inverse inertia in room axes of the rotation that it has now.
    pub(super) fn find_inertia(&mut self, body: &RigidBody) {
        if self.is_ball {
            let moment = body.mass.moments.x.recip();
            self.inverse_inertia = DMat3::from_diagonal(DVec3::splat(moment));
        } else {
            let rotation = DMat3::from_quat(self.rotation);
            self.inverse_inertia = body.mass.inverse_inertia(rotation);
        }
    }

    /// Scales the spin that was found for an earlier rotation so that its energy is the same with the rotation of now: the body
    /// turned about other axes in between.
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

    /// Whether it has had as many impacts in this tick as it may have.
    pub(super) fn is_worn_out(&self) -> bool {
        let most = if self.is_ball {
            MAX_IMPACTS_OF_BALLS
        } else {
            MAX_IMPACTS
        };
        self.impacts >= most
    }

    /// The centre at a time of the tick, seconds, in the coordinates of its room now.
    pub(super) fn centre_at(&self, time: f64) -> DVec3 {
        let secs = time - self.time;
        self.at.point + self.course * secs + self.acceleration * (0.5 * secs * secs)
    }

    /// How far its centre goes in a time at most, metres.
    pub(super) fn way_in(&self, secs: f64) -> f64 {
        farthest_way(self.course, self.acceleration, secs)
    }

    /// How far any point of it goes in a time because of its turn, at most, metres.
    pub(super) fn way_of_turn(&self, secs: f64) -> f64 {
        if self.is_ball {
            0.0
        } else {
            self.turn.length() * self.radius * secs
        }
    }

    /// How far any point of it goes in a time at most, metres.
    pub(super) fn reach_in(&self, secs: f64) -> f64 {
        self.way_in(secs) + self.way_of_turn(secs)
    }

    /// How far any point of it goes in a time because it turns, at most, metres: what is to be held apart from a surface
    /// is all that can get there.
    pub(super) fn way_by_turn(&self, secs: f64) -> f64 {
        if self.is_ball {
            0.0
        } else {
            self.spin.length() * self.radius * secs
        }
    }

    /// How far a point at `arm` from its centre goes in a time by its course and its turn, as if it went on straight, metres.
    pub(super) fn way_of(&self, arm: DVec3, secs: f64) -> DVec3 {
        self.centre_at(self.time + secs) - self.at.point + self.turn.cross(arm) * secs
    }

    /// Takes coordinates of the body to those of its room, now.
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

    /// The velocity of its point at `arm` from its centre, m/s.
    pub(super) fn velocity_of(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(arm)
    }

    /// Changes its velocities by an impulse, N s, that acts at `arm` from its centre.
    pub(super) fn push(&mut self, impulse: DVec3, arm: DVec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += self.inverse_inertia * arm.cross(impulse);
    }
}

/// How far anything goes in a time at this velocity, m/s, and acceleration, m/s2, at most, metres.
pub(super) fn farthest_way(velocity: DVec3, acceleration: DVec3, secs: f64) -> f64 {
    velocity.length() * secs + 0.5 * acceleration.length() * secs * secs
}

/// A rotation followed by the turn by a vector's length, radians, about its direction, in room axes.
pub(super) fn turned(rotation: DQuat, turn: DVec3) -> DQuat {
    let angle = turn.length();
    let half = 0.5 * angle;
    // The length of a turn that is not zero may be: the square of 1e-162 is zero.
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

    /// A ball that rolls out had a spin of 1e-162 before it slept, and its rotation became NaN.
    #[test]
    fn turns_too_small_for_their_length_leave_the_rotation_as_it_is() {
        let rotation = DQuat::from_rotation_y(0.7);
        for size in [0.0, 5e-324, 1e-200, 1e-162, 1e-160, 1e-30] {
            let after = turned(rotation, DVec3::new(-size, 0.0, 0.5 * size));
            assert!((after - rotation).length() < 1e-15, "{size}: {after}");
        }
    }
}
