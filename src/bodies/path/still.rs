//! The path test of a body against surfaces that are static in the tick.

use glam::{DMat3, DVec3};

use crate::bodies::broad::near::NearbyTriangles;
use crate::bodies::contacts::narrow::touch_triangle;
use crate::bodies::contacts::surfaces::surface_of;
use crate::bodies::context::StepContext;
use crate::bodies::impacts::ahead::farthest_met;
use crate::bodies::moving::Moving;
use crate::collision::CollisionWorld;
use crate::geometry::Rigid;
use crate::level::At;
use crate::queries::cast_ray_at_still;
use crate::shapes::{Deepest, Manifold, Shape, SurfaceTriangle, deepest_passing};

/// The distance that a path keeps from surfaces at both of its ends, metres: more than the rounding error of a
/// crossing point.
pub(super) const MARGIN: f64 = 1e-6;

/// The penetration of a body in a surface, metres, above which the search for impacts must have missed an impact.
pub(super) const MAX_DEPTH: f64 = 1e-3;

/// The number of bisections for the position at which the body is no deeper than permitted.
pub(super) const HALVINGS: u32 = 12;

/// The surroundings and the shape of a body that moves along its course.
pub(in crate::bodies) struct Way<'w> {
    pub collision: &'w CollisionWorld<'w>,
    pub shape: &'w Shape,
    /// The triangles near the body.
    pub near: &'w NearbyTriangles,
    /// The greatest distance that any point of a mover has moved in this tick, metres.
    pub mover_way: f64,
}

impl<'w> Way<'w> {
    /// The surroundings of a participant. `near` has the triangles near each of them, by slot.
    pub(in crate::bodies) fn of(
        context: &StepContext<'w>,
        near: &'w [NearbyTriangles],
        moving: &Moving,
    ) -> Self {
        Self {
            collision: context.collision,
            shape: &context.participants.body(moving.id).shape,
            near: &near[moving.slot as usize],
            mover_way: context.mover_way,
        }
    }
}

/// The time at which a body stops because it would pass a surface by `time`, seconds since the beginning of the tick, and
/// the unit normal of that surface.
pub(super) fn stop(
    way: &Way,
    moving: &Moving,
    time: f64,
    manifolds: &mut Vec<Manifold>,
) -> Option<(f64, DVec3)> {
    let secs = time - moving.time;
    let length = moving.way_in(secs);
    // A motion within the known free space around the body needs no test.
    if length + MARGIN < moving.clearance {
        return None;
    }
    // The impact time of a ball in flight is exact.
    let is_exact = moving.is_ball && !moving.is_solved;
    let may_sink = !is_exact && moving.depth + length + moving.way_by_turn(secs) > MAX_DEPTH;
    // Sinking is not tested if it could reach beyond `listed`: whether the list has a surface there depends on
    // earlier ticks.
    let may_sink = may_sink && moving.radius + farthest_met(moving, 0.0, time) <= moving.listed;
    let may_pass = length + MARGIN >= moving.clearance + moving.radius;
    if !may_sink && !may_pass {
        return None;
    }
    let test = PathTest {
        way,
        moving,
        may_pass,
        may_sink,
    };
    let mut normal = test.blocked_by(time, MAX_DEPTH, manifolds)?;
    // If a body is already deep, it may not become deeper.
    let was = may_sink.then(|| deepest(way, moving, &moving.pose(), manifolds));
    let limit = was.flatten().map_or(0.0, |was| was.depth).max(MAX_DEPTH);
    if limit > MAX_DEPTH {
        normal = test.blocked_by(time, limit, manifolds)?;
    }
    let [mut before, mut after] = [moving.time, time];
    for _ in 0..HALVINGS {
        let middle = 0.5 * (before + after);
        match test.blocked_by(middle, limit, manifolds) {
            Some(of) => (after, normal) = (middle, of),
            None => before = middle,
        }
    }
    Some((before, normal))
}

/// The path tests of the rest of a body's motion.
struct PathTest<'w> {
    way: &'w Way<'w>,
    moving: &'w Moving,
    /// Whether the centre may pass a surface.
    may_pass: bool,
    /// Whether another part of the body may penetrate a surface.
    may_sink: bool,
}

impl PathTest<'_> {
    /// The unit normal of the surface that the centre has passed at a time, or that the body penetrates by more than
    /// `limit`, metres.
    fn blocked_by(&self, time: f64, limit: f64, manifolds: &mut Vec<Manifold>) -> Option<DVec3> {
        let Self { way, moving, .. } = self;
        let pass = || passed(way.collision, moving.at, moving.centre_at(time));
        if let Some(normal) = self.may_pass.then(pass).flatten() {
            return Some(normal);
        }
        if !self.may_sink {
            return None;
        }
        let rotation = DMat3::from_quat(moving.rotation_at(time));
        let pose = Rigid::new(rotation, moving.centre_at(time));
        let deepest = deepest(way, moving, &pose, manifolds)?;
        (deepest.depth > limit).then_some(deepest.normal)
    }
}

/// The deepest contact of a body in a pose with the nearby surfaces that are static in this tick.
fn deepest(
    way: &Way,
    moving: &Moving,
    pose: &Rigid,
    manifolds: &mut Vec<Manifold>,
) -> Option<Deepest> {
    let Way {
        collision,
        shape,
        near,
        ..
    } = *way;
    let start = moving.pose();
    let mut deepest: Option<Deepest> = None;
    near.look_within(pose.translation(), moving.radius, |candidate| {
        let mover = near.mover_of(collision, candidate.solid);
        let moves = |(mover, _)| !collision.world.now_from_before(mover).is_identity();
        if mover.is_some_and(moves) {
            return;
        }
        let found = deepest_in(shape, [&start, pose], &surface_of(candidate), manifolds);
        deepest = deeper(deepest, found);
    });
    deepest
}

/// The deepest contact of a shape with a surface, after a motion from one pose to another in coordinates of the
/// surface.
pub(super) fn deepest_in(
    shape: &Shape,
    [start, end]: [&Rigid; 2],
    surface: &SurfaceTriangle,
    manifolds: &mut Vec<Manifold>,
) -> Option<Deepest> {
    touch_triangle(shape, end, surface, 0.0, manifolds);
    let contacts = manifolds.iter().map(|manifold| {
        let depths = manifold.points().iter().map(|point| -point.separation);
        Deepest {
            depth: depths.fold(0.0, f64::max),
            normal: manifold.normal,
        }
    });
    let contact = contacts.fold(None, |known, found| deeper(known, Some(found)));
    let Shape::Mesh(mesh) = shape else {
        return contact;
    };
    deeper(
        contact,
        deepest_passing(mesh, [start, end], surface, MAX_DEPTH),
    )
}

/// The deeper one of two contacts, the first if they are equally deep.
fn deeper(known: Option<Deepest>, found: Option<Deepest>) -> Option<Deepest> {
    let (Some(a), Some(b)) = (known, found) else {
        return known.or(found);
    };
    Some(if b.depth > a.depth { b } else { a })
}

/// Whether a body may be moved into a pose: its centre passes no surface on the straight path there, and the body
/// penetrates no surface deeper than now.
pub(super) fn is_free(
    way: &Way,
    moving: &Moving,
    pose: &Rigid,
    manifolds: &mut Vec<Manifold>,
) -> bool {
    if passed(way.collision, moving.at, pose.translation()).is_some() {
        return false;
    }
    let mut depth = |pose: &Rigid| {
        let deepest = deepest(way, moving, pose, manifolds);
        deepest.map_or(0.0, |deepest| deepest.depth)
    };
    let there = depth(pose);
    there <= MAX_DEPTH || there <= depth(&moving.pose())
}

/// The unit normal of the first surface that a path passes, or is too near to at its ends, on the side from which the
/// path comes, in coordinates of the room of `from`.
fn passed(collision: &CollisionWorld, from: At, to: DVec3) -> Option<DVec3> {
    let margin = (to - from.point).normalize_or_zero() * MARGIN;
    let start = from.with_point(from.point - margin);
    let ray = to + margin - start.point;
    let hit = cast_ray_at_still(collision.level, collision.world, start, ray)?;
    Some(hit.end_from_start.inverse().vector(hit.normal))
}
