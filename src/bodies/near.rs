//! The triangles near a body, kept from tick to tick.

use glam::DVec3;

use crate::collision::{Candidate, CandidateCache, Candidates, CollisionWorld, Solid};
use crate::geometry::Rigid;
use crate::level::{At, MoverId};

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

    /// The mover that something solid is a part of, and the transform from coordinates of its room to those of the
    /// body's.
    pub(super) fn mover_of(
        &self,
        collision: &CollisionWorld,
        solid: Solid,
    ) -> Option<(MoverId, Rigid)> {
        self.cache.mover_of(collision, solid)
    }

    /// Whether movers are near that have moved in this tick.
    pub(super) fn has_moved(&self, collision: &CollisionWorld) -> bool {
        let mut movers = self.cache.movers();
        movers.any(|mover| !collision.world.now_from_before(mover).is_identity())
    }
}
