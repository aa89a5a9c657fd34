//! A picture as data.

use std::cmp::Reverse;
use std::ops::Range;

use glam::{Affine3A, DQuat, Mat3, Mat4, Quat, Vec3};

use crate::geometry::{Aabb, Rigid};
use crate::level::{MoverId, RoomId, RoomPlace, Vertex};
use crate::lighting::LitBy;
use crate::visibility::Camera;

/// The usual vertical field of view, degrees.
pub const FOV_DEG: f64 = 70.0;

/// A room, or a part of a mover, where it is seen. Its meshes are in model coordinates: those of the
/// room or of the mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    /// Rotation (or mirror) from the room's coordinates to the view's.
    pub view_from_room: Mat3,
    /// The pose: rotates model coordinates, and then moves them, metres, to those of the room that its
    /// lights are given in. The identity for a room.
    pub pose_rotation: Quat,
    /// See [`Instance::pose_rotation`].
    pub pose_translation: Vec3,
    /// The eye in model coordinates, metres, rounded to f32.
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
    /// What it draws.
    pub mesh: Mesh,
}

/// What a draw call draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mesh {
    /// Index into [`draws`](crate::level::LevelData::draws).
    Level(u32),
    /// Index into [`Frame::figures`].
    Figure(u32),
}

/// A figure in the pose of this frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureMesh {
    /// Its range of [`Frame::figure_indices`].
    pub indices: Range<u32>,
    /// The box around it, in its own coordinates.
    pub bounds: Aabb,
    /// Where it casts shadows, a range of [`Frame::figure_places`].
    pub places: Range<usize>,
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
    /// The drawn rooms and parts of movers.
    pub instances: Vec<Instance>,
    /// The draw calls. First those of opaque and masked materials, near rooms first, so that
    /// surfaces hidden by them need not be shaded; then those of blended materials, far rooms
    /// first, in each the farther draws first. The order of two rooms does not depend on which
    /// others are drawn, so that surfaces in exactly the same place look the same however culled.
    pub draws: Vec<DrawItem>,
    /// How many of `draws` are not blended.
    pub solid_draws: usize,
    /// The figures, seen or not: those that are not cast shadows.
    pub figures: Vec<FigureMesh>,
    /// Vertices of all figures, each in its own coordinates.
    pub figure_vertices: Vec<Vertex>,
    /// Triangles of all figures, indices into [`Frame::figure_vertices`].
    pub figure_indices: Vec<u32>,
    /// The rooms that figures are in or reach into, each with the transform from the figure's coordinates to the
    /// room's.
    pub figure_places: Vec<RoomPlace>,
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
    /// The movers that are drawn, each with the transform from its room's coordinates to those of the
    /// eye's room.
    pub(super) movers: Vec<(MoverId, Rigid)>,
    /// The blended draws: place in the order of rooms, far ones first; bits of the distance within
    /// the room; the draw.
    pub(super) blended: Vec<(Reverse<Order>, Reverse<u32>, DrawItem)>,
    /// From the model's coordinates of a figure to where each joint takes them.
    pub(super) palette: Vec<Affine3A>,
}

/// Place in the order of drawing: bits of the distance of the nearest room, the room, and whether it
/// is a mover between that and one farther away.
pub(super) type Order = (u32, RoomId, bool);

impl Frame {
    pub(super) fn clear_figures(&mut self) {
        self.figures.clear();
        self.figure_vertices.clear();
        self.figure_indices.clear();
        self.figure_places.clear();
    }
}

impl Instance {
    /// Whether another instance of the same model stands in the same place, to a tenth of a millimetre.
    pub(super) fn is_about(&self, other: &Self) -> bool {
        const SAME_PLACE: f32 = 1e-4;
        self.eye.abs_diff_eq(other.eye, SAME_PLACE)
            && self
                .view_from_room
                .abs_diff_eq(other.view_from_room, SAME_PLACE)
    }

    /// What stands in a room, in a pose that is no mirror; untinted.
    pub(super) fn new(
        camera: &Camera,
        eye_from_room: &Rigid,
        room_from_model: &Rigid,
        lit_by: LitBy,
    ) -> Self {
        let model_from_eye = eye_from_room.after(room_from_model).inverse();
        let eye = model_from_eye.point(camera.at.point);
        let rotation = camera.axes.transpose() * eye_from_room.rotation();
        let rounded = eye.as_vec3();
        Self {
            view_from_room: rotation.as_mat3(),
            pose_rotation: DQuat::from_mat3(&room_from_model.rotation()).as_quat(),
            pose_translation: room_from_model.translation().as_vec3(),
            eye: rounded,
            eye_remainder: (eye - rounded.as_dvec3()).as_vec3(),
            lit_by,
            mirrored: rotation.determinant() < 0.0,
            tint: [0; 4],
        }
    }
}
