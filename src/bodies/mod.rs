//! Rigid bodies: balls, crates and props that fall, collide, stack and roll.
//!
//! [`tick_bodies`] is a function: a level and a world go in, the world's bodies are changed. Two rules for two
//! kinds of contact: what comes together fast is an impact, found at its time and resolved in the order of time;
//! what comes together slowly is a resting contact, and those are solved together. The maths is in
//! `docs/bodies.md`.

mod ahead;
mod blocking;
pub mod broad;
mod characters;
mod clusters;
mod contacts;
mod disturb;
mod entries;
mod farther;
mod hands;
mod impact;
mod impacts;
mod islands;
mod members;
mod moving;
mod narrow;
mod near;
mod openings;
mod overlaps;
mod pairs;
mod path;
mod predicted;
mod presence;
mod pushing;
mod reach;
mod response;
mod rest;
mod riding;
mod shares;
mod sinking;
mod sleep;
mod solver;
mod speculative;
mod steps;
mod supports;
mod surfaces;
mod tick;
mod tuning;
mod velocity;
mod workspace;

pub use blocking::{BlockingWorkspace, blocks_link, blocks_mover};
pub use characters::Character;
pub(crate) use hands::{Place, is_clear_of, pull, throw};
pub(crate) use overlaps::{is_place_free, overlaps_at_start};
pub use pushing::{land, push};
pub(crate) use supports::{SupportWorkspace, supports};
pub use tick::tick_bodies;
pub use velocity::velocity_at;
pub use workspace::BodyWorkspace;
