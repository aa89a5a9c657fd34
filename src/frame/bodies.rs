//! Rigid bodies in a frame: only bodies in and next to visible rooms are examined.

use super::data::{BodyImage, Frame, Instance};
use super::draws::{add, nearness};
use super::places::touches_opening;
use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, PortalId};
use crate::lighting::LitBy;
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// Adds the bodies in visible rooms, and the bodies that extend through a portal into visible rooms: once for each
/// place at which they appear.
pub(super) fn add_bodies(
    (level, world): (&Level, &World),
    camera: &Camera,
    rooms: &[VisibleRoom],
    frame: &mut Frame,
) {
    frame.body_images.clear();
    frame.instance_bodies.clear();
    if level.bodies.is_empty() {
        return;
    }
    for index in 0..rooms.len() as u32 {
        list_own((level, world), rooms, index, frame);
        list_extending((level, world), rooms, index, frame);
    }
    frame.body_images.sort_unstable();
    let (mut last, mut first) = (None, 0);
    for nth in 0..frame.body_images.len() {
        let BodyImage {
            body: id,
            through,
            visible,
        } = frame.body_images[nth];
        if last.replace(id) != Some(id) {
            first = frame.instances.len();
        }
        let (body, state) = (level.body(id), world.bodies.state(id));
        let eye_from_here = &rooms[visible as usize].eye_from_room;
        let eye_from_room = through.map_or(*eye_from_here, |portal| {
            eye_from_here.after(&world.rooms().portal(level, portal).far_from_near)
        });
        let room = state.at.room;
        let pose = state.room_from_authored(body);
        let lit_by = LitBy::Place(room, state.at.point.as_vec3());
        let instance = Instance {
            sheet: frame.sheets.of_visible(visible),
            ..Instance::new(camera, &eye_from_room, &pose, lit_by)
        };
        let mut drawn = frame.instances[first..].iter();
        if drawn.any(|drawn| drawn.is_about(&instance)) {
            continue;
        }
        let (distance, room) = nearness(level, camera, room, &eye_from_room);
        let number = frame.instances.len() as u32;
        frame.instance_bodies.push((number, id));
        add(
            level,
            frame,
            (distance, room, true),
            instance,
            body.draws.clone(),
        );
    }
}

/// Lists the bodies that may be seen and whose centre is in a visible room.
///
/// A body in an opening may be seen in a room behind the opening, even through further openings, and outside of the
/// aperture of its own room. So it is compared with the whole picture.
fn list_own(
    (level, world): (&Level, &World),
    rooms: &[VisibleRoom],
    index: u32,
    frame: &mut Frame,
) {
    let VisibleRoom {
        room,
        eye_from_room,
        ..
    } = &rooms[index as usize];
    let volume = &frame.volumes[index as usize];
    for (body, state) in world.bodies.in_room(*room) {
        let radius = level.body(body).drawn_radius;
        let centre = eye_from_room.point(state.at.point);
        let is_seen = volume.touches_sphere(centre, radius) || {
            let around = || Aabb::around([state.at.point]).grown(radius);
            frame.picture.touches_sphere(centre, radius)
                && touches_opening((level, world), *room, &around())
        };
        if is_seen {
            frame.body_images.push(BodyImage {
                body,
                through: None,
                visible: index,
            });
        }
    }
}

/// Lists the bodies in the picture whose centre is in another room and that extend through a portal into a visible
/// room.
fn list_extending(
    (level, world): (&Level, &World),
    rooms: &[VisibleRoom],
    index: u32,
    frame: &mut Frame,
) {
    let VisibleRoom {
        room,
        eye_from_room,
        ..
    } = &rooms[index as usize];
    let volume = &frame.volumes[index as usize];
    let mut list = |id: PortalId| {
        let portal = world.rooms().portal(level, id);
        let mut bodies = world.bodies.in_room(portal.near).peekable();
        if bodies.peek().is_none() {
            return;
        }
        let eye_from_near: Rigid = eye_from_room.after(&portal.far_from_near);
        for (body, state) in bodies {
            let radius = level.body(body).drawn_radius;
            let around = Aabb::around([state.at.point]).grown(radius);
            if !portal.bounds.overlaps(&around) {
                continue;
            }
            let centre = eye_from_near.point(state.at.point);
            if volume.touches_sphere(centre, radius) || frame.picture.touches_sphere(centre, radius)
            {
                frame.body_images.push(BodyImage {
                    body,
                    through: Some(id),
                    visible: index,
                });
            }
        }
    };
    for (id, _) in level.portals_of(*room) {
        level.back(id).into_iter().for_each(&mut list);
    }
    let entrances = level.room(*room).one_way_entrances.iter();
    entrances.copied().for_each(list);
}
