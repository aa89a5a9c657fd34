//! Portals and their openings: whether each portal fills its opening, and whether the wall has an opening there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::DVec3;

use super::covers::{Cover, IN_AIR, NOT_CUT, PLAY, POINTS};
use super::findings::{Finding, LintReport};
use super::holes::RoomHole;
use super::scene::RoomScene;
use crate::geometry::{Aabb, BoxTree, ConvexPolygon, part_inside};
use crate::level::{LevelData, Portal, PortalId, RoomId};
use crate::problems::ProblemCode;

/// Maximum distance between a side of a portal and geometry that touches it, metres.
const SIDE_PATH: f64 = 4e-3;
/// Distance between a portal and the ends of the path around its side, metres.
const SIDE_FOLD: f64 = 1e-4;
/// Maximum distance between a hole and its portal along the portal's normal, metres.
const MAX_DISTANCE: f64 = 1.5;
/// Maximum distance between the middle of a hole and its portal, measured in the portal's plane, as a fraction of the
/// portal's size.
const BESIDE_OPENING: f64 = 0.25;
/// Upper bound of the ratio between a point's distance from a polygon and its largest distance from the line of a side.
/// It holds except at very sharp corners.
const AROUND: f64 = 16.0;
/// Minimum cosine of the angle between the planes of a hole and its portal.
const PARALLEL: f64 = 0.8;
/// Minimum reported angle between an opening and its portal, degrees.
const TURNED: f64 = 0.1;
/// Angle between an opening and its portal, degrees, below which the rotation may be accidental.
const BY_ACCIDENT: f64 = 10.0;
/// Maximum distance between the planes of coincident portals, metres.
const SAME_PLANE: f64 = 0.02;

/// Sides of a room's portals that touch nothing, so that a gap beside the portal is visible: the portal and a point of
/// the side, at most one for each portal.
pub(super) fn floating(
    level: &LevelData,
    room: RoomId,
    near: &RoomScene,
    far: impl Fn(RoomId) -> Arc<RoomScene>,
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
            // The path begins and ends close to the portal: a neighbour may fold back onto the portal.
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

/// The portals of a room, in a tree, to find the portal of a hole.
pub(super) struct NearHoles<'a> {
    portals: Vec<(PortalId, &'a Portal)>,
    /// For each portal a box that contains the middles of all holes that belong to it.
    around: BoxTree,
}

impl<'a> NearHoles<'a> {
    pub(super) fn of(level: &'a LevelData, room: RoomId) -> Self {
        let portals: Vec<(PortalId, &Portal)> = level.portals_of(room).collect();
        let around = portals.iter().map(|(_, portal)| {
            let beside = AROUND * BESIDE_OPENING * size_of(portal);
            portal.bounds.grown(MAX_DISTANCE + beside)
        });
        let around = BoxTree::new(around);
        Self { portals, around }
    }

    /// The portal of a hole: the nearest one that is parallel to the hole, in front of it or behind it.
    pub(super) fn portal_at(&self, hole: &RoomHole) -> Option<PortalId> {
        let mut nearest: Option<(f64, PortalId)> = None;
        let centre = Aabb::around([hole.centre]);
        self.around.each_touching(&centre, |index| {
            let (id, portal) = self.portals[index as usize];
            let of_this = distance_of(portal, hole).map(|distance| (distance, id));
            let is_nearer = |this: &(f64, PortalId)| {
                nearest.is_none_or(|n| this.0.total_cmp(&n.0).then(this.1.cmp(&n.1)).is_lt())
            };
            nearest = of_this.filter(is_nearer).or(nearest);
        });
        nearest.map(|(_, id)| id)
    }
}

/// The distance between a hole and a portal along the portal's normal, metres, if the hole belongs to it.
fn distance_of(portal: &Portal, hole: &RoomHole) -> Option<f64> {
    let out = hole.area.normalize_or_zero();
    let plane = &portal.polygon.plane;
    let distance = plane.distance(hole.centre).abs();
    let foot = hole.centre - plane.normal * plane.distance(hole.centre);
    let fits = plane.normal.dot(out).abs() > PARALLEL
        && distance < MAX_DISTANCE
        && portal
            .polygon
            .covers(foot, BESIDE_OPENING * size_of(portal));
    fits.then_some(distance)
}

fn size_of(portal: &Portal) -> f64 {
    (portal.bounds.max - portal.bounds.min).length()
}

/// Reports the problems of each opening, with one message for both of its rooms. `holes` are the holes that belong to
/// portals.
pub(super) fn report(
    level: &LevelData,
    covers: &[Cover],
    holes: &[(PortalId, RoomHole)],
    floating: &[(PortalId, DVec3)],
    report: &mut LintReport,
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
                "it fills the opening of portal `{}` between rooms {} and {}, so that the opening is blocked for body and view; delete it (an object that cuts an opening must not be a child of a room), or, if it is a door, give its name the ending `-door`",
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
            let other = if room == link.near {
                link.far
            } else {
                link.near
            };
            report.add(
                Finding::warning(
                    ProblemCode::PortalWallNotCut,
                    &link.name,
                    message,
                    report.place(cover.at),
                )
                .between(room, other),
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
            let rooms: BTreeSet<RoomId> = gaps.iter().map(|gap| gap.room).collect();
            let rooms: Vec<String> = rooms.into_iter().map(name).collect();
            let normal = level.portal(link.portal).polygon.plane.normal;
            let turned = hole.area.normalize_or_zero().dot(normal).abs().min(1.0);
            let turned = libm::acos(turned).to_degrees();
            let by_accident = (TURNED..BY_ACCIDENT).contains(&turned).then_some(turned);
            let cure = if by_accident.is_some() {
                "set the rotation of the room back if it is not meant (Blender: select the room, Alt+R), or "
            } else {
                ""
            };
            let turned = if turned > TURNED {
                format!(", which is turned by {turned:.1} degrees against it")
            } else {
                String::new()
            };
            let message = format!(
                "it does not fill its opening in room {}{turned}{shifted}: there is a gap of {gap:.3} m, through which one sees outside; {cure}move its corners onto the rim of the opening, or extrude the rim as far as the portal",
                rooms.join(" and "),
            );
            report.add(
                Finding::warning(
                    ProblemCode::PortalGap,
                    &link.name,
                    message,
                    report.rim(hole),
                )
                .between(link.near, link.far)
                .turned_by(by_accident)
                .seen_in(gaps.iter().map(|gap| gap.room)),
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
                .between(link.near, link.far)
                .seen_in(covers.iter().map(|cover| room_of(cover))),
            );
        }
    }
}

/// The findings at a link.
#[derive(Default)]
struct AtLink<'a> {
    covers: Vec<&'a Cover>,
    gaps: Vec<&'a RoomHole>,
    /// A point of a side that touches nothing.
    floating: Option<DVec3>,
}

/// The findings at each link, by its index.
fn by_link<'a>(
    level: &LevelData,
    covers: &'a [Cover],
    holes: &'a [(PortalId, RoomHole)],
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

/// The greatest distance between the rim of a hole and the portal of a link, metres.
fn gap_of(level: &LevelData, link: usize, hole: &RoomHole) -> f64 {
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

/// Reports portals of a room that coincide.
pub(super) fn report_doubles(level: &LevelData, report: &mut LintReport) {
    let mut done = BTreeSet::new();
    for room in level.room_ids() {
        let portals: Vec<_> = level.portals_of(room).collect();
        let boxes = BoxTree::new(portals.iter().map(|(_, portal)| portal.bounds));
        for (i, (_, a)) in portals.iter().enumerate() {
            let mut near = Vec::new();
            boxes.each_touching(&a.bounds, |other| near.push(other as usize));
            near.retain(|&other| other > i);
            near.sort_unstable();
            for (_, b) in near.into_iter().map(|other| &portals[other]) {
                let known = (a.link.min(b.link), a.link.max(b.link));
                if !lie_on_one_another(&a.polygon, &b.polygon) || !done.insert(known) {
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
                let place = report.place(b.polygon.centre());
                let code = ProblemCode::PortalTwice;
                let finding = Finding::warning(code, &second.name, message, place);
                report.add(finding.between(second.near, second.far));
            }
        }
    }
}

/// Whether two coplanar polygons overlap by more than their rims.
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
    let part = part_inside(b.vertices.clone(), &a.vertices, normal, PLAY);
    let Some((&first, rest)) = part.split_first() else {
        return false;
    };
    let area: DVec3 = rest
        .windows(2)
        .map(|pair| (pair[0] - first).cross(pair[1] - first))
        .sum();
    area.length() > PLAY * PLAY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::rng::Rng;

    #[test]
    fn a_hole_beside_many_portals_belongs_to_the_one_of_brute_force() {
        let opening = |i: u32| {
            let [y, z] = [i % 12, i / 12].map(|k| 0.1 + 0.3 * f64::from(k));
            cuboid([0.0, y, z], [0.0, y + 0.2, z + 0.2])
        };
        let mut sketch = Sketch::new("lattice");
        let sides = [[-4.0, 0.0], [0.0, 4.0]];
        let [a, b] = sides.map(|[from, to]| cuboid([from, 0.0, 0.0], [to, 4.0, 4.0]));
        let a = sketch.box_room("a", a, &[]);
        sketch.box_room("b", b, &[]);
        for opening in (0..144).map(opening) {
            sketch.portal(a, "b", opening, DVec3::X);
        }
        sketch.spawn(a, DVec3::new(-2.0, 0.1, 2.0), DVec3::X);
        let level = build(sketch.source).unwrap().0;
        let (mut rng, mut found) = (Rng::new(1), 0);
        let room = RoomId(0);
        let portals = NearHoles::of(&level, room);
        for _ in 0..2000 {
            let mut part = |size: f64| DVec3::from([0; 3].map(|_| rng.between(-size, size)));
            let centre = DVec3::new(0.0, 1.9, 1.9) + part(2.5);
            let hole = RoomHole {
                room,
                edges: Vec::new(),
                points: Vec::new(),
                mesh: 0,
                centre,
                area: DVec3::X + part(0.7),
                bounds: Aabb::around([centre]),
                is_solid: false,
            };
            let all = level.portals_of(room);
            let fitting = all.filter_map(|(id, portal)| Some((distance_of(portal, &hole)?, id)));
            let nearest = fitting.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id);
            assert_eq!(portals.portal_at(&hole), nearest);
            found += u32::from(nearest.is_some());
        }
        assert!(found > 300, "{found}");
    }
}
