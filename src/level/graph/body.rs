//! Rigid bodies as authored: what is thrown, pushed and stacked.

use std::ops::{Range, RangeInclusive};

use glam::{DQuat, DVec3};

use super::{At, LevelData, Material, SolidSet};
use crate::shapes::{MassProperties, Shape};

/// Index of a body in [`LevelData::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

/// A rigid body: a ball, a crate, a prop. Its own coordinates have their origin in its centre of mass, and the
/// author's axes where it was authored.
#[derive(Debug)]
#[non_exhaustive]
pub struct RigidBody {
    /// Name of its node; of one of a spawner's bodies with `*` and a number.
    pub name: String,
    /// The spawner that brings it; it is absent until then.
    pub spawner: Option<SpawnerId>,
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
    /// The triangles of its surface in [`LevelData::solids`], in its own coordinates: what
    /// characters and rays meet. A ball has none.
    pub solids: SolidSet,
    /// Its ranges in [`LevelData::draws`], in its own coordinates.
    pub draws: Range<u32>,
}

impl LevelData {
    /// The spawner with this index.
    pub fn spawner(&self, id: SpawnerId) -> &Spawner {
        &self.spawners[id.0 as usize]
    }

    /// Whether a body is one of a spawner's after the first, which all begin at one place.
    pub fn is_copy(&self, id: BodyId) -> bool {
        let spawner = self.body(id).spawner;
        spawner.is_some_and(|spawner| self.spawner(spawner).bodies[0] != id)
    }

    /// The material of a body: the first one that it is drawn with; an invisible body has none.
    pub fn body_material(&self, id: BodyId) -> Option<&Material> {
        let draw = self.draws.get(self.body(id).draws.start as usize);
        let draw = draw.filter(|_| !self.body(id).draws.is_empty());
        draw.and_then(|draw| self.materials.get(draw.material as usize))
    }
}

/// How stiff contacts of rigid bodies are: in how many substeps the solver divides a tick. Stacks are stiffer by the square of
/// it, and a tick of bodies that touch costs about as many times as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stiffness {
    substeps: u32,
}

impl Stiffness {
    /// The fewest and the most substeps. With fewer than these high stacks lean and fall.
    pub const RANGE: RangeInclusive<u32> = 8..=60;

    /// So many substeps in a tick; the nearest number of the [range](Self::RANGE).
    pub fn new(substeps: u32) -> Self {
        Self {
            substeps: substeps.clamp(*Self::RANGE.start(), *Self::RANGE.end()),
        }
    }

    /// Substeps in a tick.
    pub fn substeps(self) -> u32 {
        self.substeps
    }
}

impl Default for Stiffness {
    fn default() -> Self {
        Self { substeps: 18 }
    }
}

/// Index of a spawner in [`LevelData::spawners`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpawnerId(pub u32);

/// A spawner brings rigid bodies to the place where they were authored, one after another. All of them are in the level from the
/// beginning, and absent from the world until the spawner brings them: a game makes no bodies while it runs.
#[derive(Debug)]
#[non_exhaustive]
pub struct Spawner {
    /// Name of its node.
    pub name: String,
    /// Its bodies, which are alike, in the order in which they are brought; one at least.
    pub bodies: Vec<BodyId>,
    /// Ticks from one body to the next.
    pub every_ticks: u32,
    /// The velocity that each begins with, m/s, in coordinates of the room where it begins.
    pub velocity: DVec3,
    /// Whether it goes on, with the body that it brought first, when all are there.
    pub endless: bool,
    /// Whether it begins with the game: no trigger acts on it.
    pub begins_at_once: bool,
}
