//! Window panes that touch no side of their opening.

use std::collections::BTreeMap;

use glam::DVec3;

use super::findings::{Finding, LintReport};
use super::rooms::CheckedRooms;
use crate::geometry::{Aabb, BoxTree, ConvexPolygon};
use crate::level::{Alpha, LevelData, RoomId};
use crate::problems::ProblemCode;
use crate::source::MeshSource;

/// Maximum distance between a pane and the plane of its portal, metres.
const IN_OPENING: f64 = 0.5;
/// Maximum distance between the rim and geometry that touches it, metres.
const AT_RIM: f64 = 0.02;
/// Minimum squared ratio, 0..1, between the diagonals of a pane's box and the opening's; about the ratio of their
/// areas.
const PANE: f64 = 0.2;

/// Reports blended meshes that are alone in their opening and leave a gap all around.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    let (level, source) = (rooms.level, rooms.source);
    let is_clear =
        |mesh: &&MeshSource| mesh.drawn && level.materials[mesh.material].alpha == Alpha::Blend;
    let mut boxes: BTreeMap<RoomId, BoxTree> = BTreeMap::new();
    let mut near = Vec::new();
    for mesh in source.meshes.iter().filter(is_clear) {
        let room = RoomId(mesh.room as u32);
        near.clear();
        let around = bounds_of(level, mesh).grown(IN_OPENING);
        level.each_portal_near(room, &around, |id| near.push(id));
        near.sort_unstable();
        let openings = near.iter().map(|&id| level.portal(id));
        let around = openings.filter(|portal| {
            portal.far_from_near.is_identity() && is_pane(level, mesh, &portal.polygon)
        });
        for portal in around {
            let polygon = &portal.polygon;
            let mut count = 0;
            for room in [room, portal.far] {
                let meshes = rooms.meshes.of_room(room);
                let mesh = |index: u32| &source.meshes[meshes[index as usize] as usize];
                let all = (0..meshes.len() as u32).map(|index| bounds_of(level, mesh(index)));
                let boxes = boxes.entry(room).or_insert_with(|| BoxTree::new(all));
                let opening = polygon.bounds().grown(IN_OPENING);
                boxes.any_touching(&opening, |index| {
                    count += usize::from(is_inside(level, mesh(index), polygon));
                    count > 1
                });
            }
            if count > 1 {
                continue;
            }
            let corners = mesh
                .positions
                .iter()
                .map(|&p| to_rim(polygon, p - level.origin));
            let gap = corners.fold(f64::INFINITY, f64::min);
            let message = format!(
                "it leaves a gap of {gap:.2} m all around in its opening (portal `{}`): one sees past it; make it as large as the opening",
                level.link(portal.link).name
            );
            let place = report.place(polygon.centre());
            let finding = Finding::warning(ProblemCode::PaneWithGap, &mesh.node, message, place);
            report.add(finding.between(room, portal.far));
        }
    }
}

/// The box around a mesh, level coordinates.
fn bounds_of(level: &LevelData, mesh: &MeshSource) -> Aabb {
    Aabb::around(mesh.positions.iter().map(|&p| p - level.origin))
}

/// Whether a mesh lies entirely in an opening, touches none of the opening's sides, and is not much smaller than the
/// opening.
fn is_pane(level: &LevelData, mesh: &MeshSource, polygon: &ConvexPolygon) -> bool {
    let size = |bounds: Aabb| (bounds.max - bounds.min).length();
    let part = size(bounds_of(level, mesh)) / size(polygon.bounds());
    let mut corners = mesh.positions.iter().map(|&p| p - level.origin);
    part * part > PANE && corners.all(|p| is_in(p, polygon))
}

/// Whether a corner or the middle of a triangle of a mesh is in an opening and not at its rim.
fn is_inside(level: &LevelData, mesh: &MeshSource, polygon: &ConvexPolygon) -> bool {
    let corner = |i: u32| mesh.positions[i as usize];
    let middle = |t: &[u32; 3]| t.iter().map(|&i| corner(i)).sum::<DVec3>() / 3.0;
    let middles = mesh.triangles.iter().map(middle);
    let mut points = mesh.positions.iter().copied().chain(middles);
    points.any(|p| is_in(p - level.origin, polygon))
}

fn is_in(point: DVec3, polygon: &ConvexPolygon) -> bool {
    polygon.plane.distance(point).abs() < IN_OPENING && polygon.covers(point, -AT_RIM)
}

/// Distance from a point in an opening to its nearest side, metres.
fn to_rim(polygon: &ConvexPolygon, point: DVec3) -> f64 {
    let corners = &polygon.vertices;
    let sides = corners.iter().zip(corners.iter().cycle().skip(1));
    let distances = sides.map(|(&from, &to)| {
        let inwards = polygon.plane.normal.cross(to - from).normalize_or_zero();
        inwards.dot(point - from)
    });
    distances.fold(f64::INFINITY, f64::min)
}
