//! Contacts and distances of shapes of all kinds, with a specialised method per pair.

use super::bounds::BoundingSphere;
use super::contact::Manifold;
use super::convex::Convex;
use super::convex_contacts::{ConvexShape, convex, convex_contacts};
use super::convex_convex::{Closest, convex_closest};
use super::mesh_contacts::{convex_triangle, mesh_shape, mesh_triangle};
use super::pair_cache::PairCache;
use super::shape::Shape;
use super::sphere_tree::{SphereNode, descend};
use super::surface_triangle::SurfaceTriangle;
use crate::geometry::{Rigid, Triangle};

/// Adds the manifolds of two shapes to `out`; none if the shapes are more than `margin` metres apart. Two convex
/// shapes have one manifold; a mesh has one for each direction in which it is pushed. `cache` is kept for the pair
/// from call to call, and does not affect the result.
pub fn contacts(
    a: &Shape,
    world_from_a: &Rigid,
    b: &Shape,
    world_from_b: &Rigid,
    margin: f64,
    cache: &mut PairCache,
    out: &mut Vec<Manifold>,
) {
    let is_mesh = |shape: &Shape| matches!(shape, Shape::Mesh(_));
    if (is_mesh(a) || is_mesh(b)) && are_boxes_apart(a, world_from_a, b, world_from_b, margin) {
        return;
    }
    let first = out.len();
    match (a, b) {
        (Shape::Mesh(mesh), _) => {
            mesh_shape(mesh, world_from_a, b, world_from_b, margin, cache, out);
        }
        (_, Shape::Mesh(mesh)) => {
            mesh_shape(mesh, world_from_b, a, world_from_a, margin, cache, out);
            for manifold in &mut out[first..] {
                *manifold = manifold.flipped();
            }
        }
        _ => {
            if let (Some(a), Some(b)) = (ConvexShape::of(a), ConvexShape::of(b)) {
                let manifold = convex_contacts(a, world_from_a, b, world_from_b, margin, cache);
                out.extend(Some(manifold).filter(|manifold| !manifold.is_empty()));
            }
        }
    }
}

/// Adds the manifolds of a shape, which is `a`, and a surface triangle, `b`, to `out`.
pub fn surface_contacts(
    shape: &Shape,
    world_from_shape: &Rigid,
    surface: &SurfaceTriangle,
    margin: f64,
    out: &mut Vec<Manifold>,
) {
    if is_box_off(shape, world_from_shape, &surface.triangle, margin) {
        return;
    }
    if let Shape::Mesh(mesh) = shape {
        return mesh_triangle(mesh, world_from_shape, surface, margin, out);
    }
    if let Some(shape) = ConvexShape::of(shape) {
        let manifold = convex_triangle(shape, world_from_shape, surface, margin);
        out.extend(Some(manifold).filter(|manifold| !manifold.is_empty()));
    }
}

/// Whether the oriented boxes prove that two shapes are more than `margin` metres apart.
fn are_boxes_apart(
    a: &Shape,
    world_from_a: &Rigid,
    b: &Shape,
    world_from_b: &Rigid,
    margin: f64,
) -> bool {
    let around_a = a.oriented_box(world_from_a).grown(margin);
    !around_a.overlaps(&b.oriented_box(world_from_b))
}

/// Whether the oriented box of a hull or mesh proves that it is more than `margin` metres from a triangle.
fn is_box_off(shape: &Shape, world_from_shape: &Rigid, triangle: &Triangle, margin: f64) -> bool {
    let has_box = matches!(shape, Shape::Hull(_) | Shape::Mesh(_));
    let around = || shape.oriented_box(world_from_shape).grown(margin);
    has_box && !around().overlaps_triangle(triangle)
}

/// The closest points of the surfaces of two shapes, where meshes count as thin shells; `None` if they are more than
/// `reach` metres apart.
pub fn closest(
    a: &Shape,
    world_from_a: &Rigid,
    b: &Shape,
    world_from_b: &Rigid,
    reach: f64,
    cache: &mut PairCache,
) -> Option<Closest> {
    if let (Some(a), Some(b)) = (convex(a, world_from_a), convex(b, world_from_b)) {
        return convex_closest(&a, &b, reach, cache);
    }
    if are_boxes_apart(a, world_from_a, b, world_from_b, reach) {
        return None;
    }
    let singles = [a, b].map(|shape| [SphereNode::single(shape.bounding_sphere())]);
    let a_from_b = world_from_a.inverse().after(world_from_b);
    nearest(
        (tree(a, &singles[0]), tree(b, &singles[1])),
        &a_from_b,
        reach,
        cache,
        |i, j| (part(a, world_from_a, i), part(b, world_from_b, j)),
    )
}

/// The closest points of a shape, which is `a`, and a triangle, solid from both sides; `None` if they are more than `reach`
/// metres apart.
pub fn closest_to_triangle(
    shape: &Shape,
    world_from_shape: &Rigid,
    triangle: &Triangle,
    reach: f64,
    cache: &mut PairCache,
) -> Option<Closest> {
    let of_triangle = Convex::triangle(*triangle);
    if let Some(convex) = convex(shape, world_from_shape) {
        return convex_closest(&convex, &of_triangle, reach, cache);
    }
    if is_box_off(shape, world_from_shape, triangle, reach) {
        return None;
    }
    let single = [SphereNode::single(shape.bounding_sphere())];
    let around = [SphereNode::single(BoundingSphere::around(
        &triangle.corners,
    ))];
    nearest(
        (tree(shape, &single), &around),
        &world_from_shape.inverse(),
        reach,
        cache,
        |i, _| (part(shape, world_from_shape, i), of_triangle),
    )
}

/// The nearest of all pairs of parts. Each gap found reduces the reach. All pairs share the cache, because an axis
/// that separates one pair may separate the next.
fn nearest<'a>(
    trees: (&[SphereNode], &[SphereNode]),
    a_from_b: &Rigid,
    reach: f64,
    cache: &mut PairCache,
    parts: impl Fn(usize, usize) -> (Convex<'a>, Convex<'a>),
) -> Option<Closest> {
    let mut best: Option<Closest> = None;
    descend(trees.0, trees.1, a_from_b, reach, |i, j, reach| {
        let (a, b) = parts(i, j);
        match convex_closest(&a, &b, reach, cache) {
            Some(closest) if best.is_none_or(|best| closest.gap() < best.gap()) => {
                best = Some(closest);
                closest.gap()
            }
            _ => reach,
        }
    });
    best
}

fn tree<'a>(shape: &'a Shape, single: &'a [SphereNode; 1]) -> &'a [SphereNode] {
    match shape {
        Shape::Mesh(mesh) => &mesh.tree,
        _ => single,
    }
}

/// A convex part of a shape: a triangle of a mesh, or a whole convex shape.
fn part<'a>(shape: &'a Shape, world_from_shape: &Rigid, i: usize) -> Convex<'a> {
    match shape {
        Shape::Sphere { radius } => Convex::sphere(*world_from_shape, *radius),
        Shape::Capsule {
            half_segment,
            radius,
        } => Convex::capsule(*world_from_shape, *half_segment, *radius),
        Shape::Box { half_extents } => Convex::cuboid(*world_from_shape, *half_extents),
        Shape::Hull(hull) => Convex::hull(*world_from_shape, hull),
        Shape::Mesh(mesh) => {
            Convex::triangle(mesh.surface[i].triangle.transformed(world_from_shape))
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::rng::Rng;
    use crate::shapes::{Hull, Mesh, rotation_by};

    fn vector(rng: &mut Rng, size: f64) -> DVec3 {
        DVec3::from([0; 3].map(|_| rng.between(-size, size)))
    }

    /// A hull of ten points in a flat box, and the mesh of its surface.
    fn hull_and_mesh(rng: &mut Rng) -> [Shape; 2] {
        let flat = DVec3::new(1.0, 0.2, 0.5);
        let points: Vec<DVec3> = (0..10).map(|_| vector(rng, 1.0) * flat).collect();
        let hull = Shape::Hull(Hull::of_points(&points).unwrap());
        let mesh = Mesh::of_triangles(&hull.triangles()).unwrap();
        [hull, Shape::Mesh(mesh)]
    }

    fn pose(rng: &mut Rng, size: f64) -> Rigid {
        Rigid::new(rotation_by(vector(rng, 3.0)), vector(rng, size))
    }

    const MARGINS: [f64; 4] = [0.0, 1e-5, 0.01, 0.3];

    #[test]
    fn triangles_that_the_box_of_a_hull_or_mesh_keeps_off_have_no_contacts() {
        let mut rng = Rng::new(1);
        let (mut off, mut met) = (0, 0);
        for i in 0..2000 {
            let shapes = hull_and_mesh(&mut rng);
            let at = pose(&mut rng, 1.0);
            let corners = [0; 3].map(|_| vector(&mut rng, 2.0));
            let surface = SurfaceTriangle::two_sided(Triangle { corners });
            for (shape, margin) in shapes.iter().zip([MARGINS[i % 4]; 2]) {
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                surface_contacts(shape, &at, &surface, margin, &mut found);
                match shape {
                    Shape::Mesh(mesh) => {
                        mesh_triangle(mesh, &at, &surface, margin, &mut expected);
                    }
                    _ => expected.extend(
                        ConvexShape::of(shape)
                            .map(|shape| convex_triangle(shape, &at, &surface, margin))
                            .filter(|manifold| !manifold.is_empty()),
                    ),
                }
                assert_eq!(found, expected, "{i}");
                met += u32::from(!found.is_empty());
                if is_box_off(shape, &at, &surface.triangle, margin) {
                    off += 1;
                    let triangle = Convex::triangle(surface.triangle);
                    let is_near = |of_shape: &Triangle| {
                        let of_shape = Convex::triangle(of_shape.transformed(&at));
                        let cache = &mut PairCache::default();
                        convex_closest(&of_shape, &triangle, margin, cache).is_some()
                    };
                    assert!(!shape.triangles().iter().any(is_near), "{i}");
                }
            }
        }
        assert!(off > 500 && met > 500, "{off} {met}");
    }

    #[test]
    fn shapes_whose_boxes_are_apart_from_that_of_a_mesh_have_no_contacts_with_it() {
        let mut rng = Rng::new(2);
        let (mut off, mut met) = (0, 0);
        for i in 0..2000 {
            let [_, mesh] = hull_and_mesh(&mut rng);
            let [hull, other] = hull_and_mesh(&mut rng);
            let ball = Shape::Sphere { radius: 0.3 };
            let half_extents = DVec3::new(0.1, 0.8, 0.3);
            let [at, at_other] = [0; 2].map(|_| pose(&mut rng, 0.8));
            let margin = MARGINS[i % 4];
            let Shape::Mesh(of_mesh) = &mesh else {
                continue;
            };
            for other in [hull, other, ball, Shape::Box { half_extents }] {
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                let cache = &mut PairCache::default();
                contacts(&mesh, &at, &other, &at_other, margin, cache, &mut found);
                let cache = &mut PairCache::default();
                mesh_shape(
                    of_mesh,
                    &at,
                    &other,
                    &at_other,
                    margin,
                    cache,
                    &mut expected,
                );
                assert_eq!(found, expected, "{i}");
                off += u32::from(are_boxes_apart(&mesh, &at, &other, &at_other, margin));
                met += u32::from(!found.is_empty());
            }
        }
        assert!(off > 500 && met > 500, "{off} {met}");
    }
}
