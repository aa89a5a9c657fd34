//! Speculative points of faces: where two convex shapes that touch at an edge or a corner touch next if they turn towards each
//! other.
//!
//! A manifold has the points of the nearest features. A box that stands on an edge, two degrees out of level,
//! touches at one point or two; in the next tick it lies on its face. A solver without the points of the face lets the box turn
//! into the other shape.

use super::contact::{Manifold, ManifoldPoint};
use super::convex_contacts::convex;
use super::convex_convex::faces_towards;
use super::shape::Shape;
use crate::geometry::Rigid;

/// A manifold of more points is that of a face.
const MAX_KNOWN: usize = 2;

/// Cosine of 45 degrees: faces at a larger angle to the normal do not come together within a tick.
const MIN_COSINE: f64 = 0.7;

/// Points that are within this part of the smaller shape's size from a known one are that.
const SAME_POINT: f64 = 0.1;

/// The points at which the faces of two shapes that look at each other are within `margin` metres, beside those of `known`,
/// which is the shapes' manifold. Empty for a mesh and a sphere, and where the manifold is that of a face.
pub fn speculative_points(
    a: &Shape,
    world_from_a: &Rigid,
    b: &Shape,
    world_from_b: &Rigid,
    known: &Manifold,
    margin: f64,
) -> Manifold {
    let shapes = (convex(a, world_from_a), convex(b, world_from_b));
    let (Some(a), Some(b)) = shapes else {
        return Manifold::EMPTY;
    };
    if known.is_empty() || known.points().len() > MAX_KNOWN {
        return Manifold::EMPTY;
    }
    let Some(faces) = faces_towards(&a, &b, known.normal) else {
        return Manifold::EMPTY;
    };
    if faces.cosine < MIN_COSINE {
        return Manifold::EMPTY;
    }
    let same = SAME_POINT * a.size().min(b.size());
    let is_other = |point: &ManifoldPoint| {
        let mut known = known.points().iter();
        known.all(|known| known.on_a.distance(point.on_a) > same)
    };
    let found = faces.manifold(margin).retain(is_other);
    // Along the normal of a face parts may seem to overlap that edges keep apart.
    found.no_nearer_than(known.separation())
}
