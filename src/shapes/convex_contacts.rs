//! Contacts of convex shapes: each pair by the method that serves it best.

use super::bounds::OrientedBox;
use super::box_box::box_box;
use super::contact::{Contact, Manifold};
use super::convex::Convex;
use super::convex_convex::convex_convex;
use super::pair_cache::PairCache;
use super::shape::Shape;
use super::sphere::{sphere_box, sphere_sphere};
use super::sphere_hull::sphere_hull;
use crate::geometry::Rigid;

/// The manifold of two convex shapes; empty where they are more than `margin` metres apart, and for a mesh.
pub(super) fn convex_contacts(
    a: &Shape,
    world_from_a: &Rigid,
    b: &Shape,
    world_from_b: &Rigid,
    margin: f64,
    cache: &mut PairCache,
) -> Manifold {
    match (a, b) {
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
pub(super) fn convex<'a>(shape: &'a Shape, world_from_shape: &Rigid) -> Option<Convex<'a>> {
    match shape {
        Shape::Sphere { radius } => Some(Convex::sphere(*world_from_shape, *radius)),
        Shape::Box { half_extents } => Some(Convex::cuboid(*world_from_shape, *half_extents)),
        Shape::Hull(hull) => Some(Convex::hull(*world_from_shape, hull)),
        Shape::Mesh(_) => None,
    }
}
