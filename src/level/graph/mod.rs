//! The room graph itself: rooms of polygons, portals between them, and what lies in them.

mod at;
mod body;
mod crossing;
mod inputs;
mod joint;
pub(in crate::level) mod locate;
mod material;
mod mover;
mod openings;
mod room_poses;
mod simulation_hash;
pub(in crate::level) mod solids;
mod track;
mod trigger;
pub(in crate::level) mod vertex;
pub(in crate::level) mod walk;
pub(in crate::level) mod winding;

pub use at::{At, AuthorPoint};
pub use body::{BodyId, RigidBody, Spawner, SpawnerId, Stiffness};
pub(crate) use crossing::MAX_CROSSINGS;
pub(in crate::level) use inputs::{
    Inputs, KnownSprawl, KnownWinding, OnlyDrawn, RoomInput, WindingKey,
};
pub use joint::{Joint, JointBase, JointId, JointKind, Joints};
pub(crate) use locate::holds;
pub use locate::locate;
pub use material::{Alpha, Filter, Image, Material, Sampler, Sky, Texture, Wrap, linear_from_srgb};
pub(crate) use mover::TURNED;
pub use mover::{
    Cycle, Drive, Mover, MoverId, MoverImage, MoverPart, MoverPartId, RoomPlace, StartedBy,
    TICKS_PER_SECOND, WhenBlocked,
};
pub(in crate::level) use openings::Openings;
pub use room_poses::RoomPoses;
pub(crate) use solids::SolidGroup;
pub use solids::{EdgeKind, SolidSet, SolidTriangle, Solids, Surface};
pub(in crate::level) use track::slerp;
pub use track::{Key, Track};
pub use trigger::{Target, Trigger, TriggerId, TriggerKind};
pub use vertex::{UnitVector, Vertex};
pub(crate) use walk::{Front, RoomImage, Walk};

use std::ops::{Deref, Range};

use glam::DVec3;

use crate::geometry::{Aabb, ConvexPolygon, Rigid, SortedBoxes, Triangle};

/// Index of a room in [`LevelData::rooms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoomId(pub u32);

/// Index of one side of a link in [`LevelData::portals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortalId(pub u32);

/// Index of an authored opening in [`LevelData::links`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u32);

/// A level as every reader sees it: [`LevelData`] that was checked and linked by
/// [`build`](crate::level::build), and that never changes after.
///
/// ```compile_fail
/// fn close_all(level: &mut opendoor::level::Level) {
///     level.portals.clear();
/// }
/// ```
#[derive(Debug)]
pub struct Level {
    data: LevelData,
    pub(in crate::level) inputs: Inputs,
}

impl Level {
    pub(in crate::level) fn new(mut data: LevelData, inputs: Inputs) -> Self {
        openings::sort(&mut data);
        Self { data, inputs }
    }

    /// A hash of all that the solids and draws of a room were made of, but for what their materials look like: rooms of
    /// the same hash have the same, in this and in other versions of the level.
    pub(crate) fn room_key(&self, room: RoomId) -> u128 {
        self.inputs.rooms[room.0 as usize].key
    }
}

impl Deref for Level {
    type Target = LevelData;

    fn deref(&self) -> &LevelData {
        &self.data
    }
}

/// What a [`Level`] consists of. Coordinates are metres, +Y up, relative to
/// [`LevelData::origin`] so that f32 is exact enough wherever the author put the model.
#[derive(Debug)]
#[non_exhaustive]
pub struct LevelData {
    /// The file's name, for messages.
    pub name: String,
    /// Author's coordinates of the level's origin: `author = level + origin`.
    pub origin: DVec3,
    /// Rooms, sorted by name.
    pub rooms: Vec<Room>,
    /// One for each direction in which a link can be passed, sorted by the room left.
    pub portals: Vec<Portal>,
    /// The openings as authored, one per portal mesh.
    pub links: Vec<Link>,
    /// What moves: door panels in the order of the links that they close, then the others by name.
    pub movers: Vec<Mover>,
    /// The parts of movers, mover by mover.
    pub mover_parts: Vec<MoverPart>,
    /// Rigid bodies, by name.
    pub bodies: Vec<RigidBody>,
    /// The spawners of bodies, by name.
    pub spawners: Vec<Spawner>,
    /// Joints of bodies with each other and with rooms.
    pub joints: Joints,
    /// The first triangle in [`LevelData::solids`] of each body that has any, in order.
    pub(in crate::level) solids_of_bodies: Vec<(u32, BodyId)>,
    /// Triggers and switches, by name.
    pub triggers: Vec<Trigger>,
    /// Geometry of one room in the air of another, grouped by the latter, then by portal.
    pub sprawls: Vec<Sprawl>,
    /// The solid triangles of [`LevelData::sprawls`], indices into [`LevelData::solids`].
    pub sprawling_triangles: Vec<u32>,
    /// The solid triangles of [`LevelData::sprawls`] as far as they lie in the air that they sprawl into, cut along openings.
    pub sprawling_parts: Vec<Triangle>,
    /// Everything solid, room by room.
    pub solids: Solids,
    /// Everything drawn: vertices, shared by [`LevelData::indices`].
    pub vertices: Vec<Vertex>,
    /// Triangles of [`LevelData::vertices`], grouped by room and material.
    pub indices: Vec<u32>,
    /// Ranges of [`LevelData::indices`] of one material, grouped by room, then by mover. Blended triangles have one for each
    /// connected piece, or for neighbours where there are many.
    pub draws: Vec<Draw>,
    /// Surfaces.
    pub materials: Vec<Material>,
    /// Pictures that materials refer to.
    pub images: Vec<Image>,
    /// Lights, sorted by name.
    pub lights: Vec<Light>,
    /// The sky, seen where a material shows it and behind everything.
    pub sky: Sky,
    /// Exposure compensation, EV: added to the exposure that is found from the lights.
    pub exposure_stops: f32,
    /// How stiff contacts of rigid bodies are.
    pub stiffness: Stiffness,
    /// Where the character can start; the first is the default one.
    pub spawns: Vec<Spawn>,
    /// Solid triangles that were dropped because they have no area.
    pub degenerate_triangles: usize,
}

/// A set of polygons, closed except where portals open it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Room {
    /// Name without suffixes, unique in its level.
    pub name: String,
    /// Box around all that is drawn or solid in it, around its portals, its barriers and its movers,
    /// and around what sprawls into it.
    pub bounds: Aabb,
    /// Its outgoing portals, in [`LevelData::portals`].
    pub portals: Range<u32>,
    /// What sprawls into it from other rooms, in [`LevelData::sprawls`].
    pub sprawls: Range<u32>,
    /// The parts of it that sprawl into other rooms, in [`LevelData::sprawls`].
    pub sprawls_elsewhere: Vec<u32>,
    /// The polygons of links that can be met in it.
    pub barriers: Vec<Barrier>,
    /// The movers that reach into it, in their order.
    pub movers: Vec<MoverImage>,
    /// The boxes around these, grown by what the mover may move in a tick as [`TURNED`] boxes need it.
    pub(crate) mover_boxes: SortedBoxes,
    /// Its portals and barriers in trees, once the level is whole.
    pub(in crate::level) openings: Openings,
    /// The triggers and switches in it.
    pub triggers: Vec<TriggerId>,
    /// Its triangles in [`LevelData::solids`].
    pub solids: SolidSet,
    /// Its ranges in [`LevelData::draws`].
    pub draws: Range<u32>,
    /// How many solid triangles the author gave it, those without area left out.
    pub triangles: u32,
    /// Whether it lies in the open: sunlight comes in from everywhere, and the sky is seen behind it.
    pub open_to_sky: bool,
    /// The mover that moves it: what is in it keeps its coordinates, and its portals move.
    pub moved_by: Option<MoverId>,
}

impl Room {
    /// Where a mover is met in the room.
    pub(crate) fn images_of(&self, mover: MoverId) -> impl Iterator<Item = &MoverImage> {
        let first = self.movers.partition_point(|image| image.mover < mover);
        let images = self.movers[first..].iter();
        images.take_while(move |image| image.mover == mover)
    }
}

/// One direction through a link: from the room that it leaves into the room that it enters. If one of
/// them moves without the other, this is as it was authored, and [`RoomPoses`] has it as it is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Portal {
    /// The opening that it is a side of.
    pub link: LinkId,
    /// The room it leaves.
    pub near: RoomId,
    /// The room it enters.
    pub far: RoomId,
    /// The opening, in coordinates of `near`; its normal points out of `near`, into `far`.
    pub polygon: ConvexPolygon,
    /// Takes coordinates of `near` to those of `far`; the identity for an ordinary doorway.
    pub far_from_near: Rigid,
    /// Box around the polygon, in coordinates of `near`.
    pub bounds: Aabb,
    /// Its index in [`RoomPoses`], if one of its rooms moves without the other.
    pub(in crate::level) moving: Option<u32>,
}

/// An opening as authored.
#[derive(Debug)]
#[non_exhaustive]
pub struct Link {
    /// Name of its node, unchanged.
    pub name: String,
    /// The room that the node is a child of.
    pub near: RoomId,
    /// The room on its other side.
    pub far: RoomId,
    /// Area of the opening, square metres.
    pub area: f64,
    /// The side that leaves `near`.
    pub portal: PortalId,
    /// The way back, unless the link is one-way.
    pub back: Option<PortalId>,
    /// The panel that closes it, if it is a door.
    pub panel: Option<MoverId>,
}

/// The polygon of a link, as it stands in one room. It is solid while the link is closed, for everything
/// that touches `bounds` in that room, whatever portals are near.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Barrier {
    /// The link that it closes.
    pub link: LinkId,
    /// Takes coordinates of [`Link::near`], which are those of the polygon, to those of the room, both
    /// where they were authored.
    pub room_from_link: Rigid,
    /// Box around the polygon, wherever it moves, in the room's coordinates.
    pub bounds: Aabb,
}

/// Geometry of one room in the air of another, through one portal.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sprawl {
    /// The room that it belongs to.
    pub room: RoomId,
    /// The portal that it comes in through; it leaves the room that is sprawled into.
    pub through: PortalId,
    /// Takes coordinates of `room` to those of the room that is sprawled into.
    pub into_from_room: Rigid,
    /// Box around the part on the near side of the portal, in coordinates of the room that is
    /// sprawled into.
    pub bounds: Aabb,
    /// Its solid triangles, in [`LevelData::sprawling_triangles`].
    pub triangles: Range<u32>,
    /// Its parts in [`LevelData::sprawling_parts`], in coordinates of the room that is sprawled into;
    /// without those of the sprawls before it.
    pub parts: Range<u32>,
    /// Its index in [`RoomPoses`], if one of the rooms moves without the other.
    pub(in crate::level) moving: Option<u32>,
}

/// An index range of one material, and of one connected piece, or of neighbouring ones, if it
/// blends.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Draw {
    /// Index into [`LevelData::materials`].
    pub material: u32,
    /// Range of [`LevelData::indices`].
    pub indices: Range<u32>,
    /// Box around it, in the room's coordinates.
    pub bounds: Aabb,
}

/// A light that stands in a room.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Light {
    /// Name of its node.
    pub name: String,
    /// Where it stands; in no room, in the one that it is a child of. `None` for one that is nowhere,
    /// which lights nothing, unless it is the sun of a level that shows the sky.
    pub at: Option<At>,
    /// Unit direction in which it shines.
    pub direction: DVec3,
    /// Linear RGB, at most 1.
    pub colour: [f32; 3],
    /// Candela; lux for a directional light.
    pub intensity: f32,
    /// Metres beyond which it has no effect, if limited.
    pub range: Option<f32>,
    /// What it is.
    pub kind: LightKind,
}

/// At most this many lamps act on one room: the strongest. Bounds the work for a pixel.
pub(crate) const MAX_LAMPS: usize = 16;

/// The kinds of KHR_lights_punctual.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LightKind {
    /// Shines everywhere alike.
    Point,
    /// Shines in a cone; angles from its axis, radians.
    Spot {
        /// Full strength inside.
        inner: f32,
        /// Nothing outside.
        outer: f32,
    },
    /// Shines in parallel rays.
    Directional,
}

/// How far above a spawn its room is looked for, metres: a spawn often stands exactly on the floor,
/// which is no side of a closed room.
pub const SPAWN_LIFT: f64 = 0.05;

/// Where the character can start.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spawn {
    /// Name of its node.
    pub name: String,
    /// Where it is; the character stands on the floor below. Its room is the one [`SPAWN_LIFT`]
    /// above it.
    pub at: At,
    /// Degrees from -Z, positive to the left.
    pub yaw: f64,
}

impl Portal {
    /// Whether one of its rooms moves without the other.
    pub fn moves(&self) -> bool {
        self.moving.is_some()
    }
}

impl Light {
    /// Where it stands, metres, in the coordinates of its room; zero for one that is nowhere.
    pub fn position(&self) -> DVec3 {
        self.at.map_or(DVec3::ZERO, |at| at.point)
    }
}

impl LevelData {
    /// The rigid body whose surface a triangle of [`LevelData::solids`] is a part of.
    pub fn body_of_solid(&self, triangle: u32) -> Option<BodyId> {
        let after = self
            .solids_of_bodies
            .partition_point(|(first, _)| *first <= triangle);
        let (_, id) = self.solids_of_bodies[..after].last()?;
        self.body(*id).solids.contains(triangle).then_some(*id)
    }

    /// The room with this index.
    pub fn room(&self, id: RoomId) -> &Room {
        &self.rooms[id.0 as usize]
    }

    /// The portal with this index.
    pub fn portal(&self, id: PortalId) -> &Portal {
        &self.portals[id.0 as usize]
    }

    /// The link with this index.
    pub fn link(&self, id: LinkId) -> &Link {
        &self.links[id.0 as usize]
    }

    /// Whether the sky is seen from somewhere.
    pub fn shows_sky(&self) -> bool {
        let materials = self.draws.iter().map(|draw| draw.material as usize);
        let mut materials = materials.filter_map(|index| self.materials.get(index));
        materials.any(|material| material.sky) || self.rooms.iter().any(|room| room.open_to_sky)
    }

    /// All rooms' indices.
    pub fn room_ids(&self) -> impl ExactSizeIterator<Item = RoomId> + use<> {
        (0..self.rooms.len() as u32).map(RoomId)
    }

    /// The portals that leave a room, with their indices.
    pub fn portals_of(&self, room: RoomId) -> impl Iterator<Item = (PortalId, &Portal)> {
        self.room(room)
            .portals
            .clone()
            .map(|i| (PortalId(i), &self.portals[i as usize]))
    }

    /// What sprawls into a room from others.
    pub fn sprawls_into(&self, room: RoomId) -> &[Sprawl] {
        let range = &self.room(room).sprawls;
        &self.sprawls[range.start as usize..range.end as usize]
    }

    /// The parts of a room that sprawl into others.
    pub fn sprawls_out_of(&self, room: RoomId) -> impl Iterator<Item = &Sprawl> {
        let indices = self.room(room).sprawls_elsewhere.iter();
        indices.map(|&index| &self.sprawls[index as usize])
    }

    /// What sprawls into a room through one of its portals.
    pub fn sprawls_through(&self, id: PortalId) -> impl Iterator<Item = &Sprawl> {
        let sprawls = self.sprawls_into(self.portal(id).near);
        let first = sprawls.partition_point(|sprawl| sprawl.through < id);
        sprawls[first..].iter().take_while(move |s| s.through == id)
    }

    /// Box around what of the room behind a portal sprawls through it to the near side, in
    /// coordinates of [`Portal::near`]; empty if nothing does.
    pub fn sprawl_through(&self, id: PortalId) -> Aabb {
        let far = self.portal(id).far;
        let through = self.sprawls_through(id);
        let behind = through.filter(|sprawl| sprawl.room == far);
        behind.fold(Aabb::EMPTY, |all, sprawl| all.union(sprawl.bounds))
    }

    /// The way back through the same link, unless it is one-way.
    pub fn back(&self, id: PortalId) -> Option<PortalId> {
        let link = self.link(self.portal(id).link);
        if link.portal == id {
            link.back
        } else {
            Some(link.portal)
        }
    }

    /// The trigger with this index.
    pub fn trigger(&self, id: TriggerId) -> &Trigger {
        &self.triggers[id.0 as usize]
    }

    /// The rigid body with this index.
    pub fn body(&self, id: BodyId) -> &RigidBody {
        &self.bodies[id.0 as usize]
    }

    /// The mover with this index.
    pub fn mover(&self, id: MoverId) -> &Mover {
        &self.movers[id.0 as usize]
    }

    /// The parts of a mover, with their indices.
    pub fn parts_of(&self, mover: &Mover) -> impl Iterator<Item = (MoverPartId, &MoverPart)> {
        let parts = mover.parts.clone();
        parts.map(|i| (MoverPartId(i), &self.mover_parts[i as usize]))
    }

    /// The links that have a door panel, in order.
    pub fn doors(&self) -> impl Iterator<Item = LinkId> + '_ {
        self.movers.iter().filter_map(|mover| mover.link)
    }

    /// The room with this name.
    pub fn room_named(&self, name: &str) -> Option<RoomId> {
        let found = self.rooms.binary_search_by(|r| r.name.as_str().cmp(name));
        found.ok().map(|i| RoomId(i as u32))
    }

    /// Level coordinates, metres, of a point given in the author's.
    pub fn from_author(&self, author: AuthorPoint) -> DVec3 {
        author.0 - self.origin
    }

    /// The author's coordinates of a point of the level.
    pub fn to_author(&self, point: DVec3) -> AuthorPoint {
        AuthorPoint(point + self.origin)
    }
}
