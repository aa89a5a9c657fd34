//! Debug drawing: lines, edges and tints added to a composed frame.

use glam::DVec3;

use super::data::{DrawItem, DrawMesh, Frame, Instance, LineVertex};
use crate::geometry::{Rigid, Triangle};
use crate::hash::Fnv64;
use crate::level::{Level, RoomId};
use crate::lighting::{Lighting, LitBy};
use crate::problems::Problem;
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// Half the size of the cross that marks a light, metres.
const LIGHT_MARKER: f64 = 0.15;
/// Half the size of the cross that marks a problem, metres.
const PROBLEM_MARKER: f64 = 0.25;
const PROBLEM_COLOUR: [u8; 4] = [255, 30, 30, 255];

/// The colour that identifies a room in plans and tints: sRGB, opaque. It depends only on the name, not on the level.
pub fn room_colour(name: &str) -> [u8; 4] {
    let hue = (Fnv64::EMPTY.bytes(name.as_bytes()).0 >> 40) as f32 / (1u64 << 24) as f32 * 6.0;
    let channel = |centre: f32| {
        let off = (hue - centre).rem_euclid(6.0);
        let part = (off.min(6.0 - off) - 1.0).clamp(0.0, 1.0);
        (255.0 - 190.0 * part) as u8
    };
    [channel(0.0), channel(2.0), channel(4.0), 255]
}

/// Tints each drawn room in its colour.
pub fn tint_rooms(level: &Level, frame: &mut Frame) {
    for instance in &mut frame.instances {
        if let LitBy::Room(room) = instance.lit_by {
            let [r, g, b, _] = room_colour(&level.room(room).name);
            instance.tint = [r, g, b, 150];
        }
    }
}

/// Adds the edges of the culled geometry, at its places in the level: all rooms that are not among `rooms`, and the
/// draws of the other rooms that the frame leaves out.
pub fn add_culled(level: &Level, camera: &Camera, rooms: &[VisibleRoom], frame: &mut Frame) {
    let mut is_visible = vec![false; level.rooms.len()];
    for visible in rooms {
        is_visible[visible.room.0 as usize] = true;
    }
    let mut is_drawn = vec![false; level.draws.len()];
    for item in &frame.draws {
        if let DrawMesh::Level(draw) = item.mesh {
            is_drawn[draw as usize] = true;
        }
    }
    for room in level.room_ids() {
        let draws = level.room(room).draws.clone();
        let is_culled = |&draw: &u32| !is_visible[room.0 as usize] || !is_drawn[draw as usize];
        let mut culled = draws.filter(is_culled).peekable();
        if culled.peek().is_none() {
            continue;
        }
        let index = frame.instances.len() as u32;
        frame.instances.push(Instance {
            tint: [90, 170, 255, 255],
            ..Instance::new(
                camera,
                &Rigid::IDENTITY,
                &Rigid::IDENTITY,
                LitBy::Room(room),
            )
        });
        frame.wireframe.extend(culled.map(|draw| DrawItem {
            instance: index,
            mesh: DrawMesh::Level(draw),
        }));
    }
}

/// Adds the lights of the visible rooms, and the paths of other lights into the eye's own room: from the light to the
/// corners of the lit part of the last opening.
pub fn add_lights(lighting: &Lighting, camera: &Camera, rooms: &[VisibleRoom], frame: &mut Frame) {
    for visible in rooms {
        for path in lighting.light_paths_into(visible.room) {
            let is_in_room = path.opening.is_empty();
            if !is_in_room && visible.room != camera.at.room {
                continue;
            }
            let eye = |p: DVec3| visible.eye_from_room.point(p);
            let from = eye(path.position);
            add_cross(camera, from, LIGHT_MARKER, path.colour, frame);
            let corners = path.opening.iter();
            for (&a, &b) in corners.clone().zip(corners.cycle().skip(1)) {
                add_line(camera, from, eye(a), path.colour, frame);
                add_line(camera, eye(a), eye(b), path.colour, frame);
            }
        }
    }
}

/// Adds the outlines of all portals of the visible rooms: green where open, red where closed.
pub fn add_portal_outlines(
    level: &Level,
    world: &World,
    camera: &Camera,
    rooms: &[VisibleRoom],
    frame: &mut Frame,
) {
    for visible in rooms {
        for (_, portal) in world.rooms().portals_of(level, visible.room) {
            let colour = if world.is_open(portal.link) {
                [80, 255, 120, 255]
            } else {
                [255, 80, 60, 255]
            };
            let corners = &portal.polygon.vertices;
            let ends = corners.iter().zip(corners.iter().cycle().skip(1));
            for (&a, &b) in ends {
                let [a, b] = [a, b].map(|p| visible.eye_from_room.point(p));
                add_line(camera, a, b, colour, frame);
            }
        }
    }
}

/// Adds the outlines of triangles of visible rooms, each in its room's coordinates.
pub fn add_triangle_outlines(
    triangles: impl Iterator<Item = (RoomId, Triangle)>,
    camera: &Camera,
    rooms: &[VisibleRoom],
    frame: &mut Frame,
) {
    for (room, Triangle { corners }) in triangles {
        for visible in rooms.iter().filter(|visible| visible.room == room) {
            let [a, b, c] = corners.map(|p| visible.eye_from_room.point(p));
            for [a, b] in [[a, b], [b, c], [c, a]] {
                add_line(camera, a, b, [255, 160, 40, 255], frame);
            }
        }
    }
}

/// Adds the edges of holes, and crosses at the places of other problems, in red, visible through everything in front
/// of them. Problems behind a portal that bends space or moves are drawn at their place in the level.
pub fn add_problems<'a>(
    level: &Level,
    problems: impl Iterator<Item = &'a Problem>,
    camera: &Camera,
    frame: &mut Frame,
) {
    for place in problems.filter_map(|problem| problem.place.as_ref()) {
        for edge in &place.edges {
            let [a, b] = edge.map(|p| level.from_author(p));
            add_line(camera, a, b, PROBLEM_COLOUR, frame);
        }
        if place.edges.is_empty() {
            let at = level.from_author(place.point);
            add_cross(camera, at, PROBLEM_MARKER, PROBLEM_COLOUR, frame);
        }
    }
}

/// Adds the edges of the view frustum of `frozen`, with a length of `length` metres. `camera` and `frozen` are in the
/// same coordinates.
pub fn add_view_outline(camera: &Camera, frozen: &Camera, length: f64, frame: &mut Frame) {
    let colour = [255, 220, 80, 255];
    let [width, height] = frozen.tan_half();
    let corner = |x: f64, y: f64| {
        let ray = frozen.axes * DVec3::new(x * width, y * height, -1.0);
        frozen.at.point + ray * length
    };
    let far = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    for (a, b) in far.iter().zip(far.iter().cycle().skip(1)) {
        add_line(camera, frozen.at.point, *a, colour, frame);
        add_line(camera, *a, *b, colour, frame);
    }
}

fn add_cross(camera: &Camera, at: DVec3, size: f64, colour: [u8; 4], frame: &mut Frame) {
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        add_line(camera, at - axis * size, at + axis * size, colour, frame);
    }
}

fn add_line(camera: &Camera, a: DVec3, b: DVec3, colour: [u8; 4], frame: &mut Frame) {
    let view = |p: DVec3| (camera.axes.transpose() * (p - camera.at.point)).as_vec3();
    frame.lines.extend([a, b].map(|p| LineVertex {
        position: view(p),
        colour,
    }));
}
