//! One tick of movement: the two-pass loop through the polygon soup.
//!
//! [`tick`] is a function of the world, an [`Actor`] and a command; its result is the actor's new state. All
//! calculations are in f64 and no result depends on the order of rooms, portals or polygons. The maths is in
//! `docs/collision.md`.
//!
//! The modules, bottom up: `body` defines the moving body, `snapshot` undoes its motion, `queries` finds its contacts
//! and moves it, `projection` and `reactions` apply contacts to a velocity, `support`, `ledges` and `steps` are its
//! behaviour on the ground, `passes` has the two passes, and `tick` is at the top.

mod actor;
mod blockers;
mod body;
mod clearance;
mod depenetrate;
mod displaced;
mod doors;
mod ledges;
mod meetings;
mod movers;
mod passes;
mod place;
mod projection;
mod queries;
mod reactions;
mod report;
mod riding;
mod snapshot;
mod steps;
mod support;
mod tick;
mod tuning;
mod workspace;

pub use actor::Actor;
pub use blockers::{Blocker, InTheWay};
pub use body::{Body, MoveCommand, State, StepSettings};
pub use clearance::clearance;
pub use displaced::displace;
pub use doors::{Blocked, close_link};
pub use movers::{MoverEvent, move_movers};
pub use place::{cast_sphere, fits, place};
pub use queries::BodyCache;
pub use report::{MotionEvent, PathSegment, TickReport};
pub use tick::tick;
pub use tuning::TICK_SECS;
pub use workspace::Workspace;
