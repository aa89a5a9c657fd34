//! A direct solver for islands of few contacts, in double precision. Sequential impulses would need a number of
//! rounds proportional to the mass ratio if a light body is between heavy ones.

use glam::DVec3;

use super::complementarity::Complementarity;
use super::group::{Step, largest_part};
use crate::bodies::contacts::BodyContact;
use crate::bodies::impacts::response::{apply, effective_mass, relative_velocity};
use crate::bodies::moving::Moving;
use crate::bodies::tuning::MAX_PUSH_SPEED;
use crate::world::KeptImpulse;

/// The number of rounds, in each of which all normal impulses are solved at once.
const ROUNDS: u32 = 4;
/// The number of rounds of friction after each normal solution except the last.
const FRICTION_ROUNDS: u32 = 8;

/// The maximum speed in the island, in units of its fastest initial speed. A light body between two heavy ones gets
/// the sum of their speeds, and a rotating body slightly more.
const MAX_GAIN: f64 = 4.0;

/// The maximum impulse, as a multiple of the impulse that stops the whole island at its maximum speed. If surfaces
/// squeeze a body, there is no solution, and impulses would grow without this limit.
const MAX_ECHOES: f64 = 100.0;

/// The fraction of an overlap that is resolved per second, 1/s.
const PUSH_RATE: f64 = 30.0;

/// The buffers of direct solutions.
#[derive(Debug, Default)]
pub(in crate::bodies) struct Direct {
    /// The bodies of the island.
    bodies: Vec<Moving>,
    /// The index of each body among those of the tick.
    indices: Vec<u32>,
    /// The contacts of the island.
    contacts: Vec<BodyContact>,
    /// The change of speed at one contact by an impulse of 1 N s at another, m/s, for each pair of contacts.
    matrix: Vec<f64>,
    still: Vec<BodyContact>,
    complementarity: Complementarity,
    constants: Vec<f64>,
    /// The minimum final speed of each contact along its normal, m/s.
    least: Vec<f64>,
    /// The normal impulse of each contact, N s.
    normal: Vec<f64>,
    tangent: Vec<DVec3>,
    wanted: Vec<f64>,
    earlier: Vec<f64>,
    /// The relative velocity of each contact before the step, m/s.
    before: Vec<DVec3>,
    /// The relative velocity of each contact before it bounces, m/s.
    without_bounce: Vec<DVec3>,
    /// The velocities of each body at the beginning of the step.
    starts: Vec<[DVec3; 2]>,
    /// The velocities with which each body moves in the step.
    courses: Vec<[DVec3; 2]>,
}

impl Direct {
    /// Solves the contacts of an island over a step: gives its bodies their velocities and courses, and lists the
    /// impulses of the contacts. `start_of` has the bodies as they are at the beginning of the step. Returns whether
    /// there is a solution: there is none if surfaces squeeze a body.
    pub(in crate::bodies) fn solve(
        &mut self,
        (moving, start_of): (&mut [Moving], &dyn Fn(u32) -> Moving),
        contacts: &[BodyContact],
        kept: &mut Vec<KeptImpulse>,
        Step { secs, substeps, .. }: Step,
    ) -> bool {
        self.enter(start_of, contacts);
        let fastest = self.fastest(secs);
        self.find_matrix();
        self.fall(secs);
        self.pass(|contact| match contact.separation > 0.0 {
            true => -contact.separation / secs,
            false => (-contact.separation * PUSH_RATE).min(MAX_PUSH_SPEED),
        });
        self.courses.clear();
        let velocities = self.bodies.iter().map(|body| [body.velocity, body.spin]);
        self.courses.extend(velocities);
        if contacts.iter().any(|contact| contact.separation < 0.0) {
            // Resolving overlaps must leave no velocity.
            for (body, start) in self.bodies.iter_mut().zip(&self.starts) {
                [body.velocity, body.spin] = *start;
            }
            self.fall(secs);
            self.pass(|contact| -contact.separation.max(0.0) / secs);
        }
        self.bounce();
        let velocities = self.bodies.iter().map(|body| [body.velocity, body.spin]);
        let all = velocities.chain(self.courses.iter().copied());
        let radii = self.bodies.iter().map(|body| body.radius);
        let is_bounded = all
            .zip(radii.clone().chain(radii))
            .all(|([velocity, spin], radius)| {
                velocity.length().max(spin.length() * radius) <= fastest
            });
        let mass = self.bodies.iter().map(|body| body.inverse_mass.recip());
        let most = MAX_ECHOES * mass.sum::<f64>() * fastest;
        let is_bounded = is_bounded && self.normal.iter().all(|normal| *normal <= most);
        if is_bounded {
            self.leave(moving, contacts, (kept, substeps));
        }
        is_bounded
    }

    /// The maximum speed that a contact may give to a point, m/s.
    fn fastest(&self, secs: f64) -> f64 {
        let of_bodies = self.bodies.iter().map(|body| {
            let fall = body.acceleration.length() * secs;
            body.velocity.length() + body.spin.length() * body.radius + fall
        });
        let of_surfaces = self.contacts.iter().map(|contact| {
            let course = contact.surface_course.length();
            course.max(contact.surface_velocity.length())
        });
        MAX_GAIN * of_bodies.chain(of_surfaces).fold(MAX_PUSH_SPEED, f64::max)
    }

    /// Lists the bodies and the contacts.
    fn enter(&mut self, start_of: &dyn Fn(u32) -> Moving, contacts: &[BodyContact]) {
        let Self {
            bodies,
            indices,
            contacts: own,
            before,
            starts,
            ..
        } = self;
        indices.clear();
        let sides = contacts
            .iter()
            .flat_map(|contact| [Some(contact.a), contact.b]);
        indices.extend(sides.flatten());
        indices.sort_unstable();
        indices.dedup();
        let own_index = |index: u32| indices.partition_point(|known| *known < index) as u32;
        own.clear();
        own.extend(contacts.iter().map(|contact| BodyContact {
            a: own_index(contact.a),
            b: contact.b.map(own_index),
            ..*contact
        }));
        bodies.clear();
        bodies.extend(indices.iter().map(|index| start_of(*index)));
        before.clear();
        before.extend(own.iter().map(|contact| relative_velocity(bodies, contact)));
        starts.clear();
        starts.extend(bodies.iter().map(|body| [body.velocity, body.spin]));
    }

    fn find_matrix(&mut self) {
        let Self {
            bodies,
            contacts,
            matrix,
            still,
            starts,
            ..
        } = self;
        still.clear();
        still.extend(contacts.iter().map(|contact| BodyContact {
            surface_velocity: DVec3::ZERO,
            ..*contact
        }));
        matrix.clear();
        for pushed in &*still {
            for body in &mut *bodies {
                (body.velocity, body.spin) = (DVec3::ZERO, DVec3::ZERO);
            }
            apply(bodies, pushed, pushed.normal);
            let speeds = still.iter().map(|contact| {
                let velocity = relative_velocity(bodies, contact);
                velocity.dot(contact.normal)
            });
            matrix.extend(speeds);
        }
        for (body, start) in bodies.iter_mut().zip(starts) {
            [body.velocity, body.spin] = *start;
        }
    }

    /// Adds the velocity that gravity gives the bodies in the step.
    fn fall(&mut self, secs: f64) {
        for body in &mut self.bodies {
            body.velocity += body.acceleration * secs;
        }
    }

    /// Finds impulses after which the separation speed of each contact is at least the result of `least_of`.
    fn pass(&mut self, least_of: impl Fn(&BodyContact) -> f64) {
        let count = self.contacts.len();
        self.least.clear();
        self.least.extend(self.contacts.iter().map(least_of));
        self.normal.clear();
        self.normal.resize(count, 0.0);
        self.tangent.clear();
        self.tangent.resize(count, DVec3::ZERO);
        for round in 1..=ROUNDS {
            self.solve_normal();
            let has_friction = self.contacts.iter().any(|contact| contact.friction > 0.0);
            if !has_friction || round == ROUNDS {
                break;
            }
            for _ in 0..FRICTION_ROUNDS {
                self.rub();
            }
        }
    }

    /// Finds all normal impulses for the current friction.
    fn solve_normal(&mut self) {
        let Self {
            bodies,
            contacts,
            matrix,
            complementarity,
            constants,
            least,
            normal,
            wanted,
            ..
        } = self;
        let count = contacts.len();
        constants.clear();
        for (index, (contact, least)) in contacts.iter().zip(least).enumerate() {
            let speed = relative_velocity(bodies, contact).dot(contact.normal);
            let row = &matrix[index * count..(index + 1) * count];
            let given = row.iter().zip(&*normal).map(|(a, x)| a * x);
            constants.push(speed - given.sum::<f64>() - *least);
        }
        wanted.clear();
        wanted.resize(count, 0.0);
        complementarity.solve(matrix, constants, wanted);
        for (contact, (normal, wanted)) in contacts.iter().zip(normal.iter_mut().zip(wanted)) {
            apply(bodies, contact, contact.normal * (*wanted - *normal));
            *normal = *wanted;
        }
    }

    /// Runs one round of friction, contact after contact.
    fn rub(&mut self) {
        let of_contacts = self.normal.iter().zip(&mut self.tangent);
        for (contact, (normal, tangent)) in self.contacts.iter().zip(of_contacts) {
            let velocity = relative_velocity(&self.bodies, contact);
            let slip = velocity - contact.normal * velocity.dot(contact.normal);
            let speed = slip.length();
            if contact.friction == 0.0 || (speed == 0.0 && *tangent == DVec3::ZERO) {
                continue;
            }
            let direction = slip.normalize_or_zero();
            let stop = match speed > 0.0 {
                true => direction * (-speed * effective_mass(&self.bodies, contact, direction)),
                false => DVec3::ZERO,
            };
            let after = (*tangent + stop).clamp_length_max(contact.friction * *normal);
            apply(&mut self.bodies, contact, after - *tangent);
            *tangent = after;
        }
    }

    /// Applies restitution to contacts that closed, as far as no energy is gained.
    fn bounce(&mut self) {
        if !self.contacts.iter().any(|contact| contact.parting > 0.0) {
            return;
        }
        let Self {
            bodies,
            contacts,
            least,
            normal,
            tangent,
            before,
            without_bounce,
            earlier,
            ..
        } = self;
        without_bounce.clear();
        without_bounce.extend(
            contacts
                .iter()
                .map(|contact| relative_velocity(bodies, contact)),
        );
        let mut work = 0.0;
        for (index, contact) in contacts.iter().enumerate() {
            let impulse = contact.normal * normal[index] + tangent[index];
            work += 0.5 * impulse.dot(before[index] + without_bounce[index]);
            if normal[index] > 0.0 && contact.parting > 0.0 {
                least[index] = contact.parting;
            }
        }
        earlier.clone_from(normal);
        self.solve_normal();
        let Self {
            bodies,
            contacts,
            normal,
            without_bounce,
            earlier,
            ..
        } = self;
        let (mut linear, mut square) = (0.0, 0.0);
        for (index, contact) in contacts.iter().enumerate() {
            let given = normal[index] - earlier[index];
            let [before, after] = [without_bounce[index], relative_velocity(bodies, contact)];
            linear += given * before.dot(contact.normal);
            square += 0.5 * given * (after - before).dot(contact.normal);
        }
        let less = f64::from(largest_part(work, linear, square)) - 1.0;
        for (contact, (normal, earlier)) in contacts.iter().zip(normal.iter_mut().zip(&*earlier)) {
            let change = less * (*normal - earlier);
            apply(bodies, contact, contact.normal * change);
            *normal += change;
        }
    }

    /// Writes the velocities of the solution to the bodies.
    fn leave(
        &self,
        moving: &mut [Moving],
        contacts: &[BodyContact],
        (kept, substeps): (&mut Vec<KeptImpulse>, u32),
    ) {
        // A kept impulse is that of a substep.
        let part = f64::from(substeps).recip();
        let impulses = self.normal.iter().zip(&self.tangent);
        kept.clear();
        kept.extend(
            contacts
                .iter()
                .zip(impulses)
                .map(|(contact, (normal, tangent))| KeptImpulse {
                    key: contact.key,
                    arm: contact.arm_a,
                    normal: normal * part,
                    tangent: *tangent * part,
                    total: *normal,
                }),
        );
        let of_bodies = self.bodies.iter().zip(&self.courses);
        for (&index, (body, &[course, turn])) in self.indices.iter().zip(of_bodies) {
            let moving = &mut moving[index as usize];
            *moving = Moving {
                course,
                turn,
                acceleration: DVec3::ZERO,
                is_solved: true,
                ..*body
            };
        }
    }
}
