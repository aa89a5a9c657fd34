//! Two surface triangles: the separating axis test over 11 axes. Only axes that point out of both surfaces may become
//! the contact normal.

use glam::DVec3;

use super::clip::{ClipPolygon, Reference};
use super::contact::Manifold;
use super::surface_triangle::SurfaceTriangle;
use super::triangle_axes::{AxisKind, LocalTriangle, TriangleAxis};
use crate::geometry::{Aabb, Plane, Triangle};

/// The maximum depth at which two triangles push each other, relative to the smallest depth in any direction. Deeper
/// overlaps belong to their neighbours: when a crate stands on a face, its side must not be pushed across the whole
/// width.
const MAX_DETOUR: f64 = 4.0;

/// The manifold of `a`, a triangle of a solid's surface, and a triangle `b`. Each is pushed out of the other's front.
/// Empty if they are more than `margin` metres apart, or do not push each other. If the solid's centre `is_behind`
/// the plane of `b`, only the ridges of `b` push the solid away.
pub fn triangle_triangle(
    a: &SurfaceTriangle,
    b: &SurfaceTriangle,
    is_behind: bool,
    margin: f64,
) -> Manifold {
    // Most pairs are more than `margin` apart along one coordinate axis.
    let [box_a, box_b] = [a, b].map(|surface| Aabb::around(surface.triangle.corners));
    if !box_a.grown(margin).overlaps(&box_b) {
        return Manifold::EMPTY;
    }
    let (Some(front_a), Some(front_b)) = (a.triangle.normal(), b.triangle.normal()) else {
        return Manifold::EMPTY;
    };
    // A triangle that passes through a surface is pushed if any part of it is in front of the surface.
    let corners = a.triangle.corners;
    let ahead = |best: DVec3, corner: DVec3| {
        let is_ahead = corner.dot(front_b) > best.dot(front_b);
        if is_ahead { corner } else { best }
    };
    let foremost = corners.into_iter().fold(corners[0], ahead);
    if !is_behind && b.normal_towards(foremost).is_none() {
        return Manifold::EMPTY;
    }
    let over = |front: DVec3, of: &SurfaceTriangle, other: &SurfaceTriangle| {
        let heights = other
            .triangle
            .corners
            .map(|p| front.dot(p - of.triangle.corners[0]));
        heights[0].min(heights[1]).min(heights[2])
    };
    if over(front_a, a, b) > margin || over(front_b, b, a) > margin {
        return Manifold::EMPTY;
    }
    let size = a.edges().map(DVec3::length).into_iter().fold(0.0, f64::max);
    let seen_from = if is_behind {
        b.triangle.corners[0] - front_b
    } else {
        foremost
    };
    let Some(mut local) = LocalTriangle::of(*b, seen_from, size) else {
        return Manifold::EMPTY;
    };
    let leads_out =
        |normal: DVec3| normal.dot(front_a) <= 1e-9 && a.allows(-normal, a.support(-normal));
    let faces = [
        (AxisKind::Triangle, local.face),
        (AxisKind::Face(0), -front_a),
    ];
    for (kind, normal) in faces {
        let [lowest, _] = extent(&a.triangle, normal);
        let axis = TriangleAxis {
            kind,
            normal,
            separation: lowest - local.reach(normal),
        };
        if !leads_out(normal) {
            if axis.separation > margin {
                return Manifold::EMPTY;
            }
            local.consider_gap(axis.separation);
        } else if local.consider(axis, margin) {
            return Manifold::EMPTY;
        }
    }
    for (i, along) in a.edges().into_iter().enumerate() {
        for (j, side) in b.edges().into_iter().enumerate() {
            let Some(across) = LocalTriangle::across(along, side) else {
                continue;
            };
            let [low_a, high_a] = extent(&a.triangle, across);
            let [low_b, high_b] = extent(&b.triangle, across);
            for (normal, separation) in [(across, low_a - high_b), (-across, low_b - high_a)] {
                if separation > margin {
                    return Manifold::EMPTY;
                }
                local.consider_gap(separation);
                // This test is cheaper than `leads_out`.
                if local.would_be_better(separation) && leads_out(normal) {
                    let kind = AxisKind::Edges(i as u16, j);
                    let of_edges = TriangleAxis {
                        kind,
                        normal,
                        separation,
                    };
                    local.consider(of_edges, margin);
                }
            }
        }
    }
    let Some(axes) = local.chosen() else {
        return Manifold::EMPTY;
    };
    let deepest = MAX_DETOUR * local.best().min(0.0);
    let near = axes.iter().filter(|axis| axis.separation >= deepest);
    let mut manifolds = near.map(|axis| match axis.kind {
        AxisKind::Triangle => {
            let mut polygon = ClipPolygon::<8>::new(corners.into_iter());
            local.clip_to_triangle(&mut polygon);
            let plane = Plane::through(b.triangle.corners[0], axis.normal);
            polygon.manifold(&plane, Reference::B, margin, [0, 0])
        }
        AxisKind::Face(_) => {
            let mut polygon = ClipPolygon::<8>::new(b.triangle.corners.into_iter());
            a.clip(&mut polygon);
            let plane = Plane::through(corners[0], -axis.normal);
            polygon.manifold(&plane, Reference::A, margin, [0, 0])
        }
        AxisKind::Edges(i, j) => {
            let i = usize::from(i);
            let ends = [corners[i], corners[(i + 1) % 3]];
            local.edge_contact(axis, ends, i as u64, j)
        }
    });
    let first = manifolds.find(|manifold| !manifold.is_empty());
    first.unwrap_or(Manifold::EMPTY)
}

/// The smallest and the largest extent of a triangle in a direction.
fn extent(triangle: &Triangle, direction: DVec3) -> [f64; 2] {
    let [a, b, c] = triangle.corners.map(|corner| corner.dot(direction));
    [a.min(b).min(c), a.max(b).max(c)]
}
