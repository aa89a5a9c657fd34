//! Overlaps of bodies: those at authored positions, for checks of levels, and those at a position where a body is to
//! be placed.

use glam::{DMat3, DVec3};

use crate::bodies::contacts::narrow::{touch, touch_triangle};
use crate::bodies::contacts::surfaces::surface_of;
use crate::bodies::workspace::BodyWorkspace;
use crate::collision::{CandidateCache, Candidates, CollisionWorld, Solid};
use crate::geometry::{Aabb, Rigid};
use crate::level::{BodyId, Level, RigidBody};
use crate::shapes::Manifold;
use crate::world::{BodyState, World};

/// The maximum number of bodies with overlapping boxes that a body is compared with.
const MAX_NEAR: usize = 64;

/// An overlap of a body with a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyOverlap {
    pub body: BodyId,
    /// The other solid: part of the level, or another body.
    pub with: Solid,
    /// The contact point, in coordinates of the body's room.
    pub point: DVec3,
    /// The penetration depth, metres.
    pub depth: f64,
}

/// The deepest overlap of each body that penetrates the level or another body by more than `depth` metres. For a pair
/// of bodies, only the first body lists it.
pub(crate) fn overlaps_at_start(level: &Level, depth: f64) -> Vec<BodyOverlap> {
    let world = World::of(level);
    let collision = CollisionWorld::new(level, &world);
    let mut in_surfaces = surfaces(&collision, depth);
    let in_bodies = bodies(level, depth);
    for overlap in in_bodies {
        match &mut in_surfaces[overlap.body.0 as usize] {
            Some(known) if known.depth >= overlap.depth => {}
            known => *known = Some(overlap),
        }
    }
    in_surfaces.into_iter().flatten().collect()
}

/// Whether a body, placed in the given state, would touch no other body.
pub(crate) fn is_place_free(
    level: &Level,
    world: &World,
    (id, state): (BodyId, &BodyState),
    workspace: &mut BodyWorkspace,
) -> bool {
    let body = level.body(id);
    let pose = state.room_from_body();
    let manifolds = &mut workspace.manifolds;
    let mut others = world.bodies_reaching(level, state.at.room);
    others.all(|(other, here_from_other)| {
        let beside = level.body(other);
        let apart = here_from_other.translation().distance(state.at.point);
        let is_apart = apart > body.radius + beside.radius;
        if other == id || is_apart || level.joints.are_joined([id, other]) {
            return true;
        }
        let shapes = [(&body.shape, &pose), (&beside.shape, &here_from_other)];
        touch(shapes[0], shapes[1], 0.0, manifolds);
        manifolds.is_empty()
    })
}

/// The surface of the level that each body penetrates deepest.
fn surfaces(collision: &CollisionWorld, depth: f64) -> Vec<Option<BodyOverlap>> {
    let level = collision.level;
    let (mut gathered, mut cache) = (Candidates::default(), CandidateCache::default());
    let mut manifolds = Vec::new();
    let ids = (0..level.bodies.len() as u32).map(BodyId);
    let deepest = ids.map(|id| {
        let body = level.body(id);
        if level.is_copy(id) {
            return None;
        }
        let (at, pose) = (body.start, start_pose(body));
        let radius = body.radius;
        cache.rebuild(&mut gathered, collision, at, [radius, 0.0], 0.0);
        let mut deepest: Option<BodyOverlap> = None;
        cache.look_within(at.point, radius, |candidate| {
            if candidate.solid.body(level).is_some() {
                return;
            }
            let surface = surface_of(candidate);
            touch_triangle(&body.shape, &pose, &surface, 0.0, &mut manifolds);
            keep_deepest((id, candidate.solid), &manifolds, depth, &mut deepest);
        });
        deepest
    });
    deepest.collect()
}

/// The pairs of overlapping bodies in one room, or in two rooms with a portal without a transform.
fn bodies(level: &Level, depth: f64) -> Vec<BodyOverlap> {
    let mut boxes: Vec<(Aabb, BodyId)> = (0..)
        .map(BodyId)
        .zip(&level.bodies)
        // Bodies of spawners appear only where nothing is in the way.
        .filter(|(_, body)| body.spawner.is_none())
        .map(|(id, body)| {
            let radius = body.radius;
            (Aabb::around([body.start.point]).grown(radius), id)
        })
        .collect();
    boxes.sort_by(|(a, _), (b, _)| a.min.x.total_cmp(&b.min.x));
    let mut found = Vec::new();
    let mut manifolds = Vec::new();
    for (index, (bounds, first)) in boxes.iter().enumerate() {
        let after = boxes[index + 1..].iter();
        let along = after.take_while(|(other, _)| other.min.x <= bounds.max.x);
        let near = along.filter(|(other, _)| other.overlaps(bounds));
        for (_, second) in near.take(MAX_NEAR) {
            let [a, b] = [*first.min(second), *first.max(second)];
            let [body, other] = [a, b].map(|id| level.body(id));
            if !are_beside(level, body, other) || level.joints.are_joined([a, b]) {
                continue;
            }
            let [pose, other_pose] = [body, other].map(start_pose);
            let (one, two) = ((&body.shape, &pose), (&other.shape, &other_pose));
            touch(one, two, 0.0, &mut manifolds);
            let mut deepest = None;
            keep_deepest((a, Solid::Body(b)), &manifolds, depth, &mut deepest);
            found.extend(deepest);
        }
    }
    found
}

fn start_pose(body: &RigidBody) -> Rigid {
    Rigid::new(DMat3::from_quat(body.rotation), body.start.point)
}

/// Whether two bodies start in the same coordinates: in one room, or in two rooms with a portal without a transform.
fn are_beside(level: &Level, one: &RigidBody, other: &RigidBody) -> bool {
    let [room, far] = [one, other].map(|body| body.start.room);
    let mut portals = level.portals_of(room);
    room == far || portals.any(|(_, p)| p.far == far && p.far_from_near.is_identity())
}

fn keep_deepest(
    (body, with): (BodyId, Solid),
    manifolds: &[Manifold],
    least: f64,
    deepest: &mut Option<BodyOverlap>,
) {
    for point in manifolds.iter().flat_map(Manifold::points) {
        let depth = -point.separation;
        if depth > deepest.map_or(least, |known| known.depth) {
            *deepest = Some(BodyOverlap {
                body,
                with,
                point: point.on_b,
                depth,
            });
        }
    }
}
