//! Which polygons can a motion meet: those of the rooms that its box reaches through portals.

use glam::DVec3;

use super::{Scope, World};
use crate::geometry::{Aabb, Aabb32, Rigid, Triangle};
use crate::level::{LinkId, Material, RoomId, SolidSet};

/// A solid triangle in the coordinates of the room that the motion started in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub triangle: Triangle,
    /// Unit normal of the front.
    pub normal: DVec3,
    /// Whether it is solid from behind too.
    pub two_sided: bool,
    pub surface: Surface,
}

/// How a surface acts on a body; see [`Material`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    pub friction: f64,
    pub drag: f64,
    pub bounce: f64,
}

impl Surface {
    fn of(material: &Material) -> Self {
        Self {
            friction: material.friction,
            drag: material.drag,
            bounce: material.bounce,
        }
    }
}

/// The candidates of a motion, and the memory to find them.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub found: Vec<Candidate>,
    /// Rooms reached, with the transform from the room that the motion started in.
    reached: Vec<(RoomId, Rigid)>,
}

/// Finds every solid triangle whose box touches `query`, a box in coordinates of `room`.
///
/// Starting at `room`, a portal is passed where the query touches its reach, box against box; in
/// each room reached, the query is tested against the box of each polygon.
pub(super) fn gather(world: &World, room: RoomId, query: &Aabb, candidates: &mut Candidates) {
    candidates.found.clear();
    candidates.reached.clear();
    match world.scope {
        Scope::Portals => candidates.reached.push((room, Rigid::IDENTITY)),
        Scope::WholeSoup => {
            let all = world.level.room_ids();
            candidates
                .reached
                .extend(all.map(|id| (id, Rigid::IDENTITY)));
        }
    }
    let mut next = 0;
    while next < candidates.reached.len() {
        let (room, room_from_start) = candidates.reached[next];
        next += 1;
        let query = query.transformed(&room_from_start);
        if !world.level.room(room).bounds.overlaps(&query) {
            continue;
        }
        let start_from_room = room_from_start.inverse();
        gather_set(
            world,
            &world.level.room(room).solids,
            &query,
            &start_from_room,
            &mut candidates.found,
        );
        for (_, portal) in world.level.portals_of(room) {
            if !portal.reach.overlaps(&query) {
                continue;
            }
            if !world.open.is_open(portal.link) {
                gather_closed(
                    world,
                    portal.link,
                    room,
                    &query,
                    &start_from_room,
                    candidates,
                );
            } else if world.scope == Scope::Portals {
                let to_from_start = portal.to_from_from.after(&room_from_start);
                let entry = (portal.to, to_from_start);
                if !candidates.reached.contains(&entry) {
                    candidates.reached.push(entry);
                }
            }
        }
    }
}

fn gather_set(
    world: &World,
    set: &SolidSet,
    query: &Aabb,
    start_from_room: &Rigid,
    found: &mut Vec<Candidate>,
) {
    let level = world.level;
    level
        .solids
        .touching(set, &Aabb32::around(query), |solid, _| {
            let triangle = Triangle {
                corners: solid.triangle().corners.map(|p| start_from_room.point(p)),
            };
            if let Some(normal) = triangle.normal() {
                let material = &level.materials[solid.surface.material as usize];
                // A mirror turns the winding; the front stays where the room says it is.
                let normal = if start_from_room.is_mirror() {
                    -normal
                } else {
                    normal
                };
                found.push(Candidate {
                    triangle,
                    normal,
                    two_sided: material.double_sided,
                    surface: Surface::of(material),
                });
            }
        });
}

/// A closed link is solid: its leaf, and the polygon of the opening itself from both sides.
fn gather_closed(
    world: &World,
    link: LinkId,
    room: RoomId,
    query: &Aabb,
    start_from_room: &Rigid,
    candidates: &mut Candidates,
) {
    let link = world.level.link(link);
    let portal = world.level.portal(link.portal);
    let room_from_leaf = if room == link.from {
        Rigid::IDENTITY
    } else {
        portal.to_from_from
    };
    let start_from_leaf = start_from_room.after(&room_from_leaf);
    let leaf_query = query.transformed(&room_from_leaf.inverse());
    if let Some(leaf) = &link.leaf {
        gather_set(
            world,
            &leaf.solids,
            &leaf_query,
            &start_from_leaf,
            &mut candidates.found,
        );
    }
    let surface = Surface::of(&Material::default());
    for triangle in portal.polygon.triangles() {
        candidates.found.push(Candidate {
            triangle: Triangle {
                corners: triangle.corners.map(|p| start_from_leaf.point(p)),
            },
            normal: start_from_leaf.vector(portal.polygon.plane.normal),
            two_sided: true,
            surface,
        });
    }
}
