//! Where a closed link can be met: what closes it, in every room that it reaches into.

use super::opening::TOUCH;
use crate::geometry::{Aabb, Rigid};
use crate::level::graph::walk;
use crate::level::{Barrier, LevelData, LinkId, PortalId, RoomId};

/// Rooms that one door panel may reach into. More are a mistake: a door fills an opening.
const MAX_ROOMS: usize = 64;

/// Finds in which rooms each link's barrier stands: the two that the link joins, and those
/// that its door panel reaches into through other portals.
///
/// Returns the links whose panels reach into too many rooms; the barriers of these are
/// incomplete.
pub(super) fn measure_barriers(level: &mut LevelData) -> Vec<LinkId> {
    let openings: Vec<Aabb> = level
        .portals
        .iter()
        .map(|portal| portal.bounds.grown(TOUCH))
        .collect();
    let entrances = one_way_entrances(level);
    let mut too_large = Vec::new();
    for id in (0..level.links.len() as u32).map(LinkId) {
        let link = level.link(id);
        let portal = level.portal(link.portal);
        let panel = link.panel.as_ref();
        let panel = panel.map_or(Aabb::EMPTY, |panel| level.solids.bounds(&panel.solids));
        let bounds = portal.bounds.union(panel);
        let mut images = vec![(link.near, Rigid::IDENTITY)];
        add_image(&mut images, (link.far, portal.far_from_near));
        let mut next = 0;
        while next < images.len() && !panel.is_empty() {
            if images.len() > MAX_ROOMS {
                too_large.push(id);
                break;
            }
            let (room, room_from_link) = images[next];
            next += 1;
            let panel = panel.transformed(&room_from_link);
            for (side, portal) in level.portals_of(room) {
                if portal.link != id && openings[side.0 as usize].overlaps(&panel) {
                    let beyond = portal.far_from_near.after(&room_from_link);
                    add_image(&mut images, (portal.far, beyond));
                }
            }
            for &side in &entrances[room.0 as usize] {
                let portal = level.portal(side);
                let near_from_far = portal.far_from_near.inverse();
                let panel = panel.transformed(&near_from_far);
                if portal.link != id && openings[side.0 as usize].overlaps(&panel) {
                    add_image(
                        &mut images,
                        (portal.near, near_from_far.after(&room_from_link)),
                    );
                }
            }
        }
        for (room, room_from_link) in images {
            let room = &mut level.rooms[room.0 as usize];
            let bounds = bounds.transformed(&room_from_link);
            room.bounds = room.bounds.union(bounds);
            room.barriers.push(Barrier {
                link: id,
                room_from_link,
                bounds,
            });
        }
    }
    too_large
}

fn add_image(images: &mut Vec<(RoomId, Rigid)>, image: (RoomId, Rigid)) {
    let is_known =
        |(room, known): &(RoomId, Rigid)| *room == image.0 && walk::same(known, &image.1);
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
