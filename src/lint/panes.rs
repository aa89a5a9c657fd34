//! Window panes that touch no side of their opening.

use glam::DVec3;

use super::findings::{Finding, LintReport};
use super::rooms::CheckedRooms;
use crate::geometry::{Aabb, ConvexPolygon};
use crate::level::{Alpha, LevelData, RoomId};
use crate::problems::ProblemCode;
use crate::source::MeshSource;

/// Maximum distance between a pane and its portal along the normal, metres.
const IN_OPENING: f64 = 0.5;
/// Maximum distance of geometry that touches the rim, metres.
const AT_RIM: f64 = 0.02;
/// Minimum size of a pane, as a fraction 0..1 of the opening.
const PANE: f64 = 0.2;

/// Reports blended meshes that are alone in their opening and leave a gap all around.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    let (level, source) = (rooms.level, rooms.source);
    let is_clear =
        |mesh: &&MeshSource| mesh.drawn && level.materials[mesh.material].alpha == Alpha::Blend;
    for mesh in source.meshes.iter().filter(is_clear) {
        let room = RoomId(mesh.room as u32);
        let openings = level.portals_of(room);
        let around = openings.filter(|(_, portal)| {
            portal.far_from_near.is_identity() && is_pane(level, mesh, &portal.polygon)
        });
        for (_, portal) in around {
            let polygon = &portal.polygon;
            let of = |room: RoomId| rooms.meshes.of_room(room).iter();
            let beside = of(room).chain(of(portal.far));
            let inside =
                beside.filter(|&&other| is_inside(level, &source.meshes[other as usize], polygon));
            if inside.count() > 1 {
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

/// Whether a mesh lies entirely in an opening, touches none of its sides, and is not much smaller.
fn is_pane(level: &LevelData, mesh: &MeshSource, polygon: &ConvexPolygon) -> bool {
    let corners = mesh.positions.iter().map(|&p| p - level.origin);
    let size = |bounds: Aabb| (bounds.max - bounds.min).length();
    let part = size(Aabb::around(corners)) / size(polygon.bounds());
    let mut corners = mesh.positions.iter().map(|&p| p - level.origin);
    part * part > PANE && corners.all(|p| is_in(p, polygon))
}

/// Whether any part of a mesh is in an opening and not at its rim: a corner, or the middle of a triangle.
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
