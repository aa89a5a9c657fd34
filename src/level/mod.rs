//! The room graph: rooms of polygons joined by portals, and their contents. A level is immutable once loaded; the
//! renderer and the collision detection read the same value.
//!
//! The order of everything in a [`Level`] follows from its content (names, coordinates), never from the order in the
//! file. So the same level gives the same simulation bit for bit.

mod at;
mod body;
mod crossing;
mod joint;
mod light;
pub(crate) mod locate;
mod material;
mod mover;
mod openings;
mod room_poses;
mod simulation_hash;
pub(crate) mod solids;
mod track;
mod trigger;
pub(crate) mod vertex;
pub(crate) mod walk;
pub(crate) mod winding;

pub use at::{At, AuthorPoint};
pub use body::{BodyId, RigidBody, Spawner, SpawnerId, Stiffness};
pub(crate) use crossing::MAX_CROSSINGS;
pub use joint::{Joint, JointBase, JointId, JointKind, Joints};
pub use light::{Light, LightId, LightKind};
pub(crate) use locate::holds;
pub use locate::locate;
pub use material::{Alpha, Filter, Image, Material, Sampler, Sky, Texture, Wrap, linear_from_srgb};
pub(crate) use mover::TURNED;
pub use mover::{
    Cycle, Drive, Mover, MoverId, MoverImage, MoverPart, MoverPartId, RoomPlace, StartedBy,
    TICKS_PER_SECOND, WhenBlocked,
};
pub(crate) use openings::OpeningTrees;
pub use room_poses::RoomPoses;
pub(crate) use solids::SolidGroup;
pub use solids::{EdgeKind, SolidSet, SolidTriangle, Solids, TriangleSource};
pub(crate) use track::slerp;
pub use track::{Track, TrackKey};
pub use trigger::{Trigger, TriggerId, TriggerKind, TriggerTarget};
pub use vertex::{UnitVector, Vertex};
pub(crate) use walk::{Front, RoomImage, Walk};

use std::ops::{Deref, Range};

use glam::DVec3;

use crate::geometry::{Aabb, ConvexPolygon, Rigid, SortedBoxes, Triangle};

/// Index of a room in [`LevelData::rooms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoomId(pub u32);

/// Index of one direction of a link in [`LevelData::portals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortalId(pub u32);

/// Index of an authored opening in [`LevelData::links`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u32);

/// A level as all modules use it: [`LevelData`] that was checked and linked by [`build`](crate::build::build) and never
/// changes afterwards.
///
/// ```compile_fail
/// fn close_all(level: &mut opendoor::level::Level) {
///     level.portals.clear();
/// }
/// ```
#[derive(Debug)]
pub struct Level {
    data: LevelData,
}

impl Level {
    pub(crate) fn new(mut data: LevelData) -> Self {
        openings::sort(&mut data);
        Self { data }
    }

    /// A hash of everything on which the solids and draws of a room depend, except the appearance of their materials.
    /// Rooms with equal hashes have equal solids and draws, even in different versions of the level.
    pub(crate) fn room_key(&self, room: RoomId) -> u128 {
        self.room(room).key
    }

    /// Whether a room has the surfaces and the portals of a room of another version of the level.
    pub(crate) fn is_same_room(&self, room: RoomId, (other, of_other): (&Self, RoomId)) -> bool {
        self.room_key(room) == other.room_key(of_other)
            && self.openings_of(room).eq(other.openings_of(of_other))
    }

    /// The portals of a room, with the names of the rooms behind them.
    fn openings_of(&self, room: RoomId) -> impl Iterator<Item = (&String, &ConvexPolygon)> {
        let portals = self.portals_of(room);
        portals.map(|(_, portal)| (&self.room(portal.far).name, &portal.polygon))
    }
}

impl Deref for Level {
    type Target = LevelData;

    fn deref(&self) -> &LevelData {
        &self.data
    }
}

/// The data of a [`Level`]. Coordinates are in metres, +Y up, relative to [`LevelData::origin`]. So f32 is exact
/// enough wherever the author placed the model.
#[derive(Debug)]
#[non_exhaustive]
pub struct LevelData {
    /// The file's name, for messages.
    pub name: String,
    /// Author's coordinates of the level's origin: `author = level + origin`.
    pub origin: DVec3,
    /// Rooms, sorted by name.
    pub rooms: Vec<Room>,
    /// Portals, one for each direction in which a link can be passed, sorted by the room that they leave.
    pub portals: Vec<Portal>,
    /// Whether any portal bends space.
    pub bends_space: bool,
    /// The openings as authored, one per portal mesh.
    pub links: Vec<Link>,
    /// Movers: door panels in the order of their links, then the others by name.
    pub movers: Vec<Mover>,
    /// The parts of movers, mover by mover.
    pub mover_parts: Vec<MoverPart>,
    /// Rigid bodies, by name.
    pub bodies: Vec<RigidBody>,
    /// The spawners of bodies, by name.
    pub spawners: Vec<Spawner>,
    /// Joints of bodies with each other and with rooms.
    pub joints: Joints,
    /// The first triangle in [`LevelData::solids`] of each body that has triangles, in order.
    pub(crate) solids_of_bodies: Vec<(u32, BodyId)>,
    /// Triggers and switches, by name.
    pub triggers: Vec<Trigger>,
    /// Geometry of one room that sprawls into another room, grouped by that other room, then by portal.
    pub sprawls: Vec<Sprawl>,
    /// The solid triangles of [`LevelData::sprawls`], as indices into [`LevelData::solids`].
    pub sprawling_triangles: Vec<u32>,
    /// The parts of these triangles that lie inside the room that they sprawl into, cut along openings.
    pub sprawling_parts: Vec<Triangle>,
    /// Solid triangles, room by room.
    pub solids: Solids,
    /// Drawn vertices, shared by [`LevelData::indices`].
    pub vertices: Vec<Vertex>,
    /// Triangles of [`LevelData::vertices`], grouped by room and material.
    pub indices: Vec<u32>,
    /// Index ranges in [`LevelData::indices`], each of one material, grouped by room, then by mover. Blended
    /// triangles have one range per connected piece; where there are many pieces, neighbouring ones share a range.
    pub draws: Vec<Draw>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Images of the materials.
    pub images: Vec<Image>,
    /// Lights, sorted by name.
    pub lights: Vec<Light>,
    /// The sky, visible through sky materials and behind everything.
    pub sky: Sky,
    /// Exposure compensation in EV, added to the exposure that is computed from the lights.
    pub exposure_stops: f32,
    /// Stiffness of rigid-body contacts.
    pub stiffness: Stiffness,
    /// Start positions of the character; the first is the default.
    pub spawns: Vec<Spawn>,
    /// Number of dropped degenerate solid triangles.
    pub degenerate_triangles: usize,
}

/// A set of polygons, closed except where portals open it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Room {
    /// Name without suffixes, unique in its level.
    pub name: String,
    /// See [`Level::room_key`].
    pub(crate) key: u128,
    /// Box around its drawn and solid geometry, its portals, barriers and movers, and the geometry that sprawls into
    /// it.
    pub bounds: Aabb,
    /// The outgoing portals, in [`LevelData::portals`].
    pub portals: Range<u32>,
    /// The portals of one-way links that enter this room; the room has no portal back.
    pub(crate) one_way_entrances: Vec<PortalId>,
    /// Geometry of other rooms that sprawls into this room, in [`LevelData::sprawls`].
    pub sprawls: Range<u32>,
    /// Geometry of this room that sprawls into other rooms, in [`LevelData::sprawls`].
    pub sprawls_elsewhere: Vec<u32>,
    /// The links whose polygons can be touched in this room.
    pub barriers: Vec<Barrier>,
    /// The movers that reach into this room, in order of their index.
    pub movers: Vec<MoverImage>,
    /// The boxes around these movers, grown by [`TURNED`] times the motion of one tick.
    pub(crate) mover_boxes: SortedBoxes,
    /// Trees of the room's portals and barriers, built once the level is complete.
    pub(crate) openings: OpeningTrees,
    /// The triggers and switches in this room.
    pub triggers: Vec<TriggerId>,
    /// The triangles in [`LevelData::solids`].
    pub solids: SolidSet,
    /// The draws in [`LevelData::draws`].
    pub draws: Range<u32>,
    /// Number of authored solid triangles that are not degenerate.
    pub triangles: u32,
    /// Whether the room is outdoors: sunlight enters from all sides, and the sky is visible behind the room.
    pub open_to_sky: bool,
    /// The mover that moves this room. The room's contents keep their coordinates, and its portals move.
    pub moved_by: Option<MoverId>,
}

impl Room {
    /// The instances of a mover in this room.
    pub(crate) fn images_of(&self, mover: MoverId) -> impl Iterator<Item = &MoverImage> {
        let first = self.movers.partition_point(|image| image.mover < mover);
        let images = self.movers[first..].iter();
        images.take_while(move |image| image.mover == mover)
    }
}

/// One direction through a link, from the room `near` into the room `far`. If the rooms move relative to each other,
/// this is the authored state, and [`RoomPoses`] stores the current one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Portal {
    /// The link of this portal.
    pub link: LinkId,
    /// The room that the portal leaves.
    pub near: RoomId,
    /// The room that the portal enters.
    pub far: RoomId,
    /// The opening, in coordinates of `near`; its normal points out of `near`, into `far`.
    pub polygon: ConvexPolygon,
    /// Takes coordinates of `near` to those of `far`; the identity for an ordinary doorway.
    pub far_from_near: Rigid,
    /// Box around the polygon, in coordinates of `near`.
    pub bounds: Aabb,
    /// Index in [`RoomPoses`], if the two rooms move relative to each other.
    pub(crate) moving: Option<u32>,
}

impl Portal {
    /// Whether the rooms on both sides are not where the portal shows them. The portals of moving rooms do not count.
    pub fn bends_space(&self) -> bool {
        self.moving.is_none() && !self.far_from_near.is_identity()
    }
}

impl Link {
    /// The names of its nodes: one, or two for portals that lead to each other.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.arrival.as_deref())
    }
}

/// An opening as authored.
#[derive(Debug)]
#[non_exhaustive]
pub struct Link {
    /// Name of its node, unchanged.
    pub name: String,
    /// Name of the node of the portal at which one arrives, if it is another one and leads back.
    pub arrival: Option<String>,
    /// The room of the portal node's parent.
    pub near: RoomId,
    /// The room on the other side.
    pub far: RoomId,
    /// Area of the opening, square metres.
    pub area: f64,
    /// The portal that leaves `near`.
    pub portal: PortalId,
    /// The portal in the other direction; `None` for a one-way link.
    pub back: Option<PortalId>,
    /// The door panel, if the link is a door.
    pub panel: Option<MoverId>,
}

/// The polygon of a link in one of the rooms where it can be touched. While the link is closed, the polygon is solid
/// for everything in that room that touches `bounds`, regardless of nearby portals.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Barrier {
    /// The link that the barrier closes.
    pub link: LinkId,
    /// Transforms coordinates of [`Link::near`], in which the polygon is given, to those of the room. Both rooms are
    /// in their authored pose.
    pub room_from_link: Rigid,
    /// Box around the polygon in all its poses, in the room's coordinates.
    pub bounds: Aabb,
}

/// Geometry of one room that sprawls through one portal into another room.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sprawl {
    /// The room that the geometry belongs to.
    pub room: RoomId,
    /// The portal through which it sprawls; this portal leaves the other room.
    pub through: PortalId,
    /// Takes coordinates of `room` to those of the other room.
    pub into_from_room: Rigid,
    /// Box around the part in the other room, in that room's coordinates.
    pub bounds: Aabb,
    /// The solid triangles, in [`LevelData::sprawling_triangles`].
    pub triangles: Range<u32>,
    /// The parts in [`LevelData::sprawling_parts`], in coordinates of the other room. Parts that belong to an earlier
    /// sprawl are not repeated.
    pub parts: Range<u32>,
    /// Index in [`RoomPoses`], if the two rooms move relative to each other.
    pub(crate) moving: Option<u32>,
}

/// An index range of one material. If the material blends, the range has one connected piece or some neighbouring
/// ones.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Draw {
    /// Index into [`LevelData::materials`].
    pub material: u32,
    /// Range of [`LevelData::indices`].
    pub indices: Range<u32>,
    /// Box around the triangles, in the room's coordinates.
    pub bounds: Aabb,
}

/// The room of a spawn is searched this far above the spawn, metres. A spawn is often exactly on the floor, which is on
/// neither side of the room's surface.
pub const SPAWN_LIFT: f64 = 0.05;

/// A start position of the character.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spawn {
    /// Name of its node.
    pub name: String,
    /// Position; the character starts on the floor below. The room is that of the point [`SPAWN_LIFT`] above it.
    pub at: At,
    /// Yaw, degrees from -Z, positive to the left.
    pub yaw: f64,
}

impl Portal {
    /// Whether the two rooms move relative to each other.
    pub fn moves(&self) -> bool {
        self.moving.is_some()
    }
}

impl Light {
    /// Position in the coordinates of the light's room, in metres; zero for a light in no room.
    pub fn position(&self) -> DVec3 {
        self.at.map_or(DVec3::ZERO, |at| at.point)
    }

    /// Whether the intensity is positive and finite.
    pub fn has_effect(&self) -> bool {
        self.intensity.is_finite() && self.intensity > 0.0
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

    /// The light with this index.
    pub fn light(&self, id: LightId) -> &Light {
        &self.lights[id.0 as usize]
    }

    /// The link with this index.
    pub fn link(&self, id: LinkId) -> &Link {
        &self.links[id.0 as usize]
    }

    /// Whether the sky is visible anywhere in the level.
    pub fn shows_sky(&self) -> bool {
        let materials = self.draws.iter().map(|draw| draw.material as usize);
        let mut materials = materials.filter_map(|index| self.materials.get(index));
        materials.any(|material| material.sky) || self.rooms.iter().any(|room| room.open_to_sky)
    }

    /// The indices of all rooms.
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

    /// Geometry that sprawls into a room from other rooms.
    pub fn sprawls_into(&self, room: RoomId) -> &[Sprawl] {
        let range = &self.room(room).sprawls;
        &self.sprawls[range.start as usize..range.end as usize]
    }

    /// Geometry of a room that sprawls into other rooms.
    pub fn sprawls_out_of(&self, room: RoomId) -> impl Iterator<Item = &Sprawl> {
        let indices = self.room(room).sprawls_elsewhere.iter();
        indices.map(|&index| &self.sprawls[index as usize])
    }

    /// Geometry that sprawls into a room through one of its portals.
    pub fn sprawls_through(&self, id: PortalId) -> impl Iterator<Item = &Sprawl> {
        let sprawls = self.sprawls_into(self.portal(id).near);
        let first = sprawls.partition_point(|sprawl| sprawl.through < id);
        sprawls[first..].iter().take_while(move |s| s.through == id)
    }

    /// Box around the geometry of the room behind a portal that sprawls through this portal, in coordinates of
    /// [`Portal::near`]; empty if there is none.
    pub fn sprawl_through(&self, id: PortalId) -> Aabb {
        let far = self.portal(id).far;
        let through = self.sprawls_through(id);
        let behind = through.filter(|sprawl| sprawl.room == far);
        behind.fold(Aabb::EMPTY, |all, sprawl| all.union(sprawl.bounds))
    }

    /// The portal in the other direction of the same link; `None` if the link is one-way.
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

    /// Converts a point from author's coordinates to level coordinates, metres.
    pub fn from_author(&self, author: AuthorPoint) -> DVec3 {
        author.0 - self.origin
    }

    /// Converts a point from level coordinates to author's coordinates.
    pub fn to_author(&self, point: DVec3) -> AuthorPoint {
        AuthorPoint(point + self.origin)
    }
}
