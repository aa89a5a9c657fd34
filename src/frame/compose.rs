//! Composition of a frame from a camera and its visible rooms.

use std::cmp::Reverse;
use std::ops::Range;

use super::data::{DrawItem, Frame, Instance, Mesh, Order};
use super::places::{places, seen_at};
use crate::geometry::{Aabb, Rigid};
use crate::level::{Alpha, Level, MoverId, MoverPart, RoomId};
use crate::lighting::LitBy;
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// Composes the picture of `rooms`, given in the coordinates of the camera's room, with the movers in them. Clears
/// lines and edges.
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
    frame.movers.clear();
    frame.blended.clear();
    frame.clear_figures();
    let order = (0u32..).zip(rooms).map(|(index, visible)| {
        let (distance, room) = nearness(level, camera, visible.room, &visible.eye_from_room);
        (distance, room, index)
    });
    frame.nearest.extend(order);
    frame.nearest.sort_unstable();
    for nth in 0..frame.nearest.len() {
        let (distance, room, index) = frame.nearest[nth];
        let lit_by = LitBy::Room(room);
        let eye_from_room = &rooms[index as usize].eye_from_room;
        let instance = Instance::new(camera, eye_from_room, &Rigid::IDENTITY, lit_by);
        let draws = level.room(room).draws.clone();
        add(level, frame, (distance, room, false), instance, draws);
    }
    for nth in 0..frame.nearest.len() {
        let (_, room, index) = frame.nearest[nth];
        let eye_from_here = &rooms[index as usize].eye_from_room;
        for image in &level.room(room).movers {
            let here_from_room = world.here_from_room_of(level, room, image);
            let eye_from_room = eye_from_here.after(&here_from_room);
            add_mover((level, world), camera, image.mover, &eye_from_room, frame);
        }
    }
    add_bodies((level, world), camera, rooms, frame);
    frame.solid_draws = frame.draws.len();
    frame.blended.sort_unstable();
    let blended = frame.blended.iter().map(|&(_, _, draw)| draw);
    frame.draws.extend(blended);
    frame.rooms_drawn = rooms.len();
    let triangles = frame.draws.iter().map(|item| match item.mesh {
        Mesh::Level(draw) => level.draws[draw as usize].indices.len() as u64 / 3,
        Mesh::Figure(_) => 0,
    });
    frame.triangles_drawn = triangles.sum();
}

/// Adds a mover once, although several of the rooms that it extends into may be visible; `eye_from_room` is the
/// transform from the coordinates of the mover's room to those of the eye's room.
fn add_mover(
    (level, world): (&Level, &World),
    camera: &Camera,
    id: MoverId,
    eye_from_room: &Rigid,
    frame: &mut Frame,
) {
    let mover = level.mover(id);
    let mut drawn = frame.movers.iter();
    let is_drawn = drawn.any(|(of, at)| *of == id && at.is_about(eye_from_room));
    if is_drawn || !world.is_present(mover) {
        return;
    }
    frame.movers.push((id, *eye_from_room));
    let nearness = level.parts_of(mover).map(|(part, _)| {
        let place = world.part_room(level, part);
        let eye_from_here = eye_from_room.after(&place.here_from_other.inverse());
        nearness(level, camera, place.room, &eye_from_here)
    });
    let Some((distance, room)) = nearness.min() else {
        return;
    };
    let order = (distance, room, true);
    for (part, MoverPart { draws, .. }) in level.parts_of(mover) {
        let lit_by = LitBy::MoverPart(part);
        let instance = Instance::new(camera, eye_from_room, world.pose(id), lit_by);
        add(level, frame, order, instance, draws.clone());
    }
}

/// Adds the bodies in visible rooms, and the bodies that extend through a portal into visible rooms: once for each
/// place at which they appear.
fn add_bodies(
    (level, world): (&Level, &World),
    camera: &Camera,
    rooms: &[VisibleRoom],
    frame: &mut Frame,
) {
    for (id, state) in world.bodies.iter().filter(|(_, state)| state.is_present) {
        let body = level.body(id);
        let radius = body.radius;
        let around = Aabb::around([state.at.point]).grown(radius);
        let pose = state.room_from_authored(body);
        let room = state.at.room;
        let first = frame.instances.len();
        for place in places((level, world), room, &around) {
            for eye_from_room in seen_at(rooms, &place) {
                let instance = Instance::new(camera, &eye_from_room, &pose, LitBy::Room(room));
                let mut drawn = frame.instances[first..].iter();
                if drawn.any(|drawn| drawn.is_about(&instance)) {
                    continue;
                }
                let (distance, room) = nearness(level, camera, room, &eye_from_room);
                let order = (distance, room, true);
                add(level, frame, order, instance, body.draws.clone());
            }
        }
    }
}

/// The distance of a room's bounds from the eye, with the room. The distance is given by the bits of a non-negative
/// float, which have the same order as the floats.
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
            mesh: Mesh::Level(draw),
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
