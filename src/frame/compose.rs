//! Composition of a frame from a camera and its visible rooms.

use super::bodies::add_bodies;
use super::data::{DrawMesh, Frame, Instance};
use super::draws::{add, nearness};
use super::occluders::add_occluders;
use crate::geometry::Rigid;
use crate::level::{Level, MoverId, MoverPart};
use crate::lighting::LitBy;
use crate::visibility::{Aperture, Camera, ViewVolume, VisibleSet};
use crate::world::World;

/// Composes the picture of visible rooms, with the movers and bodies in them, as `camera` sees them. `camera` and the
/// camera of `visible` are in coordinates of one room. Clears lines and edges.
///
/// Draws of a room that do not touch its aperture are left out, as are movers and bodies that touch no aperture of
/// the rooms in which they appear.
pub fn compose(
    level: &Level,
    world: &World,
    camera: &Camera,
    visible: &VisibleSet,
    frame: &mut Frame,
) {
    compose_where(level, world, camera, visible, true, frame);
}

/// Composes the picture as [`compose`] does, but without bodies.
pub(super) fn compose_fixed(
    level: &Level,
    world: &World,
    camera: &Camera,
    visible: &VisibleSet,
    frame: &mut Frame,
) {
    compose_where(level, world, camera, visible, false, frame);
}

fn compose_where(
    level: &Level,
    world: &World,
    camera: &Camera,
    visible: &VisibleSet,
    has_bodies: bool,
    frame: &mut Frame,
) {
    let VisibleSet {
        rooms,
        camera: culled_by,
        ..
    } = *visible;
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
    frame.reflections.clear();
    frame.volumes.clear();
    let volumes = rooms
        .iter()
        .map(|room| ViewVolume::of(&room.aperture, culled_by));
    frame.volumes.extend(volumes);
    frame.sheets.find((level, world), camera, visible);
    frame.picture = ViewVolume::of(&Aperture::of_camera(culled_by), culled_by);
    let order = (0u32..).zip(rooms).map(|(index, visible)| {
        let (distance, room) = nearness(level, camera, visible.room, &visible.eye_from_room);
        (distance, room, index)
    });
    frame.nearest.extend(order);
    frame.nearest.sort_unstable();
    for nth in 0..frame.nearest.len() {
        let (distance, room, index) = frame.nearest[nth];
        let eye_from_room = &rooms[index as usize].eye_from_room;
        let volume = frame.volumes[index as usize];
        let draws = level.room(room).draws.clone();
        let seen = |&draw: &u32| {
            let bounds = &level.draws[draw as usize].bounds;
            volume.touches_box(bounds, eye_from_room)
        };
        let mut draws = draws.filter(seen).peekable();
        if draws.peek().is_some() {
            let lit_by = LitBy::Room(room);
            let instance = Instance {
                sheet: frame.sheets.of_visible(index),
                ..Instance::new(camera, eye_from_room, &Rigid::IDENTITY, lit_by)
            };
            add(level, frame, (distance, room, false), instance, draws);
        }
    }
    frame.rooms_drawn = frame.instances.len();
    for nth in 0..frame.nearest.len() {
        let (_, room, index) = frame.nearest[nth];
        let eye_from_here = &rooms[index as usize].eye_from_room;
        for image in &level.room(room).movers {
            let here_from_room = world.here_from_room_of(level, room, image);
            let eye_from_room = eye_from_here.after(&here_from_room);
            let volume = &frame.volumes[index as usize];
            if shows_mover((level, world), volume, image.mover, &eye_from_room) {
                let sheet = frame.sheets.of_visible(index);
                let place = (image.mover, &eye_from_room, sheet);
                add_mover((level, world), camera, place, frame);
            }
        }
    }
    if has_bodies {
        add_bodies((level, world), camera, rooms, frame);
        add_occluders((level, world), frame);
    }
    frame.solid_draws = frame.draws.len();
    frame.blended.sort_unstable();
    let blended = frame.blended.iter().map(|&(_, _, draw)| draw);
    frame.draws.extend(blended);
    let triangles = frame.draws.iter().map(|item| match item.mesh {
        DrawMesh::Level(draw) => level.draws[draw as usize].indices.len() as u64 / 3,
        DrawMesh::Figure(_) => 0,
    });
    frame.triangles_drawn = triangles.sum();
}

/// Whether a draw of a mover may be seen in a volume; `eye_from_room` is as in [`add_mover`].
fn shows_mover(
    (level, world): (&Level, &World),
    volume: &ViewVolume,
    id: MoverId,
    eye_from_room: &Rigid,
) -> bool {
    let eye_from_mover = eye_from_room.after(world.pose(id));
    let draws = level.mover(id).draws.clone();
    let mut draws = level.draws[draws.start as usize..draws.end as usize].iter();
    draws.any(|draw| volume.touches_box(&draw.bounds, &eye_from_mover))
}

/// Adds a mover once in each sheet, although several of the rooms that it extends into may be visible; `eye_from_room` is
/// the transform from the coordinates of the mover's room to those of the eye's room.
fn add_mover(
    (level, world): (&Level, &World),
    camera: &Camera,
    (id, eye_from_room, sheet): (MoverId, &Rigid, Option<u32>),
    frame: &mut Frame,
) {
    let mover = level.mover(id);
    let mut drawn = frame.movers.iter();
    let is_drawn =
        drawn.any(|(of, at, on)| *of == id && *on == sheet && at.is_about(eye_from_room));
    if is_drawn || !world.is_present(mover) {
        return;
    }
    frame.movers.push((id, *eye_from_room, sheet));
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
        let instance = Instance {
            sheet,
            ..Instance::new(camera, eye_from_room, world.pose(id), lit_by)
        };
        add(level, frame, order, instance, draws.clone());
    }
}
