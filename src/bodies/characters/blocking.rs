//! Bodies that block movers and doors: a mover would push them into an obstacle that does not give way.
//!
//! The rule is that of characters (`docs/collision.md`): a body that can get out of a mover's way is pushed; if a
//! body cannot, the mover does not move. A body cannot get out of the way if the push moves it against a surface that
//! faces the push, or against another body that cannot get out of its way.

use glam::DVec3;

use crate::bodies::contacts::Mixed;
use crate::bodies::contacts::narrow::{touch, touch_triangle};
use crate::bodies::contacts::surfaces::surface_of;
use crate::bodies::tuning::CONTACT_DISTANCE;
use crate::collision::{Candidate, CandidateCache, Candidates, CollisionWorld, Solid};
use crate::geometry::{Aabb, Rigid};
use crate::level::{At, BodyId, Level, LinkId, MoverId, RigidBody, RoomId};
use crate::shapes::{Manifold, SurfaceTriangle};
use crate::world::{BodyState, World};

/// The cosine of the angle between a push and a surface's normal, up to which the surface stops the push. If the
/// cosine is larger, the body slides past the surface, unless friction stops it.
const FACES: f64 = -0.7;

/// The cosine of the same angle above which a body slides past a surface, whatever the friction.
const PASSES: f64 = -0.1;

/// The tolerated overlap between a body and the surface it is pushed against, metres. Resting contacts penetrate
/// less.
const SLOP: f64 = 1e-3;

/// The penetration of a mover in a body, metres, above which the mover may not move deeper. Penetration this deep
/// shows that friction holds a body which, as predicted, should have got out of the way.
const MAX_OVERLAP: f64 = 2e-3;

/// The maximum length of a row of bodies that push one another: a longer row blocks a mover.
const MAX_ROW: usize = 64;

/// The push of a mover on a body.
#[derive(Clone, Copy, Debug)]
struct MoverPush {
    /// The direction, a unit vector in coordinates of the body's room.
    direction: DVec3,
    /// The length, metres.
    length: f64,
    /// The combined friction of the surface that pushes and the one that is pushed.
    friction: f64,
    /// The penetration of the mover in the body before the push, metres.
    overlap: f64,
}

impl MoverPush {
    /// The cosine up to which a surface with a given friction stops the push.
    ///
    /// A ball between two surfaces does not slip out if the line through both contacts lies in both friction cones,
    /// that is, if the surfaces enclose at most twice the angle of friction (the nip angle of a jaw crusher).
    fn faces(&self, friction: f64) -> f64 {
        let tangent = self.friction.min(friction);
        let square = tangent * tangent;
        let cosine = (1.0 - square) / (1.0 + square);
        (-cosine).clamp(FACES, PASSES)
    }
}

/// The workspace of queries for blocking bodies.
#[derive(Debug, Default)]
pub struct BlockingWorkspace {
    near: CandidateCache,
    gathered: Candidates,
    manifolds: Vec<Manifold>,
    /// The row of bodies that push one another.
    row: Vec<BodyId>,
}

/// Finds the first body that cannot get out of the way of a mover that would move by `step`, a transform in coordinates
/// of the mover's room.
pub fn blocks_mover(
    level: &Level,
    world: &World,
    id: MoverId,
    step: &Rigid,
    workspace: &mut BlockingWorkspace,
) -> Option<BodyId> {
    if world.bodies.is_empty() {
        return None;
    }
    let mover = level.mover(id);
    let now = level
        .solids
        .bounds(&mover.solids)
        .transformed(world.pose(id));
    let swept = now.union(now.transformed(step));
    for &room in &mover.rooms {
        for image in level.room(room).images_of(id) {
            let here_from_room = world.here_from_room_of(level, room, image);
            let step = here_from_room.after(step).after(&here_from_room.inverse());
            let swept = swept.transformed(&here_from_room).grown(CONTACT_DISTANCE);
            for (body, state) in world.bodies.in_room(room) {
                // Kinematic bodies and movers pass through each other.
                if state.is_kinematic {
                    continue;
                }
                let radius = level.body(body).radius;
                if !Aabb::around([state.at.point])
                    .grown(radius)
                    .overlaps(&swept)
                {
                    continue;
                }
                let push = push_by(level, world, (id, &step), (body, state), workspace);
                workspace.row.clear();
                let is_held = |push: MoverPush| {
                    push.overlap > MAX_OVERLAP || !can_move(level, world, body, id, push, workspace)
                };
                if push.is_some_and(is_held) {
                    return Some(body);
                }
            }
        }
    }
    None
}

/// The push on a body by a mover that makes a step; `None` where the mover does not touch the body.
fn push_by(
    level: &Level,
    world: &World,
    (id, step): (MoverId, &Rigid),
    (body, state): (BodyId, &BodyState),
    workspace: &mut BlockingWorkspace,
) -> Option<MoverPush> {
    let pushed = level.body(body);
    let shape = &pushed.shape;
    let radius = pushed.radius;
    let way = step.point(state.at.point).distance(state.at.point);
    // If the mover rotates, a far point of the body moves by more than its centre does.
    let reach = 2.0 * way + CONTACT_DISTANCE;
    let mut longest: Option<MoverPush> = None;
    let solids = &level.mover(id).solids;
    around(
        level,
        world,
        state,
        radius + reach,
        workspace,
        |candidate, manifolds| {
            let Solid::Triangle(index) = candidate.solid else {
                return;
            };
            if !solids.contains(index) {
                return;
            }
            touch_triangle(
                shape,
                &state.room_from_body(),
                &surface_of(candidate),
                reach,
                manifolds,
            );
            let friction = candidate.surface.friction;
            let friction = Mixed::of(pushed, friction, 0.0).friction;
            for manifold in manifolds.iter() {
                for point in manifold.points() {
                    let way = (step.point(point.on_b) - point.on_b).dot(manifold.normal);
                    let length = way - point.separation;
                    let is_longer = longest.is_none_or(|longest| length > longest.length);
                    if way > 0.0 && length > 0.0 && is_longer {
                        longest = Some(MoverPush {
                            direction: manifold.normal,
                            length,
                            friction,
                            overlap: -point.separation,
                        });
                    }
                }
            }
        },
    );
    longest
}

/// Whether a push can move a body: each obstacle ahead does not face the push, is far enough away, or can be moved
/// itself.
fn can_move(
    level: &Level,
    world: &World,
    body: BodyId,
    by: MoverId,
    push: MoverPush,
    workspace: &mut BlockingWorkspace,
) -> bool {
    if workspace.row.contains(&body) {
        return true;
    }
    if workspace.row.len() == MAX_ROW {
        return false;
    }
    workspace.row.push(body);
    let state = world.bodies.state(body);
    let pushed = level.body(body);
    let shape = &pushed.shape;
    let (radius, length) = (pushed.radius, push.length);
    let pose = state.room_from_body();
    let mut is_stopped = false;
    let goes_along = &level.mover(by).solids;
    around(
        level,
        world,
        state,
        radius + length,
        workspace,
        |candidate, manifolds| {
            let is_part = |index: u32| goes_along.contains(index);
            if matches!(candidate.solid, Solid::Triangle(index) if is_part(index)) {
                return;
            }
            touch_triangle(shape, &pose, &surface_of(candidate), length, manifolds);
            let friction = candidate.surface.friction;
            let friction = Mixed::of(pushed, friction, 0.0).friction;
            is_stopped |= left(manifolds, &push, friction) > SLOP;
        },
    );
    if is_stopped {
        return false;
    }
    for index in 0..world.bodies.count_in_room(state.at.room) {
        let other = world.bodies.nth_in_room(state.at.room, index);
        if other == body {
            continue;
        }
        let there = world.bodies.state(other);
        let other_body = level.body(other);
        let other_shape = &other_body.shape;
        let reach = radius + other_body.radius + length;
        if there.at.point.distance(state.at.point) > reach {
            continue;
        }
        let manifolds = &mut workspace.manifolds;
        let room_from_other = there.room_from_body();
        touch(
            (shape, &pose),
            (other_shape, &room_from_other),
            length,
            manifolds,
        );
        let friction = Mixed::of(pushed, other_body.friction, 0.0).friction;
        let left = MoverPush {
            length: left(manifolds, &push, friction),
            friction,
            ..push
        };
        let gives_way =
            |workspace| !there.is_kinematic && can_move(level, world, other, by, left, workspace);
        if left.length > SLOP && !gives_way(workspace) {
            return false;
        }
    }
    true
}

/// The part of a push that remains, metres, when the body (side `a` of the manifolds) meets an obstacle that faces
/// the push. `friction` combines both surfaces.
fn left(manifolds: &[Manifold], push: &MoverPush, friction: f64) -> f64 {
    let faces = push.faces(friction);
    let along = |manifold: &Manifold| manifold.normal.dot(push.direction);
    let facing = manifolds.iter().filter(|manifold| along(manifold) < faces);
    let gaps = facing.flat_map(|manifold| {
        let approach = -along(manifold);
        let points = manifold.points().iter();
        points.map(move |point| push.length * approach - point.separation)
    });
    gaps.fold(0.0, f64::max)
}

/// Calls `look` with the solids within `reach` metres of a body's centre.
fn around(
    level: &Level,
    world: &World,
    state: &BodyState,
    reach: f64,
    workspace: &mut BlockingWorkspace,
    mut look: impl FnMut(&Candidate, &mut Vec<Manifold>),
) {
    let BlockingWorkspace {
        near,
        gathered,
        manifolds,
        ..
    } = workspace;
    let collision = CollisionWorld::new(level, world).without_bodies();
    near.find(gathered, &collision, state.at, reach, 0.0);
    near.look_within(state.at.point, reach, |candidate| {
        look(candidate, manifolds)
    });
}

/// Finds the first body that overlaps the opening of a link.
pub fn blocks_link(
    level: &Level,
    world: &World,
    id: LinkId,
    workspace: &mut BlockingWorkspace,
) -> Option<BodyId> {
    if world.bodies.is_empty() {
        return None;
    }
    let link = level.link(id);
    let portal = world.rooms().portal(level, link.portal);
    let in_room = |room: RoomId, here_from_near: Rigid, manifolds: &mut Vec<Manifold>| {
        let mut bodies = world.bodies.in_room(room);
        let blocking = bodies.find(|(body, state)| {
            let RigidBody { shape, radius, .. } = level.body(*body);
            let At { point, .. } = state.at;
            let around = Aabb::around([point]).grown(*radius);
            if !portal.bounds.transformed(&here_from_near).overlaps(&around) {
                return false;
            }
            portal.polygon.triangles().any(|triangle| {
                let triangle = triangle.transformed(&here_from_near);
                let surface = SurfaceTriangle::two_sided(triangle);
                touch_triangle(shape, &state.room_from_body(), &surface, 0.0, manifolds);
                !manifolds.is_empty()
            })
        });
        blocking.map(|(body, _)| body)
    };
    let manifolds = &mut workspace.manifolds;
    in_room(portal.near, Rigid::IDENTITY, manifolds)
        .or_else(|| in_room(portal.far, portal.far_from_near, manifolds))
}
