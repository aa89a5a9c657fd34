//! The surfaces and portals that rays meet, room by room, and the path of a ray through them.

use glam::Vec3;

use super::chains::Gate;
use crate::geometry::{Aabb, Rigid};
use crate::level::{Alpha, Draw, Level, MoverId, PortalId, RoomId};
use crate::lighting::bvh::{FaceSides, Occluder, PendingNode, Tree};
use crate::lighting::lightmap::corners_of;
use crate::parallel::{cores, parallel_map};

/// The maximum number of portals that a ray passes; beyond them it ends in the room that it entered last.
const MAX_PORTALS: usize = 32;
/// The distance by which a ray continues behind a surface that it passes, metres.
const BEHIND: f32 = 1e-3;
/// The minimum distance beyond a portal, metres, of places that lie in the room behind it.
const BEYOND: f64 = 1e-4;

/// The surfaces and portals of all rooms, all links open, without movers and bodies.
pub(in crate::lighting) struct RayScene {
    rooms: Vec<RaySceneRoom>,
    /// The material of each triangle of the level.
    materials: Vec<u32>,
}

/// The surfaces and portals that rays meet in a room.
struct RaySceneRoom {
    tree: Tree,
    /// The object of each of the tree's triangles, by number.
    objects: Vec<RayObject>,
}

/// The object that a triangle of a tree belongs to.
#[derive(Clone, Copy)]
enum RayObject {
    /// A triangle of the level, by number, in the coordinates of its own room.
    Surface(u32),
    /// A triangle that sprawls into the room: its number, and the index of the sprawl.
    Sprawling(u32, u32),
    Portal(PortalId),
}

/// The end of a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathEnd {
    /// The room in which the ray ends.
    pub room: RoomId,
    /// The triangle of the level; `None` if the ray leaves through a gap or has passed too many portals.
    pub triangle: Option<u32>,
    /// The point where the ray ends, in the coordinates of the last room.
    pub here: Vec3,
    /// This point in the coordinates of the room that the triangle belongs to.
    pub point: Vec3,
    /// The length of the ray, metres.
    pub distance: f32,
    /// The direction of the ray in its last room, a unit vector.
    pub direction: Vec3,
    /// Whether the ray hits the back face of the triangle.
    pub is_back: bool,
    /// Whether the ray leaves the last room without hitting anything.
    pub leaves: bool,
}

/// The place on which a ray ends, for looking up its light.
#[derive(Clone, Copy)]
pub(super) struct RayLanding {
    /// The room in which the ray ends.
    pub room: RoomId,
    /// The triangle of the level; `None` if the ray leaves through a gap or has passed too many portals.
    pub triangle: Option<u32>,
    /// The point in the coordinates of the room that the triangle belongs to.
    pub point: Vec3,
}

/// Links that a ray passes, each with the room in which the ray meets it.
pub(super) type PassedLinks = Vec<(Gate, RoomId)>;

/// Working memory for rays.
#[derive(Default)]
pub(super) struct RayMemory {
    stack: Vec<PendingNode>,
    /// The links that the last ray passed.
    pub passed: PassedLinks,
    /// The end of the last ray that met nothing along its length: the room and the point.
    pub end: Option<(RoomId, Vec3)>,
}

/// The start of a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayStart {
    pub room: RoomId,
    /// The start, metres, in the room's coordinates.
    pub point: Vec3,
    /// A unit vector.
    pub direction: Vec3,
    /// The maximum length, metres.
    pub length: f32,
}

impl RayLanding {
    pub(super) fn of(end: &PathEnd) -> Self {
        Self {
            room: end.room,
            triangle: end.triangle,
            point: end.point,
        }
    }
}

impl PathEnd {
    /// The rest of a ray of at most this length, behind the surface that it hit.
    pub(super) fn beyond(&self, length: f32) -> RayStart {
        RayStart {
            room: self.room,
            point: self.here + self.direction * BEHIND,
            direction: self.direction,
            length: length - self.distance - BEHIND,
        }
    }
}

impl RayScene {
    pub(in crate::lighting) fn new(level: &Level) -> Self {
        let rooms = parallel_map(level.rooms.len(), cores(), |room| {
            room_scene(level, RoomId(room as u32))
        });
        Self {
            rooms,
            materials: material_of_triangles(level),
        }
    }

    /// The index of a triangle's material.
    pub(super) fn material(&self, triangle: u32) -> u32 {
        self.materials[triangle as usize]
    }

    /// Follows a ray to its end; `None` if it is longer than its maximum length.
    pub(super) fn follow(
        &self,
        level: &Level,
        mut ray: RayStart,
        memory: &mut RayMemory,
    ) -> Option<PathEnd> {
        memory.passed.clear();
        memory.end = None;
        let (mut done, total) = (0.0, ray.length);
        loop {
            let scene = &self.rooms[ray.room.0 as usize];
            let rest = total - done;
            let hit = scene
                .tree
                .hit(ray.point, ray.direction, rest, &mut memory.stack);
            let end = PathEnd {
                room: ray.room,
                triangle: None,
                here: ray.point,
                point: ray.point,
                distance: total,
                direction: ray.direction,
                is_back: false,
                leaves: true,
            };
            let Some(hit) = hit else {
                memory.end = Some((ray.room, ray.point + ray.direction * rest));
                return (total == f32::INFINITY).then_some(end);
            };
            let here = ray.point + ray.direction * hit.distance;
            done += hit.distance;
            let on_surface = |triangle, point| PathEnd {
                triangle: Some(triangle),
                here,
                point,
                distance: done,
                is_back: hit.is_back,
                leaves: false,
                ..end
            };
            match scene.objects[hit.id as usize] {
                RayObject::Surface(triangle) => return Some(on_surface(triangle, here)),
                RayObject::Sprawling(triangle, sprawl) => {
                    let sprawl = &level.sprawls[sprawl as usize];
                    let there = sprawl.into_from_room.inverse().point(here.as_dvec3());
                    return Some(on_surface(triangle, there.as_vec3()));
                }
                RayObject::Portal(id) => {
                    let portal = level.portal(id);
                    if memory.passed.len() == MAX_PORTALS {
                        return Some(PathEnd {
                            here,
                            point: here,
                            distance: done,
                            leaves: false,
                            ..end
                        });
                    }
                    memory.passed.push((Gate::of_link(portal.link), ray.room));
                    let far_from_near = &portal.far_from_near;
                    ray.room = portal.far;
                    ray.point = far_from_near.point(here.as_dvec3()).as_vec3();
                    ray.direction = far_from_near.vector(ray.direction.as_dvec3()).as_vec3();
                }
            }
        }
    }
}

/// Returns the room in which rays from a place on a room's surface start, and the transform to its coordinates. A place
/// on a part that sprawls through a portal lies in the room behind the portal.
pub(super) fn start_room(level: &Level, room: RoomId, place: Vec3) -> Option<(RoomId, Rigid)> {
    if level.room(room).sprawls_elsewhere.is_empty() {
        return None;
    }
    let place = place.as_dvec3();
    level.sprawls_out_of(room).find_map(|sprawl| {
        let back = level.portal(sprawl.through);
        let there = sprawl.into_from_room.point(place);
        // The portal leaves the other room, so its front is on this room's side.
        let is_beyond = back.polygon.plane.distance(there) < -BEYOND;
        let near = sprawl.bounds.grown(BEYOND);
        (is_beyond && near.contains(there)).then_some((back.near, sprawl.into_from_room))
    })
}

/// Returns the room in which rays from a place on a mover start, and the transform to its coordinates, if it is not the
/// mover's own room: one side of a door panel faces the room behind the portal.
pub(super) fn start_room_of_mover(
    level: &Level,
    mover: MoverId,
    place: Vec3,
) -> Option<(RoomId, Rigid)> {
    let portals = level.portals_of(level.mover(mover).room);
    let mut own = portals.filter(|(_, p)| level.link(p.link).panel == Some(mover));
    own.find_map(|(_, portal)| {
        let is_beyond = portal.polygon.plane.distance(place.as_dvec3()) > BEYOND;
        is_beyond.then_some((portal.far, portal.far_from_near))
    })
}

fn room_scene(level: &Level, room: RoomId) -> RaySceneRoom {
    let mut occluders = Vec::new();
    let mut objects = Vec::new();
    let mut add = |corners: [Vec3; 3], sides: FaceSides, object: RayObject| {
        occluders.push(Occluder {
            corners,
            sides,
            id: objects.len() as u32,
        });
        objects.push(object);
    };
    for (triangle, sides) in surfaces(level, room) {
        let here = corners_of(level, triangle).corners;
        let object = RayObject::Surface(triangle);
        add(here.map(|corner| corner.as_vec3()), sides, object);
    }
    for index in level.room(room).sprawls.clone() {
        let sprawl = &level.sprawls[index as usize];
        for (triangle, sides) in surfaces(level, sprawl.room) {
            let there = corners_of(level, triangle).corners;
            let here = there.map(|corner| sprawl.into_from_room.point(corner));
            if Aabb::around(here).overlaps(&sprawl.bounds) {
                let object = RayObject::Sprawling(triangle, index);
                add(here.map(|corner| corner.as_vec3()), sides, object);
            }
        }
    }
    for (id, portal) in level.portals_of(room) {
        // The front of the polygon is on the far side.
        let [first, rest @ ..] = &portal.polygon.vertices[..] else {
            continue;
        };
        for pair in rest.windows(2) {
            let corners = [*first, pair[1], pair[0]].map(|corner| corner.as_vec3());
            add(corners, FaceSides::FrontOnly, RayObject::Portal(id));
        }
    }
    RaySceneRoom {
        tree: Tree::new(occluders),
        objects,
    }
}

/// The triangles of a room that rays do not pass, with their sides.
fn surfaces(level: &Level, room: RoomId) -> impl Iterator<Item = (u32, FaceSides)> + '_ {
    let draws = level.room(room).draws.clone();
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let solid = |draw: &&Draw| level.materials[draw.material as usize].alpha != Alpha::Blend;
    draws.iter().filter(solid).flat_map(|draw| {
        let sides = if level.materials[draw.material as usize].double_sided {
            FaceSides::Fronts
        } else {
            FaceSides::FrontAndBack
        };
        let triangles = draw.indices.start / 3..draw.indices.end / 3;
        triangles.map(move |triangle| (triangle, sides))
    })
}

/// The material of each triangle of a level.
fn material_of_triangles(level: &Level) -> Vec<u32> {
    let mut materials = vec![0; level.indices.len() / 3];
    for draw in &level.draws {
        let triangles = draw.indices.start as usize / 3..draw.indices.end as usize / 3;
        materials[triangles].fill(draw.material);
    }
    materials
}
