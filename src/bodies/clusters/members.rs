//! The working state of clusters that are solved as a whole.

use std::cmp::Ordering;

use glam::DVec3;

use crate::bodies::contacts::BodyContact;
use crate::bodies::events::ImpactRecord;
use crate::bodies::moving::Moving;
use crate::world::KeptImpulse;

/// The members of clusters that are solved as a whole, rebuilt in each tick.
#[derive(Debug, Default)]
pub(in crate::bodies) struct Members {
    /// The indices of the members among the bodies that take part in the tick, sorted.
    pub all: Vec<u32>,
    /// For each body, the pair of the lowest body of its cluster and the body itself. Computed only when a neighbouring
    /// cluster joins.
    pub by_root: Vec<[u32; 2]>,
    /// The members of the clusters that are solved now, sorted, and their states at the beginning of the step.
    pub current: Vec<u32>,
    pub starts: Vec<Moving>,
    /// For each body its index in `current`, and whether it is in that list.
    pub place_of: Vec<u32>,
    pub is_current: Vec<bool>,
    /// The states of the members after the solution, before they move.
    pub solved_states: Vec<Moving>,
    /// The stops of neighbours of bodies that were stopped.
    pub stops: Vec<Stop>,
    /// The contacts of the step, and the impulses with which each of them ends.
    pub contacts: Vec<BodyContact>,
    pub kept: Vec<KeptImpulse>,
    /// The impulses that the step begins with.
    pub before: Vec<KeptImpulse>,
    /// The impacts of all steps.
    pub hits: Vec<ImpactRecord>,
    /// Whether the contacts of an island are to be solved. Indexed by body, and valid for the lowest body of an
    /// island.
    pub is_open: Vec<bool>,
    /// The number of the island's contacts that were solved last, indexed in the same way.
    pub counts: Vec<u32>,
    /// The contacts to be solved: their indices in `contacts`, and their impulses.
    pub numbers: Vec<u32>,
    pub solved: Vec<KeptImpulse>,
    /// The lowest bodies of the islands in which a contact was not resolved.
    pub hard: Vec<u32>,
    /// The contacts of these islands, as pairs of the lowest body and the index among the open contacts; and the
    /// contacts of one of the islands.
    pub by_island: Vec<[u32; 2]>,
    pub alone: Vec<BodyContact>,
}

/// The stop of a neighbour of a stopped body.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Stop {
    pub body: u32,
    /// The time at which the neighbour stops, seconds since the beginning of the tick.
    pub at: f64,
    /// The unit normal of the contact, towards the neighbour, and the velocity of the body that was stopped, m/s, in
    /// coordinates of the neighbour's room.
    pub normal: DVec3,
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
