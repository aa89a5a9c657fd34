//! A hull and a surface triangle: the separating axis test over faces and edges, and the contact manifold.
//!
//! Only opposing pairs of edges are tested: their cross product must support both shapes. This is D. Gregorius's test on the
//! Gauss map, "The Separating Axis Test between Convex Polyhedra", 2013. All computations are in coordinates of the hull.

use glam::DVec3;

use super::clip::Reference;
use super::contact::Manifold;
use super::convex::{Convex, ConvexFace};
use super::hull::Hull;
use super::surface_triangle::SurfaceTriangle;
use super::triangle_axes::{AxisKind, LocalTriangle, TriangleAxis};
use crate::geometry::{Plane, Rigid};

/// The manifold of a hull, which is `a`, and a triangle, `b`; empty if they are more than `margin` metres apart, or the
/// triangle does not push (see [`SurfaceTriangle`]).
pub fn hull_triangle(
    hull: &Hull,
    world_from_hull: &Rigid,
    surface: &SurfaceTriangle,
    margin: f64,
) -> Manifold {
    hull_triangle_seen_from(hull, world_from_hull, surface, hull.centre(), margin)
}

/// The manifold of a hull and a triangle, like [`hull_triangle`], but the triangle pushes to the side on which the
/// point `seen_from` (in the hull's coordinates) lies, instead of the hull's centre.
pub(super) fn hull_triangle_seen_from(
    hull: &Hull,
    world_from_hull: &Rigid,
    surface: &SurfaceTriangle,
    seen_from: DVec3,
    margin: f64,
) -> Manifold {
    let size = hull.bounding_sphere().radius;
    let local = LocalTriangle::new(surface, world_from_hull, seen_from, size);
    let Some(mut local) = local else {
        return Manifold::EMPTY;
    };
    if is_apart(hull, &mut local, margin) {
        return Manifold::EMPTY;
    }
    let Some(axes) = local.chosen() else {
        return Manifold::EMPTY;
    };
    let mut manifolds = axes
        .iter()
        .map(|axis| along_axis(hull, &local, axis, margin));
    let first = manifolds.find(|manifold| !manifold.is_empty());
    let manifold =
        first.unwrap_or_else(|| local.closest(&Convex::hull(Rigid::IDENTITY, hull), margin));
    manifold.transformed(world_from_hull)
}

/// The manifold of the features of an axis; empty if they do not cross each other.
fn along_axis(hull: &Hull, local: &LocalTriangle, axis: &TriangleAxis, margin: f64) -> Manifold {
    let solid = Convex::hull(Rigid::IDENTITY, hull);
    match axis.kind {
        AxisKind::Triangle => {
            let Some(mut face) = solid.face_towards(-axis.normal) else {
                return Manifold::EMPTY;
            };
            face.extend_to_support(&solid, -axis.normal);
            let ConvexFace {
                number,
                mut polygon,
                ..
            } = face;
            local.clip_to_triangle(&mut polygon);
            let plane = Plane::through(local.surface.triangle.corners[0], axis.normal);
            polygon.manifold(&plane, Reference::B, margin, [0, number])
        }
        AxisKind::Face(number) => {
            let Some(face) = solid.face_towards(-axis.normal) else {
                return Manifold::EMPTY;
            };
            let triangle = Convex::triangle(local.surface.triangle);
            let Some(mut incident) = triangle.face_towards(axis.normal) else {
                return Manifold::EMPTY;
            };
            incident.clip_to(&face);
            let plane = &hull.planes[usize::from(number)];
            incident
                .polygon
                .manifold(plane, Reference::A, margin, [number, 0])
        }
        AxisKind::Edges(number, edge) => {
            let ends = hull.edges[usize::from(number)].corners;
            let ends = ends.map(|i| hull.corners[i as usize]);
            local.edge_contact(axis, ends, u64::from(number), edge)
        }
    }
}

/// Whether an axis separates the two by more than `margin`. Otherwise all axes have been passed to [`LocalTriangle::consider`].
fn is_apart(hull: &Hull, local: &mut LocalTriangle, margin: f64) -> bool {
    let behind = local.surface.is_two_sided.then_some(-local.face);
    for normal in [Some(local.face), behind].into_iter().flatten() {
        let lowest = hull.corners[hull.support(-normal)].dot(normal);
        let of_triangle = TriangleAxis {
            kind: AxisKind::Triangle,
            normal,
            separation: lowest - local.reach(normal),
        };
        if local.consider(of_triangle, margin) {
            return true;
        }
    }
    for (face, plane) in hull.planes.iter().enumerate() {
        let normal = -plane.normal;
        let of_face = TriangleAxis {
            kind: AxisKind::Face(face as u16),
            normal,
            separation: -plane.offset - local.reach(normal),
        };
        if local.consider(of_face, margin) {
            return true;
        }
    }
    let front = local.surface.triangle.cross();
    let corners = local.surface.triangle.corners;
    for (j, side) in local.surface.edges().into_iter().enumerate() {
        let outwards = side.cross(front);
        for (number, edge) in hull.edges.iter().enumerate() {
            let [from, to] = edge.corners.map(|i| hull.corners[i as usize]);
            let along = to - from;
            let across = along.cross(side);
            // The normal points out of the triangle across this edge, so that the edge supports the triangle.
            let normal = if across.dot(outwards) < 0.0 {
                -across
            } else {
                across
            };
            // The hull's farthest point against the normal must lie on this edge: both adjacent faces fall away from there.
            let [left, right] = edge.faces.map(|face| hull.planes[face as usize].normal);
            let falls_left = normal.dot(left.cross(along)) >= 0.0;
            let falls_right = normal.dot(along.cross(right)) >= 0.0;
            if !falls_left || !falls_right {
                continue;
            }
            let Some(normal) = LocalTriangle::unit_across(normal, along, side) else {
                continue;
            };
            let of_edges = TriangleAxis {
                kind: AxisKind::Edges(number as u16, j),
                normal,
                separation: normal.dot(from - corners[j]),
            };
            if local.consider(of_edges, margin) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::geometry::{Aabb, Triangle};

    fn cube() -> Hull {
        Hull::of_points(&Aabb::around([DVec3::splat(-0.5), DVec3::splat(0.5)]).corners()).unwrap()
    }

    fn floor(internal_edges: [bool; 3]) -> SurfaceTriangle {
        SurfaceTriangle {
            internal_edges,
            ..SurfaceTriangle::one_sided(Triangle {
                corners: [DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0],
            })
        }
    }

    #[test]
    fn a_hull_on_a_triangle_has_four_points() {
        let at = Rigid::new(glam::DMat3::IDENTITY, DVec3::new(1.0, 0.49, 1.0));
        let manifold = hull_triangle(&cube(), &at, &floor([false; 3]), 0.0);
        assert_eq!(manifold.normal, DVec3::Y);
        assert_eq!(manifold.points().len(), 4);
        assert!((manifold.separation() + 0.01).abs() < 1e-12);
    }

    #[test]
    fn a_hull_is_pushed_sideways_over_a_free_edge_and_not_over_an_internal_one() {
        let at = Rigid::new(glam::DMat3::IDENTITY, DVec3::new(1.0, 0.2, -0.49));
        let manifold = hull_triangle(&cube(), &at, &floor([false; 3]), 0.0);
        assert!(
            (manifold.normal + DVec3::Z).length() < 1e-12,
            "{manifold:?}"
        );
        assert!((manifold.separation() + 0.01).abs() < 1e-12);
        // The hull overlaps the face by 1 cm. At an internal edge it is pushed up while it is at most 16 times that far
        // below the face. Deeper, only the neighbour pushes.
        let joint = floor([false, false, true]);
        let at_depth = |depth: f64| {
            let at = Rigid::new(glam::DMat3::IDENTITY, DVec3::new(1.0, 0.5 - depth, -0.49));
            hull_triangle(&cube(), &at, &joint, 0.0)
        };
        let manifold = at_depth(0.1);
        assert_eq!(manifold.normal, DVec3::Y);
        assert!((manifold.separation() + 0.1).abs() < 1e-12);
        assert!(at_depth(0.3).is_empty());
    }
}
