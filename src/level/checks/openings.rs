//! Portals and the openings that they stand in: whether they fill them, and whether the walls are cut there.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::edges::components;
use super::holes::{Hole, STANDS_IN_ROOM, winding_without};
use super::report::{Finding, Report};
use super::scene::{Kind, Scene};
use crate::geometry::{ConvexPolygon, solid_angle};
use crate::level::{Alpha, LevelData, LevelSource, PortalId, ProblemCode, RoomId};

/// Distance from the sides of a portal, metres, in which a wall may cover it.
const PLAY: f64 = 0.01;
/// Points along a side of a portal.
const POINTS: usize = 8;
/// A ray begins so far behind the portal, metres, so that a wall in its plane is met.
const BEHIND: f64 = 3e-3;
/// Where a room without its portals winds more often, a point is in its air.
const IN_AIR: f64 = 0.6;
/// A wall farther from a portal, metres, is not the one that it stands in.
const MAX_COVER: f64 = 1.0;
/// A side of a portal touches what is nearer to it than this, metres.
const SIDE_PATH: f64 = 4e-3;
/// The path around it begins and ends so far from the portal, metres.
const SIDE_FOLD: f64 = 1e-4;
/// The part of a portal, 0..1, that a wall covers where the wall is not cut.
const NOT_CUT: f64 = 0.9;
/// A hole belongs to a portal that is no farther from it along the portal's normal, metres.
const MAX_DISTANCE: f64 = 1.5;
/// A hole is parallel to a portal if the cosine of the angle between them is more.
const PARALLEL: f64 = 0.8;
/// Portals are on one another if their planes are no farther apart, metres.
const SAME_PLANE: f64 = 0.02;

/// What of a portal, seen from it, is covered by the backs of the walls of the room that it leaves.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub portal: PortalId,
    /// 0..1.
    pub part: f64,
    /// From the portal to the wall, metres.
    pub distance: f64,
    /// Where, in coordinates of the room.
    pub at: DVec3,
    /// The wall, in the source.
    pub mesh: u32,
    /// Whether it is no wall, but something closed that fills the opening.
    pub is_furniture: bool,
}

/// Where the portals of a room have sides that touch nothing, so that one sees past them: each at most once.
pub(super) fn floating<'a>(
    level: &LevelData,
    room: RoomId,
    near: &Scene,
    far: impl Fn(RoomId) -> &'a Scene,
) -> Vec<(PortalId, DVec3)> {
    let mut floating = Vec::new();
    for (id, portal) in level.portals_of(room) {
        let far = far(portal.far);
        let out = portal.polygon.plane.normal;
        let corners = &portal.polygon.vertices;
        let is_between = |from: DVec3, to: DVec3| {
            let [a, b] = [from, to].map(|p| portal.far_from_near.point(p));
            near.first_hit(from, to, |_| true).is_some() || far.first_hit(a, b, |_| true).is_some()
        };
        let sides = corners.iter().zip(corners.iter().cycle().skip(1));
        let mut points = sides.flat_map(|(&from, &to)| {
            let away = (to - from).cross(out).normalize_or_zero() * SIDE_PATH;
            (0..POINTS).map(move |k| (from.lerp(to, (k as f64 + 0.382) / POINTS as f64), away))
        });
        let past = points.find(|&(point, away)| {
            let before = point - out * SIDE_PATH;
            let after = point + out * SIDE_PATH;
            // From the portal itself and back to it: a neighbour may fold back onto it.
            let path = [
                point - out * SIDE_FOLD - away,
                before - away,
                before + away,
                after + away,
                after - away,
                point + out * SIDE_FOLD - away,
            ];
            let is_open = path.windows(2).all(|step| !is_between(step[0], step[1]));
            is_open && near.air_around(path[1], -out, false) > IN_AIR
        });
        floating.extend(past.map(|(point, _)| (id, point)));
    }
    floating
}

/// What covers the portals of a room.
pub(super) fn covers(
    level: &LevelData,
    source: &LevelSource,
    room: RoomId,
    scene: &Scene,
) -> Vec<Cover> {
    // One sees through fences and panes.
    let is_wall = |mesh: u32| {
        let mesh = &source.meshes[mesh as usize];
        mesh.drawn && level.materials[mesh.material].alpha == Alpha::Opaque
    };
    let portals = level.portals_of(room);
    portals
        .filter_map(|(id, portal)| cover(id, &portal.polygon, scene, &is_wall))
        .collect()
}

fn cover(
    portal: PortalId,
    polygon: &ConvexPolygon,
    scene: &Scene,
    is_wall: &impl Fn(u32) -> bool,
) -> Option<Cover> {
    let points = points_of(polygon);
    let out = polygon.plane.normal;
    let reach = 2.0 * (scene.bounds.max - scene.bounds.min).length() + 1.0;
    let is_own = |kind: Kind| matches!(kind, Kind::Own(mesh) if is_wall(mesh));
    let covered = points.iter().filter_map(|&point| {
        let (from, to) = (point + out * BEHIND, point - out * reach);
        let hit = scene.first_hit(from, to, is_own).filter(|hit| !hit.front)?;
        let distance = hit.part * (reach + BEHIND);
        if distance > MAX_COVER {
            return None;
        }
        let before = from - out * (distance - 1e-3);
        let is_in_air = winding_of_faces(scene, before) > IN_AIR;
        (!is_in_air).then_some((distance - BEHIND, point, hit.index))
    });
    let covered: Vec<(f64, DVec3, u32)> = covered.collect();
    let &(distance, at, index) = covered.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let Kind::Own(mesh) = scene.kinds[index as usize] else {
        return None;
    };
    let part = covered.len() as f64 / points.len() as f64;
    let component = components(&scene.triangles);
    let of = component[index as usize];
    let behind = at - out * (distance + 0.05);
    let is_furniture = winding_without(scene, &component, of, behind) > STANDS_IN_ROOM;
    if part < NOT_CUT && is_furniture {
        // It covers a part of the opening on purpose.
        return None;
    }
    Some(Cover {
        portal,
        part,
        distance: distance.max(0.0),
        at,
        mesh,
        is_furniture,
    })
}

/// Points all over a portal, and along its sides.
fn points_of(polygon: &ConvexPolygon) -> Vec<DVec3> {
    let corners = &polygon.vertices;
    let centre = polygon.centre();
    let inset = |p: DVec3| {
        let to_centre = centre - p;
        p + to_centre * (1.5 * PLAY / to_centre.length()).min(0.5)
    };
    let mut points = vec![centre];
    for (&from, &to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        for k in 0..POINTS {
            let point = inset(from.lerp(to, (k as f64 + 0.5) / POINTS as f64));
            points.push(point);
            if k % 2 == 0 {
                points.push(point.lerp(centre, 0.5));
            }
        }
    }
    points
}

fn winding_of_faces(scene: &Scene, point: DVec3) -> f64 {
    let own = scene.triangles.iter().zip(&scene.kinds);
    let own = own.filter(|(_, kind)| matches!(kind, Kind::Own(_)));
    own.map(|(t, _)| solid_angle(t, point)).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// The portal out of its room that a hole belongs to: one parallel to it, before or behind it.
pub(super) fn portal_at(level: &LevelData, hole: &Hole) -> Option<PortalId> {
    let out = hole.area.normalize_or_zero();
    let near = level.portals_of(hole.room).filter_map(|(id, portal)| {
        let polygon = &portal.polygon;
        let distance = polygon.plane.distance(hole.centre).abs();
        let foot = hole.centre - polygon.plane.normal * polygon.plane.distance(hole.centre);
        let size = (portal.bounds.max - portal.bounds.min).length();
        let fits = polygon.plane.normal.dot(out).abs() > PARALLEL
            && distance < MAX_DISTANCE
            && polygon.covers(foot, 0.25 * size);
        fits.then_some((distance, id))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
}

/// Reports what is wrong with each opening, one message for both of its rooms. `holes` are those that belong
/// to portals.
pub(super) fn report(
    level: &LevelData,
    covers: &[Cover],
    holes: &[(PortalId, Hole)],
    floating: &[(PortalId, DVec3)],
    report: &mut Report,
) {
    let of_links = by_link(level, covers, holes, floating);
    for (index, found) in of_links {
        let link = &level.links[index];
        let AtLink {
            covers,
            gaps,
            floating,
        } = found;
        let name = |room: RoomId| format!("`{}`", level.room(room).name);
        let room_of = |cover: &Cover| level.portal(cover.portal).near;
        let filled = covers.iter().find(|cover| cover.part >= NOT_CUT);
        if let Some(cover) = filled.filter(|cover| cover.is_furniture) {
            let node = report.node(cover.mesh).to_owned();
            let message = format!(
                "it fills the opening of portal `{}` between rooms {} and {}, so that one neither sees nor gets through; take it away (what cuts an opening is no child of a room), or, if it is a door, give its name the ending `-door`",
                link.name,
                name(link.near),
                name(link.far)
            );
            let place = report.place(cover.at);
            report.add(
                Finding::warning(ProblemCode::DoorwayBlocked, &node, message, place)
                    .between(link.near, link.far),
            );
            continue;
        }
        if let Some(cover) = filled {
            let room = room_of(cover);
            let message = format!(
                "the wall of room {} is not cut there: {:.2} m from the portal stands the back of `{}`, which nothing can pass; cut the same opening into it, or take the portal away",
                name(room),
                cover.distance,
                report.node(cover.mesh)
            );
            report.add(
                Finding::warning(
                    ProblemCode::PortalWallNotCut,
                    &link.name,
                    message,
                    report.place(cover.at),
                )
                .between(link.near, link.far),
            );
            continue;
        }
        let widest = gaps.iter().map(|hole| (gap_of(level, index, hole), *hole));
        let widest = widest.max_by(|a, b| a.0.total_cmp(&b.0));
        let shifted = if covers.is_empty() {
            ""
        } else {
            ", and reaches behind the wall elsewhere"
        };
        if let Some((gap, hole)) = widest {
            let rooms: Vec<String> = level
                .room_ids()
                .filter(|room| gaps.iter().any(|gap| gap.room == *room))
                .map(name)
                .collect();
            let normal = level.portal(link.portal).polygon.plane.normal;
            let turned = hole.area.normalize_or_zero().dot(normal).abs().min(1.0);
            let turned = libm::acos(turned).to_degrees();
            let turned = if turned > 1.0 {
                format!(", which is turned by {turned:.0} degrees against it")
            } else {
                String::new()
            };
            let message = format!(
                "it does not fill its opening in room {}{turned}{shifted}: there is a gap of {gap:.3} m, through which one sees outside; move its corners onto the rim of the opening, or extrude the rim as far as the portal",
                rooms.join(" and "),
            );
            report.add(
                Finding::warning(
                    ProblemCode::PortalGap,
                    &link.name,
                    message,
                    report.rim(hole),
                )
                .between(link.near, link.far),
            );
        } else if let Some(at) = floating {
            let message = "it does not stand in an opening: beside it one sees past it, and outside; move it into the opening, so that each of its sides lies on the rim".to_owned();
            report.add(
                Finding::warning(
                    ProblemCode::PortalGap,
                    &link.name,
                    message,
                    report.place(at),
                )
                .between(link.near, link.far),
            );
        } else if let Some(cover) = covers.first() {
            let message = format!(
                "it is larger than its opening in room {}: it reaches behind `{}`; move its corners onto the rim of the opening",
                name(room_of(cover)),
                report.node(cover.mesh)
            );
            report.add(
                Finding::warning(
                    ProblemCode::PortalTooLarge,
                    &link.name,
                    message,
                    report.place(cover.at),
                )
                .between(link.near, link.far),
            );
        }
    }
}

/// What was found at a link.
#[derive(Default)]
struct AtLink<'a> {
    covers: Vec<&'a Cover>,
    gaps: Vec<&'a Hole>,
    /// A point of a side that touches nothing.
    floating: Option<DVec3>,
}

/// What was found at each link, by its index.
fn by_link<'a>(
    level: &LevelData,
    covers: &'a [Cover],
    holes: &'a [(PortalId, Hole)],
    floating: &[(PortalId, DVec3)],
) -> BTreeMap<usize, AtLink<'a>> {
    let mut links: BTreeMap<usize, AtLink> = BTreeMap::new();
    let link = |id: PortalId| level.portal(id).link.0 as usize;
    for cover in covers {
        links
            .entry(link(cover.portal))
            .or_default()
            .covers
            .push(cover);
    }
    for (portal, hole) in holes {
        links.entry(link(*portal)).or_default().gaps.push(hole);
    }
    for (portal, at) in floating {
        links
            .entry(link(*portal))
            .or_default()
            .floating
            .get_or_insert(*at);
    }
    links
}

/// How far the rim of a hole lies from the portal of a link, metres, at most.
fn gap_of(level: &LevelData, link: usize, hole: &Hole) -> f64 {
    let link = &level.links[link];
    let sides = [Some(link.portal), link.back].into_iter().flatten();
    let own = sides.map(|id| level.portal(id));
    let own = own.filter(|portal| portal.near == hole.room);
    let distance = |p: DVec3| {
        let portals = own.clone().map(|portal| portal.polygon.distance(p));
        portals.fold(f64::INFINITY, f64::min)
    };
    hole.points.iter().map(|&p| distance(p)).fold(0.0, f64::max)
}

/// Reports portals of a room that lie on one another.
pub(super) fn report_doubles(level: &LevelData, report: &mut Report) {
    let mut done = BTreeSet::new();
    for room in level.room_ids() {
        let portals: Vec<_> = level.portals_of(room).collect();
        for (i, (_, a)) in portals.iter().enumerate() {
            for (_, b) in &portals[i + 1..] {
                let known = (a.link.min(b.link), a.link.max(b.link));
                let is_double =
                    a.bounds.overlaps(&b.bounds) && lie_on_one_another(&a.polygon, &b.polygon);
                if !is_double || !done.insert(known) {
                    continue;
                }
                let (first, second) = (
                    level.link(a.link.min(b.link)),
                    level.link(a.link.max(b.link)),
                );
                let message = format!(
                    "it lies on the portal `{}`: one opening needs one portal, which serves both ways; delete one of the two",
                    first.name
                );
                report.add(Finding::warning(
                    ProblemCode::PortalTwice,
                    &second.name,
                    message,
                    report.place(b.polygon.centre()),
                ));
            }
        }
    }
}

/// Whether two polygons in one plane have points in common that are not at their rims.
fn lie_on_one_another(a: &ConvexPolygon, b: &ConvexPolygon) -> bool {
    let normal = a.plane.normal;
    if normal.dot(b.plane.normal).abs() < 0.99 {
        return false;
    }
    if b.vertices
        .iter()
        .any(|&p| a.plane.distance(p).abs() > SAME_PLANE)
    {
        return false;
    }
    // Clipped by the sides of the other (Sutherland and Hodgman), moved inwards by the play.
    let mut part = b.vertices.clone();
    for (&from, &to) in a.vertices.iter().zip(a.vertices.iter().cycle().skip(1)) {
        let inwards = normal.cross(to - from).normalize_or_zero();
        let height = |p: DVec3| inwards.dot(p - from) - PLAY;
        let mut next = Vec::new();
        for (&p, &q) in part.iter().zip(part.iter().cycle().skip(1)) {
            let [h, k] = [height(p), height(q)];
            if h >= 0.0 {
                next.push(p);
            }
            if (h >= 0.0) != (k >= 0.0) {
                next.push(p.lerp(q, h / (h - k)));
            }
        }
        part = next;
    }
    let Some((&first, rest)) = part.split_first() else {
        return false;
    };
    let area: DVec3 = rest
        .windows(2)
        .map(|pair| (pair[0] - first).cross(pair[1] - first))
        .sum();
    area.length() > PLAY * PLAY
}
