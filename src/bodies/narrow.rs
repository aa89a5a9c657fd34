//! Which function finds the contact of two shapes, and when they meet.

use glam::DVec3;

use super::moving::Moving;
use crate::geometry::Rigid;
use crate::level::RigidBody;
use crate::shapes::{
    Contact, Manifold, MovingSphere, OrientedBox, PairCache, Shape, SurfaceTriangle, box_box,
    box_triangle, moving_sphere_triangle, moving_spheres, sphere_box, sphere_sphere,
    sphere_triangle,
};

/// The contact of a shape with a triangle, the shape being `a`; nothing where they are farther apart than
/// `margin` metres.
pub(super) fn touch_triangle(
    shape: &Shape,
    room_from_body: &Rigid,
    surface: &SurfaceTriangle,
    margin: f64,
) -> Manifold {
    match shape {
        Shape::Sphere { radius } => {
            let centre = room_from_body.translation();
            match sphere_triangle(centre, *radius, surface) {
                Some((contact, _)) => within(&contact, margin),
                None => Manifold::EMPTY,
            }
        }
        Shape::Box { half_extents } => {
            let placed = placed_box(room_from_body, *half_extents);
            box_triangle(&placed, surface, margin)
        }
    }
}

fn placed_box(room_from_body: &Rigid, half_extents: DVec3) -> OrientedBox {
    OrientedBox {
        world_from_box: *room_from_body,
        half_extents,
    }
}

/// The contact of two shapes.
pub(super) fn touch(
    (a, room_from_a): (&Shape, &Rigid),
    (b, room_from_b): (&Shape, &Rigid),
    margin: f64,
) -> Manifold {
    let centres = [room_from_a, room_from_b].map(Rigid::translation);
    match (a, b) {
        (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) => {
            within(&sphere_sphere(centres[0], *ra, centres[1], *rb), margin)
        }
        (Shape::Sphere { radius }, Shape::Box { half_extents }) => {
            let contact = sphere_box(centres[0], *radius, room_from_b, *half_extents);
            within(&contact, margin)
        }
        (Shape::Box { half_extents }, Shape::Sphere { radius }) => {
            let contact = sphere_box(centres[1], *radius, room_from_a, *half_extents);
            within(&contact.flipped(), margin)
        }
        (Shape::Box { half_extents: of_a }, Shape::Box { half_extents: of_b }) => {
            let [a, b] = [(room_from_a, of_a), (room_from_b, of_b)]
                .map(|(pose, half)| placed_box(pose, *half));
            box_box(&a, &b, margin, &mut PairCache::default())
        }
    }
}

fn within(contact: &Contact, margin: f64) -> Manifold {
    if contact.separation > margin {
        return Manifold::EMPTY;
    }
    Manifold::of_contact(contact, 0)
}

/// When a body meets a triangle that stands still, seconds after `from`, at most `secs`.
pub(super) fn meets_triangle(
    body: &RigidBody,
    moving: &Moving,
    surface: &SurfaceTriangle,
    secs: f64,
) -> Option<f64> {
    match body.shape {
        Shape::Sphere { radius } => {
            let sphere = sphere_of(moving, radius, moving.time);
            moving_sphere_triangle(&sphere, surface, secs)
        }
        Shape::Box { .. } => None,
    }
}

/// When two bodies meet, seconds after the time `from` of the tick, at most `secs`; the second one's room is
/// the first one's by `a_from_b`.
pub(super) fn meets(
    (body_a, a): (&RigidBody, &Moving),
    (body_b, b): (&RigidBody, &Moving),
    a_from_b: &Rigid,
    from: f64,
    secs: f64,
) -> Option<f64> {
    match (&body_a.shape, &body_b.shape) {
        (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) => {
            let a = sphere_of(a, *ra, from);
            let b = sphere_of(b, *rb, from);
            let b = MovingSphere {
                centre: a_from_b.point(b.centre),
                velocity: a_from_b.vector(b.velocity),
                acceleration: a_from_b.vector(b.acceleration),
                ..b
            };
            moving_spheres(&a, &b, secs)
        }
        _ => None,
    }
}

/// A ball from a time of the tick on.
fn sphere_of(moving: &Moving, radius: f64, from: f64) -> MovingSphere {
    let secs = from - moving.time;
    let velocity: DVec3 = moving.course + moving.acceleration * secs;
    MovingSphere {
        centre: moving.centre_at(from),
        radius,
        velocity,
        acceleration: moving.acceleration,
    }
}
