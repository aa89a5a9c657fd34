//! The solver's compact representation of a body, so that many bodies fit into the processor's caches.

use glam::{DMat3, DVec3, Vec4};

use crate::bodies::moving::Moving;

/// The index of the static body, which stands for all surfaces.
pub(super) const GROUND: u32 = 0;

/// A body's mass and velocities when the tick begins, in coordinates of its room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inertia {
    /// The root of the inverse mass, 1 / kg^1/2, times the [unit](unit_of).
    pub root: f64,
    /// The root `T` of the inverse inertia `T T^t`, 1 / (kg^1/2 m), times the [unit](unit_of).
    pub turn_root: DMat3,
    /// The velocity, m/s, and the spin, radians per second.
    pub velocity: DVec3,
    pub spin: DVec3,
}

/// The changes of a body in the tick so far. A velocity is stored divided by the root of the inverse mass. So one
/// vector serves as the Jacobian row of a contact and as the effect of its impulse, and heavy and light bodies have
/// the same scale.
///
/// Single precision is enough, because only changes are stored: the rest of a velocity keeps double precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct VelocityChange {
    pub velocity: Vec4,
    pub spin: Vec4,
    pub shift: Vec4,
    pub turn: Vec4,
}

/// The motion of a body in a substep without contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    /// The change of velocity by gravity and applied forces in a substep.
    pub gravity: Vec4,
    /// The change of spin by applied torques in a substep.
    torque_spin: Vec4,
    /// The velocities before the impulses of the substep.
    velocity: Vec4,
    pub spin: Vec4,
}

impl Inertia {
    pub(super) const GROUND: Self = Self {
        root: 0.0,
        turn_root: DMat3::ZERO,
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
    };

    pub(super) fn of(moving: &Moving, unit: f64) -> Self {
        Self {
            root: moving.inverse_mass.sqrt() * unit,
            turn_root: root_of(&moving.inverse_inertia) * unit,
            velocity: moving.velocity,
            spin: moving.spin - moving.unspread,
        }
    }

    /// Converts a change of velocity to the solver's units.
    fn scaled(&self, change: DVec3) -> Vec4 {
        let scaled = change / self.root;
        if scaled.is_finite() {
            scaled.as_vec3().extend(0.0)
        } else {
            Vec4::ZERO
        }
    }

    /// Converts a change of spin to the solver's units.
    fn scaled_spin(&self, change: DVec3) -> Vec4 {
        let scaled = match change {
            DVec3::ZERO => DVec3::ZERO,
            _ => self.turn_root.inverse() * change,
        };
        if scaled.is_finite() {
            scaled.as_vec3().extend(0.0)
        } else {
            Vec4::ZERO
        }
    }

    /// Converts a change of velocity, and of spin, from the solver's units.
    pub(super) fn velocity_from(&self, scaled: Vec4) -> DVec3 {
        scaled.truncate().as_dvec3() * self.root
    }

    pub(super) fn spin_from(&self, scaled: Vec4) -> DVec3 {
        self.turn_root * scaled.truncate().as_dvec3()
    }
}

impl VelocityChange {
    pub(super) const NONE: Self = Self {
        velocity: Vec4::ZERO,
        spin: Vec4::ZERO,
        shift: Vec4::ZERO,
        turn: Vec4::ZERO,
    };

    /// Advances the displacements by a time in seconds.
    pub(super) fn advance(&mut self, secs: f32) {
        self.shift += self.velocity * secs;
        self.turn += self.spin * secs;
    }

    /// Writes the solution for a tick of `secs` seconds to a body.
    ///
    /// The change of velocity is passed in double precision, as the sum of gravity and the impulses of contacts, so
    /// that momentum is conserved exactly.
    pub(super) fn leave(
        &self,
        inertia: &Inertia,
        [given, changed]: [DVec3; 2],
        moving: &mut Moving,
        secs: f64,
    ) {
        // The part of the velocity change by gravity that contacts did not cancel.
        let kept = changed.dot(given) / given.length_squared();
        let kept = if kept > 0.0 { kept.min(1.0) } else { 0.0 };
        moving.fall = given * (kept / secs);
        moving.course = moving.velocity + inertia.velocity_from(self.shift) / secs;
        moving.turn = inertia.spin + inertia.spin_from(self.turn) / secs;
        moving.velocity += changed;
        moving.spin = inertia.spin + inertia.spin_from(self.spin);
        moving.unspread = DVec3::ZERO;
    }
}

impl Free {
    pub(super) const GROUND: Self = Self {
        gravity: Vec4::ZERO,
        torque_spin: Vec4::ZERO,
        velocity: Vec4::ZERO,
        spin: Vec4::ZERO,
    };

    /// The free motion of a body. `falls` is the change of its velocity by gravity and applied forces in a substep,
    /// m/s; `torque_spin` is the change of its spin by applied torques, radians per second.
    pub(super) fn of(inertia: &Inertia, falls: DVec3, torque_spin: DVec3) -> Self {
        Self {
            gravity: inertia.scaled(falls),
            torque_spin: inertia.scaled_spin(torque_spin),
            ..Self::GROUND
        }
    }

    /// Begins a substep: adds gravity and the impulses of the last substep, as the changes of velocity that they
    /// caused.
    pub(super) fn begin(&mut self, change: &mut VelocityChange) {
        let [pushed, turned] = [change.velocity - self.velocity, change.spin - self.spin];
        (self.velocity, self.spin) = (
            change.velocity + self.gravity,
            change.spin + self.torque_spin,
        );
        change.velocity = self.velocity + pushed;
        change.spin = self.spin + turned;
    }
}

/// The power of two by which all roots are multiplied, so that no mass is too large or too small for single
/// precision. `least_root` is the root of the inverse mass of the heaviest body; its product with the unit is about
/// one.
pub(super) fn unit_of(least_root: f64) -> f64 {
    let (_, exponent) = libm::frexp(least_root);
    libm::ldexp(1.0, -exponent)
}

/// A matrix `T` with `T T^t` equal to a positive semidefinite symmetric matrix: A.-L. Cholesky's lower triangle (G.
/// Golub, C. Van Loan, "Matrix Computations", 4.2). The row of an axis about which a body does not turn is zero.
fn root_of(matrix: &DMat3) -> DMat3 {
    let [a, b, c] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let pivot = |square: f64| {
        let root = square.max(0.0).sqrt();
        (root, if root > 0.0 { root.recip() } else { 0.0 })
    };
    let (xx, per_xx) = pivot(a.x);
    let [yx, zx] = [a.y * per_xx, a.z * per_xx];
    let (yy, per_yy) = pivot(b.y - yx * yx);
    let zy = (b.z - zx * yx) * per_yy;
    let (zz, _) = pivot(c.z - zx * zx - zy * zy);
    DMat3::from_cols_array(&[xx, yx, zx, 0.0, yy, zy, 0.0, 0.0, zz])
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_square_of_a_root_is_the_inverse_inertia() {
        let mut rng = Rng::new(1);
        for size in [1e-9, 1.0, 1e9] {
            for _ in 0..1000 {
                let mut random = || DVec3::from([0; 3].map(|_| rng.between(-1.0, 1.0)));
                let axes = DMat3::from_quat(DQuat::from_scaled_axis(random() * 3.0));
                let moments = random().abs() * size + 1e-3 * size;
                let matrix = axes * DMat3::from_diagonal(moments) * axes.transpose();
                let root = root_of(&matrix);
                let error = root * root.transpose() - matrix;
                let largest = error.to_cols_array().map(f64::abs);
                let largest = largest.into_iter().fold(0.0, f64::max);
                assert!(largest < 1e-14 * size, "{largest:e} of {size:e}");
            }
        }
        assert_eq!(root_of(&DMat3::ZERO), DMat3::ZERO);
    }

    #[test]
    fn the_unit_is_a_power_of_two_that_makes_the_least_root_about_one() {
        for mass in [1e-12, 0.3, 1.0, 80.0, 1e40, 1e200_f64] {
            let root = mass.recip().sqrt();
            let unit = unit_of(root);
            assert!((0.5..1.0).contains(&(root * unit)), "{mass:e}: {unit:e}");
            assert_eq!(libm::frexp(unit).0, 0.5);
        }
    }
}
