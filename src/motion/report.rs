//! What a tick did.

use glam::DVec3;

use super::blockers::{Blocker, Solid};
use crate::geometry::Rigid;
use crate::level::RoomId;

/// A straight piece of a path: the room at its start, and its ends in that room's coordinates.
pub type Piece = (RoomId, DVec3, DVec3);

/// What a tick did.
#[derive(Debug, Default)]
pub struct TickReport {
    /// The straight pieces that the centre moved along, in order. An oracle can check these.
    pub path: Vec<Piece>,
    /// Contact planes met.
    pub contact_count: usize,
    /// Turns directions of the room at the start of the tick into those of the room at its end; the
    /// identity unless a portal that bends space was crossed.
    pub target_from_start: Rigid,
    /// How far steps lifted the body, metres, less how far it was let down to stay on the ground.
    pub lifted: f64,
    /// What took part of the body's walk, or crushes it.
    pub blockers: Vec<Blocker>,
    /// Whether the body is crushed: it overlaps what is solid, and there is no way out.
    pub crushed: bool,
}

impl TickReport {
    /// Empties it; what it holds keeps its memory.
    pub(super) fn clear(&mut self) {
        self.path.clear();
        self.contact_count = 0;
        self.target_from_start = Rigid::IDENTITY;
        self.lifted = 0.0;
        self.blockers.clear();
        self.crushed = false;
    }

    /// Adds what blocks the body, unless it is among the blockers already; `normal` points from it
    /// to the body.
    pub(super) fn note(&mut self, solid: Solid, normal: DVec3) {
        if self.blockers.iter().all(|known| known.solid != solid) {
            self.blockers.push(Blocker { solid, normal });
        }
    }
}
