//! Door panels: which portal each panel closes, which room each of its parts faces, and whether it hides the space
//! behind it.

use std::borrow::Cow;
use std::ops::Range;

use glam::{DMat3, DVec3, Vec3};

use super::meshes::to_level;
use crate::geometry::{Aabb, ConvexPolygon, Rigid, Triangle};
use crate::level::{Alpha, AuthorPoint, Draw, LevelData, Link, LinkId};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::source::{LevelSource, MeshSource, MoverSource};

/// Maximum gap between a panel and the sides of its opening, metres.
const PLAY: f64 = 0.02;
/// Maximum distance between a panel and the opening that it belongs to, metres.
const TOUCH: f64 = 0.05;
/// Points within this distance of the plane through a panel's centre are on neither side of it; metres.
const IN_MIDDLE: f64 = 1e-3;
/// Minimum cosine of the angle between a face and the opening; a face with less is seen edge-on and hides nothing.
const EDGE_ON: f64 = 0.01;

/// The door panels with their links, each in coordinates of the link's near room. Reports panels that are in no
/// opening, or in one that already has a panel.
pub(super) fn with_links<'a>(
    level: &LevelData,
    source: &'a LevelSource,
    problems: &mut Problems,
) -> Vec<(LinkId, Cow<'a, MoverSource>)> {
    let doors = source.movers.iter().filter(|mover| mover.is_door);
    let mut doors: Vec<&MoverSource> = doors.collect();
    doors.sort_by(|a, b| a.node.cmp(&b.node));
    let openings = RoomOpenings::of(level);
    let mut panels: Vec<(LinkId, Cow<MoverSource>)> = Vec::new();
    let mut panel_of: Vec<Option<&str>> = vec![None; level.links.len()];
    for door in doors {
        let Some((link, is_far)) = link_through(level, &openings, door) else {
            let message = "no portal of its room passes through this door panel; put the panel into the opening, touching the portal, or give a door that never opens another name";
            let corners = door.meshes.iter().flat_map(|mesh| &mesh.positions);
            let bounds = Aabb::around(corners.copied());
            let at = (!bounds.is_empty()).then(|| ProblemPlace::at(AuthorPoint(bounds.centre())));
            let (code, node) = (ProblemCode::DoorWithoutPortal, &door.node);
            problems.add(true, code, node, at, || message.to_owned());
            continue;
        };
        if let Some(other) = panel_of[link] {
            let message = format!("the portal already has the panel `{other}`; join the two");
            problems.error(ProblemCode::DoorTwice, &door.node, message);
            continue;
        }
        panel_of[link] = Some(&door.node);
        panels.push((LinkId(link as u32), in_link(level, link, door, is_far)));
    }
    panels
}

/// The openings of the links at a room, sorted along the axis of their greatest spread, so that many door panels find
/// their openings without testing each panel against each opening.
#[derive(Clone, Default)]
struct RoomOpenings {
    axis: usize,
    sides: Vec<OpeningSide>,
}

/// An opening at one of its two rooms.
#[derive(Clone)]
struct OpeningSide {
    link: usize,
    /// Whether the room is [`Link::far`].
    is_far: bool,
    /// Box around the opening in the room's coordinates, grown by [`TOUCH`].
    bounds: Aabb,
    /// Maximum end of this box and all boxes before it, along the sorting axis.
    end: f64,
}

impl RoomOpenings {
    /// The openings of each room.
    fn of(level: &LevelData) -> Vec<Self> {
        let mut rooms = vec![Self::default(); level.rooms.len()];
        for (index, link) in level.links.iter().enumerate() {
            let portal = level.portal(link.portal);
            let far = portal.polygon.transformed(&portal.far_from_near).bounds();
            let near = (link.near, false, portal.bounds);
            // A panel at the portal of a moving room must be a child of the near room of the link.
            let far = (!portal.moves()).then_some((link.far, true, far));
            for (room, is_far, bounds) in [Some(near), far].into_iter().flatten() {
                rooms[room.0 as usize].sides.push(OpeningSide {
                    link: index,
                    is_far,
                    bounds: bounds.grown(TOUCH),
                    end: 0.0,
                });
            }
        }
        for Self { axis, sides } in &mut rooms {
            let around = sides.iter().fold(Aabb::EMPTY, |all, s| all.union(s.bounds));
            *axis = (around.max - around.min).max_position();
            sides.sort_by(|a, b| a.bounds.min[*axis].total_cmp(&b.bounds.min[*axis]));
            let mut last = f64::NEG_INFINITY;
            for side in sides {
                last = last.max(side.bounds.max[*axis]);
                side.end = last;
            }
        }
        rooms
    }

    /// The openings that the box of a panel touches.
    fn touching(&self, panel: Aabb) -> impl Iterator<Item = &OpeningSide> {
        let Self { axis, sides } = self;
        let started = sides.partition_point(|side| side.bounds.min[*axis] <= panel.max[*axis]);
        let near = sides[..started].iter().rev();
        let near = near.take_while(move |side| side.end >= panel.min[*axis]);
        near.filter(move |side| side.bounds.overlaps(&panel))
    }
}

/// The link that a door panel closes, and whether the panel's room is the far one: of the openings at that room that
/// the panel touches, the one whose centre is nearest to the panel's centre.
fn link_through(
    level: &LevelData,
    openings: &[RoomOpenings],
    door: &MoverSource,
) -> Option<(usize, bool)> {
    let corners = door.meshes.iter().flat_map(|mesh| &mesh.positions);
    let bounds = Aabb::around(corners.map(|&p| to_level(p, level.origin).as_dvec3()));
    let touched = openings[door.meshes.first()?.room].touching(bounds);
    let off = |side: &OpeningSide| {
        let portal = level.portal(level.links[side.link].portal);
        let middle = portal.polygon.centre();
        let far_from_near = &portal.far_from_near;
        let middle = if side.is_far {
            far_from_near.point(middle)
        } else {
            middle
        };
        (middle - bounds.centre()).length()
    };
    let by_distance = touched.map(|side| (off(side), side.link, side.is_far));
    by_distance
        .min_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))))
        .map(|(_, link, is_far)| (link, is_far))
}

/// A door panel, transformed to coordinates of its link's near room.
fn in_link<'a>(
    level: &LevelData,
    link: usize,
    door: &'a MoverSource,
    is_far: bool,
) -> Cow<'a, MoverSource> {
    let near_from_far = level
        .portal(level.links[link].portal)
        .far_from_near
        .inverse();
    if !is_far || near_from_far.is_identity() {
        return Cow::Borrowed(door);
    }
    let mut door = door.clone();
    for mesh in &mut door.meshes {
        for p in &mut mesh.positions {
            *p = near_from_far.point(*p - level.origin) + level.origin;
        }
        let turned = |v: Vec3| near_from_far.vector(v.as_dvec3()).as_vec3();
        for normal in &mut mesh.normals {
            *normal = turned(*normal);
        }
        for tangent in &mut mesh.tangents {
            *tangent = turned(tangent.truncate()).extend(tangent.w);
        }
    }
    // Author's and level coordinates differ by a translation.
    let to_level = Rigid::new(DMat3::IDENTITY, -level.origin);
    let turned = to_level.inverse().after(&near_from_far).after(&to_level);
    door.track = door.track.transformed(&turned);
    Cow::Owned(door)
}

/// Splits the meshes of a panel by the plane through the panel's centre. The first part is on the side of the link's
/// near room, the second on the other side; each part is lit by its own room. Triangles in the plane belong to the side
/// that they face.
pub(super) fn sides_of_panel(
    level: &LevelData,
    link: &Link,
    meshes: &[&MeshSource],
) -> [Vec<MeshSource>; 2] {
    let corners = meshes.iter().flat_map(|mesh| &mesh.positions).copied();
    let middle = Aabb::around(corners).centre();
    let outwards = level.portal(link.portal).polygon.plane.normal;
    let is_near = |mesh: &MeshSource, corners: &[u32; 3]| {
        let triangle = Triangle {
            corners: corners.map(|i| mesh.positions[i as usize]),
        };
        let centre = triangle.corners.iter().sum::<DVec3>() / 3.0;
        let height = outwards.dot(centre - middle);
        if height.abs() > IN_MIDDLE {
            height < 0.0
        } else {
            outwards.dot(triangle.cross()) < 0.0
        }
    };
    [true, false].map(|near| {
        let of_side = meshes.iter().map(|mesh| {
            let triangles = mesh.triangles.iter().copied();
            MeshSource {
                triangles: triangles.filter(|t| is_near(mesh, t) == near).collect(),
                ..(*mesh).clone()
            }
        });
        of_side.collect()
    })
}

/// Whether a panel has blended parts, or holes in its texture.
pub(super) fn is_clear(level: &LevelData, draws: Range<u32>) -> bool {
    let mut draws = level.draws[draws.start as usize..draws.end as usize].iter();
    draws.any(|draw| level.materials[draw.material as usize].alpha != Alpha::Opaque)
}

/// A point at which a gap beside a panel is visible, and the cure; `None` if no gap is certain. Only the extent of the
/// panel is considered, so every reported gap is real, but holes in the middle of a panel are not found.
pub(super) fn gap(level: &LevelData, link: &Link, draws: Range<u32>) -> Option<(DVec3, String)> {
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let material = |draw: &Draw| &level.materials[draw.material as usize];
    let polygon = &level.portal(link.portal).polygon;
    let all = draws.iter().flat_map(|draw| {
        let indices = &level.indices[draw.indices.start as usize..draw.indices.end as usize];
        let corner = |&i: &u32| level.vertices[i as usize].position.as_dvec3();
        indices.iter().map(corner)
    });
    if let Some(at) = beside(polygon, all) {
        let message = "this panel lies beside its opening and hides nothing; move it into the opening; a negative scale mirrors a panel about its origin: turn it by 180 degrees instead, with a scale of 1 (Blender: Alt+S, then R)";
        return Some((at, message.to_owned()));
    }
    for (side, room) in [(1.0, link.far), (-1.0, link.near)] {
        let mut corners: Vec<DVec3> = Vec::new();
        for draw in draws {
            let indices = draw.indices.start as usize..draw.indices.end as usize;
            for triangle in level.indices[indices].as_chunks::<3>().0 {
                let triangle = Triangle {
                    corners: triangle.map(|i| level.vertices[i as usize].position.as_dvec3()),
                };
                let (cross, two_sided) = (triangle.cross(), material(draw).double_sided);
                let turned = side * cross.dot(polygon.plane.normal);
                let turned = if two_sided { turned.abs() } else { turned };
                if turned > EDGE_ON * cross.length() {
                    corners.extend(triangle.corners);
                }
            }
        }
        for (from, to, out) in sides_of(polygon) {
            let beyond = corners.iter().map(|&p| out.dot(p - from));
            if beyond.fold(f64::NEG_INFINITY, f64::max) < -PLAY {
                let message = format!(
                    "seen from room `{}` this panel leaves a gap at this side of the opening, so that it hides nothing and lets light through; make it fill the opening, with faces towards both rooms",
                    level.room(room).name
                );
                return Some(((from + to) * 0.5, message));
            }
        }
    }
    None
}

/// The sides of a polygon, each with its start, its end, and its outward direction in the polygon's plane.
fn sides_of(polygon: &ConvexPolygon) -> impl Iterator<Item = (DVec3, DVec3, DVec3)> {
    let ends = polygon
        .vertices
        .iter()
        .zip(polygon.vertices.iter().cycle().skip(1));
    ends.map(|(&from, &to)| {
        let out = (to - from).cross(polygon.plane.normal).normalize_or_zero();
        (from, to, out)
    })
}

/// If all corners of a panel lie beyond one side of an opening, the midpoint of that side.
fn beside(polygon: &ConvexPolygon, corners: impl Iterator<Item = DVec3> + Clone) -> Option<DVec3> {
    corners.clone().next()?;
    let is_outside = |(from, _, out): &(DVec3, DVec3, DVec3)| {
        corners.clone().all(|p| out.dot(p - *from) > -PLAY)
    };
    let side = sides_of(polygon).find(is_outside);
    side.map(|(from, to, _)| (from + to) * 0.5)
}
