//! The bodies that the last round of a substep changed. Only their contacts are solved again.

use glam::BVec4A;

use super::body::GROUND;
use super::quad::Quad;

/// The current round, and the last round that changed each body notably.
#[derive(Debug, Default)]
pub(super) struct Stirred {
    round: u32,
    last_rounds: Vec<u32>,
    any: bool,
}

impl Stirred {
    /// Begins the first round, for `count` bodies including the ground.
    pub(super) fn reset(&mut self, count: usize) {
        self.last_rounds.clear();
        self.last_rounds.resize(count, 0);
        (self.round, self.any) = (1, false);
    }

    /// Marks the bodies of the contacts of a quad that changed a speed notably.
    pub(super) fn note(&mut self, quad: &Quad, changed: BVec4A) {
        let lanes = changed.bitmask();
        if lanes == 0 {
            return;
        }
        for bodies in &quad.bodies {
            for (lane, &body) in bodies.iter().enumerate() {
                if lanes >> lane & 1 == 1 {
                    self.note_body(body);
                }
            }
        }
    }

    /// Marks a body that a joint changes notably.
    pub(super) fn note_body(&mut self, body: u32) {
        if body != GROUND {
            self.last_rounds[body as usize] = self.round;
            self.any = true;
        }
    }

    /// Begins another round. Returns whether the last one changed a body.
    pub(super) fn begin_round(&mut self) -> bool {
        self.round += 1;
        std::mem::replace(&mut self.any, false)
    }

    /// Whether a body of a quad was changed since the quad was solved in the last round.
    pub(super) fn has_stirred(&self, quad: &Quad) -> bool {
        let mut bodies = quad.bodies.iter().flatten();
        bodies.any(|body| self.last_rounds[*body as usize] + 1 >= self.round)
    }
}
