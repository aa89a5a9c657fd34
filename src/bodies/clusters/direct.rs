//! Direct solutions of small islands in which a contact was not resolved.

use glam::DVec3;

use super::members::Members;
use super::predicted::is_missed;
use crate::bodies::contacts::BodyContact;
use crate::bodies::moving::Moving;
use crate::bodies::solver::{ContactSubset, Step};
use crate::bodies::tuning::{MAX_DIRECT, MAX_DIRECT_ALIKE};
use crate::bodies::workspace::BodyWorkspace;
use crate::world::KeptImpulse;

/// The mass ratio up to which sequential impulses converge in a few steps.
const LIKE_MASSES: f64 = 4.0;

/// Solves an island directly if one of its contacts was not resolved. The island must have very few contacts; a few
/// more are allowed if masses differ much (a light body between heavy bodies) or a moving surface pushes a body.
/// Larger islands of similar masses are left to the next substeps.
pub(in crate::bodies) fn solve_directly(workspace: &mut BodyWorkspace, step: Step) {
    let BodyWorkspace {
        moving,
        islands,
        members,
        direct,
        joints,
        ..
    } = workspace;
    let Members {
        starts,
        place_of,
        kept,
        contacts,
        numbers,
        solved,
        hard,
        by_island,
        alone,
        ..
    } = members;
    let open = ContactSubset {
        all: contacts,
        numbers,
    };
    hard.clear();
    let missed = open
        .iter()
        .filter(|contact| is_missed(moving, contact, step.secs));
    hard.extend(missed.map(|contact| islands.root_of(contact.a)));
    hard.sort_unstable();
    hard.dedup();
    // The contacts of these islands, island by island, in the order of the list of open contacts.
    by_island.clear();
    for (place, contact) in (0..).zip(open.iter()) {
        let root = islands.root_of(contact.a);
        if hard.binary_search(&root).is_ok() {
            by_island.push([root, place]);
        }
    }
    by_island.sort_unstable();
    for of_island in by_island.chunk_by(|p, q| p[0] == q[0]) {
        let places = || of_island.iter().map(|[_, place]| *place as usize);
        alone.clear();
        alone.extend(places().map(|place| contacts[numbers[place] as usize]));
        let start_of = |index: u32| starts[place_of[index as usize] as usize];
        let mut jointed = joints
            .open
            .iter()
            .map(|joint| islands.root_of(joint.any_body()));
        let is_solved = alone.len() <= MAX_DIRECT
            && !jointed.any(|root| root == of_island[0][0])
            && (alone.len() <= MAX_DIRECT_ALIKE || have_unlike_masses(moving, alone))
            && direct.solve((moving, &start_of), alone, solved, step);
        for (at, place) in places().enumerate() {
            // Impulses of contacts that were not resolved must not warm start the next tick.
            kept[numbers[place] as usize] = match is_solved {
                true => solved[at],
                false => KeptImpulse::none(alone[at].key),
            };
        }
    }
}

/// Whether a body of the contacts has more than [`LIKE_MASSES`] times the mass of another body, or a moving surface,
/// which no impulse stops, pushes one of them.
fn have_unlike_masses(moving: &[Moving], contacts: &[BodyContact]) -> bool {
    let is_pushed = |contact: &BodyContact| contact.surface_course != DVec3::ZERO;
    let bodies = contacts
        .iter()
        .flat_map(|contact| [Some(contact.a), contact.b]);
    let inverse_masses = bodies
        .flatten()
        .map(|index| moving[index as usize].inverse_mass);
    let (least, most) = inverse_masses.fold((f64::INFINITY, 0.0_f64), |(least, most), mass| {
        (least.min(mass), most.max(mass))
    });
    most > LIKE_MASSES * least || contacts.iter().any(is_pushed)
}
