//! Resting contacts, solved together: sequential impulses with a warm start, in substeps.
//!
//! Each substep adds gravity, begins with the impulses of the last one, solves every contact once as a stiff,
//! damped spring, moves, and solves once more without the spring, so that pushing overlaps apart leaves no
//! velocity ("Solver2D", E. Catto, 2024: soft step; E. Catto, "Soft Constraints", GDC 2011). Friction is a cone. Four
//! contacts that have no body in common are solved at once.

mod body;
mod constraint;
mod lanes;
mod order;
mod quad;
mod rolling;
mod softness;

use glam::DVec3;

use super::contacts::Contact;
use super::moving::Moving;
use super::tuning::{CONTACT_HERTZ, SUBSTEPS};
use crate::world::KeptImpulse;

use body::{Change, Free, GROUND, Inertia, unit_of};
use constraint::{Constraint, axes_of, nearest_kept};
use lanes::LANES;
use order::Order;
use quad::Quad;
use rolling::Rolling;
use softness::Softness;

/// What the solver works on, rebuilt in each tick.
#[derive(Debug, Default)]
pub(super) struct SolverWorkspace {
    /// Per moving body its index among those that touch something, or that of the [ground](GROUND).
    body_of: Vec<u32>,
    inertias: Vec<Inertia>,
    changes: Vec<Change>,
    free: Vec<Free>,
    order: Order,
    /// In the order in which they are solved.
    quads: Vec<Quad>,
    /// Per contact its lane among those of all quads, and what it is measured in.
    places: Vec<(u32, f64)>,
    rolling: Vec<Rolling>,
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
    let step = secs / f64::from(SUBSTEPS);
    let unit = enter(moving, contacts, workspace, step);
    constrain(contacts, (kept, unit), workspace, step);
    let SolverWorkspace {
        body_of,
        inertias,
        changes,
        free,
        quads,
        places,
        rolling,
        ..
    } = workspace;
    let (short, rate) = (step as f32, step.recip() as f32);
    for substep in 1..=SUBSTEPS {
        for (free, change) in free.iter_mut().zip(&mut *changes) {
            free.begin(change);
        }
        if substep == 1 {
            for quad in &*quads {
                quad.warm_start(changes);
            }
        }
        for quad in &mut *quads {
            quad.push_apart(changes, rate);
        }
        for change in &mut *changes {
            change.advance(short);
        }
        // First, for what this changes at other contacts is solved then.
        for rolling in &*rolling {
            rolling.resist(quads, inertias, changes, free);
        }
        let time = (step * f64::from(substep)) as f32;
        for quad in &mut *quads {
            quad.relax(changes, time, rate);
        }
    }
    for (moving, &index) in moving.iter_mut().zip(&*body_of) {
        if index != GROUND {
            let index = index as usize;
            let given = moving.acceleration * secs;
            moving.acceleration = DVec3::ZERO;
            changes[index].leave(&inertias[index], given, moving, secs);
        }
    }
    kept.clear();
    kept.extend(contacts.iter().zip(&*places).map(|(contact, place)| {
        let &(place, measure) = place;
        let (quad, lane) = (&quads[place as usize / LANES], place as usize % LANES);
        let axes = axes_of(contact);
        let [x, y] = quad.tangent_impulse.map(|lanes| f64::from(lanes[lane]));
        let measure = measure * unit * unit;
        KeptImpulse {
            key: contact.key,
            arm: contact.arm_a,
            normal: f64::from(quad.normal_impulse[lane]) * measure,
            tangent: (axes.y_axis * x + axes.z_axis * y) * measure,
        }
    }));
    debug_assert!(
        kept.is_sorted_by_key(|kept| kept.key),
        "contacts come in this order"
    );
}

/// Lists the bodies that touch something: of thousands few do. Returns the [unit](unit_of) of their masses.
fn enter(
    moving: &mut [Moving],
    contacts: &[Contact],
    workspace: &mut SolverWorkspace,
    step: f64,
) -> f64 {
    let SolverWorkspace {
        body_of,
        inertias,
        changes,
        free,
        ..
    } = workspace;
    let both = |contact: &Contact| [Some(contact.a), contact.b].into_iter().flatten();
    let masses = contacts.iter().flat_map(both);
    let least = masses.fold(f64::INFINITY, |least, index| {
        least.min(moving[index as usize].inverse_mass)
    });
    let unit = unit_of(least.sqrt());
    inertias.clear();
    inertias.push(Inertia::GROUND);
    free.clear();
    free.push(Free::GROUND);
    body_of.clear();
    body_of.resize(moving.len(), GROUND);
    for contact in contacts {
        for index in both(contact) {
            let (moving, body) = (&mut moving[index as usize], &mut body_of[index as usize]);
            moving.has_met_body |= contact.b.is_some();
            if *body == GROUND {
                *body = inertias.len() as u32;
                let inertia = Inertia::of(moving, unit);
                free.push(Free::of(&inertia, moving.acceleration * step));
                inertias.push(inertia);
                moving.is_solved = true;
            }
        }
    }
    changes.clear();
    changes.resize(inertias.len(), Change::NONE);
    unit
}

/// Puts the contacts into quads, in the order in which they are solved.
fn constrain(
    contacts: &[Contact],
    (kept, unit): (&[KeptImpulse], f64),
    workspace: &mut SolverWorkspace,
    step: f64,
) {
    let SolverWorkspace {
        body_of,
        inertias,
        order,
        quads,
        places,
        rolling,
        ..
    } = workspace;
    places.clear();
    places.resize(contacts.len(), (0, 0.0));
    let (mut next, mut level) = (0, 0);
    order.find(contacts, body_of, inertias.len(), |contact, its_level| {
        if its_level != level {
            // The lanes that a level leaves are left empty.
            next = (next as usize).next_multiple_of(LANES) as u32;
            level = its_level;
        }
        places[contact as usize].0 = next;
        next += 1;
    });
    quads.clear();
    quads.resize((next as usize).div_ceil(LANES), Quad::EMPTY);
    rolling.clear();
    let of_bodies = Softness::new(CONTACT_HERTZ, step);
    let of_surfaces = Softness::new(2.0 * CONTACT_HERTZ, step);
    // Those of a key among the kept ones: both lists are in the order of keys.
    let mut rest = kept;
    for (contact, place) in contacts.iter().zip(places) {
        let before = rest.iter().take_while(|kept| kept.key < contact.key);
        rest = &rest[before.count()..];
        let b = contact.b.map_or(GROUND, |b| body_of[b as usize]);
        let bodies = [body_of[contact.a as usize], b];
        let constraint =
            Constraint::of(contact, bodies, inertias, unit, nearest_kept(contact, rest));
        let spring = if b == GROUND {
            &of_surfaces
        } else {
            &of_bodies
        };
        let index = place.0 as usize;
        constraint.put(&mut quads[index / LANES], index % LANES, spring);
        place.1 = constraint.unit();
        rolling.extend(Rolling::of(contact, bodies, place.0, place.1));
    }
}
