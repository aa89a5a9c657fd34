//! Rigid bodies as authored: balls, crates and props that can be thrown, pushed and stacked.

use std::ops::{Range, RangeInclusive};

use glam::{DQuat, DVec3};

use super::{At, LevelData, Material, SolidSet};
use crate::shapes::{MassProperties, Shape};

/// Index of a body in [`LevelData::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

/// A rigid body: a ball, a crate, a prop. The origin of its coordinates is its centre of mass; the axes are those of
/// the author's coordinates where the body was authored.
#[derive(Debug)]
#[non_exhaustive]
pub struct RigidBody {
    /// Name of the node. For bodies of a spawner, `*` and a number are appended.
    pub name: String,
    /// The spawner of this body; the body is absent from the world until it is spawned.
    pub spawner: Option<SpawnerId>,
    /// The initial position of the centre of mass.
    pub start: At,
    /// The initial rotation from body coordinates to room coordinates.
    pub rotation: DQuat,
    /// The collision shape, in body coordinates.
    pub shape: Shape,
    /// The bounding radius around the centre of mass, metres.
    pub radius: f64,
    /// The bounding radius of the shape and of the drawn surface around the centre of mass, metres.
    pub drawn_radius: f64,
    /// Mass and moments of inertia; the centre of mass is the origin.
    pub mass: MassProperties,
    /// Coulomb friction coefficient. A contact uses the geometric mean of both surfaces' coefficients.
    pub friction: f64,
    /// Coefficient of restitution, 0..1. A contact uses the larger of both surfaces' coefficients.
    pub bounce: f64,
    /// The triangles of the surface in [`LevelData::solids`], in body coordinates, for collision with characters and
    /// rays. Empty for a ball.
    pub solids: SolidSet,
    /// The draws in [`LevelData::draws`], in body coordinates.
    pub draws: Range<u32>,
}

impl RigidBody {
    /// The radius of a body that is a sphere, metres.
    pub fn sphere_radius(&self) -> Option<f64> {
        match self.shape {
            Shape::Sphere { radius } => Some(radius),
            _ => None,
        }
    }
}

impl LevelData {
    /// The spawner with this index.
    pub fn spawner(&self, id: SpawnerId) -> &Spawner {
        &self.spawners[id.0 as usize]
    }

    /// Whether a body is a spawner's second or later body; all bodies of a spawner start at the same position.
    pub fn is_copy(&self, id: BodyId) -> bool {
        let spawner = self.body(id).spawner;
        spawner.is_some_and(|spawner| self.spawner(spawner).bodies[0] != id)
    }

    /// The material of a body: that of its first draw; `None` for an invisible body.
    pub fn body_material(&self, id: BodyId) -> Option<&Material> {
        let draw = self.draws.get(self.body(id).draws.start as usize);
        let draw = draw.filter(|_| !self.body(id).draws.is_empty());
        draw.and_then(|draw| self.materials.get(draw.material as usize))
    }
}

/// The stiffness of rigid-body contacts: the number of solver substeps in a tick. The stiffness of stacks grows with
/// the square of this number. The cost of a tick with touching bodies grows about linearly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stiffness {
    substeps: u32,
}

impl Stiffness {
    /// The allowed range of substeps. With fewer substeps, high stacks lean and fall.
    pub const RANGE: RangeInclusive<u32> = 8..=60;

    /// A stiffness of this many substeps in a tick, clamped to the [range](Self::RANGE).
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

/// A spawner of rigid bodies, which appear one after another where they were authored. All of them are in the level
/// from the beginning but absent from the world until they are spawned, so a game creates no bodies while it runs.
#[derive(Debug)]
#[non_exhaustive]
pub struct Spawner {
    /// Name of its node.
    pub name: String,
    /// The bodies, all alike, in spawn order; at least one.
    pub bodies: Vec<BodyId>,
    /// Ticks between two spawned bodies.
    pub every_ticks: u32,
    /// The initial velocity of each body, m/s, in coordinates of the room where it starts.
    pub velocity: DVec3,
    /// Whether spawning continues once all bodies are in the world, by respawning the oldest.
    pub endless: bool,
    /// Whether the spawner starts with the game, because no trigger targets it.
    pub begins_at_once: bool,
}
