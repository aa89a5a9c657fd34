//! The common flood through the room graph.
//!
//! Visibility, swept boxes, light and ambient occlusion are [`Front`]s. A front computes the part of itself that
//! passes an opening, and merges two arrivals in one room. The walk does the rest: it manages the instances of rooms,
//! their coordinates and order, the outgoing portals, and geometry that sprawls in from other rooms.
//!
//! The walk visits *images* of rooms. An image is an instance of a room, with its transform to the coordinates of the
//! start. Through ordinary doorways each room has one image; through portals that bend space it may have several. An
//! image waits in a queue until it is visited, and is queued again when more of the front arrives. For a front that
//! does not merge, each arrival is an image of its own.

use super::{Level, Portal, PortalId, RoomId, RoomPoses, Sprawl};
use crate::geometry::{Aabb, Rigid};

/// The maximum number of images of one room; those reached through the fewest portals are used. Two facing portals
/// that bend space would otherwise produce an endless row of images.
const MAX_IMAGES: usize = 64;

/// Used for an image that has no slot: it is not the first of its room, or its front does not merge.
const NO_SLOT: u32 = u32::MAX;

/// Initial number of slots of a table, a power of two.
const FIRST_SLOTS: usize = 64;

/// A quantity that is propagated through the room graph.
pub(crate) trait Front {
    /// The part of the front in one image of a room.
    type Part;

    /// Whether arrivals in one image are merged. If not, the front has to limit their number.
    const MERGES: bool = true;

    /// Visits an image, with its index, before the front passes its portals; returns whether the front continues from there.
    fn visit(&mut self, level: &Level, index: usize, image: &RoomImage<Self::Part>) -> bool;

    /// Bounds of whatever may leave the last visited image through a portal, in coordinates of the image's room;
    /// `None` to try all portals.
    fn reach(&self) -> Option<Aabb> {
        None
    }

    /// The part of the front in `image` that passes one of the room's portals; `None` if no part passes.
    fn pass(
        &mut self,
        image: &RoomImage<Self::Part>,
        portal: (PortalId, &Portal),
    ) -> Option<Self::Part>;

    /// The part of the front in `image` that meets geometry sprawling into the image's room. This part arrives in the
    /// room to which the geometry belongs.
    fn meet(&mut self, _image: &RoomImage<Self::Part>, _sprawl: &Sprawl) -> Option<Self::Part> {
        None
    }

    /// Whether the walk should visit a new image in which this part arrives.
    fn goes_on(&self, _arrived: &Self::Part) -> bool {
        true
    }

    /// Merges an arriving part into an image; returns whether the walk should visit the image again.
    fn merge(&mut self, _image: &mut RoomImage<Self::Part>, _arrived: Self::Part) -> bool {
        false
    }

    /// Called when the front went from image `_from` into image `_to`, which may be new, through an opening or along
    /// sprawling geometry. `_bounds` is the box of that opening or geometry in the coordinates of `_from`.
    fn joined(&mut self, _from: usize, _to: (usize, &RoomImage<Self::Part>), _bounds: &Aabb) {}
}

/// An instance of a room, as seen from the start of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoomImage<P> {
    /// The room.
    pub room: RoomId,
    /// Transforms the room's coordinates to those of the room where the walk started.
    pub home_from_room: Rigid,
    /// The part of the front in this image.
    pub part: P,
    /// The number of visits.
    pub visits: u32,
    /// Whether the front has reached this image: it continued from here, or met geometry of the room.
    pub is_reached: bool,
    is_queued: bool,
    /// The next image of the same room.
    next: Option<u32>,
    /// The slot in [`Walk::slots`] if this is the first image of the room, else [`NO_SLOT`].
    slot: u32,
}

impl<P> RoomImage<P> {
    /// Whether this is the first image of its room.
    pub(crate) fn is_first(&self) -> bool {
        self.slot != NO_SLOT
    }
}

/// The images of a walk and its memory. The size depends on the number of images, not on the level.
#[derive(Debug)]
pub(crate) struct Walk<P> {
    /// The images in order of discovery, the start first.
    pub images: Vec<RoomImage<P>>,
    /// The queued images; those before `head` have been visited.
    queue: Vec<u32>,
    head: usize,
    /// A hash table of the first image of each room, by linear probing. A slot is valid only if the image to which it
    /// refers also refers to the slot: a sparse set (P. Briggs and L. Torczon, 1993), which needs no clearing between
    /// walks.
    slots: Vec<u32>,
    /// The portals near the front, used in a room with many portals.
    near: Vec<PortalId>,
}

impl<P> Default for Walk<P> {
    fn default() -> Self {
        Self {
            images: Vec::new(),
            queue: Vec::new(),
            head: 0,
            slots: Vec::new(),
            near: Vec::new(),
        }
    }
}

impl<P> Walk<P> {
    /// Removes all images.
    pub(crate) fn clear(&mut self) {
        self.images.clear();
        self.queue.clear();
        self.head = 0;
    }

    /// Starts a front in a room, whose coordinates are the home coordinates.
    pub(crate) fn begin<F: Front<Part = P>>(
        &mut self,
        front: &mut F,
        room: RoomId,
        part: P,
    ) -> Option<usize> {
        self.begin_at(front, room, &Rigid::IDENTITY, part)
    }

    /// Starts a front in a room with another transform to the home coordinates.
    pub(crate) fn begin_at<F: Front<Part = P>>(
        &mut self,
        front: &mut F,
        room: RoomId,
        home_from_room: &Rigid,
        part: P,
    ) -> Option<usize> {
        self.arrive(front, room, home_from_room, part)
    }

    /// Propagates the front until it passes no more portals. Portals are in their current poses.
    pub(crate) fn run<F: Front<Part = P>>(
        &mut self,
        level: &Level,
        rooms: &RoomPoses,
        front: &mut F,
    ) {
        while let Some(&index) = self.queue.get(self.head) {
            self.head += 1;
            let index = index as usize;
            let image = &mut self.images[index];
            image.is_queued = false;
            image.visits += 1;
            if !front.visit(level, index, image) {
                continue;
            }
            image.is_reached = true;
            let (room, home_from_room) = (image.room, image.home_from_room);
            match front.reach().filter(|_| level.has_many_portals(room)) {
                None => {
                    for portal in rooms.portals_of(level, room) {
                        self.pass(front, index, portal);
                    }
                }
                Some(reach) => {
                    let mut near = std::mem::take(&mut self.near);
                    near.clear();
                    level.each_portal_near(room, &reach, |id| near.push(id));
                    near.sort_unstable();
                    for &id in &near {
                        self.pass(front, index, (id, rooms.portal(level, id)));
                    }
                    self.near = near;
                }
            }
            for sprawl in rooms.sprawls_into(level, room) {
                if let Some(part) = front.meet(&self.images[index], sprawl) {
                    let home_from_there = home_from_room.after(&sprawl.into_from_room);
                    if let Some(to) = self.arrive(front, sprawl.room, &home_from_there, part) {
                        self.images[to].is_reached = true;
                        front.joined(index, (to, &self.images[to]), &sprawl.bounds);
                    }
                }
            }
        }
    }

    /// Propagates a front through a portal that leaves an image.
    fn pass<F: Front<Part = P>>(
        &mut self,
        front: &mut F,
        index: usize,
        (id, portal): (PortalId, &Portal),
    ) {
        let image = &self.images[index];
        let Some(part) = front.pass(image, (id, portal)) else {
            return;
        };
        let home_from_far = image.home_from_room.after(&portal.far_from_near.inverse());
        if let Some(to) = self.arrive(front, portal.far, &home_from_far, part) {
            front.joined(index, (to, &self.images[to]), &portal.bounds);
        }
    }

    /// The total number of visits.
    pub(crate) fn visits(&self) -> usize {
        self.head
    }

    /// The image of a room with this transform, if there is one.
    pub(crate) fn image_of(&self, room: RoomId, home_from_room: &Rigid) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let (_, mut at) = self.find(room);
        while let Some(index) = at {
            let image = &self.images[index as usize];
            if image.home_from_room.is_about(home_from_room) {
                return Some(index as usize);
            }
            at = image.next;
        }
        None
    }

    /// Adds an arriving part to an image, new or existing; `None` if the room has too many images.
    fn arrive<F: Front<Part = P>>(
        &mut self,
        front: &mut F,
        room: RoomId,
        home_from_room: &Rigid,
        part: P,
    ) -> Option<usize> {
        let new = self.images.len() as u32;
        let mut slot = NO_SLOT;
        if F::MERGES {
            if self.slots.len() < 2 * (self.images.len() + 1) {
                self.grow();
            }
            let (free, first) = self.find(room);
            let (mut last, mut at, mut count) = (None, first, 0);
            while let Some(index) = at {
                let image = &mut self.images[index as usize];
                if image.home_from_room.is_about(home_from_room) {
                    let again = front.merge(image, part);
                    self.enqueue(index, again);
                    return Some(index as usize);
                }
                (last, at) = (Some(index), image.next);
                count += 1;
            }
            if count >= MAX_IMAGES {
                return None;
            }
            if let Some(last) = last {
                self.images[last as usize].next = Some(new);
            } else {
                self.slots[free] = new;
                slot = free as u32;
            }
        }
        let goes_on = front.goes_on(&part);
        self.images.push(RoomImage {
            room,
            home_from_room: *home_from_room,
            part,
            visits: 0,
            is_reached: false,
            is_queued: false,
            next: None,
            slot,
        });
        self.enqueue(new, goes_on);
        Some(new as usize)
    }

    fn enqueue(&mut self, index: u32, goes_on: bool) {
        let image = &mut self.images[index as usize];
        if goes_on && !image.is_queued {
            image.is_queued = true;
            self.queue.push(index);
        }
    }

    /// The slot of a room's first image, used or free, and that image.
    fn find(&self, room: RoomId) -> (usize, Option<u32>) {
        let mask = self.slots.len() - 1;
        // Neighbouring rooms have neighbouring indices, so no hash function is needed.
        let mut slot = room.0 as usize & mask;
        loop {
            let first = self.first_in(slot);
            if first.is_none_or(|index| self.images[index as usize].room == room) {
                return (slot, first);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The image in a slot; `None` if it is free.
    fn first_in(&self, slot: usize) -> Option<u32> {
        let index = self.slots[slot];
        let image = self.images.get(index as usize)?;
        (image.slot as usize == slot).then_some(index)
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let len = (2 * self.slots.len()).max(FIRST_SLOTS);
        self.slots.clear();
        self.slots.resize(len, 0);
        let firsts = (0..self.images.len()).filter(|&index| self.images[index].slot != NO_SLOT);
        let firsts: Vec<usize> = firsts.collect();
        for &index in &firsts {
            self.images[index].slot = NO_SLOT;
        }
        for index in firsts {
            let (slot, _) = self.find(self.images[index].room);
            self.slots[slot] = index as u32;
            self.images[index].slot = slot as u32;
        }
    }

    /// The total number of elements that fit into all parts without allocation.
    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.images.capacity() + self.queue.capacity() + self.slots.capacity()
    }
}
