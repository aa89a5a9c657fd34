//! Four contacts that are solved at once, no two of which have a body in common.
//!
//! All values of a contact are scaled so that a unit impulse along the normal changes the speed along it by one: the
//! unit is the root of the effective mass along the normal.

use glam::{BVec4A, Vec4};

use super::body::VelocityChange;
use super::lanes::{LANES, Lanes3};

/// Four contacts. In an empty lane the bodies have no effect, and all values are zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quad {
    pub bodies: [[u32; LANES]; 2],
    pub normal: JacobianRow,
    pub tangents: [JacobianRow; 2],
    /// The speeds along the normal and the tangents when the tick begins, relative to a conveyor belt.
    pub speeds: [Vec4; 3],
    /// The rate at which the gap widens, without regard to conveyor belts.
    pub widening: Vec4,
    /// The gap when the tick begins; negative where the sides overlap.
    pub separation: Vec4,
    /// The gap when it was last computed.
    pub now: Vec4,
    /// The changes of the speeds along the tangents by a unit impulse along the normal.
    pub coupling: [Vec4; 2],
    /// One mass for all tangents, so that friction is opposite to the slip.
    pub tangent_mass: Vec4,
    pub friction: Vec4,
    /// The spring: see [`Softness`](super::softness::Softness).
    pub push_rate: Vec4,
    pub mass_scale: Vec4,
    pub impulse_scale: Vec4,
    /// The maximum speed at which overlaps are pushed apart.
    pub max_push: Vec4,
    /// The scaled [`MAX_RESIDUAL`](crate::bodies::tuning::MAX_RESIDUAL).
    pub max_residual: Vec4,
    /// The impulses of this substep.
    pub normal_impulse: Vec4,
    pub tangent_impulse: [Vec4; 2],
    /// The impulse along the normal that the substep began with.
    pub first_impulse: Vec4,
    /// The impulses of the tick so far: along the normal, and along the tangents.
    pub given: [Vec4; 3],
    /// The separation speed of the bodies after an impact; 0 where they do not bounce.
    pub parting: Vec4,
}

/// The Jacobian row of a direction at a contact for its two bodies. It is also the effect of a unit impulse in that
/// direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct JacobianRow {
    pub linear: [Lanes3; 2],
    pub angular: [Lanes3; 2],
}

/// The velocities, or the displacements, of the bodies of a quad.
struct QuadMotion {
    linear: [Lanes3; 2],
    angular: [Lanes3; 2],
}

impl JacobianRow {
    const ZERO: Self = Self {
        linear: [Lanes3::ZERO; 2],
        angular: [Lanes3::ZERO; 2],
    };

    #[inline]
    fn speed(&self, motion: &QuadMotion) -> Vec4 {
        let of_a = self.linear[0].dot(&motion.linear[0]) + self.angular[0].dot(&motion.angular[0]);
        let of_b = self.linear[1].dot(&motion.linear[1]) + self.angular[1].dot(&motion.angular[1]);
        of_a + of_b
    }

    #[inline]
    fn push(&self, motion: &mut QuadMotion, impulse: Vec4) {
        for side in 0..2 {
            motion.linear[side] += self.linear[side] * impulse;
            motion.angular[side] += self.angular[side] * impulse;
        }
    }
}

impl Quad {
    pub(super) const EMPTY: Self = Self {
        bodies: [[super::body::GROUND; LANES]; 2],
        normal: JacobianRow::ZERO,
        tangents: [JacobianRow::ZERO; 2],
        speeds: [Vec4::ZERO; 3],
        widening: Vec4::ZERO,
        separation: Vec4::ZERO,
        now: Vec4::ZERO,
        coupling: [Vec4::ZERO; 2],
        tangent_mass: Vec4::ZERO,
        friction: Vec4::ZERO,
        push_rate: Vec4::ZERO,
        mass_scale: Vec4::ZERO,
        impulse_scale: Vec4::ZERO,
        max_push: Vec4::ZERO,
        max_residual: Vec4::ZERO,
        normal_impulse: Vec4::ZERO,
        tangent_impulse: [Vec4::ZERO; 2],
        first_impulse: Vec4::ZERO,
        given: [Vec4::ZERO; 3],
        parting: Vec4::ZERO,
    };

    /// The linear and the angular changes of the eight bodies of the four contacts; `parts` selects velocities or
    /// displacements.
    #[inline]
    fn motion(
        &self,
        changes: &[VelocityChange],
        parts: impl Fn(&VelocityChange) -> [Vec4; 2],
    ) -> QuadMotion {
        let [of_a, of_b] = self.bodies.map(|bodies| {
            let [p, q, r, s] = bodies.map(|body| parts(&changes[body as usize]));
            [0, 1].map(|part| Lanes3::of_vectors([p[part], q[part], r[part], s[part]]))
        });
        QuadMotion {
            linear: [of_a[0], of_b[0]],
            angular: [of_a[1], of_b[1]],
        }
    }

    #[inline]
    fn velocities(&self, changes: &[VelocityChange]) -> QuadMotion {
        self.motion(changes, |change| [change.velocity, change.spin])
    }

    #[inline]
    fn ways(&self, changes: &[VelocityChange]) -> QuadMotion {
        self.motion(changes, |change| [change.shift, change.turn])
    }

    #[inline]
    fn put_back(&self, changes: &mut [VelocityChange], motion: &QuadMotion) {
        for side in 0..2 {
            let velocities = motion.linear[side].vectors();
            let spins = motion.angular[side].vectors();
            for lane in 0..LANES {
                let change = &mut changes[self.bodies[side][lane] as usize];
                (change.velocity, change.spin) = (velocities[lane], spins[lane]);
            }
        }
    }

    /// Applies the impulses of the warm start.
    pub(super) fn warm_start(&mut self, changes: &mut [VelocityChange]) {
        self.first_impulse = self.normal_impulse;
        let mut motion = self.velocities(changes);
        self.normal.push(&mut motion, self.normal_impulse);
        for (row, impulse) in self.tangents.iter().zip(self.tangent_impulse) {
            row.push(&mut motion, impulse);
        }
        self.put_back(changes, &motion);
    }

    /// Begins a substep with the impulses of the last one, which the bodies already have. Removes impulses of
    /// impacts, because an impact acts once: an impulse counts as an impact if it more than doubled and changed a
    /// speed by more than [`MAX_RESIDUAL`](crate::bodies::tuning::MAX_RESIDUAL).
    pub(super) fn forget_impacts(&mut self, changes: &mut [VelocityChange]) {
        let most = self.first_impulse * 2.0 + self.max_residual;
        let is_impact = self.normal_impulse.cmpgt(most);
        if is_impact.any() {
            let part = Vec4::select(is_impact, most / self.normal_impulse, Vec4::ONE);
            let less = part - Vec4::ONE;
            let mut motion = self.velocities(changes);
            self.normal.push(&mut motion, self.normal_impulse * less);
            self.normal_impulse *= part;
            for (row, impulse) in self.tangents.iter().zip(&mut self.tangent_impulse) {
                row.push(&mut motion, *impulse * less);
                *impulse *= part;
            }
            self.put_back(changes, &motion);
        }
        self.first_impulse = self.normal_impulse;
    }

    /// Solves the contacts once as springs. `rate` is substeps per second. Returns which contacts changed a speed by
    /// more than [`MAX_RESIDUAL`](crate::bodies::tuning::MAX_RESIDUAL).
    pub(super) fn push_apart(&mut self, changes: &mut [VelocityChange], rate: f32) -> BVec4A {
        let is_apart = self.now.cmpgt(Vec4::ZERO);
        let push = self.now * self.push_rate;
        let push = Vec4::select(push.cmplt(-self.max_push), -self.max_push, push);
        // Bodies may approach each other by at most their gap in the substep.
        let bias = Vec4::select(is_apart, self.now * rate, push);
        let mass_scale = Vec4::select(is_apart, Vec4::ONE, self.mass_scale);
        let impulse_scale = Vec4::select(is_apart, Vec4::ZERO, self.impulse_scale);
        let mut motion = self.velocities(changes);
        let change = self.solve(&mut motion, bias, (mass_scale, impulse_scale));
        self.put_back(changes, &motion);
        change.abs().cmpgt(self.max_residual)
    }

    /// Solves once without the spring, `time` seconds after the beginning of the tick.
    pub(super) fn relax(&mut self, changes: &mut [VelocityChange], time: f32, rate: f32) {
        let moved = self.normal.speed(&self.ways(changes));
        self.now = self.separation + self.widening * time + moved;
        let is_apart = self.now.cmpgt(Vec4::ZERO);
        let bias = Vec4::select(is_apart, self.now * rate, Vec4::ZERO);
        let mut motion = self.velocities(changes);
        self.solve(&mut motion, bias, (Vec4::ONE, Vec4::ZERO));
        self.put_back(changes, &motion);
        self.given[0] += self.normal_impulse;
        self.given[1] += self.tangent_impulse[0];
        self.given[2] += self.tangent_impulse[1];
    }

    /// Whether one of the contacts bounces.
    pub(super) fn bounces(&self) -> bool {
        self.parting.cmpgt(Vec4::ZERO).any()
    }

    /// Separates bodies that met within the tick. `bounced` has the impulses of the earlier rounds.
    pub(super) fn bounce(&self, changes: &mut [VelocityChange], bounced: &mut Vec4) {
        let has_met = self.given[0].cmpgt(Vec4::ZERO) & self.parting.cmpgt(Vec4::ZERO);
        let mut motion = self.velocities(changes);
        let speed = self.speeds[0] + self.normal.speed(&motion);
        let after = (*bounced + self.parting - speed).max(Vec4::ZERO);
        let change = Vec4::select(has_met, after - *bounced, Vec4::ZERO);
        *bounced += change;
        self.normal.push(&mut motion, change);
        self.put_back(changes, &motion);
    }

    /// Marks the bodies of the contacts that have an impulse of a bounce.
    pub(super) fn note_bounced(&self, bounced: &Vec4, do_bounce: &mut [bool]) {
        let lanes = bounced.cmpgt(Vec4::ZERO).bitmask();
        for bodies in &self.bodies {
            for (lane, &body) in bodies.iter().enumerate() {
                do_bounce[body as usize] |= lanes >> lane & 1 == 1;
            }
        }
    }

    /// The current speeds along the normal and the tangents.
    pub(super) fn speeds_now(&self, changes: &[VelocityChange]) -> [Vec4; 3] {
        let motion = self.velocities(changes);
        let rows = [&self.normal, &self.tangents[0], &self.tangents[1]];
        std::array::from_fn(|i| self.speeds[i] + rows[i].speed(&motion))
    }

    /// The energy that the contacts' impulses have added in the tick, with these speeds at its end: the work of an
    /// impulse is done at the mean of the speeds before and after it.
    pub(super) fn work(&self, speeds: &[Vec4; 3]) -> f64 {
        let parts = [0, 1, 2].map(|i| self.given[i] * (self.speeds[i] + speeds[i]) * 0.5);
        sum(parts[0] + parts[1] + parts[2])
    }

    #[inline]
    fn solve(
        &mut self,
        motion: &mut QuadMotion,
        bias: Vec4,
        (mass_scale, impulse_scale): (Vec4, Vec4),
    ) -> Vec4 {
        let speed = self.speeds[0] + self.normal.speed(motion);
        let wanted =
            self.normal_impulse - mass_scale * (speed + bias) - impulse_scale * self.normal_impulse;
        let after = Vec4::select(wanted.cmpgt(Vec4::ZERO), wanted, Vec4::ZERO);
        let change = after - self.normal_impulse;
        self.normal_impulse = after;

        let most = self.friction * after;
        let slip = |i: usize| {
            self.speeds[i + 1] + self.tangents[i].speed(motion) + self.coupling[i] * change
        };
        let wanted = [0, 1].map(|i| self.tangent_impulse[i] - slip(i) * self.tangent_mass);
        let square = wanted[0] * wanted[0] + wanted[1] * wanted[1];
        let is_slipping = square.cmpgt(most * most);
        let part = Vec4::select(is_slipping, most / square.sqrt(), Vec4::ONE);
        self.normal.push(motion, change);
        for (i, wanted) in wanted.into_iter().enumerate() {
            let after = wanted * part;
            self.tangents[i].push(motion, after - self.tangent_impulse[i]);
            self.tangent_impulse[i] = after;
        }
        change
    }
}

/// The sum of the lanes.
pub(super) fn sum(lanes: Vec4) -> f64 {
    lanes.to_array().into_iter().map(f64::from).sum()
}
