//! Rigid bodies as authored: what is thrown, pushed and stacked.

use std::ops::Range;

use glam::DQuat;

use super::{At, SolidSet};
use crate::shapes::{MassProperties, Shape};

/// Index of a body in [`LevelData::bodies`](super::LevelData::bodies).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

/// A rigid body: a ball, a crate, a prop. Its own coordinates have their origin in its centre of mass, and the
/// author's axes where it was authored.
#[derive(Debug)]
#[non_exhaustive]
pub struct RigidBody {
    /// Name of its node.
    pub name: String,
    /// Where its centre of mass is at first.
    pub start: At,
    /// Takes directions of its own coordinates to those of its room at first.
    pub rotation: DQuat,
    /// What touches, in its own coordinates.
    pub shape: Shape,
    /// Of a sphere around its centre of mass that holds all of it, metres.
    pub radius: f64,
    /// Mass and moments of inertia; its centre is the origin.
    pub mass: MassProperties,
    /// Coulomb coefficient. That of a contact is the geometric mean of both surfaces'.
    pub friction: f64,
    /// Coefficient of restitution, 0..1. That of a contact is the larger one of both surfaces'.
    pub bounce: f64,
    /// The triangles of its surface in [`LevelData::solids`](super::LevelData::solids), in its own coordinates: what
    /// characters and rays meet. A ball has none.
    pub solids: SolidSet,
    /// Its ranges in [`LevelData::draws`](super::LevelData::draws), in its own coordinates.
    pub draws: Range<u32>,
}
