//! A box and a surface triangle: the separating axis test over 13 axes, and the contact manifold (C. Ericson, "Real-Time
//! Collision Detection", 5.2.9). All computations are in coordinates of the box.

use glam::{DMat3, DVec3};

use super::bounds::OrientedBox;
use super::box_faces::PosedBox;
use super::clip::{ClipPolygon, Reference};
use super::contact::Manifold;
use super::convex::Convex;
use super::surface_triangle::SurfaceTriangle;
use super::triangle_axes::{AxisKind, LocalTriangle, TriangleAxis};
use crate::geometry::{Plane, Rigid};

/// The manifold of a box, which is `a`, and a triangle, `b`; empty if they are more than `margin` metres apart, or the triangle
/// does not push (see [`SurfaceTriangle`]).
pub fn box_triangle(a: &OrientedBox, surface: &SurfaceTriangle, margin: f64) -> Manifold {
    let solid = PosedBox {
        centre: DVec3::ZERO,
        axes: DMat3::IDENTITY,
        half: a.half_extents,
    };
    let size = solid.half.max_element();
    let local = LocalTriangle::new(surface, &a.world_from_box, DVec3::ZERO, size);
    let Some(mut local) = local else {
        return Manifold::EMPTY;
    };
    if is_apart(&solid, &mut local, margin) {
        return Manifold::EMPTY;
    }
    let Some(axes) = local.chosen() else {
        return Manifold::EMPTY;
    };
    let mut manifolds = axes
        .iter()
        .map(|axis| along_axis(&solid, &local, axis, margin));
    let first = manifolds.find(|manifold| !manifold.is_empty());
    let manifold = first.unwrap_or_else(|| {
        let solid = Convex::cuboid(Rigid::IDENTITY, a.half_extents);
        local.closest(&solid, margin)
    });
    manifold.transformed(&a.world_from_box)
}

/// The manifold of the features of an axis; empty if they do not cross each other.
fn along_axis(
    solid: &PosedBox,
    local: &LocalTriangle,
    axis: &TriangleAxis,
    margin: f64,
) -> Manifold {
    match axis.kind {
        AxisKind::Triangle => {
            let (_, face) = solid.face_towards(-axis.normal);
            let mut polygon = ClipPolygon::<8>::new(solid.corners_of_face(face).into_iter());
            local.clip_to_triangle(&mut polygon);
            let plane = Plane::through(local.surface.triangle.corners[0], axis.normal);
            polygon.manifold(&plane, Reference::B, margin, [0, face])
        }
        AxisKind::Face(face) => {
            let along = usize::from(face / 2);
            let plane = Plane {
                normal: -axis.normal,
                offset: solid.half[along],
            };
            let mut polygon = ClipPolygon::<8>::new(local.surface.triangle.corners.into_iter());
            solid.clip_to_face(&mut polygon, along);
            polygon.manifold(&plane, Reference::A, margin, [face, 0])
        }
        AxisKind::Edges(along, edge) => {
            let along = usize::from(along);
            let (middle, signs) = solid.middle_of_edge(along, -axis.normal);
            let half = DVec3::AXES[along] * solid.half[along];
            let ends = [middle - half, middle + half];
            local.edge_contact(axis, ends, (along as u64) << 4 | signs, edge)
        }
    }
}

/// Whether an axis separates the two by more than `margin`. Otherwise all axes have been passed to [`LocalTriangle::consider`].
fn is_apart(solid: &PosedBox, local: &mut LocalTriangle, margin: f64) -> bool {
    let corners = local.surface.triangle.corners;
    // The separations along a vector and against it.
    let both = |along: DVec3| {
        let [a, b, c] = corners.map(|corner| along.dot(corner));
        let reach = solid.half.dot(along.abs());
        [-reach - a.max(b).max(c), -reach + a.min(b).min(c)]
    };
    let of_triangle = TriangleAxis {
        kind: AxisKind::Triangle,
        normal: local.face,
        separation: both(local.face)[0],
    };
    if local.consider(of_triangle, margin) {
        return true;
    }
    for i in 0..3 {
        let along = DVec3::AXES[i];
        // The face with an outward normal opposite to `normal` faces the triangle.
        for (sign, separation) in both(along).into_iter().enumerate() {
            let of_face = TriangleAxis {
                kind: AxisKind::Face(2 * i as u16 + 1 - sign as u16),
                normal: if sign == 0 { along } else { -along },
                separation,
            };
            if local.consider(of_face, margin) {
                return true;
            }
        }
    }
    for (j, edge) in local.surface.edges().into_iter().enumerate() {
        for i in 0..3 {
            let Some(across) = LocalTriangle::across(DVec3::AXES[i], edge) else {
                continue;
            };
            for (sign, separation) in both(across).into_iter().enumerate() {
                let of_edges = TriangleAxis {
                    kind: AxisKind::Edges(i as u16, j),
                    normal: if sign == 0 { across } else { -across },
                    separation,
                };
                if local.consider(of_edges, margin) {
                    return true;
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Triangle;
    use crate::shapes::rotation_by;

    fn cube(centre: DVec3, turn: DVec3) -> OrientedBox {
        OrientedBox {
            world_from_box: Rigid::new(rotation_by(turn), centre),
            half_extents: DVec3::splat(0.5),
        }
    }

    /// A square floor of two triangles whose common edge goes from (4, 0, 0) to (0, 0, 4).
    fn floor() -> [SurfaceTriangle; 2] {
        let triangle = |corners, internal_edges| SurfaceTriangle {
            internal_edges,
            ..SurfaceTriangle::one_sided(Triangle { corners })
        };
        let (x, z) = (DVec3::X * 4.0, DVec3::Z * 4.0);
        [
            triangle([DVec3::ZERO, z, x], [false, true, false]),
            triangle([x + z, x, z], [false, true, false]),
        ]
    }

    #[test]
    fn a_crate_on_a_triangle_has_four_points() {
        for gap in [0.005, 0.0, -0.02] {
            let a = cube(DVec3::new(1.0, 0.5 + gap, 1.0), DVec3::Y * 0.3);
            let manifold = box_triangle(&a, &floor()[0], 0.01);
            assert_eq!(manifold.normal, DVec3::Y);
            assert_eq!(manifold.points().len(), 4);
            for point in manifold.points() {
                assert!((point.separation - gap).abs() < 1e-12);
                assert!(point.on_b.y.abs() < 1e-12);
            }
        }
        let above = cube(DVec3::new(1.0, 0.511, 1.0), DVec3::ZERO);
        assert!(box_triangle(&above, &floor()[0], 0.01).is_empty());
        let behind = cube(DVec3::new(1.0, -0.01, 1.0), DVec3::ZERO);
        assert!(box_triangle(&behind, &floor()[0], 0.01).is_empty());
    }

    #[test]
    fn a_crate_that_slides_over_the_joint_of_a_floor_is_pushed_up_alone() {
        for turn in [DVec3::ZERO, DVec3::Y * 0.4, DVec3::new(1e-4, 0.7, -1e-4)] {
            for k in 0..4000 {
                let x = 0.8 + 2.4 * f64::from(k) / 4000.0;
                let a = cube(DVec3::new(x, 0.5 - 1e-3, 1.7), turn);
                let mut points = 0;
                for triangle in floor() {
                    let manifold = box_triangle(&a, &triangle, 1e-3);
                    points += manifold.points().len();
                    let is_up =
                        manifold.is_empty() || (manifold.normal - DVec3::Y).length() < 1e-12;
                    assert!(is_up, "at {x}: {manifold:?}");
                }
                assert!(points >= 3, "at {x}");
            }
        }
    }

    #[test]
    fn a_crate_beside_a_free_edge_is_pushed_sideways() {
        // The box extends 1 cm beyond the edge at z = 0, and 30 cm below the triangle.
        let a = cube(DVec3::new(1.0, 0.2, -0.49), DVec3::ZERO);
        let manifold = box_triangle(&a, &floor()[0], 0.0);
        assert_eq!(manifold.normal, -DVec3::Z);
        assert!((manifold.separation() + 0.01).abs() < 1e-12);
        assert!(manifold.points().len() >= 2);
    }

    /// Regression test: the crate's centre is behind the only face that has the ridge, so no face pushed, and a crate
    /// penetrated a post by 15 mm.
    #[test]
    fn a_ridge_pushes_a_crate_whose_centre_is_in_front_of_the_other_side_alone() {
        // The face towards -x at a corner of a post at the origin, which is solid to +x and -z.
        let corners = [DVec3::ZERO, DVec3::Y * 4.0, DVec3::NEG_Z * 4.0];
        let side = SurfaceTriangle {
            ridges: [true, false, false],
            ..SurfaceTriangle::one_sided(Triangle { corners })
        };
        // The crate is rotated: its face is at 37 degrees to the post's other face, and penetrates the corner by 1
        // mm.
        let normal = DVec3::new(-0.6, 0.0, 0.8);
        let turn = DVec3::Y * -libm::atan2(0.6, 0.8);
        let along = DVec3::new(0.8, 0.0, 0.6);
        let leaning = cube(normal * 0.499 + along * 0.45 + DVec3::Y, turn);
        assert!(leaning.world_from_box.translation().x > 0.0);
        let manifold = box_triangle(&leaning, &side, 0.01);
        assert!((manifold.normal - normal).length() < 1e-9, "{manifold:?}");
        assert!((manifold.separation() + 1e-3).abs() < 1e-9);
        // No contact with this face: boxes that lie flat on the post's other face are pushed by that face.
        for gap in [5e-3, 0.0, -1e-3] {
            let flat = cube(DVec3::new(0.3, 1.0, 0.5 + gap), DVec3::ZERO);
            assert!(box_triangle(&flat, &side, 0.01).is_empty());
        }
        let none = SurfaceTriangle {
            ridges: [false; 3],
            ..side
        };
        assert!(box_triangle(&leaning, &none, 0.01).is_empty());
    }

    /// Regression test: a face that leaves its ridge to the neighbour pushed the crate out across the post's whole
    /// width, at 3 m/s.
    #[test]
    fn a_crate_that_lies_on_one_side_of_a_post_is_not_pushed_by_the_other_side() {
        // The face towards +z at a corner of a post at the origin, which is solid to -x and -z.
        let corners = [DVec3::NEG_X * 4.0, DVec3::ZERO, DVec3::Y * 4.0];
        let side = SurfaceTriangle {
            internal_edges: [false, true, false],
            ..SurfaceTriangle::one_sided(Triangle { corners })
        };
        for depth in [0.0, 1e-9, 1e-6, 1e-4, 5e-4] {
            for turn in [0.0, 1e-9, 1e-5, -1e-5] {
                let centre = DVec3::new(0.5 - depth, 1.0, 0.2);
                let beside = cube(centre, DVec3::splat(turn));
                let manifold = box_triangle(&beside, &side, 0.01);
                assert!(manifold.is_empty(), "{depth} {turn}: {manifold:?}");
            }
        }
        // The same face pushes boxes in front of it.
        let before = cube(DVec3::new(-0.1, 1.0, 0.49), DVec3::ZERO);
        assert_eq!(box_triangle(&before, &side, 0.01).normal, DVec3::Z);
    }

    #[test]
    fn a_crate_on_its_edge_and_on_its_corner_touches_in_two_points_and_one() {
        let quarter = std::f64::consts::FRAC_PI_4;
        let on_edge = cube(
            DVec3::new(1.0, 0.5_f64.sqrt() - 1e-4, 1.0),
            DVec3::X * quarter,
        );
        assert_eq!(box_triangle(&on_edge, &floor()[0], 1e-3).points().len(), 2);
        let turn = DVec3::new(1.0, 0.0, -1.0) * (libm::atan(2.0_f64.sqrt()) / 2.0_f64.sqrt());
        let on_corner = cube(DVec3::new(1.0, 0.75_f64.sqrt() - 1e-4, 1.0), turn);
        let manifold = box_triangle(&on_corner, &floor()[0], 1e-3);
        assert_eq!(manifold.points().len(), 1, "{manifold:?}");
        assert!((manifold.separation() + 1e-4).abs() < 1e-9);
        assert!((manifold.normal - DVec3::Y).length() < 1e-12);
    }

    #[test]
    fn the_edge_of_a_crate_on_the_edge_of_a_triangle_touches_in_one_point() {
        let quarter = std::f64::consts::FRAC_PI_4;
        // An upright triangle, with its top edge along x at y = 0.
        let fin = SurfaceTriangle::two_sided(Triangle {
            corners: [DVec3::X * -2.0, DVec3::X * 2.0, DVec3::Y * -9.0],
        });
        let a = cube(DVec3::Y * (0.5_f64.sqrt() - 0.01), DVec3::X * quarter);
        let a = OrientedBox {
            world_from_box: Rigid::new(
                rotation_by(DVec3::Y * 1.2) * a.world_from_box.rotation(),
                a.world_from_box.translation(),
            ),
            ..a
        };
        let manifold = box_triangle(&a, &fin, 0.0);
        assert_eq!(manifold.points().len(), 1);
        assert!((manifold.normal - DVec3::Y).length() < 1e-9, "{manifold:?}");
        assert!((manifold.separation() + 0.01).abs() < 1e-9);
    }

    #[test]
    fn a_mirrored_box_is_pushed_to_the_same_side() {
        let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        let a = OrientedBox {
            world_from_box: Rigid::new(mirror, DVec3::new(1.0, 0.49, 1.0)),
            half_extents: DVec3::splat(0.5),
        };
        let manifold = box_triangle(&a, &floor()[0], 0.0);
        assert_eq!(manifold.normal, DVec3::Y);
        assert_eq!(manifold.points().len(), 4);
    }
}
