//! The memory of clusters that are solved as a whole.

use std::cmp::Ordering;

use glam::DVec3;

use crate::bodies::contacts::Contact;
use crate::bodies::events::Hit;
use crate::bodies::moving::Moving;
use crate::world::KeptImpulse;

/// Members of clusters that are solved as a whole, rebuilt in each tick.
#[derive(Debug, Default)]
pub(in crate::bodies) struct Members {
    /// Indices among the bodies that take part in the tick, in order.
    pub all: Vec<u32>,
    /// The bodies by the lowest one of their clusters, where one of those joins.
    pub by_root: Vec<[u32; 2]>,
    /// The members of the clusters that are solved now, in order, and their states at the beginning of the step.
    pub current: Vec<u32>,
    pub starts: Vec<Moving>,
    /// Per body its place in this list, and whether it is in it.
    pub place_of: Vec<u32>,
    pub is_current: Vec<bool>,
    /// Their states as the step was solved, before they move.
    pub solved_states: Vec<Moving>,
    /// The neighbours of bodies that were stopped.
    pub stops: Vec<Stop>,
    /// The contacts of the step, and the impulses with which each of them ends.
    pub contacts: Vec<Contact>,
    pub kept: Vec<KeptImpulse>,
    /// The impulses that the step begins with.
    pub before: Vec<KeptImpulse>,
    /// The impacts of all steps.
    pub hits: Vec<Hit>,
    /// Per body, valid for the lowest one of an island: whether its contacts are to be solved.
    pub is_open: Vec<bool>,
    /// The same: the number of its contacts that were solved last.
    pub counts: Vec<u32>,
    /// The contacts that are to be solved: their numbers among all, and their impulses.
    pub numbers: Vec<u32>,
    pub solved: Vec<KeptImpulse>,
    /// The lowest bodies of the islands of which a contact was not held.
    pub hard: Vec<u32>,
    /// Their contacts: the lowest body, and the number among those that are open; and those of one of the islands.
    pub by_island: Vec<[u32; 2]>,
    pub alone: Vec<Contact>,
}

/// A neighbour that has to stop.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Stop {
    pub body: u32,
    /// When it stops, seconds since the beginning of the tick.
    pub at: f64,
    /// The unit normal of the contact, towards the neighbour, and the velocity of the body that was stopped, m/s, in coordinates of
    /// the neighbour's room.
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
