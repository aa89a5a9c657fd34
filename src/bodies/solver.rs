//! Resting contacts, solved together: sequential impulses with a warm start, in substeps.
//!
//! Each substep adds gravity, begins with the impulses of the last one, solves every contact once as a stiff,
//! damped spring, moves, and solves once more without the spring, so that pushing overlaps apart leaves no
//! velocity ("Solver2D", E. Catto, 2024: soft step; E. Catto, "Soft Constraints", GDC 2011). Friction is a cone.

use glam::DVec3;

use super::contacts::Contact;
use super::islands::Islands;
use super::moving::Moving;
use super::response::{
    apply, apply_twist, effective_mass, effective_moment, relative_spin, relative_velocity,
};
use super::tuning::*;
use crate::world::KeptImpulse;

/// A contact as the solver needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint {
    contact: Contact,
    tangents: [DVec3; 2],
    /// Effective masses along the normal and the tangents, kg.
    normal_mass: f64,
    tangent_masses: [f64; 2],
    /// The usual impulse along the normal, N s: what it was over the last ticks.
    load: f64,
    /// Impulses of this substep, N s.
    normal_impulse: f64,
    tangent_impulses: [f64; 2],
}

/// How far a body has come in this tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shift {
    centre: DVec3,
    turn: DVec3,
}

/// A spring and its damper over a substep (E. Catto, GDC 2011): without the damping that it gives, high stacks
/// oscillate.
#[derive(Clone, Copy)]
struct Softness {
    /// Which part of an overlap goes away, 1/s.
    push_rate: f64,
    mass_scale: f64,
    impulse_scale: f64,
}

impl Softness {
    const RIGID: Self = Self {
        push_rate: 0.0,
        mass_scale: 1.0,
        impulse_scale: 0.0,
    };

    fn new(hertz: f64, step_secs: f64) -> Self {
        let omega = std::f64::consts::TAU * hertz;
        let a1 = 2.0 * DAMPING_RATIO + step_secs * omega;
        let a2 = step_secs * omega * a1;
        let a3 = (1.0 + a2).recip();
        Self {
            push_rate: omega / a1,
            mass_scale: a2 * a3,
            impulse_scale: a3,
        }
    }
}

/// Solves the contacts over a tick of `secs` seconds: gives the bodies that they are of their velocities, and
/// the course on which they go.
pub(super) fn solve(
    moving: &mut [Moving],
    contacts: &[Contact],
    kept: &mut Vec<KeptImpulse>,
    constraints: &mut Vec<Constraint>,
    (shifts, solved): (&mut Vec<Shift>, &mut Vec<u32>),
    (islands, fresh): (&mut Islands, &mut Vec<bool>),
    secs: f64,
) {
    constraints.clear();
    let prepared = contacts
        .iter()
        .map(|contact| prepare(moving, contact, kept));
    constraints.extend(prepared);
    for contact in contacts {
        for index in [Some(contact.a), contact.b].into_iter().flatten() {
            let moving = &mut moving[index as usize];
            moving.is_solved = true;
            moving.has_met_body |= contact.b.is_some();
        }
    }
    // Of thousands few touch anything.
    solved.clear();
    solved.extend(
        (0..)
            .zip(&*moving)
            .filter_map(|(index, body)| body.is_solved.then_some(index)),
    );
    shifts.clear();
    shifts.resize(moving.len(), Shift::default());
    let step = secs / f64::from(SUBSTEPS);
    let soft = Softness::new(CONTACT_HERTZ, step);
    let stiff = Softness::new(2.0 * CONTACT_HERTZ, step);
    // Where something touches that nothing is known of yet.
    fresh.clear();
    fresh.resize(moving.len(), false);
    let mut any_fresh = false;
    for constraint in constraints.iter().filter(|c| c.normal_impulse == 0.0) {
        fresh[islands.root_of(constraint.contact.a) as usize] = true;
        any_fresh = true;
    }
    for substep in 0..SUBSTEPS {
        let time = step * f64::from(substep);
        for &index in &*solved {
            let body = &mut moving[index as usize];
            body.velocity += body.acceleration * step;
        }
        for constraint in constraints.iter() {
            constraint.warm_start(moving);
        }
        let rounds = if any_fresh && substep == 0 {
            FIRST_ROUNDS
        } else {
            1
        };
        for round in 0..rounds {
            for constraint in constraints.iter_mut() {
                if round > 0 && !fresh[islands.root_of(constraint.contact.a) as usize] {
                    continue;
                }
                let is_loose = constraint.contact.b.is_some();
                let spring = if is_loose { soft } else { stiff };
                constraint.solve(moving, shifts, spring, (time, step));
            }
        }
        for index in solved.iter().map(|index| *index as usize) {
            let (body, shift) = (&moving[index], &mut shifts[index]);
            shift.centre += body.velocity * step;
            shift.turn += body.spin * step;
        }
        // First, for what this changes at other contacts is solved then.
        for constraint in constraints.iter() {
            constraint.resist_rolling(moving);
        }
        for constraint in constraints.iter_mut() {
            constraint.solve(moving, shifts, Softness::RIGID, (time + step, step));
        }
    }
    for index in solved.iter().map(|index| *index as usize) {
        let (body, shift) = (&mut moving[index], &shifts[index]);
        body.course = shift.centre / secs;
        body.turn = shift.turn / secs;
        body.acceleration = DVec3::ZERO;
    }
    kept.clear();
    kept.extend(constraints.iter().map(Constraint::kept));
    debug_assert!(
        kept.is_sorted_by_key(|kept| kept.key),
        "contacts come in this order"
    );
}

fn prepare(moving: &[Moving], contact: &Contact, kept: &[KeptImpulse]) -> Constraint {
    let (t1, t2) = contact.normal.any_orthonormal_pair();
    let tangents = [t1, t2];
    let (normal_impulse, load, tangent) = match last_impulse(contact, kept) {
        Some(kept) => (kept.normal, kept.load, kept.tangent),
        None => (0.0, 0.0, DVec3::ZERO),
    };
    Constraint {
        normal_mass: effective_mass(moving, contact, contact.normal),
        tangent_masses: tangents.map(|tangent| effective_mass(moving, contact, tangent)),
        load,
        normal_impulse,
        tangent_impulses: tangents.map(|direction| direction.dot(tangent)),
        tangents,
        contact: *contact,
    }
}

/// What was found in the last tick for the point nearest to this one, of the same two.
///
/// By place, since the features that touch change from tick to tick where two faces are parallel.
fn last_impulse<'a>(contact: &Contact, kept: &'a [KeptImpulse]) -> Option<&'a KeptImpulse> {
    let first = kept.partition_point(|kept| kept.key < contact.key);
    let of_both = kept[first..]
        .iter()
        .take_while(|kept| kept.key == contact.key);
    let distance = |kept: &KeptImpulse| kept.arm.distance_squared(contact.arm_a);
    let near = of_both.filter(|kept| distance(kept) < SAME_POINT * SAME_POINT);
    near.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

impl Constraint {
    fn impulse(&self) -> DVec3 {
        self.contact.normal * self.normal_impulse + self.tangential()
    }

    fn tangential(&self) -> DVec3 {
        let [x, y] = self.tangent_impulses;
        self.tangents[0] * x + self.tangents[1] * y
    }

    fn kept(&self) -> KeptImpulse {
        KeptImpulse {
            key: self.contact.key,
            arm: self.contact.arm_a,
            normal: self.normal_impulse,
            load: self.load + LOAD_RATE * (self.normal_impulse - self.load),
            tangent: self.tangential(),
        }
    }

    fn warm_start(&self, moving: &mut [Moving]) {
        apply(moving, &self.contact, self.impulse());
    }

    /// The gap after the bodies have shifted, metres, `time` seconds after the beginning of the tick.
    fn separation(&self, shifts: &[Shift], time: f64) -> f64 {
        let contact = &self.contact;
        let moved = |index: u32, arm: DVec3| {
            let shift = &shifts[index as usize];
            shift.centre + shift.turn.cross(arm)
        };
        let of_a = moved(contact.a, contact.arm_a);
        let of_b = contact.b.map_or(contact.surface_course * time, |index| {
            if contact.a_from_b.is_identity() {
                return moved(index, contact.arm_b);
            }
            let arm = contact.a_from_b.inverse().vector(contact.arm_b);
            contact.a_from_b.vector(moved(index, arm))
        });
        contact.separation + (of_a - of_b).dot(contact.normal)
    }

    /// Brakes the turning of both against each other, about any axis: rolling resistance.
    ///
    /// (J. Ai, J. Chen, J. Rotter, J. Ooi, "Assessment of Rolling Resistance Models in Discrete Element
    /// Simulations", 2011, model A: a torque that does not depend on the speed.)
    fn resist_rolling(&self, moving: &mut [Moving]) {
        let contact = &self.contact;
        let most = ROLLING_ARM * contact.friction * self.normal_impulse;
        if most <= 0.0 || contact.surface_velocity != DVec3::ZERO {
            return;
        }
        let spin = relative_spin(moving, contact);
        let speed = spin.length();
        if speed == 0.0 {
            return;
        }
        let axis = spin / speed;
        let stop = speed * effective_moment(moving, contact, axis);
        // Of what does not turn it is infinite.
        if stop.is_finite() {
            apply_twist(moving, contact, -axis * stop.min(most));
        }
    }

    /// Solves once, as a spring that gives way to what its load is more than usual.
    ///
    /// `time` is how long the substeps of this tick have taken before, and `step` how long each takes, seconds.
    fn solve(
        &mut self,
        moving: &mut [Moving],
        shifts: &[Shift],
        spring: Softness,
        (time, step): (f64, f64),
    ) {
        let separation = self.separation(shifts, time);
        let contact = &self.contact;
        let (bias, spring) = if separation > 0.0 {
            // They may come together in this step, and no nearer.
            (separation / step, Softness::RIGID)
        } else {
            ((spring.push_rate * separation).max(-MAX_PUSH_SPEED), spring)
        };
        let speed = relative_velocity(moving, contact).dot(contact.normal);
        let wanted = self.normal_impulse
            - self.normal_mass * spring.mass_scale * (speed + bias)
            - spring.impulse_scale * (self.normal_impulse - self.load);
        let change = wanted.max(0.0) - self.normal_impulse;
        self.normal_impulse = wanted.max(0.0);
        let normal_impulse = self.normal_impulse;
        apply(moving, contact, contact.normal * change);

        let velocity = relative_velocity(moving, contact);
        let before = self.tangential();
        for i in 0..2 {
            let speed = velocity.dot(self.tangents[i]);
            self.tangent_impulses[i] -= self.tangent_masses[i] * speed;
        }
        let [x, y] = self.tangent_impulses;
        let (size, most) = ((x * x + y * y).sqrt(), contact.friction * normal_impulse);
        if size > most {
            self.tangent_impulses = [x, y].map(|impulse| impulse * (most / size));
        }
        let change = self.tangential() - before;
        apply(moving, &self.contact, change);
    }
}
