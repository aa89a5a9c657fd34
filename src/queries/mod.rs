//! Queries of games: rays, overlap tests, lines of sight between places, and rooms within a walking distance. All of it goes through the portals of open links, as motion and sight
//! do, and allocates nothing once its memory is warm.

mod overlap;
mod ray;
mod sight;
mod walking_distance;

pub use overlap::{OverlapMemory, overlap_sphere};
pub(crate) use ray::cast_ray_at_still;
pub use ray::{RayHit, cast_ray};
pub(crate) use sight::free_line;
pub use sight::{SightMemory, can_see};
pub use walking_distance::{RoomDistance, WalkingDistances, rooms_within};
