//! What most programs need: `use opendoor::prelude::*`.

pub use crate::frame::{Frame, compose};
pub use crate::game::{Event, EventKind, Game, GameError, Input, PLAYER, Start};
#[cfg(feature = "gpu")]
pub use crate::gpu::{Gpu, GpuError, Quality, Renderer};
pub use crate::level::{
    At, AuthorPoint, Level, LevelSource, LinkId, Problems, RoomId, build, load, load_bytes, locate,
};
pub use crate::lighting::{Lighting, lightmap};
pub use crate::motion::{
    Actor, Body, CollisionWorld, Command, State, TICK_SECS, close_link, place, tick,
};
pub use crate::queries::{can_see, cast_ray, rooms_within};
pub use crate::visibility::{Camera, Visibility, flood};
pub use crate::world::World;
