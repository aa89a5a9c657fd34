//! A capsule and a surface triangle.
//!
//! If the segment does not intersect the triangle, the closest points give the direction in which the triangle
//! pushes. The part of the segment over the triangle touches the face, whatever the angle of the capsule. If the
//! segment passes through the triangle, the capsule is pushed along the best axis of a separating axis test.

use glam::{DMat3, DVec3};

use super::capsule::{NOT_CLOSEST, PosedCapsule};
use super::contact::{Contact, Manifold};
use super::convex::Convex;
use super::surface_triangle::SurfaceTriangle;
use super::triangle_axes::{AxisKind, LocalTriangle, TriangleAxis};
use crate::geometry::{Feature, Plane, Rigid};

/// The distance of the segment from the triangle, relative to its length, below which it counts as passing through.
const ROUNDING: f64 = 1e-9;

/// The manifold of a capsule, which is `a`, and a triangle, `b`; empty if they are more than `margin` metres apart, or the
/// triangle does not push (see [`SurfaceTriangle`]).
pub fn capsule_triangle(a: &PosedCapsule, surface: &SurfaceTriangle, margin: f64) -> Manifold {
    let size = a.along().length() + a.radius;
    let Some(local) = LocalTriangle::of(*surface, a.middle(), size) else {
        return Manifold::EMPTY;
    };
    let corner = surface.triangle.corners[0];
    let [low, high] = a.ends.map(|end| local.face.dot(end - corner));
    if low.min(high) > margin + a.radius {
        return Manifold::EMPTY;
    }
    let closest = surface.triangle.closest_to_segment(a.ends);
    let Some((distance, [on_segment, on_triangle])) =
        closest.filter(|(distance, _)| *distance > ROUNDING * size)
    else {
        return through(a, local, margin);
    };
    if distance > margin + a.radius {
        return Manifold::EMPTY;
    }
    let normal = (on_segment - on_triangle) / distance;
    let contact = Contact {
        on_a: on_segment - normal * a.radius,
        on_b: on_triangle,
        normal,
        separation: distance - a.radius,
    };
    beside(a, &local, &contact, margin)
}

/// The manifold of a capsule whose segment does not reach the triangle, with the closest points.
fn beside(a: &PosedCapsule, local: &LocalTriangle, closest: &Contact, margin: f64) -> Manifold {
    let surface = &local.surface;
    let of_closest = TriangleAxis {
        kind: AxisKind::Face(0),
        normal: closest.normal,
        separation: closest.separation,
    };
    let feature = surface.support(closest.normal);
    if local.may_push(&of_closest) {
        let Feature::Edge(i) = feature else {
            return Manifold::of_contact(closest, 0);
        };
        let corners = surface.triangle.corners;
        let edge = [corners[i], corners[(i + 1) % 3]];
        return a.beside_edge(edge, closest, margin);
    }
    if local.is_behind() {
        return Manifold::EMPTY;
    }
    // The neighbour beyond an internal edge pushes the nearest part of the capsule; this triangle pushes only the
    // part above it.
    let over = over_face(a, surface, local.face, margin);
    let is_face = feature == Feature::Face && closest.normal.dot(local.face) > 0.0;
    // The part of a steep capsule above the face can be far above an end just beyond an edge, or does not exist.
    let size = a.along().length() + a.radius;
    let is_closest = over.separation() <= closest.separation + NOT_CLOSEST * size;
    match (is_face, is_closest) {
        (true, true) => over.with_separation(closest.separation),
        (true, false) => Manifold::of_contact(closest, 0),
        (false, _) => over,
    }
}

/// The manifold of the part of a capsule over the triangle, on the side to which the unit vector `face` points.
fn over_face(a: &PosedCapsule, surface: &SurfaceTriangle, face: DVec3, margin: f64) -> Manifold {
    let front = surface.triangle.cross();
    let edges = surface.edges().map(|edge| edge.cross(front));
    let part = a.part_behind(edges.into_iter().zip(surface.triangle.corners));
    let plane = Plane::through(surface.triangle.corners[0], face);
    part.map_or(Manifold::EMPTY, |part| a.over_plane(part, &plane, margin))
}

/// The manifold of a capsule whose segment passes through the triangle.
fn through(a: &PosedCapsule, mut local: LocalTriangle, margin: f64) -> Manifold {
    let along = a.along();
    let lowest = |local: &LocalTriangle, normal| {
        let [from, to] = a.ends.map(|end| end.dot(normal));
        from.min(to) - local.reach(normal) - a.radius
    };
    let behind = local.surface.is_two_sided.then_some(-local.face);
    for normal in [Some(local.face), behind].into_iter().flatten() {
        let of_triangle = TriangleAxis {
            kind: AxisKind::Triangle,
            normal,
            separation: lowest(&local, normal),
        };
        local.consider(of_triangle, margin);
    }
    for (j, edge) in local.surface.edges().into_iter().enumerate() {
        let Some(across) = LocalTriangle::across(along, edge) else {
            continue;
        };
        for normal in [across, -across] {
            let of_edges = TriangleAxis {
                kind: AxisKind::Edges(0, j),
                normal,
                separation: lowest(&local, normal),
            };
            local.consider(of_edges, margin);
        }
    }
    let Some(axes) = local.chosen() else {
        return Manifold::EMPTY;
    };
    let mut manifolds = axes.iter().map(|axis| along_axis(a, &local, axis, margin));
    let first = manifolds.find(|manifold| !manifold.is_empty());
    first.unwrap_or_else(|| {
        let at = Rigid::new(DMat3::IDENTITY, a.middle());
        local.closest(&Convex::capsule(at, along * 0.5, a.radius), margin)
    })
}

/// The manifold of the features of an axis; empty if they do not cross each other.
fn along_axis(
    a: &PosedCapsule,
    local: &LocalTriangle,
    axis: &TriangleAxis,
    margin: f64,
) -> Manifold {
    let AxisKind::Edges(_, edge) = axis.kind else {
        return over_face(a, &local.surface, axis.normal, margin);
    };
    let of_segment = TriangleAxis {
        separation: axis.separation + a.radius,
        ..*axis
    };
    let of_core = local.edge_contact(&of_segment, a.ends, 0, edge);
    of_core.with_radius_of_a(a.radius)
}
