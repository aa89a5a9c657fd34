//! The rooms to draw: those that are seen, or others to compare with.

use super::aperture::{Aperture, View};
use super::camera::Camera;
use super::flood::flood;
use super::visible::{Culling, Visibility, VisibleRoom};
use crate::geometry::Rigid;
use crate::level::{Level, RoomId};
use crate::world::World;

/// Finds the rooms to draw. Only [`Culling::Portals`] sees through portals that bend space: the
/// other two leave every room where the level has it.
pub fn visible_rooms(
    culling: Culling,
    level: &Level,
    world: &World,
    camera: &Camera,
    visibility: &mut Visibility,
) {
    match culling {
        Culling::Portals => flood(level, world, camera, visibility),
        Culling::Frustum => {
            let planes = Aperture::of_camera(camera).planes();
            let view = View::of_camera(camera, &Rigid::IDENTITY);
            let touches = |room| planes.touch(&view, &level.room(room).bounds);
            list_where(touches, level, camera, visibility);
        }
        Culling::None => list_where(|_| true, level, camera, visibility),
    }
}

/// Lists the eye's room and all others for which `listed` holds.
fn list_where(
    listed: impl Fn(RoomId) -> bool,
    level: &Level,
    camera: &Camera,
    visibility: &mut Visibility,
) {
    let others = level
        .room_ids()
        .filter(|&room| room != camera.at.room && listed(room));
    let all = std::iter::once(camera.at.room).chain(others);
    (visibility.visits, visibility.sprawls) = (0, 0);
    visibility.rooms.clear();
    let listed = all.map(|room| VisibleRoom::unclipped(room, camera));
    visibility.rooms.extend(listed);
}
