//! One tick of movement: the two-pass loop through the polygon soup.
//!
//! [`tick`] is a function: the world, an [`Actor`] and a command go in, the actor's new state comes
//! out. Everything is f64 and nothing depends on the order of rooms, portals or polygons.
//! The maths is in `docs/collision.md`.
//!
//! From the ground up: `body` is what moves; `queries` answer what it can touch and move it;
//! `projection` and `reactions` are what contacts do to a velocity; `support`, `ledges` and
//! `steps` its behaviour on the ground; `passes` the two passes; `tick` is on top.

mod actor;
mod blockers;
mod body;
mod clearance;
mod depenetrate;
mod displaced;
mod doors;
mod ledges;
mod meetings;
mod met;
mod movers;
mod passes;
mod place;
mod projection;
mod queries;
mod reactions;
mod report;
mod riding;
mod steps;
mod support;
mod tick;
mod tuning;
mod workspace;

pub use actor::Actor;
pub use blockers::{Blocker, InTheWay};
pub use body::{Body, Command, State, StepSettings};
pub use clearance::clearance;
pub use displaced::displace;
pub use doors::{Blocked, close_link};
pub use movers::{MoverEvent, move_movers};
pub use place::{cast_sphere, fits, place};
pub use queries::BodyCache;
pub use report::{Event, Piece, TickReport};
pub use tick::tick;
pub use tuning::TICK_SECS;
pub use workspace::Workspace;
