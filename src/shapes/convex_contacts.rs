//! Contacts of convex shapes, with a specialised method per pair.

use glam::DVec3;

use super::bounds::OrientedBox;
use super::box_box::box_box;
use super::capsule::{PosedCapsule, capsule_capsule, capsule_solid, sphere_capsule};
use super::contact::{Contact, Manifold};
use super::convex::Convex;
use super::convex_convex::convex_convex;
use super::hull::Hull;
use super::pair_cache::PairCache;
use super::shape::Shape;
use super::sphere::{sphere_box, sphere_sphere};
use super::sphere_hull::sphere_hull;
use crate::geometry::Rigid;

/// A convex shape in its own coordinates.
#[derive(Clone, Copy)]
pub(super) enum ConvexShape<'a> {
    /// A ball with its radius, metres.
    Sphere(f64),
    /// A capsule with the vector from its centre to an end of its segment, and its radius, metres.
    Capsule(DVec3, f64),
    /// A box with its half extents, metres.
    Box(DVec3),
    Hull(&'a Hull),
}

impl<'a> ConvexShape<'a> {
    /// Returns the convex shape, or `None` for a mesh.
    pub(super) fn of(shape: &'a Shape) -> Option<Self> {
        match shape {
            Shape::Sphere { radius } => Some(Self::Sphere(*radius)),
            Shape::Capsule {
                half_segment,
                radius,
            } => Some(Self::Capsule(*half_segment, *radius)),
            Shape::Box { half_extents } => Some(Self::Box(*half_extents)),
            Shape::Hull(hull) => Some(Self::Hull(hull)),
            Shape::Mesh(_) => None,
        }
    }

    /// The shape with a pose, for GJK.
    pub(super) fn placed(self, world_from_shape: &Rigid) -> Convex<'a> {
        match self {
            Self::Sphere(radius) => Convex::sphere(*world_from_shape, radius),
            Self::Capsule(half_segment, radius) => {
                Convex::capsule(*world_from_shape, half_segment, radius)
            }
            Self::Box(half_extents) => Convex::cuboid(*world_from_shape, half_extents),
            Self::Hull(hull) => Convex::hull(*world_from_shape, hull),
        }
    }
}

/// The manifold of two convex shapes; empty if they are more than `margin` metres apart.
pub(super) fn convex_contacts(
    a: ConvexShape,
    world_from_a: &Rigid,
    b: ConvexShape,
    world_from_b: &Rigid,
    margin: f64,
    cache: &mut PairCache,
) -> Manifold {
    match (a, b) {
        (ConvexShape::Sphere(radius), _) => single(
            sphere_shape((radius, world_from_a), b, world_from_b),
            margin,
        ),
        (_, ConvexShape::Sphere(radius)) => single(
            sphere_shape((radius, world_from_b), a, world_from_a),
            margin,
        )
        .flipped(),
        (ConvexShape::Capsule(half_a, radius_a), ConvexShape::Capsule(half_b, radius_b)) => {
            capsule_capsule(
                &PosedCapsule::new(world_from_a, half_a, radius_a),
                &PosedCapsule::new(world_from_b, half_b, radius_b),
                margin,
            )
        }
        (ConvexShape::Capsule(..), _) => capsule_solid(
            &a.placed(world_from_a),
            &b.placed(world_from_b),
            margin,
            cache,
        ),
        (_, ConvexShape::Capsule(..)) => capsule_solid(
            &b.placed(world_from_b),
            &a.placed(world_from_a),
            margin,
            cache,
        )
        .flipped(),
        (ConvexShape::Box(a), ConvexShape::Box(b)) => {
            let [a, b] = [(world_from_a, a), (world_from_b, b)].map(|(at, half)| OrientedBox {
                world_from_box: *at,
                half_extents: half,
            });
            box_box(&a, &b, margin, cache)
        }
        _ => convex_convex(
            &a.placed(world_from_a),
            &b.placed(world_from_b),
            margin,
            cache,
        ),
    }
}

fn single(contact: Contact, margin: f64) -> Manifold {
    if contact.separation <= margin {
        Manifold::of_contact(&contact, 0)
    } else {
        Manifold::EMPTY
    }
}

/// The contact of a sphere, which is `a`, and another convex shape.
fn sphere_shape(
    (radius, world_from_a): (f64, &Rigid),
    b: ConvexShape,
    world_from_b: &Rigid,
) -> Contact {
    let centre = world_from_a.translation();
    match b {
        ConvexShape::Sphere(other) => {
            sphere_sphere(centre, radius, world_from_b.translation(), other)
        }
        ConvexShape::Capsule(half_segment, other) => {
            let capsule = PosedCapsule::new(world_from_b, half_segment, other);
            sphere_capsule(centre, radius, &capsule)
        }
        ConvexShape::Box(half_extents) => sphere_box(centre, radius, world_from_b, half_extents),
        ConvexShape::Hull(hull) => sphere_hull(centre, radius, world_from_b, hull),
    }
}

/// The shape with a pose, for GJK; `None` for a mesh.
pub(super) fn convex<'a>(shape: &'a Shape, world_from_shape: &Rigid) -> Option<Convex<'a>> {
    ConvexShape::of(shape).map(|shape| shape.placed(world_from_shape))
}
