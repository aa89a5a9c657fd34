//! Rigid bodies: energy, bounces, rest, and the forces and movers that act on them.

mod built;
mod capsules;
mod characters;
mod deflected;
mod drops;
mod energy;
mod events;
mod extension;
mod forces;
mod hall;
mod hands;
mod joints;
mod judge;
mod kicks;
mod kinematic;
#[expect(dead_code, reason = "only what moves is of use here")]
#[path = "../shared/lift.rs"]
mod lift;
mod long;
mod methods;
mod momentum;
mod movers;
mod overlaps;
mod posts;
mod reload;
mod rest;
mod room_joints;
mod rooms;
mod sleep;
mod stacks;
mod turntables;
mod worlds;
