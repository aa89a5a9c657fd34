//! The memory of ticks of bodies.

use std::collections::BinaryHeap;

use glam::DVec3;

use super::contacts::Contact;
use super::impacts::{Impact, Struck};
use super::moving::Moving;
use super::pairs::{Entry, Pair};
use super::solver::{Constraint, Shift};
use crate::collision::{Candidate, CandidateCache, Candidates, CollisionWorld};
use crate::level::{At, Walk};
use crate::shapes::Manifold;

/// What ticks of bodies keep for later ones: nothing in it changes what they do.
#[derive(Debug, Default)]
pub struct BodyWorkspace {
    /// Per body of the level, the triangles near it.
    pub(super) near: Vec<Near>,
    pub(super) gathered: Candidates,
    pub(super) moving: Vec<Moving>,
    pub(super) walk: Walk<()>,
    pub(super) entries: Vec<Entry>,
    pub(super) pairs: Vec<Pair>,
    /// Per moving body the first of its pairs in `partners`, and one past the last.
    pub(super) pairs_of: Vec<[u32; 2]>,
    pub(super) partners: Vec<u32>,
    pub(super) contacts: Vec<Contact>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) shifts: Vec<Shift>,
    pub(super) impacts: BinaryHeap<Impact>,
    pub(super) manifolds: Vec<Manifold>,
    pub(super) struck: Vec<Struck>,
    pub(super) islands: Vec<u32>,
    pub(super) quiet: Vec<bool>,
}

/// The triangles near a body.
#[derive(Debug, Default)]
pub(super) struct Near {
    cache: CandidateCache,
    /// Of a sphere around the body's centre that has all of it, metres.
    pub(super) radius: f64,
}

impl Near {
    /// Finds the triangles that the body meets within `distance` metres of where it is.
    pub(super) fn find(
        &mut self,
        gathered: &mut Candidates,
        collision: &CollisionWorld,
        at: At,
        distance: f64,
    ) {
        let reach = self.radius + distance;
        self.cache.find(gathered, collision, at, reach, 0.0);
    }

    /// Calls `look` with all of what was found that comes within `distance` metres of a point, and maybe more.
    pub(super) fn look_within(&self, point: DVec3, distance: f64, look: impl FnMut(&Candidate)) {
        self.cache.look_within(point, distance, look);
    }
}
