//! From a camera and its visible rooms to the frame.

use std::cmp::Reverse;
use std::ops::Range;

use super::data::{DrawItem, Frame, Instance, Order};
use crate::geometry::Rigid;
use crate::level::{Alpha, Level, LinkId, RoomId};
use crate::lighting::{LitBy, PanelSide};
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// Composes the picture of `rooms`, given in the coordinates of the camera's room, with the
/// panels of their closed doors. Lines and edges are cleared.
pub fn compose(
    level: &Level,
    world: &World,
    camera: &Camera,
    rooms: &[VisibleRoom],
    frame: &mut Frame,
) {
    frame.clip_from_view = camera.clip_from_view().as_mat4();
    frame.eye_from_view = camera.axes.as_mat3();
    frame.lines.clear();
    frame.wireframe.clear();
    frame.instances.clear();
    frame.draws.clear();
    frame.nearest.clear();
    frame.blended.clear();
    let order = (0u32..).zip(rooms).map(|(index, visible)| {
        let (distance, room) = nearness(level, camera, visible.room, &visible.eye_from_room);
        (distance, room, index)
    });
    frame.nearest.extend(order);
    frame.nearest.sort_unstable();
    for nth in 0..frame.nearest.len() {
        let (distance, room, index) = frame.nearest[nth];
        let lit_by = LitBy::Room(room);
        let instance = Instance::new(camera, &rooms[index as usize].eye_from_room, lit_by);
        let draws = level.room(room).draws.clone();
        add(level, frame, (distance, room, false), instance, draws);
    }
    for nth in 0..frame.nearest.len() {
        let (_, room, index) = frame.nearest[nth];
        let eye_from_room = &rooms[index as usize].eye_from_room;
        for &link in &level.room(room).doors {
            if !world.is_open(link) {
                add_panel(
                    (level, world),
                    camera,
                    rooms,
                    (room, eye_from_room),
                    link,
                    frame,
                );
            }
        }
    }
    frame.solid_draws = frame.draws.len();
    frame.blended.sort_unstable();
    let blended = frame.blended.iter().map(|&(_, _, draw)| draw);
    frame.draws.extend(blended);
    frame.rooms_drawn = rooms.len();
    let triangles = frame.draws.iter().map(|item| {
        let indices = &level.draws[item.draw as usize].indices;
        u64::from(indices.end - indices.start) / 3
    });
    frame.triangles_drawn = triangles.sum();
}

/// Draws a closed panel at the place where one of its rooms is seen; where both are, the room that
/// it belongs to draws it, since both would draw the same.
fn add_panel(
    (level, world): (&Level, &World),
    camera: &Camera,
    rooms: &[VisibleRoom],
    (room, eye_from_room): (RoomId, &Rigid),
    link: LinkId,
    frame: &mut Frame,
) {
    let link = level.link(link);
    let Some(panel) = &link.panel else { return };
    let far_from_near = &level.portal(link.portal).far_from_near;
    let eye_from_near = if room == link.near {
        *eye_from_room
    } else if rooms.iter().all(|visible| visible.room != link.near) {
        eye_from_room.after(far_from_near)
    } else {
        return;
    };
    let eye_from_far = eye_from_near.after(&far_from_near.inverse());
    let sides = [(link.near, eye_from_near), (link.far, eye_from_far)];
    let sides = sides.map(|(room, eye_from_room)| nearness(level, camera, room, &eye_from_room));
    let eye_from_panel = eye_from_near.after(world.pose(panel));
    let (distance, nearer_room) = sides[0].min(sides[1]);
    let order = (distance, nearer_room, true);
    for (side, draws) in PanelSide::ALL.into_iter().zip(panel.draws_of_sides()) {
        let panel = panel.index;
        let lit_by = LitBy::DoorPanel { panel, side };
        let instance = Instance::new(camera, &eye_from_panel, lit_by);
        add(level, frame, order, instance, draws);
    }
}

/// How far a room's box is from the eye: the bits of a float that is not negative, which are in the
/// order of the floats; with the room.
fn nearness(level: &Level, camera: &Camera, room: RoomId, eye_from_room: &Rigid) -> (u32, RoomId) {
    let eye = eye_from_room.inverse().point(camera.at.point);
    let bounds = &level.room(room).bounds;
    let distance = eye.distance(eye.clamp(bounds.min, bounds.max));
    ((distance as f32).to_bits(), room)
}

/// Adds an instance and its draws.
fn add(level: &Level, frame: &mut Frame, order: Order, instance: Instance, draws: Range<u32>) {
    debug_assert!(draws.end as usize <= level.draws.len());
    let index = frame.instances.len() as u32;
    frame.instances.push(instance);
    for draw in draws {
        let item = DrawItem {
            instance: index,
            draw,
        };
        let drawn = &level.draws[draw as usize];
        let material = level.materials.get(drawn.material as usize);
        if material.is_some_and(|m| m.alpha == Alpha::Blend) {
            let eye = instance.eye.as_dvec3();
            let nearest = eye.clamp(drawn.bounds.min, drawn.bounds.max);
            let distance = (eye.distance(nearest) as f32).to_bits();
            let key = (Reverse(order), Reverse(distance), item);
            frame.blended.push(key);
        } else {
            frame.draws.push(item);
        }
    }
}
