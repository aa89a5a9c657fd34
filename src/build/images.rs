//! Images of closable links and of movers: the room instances (rooms seen through portals) in which they can be
//! touched.

use super::opening::TOUCH;
use crate::geometry::{Aabb, Rigid, SortedBoxes};
use crate::level::{
    Barrier, LevelData, LinkId, Mover, MoverId, MoverImage, Portal, RoomId, TURNED,
};

/// Maximum number of room instances that one mover may reach; more are reported as a mistake.
const MAX_ROOMS: usize = 64;

/// An object in coordinates of a room instance in which it can be touched.
#[derive(Clone, Copy)]
struct ObjectImage {
    room: RoomId,
    /// Transforms the object's coordinates to those of the room. Object and room are in their authored poses.
    here_from_start: Rigid,
    /// Box around the object for all poses of the object and of the room, in the room's coordinates.
    bounds: Aabb,
}

/// Finds the rooms in which each link's polygon and each mover can be touched. For a link these are its two rooms and
/// the rooms that its door panel reaches; for a mover its own room and the rooms that it reaches through portals.
///
/// Returns the movers that reach too many rooms; they are added to only some of them.
pub(super) fn measure_images(level: &mut LevelData) -> Vec<MoverId> {
    let openings = OpeningTree::of(level);
    let mut too_large = Vec::new();
    for id in (0..level.links.len() as u32).map(LinkId) {
        let link = level.link(id);
        let portal = level.portal(link.portal);
        let (near, far, far_from_near) = (link.near, link.far, portal.far_from_near);
        let polygon = portal.bounds;
        let start = |bounds: Aabb| {
            let mut images = vec![ObjectImage {
                room: near,
                here_from_start: Rigid::IDENTITY,
                bounds,
            }];
            let there = swept(level, [near, far], &far_from_near, &bounds);
            add_image(&mut images, (far, far_from_near), there);
            images
        };
        let mut images = start(polygon);
        if let Some(mover) = link.panel {
            let panel = sweep(level, level.mover(mover));
            let mut of_panel = start(panel);
            if !openings.follow(level, &mut of_panel, Some(id), None) {
                too_large.push(mover);
            }
            images = of_panel
                .iter()
                .map(|image| ObjectImage {
                    bounds: swept(level, [near, image.room], &image.here_from_start, &polygon),
                    ..*image
                })
                .collect();
            add_mover(level, mover, &of_panel);
        }
        for image in images {
            let room = &mut level.rooms[image.room.0 as usize];
            room.bounds = room.bounds.union(image.bounds);
            room.barriers.push(Barrier {
                link: id,
                room_from_link: image.here_from_start,
                bounds: image.bounds,
            });
        }
    }
    for id in (0..level.movers.len() as u32).map(MoverId) {
        let mover = level.mover(id);
        if mover.link.is_none() {
            let mut images = vec![ObjectImage {
                room: mover.room,
                here_from_start: Rigid::IDENTITY,
                bounds: sweep(level, mover),
            }];
            if !openings.follow(level, &mut images, None, Some(id)) {
                too_large.push(id);
            }
            around_moved_rooms(level, id, &mut images);
            add_mover(level, id, &images);
        }
    }
    for index in 0..level.sprawls.len() {
        let sprawl = &level.sprawls[index];
        if sprawl.moving.is_none() {
            continue;
        }
        let into = level.portal(sprawl.through).near;
        let here = sprawl.bounds.transformed(&sprawl.into_from_room.inverse());
        let bounds = swept(level, [sprawl.room, into], &sprawl.into_from_room, &here);
        let room = &mut level.rooms[into.0 as usize];
        room.bounds = room.bounds.union(bounds);
    }
    for index in 0..level.rooms.len() {
        let mut images = std::mem::take(&mut level.rooms[index].movers);
        images.sort_by_key(|image| image.mover);
        let boxes: Vec<Aabb> = images.iter().map(|image| image.reach).collect();
        let room = &mut level.rooms[index];
        (room.mover_boxes, room.movers) = (SortedBoxes::new(&boxes), images);
    }
    too_large
}

/// Adds the images of a mover that moves rooms: at each opening of these rooms, on both sides, for all poses.
fn around_moved_rooms(level: &LevelData, id: MoverId, images: &mut Vec<ObjectImage>) {
    for &room in &level.mover(id).moved_rooms {
        for (_, portal) in level.portals_of(room).filter(|(_, p)| p.moves()) {
            let bounds = portal.bounds.grown(TOUCH);
            let around = swept(level, [room, portal.far], &portal.far_from_near, &bounds);
            add_image(images, (portal.far, Rigid::IDENTITY), around);
            let of_far = images.iter_mut().filter(|image| image.room == portal.far);
            of_far.for_each(|image| image.bounds = image.bounds.union(around));
            images.push(ObjectImage {
                room,
                here_from_start: Rigid::IDENTITY,
                bounds,
            });
        }
    }
}

/// Adds a mover to the rooms in which it can be touched.
fn add_mover(level: &mut LevelData, mover: MoverId, images: &[ObjectImage]) {
    let mut rooms: Vec<RoomId> = images.iter().map(|image| image.room).collect();
    rooms.dedup();
    level.movers[mover.0 as usize].rooms = rooms;
    let step = TURNED * level.longest_step(mover);
    for image in images {
        let room = &mut level.rooms[image.room.0 as usize];
        room.bounds = room.bounds.union(image.bounds);
        room.movers.push(MoverImage {
            mover,
            here_from_room: image.here_from_start,
            bounds: image.bounds,
            reach: image.bounds.grown(step),
        });
    }
}

/// Box around a mover at its authored pose, in coordinates of its room.
fn authored_bounds(level: &LevelData, mover: &Mover) -> Aabb {
    let draws = &level.draws[mover.draws.start as usize..mover.draws.end as usize];
    let solid = level.solids.bounds(&mover.solids);
    draws.iter().fold(solid, |all, draw| all.union(draw.bounds))
}

/// Box around a mover for all poses, in coordinates of its room.
fn sweep(level: &LevelData, mover: &Mover) -> Aabb {
    mover.track.sweep(&authored_bounds(level, mover))
}

/// Transforms a box in one room to coordinates of another, and grows it to hold for all poses of the two rooms.
fn swept(level: &LevelData, [from, to]: [RoomId; 2], to_from_from: &Rigid, bounds: &Aabb) -> Aabb {
    let track = |room: RoomId| level.room(room).moved_by.map(|id| &level.mover(id).track);
    if level.room(from).moved_by == level.room(to).moved_by {
        return bounds.transformed(to_from_from);
    }
    let bounds = track(from).map_or(*bounds, |track| track.sweep(bounds));
    let bounds = bounds.transformed(to_from_from);
    track(to).map_or(bounds, |track| track.sweep_back(&bounds))
}

/// The openings of a level, to find the objects that touch them.
struct OpeningTree {
    /// For each portal, a box around all of its poses.
    bounds: Vec<Aabb>,
}

impl OpeningTree {
    fn of(level: &LevelData) -> Self {
        let bounds = |portal: &Portal| {
            // An opening moves with the near room of its link.
            let owner = level.link(portal.link).near;
            let bounds = if portal.moves() && owner != portal.near {
                let there = portal.bounds.transformed(&portal.far_from_near);
                let back = portal.far_from_near.inverse();
                swept(level, [portal.far, portal.near], &back, &there)
            } else {
                portal.bounds
            };
            bounds.grown(TOUCH)
        };
        Self {
            bounds: level.portals.iter().map(bounds).collect(),
        }
    }

    /// Adds the rooms that an object reaches through openings, starting from its images so far. The opening of the link
    /// that it closes is excluded, and so are rooms that it moves. Returns `false` if there are too many rooms.
    fn follow(
        &self,
        level: &LevelData,
        images: &mut Vec<ObjectImage>,
        own: Option<LinkId>,
        mover: Option<MoverId>,
    ) -> bool {
        let moves = |room: RoomId| mover.is_some() && level.room(room).moved_by == mover;
        let mut next = 0;
        while let Some(&image) = images.get(next) {
            next += 1;
            if image.bounds.is_empty() {
                continue;
            }
            if images.len() > MAX_ROOMS {
                return false;
            }
            let ObjectImage {
                room,
                here_from_start,
                bounds: here,
            } = image;
            for (side, portal) in level.portals_of(room) {
                if Some(portal.link) == own || moves(portal.far) {
                    continue;
                }
                if self.bounds[side.0 as usize].overlaps(&here) {
                    let beyond = portal.far_from_near.after(&here_from_start);
                    let there = swept(level, [room, portal.far], &portal.far_from_near, &here);
                    add_image(images, (portal.far, beyond), there);
                }
            }
            for &side in &level.room(room).one_way_entrances {
                let portal = level.portal(side);
                let near_from_far = portal.far_from_near.inverse();
                let there = swept(level, [room, portal.near], &near_from_far, &here);
                if Some(portal.link) != own && self.bounds[side.0 as usize].overlaps(&there) {
                    let beyond = near_from_far.after(&here_from_start);
                    add_image(images, (portal.near, beyond), there);
                }
            }
        }
        true
    }
}

/// Adds the image in a room with this transform, unless it exists.
fn add_image(
    images: &mut Vec<ObjectImage>,
    (room, here_from_start): (RoomId, Rigid),
    bounds: Aabb,
) {
    let is_known = |image: &ObjectImage| {
        image.room == room && image.here_from_start.is_about(&here_from_start)
    };
    if !images.iter().any(is_known) {
        images.push(ObjectImage {
            room,
            here_from_start,
            bounds,
        });
    }
}
