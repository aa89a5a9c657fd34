//! A picture as data.

use std::cmp::Reverse;

use glam::{Mat3, Mat4, Vec3};

use crate::geometry::Rigid;
use crate::level::RoomId;
use crate::lighting::LitBy;
use crate::visibility::Camera;

/// The usual vertical field of view, degrees.
pub const FOV_DEG: f64 = 70.0;

/// A room, or a side of a door panel, where it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    /// Rotation (or mirror) from the room's coordinates to the view's.
    pub view_from_room: Mat3,
    /// The eye in the room's coordinates, metres, rounded to f32.
    pub eye: Vec3,
    /// What the rounding of [`Instance::eye`] lost. Subtracting both from a vertex keeps the
    /// picture still where f32 coordinates are coarse.
    pub eye_remainder: Vec3,
    /// Which lights reach it.
    pub lit_by: LitBy,
    /// Whether it is seen through an odd number of mirrors, so that windings appear reversed.
    pub mirrored: bool,
    /// sRGB and strength of a colour that is laid over it, 0..255.
    pub tint: [u8; 4],
}

/// One draw call: a range of one material of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DrawItem {
    /// Index into [`Frame::instances`].
    pub instance: u32,
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
    /// The drawn rooms and sides of door panels.
    pub instances: Vec<Instance>,
    /// The draw calls. First those of opaque and masked materials, near rooms first, so that
    /// surfaces hidden by them need not be shaded; then those of blended materials, far rooms
    /// first, in each the farther draws first. The order of two rooms does not depend on which
    /// others are drawn, so that surfaces in exactly the same place look the same however culled.
    pub draws: Vec<DrawItem>,
    /// How many of `draws` are not blended.
    pub solid_draws: usize,
    /// Debug lines: each pair of vertices is one. Drawn over everything.
    pub lines: Vec<LineVertex>,
    /// Draws of which only the edges of the triangles are drawn, over everything, in the tint of
    /// their instance.
    pub wireframe: Vec<DrawItem>,
    /// How many rooms are drawn.
    pub rooms_drawn: usize,
    /// How many triangles are drawn.
    pub triangles_drawn: u64,
    /// The visible rooms, near ones first: bits of the distance, room, index in the
    /// list of visible rooms.
    pub(super) nearest: Vec<(u32, RoomId, u32)>,
    /// The blended draws: place in the order of rooms, far ones first; bits of the distance within
    /// the room; the draw.
    pub(super) blended: Vec<(Reverse<Order>, Reverse<u32>, DrawItem)>,
}

/// Place in the order of drawing: bits of the distance of the nearer room, the room, and whether it
/// is a door panel between that and one farther away.
pub(super) type Order = (u32, RoomId, bool);

impl Instance {
    /// A room, or a panel in the coordinates of a room, untinted.
    pub(super) fn new(camera: &Camera, eye_from_room: &Rigid, lit_by: LitBy) -> Self {
        let room_from_eye = eye_from_room.inverse();
        let eye = room_from_eye.point(camera.at.point);
        let rotation = camera.axes.transpose() * eye_from_room.rotation();
        let rounded = eye.as_vec3();
        Self {
            view_from_room: rotation.as_mat3(),
            eye: rounded,
            eye_remainder: (eye - rounded.as_dvec3()).as_vec3(),
            lit_by,
            mirrored: rotation.determinant() < 0.0,
            tint: [0; 4],
        }
    }
}
