//! A group: the contacts of some islands, which are solved separately from other groups.

use glam::{DVec3, Vec4};

use super::assembly::{Assembly, Pass};
use super::body::{Free, GROUND, Inertia, VelocityChange};
use super::constraint::{Constraint, axes_of, nearest_kept, skip_to};
use super::joint::JointConstraint;
use super::lanes::LANES;
use super::order::ContactOrder;
use super::quad::{Quad, sum};
use super::rolling::Rolling;
use super::softness::Softness;
use super::stirred::Stirred;
use crate::bodies::contacts::BodyContact;
use crate::bodies::joints::ActiveJoint;
use crate::bodies::moving::Moving;
use crate::bodies::tuning::{
    EXTRA_CONTACTS, HERTZ_OF_SUBSTEP, IMPACT_ROUNDS, MAX_EXTRA_ROUNDS, MAX_PUSH_SPEED, MAX_RESIDUAL,
};
use crate::level::Stiffness;
use crate::world::KeptImpulse;

/// A step of the solver.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Step {
    /// The duration, seconds.
    pub secs: f64,
    pub substeps: u32,
    pub stiffness: Stiffness,
    /// Whether contacts may be impacts. If so, each island is a group of its own, because extra rounds and bounces
    /// depend on all contacts of a group.
    pub has_impacts: bool,
}

/// Bodies of some islands, and their contacts.
#[derive(Debug, Default)]
pub(super) struct SolverGroup {
    /// The indices of the contacts among all contacts, sorted.
    pub contacts: Vec<u32>,
    /// The indices of the joints among all joints.
    pub joint_numbers: Vec<u32>,
    pub assembly: Assembly,
    /// The index, among the bodies of the tick, of each body of the group except the [ground](GROUND).
    bodies: Vec<u32>,
    inertias: Vec<Inertia>,
    changes: Vec<VelocityChange>,
    free: Vec<Free>,
    order: ContactOrder,
    /// The contacts, in the order in which they are solved.
    quads: Vec<Quad>,
    /// The lane of each contact, counted over all quads, and its unit.
    places: Vec<(u32, f64)>,
    rolling: Vec<Rolling>,
    stirred: Stirred,
    /// The impulse of each contact at the end.
    pub kept: Vec<KeptImpulse>,
    /// The sum of the impulses of contacts and joints on each body of the group in the tick, N s. The ground is first.
    given: Vec<DVec3>,
    /// The restitution impulses of each quad.
    bounced: Vec<Vec4>,
    /// The velocity changes of the bodies before the bounce.
    without_bounce: Vec<VelocityChange>,
    /// Whether a contact of each body bounced.
    do_bounce: Vec<bool>,
    /// The greatest speed that a contact may give to a point of the bodies, m/s.
    fastest: f64,
}

/// The maximum speed that bodies may reach in a step, so that moving surfaces that squeeze them do not accelerate
/// them without limit. Infinite if no surface moves.
fn fastest_between_surfaces(
    moving: &[Moving],
    contacts: &[BodyContact],
    chosen: &[u32],
    secs: f64,
) -> f64 {
    let chosen = || chosen.iter().map(|index| &contacts[*index as usize]);
    let is_moving = |contact: &BodyContact| contact.surface_course != DVec3::ZERO;
    if !chosen().any(is_moving) {
        return f64::INFINITY;
    }
    let speed = |index: u32| {
        let body = &moving[index as usize];
        let fall = body.acceleration.length() * secs;
        body.velocity.length() + body.spin.length() * body.radius + fall
    };
    let bodies = chosen().flat_map(|contact| [Some(contact.a), contact.b]);
    let fastest_body = bodies.flatten().map(speed).fold(0.0, f64::max);
    let surfaces = chosen().map(|contact| {
        let course = contact.surface_course.length();
        course.max(contact.surface_velocity.length())
    });
    // A body that bounces perfectly gets twice the speed of the surface.
    fastest_body + 2.0 * surfaces.fold(MAX_PUSH_SPEED, f64::max)
}

/// The largest fraction, 0..1, of a bounce with which no energy is gained. At a fraction `part`, contacts add the
/// energy `work + linear * part + square * part^2`.
pub(super) fn largest_part(work: f64, linear: f64, square: f64) -> f32 {
    if work + linear + square <= 0.0 {
        return 1.0;
    }
    let (work, square) = (work.min(0.0), square.max(0.0));
    let root = (linear * linear - 4.0 * square * work).max(0.0).sqrt();
    let part = -2.0 * work / (linear + root);
    if part > 0.0 {
        part.min(1.0) as f32
    } else {
        0.0
    }
}

impl SolverGroup {
    pub(super) fn clear(&mut self) {
        self.contacts.clear();
        self.joint_numbers.clear();
        self.bodies.clear();
    }

    /// Adds a body that takes part in the tick. Returns its index in the group.
    pub(super) fn add_body(&mut self, index: u32) -> u32 {
        self.bodies.push(index);
        // The ground comes first.
        self.bodies.len() as u32
    }

    /// Solves the contacts over a step of `secs` seconds, starting with the impulses kept from the last tick.
    pub(super) fn solve(
        &mut self,
        moving: &[Moving],
        (contacts, joints, body_of): (&[BodyContact], &[ActiveJoint], &[u32]),
        (kept, unit): (&[KeptImpulse], f64),
        Step {
            secs,
            substeps,
            stiffness,
            has_impacts,
        }: Step,
    ) {
        let step = secs / f64::from(substeps);
        self.fastest = fastest_between_surfaces(moving, contacts, &self.contacts, secs);
        self.enter(moving, unit, (step, substeps));
        let hertz = HERTZ_OF_SUBSTEP * f64::from(stiffness.substeps());
        let springs = [hertz, 2.0 * hertz].map(|hertz| Softness::new(hertz, step));
        self.constrain((contacts, body_of), (kept, unit), &springs);
        self.hold(joints, body_of, unit);
        let Self {
            inertias,
            changes,
            free,
            quads,
            assembly,
            rolling,
            stirred,
            ..
        } = self;
        stirred.reset(inertias.len());
        assembly.begin(inertias, changes);
        let springs_of_joints = Pass {
            rate: step.recip(),
            spring: Some(&springs[1]),
        };
        let (short, rate) = (step as f32, step.recip() as f32);
        let mut extra_rounds = match has_impacts {
            // Between moving surfaces there may be no solution, and each round would increase the speeds.
            true if self.fastest == f64::INFINITY => {
                (EXTRA_CONTACTS / (quads.len() * LANES).max(1)).min(MAX_EXTRA_ROUNDS)
            }
            _ => 0,
        };
        for substep in 1..=substeps {
            for (free, change) in free.iter_mut().zip(&mut *changes) {
                free.begin(change);
            }
            for quad in &mut *quads {
                match substep {
                    1 => quad.warm_start(changes),
                    _ => quad.forget_impacts(changes),
                }
            }
            assembly.begin_substep(changes);
            assembly.solve(changes, &springs_of_joints);
            for quad in &mut *quads {
                let changed = quad.push_apart(changes, rate);
                stirred.note(quad, changed);
            }
            while stirred.begin_round() && extra_rounds > 0 {
                extra_rounds -= 1;
                let restless = (&springs_of_joints, MAX_RESIDUAL);
                for body in assembly.restless(changes, restless) {
                    stirred.note_body(body);
                }
                assembly.solve(changes, &springs_of_joints);
                for quad in &mut *quads {
                    if stirred.has_stirred(quad) {
                        let changed = quad.push_apart(changes, rate);
                        stirred.note(quad, changed);
                    }
                }
            }
            for change in &mut *changes {
                change.advance(short);
            }
            // Rolling resistance comes first, because it changes speeds at other contacts, which are solved next.
            for rolling in &*rolling {
                rolling.resist(quads, inertias, changes, free);
            }
            let time = step * f64::from(substep);
            assembly.end_substep(inertias, changes, [time, step]);
            let time = time as f32;
            for quad in &mut *quads {
                quad.relax(changes, time, rate);
            }
        }
        self.bounce(secs as f32, substeps as f32);
        self.keep(contacts, body_of, unit);
    }

    /// Applies restitution: contacts that closed in the step separate, all together, with the largest fraction of the
    /// bounce that adds no energy. The step is `secs` seconds long, with `substeps` substeps.
    fn bounce(&mut self, secs: f32, substeps: f32) {
        let Self {
            quads,
            changes,
            bounced,
            without_bounce,
            free,
            do_bounce,
            ..
        } = self;
        if !quads.iter().any(Quad::bounces) {
            return;
        }
        without_bounce.clone_from(changes);
        bounced.clear();
        bounced.resize(quads.len(), Vec4::ZERO);
        for _ in 0..IMPACT_ROUNDS {
            for (quad, bounced) in quads.iter_mut().zip(&mut *bounced) {
                if quad.bounces() {
                    quad.bounce(changes, bounced);
                }
            }
        }
        // The energy is a quadratic function of the fraction of the bounce that is applied.
        let [mut work, mut linear, mut square] = [0.0; 3];
        for (quad, bounced) in quads.iter().zip(&*bounced) {
            let [before, after] = [&*without_bounce, changes].map(|all| quad.speeds_now(all));
            work += quad.work(&before);
            linear += sum(*bounced * before[0]);
            square += 0.5 * sum(*bounced * (after[0] - before[0]));
        }
        do_bounce.clear();
        do_bounce.resize(changes.len(), false);
        for (quad, bounced) in quads.iter().zip(&*bounced) {
            quad.note_bounced(bounced, do_bounce);
        }
        // The work of gravity is computed at the mean of a body's velocities before and after the step. A body that
        // hits an obstacle early in the step, and stays there, falls less far than that mean; the difference would
        // count as a gain.
        let bodies = without_bounce.iter().zip(&*free).zip(&*do_bounce);
        for ((change, free), _) in bodies.filter(|(_, bounces)| **bounces) {
            let falls = free.gravity * substeps;
            work += f64::from(
                falls
                    .dot(change.velocity * 0.5 - change.shift / secs)
                    .max(0.0),
            );
        }
        let part = largest_part(work, linear, square);
        for (quad, bounced) in quads.iter_mut().zip(&*bounced) {
            quad.given[0] += *bounced * part;
        }
        for (change, without) in changes.iter_mut().zip(&*without_bounce) {
            change.velocity = without.velocity + (change.velocity - without.velocity) * part;
            change.spin = without.spin + (change.spin - without.spin) * part;
        }
    }

    /// Writes the solution to a body.
    pub(super) fn leave(&self, body: u32, moving: &mut Moving, secs: f64) {
        let body = body as usize;
        let fall = moving.acceleration * secs;
        moving.acceleration = DVec3::ZERO;
        let changed = fall + self.given[body] * moving.inverse_mass;
        self.changes[body].leave(&self.inertias[body], [fall, changed], moving, secs);
        for velocity in [&mut moving.velocity, &mut moving.course] {
            *velocity = velocity.clamp_length_max(self.fastest);
        }
        for spin in [&mut moving.spin, &mut moving.turn] {
            *spin = spin.clamp_length_max(self.fastest / moving.radius);
        }
    }

    /// Lists the bodies as they are when the tick begins.
    fn enter(&mut self, moving: &[Moving], unit: f64, (step, substeps): (f64, u32)) {
        self.inertias.clear();
        self.inertias.push(Inertia::GROUND);
        self.free.clear();
        self.free.push(Free::GROUND);
        for &index in &self.bodies {
            let moving = &moving[index as usize];
            let inertia = Inertia::of(moving, unit);
            let falls = moving.acceleration * step;
            let torque_spin = moving.unspread / f64::from(substeps);
            self.free.push(Free::of(&inertia, falls, torque_spin));
            self.inertias.push(inertia);
        }
        self.changes.clear();
        self.changes
            .resize(self.inertias.len(), VelocityChange::NONE);
    }

    /// Puts the contacts into quads, in the order in which they are solved.
    fn constrain(
        &mut self,
        (contacts, body_of): (&[BodyContact], &[u32]),
        (kept, unit): (&[KeptImpulse], f64),
        [of_bodies, of_surfaces]: &[Softness; 2],
    ) {
        let Self {
            contacts: chosen,
            inertias,
            order,
            quads,
            places,
            rolling,
            ..
        } = self;
        places.clear();
        places.resize(chosen.len(), (0, 0.0));
        let count = order.find(
            (contacts, chosen),
            body_of,
            inertias.len(),
            |contact, place| places[contact as usize].0 = place,
        );
        quads.clear();
        quads.resize(count, Quad::EMPTY);
        rolling.clear();
        // The kept impulses from the contact's key on. A single pass is enough, because both lists are sorted by key.
        let mut rest = kept;
        for (&contact, place) in chosen.iter().zip(places) {
            let contact = &contacts[contact as usize];
            rest = skip_to(rest, contact.key);
            let b = contact.b.map_or(GROUND, |b| body_of[b as usize]);
            let bodies = [body_of[contact.a as usize], b];
            let kept = nearest_kept(contact, rest);
            let constraint = Constraint::of(contact, bodies, inertias, unit, kept);
            let spring = if b == GROUND { of_surfaces } else { of_bodies };
            let index = place.0 as usize;
            constraint.put(&mut quads[index / LANES], index % LANES, spring);
            place.1 = constraint.unit();
            rolling.extend(Rolling::of(contact, bodies, place.0, place.1));
        }
    }

    /// Lists the joints as they are when the step begins.
    fn hold(&mut self, joints: &[ActiveJoint], body_of: &[u32], unit: f64) {
        let constraints = &mut self.assembly.joints;
        constraints.clear();
        constraints.extend(self.joint_numbers.iter().map(|number| {
            let joint = &joints[*number as usize];
            let bodies = joint.sides.map(|side| match side.index {
                Some(index) => body_of[index as usize],
                None => GROUND,
            });
            JointConstraint::of(joint, bodies, unit)
        }));
    }

    /// Lists the impulses that the next tick begins with, and accumulates the impulses on each body.
    fn keep(&mut self, contacts: &[BodyContact], body_of: &[u32], unit: f64) {
        let (quads, given) = (&self.quads, &mut self.given);
        given.clear();
        given.resize(self.inertias.len(), DVec3::ZERO);
        for joint in &self.assembly.joints {
            for (body, impulse) in joint.bodies.into_iter().zip(joint.given(unit)) {
                given[body as usize] += impulse;
            }
        }
        let all = self.contacts.iter().zip(&self.places);
        self.kept.clear();
        self.kept.extend(all.map(|(&contact, &(place, measure))| {
            let contact = &contacts[contact as usize];
            let (quad, lane) = (&quads[place as usize / LANES], place as usize % LANES);
            let axes = axes_of(contact);
            let [x, y] = quad.tangent_impulse.map(|lanes| f64::from(lanes[lane]));
            let measure = measure * unit * unit;
            let along = quad.given.map(|lanes| f64::from(lanes[lane]) * measure);
            let impulse = axes * DVec3::from(along);
            given[body_of[contact.a as usize] as usize] += impulse;
            if let Some(b) = contact.b {
                given[body_of[b as usize] as usize] -= match contact.a_from_b.is_identity() {
                    true => impulse,
                    false => contact.a_from_b.inverse().vector(impulse),
                };
            }
            KeptImpulse {
                key: contact.key,
                arm: contact.arm_a,
                normal: f64::from(quad.normal_impulse[lane]) * measure,
                tangent: (axes.y_axis * x + axes.z_axis * y) * measure,
                total: along[0],
            }
        }));
    }
}
