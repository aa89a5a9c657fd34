//! What stood in the way: the answer to "why does it not move?".

use glam::DVec3;

use crate::collision::Solid;
use crate::level::BodyId;
use crate::save::saved;

/// Something that took part of a body's walk, or crushes the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocker {
    /// What.
    pub solid: Solid,
    /// Unit vector from it to the body, in the coordinates of the body's room then.
    pub normal: DVec3,
}

saved!(Blocker { solid, normal });

/// What is in the way of a mover or a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTheWay {
    /// A character: its index among those that the caller gave.
    Actor(usize),
    /// A rigid body.
    Body(BodyId),
}
