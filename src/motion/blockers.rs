//! What stood in the way: the answer to "why does it not move?".

use glam::DVec3;

use crate::geometry::Triangle;
use crate::level::{Level, LinkId, Material, RoomId};

/// Something solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Solid {
    /// The triangle with this index in [`solids`](crate::level::LevelData::solids).
    Triangle(u32),
    /// The polygon of a closed link.
    Link(LinkId),
}

/// Something that took part of a body's walk, or crushes the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocker {
    /// What.
    pub solid: Solid,
    /// Unit vector from it to the body, in the coordinates of the body's room then.
    pub normal: DVec3,
}

impl Solid {
    /// The name of the node that it comes from.
    pub fn node<'a>(&self, level: &'a Level) -> &'a str {
        match *self {
            Self::Triangle(index) => {
                let surface = level.solids.triangle(index).surface;
                level.solids.node_name(surface)
            }
            Self::Link(link) => &level.link(link).name,
        }
    }

    /// Its material; the polygon of a closed link has none.
    pub fn material<'a>(&self, level: &'a Level) -> Option<&'a Material> {
        let Self::Triangle(index) = *self else {
            return None;
        };
        let surface = level.solids.triangle(index).surface;
        level.materials.get(surface.material as usize)
    }

    /// The room that it belongs to: of a link the one that it is a child of.
    pub fn room(&self, level: &Level) -> RoomId {
        let of_link = |link: LinkId| level.link(link).near;
        match *self {
            Self::Link(link) => of_link(link),
            Self::Triangle(index) => {
                let mut rooms = level.room_ids();
                let of_room = rooms.find(|&id| level.room(id).solids.contains(index));
                let panel = || {
                    let mut links = level.links.iter();
                    let panel = links.find(|link| {
                        let panel = link.panel.as_ref();
                        panel.is_some_and(|panel| panel.solids.contains(index))
                    });
                    panel.map_or(RoomId(0), |link| link.near)
                };
                of_room.unwrap_or_else(panel)
            }
        }
    }

    /// Its triangles, in the coordinates of [`Self::room`].
    pub fn triangles(&self, level: &Level) -> Vec<Triangle> {
        match *self {
            Self::Triangle(index) => vec![level.solids.triangle(index).triangle()],
            Self::Link(link) => {
                let portal = level.portal(level.link(link).portal);
                portal.polygon.triangles().collect()
            }
        }
    }
}
