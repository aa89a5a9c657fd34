//! The openings that portal meshes make.

use glam::DVec3;

use crate::geometry::{ConvexPolygon, PolygonError, Triangle, by_coordinates};
use crate::level::{PortalSource, RoomId};

/// Parts of a room nearer than this to a portal's plane or outline touch it, metres.
pub(super) const TOUCH: f64 = 2e-3;

/// A portal mesh whose polygon is known but not yet where it leads.
pub(super) struct Opening<'a> {
    pub source: &'a PortalSource,
    pub from: RoomId,
    pub polygon: ConvexPolygon,
}

/// The portal's polygon in level coordinates. Triangles are put into an order of their own, so
/// that the plane's rounding does not depend on the file's.
pub(super) fn polygon_of(
    portal: &PortalSource,
    origin: DVec3,
) -> Result<ConvexPolygon, PolygonError> {
    let mut triangles: Vec<Triangle> = Vec::with_capacity(portal.triangles.len());
    for corners in &portal.triangles {
        let mut corners = corners.map(|p| (p - origin).as_vec3().as_dvec3() + DVec3::ZERO);
        let least = (0..3).min_by(|&a, &b| by_coordinates(corners[a], corners[b]));
        corners.rotate_left(least.unwrap_or(0));
        triangles.push(Triangle { corners });
    }
    triangles.sort_by(|a, b| {
        (0..3).fold(std::cmp::Ordering::Equal, |order, i| {
            order.then_with(|| by_coordinates(a.corners[i], b.corners[i]))
        })
    });
    let mut polygon = ConvexPolygon::from_triangles(&triangles)?;
    let least = (0..polygon.vertices.len())
        .min_by(|&a, &b| by_coordinates(polygon.vertices[a], polygon.vertices[b]));
    polygon.vertices.rotate_left(least.unwrap_or(0));
    Ok(polygon)
}

/// Where a portal mesh is, for messages.
pub(super) fn place_of(portal: &PortalSource) -> String {
    match portal.triangles.first() {
        Some([p, ..]) => format!(" at ({:.2}, {:.2}, {:.2})", p.x, p.y, p.z),
        None => " has no triangles".to_owned(),
    }
}
