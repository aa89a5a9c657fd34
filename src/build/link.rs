//! Links portals: turns authored meshes into edges of the room graph.

use std::f64::consts::PI;
use std::iter;

use glam::DVec3;

use super::opening::{OpeningError, TOUCH, UnlinkedOpening, report_turned};
use super::targets::link_targets;
use super::unknown_rooms::report_unknown;
use super::unnamed::link_unnamed;
use super::windings::{RoomSurfaces, RoomWindings};
use crate::geometry::{
    Aabb, Aabb32, ConvexPolygon, MovedCorner, Triangle, by_coordinates, mended, solid_angle,
};
use crate::level::{AuthorPoint, LevelData, Link, LinkId, Portal, PortalId, RoomId};
use crate::parallel::{cores, parallel_map};
use crate::problems::{Mend, ProblemCode, ProblemPlace, Problems};
use crate::source::{LevelSource, PortalSource};

/// Maximum distance between a portal and the geometry of the room behind it, metres.
const FAR: f64 = 0.5;
/// Distance between a portal and the points on its two sides at which the rooms are probed, metres.
const SIDE_PROBE: f64 = 0.3;
/// Further probe distances, in radii of the portal. At the first one the portal fills a quarter of the sphere of view.
/// The nearer ones are for shallow rooms, the farther one is for obstacles close to the portal.
const PROBES: [f64; 4] = [0.577, 0.2, 0.35, 1.0];
/// A portal's orientation is certain if the winding numbers on its two sides deviate from the expected ones by at most
/// this fraction, 0..1, of their expected difference.
const CLEAR: f64 = 0.5;
/// Probes lie at most at this fraction of the distance to the nearest surface on either side of the portal, 0..1, so
/// that they are in the rooms there.
const HALF_WAY: f64 = 0.5;
/// Maximum depth of a reveal, metres.
const MAX_REVEAL: f64 = 10.0;
/// Distance from a portal within which the edge of its opening is searched for, metres.
const RIM: f64 = 0.05;

/// Creates links and portals from the portal meshes. Their order depends only on their content.
pub(super) fn link_portals(
    level: &mut LevelData,
    source: &LevelSource,
    surfaces: &RoomSurfaces,
    problems: &mut Problems,
) {
    let mut openings = Vec::new();
    let read = parallel_map(source.portals.len(), cores(), |index| {
        UnlinkedOpening::of(&source.portals[index], level.origin)
    });
    for (portal, opening) in source.portals.iter().zip(read) {
        match opening {
            Ok(opening) => openings.push(opening),
            Err(problem) => report_broken(level, source, portal, &problem, problems),
        }
    }
    openings.sort_by(|a, b| {
        let by_room = a.from.cmp(&b.from).then(a.source.node.cmp(&b.source.node));
        by_room.then_with(|| by_coordinates(a.polygon.vertices[0], b.polygon.vertices[0]))
    });
    let (mut links, mut unknown) = (Vec::new(), Vec::new());
    let openings = link_targets(level, openings, &mut links, problems);
    let folded = links.len();
    let (named, unnamed): (Vec<UnlinkedOpening>, Vec<UnlinkedOpening>) = openings
        .into_iter()
        .partition(|o| !o.source.dest.is_empty());
    let origin = level.origin;
    let place = |opening: &UnlinkedOpening| {
        let centre = opening.polygon.centre() + origin;
        Some(ProblemPlace::at(AuthorPoint(centre)))
    };
    for opening in named {
        match level.room_named(&opening.source.dest) {
            Some(to) if to == opening.from && opening.far_from_near.is_identity() => {
                let message = format!(
                    "it leads from room `{}` into itself; name it after the room that lies behind it",
                    level.room(to).name
                );
                problems.add(
                    true,
                    ProblemCode::PortalIntoItself,
                    &opening.source.node,
                    place(&opening),
                    || message,
                );
            }
            Some(to) => links.push((opening, to)),
            None => unknown.push(opening),
        }
    }
    let is_any_known = !links.is_empty() || !unnamed.is_empty();
    report_unknown(level, &unknown, is_any_known, problems);
    link_unnamed((level, surfaces), unnamed, &mut links, problems);
    // The bounds are copied now, because later they include the portals of the rooms.
    let own_bounds: Vec<Aabb> = level.rooms.iter().map(|room| room.bounds).collect();
    add_links(level, &links);
    turn_outwards(level, surfaces, folded, problems);
    name_far_portals(level, &own_bounds, problems);
}

/// Reports why a portal mesh has no opening.
fn report_broken(
    level: &LevelData,
    source: &LevelSource,
    portal: &PortalSource,
    problem: &OpeningError,
    problems: &mut Problems,
) {
    let (code, mend) = match problem {
        OpeningError::Polygon(_) => (ProblemCode::PortalPolygon, mend_of(level, source, portal)),
        OpeningError::NotRigid => (ProblemCode::PortalTransform, None),
    };
    let corner = portal.triangles.iter().flatten().next();
    let place = corner.map(|&corner| ProblemPlace::at(AuthorPoint(corner)));
    let room = &source.rooms[portal.room].name;
    let message = || format!("the portal out of room `{room}`: {problem}");
    problems.add_mendable(true, code, &portal.node, (place, mend), message);
}

/// The fix that turns a portal mesh into a polygon with the help of corners of the adjacent rooms.
fn mend_of(level: &LevelData, source: &LevelSource, portal: &PortalSource) -> Option<Mend> {
    let triangles = portal.triangles.iter().map(|corners| Triangle {
        corners: corners.map(|p| p - level.origin),
    });
    let triangles: Vec<Triangle> = triangles.collect();
    let around = Aabb::around(triangles.iter().flat_map(|t| t.corners)).grown(RIM);
    let is_beside = |room: usize| room == portal.room || source.rooms[room].name == portal.dest;
    let meshes = source.meshes.iter().filter(|mesh| is_beside(mesh.room));
    let corners = meshes.flat_map(|mesh| &mesh.positions);
    let corners = corners.map(|&p| p - level.origin);
    let rim: Vec<DVec3> = corners.filter(|&p| around.contains(p)).collect();
    let moved = mended(&triangles, &rim)?;
    let to_author = |(at, to): MovedCorner| (at, level.to_author(to).0);
    Some(Mend::MovePortal(moved.into_iter().map(to_author).collect()))
}

/// Turns links that face into their own room, with a warning. The first `folded` links are portals that lead to other
/// portals. Such a link cannot be turned, because the fronts determine how its rooms fit, so it is an error.
fn turn_outwards(
    level: &mut LevelData,
    surfaces: &RoomSurfaces,
    folded: usize,
    problems: &mut Problems,
) {
    let windings = RoomWindings::cached(level, surfaces);
    for index in 0..folded {
        report_backwards(level, &windings, index, problems);
    }
    let others = folded..level.links.len();
    let backwards: Vec<usize> = others
        .filter(|&i| faces_inwards(level, &windings, i))
        .collect();
    for index in backwards {
        let link = &level.links[index];
        let centre = level.portal(link.portal).polygon.centre();
        report_turned(level, &link.name, (link.near, centre), problems);
        let sides = [Some(link.portal), link.back];
        for id in sides.into_iter().flatten() {
            let portal = &mut level.portals[id.0 as usize];
            portal.polygon = portal.polygon.flipped();
        }
    }
}

/// Reports the sides of a link between two portals that face into their own rooms.
fn report_backwards(
    level: &LevelData,
    windings: &RoomWindings,
    index: usize,
    problems: &mut Problems,
) {
    let link = &level.links[index];
    let portal = level.portal(link.portal);
    let of_far = portal.polygon.transformed(&portal.far_from_near).flipped();
    let sides = [
        (link.near, &portal.polygon, true),
        (link.far, &of_far, link.back.is_some()),
    ];
    for (room, polygon, is_own) in sides {
        if looks_out(windings, room, (polygon, is_own)) != Some(false) {
            continue;
        }
        let message = || {
            format!(
                "the front of its portal at room `{}` faces into that room, so the rooms do not fit; turn that portal (Blender: Mesh, Normals, Flip)",
                level.room(room).name
            )
        };
        let place = ProblemPlace::at(level.to_author(polygon.centre()));
        let code = ProblemCode::PortalLeadsTo;
        problems.add(true, code, &link.name, Some(place), message);
    }
}

/// The depth of the near room's reveal behind a portal, metres: the distance to which faces of the near room
/// continue. Faces that begin more than [`FAR`] behind the others belong to another part of the room.
fn reveal_behind(level: &LevelData, portal: &Portal) -> f64 {
    let plane = &portal.polygon.plane;
    let end = [portal.bounds.min, portal.bounds.max].map(|p| p + plane.normal * MAX_REVEAL);
    let behind = portal.bounds.union(Aabb::around(end)).grown(RIM);
    let mut spans: Vec<[f64; 2]> = Vec::new();
    let (solids, query) = (&level.room(portal.near).solids, Aabb32::around(&behind));
    level.solids.touching(solids, &query, |solid| {
        let corners = solid.triangle().corners;
        if Aabb::around(corners).overlaps(&behind) {
            let distances = corners.map(|p| plane.distance(p));
            let least = distances.into_iter().fold(f64::INFINITY, f64::min);
            spans.push([least, distances.into_iter().fold(least, f64::max)]);
        }
    });
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
    spans.into_iter().fold(0.0, |depth: f64, [begin, end]| {
        if begin < depth + FAR {
            depth.max(end.min(MAX_REVEAL))
        } else {
            depth
        }
    })
}

/// Reports links whose far room has no geometry near the portal, so that a hole is visible through it.
fn name_far_portals(level: &LevelData, own_bounds: &[Aabb], problems: &mut Problems) {
    for link in &level.links {
        let portal = level.portal(link.portal);
        let opening = portal.polygon.transformed(&portal.far_from_near).bounds();
        // The reveal in front of the portal may belong to the far room.
        let back = portal.polygon.plane.normal * -MAX_REVEAL;
        let before = [portal.bounds.min, portal.bounds.max].map(|corner| corner + back);
        let before = portal.bounds.union(Aabb::around(before));
        let far_bounds = &own_bounds[link.far.0 as usize];
        let opening = if far_bounds.is_empty() || far_bounds.overlaps(&opening.grown(FAR)) {
            opening
        } else {
            // The reveal behind the portal may belong to the near room.
            let deep = portal.polygon.plane.normal * reveal_behind(level, portal);
            let end = portal.polygon.vertices.iter();
            let end = end.map(|&p| portal.far_from_near.point(p + deep));
            opening.union(Aabb::around(end))
        };
        let ends = [(link.near, before), (link.far, opening)];
        let message = ends
            .into_iter()
            .zip([true, false])
            .find_map(|((id, at), is_near)| {
                let (room, bounds) = (level.room(id), &own_bounds[id.0 as usize]);
                let why = if bounds.is_empty() {
                    ", which has no meshes".to_owned()
                } else if !bounds.overlaps(&at.grown(FAR)) {
                    ", which does not reach it".to_owned()
                } else {
                    return None;
                };
                let [is, cure] = if is_near {
                    [
                        "is a child of",
                        "make it a child of the room that lies before it, or move it into its opening",
                    ]
                } else if portal.far_from_near.is_identity() {
                    [
                        "leads to",
                        "name it after the room that lies behind it, or move that room to it",
                    ]
                } else {
                    [
                        "leads to",
                        "make the portal at which one arrives a child of the room that it lies in",
                    ]
                };
                Some(format!("it {is} room `{}`{why}; {cure}", room.name))
            });
        let Some(message) = message else {
            continue;
        };
        let place = ProblemPlace::at(level.to_author(portal.polygon.centre()));
        problems.add(
            false,
            ProblemCode::PortalFar,
            &link.name,
            Some(place),
            || message,
        );
    }
}

/// Whether a link's front faces into its near room. For a closed room this is certain: with the portal as wall, the
/// room's winding number is an integer on both sides of the portal. A room with other holes still has a larger winding
/// number inside than outside, so that the result is a good guess.
fn faces_inwards(level: &LevelData, windings: &RoomWindings, index: usize) -> bool {
    let link = &level.links[index];
    let portal = level.portal(link.portal);
    let polygon = &portal.polygon;
    let own = &level.room(link.near).bounds;
    if own
        .corners()
        .iter()
        .all(|&p| polygon.plane.distance(p) < TOUCH)
    {
        // The whole room lies behind the link's front.
        return false;
    }
    let out_of_near = looks_out(windings, link.near, (polygon, true));
    if out_of_near == Some(true) {
        return false;
    }
    let of_far = polygon.transformed(&portal.far_from_near).flipped();
    let out_of_far = looks_out(windings, link.far, (&of_far, link.back.is_some()));
    if let Some(is_right) = out_of_far.or(out_of_near) {
        return !is_right;
    }
    let step_at = |distance: f64| {
        let step = polygon.plane.normal * distance;
        let (front, back) = (polygon.centre() + step, polygon.centre() - step);
        let own_side = windings.around(link.near, back) - windings.around(link.near, front);
        let in_far = |point: DVec3| windings.around(link.far, portal.far_from_near.point(point));
        own_side < -0.25 && own_side + in_far(front) - in_far(back) < -0.6
    };
    // A probe beyond another wall of a room says nothing about that room.
    let rooms = [(link.near, polygon), (link.far, &of_far)];
    let beside = rooms.map(|(room, polygon)| nearest_beside(level, room, polygon));
    let within = HALF_WAY * beside[0].min(beside[1]);
    let probes = [SIDE_PROBE, PROBES[0] * radius_of(polygon)];
    probes.into_iter().any(|at| step_at(at.min(within)))
}

/// The distance from the centre of a polygon, along its normal in either direction, to the nearest surface of a room,
/// metres. The surface is a wall or another of the room's portals.
fn nearest_beside(level: &LevelData, id: RoomId, polygon: &ConvexPolygon) -> f64 {
    let centre = polygon.centre();
    let reach = polygon.plane.normal * radius_of(polygon).max(SIDE_PROBE);
    let around = Aabb::around([centre - reach, centre + reach]);
    let mut nearest = f64::INFINITY;
    let mut meet = |triangle: Triangle| {
        let at = triangle.hit_by_ray(centre, reach);
        let distance = at.map_or(f64::INFINITY, |at| at.abs() * reach.length());
        // The polygon itself does not count as a surface.
        if distance > TOUCH {
            nearest = nearest.min(distance);
        }
    };
    let room = level.room(id);
    let query = Aabb32::around(&around);
    level
        .solids
        .touching(&room.solids, &query, |solid| meet(solid.triangle()));
    for (_, portal) in level.portals_of(id) {
        if portal.bounds.overlaps(&around) {
            portal.polygon.triangles().for_each(&mut meet);
        }
    }
    nearest
}

/// Whether a portal faces out of a room; `None` if that is not certain. It is certain if the room, closed by its other
/// portals, lacks exactly the portal's solid angle when seen from a probe beside the portal. `is_own` says whether the
/// portal is one of the room's own.
fn looks_out(
    windings: &RoomWindings,
    room: RoomId,
    (polygon, is_own): (&ConvexPolygon, bool),
) -> Option<bool> {
    let mut found = None;
    let probes = PROBES.map(|part| part * radius_of(polygon));
    // In a room that is much thinner than the portal is wide, all of these probes lie behind the opposite wall.
    let between = || HALF_WAY * nearest_beside(windings.level(), room, polygon);
    let between = iter::once_with(between).filter(|distance| *distance < probes[1]);
    for distance in probes.into_iter().chain(between) {
        let step = polygon.plane.normal * distance;
        let (front, back) = (polygon.centre() + step, polygon.centre() - step);
        let angle = polygon.triangles().map(|t| solid_angle(&t, front));
        let turns = angle.sum::<f64>() / (4.0 * PI);
        let own = if is_own { turns } else { 0.0 };
        let [in_front, behind] = [(front, own), (back, -own)].map(|(point, own)| {
            let around = windings.each_closed(room, point);
            around.map(|closed| closed + own)
        });
        let clear = CLEAR * (1.0 - 2.0 * turns);
        for (in_front, behind) in in_front.into_iter().zip(behind) {
            let off = |inside: f64, outside: f64| {
                (inside - (1.0 - turns)).abs() + (outside - turns).abs()
            };
            if off(behind, in_front) < clear {
                return Some(true);
            }
            if off(in_front, behind) < clear {
                found = Some(false);
            }
        }
    }
    found
}

/// The radius of a disc with the polygon's area, metres.
fn radius_of(polygon: &ConvexPolygon) -> f64 {
    (polygon.area() / PI).sqrt()
}

/// Adds the links, sorted by near room, and the portals of both directions.
fn add_links(level: &mut LevelData, links: &[(UnlinkedOpening, RoomId)]) {
    // Each portal, and whether it is its link's back direction.
    let mut portals = Vec::with_capacity(links.len() * 2);
    for (index, (opening, to)) in (0u32..).zip(links) {
        let side = |[near, far]: [RoomId; 2], polygon: ConvexPolygon, far_from_near| Portal {
            link: LinkId(index),
            near,
            far,
            bounds: polygon.bounds(),
            polygon,
            far_from_near,
            moving: None,
        };
        let (polygon, far_from_near) = (opening.polygon.clone(), opening.far_from_near);
        portals.push((side([opening.from, *to], polygon, far_from_near), false));
        if opening.two_way {
            let back = opening.far_polygon.flipped();
            let near_from_far = far_from_near.inverse();
            portals.push((side([*to, opening.from], back, near_from_far), true));
        }
        level.links.push(Link {
            name: opening.source.node.clone(),
            arrival: opening.arrival.map(str::to_owned),
            near: opening.from,
            far: *to,
            area: opening.polygon.area(),
            portal: PortalId(0),
            back: None,
            panel: None,
        });
    }
    portals.sort_by_key(|(portal, _)| portal.near);
    for (id, (portal, is_back)) in (0u32..).zip(portals) {
        let link = &mut level.links[portal.link.0 as usize];
        if is_back {
            link.back = Some(PortalId(id));
        } else {
            link.portal = PortalId(id);
        }
        let room = &mut level.rooms[portal.near.0 as usize];
        room.bounds = room.bounds.union(portal.bounds);
        room.portals = if room.portals.is_empty() {
            id..id + 1
        } else {
            room.portals.start..id + 1
        };
        level.bends_space |= portal.bends_space();
        level.portals.push(portal);
    }
    for link in level.links.iter().filter(|link| link.back.is_none()) {
        let room = &mut level.rooms[link.far.0 as usize];
        room.one_way_entrances.push(link.portal);
    }
}
