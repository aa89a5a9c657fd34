//! Rigid bodies: balls, crates and props that fall, collide, stack and roll.
//!
//! [`tick_bodies`] takes a level and a world, and changes the world's bodies. There are two kinds of contact. Sides
//! that close fast have an impact: its time is found, and impacts are resolved in the order of time. Sides that close
//! slowly have a resting contact, and all resting contacts are solved together. The methods are in `docs/bodies.md`.

pub mod broad;
mod characters;
mod clusters;
mod contacts;
mod context;
mod disturb;
mod events;
mod impacts;
mod islands;
mod joints;
mod kinematic;
mod moving;
mod openings;
mod path;
mod riding;
mod shares;
mod sleep;
mod solver;
mod sorting;
mod tick;
mod times;
mod tuning;
mod velocity;
mod workspace;

pub use characters::Character;
pub use characters::blocking::{BlockingWorkspace, blocks_link, blocks_mover};
pub(crate) use characters::hands::{HandTarget, is_clear_of, pull, throw};
pub(crate) use characters::overlaps::{is_place_free, overlaps_at_start};
pub use characters::pushing::{land, push};
pub(crate) use characters::supports::{SupportWorkspace, supports};
pub use events::{BodyEvent, BodyEventKind};
pub use tick::tick_bodies;
pub use times::{Clock, PhaseTimes};
pub use velocity::velocity_at;
pub use workspace::BodyWorkspace;
