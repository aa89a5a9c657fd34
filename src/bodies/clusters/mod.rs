//! Clusters: bodies that may act on each other within a tick, and the solution of each cluster.
//!
//! Impacts of a cluster of few bodies are resolved one after another in the order of time. A cluster is solved as a
//! whole, from the beginning of the tick and with its speculative contacts (`speculative.rs`), if it has many bodies
//! or if a body exceeds the maximum number of impacts per tick. So the number of bodies and contacts bounds the work
//! of a tick.

mod deflected;
mod direct;
pub(super) mod members;
mod neighbours;
pub(super) mod predicted;
mod speculative;
pub(super) mod steps;

use glam::DVec3;

use crate::bodies::broad::pairs::Pair;
use crate::bodies::contacts::BodyContact;
use crate::bodies::context::StepContext;
use crate::bodies::islands::Islands;
use crate::bodies::moving::Moving;
use crate::bodies::tuning::{CONTACT_DISTANCE, MIN_SPECULATIVE};
use crate::shapes::Shape;

/// The clusters of a tick.
#[derive(Debug, Default)]
pub(in crate::bodies) struct Clusters {
    islands: Islands,
    /// The number of bodies of each cluster, and whether its contacts are speculative. Indexed by body, and valid for
    /// the lowest body of each cluster.
    sizes: Vec<u32>,
    speculative: Vec<bool>,
    /// Whether each cluster needs shorter steps, indexed in the same way.
    rough: Vec<bool>,
}

impl Clusters {
    /// Makes a cluster of each of `count` bodies.
    pub(in crate::bodies) fn reset(&mut self, count: usize) {
        self.islands.reset(count);
        self.sizes.clear();
        self.speculative.clear();
        self.rough.clear();
        self.add(count);
    }

    /// Finds the clusters of awake bodies by their pairs, at the beginning of a tick. Bodies that are all balls make
    /// no cluster: the times of their impacts have a closed form. Meshes are always solved as a whole: a search for
    /// the time of an impact would test each pair of their triangles many times.
    pub(in crate::bodies) fn find(
        &mut self,
        context: &StepContext,
        moving: &[Moving],
        pairs: &[Pair],
        joined: impl Iterator<Item = [u32; 2]>,
    ) {
        self.reset(moving.len());
        for [a, b] in joined {
            self.unite(a, b);
            self.make_speculative(a);
        }
        if moving.iter().all(|moving| moving.is_ball) {
            return;
        }
        for pair in pairs {
            let [a, b] = [pair.a, pair.b].map(|index| &moving[index as usize]);
            if a.is_asleep || b.is_asleep || a.is_ball && b.is_ball {
                continue;
            }
            let way = pair.relative_way(moving, context.secs);
            if !pair.are_farther_than(CONTACT_DISTANCE + way, moving) {
                self.unite(pair.a, pair.b);
            }
        }
        for (index, moving) in (0..).zip(moving) {
            let root = self.islands.root_of(index) as usize;
            let is_mesh = || matches!(context.participants.body(moving.id).shape, Shape::Mesh(_));
            if self.sizes[root] >= MIN_SPECULATIVE || !moving.is_asleep && is_mesh() {
                self.speculative[root] = true;
            }
        }
    }

    /// Marks bodies whose clusters are solved as a whole.
    pub(in crate::bodies) fn note_members(&mut self, moving: &mut [Moving]) {
        for (index, moving) in (0..).zip(moving) {
            moving.is_speculative |= self.is_speculative(index);
        }
    }

    /// Adds bodies, each a cluster of its own, so that there are `count`.
    pub(in crate::bodies) fn add(&mut self, count: usize) {
        self.islands.add(count);
        self.sizes.resize(count, 1);
        self.speculative.resize(count, false);
        self.rough.resize(count, false);
    }

    /// Merges the clusters of two bodies. The contacts of the result are speculative if those of either cluster are.
    pub(in crate::bodies) fn unite(&mut self, a: u32, b: u32) {
        let [low, high] = self.islands.unite(a, b).map(|root| root as usize);
        if low != high {
            self.sizes[low] += self.sizes[high];
            self.speculative[low] |= self.speculative[high];
            self.rough[low] |= self.rough[high];
        }
    }

    /// Merges the clusters of the bodies of each contact.
    pub(in crate::bodies) fn unite_touching(&mut self, contacts: &[BodyContact]) {
        for contact in contacts {
            if let Some(b) = contact.b {
                self.unite(contact.a, b);
            }
        }
    }

    /// Marks each cluster in which a body rests on a moving surface, so that it is solved as a whole, and removes its
    /// contacts from the list: only predicted contacts follow the arcs of points of rotating surfaces.
    pub(in crate::bodies) fn leave_movers(
        &mut self,
        moving: &mut [Moving],
        contacts: &mut Vec<BodyContact>,
    ) {
        let rests_on_mover = |contact: &BodyContact| contact.surface_course != DVec3::ZERO;
        if !contacts.iter().any(rests_on_mover) {
            return;
        }
        for contact in contacts.iter().filter(|contact| rests_on_mover(contact)) {
            self.make_speculative(contact.a);
        }
        for (index, moving) in (0..).zip(moving) {
            moving.is_speculative |= self.is_speculative(index);
        }
        contacts.retain(|contact| !self.is_speculative(contact.a));
    }

    /// Marks the cluster of a body, so that it is solved as a whole.
    pub(in crate::bodies) fn make_speculative(&mut self, index: u32) {
        let root = self.root_of(index);
        self.speculative[root as usize] = true;
    }

    /// Whether the cluster of a body is solved as a whole.
    pub(in crate::bodies) fn is_speculative(&mut self, index: u32) -> bool {
        let root = self.root_of(index);
        self.speculative[root as usize]
    }

    /// Marks the cluster of a body for shorter steps, if it has at most `most` bodies. Returns whether it is marked.
    pub(in crate::bodies) fn make_rough(&mut self, index: u32, most: u32) -> bool {
        let root = self.root_of(index) as usize;
        self.rough[root] |= self.sizes[root] <= most;
        self.rough[root]
    }

    pub(in crate::bodies) fn is_rough(&mut self, index: u32) -> bool {
        let root = self.root_of(index);
        self.rough[root as usize]
    }

    pub(in crate::bodies) fn are_any_rough(&self) -> bool {
        self.rough.contains(&true)
    }

    /// Unmarks all clusters that need shorter steps.
    pub(in crate::bodies) fn smooth_all(&mut self) {
        self.rough.fill(false);
    }

    /// The lowest body of a body's cluster.
    pub(in crate::bodies) fn root_of(&mut self, index: u32) -> u32 {
        self.islands.root_of(index)
    }
}
