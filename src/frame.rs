//! What to draw, as plain data: the seam between the level and the GPU.
//!
//! A [`Frame`] is composed from a camera and its visible rooms, and is all that the renderer
//! sees besides the level. Nothing here knows how it is drawn.

use std::cmp::Reverse;
use std::ops::Range;

use glam::{DVec3, Mat3, Mat4, Vec3};

use crate::geometry::{Rigid, Triangle};
use crate::level::{Alpha, Level, LinkId, OpenLinks, RoomId};
use crate::lighting::Lighting;
use crate::visibility::{Camera, VisibleRoom};

/// The usual vertical field of view, degrees.
pub const FOV_DEG: f64 = 70.0;

/// Half the size of a lamp's mark, metres.
const LAMP_MARK: f64 = 0.15;

/// A room, or a door panel, at the place where it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Rotation (or mirror) from the room's coordinates to the view's.
    pub view_from_room: Mat3,
    /// The eye in the room's coordinates, metres, rounded to f32.
    pub eye: Vec3,
    /// What the rounding of [`Placement::eye`] lost. Subtracting both from a vertex keeps the
    /// picture still where f32 coordinates are coarse.
    pub eye_remainder: Vec3,
    /// Index of the lights that reach it, see [`crate::lighting::Lighting::lists`].
    pub light_list: u32,
    /// Whether it is seen through an odd number of mirrors, so that windings appear reversed.
    pub mirrored: bool,
    /// sRGB and strength of a colour that is laid over it, 0..255.
    pub tint: [u8; 4],
}

/// One draw call: a range of one material at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DrawItem {
    /// Index into [`Frame::placements`].
    pub placement: u32,
    /// Index into [`draws`](crate::level::LevelData::draws).
    pub draw: u32,
}

/// An end of a debug line.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct LineVertex {
    /// Metres, in the view's coordinates: right, up, back.
    pub position: Vec3,
    /// sRGB and alpha, 0..255.
    pub colour: [u8; 4],
}

/// One picture as plain data. Kept from frame to frame, so that composing allocates nothing
/// once warm.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Takes view coordinates to clip coordinates: reversed depth, 1 at the near plane, 0 at
    /// infinity.
    pub clip_from_view: Mat4,
    /// Turns view coordinates into those of the eye's room.
    pub eye_from_view: Mat3,
    /// Where the drawn rooms and leaves are.
    pub placements: Vec<Placement>,
    /// The draw calls. First what is opaque or masked, near rooms first, so that what they hide
    /// need not be coloured; then what is blended, far rooms first, in each the farther pieces
    /// first. The order of two rooms does not depend on which others are drawn, so that surfaces
    /// in exactly the same place look the same however culled.
    pub draws: Vec<DrawItem>,
    /// How many of `draws` are not blended.
    pub solid_draws: usize,
    /// Debug lines: each pair of vertices is one. Drawn over everything.
    pub lines: Vec<LineVertex>,
    /// What is drawn as the edges of its triangles, over everything, in the tint of its place.
    pub wireframe: Vec<DrawItem>,
    /// How many rooms are drawn.
    pub rooms_drawn: usize,
    /// How many triangles are drawn.
    pub triangles_drawn: u64,
    /// The visible rooms, near ones first: bits of the distance, room, index in the
    /// list of visible rooms.
    nearest: Vec<(u32, RoomId, u32)>,
    /// What is blended: place in the order of rooms, far ones first; bits of the distance within
    /// the room; the draw.
    blended: Vec<(Reverse<Order>, Reverse<u32>, DrawItem)>,
}

/// Place in the order of what is drawn: bits of the distance of the nearer room, the room, and
/// whether it is a door panel between that and one farther away.
type Order = (u32, RoomId, bool);

/// Composes the picture of `rooms`, given in the coordinates of the camera's room, with the
/// leaves of their closed doors. Lines and edges are cleared.
pub fn compose(
    level: &Level,
    open: &OpenLinks,
    camera: &Camera,
    rooms: &[VisibleRoom],
    frame: &mut Frame,
) {
    frame.clip_from_view = camera.clip_from_view().as_mat4();
    frame.eye_from_view = camera.axes.as_mat3();
    frame.lines.clear();
    frame.wireframe.clear();
    frame.placements.clear();
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
        let placed = place(camera, &rooms[index as usize].eye_from_room, room.0);
        let order = (distance, room, false);
        add(level, frame, order, placed, level.room(room).draws.clone());
    }
    for nth in 0..frame.nearest.len() {
        let (_, room, index) = frame.nearest[nth];
        let eye_from_room = &rooms[index as usize].eye_from_room;
        for &link in &level.room(room).doors {
            if !open.is_open(link) {
                add_leaf(level, camera, rooms, (room, eye_from_room), link, frame);
            }
        }
    }
    frame.solid_draws = frame.draws.len();
    frame.blended.sort_unstable();
    let blended = frame.blended.iter().map(|&(_, _, draw)| draw);
    frame.draws.extend(blended);
    frame.rooms_drawn = rooms.len();
    let triangles = frame.draws.iter().map(|placed| {
        let indices = &level.draws[placed.draw as usize].indices;
        u64::from(indices.end - indices.start) / 3
    });
    frame.triangles_drawn = triangles.sum();
}

/// Draws a closed panel at the place where one of its rooms is seen; where both are, the room that
/// it belongs to draws it, since both would say the same.
fn add_leaf(
    level: &Level,
    camera: &Camera,
    rooms: &[VisibleRoom],
    (room, eye_from_room): (RoomId, &Rigid),
    link: LinkId,
    frame: &mut Frame,
) {
    let link = level.link(link);
    let Some(panel) = &link.panel else { return };
    let far_from_near = &level.portal(link.portal).far_from_near;
    let eye_from_leaf = if room == link.near {
        *eye_from_room
    } else if rooms.iter().all(|visible| visible.room != link.near) {
        eye_from_room.after(far_from_near)
    } else {
        return;
    };
    let eye_from_to = eye_from_leaf.after(&far_from_near.inverse());
    let sides = [(link.near, eye_from_leaf), (link.far, eye_from_to)];
    let sides = sides.map(|(room, eye_from_room)| nearness(level, camera, room, &eye_from_room));
    let (distance, nearer_room) = sides[0].min(sides[1]);
    let order = (distance, nearer_room, true);
    let first_list = level.rooms.len() as u32 + 2 * panel.index;
    for (light_list, draws) in (first_list..).zip(panel.draws_of_sides()) {
        let placed = place(camera, &eye_from_leaf, light_list);
        add(level, frame, order, placed, draws);
    }
}

/// How far a room's box is from the eye: the bits of a float that is not negative, which are in the
/// order of the floats; with the room.
fn nearness(level: &Level, camera: &Camera, room: RoomId, eye_from_room: &Rigid) -> (u32, RoomId) {
    let eye = eye_from_room.inverse().point(camera.eye);
    let bounds = &level.room(room).bounds;
    let distance = eye.distance(eye.clamp(bounds.min, bounds.max));
    ((distance as f32).to_bits(), room)
}

/// Adds draws at one place.
fn add(level: &Level, frame: &mut Frame, order: Order, placed: Placement, draws: Range<u32>) {
    debug_assert!(draws.end as usize <= level.draws.len());
    let placement = frame.placements.len() as u32;
    frame.placements.push(placed);
    for draw in draws {
        let placed_draw = DrawItem { placement, draw };
        let drawn = &level.draws[draw as usize];
        let material = level.materials.get(drawn.material as usize);
        if material.is_some_and(|m| m.alpha == Alpha::Blend) {
            let eye = placed.eye.as_dvec3();
            let nearest = eye.clamp(drawn.bounds.min, drawn.bounds.max);
            let distance = (eye.distance(nearest) as f32).to_bits();
            let key = (Reverse(order), Reverse(distance), placed_draw);
            frame.blended.push(key);
        } else {
            frame.draws.push(placed_draw);
        }
    }
}

fn place(camera: &Camera, eye_from_room: &Rigid, light_list: u32) -> Placement {
    let room_from_eye = eye_from_room.inverse();
    let eye = room_from_eye.point(camera.eye);
    let rotation = camera.axes.transpose() * eye_from_room.rotation();
    let rounded = eye.as_vec3();
    Placement {
        view_from_room: rotation.as_mat3(),
        eye: rounded,
        eye_remainder: (eye - rounded.as_dvec3()).as_vec3(),
        light_list,
        mirrored: rotation.determinant() < 0.0,
        tint: [0; 4],
    }
}

/// The colour by which a room is known in plans and tints: sRGB, opaque. It follows from the name,
/// whatever the level.
pub fn room_colour(name: &str) -> [u8; 4] {
    // FNV-1a, and a hue of it.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let hue = (hash >> 40) as f32 / (1u64 << 24) as f32 * 6.0;
    let channel = |centre: f32| {
        let off = (hue - centre).rem_euclid(6.0);
        let part = (off.min(6.0 - off) - 1.0).clamp(0.0, 1.0);
        (255.0 - 190.0 * part) as u8
    };
    [channel(0.0), channel(2.0), channel(4.0), 255]
}

/// Lays over each drawn room its colour.
pub fn tint_rooms(level: &Level, frame: &mut Frame) {
    for placed in &mut frame.placements {
        if let Some(room) = level.rooms.get(placed.light_list as usize) {
            let [r, g, b, _] = room_colour(&room.name);
            placed.tint = [r, g, b, 150];
        }
    }
}

/// Adds the edges of all rooms that are not among `rooms`, where the level has them.
pub fn add_culled(level: &Level, camera: &Camera, rooms: &[VisibleRoom], frame: &mut Frame) {
    let mut is_visible = vec![false; level.rooms.len()];
    for visible in rooms {
        is_visible[visible.room.0 as usize] = true;
    }
    for room in level.room_ids().filter(|room| !is_visible[room.0 as usize]) {
        let placement = frame.placements.len() as u32;
        let placed = place(camera, &Rigid::IDENTITY, room.0);
        frame.placements.push(Placement {
            tint: [90, 170, 255, 255],
            ..placed
        });
        let draws = level.room(room).draws.clone();
        let draws = draws.map(|draw| DrawItem { placement, draw });
        frame.wireframe.extend(draws);
    }
}

/// Adds the lamps of the visible rooms, and for those that reach the eye's own room their ways
/// there: from the lamp to the corners of the last opening's part that it fills.
pub fn add_lights(lighting: &Lighting, camera: &Camera, rooms: &[VisibleRoom], frame: &mut Frame) {
    for visible in rooms {
        for way in lighting.light_paths_into(visible.room) {
            let stands_here = way.opening.is_empty();
            if !stands_here && visible.room != camera.room {
                continue;
            }
            let eye = |p: DVec3| visible.eye_from_room.point(p);
            let from = eye(way.position);
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let (a, b) = (from - axis * LAMP_MARK, from + axis * LAMP_MARK);
                add_line(camera, a, b, way.colour, frame);
            }
            let corners = way.opening.iter();
            for (&a, &b) in corners.clone().zip(corners.cycle().skip(1)) {
                add_line(camera, from, eye(a), way.colour, frame);
                add_line(camera, eye(a), eye(b), way.colour, frame);
            }
        }
    }
}

/// Adds the outlines of all portals of the visible rooms: green where open, red where closed.
pub fn add_portal_outlines(
    level: &Level,
    open: &OpenLinks,
    camera: &Camera,
    rooms: &[VisibleRoom],
    frame: &mut Frame,
) {
    for visible in rooms {
        for (_, portal) in level.portals_of(visible.room) {
            let colour = if open.is_open(portal.link) {
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

/// Adds the outlines of triangles of visible rooms, in the coordinates of each.
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

/// Adds the edges of the view of `frozen`, as long as `length` metres. Both cameras are in the
/// same coordinates.
pub fn add_view_outline(camera: &Camera, frozen: &Camera, length: f64, frame: &mut Frame) {
    let colour = [255, 220, 80, 255];
    let [width, height] = frozen.tan_half();
    let corner = |x: f64, y: f64| {
        let ray = frozen.axes * DVec3::new(x * width, y * height, -1.0);
        frozen.eye + ray * length
    };
    let far = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    for (a, b) in far.iter().zip(far.iter().cycle().skip(1)) {
        add_line(camera, frozen.eye, *a, colour, frame);
        add_line(camera, *a, *b, colour, frame);
    }
}

fn add_line(camera: &Camera, a: DVec3, b: DVec3, colour: [u8; 4], frame: &mut Frame) {
    let view = |p: DVec3| (camera.axes.transpose() * (p - camera.eye)).as_vec3();
    frame.lines.extend([a, b].map(|p| LineVertex {
        position: view(p),
        colour,
    }));
}
