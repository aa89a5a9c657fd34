//! What a file says, before the graph is built: author's coordinates in f64, names as written.
//!
//! The importer makes a [`LevelSource`]; so does code, with a [`builder`]. [`crate::level::build`] checks it
//! and turns it into a [`crate::level::Level`].

pub mod builder;
mod dungeon;
mod grid;
#[doc(hidden)]
pub mod sketch;

pub use dungeon::dungeon;
pub use grid::grid_glb;

use std::ops::RangeInclusive;
use std::sync::Arc;

use glam::{DMat3, DVec3, Vec2, Vec3, Vec4};

use crate::geometry::Rigid;
use crate::level::{
    AuthorPoint, Drive, Image, JointKind, LightKind, Material, Sky, Stiffness, Track,
};

/// Everything that a level file holds.
#[derive(Clone, Debug, Default)]
pub struct LevelSource {
    /// The file's name, for messages.
    pub name: String,
    /// Rooms in file order.
    pub rooms: Vec<RoomSource>,
    /// Meshes of rooms, drawn or solid or both.
    pub meshes: Vec<MeshSource>,
    /// Portal meshes.
    pub portals: Vec<PortalSource>,
    /// Door panels, lifts and all else that moves.
    pub movers: Vec<MoverSource>,
    /// Rigid bodies.
    pub bodies: Vec<BodySource>,
    /// Which of the bodies are brought by spawners.
    pub spawners: Vec<SpawnerSource>,
    /// Joints of bodies with each other and with rooms.
    pub joints: Vec<JointSource>,
    /// Triggers and switches.
    pub triggers: Vec<TriggerSource>,
    /// Convex bounds of rooms.
    pub bounds: Vec<BoundSource>,
    /// Lights.
    pub lights: Vec<LightSource>,
    /// Spawns in file order.
    pub spawns: Vec<SpawnSource>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Decoded pictures.
    pub images: Vec<Image>,
    /// The sky, seen where a material shows it.
    pub sky: Sky,
    /// Exposure compensation, EV: added to the exposure that is found from the lights.
    pub exposure_stops: f32,
    /// How stiff contacts of rigid bodies are.
    pub stiffness: Stiffness,
}

/// A room node.
#[derive(Clone, Debug)]
pub struct RoomSource {
    /// Name without `-room`, `*...` and numeric suffix.
    pub name: String,
    /// The node's name, unchanged.
    pub node: String,
    /// Whether it lies in the open: sunlight comes in from everywhere, and the sky is seen behind
    /// it.
    pub open_to_sky: bool,
}

/// Triangles of one material of one node, winding already right (front faces counter-clockwise)
/// under the node's whole transform.
#[derive(Clone, Debug)]
pub struct MeshSource {
    /// Index into [`LevelSource::rooms`].
    pub room: usize,
    /// The node's name, unchanged; all meshes of a node share it.
    pub node: Arc<str>,
    /// Corners, author's coordinates, metres; all finite.
    pub positions: Vec<DVec3>,
    /// Unit normals, one a corner, or empty: flat ones are made.
    pub normals: Vec<Vec3>,
    /// Unit tangents, one a corner, or empty; `w` is 1 or -1, the bitangent `cross(normal,
    /// tangent) * w`.
    pub tangents: Vec<Vec4>,
    /// Two sets of texture coordinates, v down; one a corner, or empty.
    pub uvs: [Vec<Vec2>; 2],
    /// Linear RGBA factors of the base colour, one a corner, or empty.
    pub colours: Vec<[f32; 4]>,
    /// Indices into `positions`, all in range.
    pub triangles: Vec<[u32; 3]>,
    /// Index into [`LevelSource::materials`].
    pub material: usize,
    /// Whether it is drawn.
    pub drawn: bool,
    /// Whether it is solid.
    pub solid: bool,
}

/// A portal mesh.
#[derive(Clone, Debug)]
pub struct PortalSource {
    /// The node's name, unchanged.
    pub node: String,
    /// Index into [`LevelSource::rooms`] of the room that it is a child of.
    pub room: usize,
    /// Name of the room that it leads to; empty: the room on its other side.
    pub dest: String,
    /// Whether it can be passed back.
    pub two_way: bool,
    /// Takes author's coordinates of its room to those of the room that it leads to: a rotation and
    /// a translation, the identity for an ordinary doorway. The rooms may overlap or lie far apart.
    pub far_from_near: Rigid,
    /// Its triangles, author's coordinates, fronts facing out of the room.
    pub triangles: Vec<[DVec3; 3]>,
}

/// A door panel, a lift, or something else that moves.
#[derive(Clone, Debug)]
pub struct MoverSource {
    /// The node's name, unchanged.
    pub node: String,
    /// Its mesh, one entry a material; `room` says in which room it stands.
    pub meshes: Vec<MeshSource>,
    /// Whether it is a door panel, which closes the portal that it stands in.
    pub is_door: bool,
    /// Where it goes, in author's coordinates.
    pub track: Track,
    /// When and how fast.
    pub drive: Drive,
    /// Indices into [`LevelSource::rooms`] of the rooms that it moves: what is in them keeps its
    /// coordinates, and their portals move.
    pub moved_rooms: Vec<usize>,
    /// The node of another mover, with or without its ending, whose meshes and rooms its own join: they move
    /// as that one does.
    pub moves_with: Option<String>,
}

impl MoverSource {
    /// A door panel that is gone while the door is open.
    pub fn vanishing_door(node: impl Into<String>, meshes: Vec<MeshSource>) -> Self {
        Self {
            node: node.into(),
            meshes,
            is_door: true,
            track: Track::Vanish,
            drive: Drive::default(),
            moved_rooms: Vec::new(),
            moves_with: None,
        }
    }
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct BodySource {
    /// The node's name, unchanged.
    pub node: String,
    /// Its mesh, one entry a material; `room` says which room's child it is. What is solid of it makes the shape.
    pub meshes: Vec<MeshSource>,
    /// What its shape is.
    pub shape: BodyShape,
    /// Unit axes of its node in author's coordinates, along which a box lies: orthonormal, right-handed columns.
    pub axes: DMat3,
    /// Kilograms; without it [`BodySource::DENSITY`] times its volume.
    pub mass: Option<f64>,
    /// Coulomb coefficient; without it that of its material.
    pub friction: Option<f64>,
    /// Coefficient of restitution; without it that of its material.
    pub bounce: Option<f64>,
}

/// A spawner: a body that is absent at first, and of which copies are brought to where it was authored.
#[derive(Clone, Debug, PartialEq)]
pub struct SpawnerSource {
    /// The node's name, unchanged: that of its body in [`LevelSource::bodies`] too.
    pub node: String,
    /// How it brings the copies.
    pub spawning: Spawning,
}

/// How a spawner brings copies of its body, one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spawning {
    /// How many copies there are.
    pub count: u32,
    /// Ticks from one copy to the next.
    pub every_ticks: u32,
    /// The speed at which each begins, m/s, along the negative z axis of its axes (+Y in Blender).
    pub speed: f64,
    /// Whether it goes on, with the copy that it brought first, when all are there.
    pub endless: bool,
}

impl Spawning {
    /// How many copies a spawner may have.
    pub const COUNT: RangeInclusive<f64> = 1.0..=1000.0;
    /// Seconds from one copy to the next.
    pub const EVERY: RangeInclusive<f64> = 0.0..=3600.0;
    /// Speeds at which copies may begin, m/s.
    pub const SPEED: RangeInclusive<f64> = 0.0..=200.0;
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSource {
    /// The node's name, unchanged.
    pub node: String,
    /// Index into [`LevelSource::rooms`] of the room that the node is a child of, if it is one.
    pub room: Option<usize>,
    /// Where it is, in author's coordinates; a rope begins there.
    pub position: AuthorPoint,
    /// Unit axes of its node in author's coordinates: orthonormal, right-handed columns.
    pub axes: DMat3,
    /// The nodes of the body that it holds, and of the body that it holds that to, with or without endings. Without the
    /// latter it holds the body to the room. A rope ends at the point of the first body that is the nearest to the joint.
    pub bodies: Vec<String>,
    /// Which motions it allows.
    pub kind: JointKind,
    /// Linear and angular damping of the body, 1/s.
    pub damping: f64,
}

impl JointSource {
    /// Lengths that a rope may have, metres.
    pub const LENGTH: RangeInclusive<f64> = 0.01..=1000.0;
    /// Angles between which a hinge may turn, degrees.
    pub const ANGLE: RangeInclusive<f64> = -180.0..=180.0;
    /// The damping of a joint, 1/s.
    pub const DAMPING: RangeInclusive<f64> = 0.0..=60.0;
    /// The damping of a joint without one, 1/s: a swing halves in seven seconds.
    pub const DEFAULT_DAMPING: f64 = 0.2;
}

impl BodySource {
    /// Kilograms per cubic metre of a body without a mass: wood.
    pub const DENSITY: f64 = 600.0;
    /// Kilograms that a body may weigh: a grain and a ship.
    pub const MASS: RangeInclusive<f64> = 1e-6..=1e9;
    /// What its coefficient of friction may be.
    pub const FRICTION: RangeInclusive<f64> = 0.0..=100.0;
    /// What its coefficient of restitution may be.
    pub const BOUNCE: RangeInclusive<f64> = 0.0..=1.0;
}

/// How a body's mesh becomes a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyShape {
    /// The ball around the middle of its box that reaches to its farthest corner.
    Sphere,
    /// The box around it along its axes.
    Box,
    /// The smallest convex solid around it.
    Hull,
    /// Its triangles as they are, which must be closed.
    Mesh,
}

/// A trigger or a switch.
#[derive(Clone, Debug)]
pub struct TriggerSource {
    /// The node's name, unchanged.
    pub node: String,
    /// Index into [`LevelSource::rooms`].
    pub room: usize,
    /// What makes it fire.
    pub kind: TriggerKindSource,
    /// Names of what it acts on.
    pub targets: Vec<String>,
    /// Ticks from when it fires to when it acts.
    pub delay_ticks: u32,
    /// Ticks after it fired in which it does not fire again.
    pub wait_ticks: u32,
    /// Whether it fires only once.
    pub once: bool,
    /// What players are told when it acts.
    pub message: String,
}

/// What makes a trigger fire.
#[derive(Clone, Debug, PartialEq)]
pub enum TriggerKindSource {
    /// A player comes into these triangles, author's coordinates: a closed surface.
    Volume(Vec<[DVec3; 3]>),
    /// A player uses the mesh of the node, or runs against it.
    Switch {
        /// Whether running against it will do.
        bump: bool,
    },
    /// Another trigger acts on it.
    Relay,
}

/// A room's convex bounds.
#[derive(Clone, Debug)]
pub struct BoundSource {
    /// Index into [`LevelSource::rooms`].
    pub room: usize,
    /// The node's name, unchanged.
    pub node: String,
    /// Its triangles, author's coordinates.
    pub triangles: Vec<[DVec3; 3]>,
}

/// A light node.
#[derive(Clone, Debug)]
pub struct LightSource {
    /// The node's name, unchanged.
    pub node: String,
    /// The room that it is a child of, if any.
    pub room: Option<usize>,
    /// Where it stands.
    pub position: AuthorPoint,
    /// Unit direction in which it shines (the node's -Z).
    pub direction: DVec3,
    /// Linear RGB.
    pub colour: [f32; 3],
    /// Candela; lux for a directional light.
    pub intensity: f32,
    /// Metres, if limited.
    pub range: Option<f32>,
    /// What it is.
    pub kind: LightKind,
}

/// A spawn node.
#[derive(Clone, Debug)]
pub struct SpawnSource {
    /// The node's name, unchanged.
    pub node: String,
    /// The room that it is a child of, if any.
    pub room: Option<usize>,
    /// Where it stands.
    pub position: AuthorPoint,
    /// The node's -Z, author's coordinates.
    pub forward: DVec3,
}
