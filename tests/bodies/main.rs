//! Rigid bodies: energy, bounces, rest, and what moves them.

mod built;
mod characters;
mod energy;
mod extension;
mod hall;
mod kicks;
#[path = "../shared/lift.rs"]
mod lift;
mod long;
mod methods;
mod movers;
mod reload;
mod rest;
mod rooms;
mod stacks;
