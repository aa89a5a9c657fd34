//! What can move: solid and drawn parts of a level that have a pose in the
//! [`World`](crate::world::World).

use std::ops::Range;

use super::{LinkId, RoomId, SolidSet};
use crate::geometry::{Aabb, Rigid};

/// Index of a mover in [`LevelData::movers`](super::LevelData::movers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoverId(pub u32);

/// Index of a part of a mover in [`LevelData::mover_parts`](super::LevelData::mover_parts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoverPartId(pub u32);

/// A door panel: solid and drawn in its pose while its link is closed. Its own coordinates are those of
/// its room where it was authored; the pose takes them to coordinates of the room.
#[derive(Debug)]
#[non_exhaustive]
pub struct Mover {
    /// Name of its node.
    pub name: String,
    /// The room that its pose is relative to: [`Link::near`](super::Link::near) of its link.
    pub room: RoomId,
    /// The link that it closes.
    pub link: LinkId,
    /// Its triangles in [`LevelData::solids`](super::LevelData::solids), in its own coordinates.
    pub solids: SolidSet,
    /// Its parts, each lit on its own, in [`LevelData::mover_parts`](super::LevelData::mover_parts).
    pub parts: Range<u32>,
    /// Its ranges in [`LevelData::draws`](super::LevelData::draws): those of all its parts.
    pub draws: Range<u32>,
    /// Whether one can see through it or past it: then it stops bodies alone, not sight or light.
    pub see_through: bool,
}

/// What of a mover is lit alike: of a door panel what faces one of its two rooms.
#[derive(Debug)]
#[non_exhaustive]
pub struct MoverPart {
    /// Its ranges in [`LevelData::draws`](super::LevelData::draws).
    pub draws: Range<u32>,
    /// The room whose lights light it.
    pub lit_in: RoomId,
    /// Takes coordinates of [`Mover::room`] to those of `lit_in`.
    pub lit_in_from_room: Rigid,
}

/// A mover as it stands in one of the rooms that it reaches into.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoverImage {
    /// The mover.
    pub mover: MoverId,
    /// Takes coordinates of [`Mover::room`] to those of this room.
    pub here_from_room: Rigid,
    /// Box around it in all its poses, in this room's coordinates.
    pub bounds: Aabb,
}
