//! In which rooms links that can be closed, and movers, are met.

use super::opening::TOUCH;
use crate::geometry::{Aabb, Rigid};
use crate::level::{Barrier, LevelData, LinkId, Mover, MoverId, MoverImage, PortalId, RoomId};

/// Rooms that one mover may reach into. More are a mistake.
const MAX_ROOMS: usize = 64;

/// A room, and the transform to it from the coordinates of what is met there.
type Image = (RoomId, Rigid);

/// Finds in which rooms the polygon of each link is met (in the two that it joins, and in those that
/// its door panel reaches into), and in which each mover is: in its own, and in those that it reaches
/// into through portals on its way.
///
/// Returns the movers that reach into too many rooms; they are not in all of them.
pub(super) fn measure_images(level: &mut LevelData) -> Vec<MoverId> {
    let openings = Openings::of(level);
    let mut too_large = Vec::new();
    for id in (0..level.links.len() as u32).map(LinkId) {
        let link = level.link(id);
        let portal = level.portal(link.portal);
        let polygon = portal.bounds;
        let mut images = vec![(link.near, Rigid::IDENTITY)];
        add_image(&mut images, (link.far, portal.far_from_near));
        if let Some(mover) = link.panel {
            let bounds = sweep(level, level.mover(mover));
            if !openings.follow(level, &mut images, &bounds, Some(id)) {
                too_large.push(mover);
            }
            add_mover(level, mover, &images, &bounds);
        }
        for (room, room_from_link) in images {
            let room = &mut level.rooms[room.0 as usize];
            let bounds = polygon.transformed(&room_from_link);
            room.bounds = room.bounds.union(bounds);
            room.barriers.push(Barrier {
                link: id,
                room_from_link,
                bounds,
            });
        }
    }
    for id in (0..level.movers.len() as u32).map(MoverId) {
        let mover = level.mover(id);
        if mover.link.is_none() {
            let mut images = vec![(mover.room, Rigid::IDENTITY)];
            let bounds = sweep(level, mover);
            if !openings.follow(level, &mut images, &bounds, None) {
                too_large.push(id);
            }
            add_mover(level, id, &images, &bounds);
        }
    }
    for room in &mut level.rooms {
        room.movers.sort_by_key(|image| image.mover);
    }
    too_large
}

/// Adds a mover to the rooms that it reaches into.
fn add_mover(level: &mut LevelData, mover: MoverId, images: &[Image], bounds: &Aabb) {
    let mut rooms: Vec<RoomId> = images.iter().map(|image| image.0).collect();
    rooms.dedup();
    level.movers[mover.0 as usize].rooms = rooms;
    for &(room, here_from_room) in images {
        let room = &mut level.rooms[room.0 as usize];
        let bounds = bounds.transformed(&here_from_room);
        room.bounds = room.bounds.union(bounds);
        room.movers.push(MoverImage {
            mover,
            here_from_room,
            bounds,
        });
    }
}

/// Box around all that a mover can be, in coordinates of its room.
fn sweep(level: &LevelData, mover: &Mover) -> Aabb {
    let draws = &level.draws[mover.draws.start as usize..mover.draws.end as usize];
    let solid = level.solids.bounds(&mover.solids);
    let authored = draws.iter().fold(solid, |all, draw| all.union(draw.bounds));
    mover.track.sweep(&authored)
}

/// The openings of a level, as what touches them finds them.
struct Openings {
    /// A box around each portal.
    bounds: Vec<Aabb>,
    /// For each room the portals that lead into it through one-way links: they are no portals of its
    /// own.
    one_way_entrances: Vec<Vec<PortalId>>,
}

impl Openings {
    fn of(level: &LevelData) -> Self {
        let mut one_way_entrances = vec![Vec::new(); level.rooms.len()];
        for link in level.links.iter().filter(|link| link.back.is_none()) {
            one_way_entrances[link.far.0 as usize].push(link.portal);
        }
        let portals = level.portals.iter();
        Self {
            bounds: portals.map(|portal| portal.bounds.grown(TOUCH)).collect(),
            one_way_entrances,
        }
    }

    /// Adds the rooms that a box, in the coordinates of the images, reaches through openings, but for
    /// those of the link that it closes itself. Returns whether these are not too many.
    fn follow(
        &self,
        level: &LevelData,
        images: &mut Vec<Image>,
        bounds: &Aabb,
        own: Option<LinkId>,
    ) -> bool {
        let mut next = 0;
        while next < images.len() && !bounds.is_empty() {
            if images.len() > MAX_ROOMS {
                return false;
            }
            let (room, here_from_start) = images[next];
            next += 1;
            let here = bounds.transformed(&here_from_start);
            for (side, portal) in level.portals_of(room) {
                if Some(portal.link) != own && self.bounds[side.0 as usize].overlaps(&here) {
                    let beyond = portal.far_from_near.after(&here_from_start);
                    add_image(images, (portal.far, beyond));
                }
            }
            for &side in &self.one_way_entrances[room.0 as usize] {
                let portal = level.portal(side);
                let near_from_far = portal.far_from_near.inverse();
                let there = here.transformed(&near_from_far);
                if Some(portal.link) != own && self.bounds[side.0 as usize].overlaps(&there) {
                    let beyond = near_from_far.after(&here_from_start);
                    add_image(images, (portal.near, beyond));
                }
            }
        }
        true
    }
}

fn add_image(images: &mut Vec<Image>, image: Image) {
    let is_known = |(room, known): &Image| *room == image.0 && known.is_about(&image.1);
    if !images.iter().any(is_known) {
        images.push(image);
    }
}
