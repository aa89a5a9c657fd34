//! Rolling resistance.

use glam::DMat3;

use super::body::{Free, Inertia, VelocityChange};
use super::lanes::LANES;
use super::quad::Quad;
use crate::bodies::contacts::BodyContact;
use crate::bodies::tuning::ROLLING_ARM;

/// A contact at which one body may roll on another, or on a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolling {
    bodies: [u32; 2],
    /// The rotation from the room of `a` to that of `b`.
    b_from_a: DMat3,
    /// The lane of the contact's normal impulse.
    place: u32,
    /// The maximum torque impulse for a unit normal impulse.
    most: f64,
}

impl Rolling {
    /// The rolling contact solved in lane `place`, in units of `unit`; `None` if neither side rolls.
    pub(super) fn of(
        contact: &BodyContact,
        bodies: [u32; 2],
        place: u32,
        unit: f64,
    ) -> Option<Self> {
        let rolls = contact.rolls && contact.friction > 0.0;
        (rolls && contact.surface_velocity == glam::DVec3::ZERO).then(|| Self {
            bodies,
            b_from_a: contact.a_from_b.rotation().transpose(),
            place,
            most: ROLLING_ARM * contact.friction * unit,
        })
    }

    /// Brakes the relative rotation of the bodies, about any axis.
    ///
    /// (J. Ai, J. Chen, J. Rotter, J. Ooi, "Assessment of Rolling Resistance Models in Discrete Element Simulations",
    /// 2011, model A: a torque that does not depend on the speed.)
    pub(super) fn resist(
        &self,
        quads: &[Quad],
        inertias: &[Inertia],
        changes: &mut [VelocityChange],
        free: &mut [Free],
    ) {
        let place = self.place as usize;
        let impulse = quads[place / LANES].normal_impulse[place % LANES];
        let most = self.most * f64::from(impulse);
        if most <= 0.0 {
            return;
        }
        let [a, b] = self.bodies.map(|body| &inertias[body as usize]);
        let [spin_a, spin_b] = [(a, 0), (b, 1)].map(|(inertia, side)| {
            let change = &changes[self.bodies[side] as usize];
            inertia.spin + inertia.spin_from(change.spin)
        });
        let spin = spin_a - self.b_from_a.transpose() * spin_b;
        let speed = spin.length();
        if speed == 0.0 {
            return;
        }
        let axis = spin / speed;
        let levers = [
            a.turn_root.transpose() * axis,
            -(b.turn_root.transpose() * (self.b_from_a * axis)),
        ];
        let stop = speed / (levers[0].length_squared() + levers[1].length_squared());
        // Infinite for bodies that do not rotate.
        if stop.is_finite() {
            for (body, lever) in self.bodies.into_iter().zip(levers) {
                let braked = (lever * -stop.min(most)).as_vec3().extend(0.0);
                changes[body as usize].spin += braked;
                // The next substep does not start with this impulse.
                free[body as usize].spin += braked;
            }
        }
    }
}
