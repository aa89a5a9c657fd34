//! Rigid bodies: balls, crates and props that fall, collide, stack and roll.
//!
//! [`tick_bodies`] is a function: a level and a world go in, the world's bodies are changed. Two rules for two
//! kinds of contact: what comes together fast is an impact, found at its time and resolved in the order of time;
//! what comes together slowly is a resting contact, and those are solved together. The maths is in
//! `docs/bodies.md`.

pub mod broad;
mod contacts;
mod entries;
mod impact;
mod impacts;
mod moving;
mod narrow;
mod near;
mod pairs;
mod presence;
mod reach;
mod rest;
mod sleep;
mod solver;
mod tick;
mod tuning;
mod workspace;

pub use tick::tick_bodies;
pub use workspace::BodyWorkspace;
