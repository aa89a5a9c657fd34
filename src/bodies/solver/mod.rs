//! Resting contacts, solved together: sequential impulses with a warm start, in substeps.
//!
//! Each substep adds gravity, begins with the impulses of the last one, solves every contact once as a stiff,
//! damped spring, moves, and solves once more without the spring, so that pushing overlaps apart leaves no
//! velocity ("Solver2D", E. Catto, 2024: soft step; E. Catto, "Soft Constraints", GDC 2011). Friction is a cone.

mod body;
mod constraint;
mod softness;

use super::contacts::Contact;
use super::moving::Moving;
use super::tuning::{CONTACT_HERTZ, SUBSTEPS};
use crate::world::KeptImpulse;

use body::{Body, GROUND};
use constraint::Constraint;
use softness::Softness;

/// What the solver works on, rebuilt in each tick.
#[derive(Debug, Default)]
pub(super) struct SolverWorkspace {
    /// The [ground](GROUND), and then the bodies that touch something.
    bodies: Vec<Body>,
    /// Per moving body its index in `bodies`, or that of the ground.
    body_of: Vec<u32>,
    /// In the order in which they are solved.
    constraints: Vec<Constraint>,
}

/// Solves the contacts over a tick of `secs` seconds: gives the bodies that they are of their velocities, and
/// the course on which they go.
pub(super) fn solve(
    moving: &mut [Moving],
    contacts: &[Contact],
    kept: &mut Vec<KeptImpulse>,
    workspace: &mut SolverWorkspace,
    secs: f64,
) {
    enter(moving, contacts, workspace);
    constrain(contacts, kept, workspace);
    let SolverWorkspace {
        bodies,
        body_of,
        constraints,
    } = workspace;
    let step = secs / f64::from(SUBSTEPS);
    let of_bodies = Softness::new(CONTACT_HERTZ, step);
    let of_surfaces = Softness::new(2.0 * CONTACT_HERTZ, step);
    for substep in 0..SUBSTEPS {
        let time = step * f64::from(substep);
        for body in &mut *bodies {
            body.velocity += body.acceleration * step;
        }
        for constraint in &*constraints {
            constraint.warm_start(bodies);
        }
        for constraint in &mut *constraints {
            let spring = match constraint.is_of_surface() {
                true => of_surfaces,
                false => of_bodies,
            };
            constraint.solve(bodies, spring, (time, step));
        }
        for body in &mut *bodies {
            body.shift += body.velocity * step;
            body.turn += body.spin * step;
        }
        // First, for what this changes at other contacts is solved then.
        for constraint in &*constraints {
            constraint.resist_rolling(bodies);
        }
        for constraint in &mut *constraints {
            constraint.solve(bodies, Softness::RIGID, (time + step, step));
        }
    }
    for (moving, &index) in moving.iter_mut().zip(&*body_of) {
        if index != GROUND {
            bodies[index as usize].leave(moving, secs);
        }
    }
    constraints.sort_unstable_by_key(Constraint::contact);
    kept.clear();
    kept.extend(
        constraints
            .iter()
            .zip(contacts)
            .map(|(constraint, contact)| constraint.kept(contact)),
    );
    debug_assert!(
        kept.is_sorted_by_key(|kept| kept.key),
        "contacts come in this order"
    );
}

/// Lists the bodies that touch something: of thousands few do.
fn enter(moving: &mut [Moving], contacts: &[Contact], workspace: &mut SolverWorkspace) {
    let SolverWorkspace {
        bodies, body_of, ..
    } = workspace;
    bodies.clear();
    bodies.push(Body::ground());
    body_of.clear();
    body_of.resize(moving.len(), GROUND);
    for contact in contacts {
        for index in [Some(contact.a), contact.b].into_iter().flatten() {
            let (moving, body) = (&mut moving[index as usize], &mut body_of[index as usize]);
            moving.has_met_body |= contact.b.is_some();
            if *body == GROUND {
                *body = bodies.len() as u32;
                bodies.push(Body::of(moving));
                moving.is_solved = true;
                moving.acceleration = glam::DVec3::ZERO;
            }
        }
    }
}

/// Makes the constraints, in the order in which they are solved: the first point of all that touch, then the second
/// of all, and so on. Solved face by face, what the last point of each leaves adds up, and high stacks rock and
/// creep.
fn constrain(contacts: &[Contact], kept: &[KeptImpulse], workspace: &mut SolverWorkspace) {
    let SolverWorkspace {
        bodies,
        body_of,
        constraints,
    } = workspace;
    constraints.clear();
    let (mut rank, mut last) = (0, None);
    for (index, contact) in (0..).zip(contacts) {
        rank = if last == Some(contact.key) {
            rank + 1
        } else {
            0
        };
        last = Some(contact.key);
        constraints.push(Constraint::of(
            contact,
            (rank, index),
            bodies,
            body_of,
            kept,
        ));
    }
    constraints.sort_unstable_by_key(Constraint::order);
}
