//! Queries of games: rays, overlap tests, lines of sight between points, and rooms within a walking distance. All
//! queries go through the portals of open links, like motion and visibility, and allocate nothing once their memory has
//! grown.

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
