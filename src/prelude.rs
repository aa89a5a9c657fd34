//! The items that most programs need: `use opendoor::prelude::*`.

pub use crate::build::build;
pub use crate::collision::{CollisionWorld, Solid};
pub use crate::frame::{Frame, compose};
pub use crate::game::{EventKind, Game, GameError, GameEvent, Input, PLAYER, Start};
#[cfg(feature = "gpu")]
pub use crate::gpu::{Gpu, GpuError, RenderQuality, Renderer};
pub use crate::level::{At, AuthorPoint, Level, LinkId, RoomId, locate};
pub use crate::lighting::{Lighting, lightmap};
pub use crate::load::{load, load_bytes};
pub use crate::motion::{self, Actor, Body, State, TICK_SECS, Workspace, close_link};
pub use crate::problems::Problems;
pub use crate::queries::{
    OverlapMemory, RayHit, SightMemory, WalkingDistances, can_see, cast_ray, overlap_sphere,
    rooms_within,
};
pub use crate::source::LevelSource;
pub use crate::visibility::{Camera, Visibility, flood};
pub use crate::world::World;
