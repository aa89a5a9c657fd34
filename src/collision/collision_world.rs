//! What collision reads.

use crate::geometry::Rigid;
use crate::level::{Level, LinkId, MoverId};
use crate::world::World;

/// What collision reads: the level, what changes of it, and where candidates come from.
#[derive(Clone, Copy, Debug)]
pub struct CollisionWorld<'a> {
    /// The room graph.
    pub level: &'a Level,
    /// Which links are open, and where movers are.
    pub world: &'a World,
    /// Where candidate polygons are looked for.
    pub broad_phase: BroadPhase,
    /// Whether rigid bodies are solid too: they are to characters, and to each other in another way.
    pub(crate) meets_bodies: bool,
}

impl<'a> CollisionWorld<'a> {
    /// A level and what changes of it, met through the portals.
    pub fn new(level: &'a Level, world: &'a World) -> Self {
        Self {
            level,
            world,
            broad_phase: BroadPhase::Portals,
            meets_bodies: true,
        }
    }

    /// The same without rigid bodies.
    pub(crate) fn without_bodies(self) -> Self {
        Self {
            meets_bodies: false,
            ..self
        }
    }

    /// The same with candidates from elsewhere.
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

    /// Where a mover is, if it is present.
    pub(crate) fn pose_if_present(&self, mover: MoverId) -> Option<&'a Rigid> {
        let is_present = self.world.is_present(self.level.mover(mover));
        is_present.then(|| self.world.pose(mover))
    }
}

/// Where candidate polygons are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BroadPhase {
    /// In the rooms that the motion's box reaches through portals.
    Portals,
    /// In every room: the oracle for the room graph. Meaningful where all portals are doorways.
    Exhaustive,
}
