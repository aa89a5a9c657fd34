//! Selection of the rooms to draw: the visible ones, or others for comparison.

use super::aperture::{Aperture, View};
use super::camera::Camera;
use super::flood::flood;
use super::visible::{Culling, Visibility, VisibleRoom};
use crate::geometry::Rigid;
use crate::level::{Level, RoomId};
use crate::world::World;

/// Finds the rooms to draw. Only [`Culling::Portals`] sees through portals that bend space: the other two leave every
/// room at its place in the level, moving rooms at their current place.
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
            let touches = |room: RoomId, eye_from_room: &Rigid| {
                let view = View::of_camera(camera, &eye_from_room.inverse());
                planes.touch(&view, &level.room(room).bounds)
            };
            list_where(touches, (level, world), camera, visibility);
        }
        Culling::None => list_where(|_, _| true, (level, world), camera, visibility),
    }
}

/// Lists the eye's room and all other rooms that satisfy `listed`.
fn list_where(
    listed: impl Fn(RoomId, &Rigid) -> bool,
    (level, world): (&Level, &World),
    camera: &Camera,
    visibility: &mut Visibility,
) {
    let place = |room: RoomId| {
        let rooms = [room, camera.at.room];
        let eye_from_room = world.rooms().from_authored(level, rooms, &Rigid::IDENTITY);
        (room, eye_from_room)
    };
    let own = std::iter::once(place(camera.at.room));
    let others = level.room_ids().filter(|&room| room != camera.at.room);
    let others = others
        .map(place)
        .filter(|(room, eye_from_room)| listed(*room, eye_from_room));
    let all = own.chain(others);
    (visibility.visits, visibility.sprawls) = (0, 0);
    visibility.rooms.clear();
    let listed = all.map(|(room, from)| VisibleRoom::unclipped(room, from, camera));
    visibility.rooms.extend(listed);
}
