//! Ray casts: straight lines from room to room up to the first solid.

use glam::DVec3;

use crate::collision::Solid;
use crate::geometry::{Aabb, Aabb32, Rigid, Triangle};
use crate::level::{At, Level, LinkId, MAX_CROSSINGS};
use crate::shapes::Shape;
use crate::world::World;

/// The distance, metres, by which the segment of a ray in a room is extended beyond the portals that the ray enters and leaves
/// by: solids in the opening count, and so do solids that extend through it by too little to sprawl.
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

/// Casts a ray and returns its first hit: the front of a face, either side of a face whose material is double-sided, a closed
/// door or a closed portal. `ray` is its direction times its length, metres, finite, in coordinates of the room of `from`.
pub fn cast_ray(level: &Level, world: &World, from: At, ray: DVec3) -> Option<RayHit> {
    hit_of(trace(level, world, from, ray, StoppedBy::Solids))
}

/// Casts a ray, like [`cast_ray`], against surfaces at rest in this tick only: rigid bodies do not count, nor do
/// movers that have moved.
pub(crate) fn cast_ray_at_still(
    level: &Level,
    world: &World,
    from: At,
    ray: DVec3,
) -> Option<RayHit> {
    hit_of(trace(level, world, from, ray, StoppedBy::Still))
}

fn hit_of(trace: Trace) -> Option<RayHit> {
    match trace {
        Trace::Hit(hit) => Some(hit),
        Trace::Free(_) => None,
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
pub(super) enum Trace {
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
) -> Trace {
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
        Some(hit) => Trace::Hit(hit),
        None => Trace::Free(from.with_point(from.point + ray)),
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
    let mut nearest: Option<(f64, DVec3, Solid)> = None;
    let mut consider = |part: f64, cross: DVec3, two_sided: bool, solid: Solid| {
        let is_front = cross.dot(ray) < 0.0;
        let is_nearer = nearest.is_none_or(|(known, ..)| part < known);
        if (first.max(0.0)..=last).contains(&part) && is_nearer && (is_front || two_sided) {
            let normal = if is_front { cross } else { -cross };
            nearest = Some((part, normal.normalize_or_zero(), solid));
        }
    };
    let mut test = |triangle: &Triangle, two_sided: bool, solid: Solid| {
        if let Some(part) = triangle.hit_by_ray(from.point, ray) {
            consider(part, triangle.cross(), two_sided, solid);
        }
    };
    let rooms = world.rooms();
    let [start, end] = [first, last].map(|part| from.point + ray * part);
    let around = Aabb::around([start, end]);
    let room = level.room(from.room);
    let two_sided = |material: u32| {
        let material = level.materials.get(material as usize);
        material.is_some_and(|material| material.double_sided)
    };
    level
        .solids
        .touching(&room.solids, &Aabb32::around(&around), |solid| {
            let is_two_sided = two_sided(solid.surface.material);
            test(
                &solid.triangle(),
                is_two_sided,
                Solid::Triangle(solid.index),
            );
        });
    for sprawl in rooms.sprawls_into(level, from.room) {
        if !sprawl.bounds.overlaps(&around) {
            continue;
        }
        let triangles = sprawl.triangles.start as usize..sprawl.triangles.end as usize;
        for &index in &level.sprawling_triangles[triangles] {
            let solid = level.solids.triangle(index);
            let triangle = solid.triangle().transformed(&sprawl.into_from_room);
            test(
                &triangle,
                two_sided(solid.surface.material),
                Solid::Triangle(index),
            );
        }
    }
    let closed = room
        .barriers
        .iter()
        .filter(|barrier| !stopped_by.passes(world, barrier.link));
    for barrier in closed.filter(|barrier| barrier.bounds.overlaps(&around)) {
        let link = level.link(barrier.link);
        let here_from_link =
            rooms.from_authored(level, [link.near, from.room], &barrier.room_from_link);
        for triangle in level.portal(link.portal).polygon.triangles() {
            let triangle = triangle.transformed(&here_from_link);
            test(&triangle, true, Solid::Link(barrier.link));
        }
    }
    for image in room
        .movers
        .iter()
        .filter(|image| image.bounds.overlaps(&around))
    {
        let mover = level.mover(image.mover);
        let passes = match stopped_by {
            StoppedBy::Opaque => mover.see_through,
            StoppedBy::Still => !world.now_from_before(image.mover).is_identity(),
            StoppedBy::Solids | StoppedBy::Structure => false,
        };
        if passes || !world.is_present(mover) {
            continue;
        }
        let here_from_mover = world.here_from_mover(level, from.room, image);
        for solid in level.solids.of(&mover.solids) {
            let triangle = solid.triangle().transformed(&here_from_mover);
            test(
                &triangle,
                two_sided(solid.surface.material),
                Solid::Triangle(solid.index),
            );
        }
    }
    if stopped_by == StoppedBy::Solids && !level.bodies.is_empty() {
        for (id, here_from_body) in world.bodies_reaching(level, from.room) {
            let body = level.body(id);
            let radius = body.radius;
            let bounds = Aabb::around([here_from_body.translation()]).grown(radius);
            if bounds.overlaps(&around) {
                for solid in level.solids.of(&body.solids) {
                    let triangle = solid.triangle().transformed(&here_from_body);
                    test(&triangle, false, Solid::Triangle(solid.index));
                }
            }
        }
        for (id, here_from_body) in world.bodies_reaching(level, from.room) {
            let centre = here_from_body.translation();
            if let Shape::Sphere { radius } = level.body(id).shape
                && let Some(part) = enter_sphere(centre, radius, from.point, ray)
            {
                let normal = from.point + ray * part - centre;
                consider(part, normal, false, Solid::Body(id));
            }
        }
    }
    nearest
}

/// The ray parameter at which the line of a ray enters a sphere.
fn enter_sphere(centre: DVec3, radius: f64, from: DVec3, ray: DVec3) -> Option<f64> {
    let nearest = (centre - from).dot(ray) / ray.length_squared();
    let miss = (from + ray * nearest - centre).length_squared();
    let half_chord_squared = radius * radius - miss;
    (half_chord_squared >= 0.0)
        .then(|| nearest - (half_chord_squared / ray.length_squared()).sqrt())
}
