//! The data that collision reads.

use crate::geometry::Rigid;
use crate::level::{Level, LinkId, MoverId};
use crate::world::World;

/// The data that collision reads: the level, its changeable state, and the broad phase.
#[derive(Clone, Copy, Debug)]
pub struct CollisionWorld<'a> {
    /// The level with its room graph.
    pub level: &'a Level,
    /// The state of links and movers.
    pub world: &'a World,
    /// The broad phase that finds candidate polygons.
    pub broad_phase: BroadPhase,
    /// Whether rigid bodies are solid: true for characters; collisions between rigid bodies use another solver.
    pub(crate) meets_bodies: bool,
}

impl<'a> CollisionWorld<'a> {
    /// A level and its changeable state, with the broad phase through the portals.
    pub fn new(level: &'a Level, world: &'a World) -> Self {
        Self {
            level,
            world,
            broad_phase: BroadPhase::Portals,
            meets_bodies: true,
        }
    }

    /// A copy that ignores rigid bodies.
    pub(crate) fn without_bodies(self) -> Self {
        Self {
            meets_bodies: false,
            ..self
        }
    }

    /// A copy with another broad phase.
    pub fn with_broad_phase(self, broad_phase: BroadPhase) -> Self {
        Self {
            broad_phase,
            ..self
        }
    }

    /// Whether bodies can pass the link.
    pub(crate) fn is_open(&self, link: LinkId) -> bool {
        self.world.is_open(link)
    }

    /// The pose of a mover, if it is present.
    pub(crate) fn pose_if_present(&self, mover: MoverId) -> Option<&'a Rigid> {
        let is_present = self.world.is_present(self.level.mover(mover));
        is_present.then(|| self.world.pose(mover))
    }
}

/// The broad phase that finds candidate polygons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BroadPhase {
    /// Searches the rooms that the motion's box reaches through portals.
    Portals,
    /// Searches every room: the oracle for the room graph. Useful only where all portals are doorways.
    Exhaustive,
}
