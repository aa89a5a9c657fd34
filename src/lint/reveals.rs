//! Faces of adjacent rooms that lie in front of a room's portals, in their reveals.
//!
//! Each face is compared with the portals near it. The portals are in trees, so that thousands of portals between two
//! rooms take no more time than as many faces.

use std::collections::BTreeMap;

use glam::DVec3;

use super::room_meshes::Meshes;
use crate::geometry::{Aabb, BoxTree, Plane, Rigid, Triangle};
use crate::level::{LevelData, Portal, RoomId};
use crate::source::LevelSource;

/// Maximum distance from a portal at which faces of the room behind it are searched for in front of it, metres.
const REVEAL: f64 = 1.0;
/// Maximum distance between a portal's plane and points on it, metres.
const ON_PLANE: f64 = 1e-3;
/// Maximum difference between the coefficients of equal planes.
const SAME_PLANE: f64 = 1e-6;

/// The portals of a room, in its coordinates.
pub(super) struct RoomPortals {
    /// Portals grouped by room and transform, in the order of the rooms.
    ways: Vec<ParallelPortals>,
}

/// Portals that lead to the same room with the same transform.
struct ParallelPortals {
    far: RoomId,
    near_from_far: Rigid,
    walls: Vec<PortalWall>,
    /// The bounding boxes of the walls.
    boxes: BoxTree,
}

/// Coplanar portals of a group.
struct PortalWall {
    plane: Plane,
    bounds: Aabb,
    /// The bounding boxes of the portals.
    boxes: BoxTree,
}

/// A face of another room.
pub(super) struct FarFace {
    /// The face, in coordinates of the checked room.
    pub triangle: Triangle,
    /// The face's mesh, as index in the source.
    pub mesh: u32,
}

impl RoomPortals {
    pub(super) fn of(level: &LevelData, room: RoomId) -> Self {
        let mut ways: BTreeMap<_, BTreeMap<[i64; 4], Vec<&Portal>>> = BTreeMap::new();
        for (_, portal) in level.portals_of(room) {
            let points = [DVec3::ZERO, DVec3::X, DVec3::Y];
            let way = points.map(|p| portal.far_from_near.point(p).to_array().map(f64::to_bits));
            let Plane { normal, offset } = portal.polygon.plane;
            let numbers = [normal.x, normal.y, normal.z, offset];
            let plane = numbers.map(|x| (x / SAME_PLANE).round() as i64);
            let of_way = ways.entry((portal.far, way)).or_default();
            of_way.entry(plane).or_default().push(portal);
        }
        let way = |((far, _), walls): ((RoomId, _), BTreeMap<_, Vec<&Portal>>)| {
            let near_from_far = walls.values().flatten().next()?.far_from_near.inverse();
            let walls: Vec<PortalWall> = walls.into_values().filter_map(PortalWall::of).collect();
            let boxes = BoxTree::new(walls.iter().map(|wall| wall.bounds));
            Some(ParallelPortals {
                far,
                near_from_far,
                walls,
                boxes,
            })
        };
        Self {
            ways: ways.into_iter().filter_map(way).collect(),
        }
    }

    /// Calls `found` with the faces of adjacent rooms that lie in front of a portal of the checked room, or within
    /// `near` metres of one.
    pub(super) fn each_face(
        &self,
        (level, source, meshes): (&LevelData, &LevelSource, &Meshes),
        near: f64,
        mut found: impl FnMut(FarFace),
    ) {
        for way in &self.ways {
            for (face, mesh) in meshes.faces(level, source, way.far) {
                let triangle = face.transformed(&way.near_from_far);
                let bounds = Aabb::around(triangle.corners);
                let is_before = way.is_any(&bounds.grown(REVEAL), |wall| {
                    let is_before = |&p: &DVec3| wall.plane.distance(p) < -ON_PLANE;
                    triangle.corners.iter().any(is_before)
                });
                let is_near = || near > 0.0 && way.is_any(&bounds.grown(near), |_| true);
                if is_before || is_near() {
                    found(FarFace { triangle, mesh });
                }
            }
        }
    }
}

impl ParallelPortals {
    /// Whether a box overlaps the box of any portal in a wall for which `counts` is true.
    fn is_any(&self, query: &Aabb, counts: impl Fn(&PortalWall) -> bool) -> bool {
        self.boxes.any_touching(query, |wall| {
            let wall = &self.walls[wall as usize];
            counts(wall) && wall.boxes.any_touching(query, |_| true)
        })
    }
}

impl PortalWall {
    fn of(portals: Vec<&Portal>) -> Option<Self> {
        let plane = portals.first()?.polygon.plane;
        let bounds = portals.iter().map(|portal| portal.bounds);
        Some(Self {
            plane,
            bounds: bounds.clone().fold(Aabb::EMPTY, Aabb::union),
            boxes: BoxTree::new(bounds),
        })
    }
}
