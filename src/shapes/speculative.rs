//! Speculative contact points of faces. If two convex shapes touch at an edge or a corner, these are the points that
//! touch next if the shapes rotate towards each other.
//!
//! A manifold has the points of the nearest features. A box that stands on an edge, two degrees out of level, touches at one
//! point or two; in the next tick it lies on its face. A solver without the points of the face lets the box rotate into the
//! other shape.

use super::capsule::capsule_on_face;
use super::contact::{Manifold, ManifoldPoint};
use super::convex_contacts::convex;
use super::convex_convex::faces_towards;
use super::shape::Shape;
use crate::geometry::Rigid;

/// The maximum number of points of a manifold at an edge or corner; more points belong to a face.
const MAX_KNOWN: usize = 2;

/// The cosine of 45 degrees: faces at a larger angle to the normal do not come together within a tick.
const MIN_COSINE: f64 = 0.7;

/// The distance, relative to the smaller shape's size, within which a point counts as a known one.
const SAME_POINT: f64 = 0.1;

/// The points at which the opposing faces of two shapes are within `margin` metres, except the points of `known`, the shapes'
/// manifold. Empty for a mesh or a sphere, and if `known` is already a face contact.
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
    let found = if a.segment().is_some() {
        capsule_on_face(&a, &b, known.normal, MIN_COSINE, margin)
    } else if b.segment().is_some() {
        capsule_on_face(&b, &a, -known.normal, MIN_COSINE, margin).flipped()
    } else {
        faces_towards(&a, &b, known.normal)
            .filter(|faces| faces.cosine >= MIN_COSINE)
            .map_or(Manifold::EMPTY, |faces| faces.manifold(margin))
    };
    let same = SAME_POINT * a.size().min(b.size());
    let is_other = |point: &ManifoldPoint| {
        let mut known = known.points().iter();
        known.all(|known| known.on_a.distance(point.on_a) > same)
    };
    // Overlaps along a face normal may be false: edges may keep the shapes apart there.
    let found = found.retain(is_other);
    found.no_nearer_than(known.separation())
}
