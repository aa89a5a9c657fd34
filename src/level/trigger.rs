//! Triggers: volumes that fire when a player enters them, switches, and relays.

use glam::DVec3;

use super::{BodyId, LightId, LinkId, MoverId, RoomId, SpawnerId};
use crate::geometry::{Aabb, Triangle, segment_triangle_distance, solid_angle};

/// Index of a trigger in [`LevelData::triggers`](super::LevelData::triggers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TriggerId(pub u32);

/// A trigger that acts on its targets when it fires.
#[derive(Debug)]
#[non_exhaustive]
pub struct Trigger {
    /// Name of its node.
    pub name: String,
    /// The room of the trigger.
    pub room: RoomId,
    /// The condition for firing.
    pub kind: TriggerKind,
    /// The targets.
    pub targets: Vec<TriggerTarget>,
    /// Ticks between firing and acting on the targets.
    pub delay_ticks: u32,
    /// Ticks after firing during which the trigger does not fire again.
    pub wait_ticks: u32,
    /// Whether the trigger fires only once.
    pub once: bool,
    /// Message that players see when the trigger acts; empty for none.
    pub message: String,
}

/// The condition under which a trigger fires.
#[derive(Debug)]
#[non_exhaustive]
pub enum TriggerKind {
    /// A player enters the closed surface. Coordinates are in metres, relative to the room.
    Volume {
        /// The triangles of the surface.
        triangles: Vec<Triangle>,
        /// Box around the triangles.
        bounds: Aabb,
    },
    /// A player uses the mesh of the trigger's node.
    Switch {
        /// Whether the switch also fires when a player runs against it.
        bump: bool,
    },
    /// Only another trigger fires it.
    Relay,
}

/// A target of a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TriggerTarget {
    /// A link without a moving panel: it is opened if closed, and closed if open.
    Link(LinkId),
    /// A mover: it is started, or sent back.
    Mover(MoverId),
    /// Another trigger: it fires.
    Trigger(TriggerId),
    /// A spawner: its bodies are removed, and it starts again.
    Spawner(SpawnerId),
    /// A rigid body: it is reset to its authored position, at rest.
    Body(BodyId),
    /// A light: it is turned on if it is off, and off if it is on.
    Light(LightId),
}

impl Trigger {
    /// Whether a capsule around a segment is inside the trigger's volume or touches it. Coordinates are those of the
    /// room, in metres.
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
