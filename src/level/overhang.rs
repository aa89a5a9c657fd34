//! What of a room reaches out through its portals: door reveals, stairs that poke through.

use glam::DVec3;

use super::build::to_level;
use super::{Level, LevelSource, MeshSource, Portal, PortalId};
use crate::geometry::{Aabb, ConvexPolygon, Plane, Triangle};

/// What reaches through a portal must meet its plane along this length of the opening, metres:
/// corners that merely meet the opening's rim hang through nothing.
const CROSSING_LENGTH: f64 = 0.01;
/// Parts of a room nearer than this to a portal's plane or outline touch it, metres.
pub(super) const TOUCH: f64 = 2e-3;

/// How often a portal's reach is handed on, on average, at most; more than a few rooms in a row
/// are not thin, and loops of portals have to end.
const MAX_HANDINGS_ON: usize = 16;

/// Finds what of each portal's destination reaches through it to this side.
pub(super) fn measure_overhangs(level: &mut Level, source: &LevelSource) {
    let mut only_drawn: Vec<&MeshSource> = source.meshes.iter().collect();
    only_drawn.retain(|mesh| mesh.drawn && !mesh.solid);
    only_drawn.sort_by_key(|mesh| mesh.room);
    for index in 0..level.portals.len() {
        let portal = &level.portals[index];
        let room = portal.to.0 as usize;
        let of_room = only_drawn.partition_point(|mesh| mesh.room < room)
            ..only_drawn.partition_point(|mesh| mesh.room <= room);
        let overhang = overhang(level, portal, &only_drawn[of_room]);
        if !overhang.is_empty() {
            let portal = &mut level.portals[index];
            portal.reach = portal.reach.union(overhang);
            portal.overhangs = true;
        }
    }
    pass_on(level);
    // Whoever looks for what is near finds the portals of rooms whose box is near.
    for portal in &level.portals {
        let room = &mut level.rooms[portal.from.0 as usize];
        room.bounds = room.bounds.union(portal.reach);
    }
}

/// What reaches through two portals in a row, as it does where the room between them is thin,
/// counts to the first one too.
fn pass_on(level: &mut Level) {
    let mut waiting: Vec<PortalId> = (0..level.portals.len() as u32)
        .map(PortalId)
        .filter(|&id| level.portal(id).overhangs)
        .collect();
    for _ in 0..MAX_HANDINGS_ON * level.portals.len() {
        let Some(id) = waiting.pop() else { break };
        let next = level.portal(id);
        // The portals into the room that this one leaves.
        let into: Vec<PortalId> = level
            .portals_of(next.from)
            .filter(|(_, side)| side.link != next.link)
            .filter_map(|(side, _)| level.back(side))
            .collect();
        let reach = next.reach;
        for id in into {
            let portal = level.portal(id);
            let reach = reach.transformed(&portal.to_from_from.inverse());
            let passed = part_behind(&reach, &portal.polygon);
            if passed.is_empty() || portal.reach.union(passed) == portal.reach {
                continue;
            }
            let portal = &mut level.portals[id.0 as usize];
            portal.reach = portal.reach.union(passed);
            portal.overhangs = true;
            waiting.push(id);
        }
    }
}

/// The part of a box behind a portal, if the box may pass through the portal at all.
fn part_behind(reach: &Aabb, polygon: &ConvexPolygon) -> Aabb {
    let corners: [DVec3; 8] = std::array::from_fn(|i| {
        let pick = |k: usize| {
            if i >> k & 1 == 0 {
                reach.min[k]
            } else {
                reach.max[k]
            }
        };
        DVec3::new(pick(0), pick(1), pick(2))
    });
    let mut part = Aabb::EMPTY;
    let is_behind = |&p: &DVec3| polygon.plane.distance(p) < -TOUCH;
    if reach.overlaps(&polygon.bounds()) && corners.iter().any(is_behind) {
        grow(&mut part, &corners, &polygon.plane);
    }
    part
}

/// The box, in coordinates of `portal.from`, around the parts of the room entered that lie on
/// this side of the portal: polygons that cross its plane at the opening or line it up to there,
/// and what hangs together with them. `only_drawn` are the meshes of that room that are not solid.
fn overhang(level: &Level, portal: &Portal, only_drawn: &[&MeshSource]) -> Aabb {
    let from_to = portal.to_from_from.inverse();
    let plane = &portal.polygon.plane;
    let entered = level.room(portal.to).bounds.transformed(&from_to);
    let mut corners = entered.corners().into_iter();
    if corners.all(|p| plane.distance(p) > -TOUCH) {
        // The whole room lies beyond it.
        return Aabb::EMPTY;
    }
    let solid = level.solids.of(&level.room(portal.to).solids);
    let solid = solid.map(|solid| solid.triangle().corners);
    let drawn = only_drawn.iter().flat_map(|mesh| {
        let corner = |&i: &u32| to_level(mesh.positions[i as usize], level.origin).as_dvec3();
        mesh.triangles
            .iter()
            .map(move |t| [corner(&t[0]), corner(&t[1]), corner(&t[2])])
    });
    let triangles = || {
        solid
            .clone()
            .chain(drawn.clone())
            .map(|t| t.map(|p| from_to.point(p)))
    };
    let near_opening = portal.polygon.bounds().grown(TOUCH);
    let is_this_side = |p: DVec3| plane.distance(p) < -TOUCH;
    let reaches_through = |corners: &[DVec3; 3]| {
        corners.iter().any(|&p| is_this_side(p))
            && Aabb::around(*corners).overlaps(&near_opening)
            && if corners.iter().any(|&p| plane.distance(p) > TOUCH) {
                cuts_polygon(corners, &portal.polygon)
            } else {
                lines_polygon(corners, &portal.polygon)
            }
    };
    // Corners of a room are the same bits in all its triangles.
    let key = |p: DVec3| p.to_array().map(f64::to_bits);
    let mut hanging = std::collections::BTreeSet::new();
    let mut bounds = Aabb::EMPTY;
    for corners in triangles().filter(reaches_through) {
        grow(&mut bounds, &corners, plane);
        hanging.extend(corners.into_iter().filter(|&p| is_this_side(p)).map(key));
    }
    // Triangles that share a corner on this side belong to the overhang too, and so on.
    let mut before = 0;
    while hanging.len() > before {
        before = hanging.len();
        for corners in triangles() {
            if corners.iter().any(|&p| hanging.contains(&key(p))) {
                grow(&mut bounds, &corners, plane);
                hanging.extend(corners.into_iter().filter(|&p| is_this_side(p)).map(key));
            }
        }
    }
    bounds
}

/// Whether the triangle cuts the polygon's plane in a segment that runs inside the polygon or
/// along its rim.
fn cuts_polygon(corners: &[DVec3; 3], polygon: &ConvexPolygon) -> bool {
    let plane = &polygon.plane;
    let mut cut = Vec::with_capacity(2);
    for i in 0..3 {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let (da, db) = (plane.distance(a), plane.distance(b));
        if (da < 0.0) != (db < 0.0) {
            cut.push(a + (b - a) * (da / (da - db)));
        }
    }
    let [a, b] = cut[..] else { return false };
    runs_along(a, b, polygon)
}

/// Whether the triangle ends in the polygon's plane, in an edge that runs inside the polygon or
/// along its rim, with some of the polygon in front of it: the end of a door reveal, but not a
/// wall that the room entered turns its back with.
fn lines_polygon(corners: &[DVec3; 3], polygon: &ConvexPolygon) -> bool {
    let in_plane = |p: DVec3| polygon.plane.distance(p).abs() <= TOUCH;
    let ends_along = (0..3).any(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        in_plane(a) && in_plane(b) && runs_along(a, b, polygon)
    });
    let front = Triangle { corners: *corners }.normal();
    ends_along
        && front.is_some_and(|front| {
            let mut vertices = polygon.vertices.iter();
            vertices.any(|&p| front.dot(p - corners[0]) > TOUCH)
        })
}

/// Whether a segment in the polygon's plane runs inside the polygon or along its rim.
fn runs_along(a: DVec3, b: DVec3, polygon: &ConvexPolygon) -> bool {
    // Clip the segment by the outline grown by the touch distance.
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    let n = polygon.vertices.len();
    for i in 0..n {
        let (from, to) = (polygon.vertices[i], polygon.vertices[(i + 1) % n]);
        let Some(inward) = polygon.plane.normal.cross(to - from).try_normalize() else {
            continue;
        };
        let (da, db) = (inward.dot(a - from) + TOUCH, inward.dot(b - from) + TOUCH);
        if da < 0.0 && db < 0.0 {
            return false;
        }
        if da < 0.0 {
            enter = enter.max(da / (da - db));
        } else if db < 0.0 {
            leave = leave.min(da / (da - db));
        }
    }
    (leave - enter) * (b - a).length() > CROSSING_LENGTH
}

/// Grows the box by the part of a convex body with these corners that lies on this side (behind)
/// of the plane.
fn grow(bounds: &mut Aabb, corners: &[DVec3], plane: &Plane) {
    for (i, &a) in corners.iter().enumerate() {
        let da = plane.distance(a);
        if da <= 0.0 {
            *bounds = bounds.with_point(a);
        }
        for &b in &corners[i + 1..] {
            let db = plane.distance(b);
            if (da < 0.0) != (db < 0.0) {
                *bounds = bounds.with_point(a + (b - a) * (da / (da - db)));
            }
        }
    }
}
