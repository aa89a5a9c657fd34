//! Contacts and distances of shapes of any kinds: each pair by the method that serves it best.

use super::bounds::{BoundingSphere, OrientedBox};
use super::box_box::box_box;
use super::contact::{Contact, Manifold, PairCache};
use super::convex::Convex;
use super::convex_convex::{convex_contact, convex_convex};
use super::mesh_contacts::{mesh_shape, mesh_triangle, shape_triangle};
use super::shape::Shape;
use super::sphere::{sphere_box, sphere_sphere};
use super::sphere_hull::sphere_hull;
use super::sphere_tree::{Node, descend};
use super::surface_triangle::SurfaceTriangle;
use crate::geometry::Rigid;

/// Adds the manifolds of two shapes to `out`, none where they are more than `margin` metres apart. Two convex shapes have
/// one manifold; a mesh has one for each direction in which it is pushed. `cache` is the pair's, kept from call to call.
pub fn contacts(
    a: &Shape,
    world_from_a: &Rigid,
    b: &Shape,
    world_from_b: &Rigid,
    margin: f64,
    cache: &mut PairCache,
    out: &mut Vec<Manifold>,
) {
    let manifold = match (a, b) {
        (Shape::Mesh(mesh), _) => {
            return mesh_shape(mesh, world_from_a, b, world_from_b, margin, out);
        }
        (_, Shape::Mesh(mesh)) => {
            let first = out.len();
            mesh_shape(mesh, world_from_b, a, world_from_a, margin, out);
            for manifold in &mut out[first..] {
                *manifold = manifold.flipped();
            }
            return;
        }
        (Shape::Sphere { .. }, _) => single(sphere_shape(a, world_from_a, b, world_from_b), margin),
        (_, Shape::Sphere { .. }) => {
            single(sphere_shape(b, world_from_b, a, world_from_a), margin).flipped()
        }
        (Shape::Box { half_extents: a }, Shape::Box { half_extents: b }) => {
            let [a, b] = [(world_from_a, a), (world_from_b, b)].map(|(at, half)| OrientedBox {
                world_from_box: *at,
                half_extents: *half,
            });
            box_box(&a, &b, margin, cache)
        }
        _ => match (convex(a, world_from_a), convex(b, world_from_b)) {
            (Some(a), Some(b)) => convex_convex(&a, &b, margin, cache),
            _ => Manifold::EMPTY,
        },
    };
    if !manifold.is_empty() {
        out.push(manifold);
    }
}

/// Adds the manifolds of a shape, which is `a`, and a triangle of a surface, `b`, to `out`.
pub fn surface_contacts(
    shape: &Shape,
    world_from_shape: &Rigid,
    surface: &SurfaceTriangle,
    margin: f64,
    out: &mut Vec<Manifold>,
) {
    if let Shape::Mesh(mesh) = shape {
        return mesh_triangle(mesh, world_from_shape, surface, margin, out);
    }
    let manifold = shape_triangle(shape, world_from_shape, surface, margin);
    if !manifold.is_empty() {
        out.push(manifold);
    }
}

fn single(contact: Option<Contact>, margin: f64) -> Manifold {
    let near = contact.filter(|contact| contact.separation <= margin);
    near.map_or(Manifold::EMPTY, |contact| Manifold::of_contact(&contact, 0))
}

/// A sphere, which is `a`, and another convex shape; `None` for a mesh.
fn sphere_shape(
    a: &Shape,
    world_from_a: &Rigid,
    b: &Shape,
    world_from_b: &Rigid,
) -> Option<Contact> {
    let Shape::Sphere { radius } = a else {
        return None;
    };
    let centre = world_from_a.translation();
    match b {
        Shape::Sphere { radius: other } => Some(sphere_sphere(
            centre,
            *radius,
            world_from_b.translation(),
            *other,
        )),
        Shape::Box { half_extents } => {
            Some(sphere_box(centre, *radius, world_from_b, *half_extents))
        }
        Shape::Hull(hull) => Some(sphere_hull(centre, *radius, world_from_b, hull)),
        Shape::Mesh(_) => None,
    }
}

/// The shape for GJK; `None` for a mesh.
fn convex<'a>(shape: &'a Shape, world_from_shape: &Rigid) -> Option<Convex<'a>> {
    match shape {
        Shape::Sphere { radius } => Some(Convex::sphere(*world_from_shape, *radius)),
        Shape::Box { half_extents } => Some(Convex::cuboid(*world_from_shape, *half_extents)),
        Shape::Hull(hull) => Some(Convex::hull(*world_from_shape, hull)),
        Shape::Mesh(_) => None,
    }
}

/// The closest points of the surfaces of two shapes, those of meshes as thin shells; `None` where they are more than
/// `reach` metres apart. Where convex shapes or triangles overlap, the deepest points of the first pair found.
pub fn closest(
    a: &Shape,
    world_from_a: &Rigid,
    b: &Shape,
    world_from_b: &Rigid,
    reach: f64,
    cache: &mut PairCache,
) -> Option<Contact> {
    if let (Some(a), Some(b)) = (convex(a, world_from_a), convex(b, world_from_b)) {
        return convex_contact(&a, &b, reach, cache);
    }
    let singles = [a, b].map(|shape| [Node::single(shape.bounding_sphere())]);
    let a_from_b = world_from_a.inverse().after(world_from_b);
    nearest(
        (tree(a, &singles[0]), tree(b, &singles[1])),
        &a_from_b,
        reach,
        |i, j| (part(a, world_from_a, i), part(b, world_from_b, j)),
    )
}

/// The closest points of a shape, which is `a`, and a triangle, solid from both sides; `None` where they are more than
/// `reach` metres apart.
pub fn closest_to_surface(
    shape: &Shape,
    world_from_shape: &Rigid,
    surface: &SurfaceTriangle,
    reach: f64,
    cache: &mut PairCache,
) -> Option<Contact> {
    let triangle = Convex::triangle(surface.triangle);
    if let Some(convex) = convex(shape, world_from_shape) {
        return convex_contact(&convex, &triangle, reach, cache);
    }
    let single = [Node::single(shape.bounding_sphere())];
    let around = [Node::single(BoundingSphere::around(
        &surface.triangle.corners,
    ))];
    nearest(
        (tree(shape, &single), &around),
        &world_from_shape.inverse(),
        reach,
        |i, _| (part(shape, world_from_shape, i), triangle),
    )
}

/// The nearest of all pairs of parts; the reach shrinks to what was found.
fn nearest<'a>(
    trees: (&[Node], &[Node]),
    a_from_b: &Rigid,
    reach: f64,
    parts: impl Fn(usize, usize) -> (Convex<'a>, Convex<'a>),
) -> Option<Contact> {
    let mut best: Option<Contact> = None;
    descend(trees.0, trees.1, a_from_b, reach, |i, j, reach| {
        let (a, b) = parts(i, j);
        match convex_contact(&a, &b, reach, &mut PairCache::default()) {
            Some(contact) if best.is_none_or(|best| contact.separation < best.separation) => {
                best = Some(contact);
                contact.separation.max(0.0)
            }
            _ => reach,
        }
    });
    best
}

fn tree<'a>(shape: &'a Shape, single: &'a [Node; 1]) -> &'a [Node] {
    match shape {
        Shape::Mesh(mesh) => &mesh.tree,
        _ => single,
    }
}

/// A convex part of a shape: a triangle of a mesh, or all of another.
fn part<'a>(shape: &'a Shape, world_from_shape: &Rigid, i: usize) -> Convex<'a> {
    match shape {
        Shape::Sphere { radius } => Convex::sphere(*world_from_shape, *radius),
        Shape::Box { half_extents } => Convex::cuboid(*world_from_shape, *half_extents),
        Shape::Hull(hull) => Convex::hull(*world_from_shape, hull),
        Shape::Mesh(mesh) => {
            Convex::triangle(mesh.surface[i].triangle.transformed(world_from_shape))
        }
    }
}
