//! The solver for resting contacts: sequential impulses with a warm start, in substeps.
//!
//! Each substep adds gravity, begins with the impulses of the last one, solves every contact once as a stiff, damped
//! spring, moves the bodies, and solves once more without the spring, so that resolving overlaps leaves no velocity
//! ("Solver2D", E. Catto, 2024: soft step; E. Catto, "Soft Constraints", GDC 2011). Friction is a cone. Four contacts
//! that have no body in common are solved at once, and [groups](Group) of islands run in parallel on all cores.

mod assembly;
mod body;
mod complementarity;
mod constraint;
mod direct;
mod group;
mod joint;
mod lanes;
mod order;
mod quad;
mod rolling;
mod softness;
mod stirred;

use crate::bodies::contacts::BodyContact;
use crate::bodies::islands::Islands;
use crate::bodies::joints::ActiveJoint;
use crate::bodies::moving::Moving;
use crate::bodies::shares::{shares_of, side_by_side};
use crate::bodies::tuning::CONTACT_DISTANCE;
use crate::world::{JointImpulse, KeptImpulse};

pub(super) use direct::Direct;

use body::{GROUND, unit_of};
use group::SolverGroup;
pub(super) use group::Step;

/// The working state of the solver, rebuilt in each tick.
#[derive(Debug, Default)]
pub(super) struct SolverWorkspace {
    groups: Vec<SolverGroup>,
    /// The index of each body of the tick among the bodies of its group; that of the [ground](GROUND) for static
    /// bodies.
    body_of: Vec<u32>,
    /// At first, the number of contacts of each island, stored at its lowest body; later, the group of each body with
    /// contacts.
    group_of: Vec<u32>,
    /// The number of impulses of each group that are listed.
    listed: Vec<usize>,
}

/// A selection of the contacts.
#[derive(Clone, Copy)]
pub(super) struct ContactSubset<'c> {
    pub all: &'c [BodyContact],
    /// The indices of the chosen contacts among all, in the order in which they are solved and listed.
    pub numbers: &'c [u32],
}

impl<'c> ContactSubset<'c> {
    pub(super) fn iter(self) -> impl Iterator<Item = &'c BodyContact> + Clone {
        self.numbers
            .iter()
            .map(move |number| &self.all[*number as usize])
    }
}

/// Solves contacts over a step: sets the velocities and the courses of the bodies in contact.
/// Reads the impulses of the last tick, and lists the new impulses in the order of contacts. Joints start with their
/// own impulses; `joint_impulses` lists their final ones.
pub(super) fn solve(
    moving: &mut [Moving],
    (contacts, islands): (ContactSubset, &mut Islands),
    (before, kept): (&[KeptImpulse], &mut Vec<KeptImpulse>),
    (joints, joint_impulses): (&[ActiveJoint], &mut Vec<JointImpulse>),
    workspace: &mut SolverWorkspace,
    step: Step,
) {
    let SolverWorkspace {
        groups,
        body_of,
        group_of,
        listed,
    } = workspace;
    let shares = shares_of(contacts.numbers.len() + joints.len(), groups).len();
    let wanted = match step.has_impacts {
        true => islands.count(bodies_of(contacts, joints)),
        false => shares,
    };
    if groups.len() < wanted {
        groups.resize_with(wanted, SolverGroup::default);
    }
    let groups = &mut groups[..wanted];
    divide(
        moving,
        (contacts, joints, islands),
        groups,
        (body_of, group_of),
        step,
    );
    let unit = unit_of(least_root(moving, contacts, joints));
    let others = &*moving;
    let solve = |group: &mut SolverGroup| {
        group.solve(
            others,
            (contacts.all, joints, body_of),
            (before, unit),
            step,
        );
    };
    match shares {
        1 => groups.iter_mut().for_each(solve),
        _ => side_by_side(0..groups.len(), groups, &|_, group| solve(group)),
    }
    let places = body_of.iter().zip(&*group_of);
    for (moving, (&body, &group)) in moving.iter_mut().zip(places) {
        if body != GROUND {
            groups[group as usize].leave(body, moving, step.secs);
        }
    }
    listed.clear();
    listed.resize(groups.len(), 0);
    kept.clear();
    kept.extend(contacts.iter().map(|contact| {
        let group = group_of[contact.a as usize] as usize;
        listed[group] += 1;
        groups[group].kept[listed[group] - 1]
    }));
    joint_impulses.clear();
    joint_impulses.extend(joints.iter().map(|joint| joint.before));
    for group in groups {
        for (number, joint) in group.joint_numbers.iter().zip(&group.assembly.joints) {
            joint_impulses[*number as usize] = joint.last_impulse(unit);
        }
    }
    debug_assert!(
        kept.is_sorted_by_key(|kept| kept.key),
        "contacts come in this order"
    );
}

fn both(contact: &BodyContact) -> impl Iterator<Item = u32> {
    [Some(contact.a), contact.b].into_iter().flatten()
}

/// Iterates over one body of each contact and of each joint.
fn bodies_of<'c>(
    contacts: ContactSubset<'c>,
    joints: &'c [ActiveJoint],
) -> impl Iterator<Item = u32> + 'c {
    let contacts = contacts.iter().map(|contact| contact.a);
    contacts.chain(joints.iter().map(ActiveJoint::any_body))
}

/// The least root of the inverse mass of all bodies with contacts or joints.
fn least_root(moving: &[Moving], contacts: ContactSubset, joints: &[ActiveJoint]) -> f64 {
    let touching = contacts.iter().flat_map(both);
    let touching = touching.chain(joints.iter().flat_map(ActiveJoint::bodies));
    let inverse_masses = touching.map(|index| moving[index as usize].inverse_mass);
    inverse_masses.fold(f64::INFINITY, f64::min).sqrt()
}

/// Divides the bodies that have contacts or joints into groups, with their contacts and joints. An island stays in
/// one group, and groups have about equally many contacts.
fn divide(
    moving: &mut [Moving],
    (contacts, joints, islands): (ContactSubset, &[ActiveJoint], &mut Islands),
    groups: &mut [SolverGroup],
    (body_of, group_of): (&mut Vec<u32>, &mut Vec<u32>),
    step: Step,
) {
    for group in &mut *groups {
        group.clear();
    }
    group_of.clear();
    group_of.resize(moving.len(), 0);
    if step.has_impacts {
        let mut next = 0;
        // The number of the island's group plus one; zero for an island without a group.
        for body in bodies_of(contacts, joints) {
            let of_island = &mut group_of[islands.root_of(body) as usize];
            if *of_island == 0 {
                next += 1;
                *of_island = next;
            }
        }
        for of_island in &mut *group_of {
            *of_island = of_island.saturating_sub(1);
        }
    } else if groups.len() > 1 {
        for contact in contacts.iter() {
            group_of[islands.root_of(contact.a) as usize] += 1;
        }
        let mut before = 0;
        for of_island in &mut *group_of {
            let count = *of_island as usize;
            *of_island = (before * groups.len() / contacts.numbers.len()) as u32;
            before += count;
        }
    }
    body_of.clear();
    body_of.resize(moving.len(), GROUND);
    for (&number, contact) in contacts.numbers.iter().zip(contacts.iter()) {
        let group = group_of[islands.root_of(contact.a) as usize];
        for index in both(contact) {
            let (moving, body) = (&mut moving[index as usize], &mut body_of[index as usize]);
            moving.has_met_body |=
                contact.key.has_other_participant() && contact.separation <= CONTACT_DISTANCE;
            if *body == GROUND {
                *body = groups[group as usize].add_body(index);
                group_of[index as usize] = group;
                moving.is_solved = true;
            }
        }
        groups[group as usize].contacts.push(number);
    }
    for (number, joint) in (0..).zip(joints) {
        let group = group_of[islands.root_of(joint.any_body()) as usize];
        for index in joint.bodies() {
            let body = &mut body_of[index as usize];
            if *body == GROUND {
                *body = groups[group as usize].add_body(index);
                group_of[index as usize] = group;
                moving[index as usize].is_solved = true;
            }
        }
        groups[group as usize].joint_numbers.push(number);
    }
}
