//! One tick of movement: the two-pass loop through the polygon soup.
//!
//! [`tick`] is a function: the world, a body's state and a command go in, the new state comes
//! out. Everything is f64 and nothing depends on the order of rooms, portals or polygons.
//! The maths is in `docs/collision.md`.

mod blockers;
mod candidates;
mod clearance;
mod contacts;
mod crossing;
mod depenetrate;
mod edges;
mod ground;
mod ledges;
mod place;
mod slide;
mod steps;
mod sweep;
mod tuning;

pub use blockers::{Blocker, Solid};
pub use clearance::clearance;
pub use crossing::{Piece, follow};
pub use place::{cast_sphere, fits, place};
pub use steps::StepSettings;
pub use sweep::{Hit, sweep_sphere};
pub use tuning::TICK_SECS;

use glam::DVec3;

use crate::geometry::Rigid;
use crate::level::{Level, OpenLinks, RoomId};
use tuning::SKIN;

/// What motion reads: the level, which links are open, and where candidates come from.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The room graph.
    pub level: &'a Level,
    /// Which links are open.
    pub open: &'a OpenLinks,
    /// Where candidate polygons are looked for.
    pub broad_phase: BroadPhase,
}

/// Where candidate polygons are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BroadPhase {
    /// In the rooms that the motion's box reaches through portals.
    Portals,
    /// In every room: the oracle for the room graph. Meaningful where all portals are doorways.
    Exhaustive,
}

/// What does not change about a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Radius of the sphere, metres.
    pub radius: f64,
    /// Length of a capsule's axis, metres: upwards from the centre of its lowest sphere, which is
    /// what counts as the body's centre; 0 for a sphere.
    pub segment_length: f64,
    /// Downward acceleration, m/s2.
    pub gravity: f64,
    /// Height of a jump, metres.
    pub jump_height: f64,
    /// How fast the walking velocity follows the wanted one, m/s2.
    pub acceleration: f64,
    /// What its feet do beside the pure loop.
    pub step_settings: StepSettings,
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// The room that the centre is in.
    pub room: RoomId,
    /// Centre of the sphere, of a capsule's lowest one, metres, in the room's coordinates.
    pub centre: DVec3,
    /// Velocity of the first pass (walking), m/s.
    pub walk: DVec3,
    /// Velocity of the second pass (gathered while falling, slipping, jumping), m/s.
    pub fall: DVec3,
    /// Whether the last gravity pass met ground that carries the body.
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

/// What a tick did, and the working memory that lets a warm tick allocate nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The straight pieces that the centre moved along in the last tick, in order. An oracle can
    /// judge these.
    pub path: Vec<Piece>,
    /// Contact planes met in the last tick.
    pub contact_count: usize,
    /// Turns directions of the room at the start of the last tick into those of the room at its
    /// end; the identity unless a portal that bends space was crossed.
    pub target_from_start: Rigid,
    /// How far steps lifted the body in the last tick, metres, less how far it was let down to
    /// stay on the ground.
    pub lifted: f64,
    /// What took part of the body's walk in the last tick, or squeezes it.
    pub blockers: Vec<Blocker>,
    /// Whether the body is crushed: it overlaps what is solid, and there is no way out.
    pub crushed: bool,
    candidates: candidates::Candidates,
    contacts: contacts::Contacts,
    /// All that the gravity pass touched.
    met: contacts::Contacts,
    /// What a foot would touch elsewhere.
    footing: contacts::Contacts,
    /// The ground along a path.
    spans: Vec<ground::Span>,
    /// How far the tick may still move the body, metres: so far away candidates are always known.
    reach_left: f64,
}

impl Scratch {
    fn clear(&mut self) {
        self.path.clear();
        self.contact_count = 0;
        self.target_from_start = Rigid::IDENTITY;
        self.lifted = 0.0;
        self.blockers.clear();
        self.crushed = false;
    }
}

/// Moves the body by one tick: first its walking velocity, then gravity.
pub fn tick(
    world: &World,
    body: &Body,
    state: &mut State,
    command: &Command,
    scratch: &mut Scratch,
) {
    scratch.clear();
    state.walk = towards(state.walk, command.wish, body.acceleration * TICK_SECS);
    if command.jump && state.grounded {
        state.fall = DVec3::Y * (2.0 * body.gravity * body.jump_height).sqrt();
        state.grounded = false;
    }
    // Half of gravity before the move and half after makes falls exact parabolas.
    state.fall.y -= body.gravity * TICK_SECS * 0.5;
    scratch.reach_left = (state.walk.length() + state.fall.length()) * TICK_SECS;
    slide::gather_around(world, body, state, 0.0, scratch);
    let crushed = depenetrate::depenetrate(world, body, state, false, scratch);
    // One who has room but for a part of the gap walks as one who just has it: then all that it is
    // swept against lies ahead.
    let has_room = crushed < SKIN * body.radius;
    let missing = if has_room { crushed } else { 0.0 };
    let walker = Body {
        radius: body.radius - missing / (1.0 + SKIN),
        ..*body
    };
    slide::velocity_pass(world, &walker, state, scratch);
    // A body that stands or walks is not thrown by the ground; one that slips still slows down.
    let walks = state.grounded && body.step_settings.walks();
    let is_held = walks && steps::stay_on_ground(world, body, state, scratch);
    if is_held && state.fall.x == 0.0 && state.fall.z == 0.0 {
        state.fall = DVec3::ZERO;
    } else {
        slide::gravity_pass(world, body, state, scratch);
    }
    state.fall.y -= body.gravity * TICK_SECS * 0.5;
}

/// `from` moved towards `to` by at most `step`.
fn towards(from: DVec3, to: DVec3, step: f64) -> DVec3 {
    let difference = to - from;
    let length = difference.length();
    if length <= step {
        to
    } else {
        from + difference * (step / length)
    }
}
