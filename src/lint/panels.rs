//! Door panels that do not fit their portals. If the panel fills the opening, only the portal is wrong; if not, the
//! panel may pass through the rim of the opening.

use glam::DVec3;

use super::covers::{points_of, walls};
use super::rooms::CheckedRooms;
use crate::geometry::ConvexPolygon;
use crate::level::Link;
use crate::source::MoverSource;

/// Maximum gap between a panel and the sides of its opening, metres.
const PLAY: f64 = 0.02;

/// Maximum distance of a point of the wall around an opening from the portal's plane, metres.
const WALL: f64 = 0.3;
/// Width of the band along the inside of the portal's outline that still counts as rim, metres.
const RIM: f64 = 0.2;

/// Whether a point is at the rim of an opening, in the wall around the portal.
pub(super) fn is_at_rim(polygon: &ConvexPolygon, at: DVec3) -> bool {
    polygon.plane.distance(at).abs() < WALL && !polygon.covers(at, -RIM)
}

/// Whether a panel covers all parts of a portal that no wall covers.
pub(super) fn fills(rooms: &CheckedRooms, link: &Link, panel: &MoverSource) -> bool {
    let level = rooms.level;
    let portal = level.portal(link.portal);
    let polygon = &portal.polygon;
    let corners = panel.meshes.iter().flat_map(|mesh| &mesh.positions);
    let corners: Vec<DVec3> = corners.map(|&p| p - level.origin).collect();
    let (Some(first), Some(second)) = (polygon.vertices.first(), polygon.vertices.get(1)) else {
        return false;
    };
    if !portal.far_from_near.is_identity() {
        return false;
    }
    let along = (*second - *first).normalize_or_zero();
    let axes = [along, polygon.plane.normal.cross(along)];
    let spans = axes.map(|axis| {
        let ends = corners.iter().map(|p| axis.dot(*p));
        ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
            [low.min(x), high.max(x)]
        })
    });
    let is_covered = |point: DVec3| {
        let mut axes = axes.iter().zip(spans);
        axes.all(|(axis, [low, high])| (low - PLAY..=high + PLAY).contains(&axis.dot(point)))
    };
    let far = polygon.flipped();
    let sides = [(link.near, polygon), (link.far, &far)];
    let is_behind_wall = |point: DVec3| {
        sides.iter().any(|&(room, polygon)| {
            let scene = rooms.scene(room);
            let walls = walls(level, rooms.source, &scene);
            walls.cover(polygon, point).is_some()
        })
    };
    let mut points = points_of(polygon).into_iter();
    points.all(|point| is_covered(point) || is_behind_wall(point))
}
