//! The triangles near a body, kept from tick to tick.

use glam::DVec3;

use crate::collision::{Candidate, CandidateCache, Candidates, CollisionWorld};
use crate::level::At;

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
