//! The flood: a work-list of rooms, each with the aperture that it is seen through.

use glam::{DMat3, DVec3};

use super::aperture::{Aperture, Scratch, View};
use super::{Camera, Visibility, VisibleRoom};
use crate::geometry::Rigid;
use crate::level::{Level, OpenLinks, RoomId};

/// A room taken from the work-list this often has every side of its aperture that grows once more
/// moved out to the frustum at once: a aperture has eight sides, so no image of a room is taken
/// more than `MAX_REVISITS + 8` times. Real levels stay below; lower makes loops less exact, higher
/// makes the worst case slower.
const MAX_REVISITS: u32 = 8;

/// How many images of one room are followed through portals that bend space, in order of the
/// portals passed. Two facing portals make an endless row of images; somewhere it has to end.
const MAX_IMAGES: usize = 64;

/// Images of a room whose transforms differ by less are one: radians and metres.
const SAME_ROTATION: f64 = 1e-6;
const SAME_TRANSLATION: f64 = 1e-4;

/// Finds the rooms that the camera can see through open portals.
///
/// Portal culling as of D. Luebke and C. Georges, "Portals and Mirrors", 1995, but without their
/// recursion, which takes as many steps as there are paths: a room that is reached by several
/// ways has one aperture around them all, and is looked at again only when that grew.
pub fn flood(level: &Level, open: &OpenLinks, camera: &Camera, visibility: &mut Visibility) {
    let frustum = Aperture::of_camera(camera);
    let work = &mut visibility.work;
    work.start(level, camera.room, frustum);
    while let Some(index) = work.take() {
        let Image {
            room,
            eye_from_room,
            aperture,
            ..
        } = work.images[index];
        let view = View::of_camera(camera, &eye_from_room.inverse());
        let sides = aperture.sides();
        if index != 0 && !sides.touch(&view, &level.room(room).bounds) {
            continue;
        }
        work.images[index].listed = true;
        for (_, portal) in level.portals_of(room) {
            if !open.passes_light(portal.link) {
                continue;
            }
            let through = aperture.through(&sides, &view, &portal.polygon, &mut work.scratch);
            if through.is_empty() {
                continue;
            }
            let eye_from_to = eye_from_room.after(&portal.far_from_near.inverse());
            if let Some(to) = work.image(portal.far, &eye_from_to) {
                work.widen(to, &through, &frustum);
            }
        }
        // Geometry that sprawls into the room shows even where the opening itself does not, or is
        // shut; but lines of sight that go on into its room have to pass the opening.
        for sprawl in level.sprawls_into(room) {
            work.sprawls += 1;
            if sides.touch(&view, &sprawl.bounds) {
                let eye_from_there = eye_from_room.after(&sprawl.into_from_room);
                if let Some(there) = work.image(sprawl.room, &eye_from_there) {
                    work.images[there].listed = true;
                }
            }
        }
    }
    visibility.visits = work.queue.len();
    visibility.sprawls = work.sprawls;
    visibility.rooms.clear();
    let listed = work.images.iter().filter(|image| image.listed);
    visibility.rooms.extend(listed.map(|image| VisibleRoom {
        room: image.room,
        eye_from_room: image.eye_from_room,
    }));
}

/// A room as it appears to the eye. An ordinary level shows one image of each room; portals that
/// bend space can show more.
#[derive(Clone, Copy, Debug)]
struct Image {
    room: RoomId,
    eye_from_room: Rigid,
    aperture: Aperture,
    /// How often it was taken from the work-list.
    visits: u32,
    queued: bool,
    /// Whether something of it may show.
    listed: bool,
    /// Another image of the same room.
    next: Option<u32>,
}

/// Images in the order of their discovery, those that wait to be looked through, and memory.
#[derive(Debug, Default)]
pub(super) struct WorkList {
    images: Vec<Image>,
    /// All that were ever queued; those before `head` have been taken.
    queue: Vec<u32>,
    head: usize,
    /// For each room the index of its first image, valid only where that is an image of this room:
    /// a sparse set (P. Briggs and L. Torczon, 1993), which no frame has to clear.
    first: Vec<u32>,
    /// How many sprawls were compared with a aperture.
    sprawls: usize,
    scratch: Scratch,
}

impl WorkList {
    /// Empties the list but for the eye's own room.
    fn start(&mut self, level: &Level, room: RoomId, frustum: Aperture) {
        self.images.clear();
        self.queue.clear();
        self.head = 0;
        self.sprawls = 0;
        self.first.resize(level.rooms.len(), 0);
        if let Some(eye) = self.image(room, &Rigid::IDENTITY) {
            self.widen(eye, &frustum, &frustum);
        }
    }

    /// The elements that fit without allocating, of all parts together.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.images.capacity() + self.queue.capacity() + self.scratch.capacity()
    }

    /// The image that waits longest.
    fn take(&mut self) -> Option<usize> {
        let index = *self.queue.get(self.head)? as usize;
        self.head += 1;
        let image = &mut self.images[index];
        image.queued = false;
        image.visits += 1;
        Some(index)
    }

    /// The index of this image of a room, new or known; `None` when the room has too many.
    fn image(&mut self, room: RoomId, eye_from_room: &Rigid) -> Option<usize> {
        let first = self.first[room.0 as usize];
        let known = self
            .images
            .get(first as usize)
            .is_some_and(|i| i.room == room);
        let mut last = None;
        let mut at = known.then_some(first);
        let mut count = 0;
        while let Some(index) = at {
            let image = &self.images[index as usize];
            if same(&image.eye_from_room, eye_from_room) {
                return Some(index as usize);
            }
            (last, at) = (Some(index), image.next);
            count += 1;
        }
        if count >= MAX_IMAGES {
            return None;
        }
        let new = self.images.len() as u32;
        match last {
            Some(last) => self.images[last as usize].next = Some(new),
            None => self.first[room.0 as usize] = new,
        }
        self.images.push(Image {
            room,
            eye_from_room: *eye_from_room,
            aperture: Aperture::EMPTY,
            visits: 0,
            queued: false,
            listed: false,
            next: None,
        });
        Some(new as usize)
    }

    /// Adds lines of sight to an image's aperture, and queues it if they are new.
    fn widen(&mut self, index: usize, lines: &Aperture, frustum: &Aperture) {
        let image = &mut self.images[index];
        let mut aperture = image.aperture.union(lines);
        if aperture == image.aperture {
            return;
        }
        if image.visits >= MAX_REVISITS {
            aperture = aperture.grown_to(frustum, &image.aperture);
        }
        image.aperture = aperture;
        if !image.queued {
            image.queued = true;
            self.queue.push(index as u32);
        }
    }
}

/// Whether two transforms put a room in the same place.
fn same(a: &Rigid, b: &Rigid) -> bool {
    if a.is_identity() && b.is_identity() {
        return true;
    }
    let turned: DMat3 = a.rotation() - b.rotation();
    let moved: DVec3 = a.translation() - b.translation();
    turned.abs_diff_eq(DMat3::ZERO, SAME_ROTATION) && moved.length() <= SAME_TRANSLATION
}
