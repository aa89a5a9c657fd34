//! Clip planes that bound light behind an opening.

use glam::DVec3;

use crate::geometry::{Plane, Rigid};
use crate::level::{Light, LightKind};

/// The source of rays, in some room's coordinates.
#[derive(Clone, Copy)]
pub(super) enum RaySource {
    /// A point source, and the range of its rays in metres.
    Point(DVec3, f64),
    /// A source at infinity, given by the unit direction of its rays.
    Direction(DVec3),
}

impl RaySource {
    /// The source of a light's rays, with a range of `range` metres, in the coordinates of the light's room.
    pub(super) fn of(light: &Light, range: f64) -> Self {
        match light.kind {
            LightKind::Directional => Self::Direction(light.direction),
            LightKind::Point | LightKind::Spot { .. } => Self::Point(light.position(), range),
        }
    }

    /// Transforms the source to other coordinates.
    pub(super) fn transformed(self, other_from_this: &Rigid) -> Self {
        match self {
            Self::Point(position, range) => Self::Point(other_from_this.point(position), range),
            Self::Direction(direction) => Self::Direction(other_from_this.vector(direction)),
        }
    }
}

/// The planes that contain an edge of the polygon and the rays through it. The polygon must face away from the light.
/// `None` if fewer than three planes remain.
pub(super) fn planes_through(polygon: &[DVec3], source: RaySource) -> Option<Vec<Plane>> {
    let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
    // The winding is counter-clockwise seen from the front, and the light comes from behind.
    let planes = ends.filter_map(|(&a, &b)| {
        let normal = match source {
            RaySource::Point(position, _) => (a - position).cross(b - position),
            RaySource::Direction(direction) => direction.cross(b - a),
        };
        Some(Plane::through(a, normal.try_normalize()?))
    });
    let planes: Vec<Plane> = planes.collect();
    (planes.len() >= 3).then_some(planes)
}
