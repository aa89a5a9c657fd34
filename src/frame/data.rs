//! The frame: a picture as data.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

use glam::{Affine3A, DQuat, Mat3, Mat4, Quat, Vec3};

use super::occluder_grid::{FrameOccluders, OccluderList};
use super::sheets::FrameSheets;
use crate::geometry::{Aabb, Rigid};
use crate::level::{BodyId, MoverId, PortalId, RoomId, RoomPlace, Vertex};
use crate::lighting::LitBy;
use crate::visibility::{Camera, ViewVolume};

/// The default vertical field of view, degrees.
pub const FOV_DEG: f64 = 70.0;

/// A visible room or mover part at its place. Its meshes are in model coordinates: those of the room or of the mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    /// The rotation (or mirror) from the room's coordinates to the view's.
    pub view_from_room: Mat3,
    /// The rotation of the pose. The pose first rotates, then translates model coordinates to the coordinates of the
    /// room whose lights light the instance. It is the identity for a room.
    pub pose_rotation: Quat,
    /// The translation of the pose, metres; see [`Instance::pose_rotation`].
    pub pose_translation: Vec3,
    /// The eye in model coordinates, metres, rounded to f32.
    pub eye: Vec3,
    /// The rounding error of [`Instance::eye`]. Subtracting the eye and then this error from a vertex keeps the picture
    /// steady where f32 coordinates are coarse.
    pub eye_remainder: Vec3,
    /// The lights that reach the instance.
    pub lit_by: LitBy,
    /// Whether the instance is seen through an odd number of mirrors, so that windings appear reversed.
    pub mirrored: bool,
    /// The colour overlaid on the instance: sRGB and strength, 0..255.
    pub tint: [u8; 4],
    /// The reflections of its surroundings: [`ReflectionList::start`] of a list, or 0 for none.
    pub reflections: u32,
    /// The bodies that darken its surroundings.
    pub occluders: OccluderList,
    /// The head of its sheet in [`FrameSheets::records`]; `None` if nothing of it is hidden by portals that bend space.
    pub sheet: Option<u32>,
}

/// A draw call: one material's range of indices in an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DrawItem {
    /// Index into [`Frame::instances`].
    pub instance: u32,
    /// The mesh to draw.
    pub mesh: DrawMesh,
}

/// The mesh of a draw call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DrawMesh {
    /// A mesh of the level: index into [`draws`](crate::level::LevelData::draws).
    Level(u32),
    /// A mesh of a figure: index into [`Frame::figures`].
    Figure(u32),
}

/// A figure in the pose of this frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureMesh {
    /// The range of [`Frame::figure_indices`].
    pub indices: Range<u32>,
    /// The bounds, in the figure's coordinates.
    pub bounds: Aabb,
    /// The rooms in which the figure casts shadows, a range of [`Frame::figure_places`].
    pub places: Range<usize>,
}

/// An end of a debug line.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct LineVertex {
    /// The position, metres, in the view's coordinates: right, up, back.
    pub position: Vec3,
    /// The colour: sRGB and alpha, 0..255.
    pub colour: [u8; 4],
}

/// A picture as plain data. Reused from frame to frame, so that composing allocates nothing after the first frames.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The projection from view coordinates to clip coordinates: reversed depth, 1 at the near plane, 0 at infinity.
    pub clip_from_view: Mat4,
    /// The rotation from view coordinates to those of the eye's room.
    pub eye_from_view: Mat3,
    /// The time of flickering lights, seconds; `None` if they do not flicker. Composing does not change it.
    pub flicker_secs: Option<f64>,
    /// The drawn rooms and parts of movers.
    pub instances: Vec<Instance>,
    /// The draw calls. First those of opaque and masked materials, near rooms first, so that surfaces hidden by near
    /// rooms need not be shaded. Then those of blended materials, far rooms first, and farther draws first within a
    /// room. The order of two rooms does not depend on which other rooms are drawn, so that coincident surfaces look
    /// the same with any culling.
    pub draws: Vec<DrawItem>,
    /// The number of `draws` that are not blended.
    pub solid_draws: usize,
    /// All figures, visible or not: invisible ones still cast shadows.
    pub figures: Vec<FigureMesh>,
    /// Vertices of all figures, each in its own coordinates.
    pub figure_vertices: Vec<Vertex>,
    /// Triangles of all figures, indices into [`Frame::figure_vertices`].
    pub figure_indices: Vec<u32>,
    /// The rooms that contain figures or into which figures extend, each with the transform from the figure's
    /// coordinates to the room's.
    pub figure_places: Vec<RoomPlace>,
    /// The vertices of debug lines, two per line. Drawn over everything.
    pub lines: Vec<LineVertex>,
    /// Draws of which only the triangle edges are drawn, over everything, in the tint of their instance.
    pub wireframe: Vec<DrawItem>,
    /// The reflections of rooms on smooth surfaces.
    pub reflections: FrameReflections,
    /// The bodies that darken surfaces around them.
    pub occluders: FrameOccluders,
    /// The parts of the picture between portals that bend space.
    pub sheets: FrameSheets,
    /// The number of rooms of which something is drawn.
    pub rooms_drawn: usize,
    /// The number of triangles that are drawn.
    pub triangles_drawn: u64,
    /// The visible rooms, near ones first. Each has the bits of its distance, the room, and its index in the list of
    /// visible rooms.
    pub(super) nearest: Vec<(u32, RoomId, u32)>,
    /// The part of space in which each visible room is seen, in coordinates of the eye's room.
    pub(super) volumes: Vec<ViewVolume>,
    /// The part of space that the whole picture shows, in coordinates of the eye's room.
    pub(super) picture: ViewVolume,
    /// The instances of bodies, in order, each with its body.
    pub(super) instance_bodies: Vec<(u32, BodyId)>,
    /// The appearances of bodies in visible rooms, in the order of drawing.
    pub(super) body_images: Vec<BodyImage>,
    /// The drawn movers, each with the transform from its room's coordinates to those of the eye's room, and its sheet.
    pub(super) movers: Vec<(MoverId, Rigid, Option<u32>)>,
    /// The blended draws, farther ones first. Each has its position in the order of rooms, the bits of its distance
    /// within the room, and the draw.
    pub(super) blended: Vec<(Reverse<DrawOrder>, Reverse<u32>, DrawItem)>,
    /// The transform of each joint of a figure: from the model's coordinates to the posed ones.
    pub(super) palette: Vec<Affine3A>,
}

/// The reflections of rooms that a frame needs.
#[derive(Clone, Debug, Default)]
pub struct FrameReflections {
    /// The records of rooms, portals and instances, in the layout of the shader.
    pub records: Vec<[f32; 4]>,
    /// The cubes, in the order of their records.
    pub slots: Vec<CubeSlot>,
    /// The lists of instances, in the order of their records.
    pub lists: Vec<ReflectionList>,
    /// The slots of all lists, indices into `slots`.
    pub list_slots: Vec<u32>,
    /// The maximum number of faces to draw in this frame; `None` if all must be up to date.
    pub max_faces: Option<u32>,
}

/// A cube, and its place in the records.
#[derive(Clone, Debug)]
pub struct CubeSlot {
    /// The index in [`FrameReflections::records`] of the record whose last number is the cube's layer.
    pub record: u32,
    /// The cube; `None` if it was not composed yet.
    pub cube: Option<Arc<ReflectionCube>>,
}

/// The cubes that an instance reflects.
#[derive(Clone, Debug)]
pub struct ReflectionList {
    /// The index of its first record.
    pub start: u32,
    /// Its range of [`FrameReflections::list_slots`].
    pub slots: Range<u32>,
}

/// The identity of a cube: its room, and its index among the cubes of the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CubeId {
    /// The room.
    pub room: RoomId,
    /// The index among the cubes of the room.
    pub nth: u32,
}

/// A picture of a room in all directions. Another picture of the same room is another value.
#[derive(Debug)]
pub struct ReflectionCube {
    /// The identity.
    pub id: CubeId,
    /// The faces +X, -X, +Y, -Y, +Z, -Z, each a frame for a square target.
    pub faces: Vec<Frame>,
}

impl FrameReflections {
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.slots.clear();
        self.lists.clear();
        self.list_slots.clear();
        self.max_faces = None;
    }

    /// The cubes that an instance with this list reflects, indices into [`FrameReflections::slots`].
    pub fn slots_of(&self, list: u32) -> &[u32] {
        let found = self.lists.binary_search_by_key(&list, |list| list.start);
        let slots = found.map_or(0..0, |at| self.lists[at].slots.clone());
        &self.list_slots[slots.start as usize..slots.end as usize]
    }
}

/// An appearance of a body in a visible room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BodyImage {
    pub body: BodyId,
    /// The portal through which the body extends into the visible room; `None` if its centre is in that room.
    pub through: Option<PortalId>,
    /// The index in the list of visible rooms.
    pub visible: u32,
}

/// A position in the drawing order: the bits of the distance of a room, the room, and whether a draw belongs to a mover
/// between this room and a farther one.
pub(super) type DrawOrder = (u32, RoomId, bool);

impl Frame {
    pub(super) fn clear_figures(&mut self) {
        self.figures.clear();
        self.figure_vertices.clear();
        self.figure_indices.clear();
        self.figure_places.clear();
    }
}

impl Instance {
    /// Whether another instance of the same model is in the same sheet and at the same place, to a tenth of a millimetre.
    pub(super) fn is_about(&self, other: &Self) -> bool {
        const SAME_PLACE: f32 = 1e-4;
        self.sheet == other.sheet
            && self.eye.abs_diff_eq(other.eye, SAME_PLACE)
            && self
                .view_from_room
                .abs_diff_eq(other.view_from_room, SAME_PLACE)
    }

    /// Creates an untinted instance of a model in a room, in a pose without mirroring.
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
            reflections: 0,
            occluders: OccluderList::NONE,
            sheet: None,
        }
    }
}
