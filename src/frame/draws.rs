//! The draw calls of an instance, and their place in the drawing order.

use std::cmp::Reverse;

use super::data::{DrawItem, DrawMesh, DrawOrder, Frame, Instance};
use crate::geometry::Rigid;
use crate::level::{Alpha, Level, RoomId};
use crate::visibility::Camera;

/// The distance of a room's bounds from the eye, with the room. The distance is given by the bits of a non-negative
/// float, which have the same order as the floats.
pub(super) fn nearness(
    level: &Level,
    camera: &Camera,
    room: RoomId,
    eye_from_room: &Rigid,
) -> (u32, RoomId) {
    let eye = eye_from_room.inverse().point(camera.at.point);
    let bounds = &level.room(room).bounds;
    let distance = eye.distance(eye.clamp(bounds.min, bounds.max));
    ((distance as f32).to_bits(), room)
}

/// Adds an instance and its draws.
pub(super) fn add(
    level: &Level,
    frame: &mut Frame,
    order: DrawOrder,
    instance: Instance,
    draws: impl Iterator<Item = u32>,
) {
    let index = frame.instances.len() as u32;
    frame.instances.push(instance);
    for draw in draws {
        let item = DrawItem {
            instance: index,
            mesh: DrawMesh::Level(draw),
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
