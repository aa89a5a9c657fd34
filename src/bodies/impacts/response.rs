//! The effect of impulses at a contact on the velocities there.

use glam::{DMat3, DVec3};

use crate::bodies::contacts::BodyContact;
use crate::bodies::moving::Moving;

/// The effective mass of the contact for an impulse along `direction`, kg.
pub(in crate::bodies) fn effective_mass(
    moving: &[Moving],
    contact: &BodyContact,
    direction: DVec3,
) -> f64 {
    let of = |inverse_mass: f64, inverse_inertia: &DMat3, arm: DVec3, direction: DVec3| {
        let turn = arm.cross(direction);
        inverse_mass + turn.dot(*inverse_inertia * turn)
    };
    let a = &moving[contact.a as usize];
    let of_a = of(a.inverse_mass, &a.inverse_inertia, contact.arm_a, direction);
    let of_b = contact.b.map_or(0.0, |index| {
        let b = &moving[index as usize];
        if contact.a_from_b.is_identity() {
            return of(b.inverse_mass, &b.inverse_inertia, contact.arm_b, direction);
        }
        let b_from_a = contact.a_from_b.inverse();
        let [arm, direction] = [contact.arm_b, direction].map(|v| b_from_a.vector(v));
        of(b.inverse_mass, &b.inverse_inertia, arm, direction)
    });
    (of_a + of_b).recip()
}

/// The velocity of `a` relative to `b` at the contact, in coordinates of the room of `a`.
pub(in crate::bodies) fn relative_velocity(moving: &[Moving], contact: &BodyContact) -> DVec3 {
    let of_a = moving[contact.a as usize].velocity_of(contact.arm_a);
    let of_b = contact.b.map_or(contact.surface_velocity, |index| {
        let b = &moving[index as usize];
        if contact.a_from_b.is_identity() {
            return b.velocity_of(contact.arm_b);
        }
        let arm = contact.a_from_b.inverse().vector(contact.arm_b);
        contact.a_from_b.vector(b.velocity_of(arm))
    });
    of_a - of_b
}

/// Applies an impulse, N s, to `a`, and its opposite to `b`.
pub(in crate::bodies) fn apply(moving: &mut [Moving], contact: &BodyContact, impulse: DVec3) {
    moving[contact.a as usize].push(impulse, contact.arm_a);
    if let Some(index) = contact.b {
        let b = &mut moving[index as usize];
        if contact.a_from_b.is_identity() {
            b.push(-impulse, contact.arm_b);
        } else {
            let b_from_a = contact.a_from_b.inverse();
            b.push(-b_from_a.vector(impulse), b_from_a.vector(contact.arm_b));
        }
    }
}
