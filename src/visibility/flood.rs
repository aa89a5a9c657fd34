//! Sight: the flood from the eye's room, as a front of the walk through the room graph.

use super::aperture::{Aperture, Planes, Scratch, View};
use super::{Camera, Visibility, VisibleRoom};
use crate::geometry::Rigid;
use crate::level::{Front, Level, OpenLinks, Portal, RoomImage, Sprawl};

/// A room visited this often has every side of its aperture that grows once more moved out to the
/// frustum at once: an aperture has eight sides, so no image of a room is visited more than
/// `MAX_REVISITS + 8` times. Real levels stay below; lower makes loops less exact, higher
/// makes the worst case slower.
const MAX_REVISITS: u32 = 8;

/// Finds the rooms that the camera can see through open portals.
///
/// Portal culling as of D. Luebke and C. Georges, "Portals and Mirrors", 1995, but without their
/// recursion, which takes as many steps as there are paths: a room that is reached by several
/// ways has one aperture around them all, and is looked at again only when that grew.
pub fn flood(level: &Level, open: &OpenLinks, camera: &Camera, visibility: &mut Visibility) {
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
        open,
        frustum,
        view: View::of_camera(camera, &Rigid::IDENTITY),
        planes: frustum.planes(),
        sprawls: 0,
        scratch,
    };
    walk.clear();
    walk.begin(&mut sight, camera.room, Seen::through(frustum));
    walk.run(level, &mut sight);
    (*visits, *sprawls) = (walk.visits(), sight.sprawls);
    rooms.clear();
    let listed = walk.images.iter().filter(|image| image.part.is_listed);
    rooms.extend(listed.map(|image| VisibleRoom {
        room: image.room,
        eye_from_room: image.home_from_room,
    }));
}

/// Lines of sight from a camera.
struct Sight<'a> {
    camera: &'a Camera,
    open: &'a OpenLinks,
    frustum: Aperture,
    /// The camera in the room that is visited, and the planes of the aperture there.
    view: View,
    planes: Planes,
    /// How many sprawls were compared with an aperture.
    sprawls: usize,
    scratch: &'a mut Scratch,
}

/// What can be seen of an image of a room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    aperture: Aperture,
    /// Whether something of it may show.
    is_listed: bool,
}

impl Seen {
    fn through(aperture: Aperture) -> Self {
        Self {
            aperture,
            is_listed: false,
        }
    }
}

impl Front for Sight<'_> {
    type Part = Seen;

    fn visit(&mut self, level: &Level, index: usize, image: &mut RoomImage<Seen>) -> bool {
        self.view = View::of_camera(self.camera, &image.home_from_room.inverse());
        self.planes = image.part.aperture.planes();
        if index != 0
            && !self
                .planes
                .touch(&self.view, &level.room(image.room).bounds)
        {
            return false;
        }
        image.part.is_listed = true;
        true
    }

    fn pass(&mut self, _: &Level, image: &RoomImage<Seen>, portal: &Portal) -> Option<Seen> {
        if !self.open.passes_light(portal.link) {
            return None;
        }
        let aperture = &image.part.aperture;
        let through = aperture.through(&self.planes, &self.view, &portal.polygon, self.scratch);
        (!through.is_empty()).then(|| Seen::through(through))
    }

    /// Geometry that sprawls into the room shows even where the opening itself does not, or is
    /// shut; but lines of sight that go on into its room have to pass the opening.
    fn meet(&mut self, _: &Level, _: &RoomImage<Seen>, sprawl: &Sprawl) -> Option<Seen> {
        self.sprawls += 1;
        self.planes
            .touch(&self.view, &sprawl.bounds)
            .then_some(Seen {
                aperture: Aperture::EMPTY,
                is_listed: true,
            })
    }

    fn goes_on(&self, arrived: &Seen) -> bool {
        !arrived.aperture.is_empty()
    }

    fn merge(&mut self, image: &mut RoomImage<Seen>, arrived: Seen) -> bool {
        let seen = &mut image.part;
        seen.is_listed |= arrived.is_listed;
        let mut aperture = seen.aperture.union(&arrived.aperture);
        if aperture == seen.aperture {
            return false;
        }
        if image.visits >= MAX_REVISITS {
            aperture = aperture.grown_to(&self.frustum, &seen.aperture);
        }
        seen.aperture = aperture;
        true
    }
}
