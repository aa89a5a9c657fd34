//! The visibility flood from the eye's room, as a front of the walk through the room graph.

use super::aperture::{Aperture, Planes, RoomEye, Scratch};
use super::camera::Camera;
use super::visible::{Sighted, Visibility, VisibleRoom};
use crate::level::{Front, Level, Portal, PortalId, RoomImage, Sprawl};
use crate::world::World;

/// After this many visits of a room, each side of its aperture that grows again is moved out to the frustum at once.
/// An aperture has eight sides, so no room instance is visited more than `MAX_REVISITS + 8` times. Real levels stay
/// below. A lower value makes loops less exact; a higher one makes the worst case slower.
const MAX_REVISITS: u32 = 8;

/// Finds the rooms that the camera can see through open portals.
///
/// Portal culling as in D. Luebke and C. Georges, "Portals and Mirrors", 1995, but without their recursion, which
/// takes as many steps as there are paths: a room that is reached by several paths has one aperture around all of
/// them, and is visited again only if the aperture grew.
pub fn flood(level: &Level, world: &World, camera: &Camera, visibility: &mut Visibility) {
    let Visibility {
        rooms,
        visits,
        sprawls,
        walk,
        scratch,
    } = visibility;
    let frustum = Aperture::of_camera(camera);
    let mut sight = Sight {
        camera,
        world,
        frustum,
        view: RoomEye::default(),
        planes: Planes::default(),
        sprawls: 0,
        scratch,
    };
    walk.clear();
    walk.begin(&mut sight, camera.at.room, Sighted::of(frustum));
    walk.run(level, world.rooms(), &mut sight);
    (*visits, *sprawls) = (walk.visits(), sight.sprawls);
    rooms.clear();
    let listed = walk.images.iter().filter(|image| image.is_reached);
    rooms.extend(listed.map(|image| VisibleRoom {
        room: image.room,
        eye_from_room: image.home_from_room,
        aperture: image.part.aperture,
    }));
}

/// The lines of sight from a camera.
struct Sight<'a> {
    camera: &'a Camera,
    world: &'a World,
    frustum: Aperture,
    /// The camera in the coordinates of the visited room.
    view: RoomEye,
    /// The planes of the aperture in that room.
    planes: Planes,
    /// The number of sprawls that were tested against an aperture.
    sprawls: usize,
    scratch: &'a mut Scratch,
}

impl Front for Sight<'_> {
    type Part = Sighted;

    fn visit(&mut self, level: &Level, index: usize, image: &RoomImage<Sighted>) -> bool {
        self.view = RoomEye::of_camera(self.camera, &image.home_from_room.inverse());
        self.planes = image.part.lines.planes();
        let bounds = &level.room(image.room).bounds;
        index == 0 || self.planes.touch(&self.view, bounds)
    }

    fn pass(
        &mut self,
        image: &RoomImage<Sighted>,
        (_, portal): (PortalId, &Portal),
    ) -> Option<Sighted> {
        if !self.world.passes_light(portal.link) {
            return None;
        }
        let aperture = &image.part.lines;
        let through = aperture.through(&self.planes, &self.view, &portal.polygon, self.scratch);
        (!through.is_empty()).then_some(Sighted::of(through))
    }

    /// Geometry that sprawls into the room is visible even if the opening itself is not visible or is closed. But
    /// lines of sight into the geometry's own room must pass the opening.
    fn meet(&mut self, image: &RoomImage<Sighted>, sprawl: &Sprawl) -> Option<Sighted> {
        self.sprawls += 1;
        let shows = self.planes.touch(&self.view, &sprawl.bounds);
        shows.then_some(Sighted {
            lines: Aperture::EMPTY,
            aperture: image.part.lines,
        })
    }

    fn goes_on(&self, arrived: &Sighted) -> bool {
        !arrived.lines.is_empty()
    }

    fn merge(&mut self, image: &mut RoomImage<Sighted>, arrived: Sighted) -> bool {
        let Sighted { lines, aperture } = &mut image.part;
        *aperture = aperture.union(&arrived.aperture);
        let mut all = lines.union(&arrived.lines);
        if all == *lines {
            return false;
        }
        if image.visits >= MAX_REVISITS {
            all = all.grown_to(&self.frustum, lines);
            *aperture = aperture.union(&all);
        }
        *lines = all;
        true
    }
}
