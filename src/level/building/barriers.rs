//! In which rooms a link's polygon and its door panel can be met.

use super::opening::TOUCH;
use crate::geometry::{Aabb, Rigid};
use crate::level::{Barrier, LevelData, LinkId, Mover, MoverId, MoverImage, PortalId, RoomId};

/// Rooms that one door panel may reach into. More are a mistake: a door fills an opening.
const MAX_ROOMS: usize = 64;

/// Finds in which rooms each link's polygon and panel stand: the two that the link joins, and those
/// that the panel reaches into through other portals.
///
/// Returns the movers that reach into too many rooms; they are not in all of them.
pub(super) fn measure_barriers(level: &mut LevelData) -> Vec<MoverId> {
    let openings: Vec<Aabb> = level
        .portals
        .iter()
        .map(|portal| portal.bounds.grown(TOUCH))
        .collect();
    let entrances = one_way_entrances(level);
    let mut too_large = Vec::new();
    for id in (0..level.links.len() as u32).map(LinkId) {
        let link = level.link(id);
        let (portal, panel) = (level.portal(link.portal), link.panel);
        let polygon = portal.bounds;
        let around_panel = panel.map_or(Aabb::EMPTY, |panel| around(level, level.mover(panel)));
        let mut images = vec![(link.near, Rigid::IDENTITY)];
        add_image(&mut images, (link.far, portal.far_from_near));
        let mut next = 0;
        while next < images.len() && !around_panel.is_empty() {
            if images.len() > MAX_ROOMS {
                too_large.extend(panel);
                break;
            }
            let (room, room_from_link) = images[next];
            next += 1;
            let around_panel = around_panel.transformed(&room_from_link);
            for (side, portal) in level.portals_of(room) {
                if portal.link != id && openings[side.0 as usize].overlaps(&around_panel) {
                    let beyond = portal.far_from_near.after(&room_from_link);
                    add_image(&mut images, (portal.far, beyond));
                }
            }
            for &side in &entrances[room.0 as usize] {
                let portal = level.portal(side);
                let near_from_far = portal.far_from_near.inverse();
                let around_panel = around_panel.transformed(&near_from_far);
                if portal.link != id && openings[side.0 as usize].overlaps(&around_panel) {
                    add_image(
                        &mut images,
                        (portal.near, near_from_far.after(&room_from_link)),
                    );
                }
            }
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
            if let Some(mover) = panel {
                let bounds = around_panel.transformed(&room_from_link);
                room.bounds = room.bounds.union(bounds);
                room.movers.push(MoverImage {
                    mover,
                    here_from_room: room_from_link,
                    bounds,
                });
            }
        }
    }
    too_large
}

/// Box around all of a mover that is solid or drawn, in its own coordinates.
fn around(level: &LevelData, mover: &Mover) -> Aabb {
    let draws = &level.draws[mover.draws.start as usize..mover.draws.end as usize];
    let solid = level.solids.bounds(&mover.solids);
    draws.iter().fold(solid, |all, draw| all.union(draw.bounds))
}

fn add_image(images: &mut Vec<(RoomId, Rigid)>, image: (RoomId, Rigid)) {
    let is_known = |(room, known): &(RoomId, Rigid)| *room == image.0 && known.is_about(&image.1);
    if !images.iter().any(is_known) {
        images.push(image);
    }
}

/// For each room the portals that lead into it through one-way links: they are no portals of its own.
fn one_way_entrances(level: &LevelData) -> Vec<Vec<PortalId>> {
    let mut entrances = vec![Vec::new(); level.rooms.len()];
    for link in level.links.iter().filter(|link| link.back.is_none()) {
        entrances[link.far.0 as usize].push(link.portal);
    }
    entrances
}
