//! What most programs need: `use opendoor::prelude::*`.

pub use crate::collision::{CollisionWorld, Solid};
pub use crate::frame::{Frame, compose};
pub use crate::game::{Event, EventKind, Game, GameError, Input, PLAYER, Start};
#[cfg(feature = "gpu")]
pub use crate::gpu::{Gpu, GpuError, Quality, Renderer};
pub use crate::level::{
    At, AuthorPoint, Level, LevelSource, LinkId, Problems, RoomId, build, load, load_bytes, locate,
};
pub use crate::lighting::{Lighting, lightmap};
pub use crate::motion::{self, Actor, Body, State, TICK_SECS, Workspace, close_link};
pub use crate::queries::{
    OverlapMemory, RayHit, SightMemory, WalkingDistances, can_see, cast_ray, overlap_sphere,
    rooms_within,
};
pub use crate::visibility::{Camera, Visibility, flood};
pub use crate::world::World;
