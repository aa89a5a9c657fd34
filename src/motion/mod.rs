//! One tick of movement: the two-pass loop through the polygon soup.

use glam::DVec3;

use crate::geometry::{Rigid, Triangle};
use crate::level::{Level, OpenLinks, RoomId};

/// Length of a tick, seconds.
pub const TICK_SECS: f64 = 1.0 / 60.0;

/// What motion reads: the level, which links are open, and where candidates come from.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The room graph.
    pub level: &'a Level,
    /// Which links are open.
    pub open: &'a OpenLinks,
    /// Where candidate polygons are looked for.
    pub scope: Scope,
}

/// Where candidate polygons are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In the rooms that the motion's box reaches through portals.
    Portals,
    /// In every room: the oracle for the room graph. Meaningful where all portals are doorways.
    WholeSoup,
}

/// What does not change about a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Radius of the sphere, metres.
    pub radius: f64,
    /// Downward acceleration, m/s2.
    pub gravity: f64,
    /// Height of a jump, metres.
    pub jump_height: f64,
    /// Time in which the wanted velocity is reached from rest, seconds.
    pub acceleration_secs: f64,
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// The room that the centre is in.
    pub room: RoomId,
    /// Centre of the sphere, metres, in the room's coordinates.
    pub centre: DVec3,
    /// Velocity of the first pass (walking), m/s.
    pub walk: DVec3,
    /// Velocity of the second pass (gathered while falling, slipping, jumping), m/s.
    pub fall: DVec3,
    /// Whether the last gravity pass ended on ground that carries the body.
    pub grounded: bool,
}

/// What is wanted of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// Wanted horizontal velocity, m/s, in the coordinates of the body's room.
    pub wish: DVec3,
    /// Whether to jump, if on the ground.
    pub jump: bool,
}

/// Working memory of a tick, reused so that a warm tick allocates nothing; and what the tick did.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The straight pieces that the centre moved along in the last tick, in order: the room and
    /// its coordinates at the time, from, to. The oracle judges these.
    pub path: Vec<(RoomId, DVec3, DVec3)>,
    /// Contacts met in the last tick.
    pub contacts: usize,
    /// Takes coordinates of the room in which the last tick began to those of the room in which
    /// it ended; the identity unless a portal on the way bends space.
    pub target_from_start: Rigid,
}

/// Moves the body by one tick.
pub fn tick(
    world: &World,
    body: &Body,
    state: &mut State,
    command: &Command,
    scratch: &mut Scratch,
) {
    let _ = (world, body, state, command, scratch);
}

/// Puts a body with its feet at `feet` into the world: out of anything solid, and with `drop` on
/// the floor below. `None` where the point is in no room.
pub fn place(
    world: &World,
    body: &Body,
    feet: DVec3,
    drop: bool,
    scratch: &mut Scratch,
) -> Option<State> {
    let _ = (world, body, feet, drop, scratch);
    None
}

/// Least distance, metres, from the segment (in coordinates of `room`) to anything solid that
/// can be reached from `room` through open portals within `reach` metres, found by brute force
/// over the soup and never by the solver's means; infinite when nothing is near.
pub fn clearance(world: &World, room: RoomId, from: DVec3, to: DVec3, reach: f64) -> f64 {
    let _ = (world, room, from, to, reach);
    let _: Option<Triangle> = None;
    f64::INFINITY
}

/// Moves a point along a segment through the portals that it crosses; returns the room it ends
/// in and its coordinates there. No collision: for cameras that hang off a body.
pub fn follow(world: &World, room: RoomId, from: DVec3, to: DVec3) -> (RoomId, DVec3) {
    let _ = (world, from);
    (room, to)
}
