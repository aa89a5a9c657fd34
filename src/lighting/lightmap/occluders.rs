//! Search for the triangles that can occlude places in a room.

use glam::{DVec3, Vec3};

use super::patches::vertices_of;
use crate::geometry::{Aabb, Plane};
use crate::hash::Fnv128;
use crate::level::{
    Alpha, Front, Level, Material, Portal, PortalId, RoomId, RoomImage, RoomPoses, Walk,
};
use crate::lighting::bvh::{FaceSides, Occluder};

/// The maximum number of portals one behind the other through which occluders are searched.
const MAX_DEPTH: u32 = 4;
/// The maximum number of paths through portals: bounds the work in mazes.
const MAX_PATHS: usize = 256;

/// The search for the surroundings of a room, as a front of the walk through the room graph.
struct OccluderFront<'a> {
    level: &'a Level,
    home: RoomId,
    /// The search radius, metres.
    radius: f64,
    paths: usize,
    found: Vec<(RoomId, Behind)>,
}

/// The rooms from which geometry can occlude places in a room: the room itself, and the rooms behind its portals, once
/// for each path.
pub(super) struct Surroundings(Vec<(RoomId, Behind)>);

/// A room behind a sequence of openings, within the search radius.
#[derive(Clone, Copy)]
struct Behind {
    /// The plane of the last opening.
    opening: Plane,
    /// The bounds of the last opening and of the geometry that sprawls through it.
    sprawl: Aabb,
    /// The number of portals on the path.
    depth: u32,
    /// The region whose points are within the radius of all openings on the path.
    within: Aabb,
}

impl Front for OccluderFront<'_> {
    type Part = Behind;

    /// Each path has its own openings.
    const MERGES: bool = false;

    fn visit(&mut self, _: &Level, index: usize, image: &RoomImage<Behind>) -> bool {
        if index > 0 && image.room == self.home {
            return false;
        }
        self.found.push((image.room, image.part));
        image.part.depth < MAX_DEPTH
    }

    fn pass(
        &mut self,
        image: &RoomImage<Behind>,
        (id, portal): (PortalId, &Portal),
    ) -> Option<Behind> {
        let (bounds, within) = (portal.bounds, &image.part.within);
        if !portal.far_from_near.is_identity()
            || !bounds.overlaps(within)
            || self.paths == MAX_PATHS
        {
            return None;
        }
        self.paths += 1;
        let near = bounds.grown(self.radius);
        Some(Behind {
            opening: portal.polygon.plane,
            sprawl: bounds.union(self.level.sprawl_through(id)),
            depth: image.part.depth + 1,
            within: Aabb {
                min: near.min.max(within.min),
                max: near.max.min(within.max),
            },
        })
    }
}

impl Surroundings {
    /// The surroundings of a room within `radius` metres, through portals that do not bend space.
    pub(super) fn of(level: &Level, room: RoomId, radius: f64) -> Self {
        let mut search = OccluderFront {
            level,
            home: room,
            radius,
            paths: 0,
            found: Vec::new(),
        };
        let everywhere = Aabb {
            min: DVec3::NEG_INFINITY,
            max: DVec3::INFINITY,
        };
        // No opening bounds the room itself.
        let here = Behind {
            opening: Plane::through(DVec3::ZERO, DVec3::Y),
            sprawl: everywhere,
            depth: 0,
            within: everywhere,
        };
        let mut walk = Walk::default();
        walk.begin(&mut search, room, here);
        walk.run(level, &RoomPoses::authored(level), &mut search);
        Self(search.found)
    }

    /// Returns the occluding triangles. Coincident copies are removed, so that rays need not test them.
    pub(super) fn occluders(&self, level: &Level) -> Vec<Occluder> {
        let found = self.0.iter().flat_map(|(room, behind)| {
            occluders_of(level, *room).filter(|&(triangle, _)| {
                let corners = corners(level, triangle).map(|p| p.as_dvec3());
                let bounds = Aabb::around(corners);
                // Rooms on a winding path may overlap in space: only geometry behind the opening counts, or geometry
                // that may sprawl through it.
                let is_behind = corners.iter().any(|&p| behind.opening.distance(p) > 0.0);
                bounds.overlaps(&behind.within) && (is_behind || bounds.overlaps(&behind.sprawl))
            })
        });
        let mut occluders: Vec<Occluder> = found
            .map(|(triangle, two_sided)| Occluder {
                corners: corners(level, triangle),
                sides: sides(two_sided),
                id: triangle,
            })
            .collect();
        let place = |o: &Occluder| o.corners.map(|corner| corner.to_array().map(f32::to_bits));
        // A two-sided triangle replaces its one-sided copies.
        occluders.sort_unstable_by_key(|o| (place(o), o.sides));
        occluders.dedup_by_key(|o| place(o));
        occluders
    }

    /// A hash of all inputs of the occluders, including a hash of the materials ([`materials_key`]).
    pub(super) fn key(&self, level: &Level, materials: u128) -> u128 {
        let hash = Fnv128::EMPTY.words(&[materials]);
        let hash = self.0.iter().fold(hash, |hash, (room, behind)| {
            let Plane { normal, offset } = behind.opening;
            let [sprawl, within] = [behind.sprawl, behind.within].map(|b| [b.min, b.max]);
            hash.words(&[level.room_key(*room)])
                .words(&[normal.extend(offset)])
                .words(&sprawl)
                .words(&within)
        });
        hash.0
    }
}

/// A hash of the properties of a level's materials that affect occlusion.
pub(super) fn materials_key(level: &Level) -> u128 {
    let materials = level.materials.iter();
    let flags = materials.map(|material| [occludes(material), material.double_sided]);
    let flags: Vec<u8> = flags.flatten().map(u8::from).collect();
    Fnv128::EMPTY.words(&flags).0
}

/// The triangles that occlude places in a room within `radius` metres: triangles of the room, and of rooms behind its
/// portals that do not bend space.
pub(super) fn occluders(level: &Level, room: RoomId, radius: f64) -> Vec<Occluder> {
    Surroundings::of(level, room, radius).occluders(level)
}

/// The occluding triangles of a room, and whether they are two-sided.
fn occluders_of(level: &Level, room: RoomId) -> impl Iterator<Item = (u32, bool)> + '_ {
    let draws = &level.room(room).draws;
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    draws.iter().flat_map(|draw| {
        let material = &level.materials[draw.material as usize];
        let triangles = draw.indices.start / 3..draw.indices.end / 3;
        let occluding = if occludes(material) { triangles } else { 0..0 };
        occluding.map(|triangle| (triangle, material.double_sided))
    })
}

/// The sides of an occluding triangle.
fn sides(two_sided: bool) -> FaceSides {
    if two_sided {
        FaceSides::Fronts
    } else {
        FaceSides::FrontAndBack
    }
}

fn occludes(material: &Material) -> bool {
    !material.sky && material.alpha != Alpha::Blend
}

fn corners(level: &Level, triangle: u32) -> [Vec3; 3] {
    vertices_of(level, triangle).map(|i| level.vertices[i as usize].position)
}
