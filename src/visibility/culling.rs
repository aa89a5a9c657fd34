//! Selection of the rooms to draw: the visible ones, or others for comparison.

use super::aperture::Aperture;
use super::camera::Camera;
use super::flood::flood;
use super::view_volume::ViewVolume;
use super::visible::{Culling, Visibility, VisibleRoom};
use crate::geometry::Rigid;
use crate::level::{Level, RoomId};
use crate::world::World;

/// Finds the rooms to draw. Only [`Culling::Portals`] sees through portals that bend space. The other two methods use
/// the rooms' places in the level, and the current places of moving rooms.
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
            let aperture = Aperture::of_camera(camera);
            let volume = ViewVolume::of(&aperture, camera);
            let touches = |room: RoomId, eye_from_room: &Rigid| {
                volume.touches_box(&level.room(room).bounds, eye_from_room)
            };
            list_where(touches, aperture, (level, world), camera, visibility);
        }
        Culling::None => {
            let aperture = Aperture::UNBOUNDED;
            list_where(|_, _| true, aperture, (level, world), camera, visibility);
        }
    }
}

/// Lists the eye's room and all other rooms that satisfy `listed`, each with this aperture.
fn list_where(
    listed: impl Fn(RoomId, &Rigid) -> bool,
    aperture: Aperture,
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
    visibility
        .rooms
        .extend(all.map(|(room, eye_from_room)| VisibleRoom {
            room,
            eye_from_room,
            aperture,
        }));
}
