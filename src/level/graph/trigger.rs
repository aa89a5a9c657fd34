//! What sets things going: volumes that a body enters, and switches.

use glam::DVec3;

use super::{BodyId, LinkId, MoverId, RoomId, SpawnerId};
use crate::geometry::{Aabb, Triangle, segment_triangle_distance, solid_angle};

/// Index of a trigger in [`LevelData::triggers`](super::LevelData::triggers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TriggerId(pub u32);

/// Something that acts on its targets when it fires.
#[derive(Debug)]
#[non_exhaustive]
pub struct Trigger {
    /// Name of its node.
    pub name: String,
    /// The room that it is in.
    pub room: RoomId,
    /// What makes it fire.
    pub kind: TriggerKind,
    /// What it acts on.
    pub targets: Vec<Target>,
    /// Ticks from when it fires to when it acts.
    pub delay_ticks: u32,
    /// Ticks after it fired in which it does not fire again.
    pub wait_ticks: u32,
    /// Whether it fires only once.
    pub once: bool,
    /// What players are told when it acts; empty for nothing.
    pub message: String,
}

/// What makes a trigger fire.
#[derive(Debug)]
#[non_exhaustive]
pub enum TriggerKind {
    /// A player comes into a closed surface, metres, in coordinates of the room.
    Volume {
        /// Its triangles.
        triangles: Vec<Triangle>,
        /// Box around them.
        bounds: Aabb,
    },
    /// A player uses the mesh of the trigger's node.
    Switch {
        /// Whether it fires also when a player runs against it.
        bump: bool,
    },
    /// Another trigger acts on it, and nothing else.
    Relay,
}

/// What a trigger acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A link without a panel that moves: it is opened where it is closed, and closed where it is open.
    Link(LinkId),
    /// A mover: it is set going, or back.
    Mover(MoverId),
    /// Another trigger: it fires.
    Trigger(TriggerId),
    /// A spawner: its bodies are taken away, and it begins.
    Spawner(SpawnerId),
    /// A rigid body: it is put back to where it was authored, at rest.
    Body(BodyId),
}

impl Trigger {
    /// Whether a capsule around a segment, metres, in coordinates of its room, is in its volume or touches
    /// it.
    pub fn holds(&self, [low, high]: [DVec3; 2], radius: f64) -> bool {
        let TriggerKind::Volume { triangles, bounds } = &self.kind else {
            return false;
        };
        let around = Aabb::around([low, high]).grown(radius);
        bounds.overlaps(&around) && {
            let distances = triangles
                .iter()
                .map(|t| segment_triangle_distance(t, low, high));
            let touches = distances.into_iter().any(|distance| distance <= radius);
            let angle = || triangles.iter().map(|t| solid_angle(t, low)).sum::<f64>();
            touches || angle().abs() > std::f64::consts::TAU
        }
    }
}
