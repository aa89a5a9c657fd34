//! Which triangles can take light away in a room.

use super::leaf::Occluder;
use super::patches::vertices_of;
use crate::geometry::Aabb;
use crate::level::{Alpha, Level, Material, Portal, RoomId};

/// Portals one behind the other that are looked through.
const DEPTH: usize = 4;
/// Ways through portals that are looked at: bounds the work in mazes.
const MAX_PATHS: usize = 256;

/// A room that is near enough to an opening, through others.
struct LightPath<'a> {
    room: RoomId,
    portal: &'a Portal,
    /// Box around the opening and what sprawls through it.
    reach: Aabb,
    depth: usize,
    /// What is nearer than the radius to all openings on the way.
    within: Aabb,
}

/// The triangles that take light away within `radius` metres from places in a room: those of the
/// room, and those behind its portals, as far as they do not bend space. Of those in the same place
/// one, so that rays have nothing to do with copies.
pub(super) fn occluders(level: &Level, room: RoomId, radius: f64) -> Vec<Occluder> {
    let mut triangles: Vec<(u32, bool)> = of_room(level, room).collect();
    let mut ways = Vec::new();
    let everywhere = Aabb {
        min: glam::DVec3::NEG_INFINITY,
        max: glam::DVec3::INFINITY,
    };
    go_on(level, room, 0, everywhere, radius, &mut ways);
    let mut next = 0;
    while next < ways.len() {
        let LightPath {
            room: there,
            portal,
            reach,
            depth,
            within,
        } = ways[next];
        next += 1;
        if there == room {
            continue;
        }
        triangles.extend(of_room(level, there).filter(|&(triangle, _)| {
            let corners = corners(level, triangle).map(|p| p.as_dvec3());
            let bounds = Aabb::around(corners);
            // Rooms that are wound up may be in the same place: what counts is behind the
            // opening, or known to come through it.
            let is_behind = corners
                .iter()
                .any(|&p| portal.polygon.plane.distance(p) > 0.0);
            bounds.overlaps(&within) && (is_behind || bounds.overlaps(&reach))
        }));
        if depth < DEPTH {
            go_on(level, there, depth, within, radius, &mut ways);
        }
    }
    let occluders = triangles.into_iter().map(|(triangle, two_sided)| Occluder {
        corners: corners(level, triangle),
        two_sided,
    });
    let mut occluders: Vec<Occluder> = occluders.collect();
    let place = |o: &Occluder| o.corners.map(|corner| corner.to_array().map(f32::to_bits));
    // One with two fronts does for those with one.
    occluders.sort_unstable_by_key(|o| (place(o), !o.two_sided));
    occluders.dedup_by_key(|o| place(o));
    occluders
}

/// Adds the ways through the portals of a room.
fn go_on<'a>(
    level: &'a Level,
    room: RoomId,
    depth: usize,
    within: Aabb,
    radius: f64,
    ways: &mut Vec<LightPath<'a>>,
) {
    for (id, portal) in level.portals_of(room) {
        let bounds = portal.bounds;
        if !portal.far_from_near.is_identity()
            || !bounds.overlaps(&within)
            || ways.len() == MAX_PATHS
        {
            continue;
        }
        let near = bounds.grown(radius);
        ways.push(LightPath {
            room: portal.far,
            portal,
            reach: bounds.union(level.sprawl_through(id)),
            depth: depth + 1,
            within: Aabb {
                min: near.min.max(within.min),
                max: near.max.min(within.max),
            },
        });
    }
}

/// The triangles of a room that take light away, and whether from both sides.
fn of_room(level: &Level, room: RoomId) -> impl Iterator<Item = (u32, bool)> + '_ {
    let draws = &level.room(room).draws;
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    draws.iter().flat_map(|draw| {
        let material = &level.materials[draw.material as usize];
        let triangles = draw.indices.start / 3..draw.indices.end / 3;
        let taking = if takes_light(material) {
            triangles
        } else {
            0..0
        };
        taking.map(|triangle| (triangle, material.double_sided))
    })
}

fn takes_light(material: &Material) -> bool {
    !material.sky && material.alpha != Alpha::Blend
}

fn corners(level: &Level, triangle: u32) -> [glam::Vec3; 3] {
    vertices_of(level, triangle).map(|i| level.vertices[i as usize].position)
}
