//! A sphere and a convex polyhedron: the closest points in closed form.

use glam::DVec3;

use super::contact::Contact;
use super::hull::Hull;
use crate::geometry::{Rigid, closest_on_segment};

/// The contact of a sphere, which is `a`, and a hull. A sphere whose centre is inside is pushed out of the nearest face, the
/// first of several.
pub fn sphere_hull(centre: DVec3, radius: f64, world_from_hull: &Rigid, hull: &Hull) -> Contact {
    let local = world_from_hull.point_from(centre);
    let (on_hull, normal, distance) = closest_on_hull(hull, local);
    let normal = world_from_hull.vector(normal);
    Contact {
        on_a: centre - normal * radius,
        on_b: world_from_hull.point(on_hull),
        normal,
        separation: distance - radius,
    }
}

/// The point of the surface closest to `p`, the unit vector along the line between them that points out of the hull,
/// and the signed distance.
///
/// The closest point of a convex solid lies in a face that `p` is in front of, or on an edge of such a face.
fn closest_on_hull(hull: &Hull, p: DVec3) -> (DVec3, DVec3, f64) {
    let mut nearest = (0, f64::NEG_INFINITY);
    for (face, plane) in hull.planes.iter().enumerate() {
        let distance = plane.distance(p);
        if distance > nearest.1 {
            nearest = (face, distance);
        }
        if distance > 0.0 && is_over_face(hull, face, p) {
            return (p - plane.normal * distance, plane.normal, distance);
        }
    }
    let (face, distance) = nearest;
    let normal = hull.planes[face].normal;
    if distance <= 0.0 {
        return (p - normal * distance, normal, distance);
    }
    let mut best = (p, f64::INFINITY);
    for edge in &hull.edges {
        let looks_at = |face: &u32| hull.planes[*face as usize].distance(p) > 0.0;
        if edge.faces.iter().any(looks_at) {
            let [from, to] = edge.corners.map(|i| hull.corners[i as usize]);
            let on_edge = closest_on_segment(from, to, p);
            let squared = (on_edge - p).length_squared();
            if squared < best.1 {
                best = (on_edge, squared);
            }
        }
    }
    let away = p - best.0;
    (
        best.0,
        away.try_normalize().unwrap_or(normal),
        away.length(),
    )
}

/// Whether the projection of `p` onto the face's plane lies inside the face.
fn is_over_face(hull: &Hull, face: usize, p: DVec3) -> bool {
    let normal = hull.planes[face].normal;
    let corners = hull.face(face);
    (0..corners.len()).all(|i| {
        let [from, to] = [corners[i], corners[(i + 1) % corners.len()]];
        let [from, to] = [from, to].map(|i| hull.corners[i as usize]);
        (to - from).cross(normal).dot(p - from) <= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Aabb;
    use crate::shapes::sphere_box;

    #[test]
    fn the_hull_of_a_box_is_met_as_the_box() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        let corners = Aabb::around([-half, half]).corners();
        let hull = Hull::of_points(&corners).unwrap();
        for (x, y, z) in [
            (0.5, 2.75, 0.0),
            (2.0, 3.0, 1.0),
            (-2.0, 3.0, 4.0),
            (0.5, 0.0, 2.75),
            (1.0, 2.0, 3.0),
        ] {
            let centre = DVec3::new(x, y, z);
            let of_hull = sphere_hull(centre, 0.5, &Rigid::IDENTITY, &hull);
            let of_box = sphere_box(centre, 0.5, &Rigid::IDENTITY, half);
            assert!(
                (of_hull.separation - of_box.separation).abs() < 1e-12,
                "{centre}"
            );
            assert!((of_hull.on_b - of_box.on_b).length() < 1e-12, "{centre}");
        }
    }
}
