//! Kinematic bodies: bodies whose motion a program determines.

use glam::{DQuat, DVec3};

use super::bodies::Bodies;
use crate::level::{BodyId, TICKS_PER_SECOND};
use crate::save::{MAX_SPEED, bounded};

impl Bodies {
    /// Sets the velocity and the spin of a kinematic body so that it reaches a pose at the end of the next tick. `point`
    /// is the position of the centre of mass, metres; both are in coordinates of the body's room. The body keeps these
    /// velocities until they are set again. Ignores non-finite poses, and bodies that are absent or not kinematic.
    pub fn move_kinematic(&mut self, id: BodyId, point: DVec3, rotation: DQuat) {
        let state = self.state(id);
        let velocity = (point - state.at.point) * TICKS_PER_SECOND;
        let spin = turn_between(state.rotation, rotation) * TICKS_PER_SECOND;
        self.set_kinematic_velocity(id, velocity, spin);
    }

    /// Sets the velocity, m/s, and the spin, radians per second, of a kinematic body, in coordinates of its room. The
    /// rest is as for [`Self::move_kinematic`].
    pub fn set_kinematic_velocity(&mut self, id: BodyId, velocity: DVec3, spin: DVec3) {
        let state = self.state(id);
        let is_finite = velocity.is_finite() && spin.is_finite();
        if !state.is_kinematic || !state.is_present || !is_finite {
            return;
        }
        if state.is_asleep() && (velocity, spin) == (DVec3::ZERO, DVec3::ZERO) {
            return;
        }
        self.wake(id);
        let state = &mut self.states[id.0 as usize];
        state.velocity = bounded(velocity, MAX_SPEED);
        state.spin = bounded(spin, MAX_SPEED);
        state.slow_ticks = 0;
    }

    /// Prepares the change of a body to a kinematic one, or back: no character holds it any more, and the bodies that
    /// sleep beside it wake.
    pub(super) fn become_other_kind(&mut self, id: BodyId) {
        self.hands.drop_body(id);
        self.leave_place(id);
    }
}

/// The turn from one rotation to another about an axis, whose length is the angle, at most pi radians. `to` may have any
/// length.
fn turn_between(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = turn.xyz().length();
    if sine == 0.0 {
        return DVec3::ZERO * turn.w;
    }
    turn.xyz() * (2.0 * libm::atan2(sine, turn.w) / sine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_turn_between_two_rotations_leads_from_one_to_the_other() {
        let mut rng = Rng::new(1);
        for angle in [0.0, 1e-9, 0.1, 1.0, 3.0, 3.1, 4.0] {
            for size in [1e-3, 1.0, 1e3] {
                let mut random = || DVec3::from([0; 3].map(|_| rng.between(-1.0, 1.0)));
                let from = DQuat::from_scaled_axis(random() * 3.0);
                let axis = random().normalize_or_zero() * angle;
                let to = DQuat::from_scaled_axis(axis) * from;
                let turn = turn_between(from, to * size);
                assert!(turn.length() < std::f64::consts::PI + 1e-9);
                let found = DQuat::from_scaled_axis(turn) * from;
                assert!(found.dot(to).abs() > 1.0 - 1e-12, "{angle}: {turn}");
            }
        }
        let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert_eq!(turn_between(DQuat::IDENTITY, zero), DVec3::ZERO);
    }
}
