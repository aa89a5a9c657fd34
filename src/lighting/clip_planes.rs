//! The planes that bound light behind an opening.

use glam::DVec3;

use crate::geometry::Plane;

/// Where the rays come from, in some room's coordinates.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// A point, and how far they go, metres.
    Point(DVec3, f64),
    /// Far away; the unit direction in which they go.
    Direction(DVec3),
}

/// The part of a convex polygon that is in front of all planes.
pub(super) fn clipped(mut polygon: Vec<DVec3>, planes: &[Plane]) -> Vec<DVec3> {
    for plane in planes {
        let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
        polygon = ends
            .flat_map(|(&a, &b)| {
                let (at_a, at_b) = (plane.distance(a), plane.distance(b));
                let crossing =
                    ((at_a < 0.0) != (at_b < 0.0)).then(|| a.lerp(b, at_a / (at_a - at_b)));
                (at_a >= 0.0).then_some(a).into_iter().chain(crossing)
            })
            .collect();
    }
    polygon
}

/// The planes along the rays through each edge of a polygon that faces away from the light;
/// `None` where nothing of the polygon is left.
pub(super) fn sides_through(polygon: &[DVec3], source: Source) -> Option<Vec<Plane>> {
    let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
    // The winding is counter-clockwise seen from the front, and the light comes from behind.
    let sides = ends.filter_map(|(&a, &b)| {
        let normal = match source {
            Source::Point(position, _) => (a - position).cross(b - position),
            Source::Direction(direction) => direction.cross(b - a),
        };
        Some(Plane::through(a, normal.try_normalize()?))
    });
    let sides: Vec<Plane> = sides.collect();
    (sides.len() >= 3).then_some(sides)
}

/// The planes along parallel rays through the edges of an opening that they come in through.
pub(super) fn sides_of_rays(polygon: &[DVec3], direction: DVec3) -> Option<Vec<Plane>> {
    sides_through(polygon, Source::Direction(direction))
}
