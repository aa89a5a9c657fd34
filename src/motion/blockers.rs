//! The obstacles that keep a body, a mover or a door from moving.

use glam::DVec3;

use crate::collision::Solid;
use crate::level::BodyId;
use crate::save::saved;

/// A solid that stopped a part of a body's walk, or that crushes the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocker {
    /// The solid.
    pub solid: Solid,
    /// Unit vector from the solid to the body, in the coordinates of the body's room in that tick.
    pub normal: DVec3,
}

saved!(Blocker { solid, normal });

/// The obstacle of a mover or a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTheWay {
    /// A character: its index in the caller's list of bodies.
    Actor(usize),
    /// A rigid body.
    Body(BodyId),
}
