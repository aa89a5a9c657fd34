//! The source of a level before the room graph is built, with author's coordinates in f64 and names as written.
//!
//! A [`LevelSource`] comes from a file, or from code that uses a [builder](crate::author::builder).
//! [`crate::build::build`] checks it, and converts it to a [`crate::level::Level`].

use std::ops::RangeInclusive;
use std::sync::Arc;

use glam::{DMat3, DVec3, Vec2, Vec3, Vec4};

use crate::geometry::Rigid;
use crate::level::{
    AuthorPoint, Drive, Image, JointKind, LightKind, Material, Sky, Stiffness, Track,
};

/// The contents of a level file.
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
    /// Movers: door panels, lifts and others.
    pub movers: Vec<MoverSource>,
    /// Rigid bodies.
    pub bodies: Vec<BodySource>,
    /// Spawners. The body of each is in `bodies`, with the same node.
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
    /// Decoded images.
    pub images: Vec<Image>,
    /// The sky, visible through sky materials.
    pub sky: Sky,
    /// Exposure compensation in EV, which is added to the exposure computed from the lights.
    pub exposure_stops: f32,
    /// Stiffness of rigid-body contacts.
    pub stiffness: Stiffness,
}

/// A room node.
#[derive(Clone, Debug)]
pub struct RoomSource {
    /// The node's name without `-room`, without `*...` and without the number that Blender appends.
    pub name: String,
    /// The node's name, unchanged.
    pub node: String,
    /// Whether the room is outdoors: sunlight enters it from all directions, and the sky is visible behind it.
    pub open_to_sky: bool,
}

/// Triangles of one material of one node. The winding is correct (front faces counter-clockwise) after the node's whole
/// transform is applied.
#[derive(Clone, Debug)]
pub struct MeshSource {
    /// Index into [`LevelSource::rooms`].
    pub room: usize,
    /// The node's name, unchanged; all meshes of a node share it.
    pub node: Arc<str>,
    /// Corners; all are finite. Author's coordinates.
    pub positions: Vec<DVec3>,
    /// Unit normals, one per corner; if empty, flat normals are generated.
    pub normals: Vec<Vec3>,
    /// Unit tangents, one per corner, or empty. The sign `w` is 1 or -1; the bitangent is `cross(normal, tangent) * w`.
    pub tangents: Vec<Vec4>,
    /// Two sets of texture coordinates, with v down; one per corner, or empty.
    pub uvs: [Vec<Vec2>; 2],
    /// Linear RGBA factors of the base colour, one per corner, or empty.
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
    /// Index into [`LevelSource::rooms`] of the room of the parent node.
    pub room: usize,
    /// Name of the destination room. If empty, the portal leads to the room on its other side.
    pub dest: String,
    /// Whether it can be passed in both directions.
    pub two_way: bool,
    /// Transforms author's coordinates of the portal's room to those of the destination room. It is a rotation and a
    /// translation; for an ordinary doorway, the identity. The rooms may overlap or lie far apart. Not used if
    /// `leads_to` is given.
    pub far_from_near: Rigid,
    /// The portal at which one arrives, if it is another one. Its room is the destination room.
    pub leads_to: Option<PortalTarget>,
    /// The triangles in author's coordinates; their fronts face out of the room.
    pub triangles: Vec<[DVec3; 3]>,
}

/// The portal at which one arrives that passes a portal. Both polygons are congruent to a millimetre, and both fronts
/// face out of their rooms.
#[derive(Clone, Debug, PartialEq)]
pub struct PortalTarget {
    /// The node of the other portal.
    pub node: String,
    /// The angle at which the destination room appears through the portal, degrees, clockwise. At 0 the upward
    /// directions of both portals coincide: the vertical in a portal's plane, or -Z in a horizontal portal. `None` for
    /// the smallest angle at which the polygons fit. Each of two rooms sees the other at the same angle.
    pub roll_deg: Option<f64>,
}

/// A mover: a door panel, a lift, or another moving object.
#[derive(Clone, Debug)]
pub struct MoverSource {
    /// The node's name, unchanged.
    pub node: String,
    /// The meshes of the node, one per material. Their `room` is the room that contains the mover.
    pub meshes: Vec<MeshSource>,
    /// Whether the mover is a door panel, which closes the portal at its position.
    pub is_door: bool,
    /// The track, in author's coordinates.
    pub track: Track,
    /// Timing and behaviour along the track.
    pub drive: Drive,
    /// Indices into [`LevelSource::rooms`] of the rooms that the mover moves. The contents of these rooms keep their
    /// coordinates, and their portals move.
    pub moved_rooms: Vec<usize>,
    /// If this mover is merged into another, the node of that mover, with or without its ending. The meshes and rooms
    /// of this mover then move with that mover.
    pub moves_with: Option<String>,
}

impl MoverSource {
    /// A door panel that vanishes while the door is open.
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
    /// The meshes of the node, one per material. Their `room` is the room of the parent node. The solid ones define the
    /// shape.
    pub meshes: Vec<MeshSource>,
    /// The kind of collision shape.
    pub shape: BodyShape,
    /// Unit axes of the node in author's coordinates, as orthonormal, right-handed columns. A box shape is aligned with
    /// them.
    pub axes: DMat3,
    /// Mass, kilograms; by default [`BodySource::DENSITY`] times the volume.
    pub mass: Option<f64>,
    /// Coulomb friction coefficient; by default that of the material.
    pub friction: Option<f64>,
    /// Coefficient of restitution; by default that of the material.
    pub bounce: Option<f64>,
}

/// A spawner: its body is absent at first, and copies of the body are spawned where it was authored.
#[derive(Clone, Debug, PartialEq)]
pub struct SpawnerSource {
    /// The node's name, unchanged. Its body in [`LevelSource::bodies`] has the same name.
    pub node: String,
    /// Number, timing and speed of the copies.
    pub spawning: Spawning,
}

/// The schedule on which a spawner spawns copies of its body, one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spawning {
    /// Number of copies.
    pub count: u32,
    /// Ticks between one copy and the next.
    pub every_ticks: u32,
    /// Initial speed of each copy, m/s. Its direction is the negative z axis of the body's axes (+Y in Blender).
    pub speed: f64,
    /// Whether spawning continues once all copies are in the world, by respawning the oldest.
    pub endless: bool,
}

impl Spawning {
    /// Range of the number of copies.
    pub const COUNT: RangeInclusive<f64> = 1.0..=1000.0;
    /// Range of the interval between copies, seconds.
    pub const EVERY: RangeInclusive<f64> = 0.0..=3600.0;
    /// Range of the initial speed, m/s.
    pub const SPEED: RangeInclusive<f64> = 0.0..=200.0;
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSource {
    /// The node's name, unchanged.
    pub node: String,
    /// Index into [`LevelSource::rooms`] of the room of the parent node, if there is one.
    pub room: Option<usize>,
    /// Position in author's coordinates. A rope begins here.
    pub position: AuthorPoint,
    /// Unit axes of the node in author's coordinates, as orthonormal, right-handed columns.
    pub axes: DMat3,
    /// The node of the constrained body, then the node of the body that it is connected to; endings may be left out.
    /// Without the second, the body is connected to the room. A rope ends at the point of the first body that is
    /// nearest to the joint.
    pub bodies: Vec<String>,
    /// The kind of constraint.
    pub kind: JointKind,
    /// Linear and angular damping of the body, 1/s.
    pub damping: f64,
}

impl JointSource {
    /// Range of the length of a rope, metres.
    pub const LENGTH: RangeInclusive<f64> = 0.01..=1000.0;
    /// Range of the limits of a hinge, degrees.
    pub const ANGLE: RangeInclusive<f64> = -180.0..=180.0;
    /// Range of the damping, 1/s.
    pub const DAMPING: RangeInclusive<f64> = 0.0..=60.0;
    /// Default damping, 1/s. The swing of a pendulum halves in seven seconds.
    pub const DEFAULT_DAMPING: f64 = 0.2;
}

impl BodySource {
    /// Density of a body for which no mass is given, kilograms per cubic metre: that of wood.
    pub const DENSITY: f64 = 600.0;
    /// Valid masses of a body, kilograms: from a grain to a ship.
    pub const MASS: RangeInclusive<f64> = 1e-6..=1e9;
    /// Range of the friction coefficient.
    pub const FRICTION: RangeInclusive<f64> = 0.0..=100.0;
    /// Range of the coefficient of restitution.
    pub const BOUNCE: RangeInclusive<f64> = 0.0..=1.0;
}

/// The kind of collision shape that is made of a body's mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyShape {
    /// The ball around the centre of the mesh's box that contains the mesh.
    Sphere,
    /// A capsule around the mesh along the longest axis of the mesh's box. It has the smallest possible radius, and
    /// with that radius the smallest length. If the length is 0, it is a ball.
    Capsule,
    /// The box around the mesh that is aligned with the axes of the node.
    Box,
    /// The convex hull of the mesh.
    Hull,
    /// The triangles of the mesh, which must form a closed surface.
    Mesh,
}

/// A trigger or a switch.
#[derive(Clone, Debug)]
pub struct TriggerSource {
    /// The node's name, unchanged.
    pub node: String,
    /// Index into [`LevelSource::rooms`].
    pub room: usize,
    /// The condition for firing.
    pub kind: TriggerKindSource,
    /// Names of the targets.
    pub targets: Vec<String>,
    /// Number of ticks between firing and acting on the targets.
    pub delay_ticks: u32,
    /// Number of ticks after firing during which it does not fire again.
    pub wait_ticks: u32,
    /// Whether it fires only once.
    pub once: bool,
    /// Message that is shown to players when it acts.
    pub message: String,
}

/// The condition for firing of a trigger.
#[derive(Clone, Debug, PartialEq)]
pub enum TriggerKindSource {
    /// A player enters the closed surface that these triangles form. Coordinates are the author's.
    Volume(Vec<[DVec3; 3]>),
    /// A player uses the mesh of the node, or runs against it.
    Switch {
        /// Whether it also fires when a player runs against it.
        bump: bool,
    },
    /// Only another trigger fires it.
    Relay,
}

/// The convex bounds of a room.
#[derive(Clone, Debug)]
pub struct BoundSource {
    /// Index into [`LevelSource::rooms`].
    pub room: usize,
    /// The node's name, unchanged.
    pub node: String,
    /// The triangles, author's coordinates.
    pub triangles: Vec<[DVec3; 3]>,
}

/// A light node.
#[derive(Clone, Debug)]
pub struct LightSource {
    /// The node's name, unchanged.
    pub node: String,
    /// Index of the room of the parent node; `None` if there is none.
    pub room: Option<usize>,
    /// Position, author's coordinates.
    pub position: AuthorPoint,
    /// Unit direction in which the light is emitted (the node's -Z).
    pub direction: DVec3,
    /// Linear RGB.
    pub colour: [f32; 3],
    /// Intensity in candela; in lux for a directional light.
    pub intensity: f32,
    /// Range, metres; `None` for an unlimited range.
    pub range: Option<f32>,
    /// The radius of the sphere that emits the light, metres; for a directional light the angular radius of its disc,
    /// radians.
    pub radius: f32,
    /// The kind of light.
    pub kind: LightKind,
    /// Whether it is lit at the start.
    pub starts_lit: bool,
    /// The part of its light that varies, as that of a fire, 0..1.
    pub flicker: f32,
}

impl LightSource {
    /// Range of the radius of a lamp, metres.
    pub const RADIUS: RangeInclusive<f64> = 0.0..=10.0;
    /// Default radius of a lamp, metres: that of a bulb.
    pub const DEFAULT_RADIUS: f32 = 0.05;
    /// Range of the angular diameter of a sun, degrees.
    pub const ANGLE: RangeInclusive<f64> = 0.0..=90.0;
    /// Default angular diameter of a sun, degrees: that of the sun seen from the Earth.
    pub const DEFAULT_ANGLE: f64 = 0.53;

    /// The default of [`LightSource::radius`] for a kind of light.
    pub fn default_radius(kind: LightKind) -> f32 {
        match kind {
            LightKind::Directional => Self::radius_of_angle(Self::DEFAULT_ANGLE),
            LightKind::Point | LightKind::Spot { .. } => Self::DEFAULT_RADIUS,
        }
    }

    /// The angular radius, radians, of a disc with an angular diameter in degrees.
    pub fn radius_of_angle(degrees: f64) -> f32 {
        (degrees * 0.5).to_radians() as f32
    }
}

/// A spawn node.
#[derive(Clone, Debug)]
pub struct SpawnSource {
    /// The node's name, unchanged.
    pub node: String,
    /// Index of the room of the parent node; `None` if there is none.
    pub room: Option<usize>,
    /// Position, author's coordinates.
    pub position: AuthorPoint,
    /// Direction of the node's -Z in author's coordinates.
    pub forward: DVec3,
}
