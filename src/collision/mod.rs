//! The solid triangles that a motion can meet, found through the portals, and the first contact of a moving
//! sphere with them.
//!
//! Characters ([`crate::motion`]) and bodies ([`crate::bodies`]) both read the room graph through this module.
//! `candidates` lists the polygons near a position and caches the list from tick to tick; `room_solids` lists the
//! solids of one room; [`sweep_sphere`] finds the first contact with one triangle; `crossing` follows a straight path
//! from room to room.

mod candidates;
mod collision_world;
mod crossing;
mod room_solids;
mod solid;
mod sweep;
pub(crate) mod tolerance;

pub(crate) use candidates::{Ball, Candidate, CandidateCache, Candidates, SurfaceResponse};
pub use collision_world::{BroadPhase, CollisionWorld};
pub use crossing::follow;
pub(crate) use crossing::{Crossing, cross};
pub(crate) use room_solids::{RoomSolids, visit_bodies, visit_structure};
pub use solid::Solid;
pub(crate) use sweep::sweep_round;
pub use sweep::{SweepHit, sweep_sphere};
