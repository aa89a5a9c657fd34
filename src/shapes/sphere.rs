//! A sphere and another shape: the closest points in closed form.

use glam::DVec3;

use super::contact::Contact;
use super::surface_triangle::SurfaceTriangle;
use crate::geometry::{Feature, Rigid};

/// The contact of two spheres. If the centres coincide, the normal is up.
pub fn sphere_sphere(centre_a: DVec3, radius_a: f64, centre_b: DVec3, radius_b: f64) -> Contact {
    let apart = centre_a - centre_b;
    let normal = apart.try_normalize().unwrap_or(DVec3::Y);
    Contact {
        on_a: centre_a - normal * radius_a,
        on_b: centre_b + normal * radius_b,
        normal,
        separation: apart.length() - (radius_a + radius_b),
    }
}

/// The contact of a sphere, which is `a`, and a box. A sphere whose centre is inside is pushed out of the nearest face; if
/// several are equally near, along the first axis.
pub fn sphere_box(
    centre: DVec3,
    radius: f64,
    world_from_box: &Rigid,
    half_extents: DVec3,
) -> Contact {
    let local = world_from_box.point_from(centre);
    let closest = local.clamp(-half_extents, half_extents);
    let (on_box, normal, distance) = match (local - closest).try_normalize() {
        Some(normal) => (closest, normal, (local - closest).length()),
        None => {
            let depths = half_extents - local.abs();
            let axis = if depths.x <= depths.y && depths.x <= depths.z {
                0
            } else if depths.y <= depths.z {
                1
            } else {
                2
            };
            let (mut on_box, mut normal) = (local, DVec3::ZERO);
            normal[axis] = 1.0_f64.copysign(local[axis]);
            on_box[axis] = half_extents[axis].copysign(local[axis]);
            (on_box, normal, -depths[axis])
        }
    };
    let normal = world_from_box.vector(normal);
    Contact {
        on_a: centre - normal * radius,
        on_b: world_from_box.point(on_box),
        normal,
        separation: distance - radius,
    }
}

/// The contact of a sphere, which is `a`, and a surface triangle, with the touched feature of the triangle; `None` if the
/// triangle does not push (see [`SurfaceTriangle`]). If the centre lies in the triangle, the normal is that of its front.
pub fn sphere_triangle(
    centre: DVec3,
    radius: f64,
    surface: &SurfaceTriangle,
) -> Option<(Contact, Feature)> {
    let (closest, feature) = surface.triangle.closest_point(centre);
    let away = centre - closest;
    let distance = away.length();
    let normal = direction_of_push(surface, centre, away, feature)?;
    let contact = Contact {
        on_a: centre - normal * radius,
        on_b: closest,
        normal,
        separation: distance - radius,
    };
    Some((contact, feature))
}

/// The direction in which the triangle pushes a sphere whose centre is offset by `away` from its closest point.
/// `None` if the triangle does not push: to its back, or sideways over an internal edge.
pub(super) fn direction_of_push(
    surface: &SurfaceTriangle,
    centre: DVec3,
    away: DVec3,
    feature: Feature,
) -> Option<DVec3> {
    if surface.triangle.normal().is_none() {
        // A degenerate triangle has no sides.
        return away.try_normalize();
    }
    let face = surface.normal_towards(centre)?;
    if feature == Feature::Face {
        return Some(face);
    }
    let Some(direction) = away.try_normalize() else {
        return Some(face);
    };
    surface.allows(direction, feature).then_some(direction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Triangle;
    use crate::shapes::rotation_by;

    fn is_consistent(contact: &Contact) {
        let between = contact.on_a - contact.on_b - contact.normal * contact.separation;
        assert!(between.length() < 1e-12, "{contact:?}");
        assert!((contact.normal.length() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn spheres_apart_touching_deep_and_with_one_centre() {
        for (x, separation) in [(5.0, 2.0), (3.0, 0.0), (1.0, -2.0), (0.0, -3.0)] {
            let contact = sphere_sphere(DVec3::Y * x, 1.0, DVec3::ZERO, 2.0);
            is_consistent(&contact);
            assert_eq!(contact.separation, separation);
            assert_eq!(contact.normal, DVec3::Y);
        }
    }

    #[test]
    fn a_sphere_meets_face_edge_corner_and_inside_of_a_turned_box() {
        let world_from_box = Rigid::new(rotation_by(DVec3::new(0.4, 1.0, -0.3)), DVec3::splat(3.0));
        let half = DVec3::new(1.0, 2.0, 3.0);
        for (local, normal, separation) in [
            (DVec3::new(0.5, 2.75, 0.0), DVec3::Y, 0.25),
            (
                DVec3::new(2.0, 3.0, 1.0),
                DVec3::new(1.0, 1.0, 0.0),
                2.0_f64.sqrt() - 0.5,
            ),
            (
                DVec3::new(-2.0, 3.0, 4.0),
                DVec3::new(-1.0, 1.0, 1.0),
                3.0_f64.sqrt() - 0.5,
            ),
            (DVec3::new(0.5, 0.0, 2.75), DVec3::Z, -0.75),
            (DVec3::ZERO, DVec3::X, -1.5),
        ] {
            let contact = sphere_box(world_from_box.point(local), 0.5, &world_from_box, half);
            is_consistent(&contact);
            let expected = world_from_box.vector(normal.try_normalize().unwrap());
            assert!((contact.normal - expected).length() < 1e-12, "{local}");
            assert!((contact.separation - separation).abs() < 1e-12, "{local}");
        }
    }

    fn floor() -> Triangle {
        Triangle {
            corners: [DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0],
        }
    }

    #[test]
    fn a_surface_of_one_side_pushes_to_its_front_alone() {
        let one = SurfaceTriangle::one_sided(floor());
        let two = SurfaceTriangle::two_sided(floor());
        let (above, below) = (DVec3::new(1.0, 0.25, 1.0), DVec3::new(1.0, -0.25, 1.0));
        let (contact, feature) = sphere_triangle(above, 0.5, &one).unwrap();
        is_consistent(&contact);
        assert_eq!((contact.normal, contact.separation), (DVec3::Y, -0.25));
        assert_eq!(feature, Feature::Face);
        assert_eq!(sphere_triangle(below, 0.5, &one), None);
        let (contact, _) = sphere_triangle(below, 0.5, &two).unwrap();
        assert_eq!((contact.normal, contact.separation), (-DVec3::Y, -0.25));
        let (contact, _) = sphere_triangle(DVec3::new(1.0, 0.0, 1.0), 0.5, &two).unwrap();
        assert_eq!((contact.normal, contact.separation), (DVec3::Y, -0.5));
    }

    #[test]
    fn an_internal_edge_pushes_no_sphere_sideways_and_drops_none_that_is_over_it() {
        let mut surface = SurfaceTriangle::one_sided(floor());
        let beside = DVec3::new(-0.2, 0.3, 1.0);
        assert!(sphere_triangle(beside, 0.5, &surface).is_some());
        surface.internal_edges = [true, true, false];
        assert_eq!(sphere_triangle(beside, 0.5, &surface), None);
        let over = DVec3::new(-1e-12, 0.3, 1.0);
        let (contact, _) = sphere_triangle(over, 0.5, &surface).unwrap();
        assert!((contact.normal - DVec3::Y).length() < 1e-11);
        // The corner between two internal edges pushes nothing sideways. The corners at the third edge push spheres that are
        // not over an internal edge.
        assert_eq!(
            sphere_triangle(DVec3::new(-0.2, 0.3, 4.5), 0.9, &surface),
            None
        );
        assert_eq!(
            sphere_triangle(DVec3::new(-0.2, 0.3, -0.2), 0.9, &surface),
            None
        );
        assert!(sphere_triangle(DVec3::new(4.1, 0.3, -0.3), 0.9, &surface).is_some());
    }

    #[test]
    fn a_triangle_without_area_is_met_as_a_line() {
        let line = Triangle {
            corners: [DVec3::ZERO, DVec3::X, DVec3::X * 2.0],
        };
        let surface = SurfaceTriangle::one_sided(line);
        let (contact, _) = sphere_triangle(DVec3::new(1.5, 1.0, 0.0), 0.25, &surface).unwrap();
        is_consistent(&contact);
        assert_eq!((contact.normal, contact.separation), (DVec3::Y, 0.75));
    }
}
