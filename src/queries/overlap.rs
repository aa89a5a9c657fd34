//! Overlap tests of a ball.

use glam::DMat3;

use crate::collision::{CandidateCache, Candidates, CollisionWorld, Solid};
use crate::geometry::Rigid;
use crate::level::{At, Level};
use crate::shapes::{Manifold, PairCache, Shape, contacts};
use crate::world::World;

/// The reusable memory of [`overlap_sphere`].
#[derive(Debug, Default)]
pub struct OverlapMemory {
    gathered: Candidates,
    cache: CandidateCache,
    manifolds: Vec<Manifold>,
    found: Vec<Solid>,
}

/// Returns the solids that a ball overlaps, each once: triangles of rooms and movers, closed links, and rigid bodies
/// (`Solid::Body`). The test passes through the portals of open links that the ball's box touches. It does not check
/// whether a wall beside such a portal is in between; [`can_see`](super::can_see) does. `radius` is in metres, above
/// 0. A rigid body counts with its whole interior; a mesh that is not made of convex parts counts only with its
/// surface. The body that a player carries does not count.
pub fn overlap_sphere<'m>(
    level: &Level,
    world: &World,
    at: At,
    radius: f64,
    memory: &'m mut OverlapMemory,
) -> &'m [Solid] {
    let OverlapMemory {
        gathered,
        cache,
        manifolds,
        found,
    } = memory;
    found.clear();
    let collision = CollisionWorld::new(level, world);
    cache.rebuild(gathered, &collision, at, [radius, 0.0], 0.0);
    cache.look_within(at.point, radius, |candidate| {
        let is_body = candidate.solid.body(level).is_some();
        if !is_body && candidate.triangle.distance(at.point) < radius {
            found.push(candidate.solid);
        }
    });
    let (ball, place) = (
        Shape::Sphere { radius },
        Rigid::new(DMat3::IDENTITY, at.point),
    );
    for (body, here_from_body) in cache.near_bodies() {
        manifolds.clear();
        let other = (&level.body(body).shape, &here_from_body);
        let pair = &mut PairCache::default();
        contacts(&ball, &place, other.0, other.1, 0.0, pair, manifolds);
        if !manifolds.is_empty() {
            found.push(Solid::Body(body));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
