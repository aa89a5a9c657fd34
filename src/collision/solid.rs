//! The owner of a solid triangle.

use crate::geometry::Triangle;
use crate::level::{BodyId, Level, LinkId, Material, MoverId, RoomId};
use crate::save::{Saved, StateReader};
use crate::world::World;

/// A reference to something solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Solid {
    /// The triangle with this index in [`solids`](crate::level::LevelData::solids).
    Triangle(u32),
    /// The polygon of a closed link.
    Link(LinkId),
    /// A rigid body as a whole. Used for balls, which have no triangles, and for any rigid body that overlaps a ball.
    Body(BodyId),
}

impl Saved for Solid {
    fn save(&self, to: &mut Vec<u8>) {
        match *self {
            Self::Triangle(index) => [0, index].save(to),
            Self::Link(LinkId(index)) => [1, index].save(to),
            Self::Body(BodyId(index)) => [2, index].save(to),
        }
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let [kind, index] = <[u32; 2]>::load(from)?;
        match kind {
            0 => from
                .level?
                .solids
                .has(index)
                .then_some(Self::Triangle(index)),
            1 => ((index as usize) < from.level?.links.len()).then_some(Self::Link(LinkId(index))),
            2 => ((index as usize) < from.level?.bodies.len()).then_some(Self::Body(BodyId(index))),
            _ => None,
        }
    }
}

impl Solid {
    /// The name of the node that the solid comes from.
    pub fn node<'a>(&self, level: &'a Level) -> &'a str {
        match *self {
            Self::Triangle(index) => {
                let surface = level.solids.triangle(index).surface;
                level.solids.node_name(surface)
            }
            Self::Link(link) => &level.link(link).name,
            Self::Body(body) => &level.body(body).name,
        }
    }

    /// The material; the polygon of a closed link has none.
    pub fn material<'a>(&self, level: &'a Level) -> Option<&'a Material> {
        match *self {
            Self::Triangle(index) => {
                let surface = level.solids.triangle(index).surface;
                level.materials.get(surface.material as usize)
            }
            Self::Link(_) => None,
            Self::Body(body) => level.body_material(body),
        }
    }

    /// The room of the solid. For a link, this is [`Link::near`](crate::level::Link::near); for a rigid body, the
    /// room in which it was authored.
    pub fn room(&self, level: &Level) -> RoomId {
        match *self {
            Self::Link(link) => level.link(link).near,
            Self::Body(body) => level.body(body).start.room,
            Self::Triangle(index) => {
                let mover = self.mover(level).map(|mover| level.mover(mover).room);
                let body = self.body(level).map(|body| level.body(body).start.room);
                let mut rooms = level.room_ids();
                let of_room = || rooms.find(|&id| level.room(id).solids.contains(index));
                mover.or(body).or_else(of_room).unwrap_or(RoomId(0))
            }
        }
    }

    /// The mover that the solid is part of.
    pub fn mover(&self, level: &Level) -> Option<MoverId> {
        let Self::Triangle(index) = *self else {
            return None;
        };
        let mut movers = (0..).map(MoverId).zip(&level.movers);
        let mover = movers.find(|(_, mover)| mover.solids.contains(index));
        mover.map(|(id, _)| id)
    }

    /// The rigid body that the solid is part of.
    pub fn body(&self, level: &Level) -> Option<BodyId> {
        match *self {
            Self::Body(body) => Some(body),
            Self::Link(_) => None,
            Self::Triangle(index) => level.body_of_solid(index),
        }
    }

    /// The triangles at their current position; a ball has none. Coordinates are those of [`Self::room`]; for a rigid
    /// body, those of its current room.
    pub fn triangles(&self, level: &Level, world: &World) -> Vec<Triangle> {
        match *self {
            Self::Triangle(index) => {
                let triangle = level.solids.triangle(index).triangle();
                let of_mover = || self.mover(level).map(|mover| *world.pose(mover));
                let body = self.body(level).map(|body| world.bodies.state(body));
                let pose = body.map(|state| state.room_from_body()).or_else(of_mover);
                vec![pose.map_or(triangle, |pose| triangle.transformed(&pose))]
            }
            Self::Link(link) => {
                let portal = level.portal(level.link(link).portal);
                portal.polygon.triangles().collect()
            }
            Self::Body(_) => Vec::new(),
        }
    }
}
