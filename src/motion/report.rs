//! What a tick did.

use glam::DVec3;

use super::blockers::{Blocker, Solid};
use crate::geometry::Rigid;
use crate::level::At;

/// A straight piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Its start.
    pub from: At,
    /// Its end, metres, in coordinates of the room at its start.
    pub to: DVec3,
}

impl Piece {
    /// Of a body that stays where it is.
    pub fn still(at: At) -> Self {
        Self {
            from: at,
            to: at.point,
        }
    }

    /// Metres.
    pub fn length(&self) -> f64 {
        self.from.point.distance(self.to)
    }
}

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
