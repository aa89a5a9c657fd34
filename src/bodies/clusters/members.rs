//! The working state of clusters that are solved as a whole.

use std::cmp::Ordering;

use glam::DVec3;

use crate::bodies::contacts::BodyContact;
use crate::bodies::events::ImpactRecord;
use crate::bodies::moving::Moving;
use crate::bodies::sorting::{merge_sorted, sort_nearly_sorted};
use crate::world::KeptImpulse;

/// The members of clusters that are solved as a whole, rebuilt in each tick.
#[derive(Debug, Default)]
pub(in crate::bodies) struct Members {
    /// The indices of the members among the bodies that take part in the tick, sorted.
    pub all: Vec<u32>,
    /// Each body with the lowest body of its cluster, as pairs that start with the latter. Computed only when a
    /// neighbouring cluster joins.
    pub by_root: Vec<[u32; 2]>,
    /// The members of the clusters that are solved now, sorted.
    pub current: Vec<u32>,
    /// The members that joined because a member of these clusters meets them.
    pub joined: Vec<u32>,
    /// The states of these members at the beginning of the step.
    pub starts: Vec<Moving>,
    /// The index of each body in `current`.
    pub place_of: Vec<u32>,
    /// Whether each body is in `current`.
    pub is_current: Vec<bool>,
    /// The states of the members after the solution, before they move.
    pub solved_states: Vec<Moving>,
    /// The stops of neighbours of bodies that were stopped.
    pub stops: Vec<Stop>,
    /// The contacts of the step.
    pub contacts: Vec<BodyContact>,
    /// The impulses with which each contact ends.
    pub kept: Vec<KeptImpulse>,
    /// The impulses that the step begins with.
    pub before: Vec<KeptImpulse>,
    /// The impacts of all steps.
    pub hits: Vec<ImpactRecord>,
    /// Whether the contacts of an island are to be solved. Indexed by body, and valid for the lowest body of an
    /// island.
    pub is_open: Vec<bool>,
    /// The number of the island's contacts in the last solution. Indexed like `is_open`.
    pub counts: Vec<u32>,
    /// The indices of `contacts` in the order of the contacts' keys.
    pub sorted: Vec<u32>,
    /// The indices in `contacts` of the contacts to be solved.
    pub numbers: Vec<u32>,
    /// The impulses of the contacts to be solved.
    pub solved: Vec<KeptImpulse>,
    /// The lowest bodies of the islands in which a contact was not resolved.
    pub hard: Vec<u32>,
    /// The contacts of the islands of `hard`, as pairs of the island's lowest body and the index among the open
    /// contacts.
    pub by_island: Vec<[u32; 2]>,
    /// The contacts of one of these islands.
    pub alone: Vec<BodyContact>,
}

/// The stop of a neighbour of a stopped body.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Stop {
    pub body: u32,
    /// The time at which the neighbour stops, seconds since the beginning of the tick.
    pub at: f64,
    /// The unit normal of the contact, towards the neighbour, in coordinates of the neighbour's room.
    pub normal: DVec3,
    /// The velocity of the body that was stopped, m/s, in coordinates of the neighbour's room.
    pub velocity: DVec3,
}

impl Stop {
    /// Sorts by body, then by time.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let by_body = self.body.cmp(&other.body);
        let by_time = by_body.then(self.at.total_cmp(&other.at));
        let [own, others] = [self, other].map(|stop| stop.normal.to_array());
        by_time.then(own.partial_cmp(&others).unwrap_or(Ordering::Equal))
    }
}

/// Adds the contacts that are not in the list of sorted indices yet to that list. `buffer` is overwritten.
pub(super) fn sort_new(contacts: &[BodyContact], sorted: &mut Vec<u32>, buffer: &mut Vec<u32>) {
    let contact = |number: &u32| &contacts[*number as usize];
    let order = |p: &u32, q: &u32| contact(p).order(contact(q));
    let known = sorted.len();
    sorted.extend(known as u32..contacts.len() as u32);
    let have_same_key = |p: &u32, q: &u32| contact(p).key == contact(q).key;
    sort_nearly_sorted(&mut sorted[known..], have_same_key, order);
    merge_sorted(sorted, known, order, buffer);
}
