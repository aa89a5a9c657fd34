//! Which triangles can occlude places in a room.

use glam::{DVec3, Vec3};

use super::leaf::Occluder;
use super::patches::vertices_of;
use crate::geometry::{Aabb, Plane};
use crate::hash::Fnv128;
use crate::level::{
    Alpha, Front, Level, Material, Portal, PortalId, RoomId, RoomImage, RoomPoses, Walk,
};

/// Portals one behind the other that occluders are looked for through.
const MAX_DEPTH: u32 = 4;
/// Paths through portals that are followed: bounds the work in mazes.
const MAX_PATHS: usize = 256;

/// The surroundings of a room, as a front of the walk through the room graph.
struct Search<'a> {
    level: &'a Level,
    home: RoomId,
    /// Metres.
    radius: f64,
    paths: usize,
    found: Vec<(RoomId, Behind)>,
}

/// The rooms from which something can occlude places in a room: itself, and those behind its portals, one for each path.
pub(super) struct Surroundings(Vec<(RoomId, Behind)>);

/// A room that is near enough to an opening, through others.
#[derive(Clone, Copy)]
struct Behind {
    /// Plane of the opening.
    opening: Plane,
    /// Box around the opening and the geometry that sprawls through it.
    sprawl: Aabb,
    /// How many portals lead there.
    depth: u32,
    /// The places that are nearer than the radius to all openings on the way.
    within: Aabb,
}

impl Front for Search<'_> {
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
    /// Those of a room within `radius` metres, as far as portals do not bend space.
    pub(super) fn of(level: &Level, room: RoomId, radius: f64) -> Self {
        let mut search = Search {
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

    /// The triangles that occlude. Of copies in the same place only one, so that rays need not test the others.
    pub(super) fn occluders(&self, level: &Level) -> Vec<Occluder> {
        let found = self.0.iter().flat_map(|(room, behind)| {
            occluders_of(level, *room).filter(|&(triangle, _)| {
                let corners = corners(level, triangle).map(|p| p.as_dvec3());
                let bounds = Aabb::around(corners);
                // Rooms that wind up may be in the same place: only geometry behind the opening
                // counts, or such as may come through it.
                let is_behind = corners.iter().any(|&p| behind.opening.distance(p) > 0.0);
                bounds.overlaps(&behind.within) && (is_behind || bounds.overlaps(&behind.sprawl))
            })
        });
        let mut occluders: Vec<Occluder> = found
            .map(|(triangle, two_sided)| Occluder {
                corners: corners(level, triangle),
                two_sided,
            })
            .collect();
        let place = |o: &Occluder| o.corners.map(|corner| corner.to_array().map(f32::to_bits));
        // A two-sided one stands for its one-sided copies.
        occluders.sort_unstable_by_key(|o| (place(o), !o.two_sided));
        occluders.dedup_by_key(|o| place(o));
        occluders
    }

    /// A number for all that the occluders depend on, with a hash of the materials ([`materials_key`]).
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

/// A hash of what the materials of a level say of occlusion.
pub(super) fn materials_key(level: &Level) -> u128 {
    let materials = level.materials.iter();
    let flags = materials.map(|material| [occludes(material), material.double_sided]);
    let flags: Vec<u8> = flags.flatten().map(u8::from).collect();
    Fnv128::EMPTY.words(&flags).0
}

/// The triangles that occlude within `radius` metres from places in a room: those of the room, and those
/// behind its portals, as far as they do not bend space.
pub(super) fn occluders(level: &Level, room: RoomId, radius: f64) -> Vec<Occluder> {
    Surroundings::of(level, room, radius).occluders(level)
}

/// The triangles of a room that occlude, and whether they are two-sided.
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

fn occludes(material: &Material) -> bool {
    !material.sky && material.alpha != Alpha::Blend
}

fn corners(level: &Level, triangle: u32) -> [Vec3; 3] {
    vertices_of(level, triangle).map(|i| level.vertices[i as usize].position)
}
