//! What a camera can see: a flood from the eye's room through open portals.
//!
//! Each room is seen through an aperture, a bundle of lines of sight through the eye. A portal
//! passes on the part of the aperture that its polygon fills; a room that is reached by several
//! ways has one aperture around them all. Everything is conservative: a room may be
//! listed in vain, a visible one is never lost. The maths, with its sources, is in
//! `docs/visibility.md`.

mod aperture;
mod camera;
mod flood;
#[cfg(test)]
mod tests;

pub use camera::{Camera, NEAR};
pub use flood::flood;

use crate::geometry::Rigid;
use crate::level::{Level, RoomId, Walk};
use crate::world::World;
use aperture::{Aperture, Scratch, View};

/// A room that can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisibleRoom {
    /// The room.
    pub room: RoomId,
    /// Takes its coordinates to those of the eye's room; the identity unless a portal bends space.
    pub eye_from_room: Rigid,
}

/// The visible rooms of a camera, and working memory, reused from frame to frame.
#[derive(Debug, Default)]
pub struct Visibility {
    /// What can be seen, the eye's room first. Generous: it may hold more, never less.
    pub rooms: Vec<VisibleRoom>,
    /// How many times a room was taken from the work-list.
    pub visits: usize,
    /// How many sprawls of the rooms visited were compared with an aperture.
    pub sprawls: usize,
    walk: Walk<Aperture>,
    scratch: Scratch,
}

/// How the rooms to draw are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Culling {
    /// Those that can be seen through open portals.
    #[default]
    Portals,
    /// Those whose box touches the camera's frustum.
    Frustum,
    /// All of them: the oracle for the other two.
    None,
}

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
    visibility.rooms.extend(all.map(|room| VisibleRoom {
        room,
        eye_from_room: Rigid::IDENTITY,
    }));
}

#[cfg(test)]
impl Visibility {
    /// The elements that fit into its memory without allocating.
    fn capacity(&self) -> usize {
        self.walk.capacity() + self.scratch.capacity()
    }
}
