//! Corners of a mesh that pass through a triangle in a motion, and corners of a triangle that pass through the mesh's surface.
//!
//! Contacts of a mesh are pairs of triangles at a single point in time. They cannot distinguish a corner that has just come
//! through a surface from a corner that was always behind it. The motion can.

use glam::DVec3;

use super::bounds::BoundingSphere;
use super::mesh::Mesh;
use super::sphere_tree::{SphereNode, descend};
use super::surface_triangle::SurfaceTriangle;
use crate::geometry::Rigid;

/// The deepest penetration of a shape through a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepest {
    /// The penetration depth along the normal, metres.
    pub depth: f64,
    /// The unit vector along which the shape moves out of the surface.
    pub normal: DVec3,
}

/// Finds the corner, of the mesh or of the triangle `surface`, that passes deepest through the other one while the
/// mesh moves between two poses in coordinates of the triangle. Corners move along straight lines. A corner that was
/// deeper than `tolerance` metres at the start counts as always behind.
pub fn deepest_passing(
    mesh: &Mesh,
    [start, end]: [&Rigid; 2],
    surface: &SurfaceTriangle,
    tolerance: f64,
) -> Option<Deepest> {
    let towards = surface.normal_towards(start.point(mesh.centre()));
    let normal = towards.or_else(|| surface.triangle.normal())?;
    let around = mesh.bounding_sphere();
    let height = |point: DVec3| normal.dot(point - surface.triangle.corners[0]);
    if height(end.point(around.centre)) > around.radius {
        return None;
    }
    let [mesh_from_start, mesh_from_end] = [start, end].map(Rigid::inverse);
    let seen = [mesh_from_start, mesh_from_end].map(|mesh_from_then| {
        let corners = surface.triangle.corners;
        corners.map(|corner| mesh_from_then.point(corner))
    });
    // A corner's distance from a triangle that it passes through is at most the length of its path.
    let [of_start, of_end] = [start, end].map(|pose| pose.point(around.centre));
    let turn = end.after(&mesh_from_start).rotation() - glam::DMat3::IDENTITY;
    let widest = turn.x_axis.length_squared() + turn.y_axis.length_squared();
    let by_turn = (widest + turn.z_axis.length_squared()).sqrt();
    let longest = of_start.distance(of_end) + by_turn * around.radius + tolerance;
    let triangle = [SphereNode::single(BoundingSphere::around(&seen[1]))];
    let mut deepest: Option<Deepest> = None;
    let mut add = |found: Option<f64>, normal: DVec3| {
        let Some(depth) = found else { return };
        if deepest.is_none_or(|known| depth > known.depth) {
            deepest = Some(Deepest { depth, normal });
        }
    };
    descend(
        &mesh.tree,
        &triangle,
        &Rigid::IDENTITY,
        longest,
        |i, _, reach| {
            let of_mesh = &mesh.surface[i];
            for corner in of_mesh.triangle.corners {
                let way = [start, end].map(|pose| pose.point(corner));
                add(depth_behind(surface, normal, way, tolerance), normal);
            }
            if let Some(front) = of_mesh.triangle.normal() {
                for corner in 0..3 {
                    let way = seen.map(|corners| corners[corner]);
                    let depth = depth_behind(of_mesh, front, way, tolerance);
                    add(depth, end.vector(-front));
                }
            }
            reach
        },
    );
    deepest
}

/// The depth of a point behind a triangle after a straight motion, metres; `None` if it does not pass through the triangle from
/// the side of `normal`.
fn depth_behind(
    surface: &SurfaceTriangle,
    normal: DVec3,
    [from, to]: [DVec3; 2],
    tolerance: f64,
) -> Option<f64> {
    let height = |point: DVec3| normal.dot(point - surface.triangle.corners[0]);
    let [before, after] = [from, to].map(height);
    if before < -tolerance || after >= 0.0 {
        return None;
    }
    let part = before.max(0.0) / (before.max(0.0) - after);
    let passed = from.lerp(to, part);
    let hit = surface.triangle.hit_by_ray(passed + normal, -normal);
    hit.map(|_| -after)
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::geometry::Triangle;
    use crate::shapes::Shape;

    fn cube() -> Mesh {
        let half_extents = DVec3::splat(0.5);
        Mesh::of_triangles(&Shape::Box { half_extents }.triangles()).unwrap()
    }

    fn at(point: DVec3) -> Rigid {
        Rigid::new(DMat3::IDENTITY, point)
    }

    #[test]
    fn corners_that_pass_a_floor_are_as_deep_as_they_are_below_it_however_far_they_went() {
        let corners = [
            DVec3::X * -99.0,
            DVec3::Z * 99.0,
            DVec3::new(99.0, 0.0, -99.0),
        ];
        let floor = SurfaceTriangle::one_sided(Triangle { corners });
        for (height, depth) in [(0.501, None), (0.4, Some(0.1)), (-7.0, Some(7.5))] {
            let poses = [&at(DVec3::Y * 2.0), &at(DVec3::Y * height)];
            let found = deepest_passing(&cube(), poses, &floor, 1e-3);
            assert_eq!(found.is_some(), depth.is_some(), "{height}");
            if let (Some(found), Some(depth)) = (found, depth) {
                assert!((found.depth - depth).abs() < 1e-12);
                assert!((found.normal - DVec3::Y).length() < 1e-12);
            }
        }
        // A mesh that stays below the floor passes through nothing.
        let below = [&at(DVec3::Y * -2.0), &at(DVec3::Y * -3.0)];
        assert_eq!(deepest_passing(&cube(), below, &floor, 1e-3), None);
    }

    #[test]
    fn a_corner_of_a_surface_that_passes_a_face_pushes_the_mesh_back_out_of_that_face() {
        // A blade in front of the mesh, smaller than the face that runs into it.
        let corners = [
            DVec3::new(2.0, 0.1, 0.0),
            DVec3::new(3.0, 0.0, 0.1),
            DVec3::new(3.0, 0.0, -0.1),
        ];
        let blade = SurfaceTriangle::two_sided(Triangle { corners });
        let poses = [&at(DVec3::ZERO), &at(DVec3::X * 1.75)];
        let found = deepest_passing(&cube(), poses, &blade, 1e-3).unwrap();
        assert!((found.depth - 0.25).abs() < 1e-12);
        assert!((found.normal - DVec3::NEG_X).length() < 1e-12);
    }
}
