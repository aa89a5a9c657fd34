//! Ray casts: straight lines from room to room up to the first solid.

use std::cell::Cell;

use glam::DVec3;

use crate::collision::{RoomSolids, Solid, visit_bodies, visit_structure};
use crate::geometry::{Aabb, RaySlabs, Rigid, Triangle, closest_on_segment};
use crate::level::{At, BodyId, Level, LinkId, MAX_CROSSINGS, SolidTriangle};
use crate::shapes::{PosedCapsule, Shape};
use crate::world::World;

/// The segment of a ray in a room is extended by this distance, in metres, beyond the portals through which the ray
/// enters and leaves. So solids in the opening count, even those that extend through it by too little to sprawl.
const OVERLAP: f64 = 2e-3;

/// A hit of a ray on a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The point of the hit, in the room where it happened.
    pub at: At,
    /// The distance from the start, metres.
    pub distance: f64,
    /// The unit normal of the surface, on the side that the ray came from, in coordinates of the room.
    pub normal: DVec3,
    /// The solid; it identifies its node, room and material.
    pub solid: Solid,
    /// The transform from coordinates of the room where the ray began to those of the room of `at`.
    pub end_from_start: Rigid,
}

/// Casts a ray and returns its first hit: the front of a face, either side of a face whose material is double-sided,
/// or either side of the polygon of a closed link. Door panels are hit like other faces. `ray` is the direction times
/// the length, in metres, in coordinates of the room of `from`; it must be finite.
pub fn cast_ray(level: &Level, world: &World, from: At, ray: DVec3) -> Option<RayHit> {
    hit_of(trace(level, world, from, ray, StoppedBy::Solids))
}

/// Casts a ray as [`cast_ray`] does, but only against surfaces at rest in this tick: rigid bodies and movers that
/// have moved do not count.
pub(crate) fn cast_ray_at_still(
    level: &Level,
    world: &World,
    from: At,
    ray: DVec3,
) -> Option<RayHit> {
    hit_of(trace(level, world, from, ray, StoppedBy::Still))
}

fn hit_of(trace: RayEnd) -> Option<RayHit> {
    match trace {
        RayEnd::Hit(hit) => Some(hit),
        RayEnd::Free(_) => None,
    }
}

/// The solids that stop a ray.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StoppedBy {
    /// All solids that stop a body.
    Solids,
    /// All solids except rigid bodies.
    Structure,
    /// Structure except movers that have moved in this tick.
    Still,
    /// Structure except movers that can be seen through.
    Opaque,
}

impl StoppedBy {
    pub(super) fn passes(self, world: &World, link: LinkId) -> bool {
        match self {
            Self::Solids | Self::Structure | Self::Still => world.is_open(link),
            Self::Opaque => world.passes_light(link),
        }
    }
}

/// The end of a ray.
pub(super) enum RayEnd {
    /// A hit on a solid.
    Hit(RayHit),
    /// A free end, without a hit.
    Free(At),
}

/// Follows a ray from room to room.
pub(super) fn trace(
    level: &Level,
    world: &World,
    mut from: At,
    mut ray: DVec3,
    stopped_by: StoppedBy,
) -> RayEnd {
    let rooms = world.rooms();
    let passes = |link| stopped_by.passes(world, link);
    let length = ray.length();
    let mut end_from_start = Rigid::IDENTITY;
    let (mut done, mut first) = (0.0, 0.0);
    let mut nearest: Option<RayHit> = None;
    for crossed in 0.. {
        let crossing = rooms.first_crossing(level, (from, from.point + ray), done, passes);
        let crossing = crossing.filter(|_| crossed < MAX_CROSSINGS);
        let crossing = crossing.map(|(portal, part)| {
            let portal = rooms.portal(level, portal);
            let overlap = OVERLAP / portal.polygon.plane.normal.dot(ray);
            (portal, part, [part - overlap, part + overlap])
        });
        let last = crossing.map_or(1.0, |(.., [_, last])| last.min(1.0));
        if let Some((part, normal, solid)) =
            first_hit(level, world, from, ray, [first, last], stopped_by)
            && nearest.is_none_or(|known| part * length < known.distance)
        {
            nearest = Some(RayHit {
                at: from.with_point(from.point + ray * part),
                distance: length * part,
                normal,
                solid,
                end_from_start,
            });
        }
        let Some((portal, part, [next_first, _])) = crossing else {
            break;
        };
        // A hit near the opening may be behind a surface of the next room.
        if nearest.is_some_and(|hit| hit.distance < next_first * length) {
            break;
        }
        let bend = &portal.far_from_near;
        from = At::new(portal.far, bend.point(from.point));
        ray = bend.vector(ray);
        end_from_start = bend.after(&end_from_start);
        (done, first) = (part, next_first);
    }
    match nearest {
        Some(hit) => RayEnd::Hit(hit),
        None => RayEnd::Free(from.with_point(from.point + ray)),
    }
}

/// The first hit of a ray in its room between two ray parameters: the parameter, the normal, and the solid.
fn first_hit(
    level: &Level,
    world: &World,
    from: At,
    ray: DVec3,
    [first, last]: [f64; 2],
    stopped_by: StoppedBy,
) -> Option<(f64, DVec3, Solid)> {
    let (slabs, limit) = (RaySlabs::of(from.point, ray), Cell::new(last));
    let is_near = |bounds: &Aabb| slabs.within(bounds, [first, limit.get()]).is_some();
    let mut nearest = NearestHit {
        level,
        from: from.point,
        ray,
        first: first.max(0.0),
        limit: &limit,
        found: None,
    };
    visit_structure(level, world, from.room, is_near, |solids| match solids {
        RoomSolids::Own(set) => level.solids.along(set, &slabs, [first, last], |solid| {
            nearest.meet_solid(&solid, &solid.triangle(), u64::from(solid.index));
            limit.get()
        }),
        RoomSolids::Sprawling(triangles, here_from_room) => {
            for &index in triangles {
                let solid = level.solids.triangle(index);
                let triangle = solid.triangle().transformed(here_from_room);
                nearest.meet_solid(&solid, &triangle, LATER);
            }
        }
        RoomSolids::Barrier(link, here_from_link) => {
            if !stopped_by.passes(world, link) {
                for triangle in level.portal(level.link(link).portal).polygon.triangles() {
                    let triangle = triangle.transformed(&here_from_link);
                    nearest.meet(&triangle, true, Solid::Link(link), LATER);
                }
            }
        }
        RoomSolids::Mover(id, here_from_mover) => {
            let mover = level.mover(id);
            let passes = match stopped_by {
                StoppedBy::Opaque => mover.see_through,
                StoppedBy::Still => !world.now_from_before(id).is_identity(),
                StoppedBy::Solids | StoppedBy::Structure => false,
            };
            if !passes {
                for solid in level.solids.of(&mover.solids) {
                    let triangle = solid.triangle().transformed(&here_from_mover);
                    nearest.meet_solid(&solid, &triangle, LATER);
                }
            }
        }
    });
    if stopped_by == StoppedBy::Solids {
        visit_bodies(level, world, from.room, is_near, |id, here_from_body| {
            nearest.meet_body(id, &here_from_body);
        });
    }
    nearest.found.map(|(_, hit)| hit)
}

/// The order of all other hits at one point. Triangles of the room itself come first, in the order of their indices.
const LATER: u64 = u64::MAX;

/// The nearest hit so far of a ray in a room.
struct NearestHit<'a> {
    level: &'a Level,
    from: DVec3,
    ray: DVec3,
    /// The ray parameter from which hits count.
    first: f64,
    /// The ray parameter up to which hits count: that of the nearest hit so far.
    limit: &'a Cell<f64>,
    /// The order of the hit, and the hit: the parameter, the normal, and the solid.
    found: Option<(u64, (f64, DVec3, Solid))>,
}

impl NearestHit<'_> {
    /// Tests a triangle of a room, sprawl or mover, which is solid from behind if its material is double-sided.
    fn meet_solid(&mut self, solid: &SolidTriangle, triangle: &Triangle, order: u64) {
        let material = self.level.materials.get(solid.surface.material as usize);
        let is_two_sided = material.is_some_and(|material| material.double_sided);
        self.meet(triangle, is_two_sided, Solid::Triangle(solid.index), order);
    }

    /// Tests a rigid body: the fronts of its triangles, or its ball or capsule.
    fn meet_body(&mut self, id: BodyId, here_from_body: &Rigid) {
        let body = self.level.body(id);
        let (entered, ends) = match body.shape {
            Shape::Sphere { radius } => {
                let centre = here_from_body.translation();
                let part = enter_sphere(centre, radius, self.from, self.ray);
                (part, [centre; 2])
            }
            Shape::Capsule {
                half_segment,
                radius,
            } => {
                let capsule = PosedCapsule::new(here_from_body, half_segment, radius);
                let part = enter_capsule(&capsule, self.from, self.ray);
                (part, capsule.ends)
            }
            _ => {
                for solid in self.level.solids.of(&body.solids) {
                    let triangle = solid.triangle().transformed(here_from_body);
                    self.meet(&triangle, false, Solid::Triangle(solid.index), LATER);
                }
                return;
            }
        };
        if let Some(part) = entered {
            let point = self.from + self.ray * part;
            let normal = point - closest_on_segment(ends[0], ends[1], point);
            self.consider(part, normal, false, Solid::Body(id), LATER);
        }
    }

    fn meet(&mut self, triangle: &Triangle, is_two_sided: bool, solid: Solid, order: u64) {
        if let Some(part) = triangle.hit_by_ray(self.from, self.ray) {
            self.consider(part, triangle.cross(), is_two_sided, solid, order);
        }
    }

    /// Takes a hit if it is nearer than the nearest so far; `cross` points out of the front of the surface.
    fn consider(&mut self, part: f64, cross: DVec3, is_two_sided: bool, solid: Solid, order: u64) {
        let is_front = cross.dot(self.ray) < 0.0;
        let is_nearer = (self.first..=self.limit.get()).contains(&part)
            && self
                .found
                .is_none_or(|(known_order, (known, ..))| (part, order) < (known, known_order));
        if is_nearer && (is_front || is_two_sided) {
            let normal = if is_front { cross } else { -cross };
            self.found = Some((order, (part, normal.normalize_or_zero(), solid)));
            self.limit.set(part);
        }
    }
}

/// The ray parameter at which the line of a ray enters a sphere.
fn enter_sphere(centre: DVec3, radius: f64, from: DVec3, ray: DVec3) -> Option<f64> {
    let nearest = (centre - from).dot(ray) / ray.length_squared();
    let miss = (from + ray * nearest - centre).length_squared();
    let half_chord_squared = radius * radius - miss;
    (half_chord_squared >= 0.0)
        .then(|| nearest - (half_chord_squared / ray.length_squared()).sqrt())
}

/// The ray parameter at which the line of a ray enters a capsule: the balls around its ends, or the cylinder between them.
fn enter_capsule(capsule: &PosedCapsule, from: DVec3, ray: DVec3) -> Option<f64> {
    let PosedCapsule { ends, radius } = *capsule;
    let along = ends[1] - ends[0];
    let across = |vector: DVec3| vector - along * (vector.dot(along) / along.length_squared());
    let of_cylinder = enter_sphere(DVec3::ZERO, radius, across(from - ends[0]), across(ray));
    let of_cylinder = of_cylinder.filter(|part| {
        let height = (from + ray * *part - ends[0]).dot(along);
        (0.0..=along.length_squared()).contains(&height)
    });
    let of_ends = ends.map(|end| enter_sphere(end, radius, from, ray));
    let entered = of_ends.into_iter().chain([of_cylinder]).flatten();
    entered.min_by(f64::total_cmp)
}
