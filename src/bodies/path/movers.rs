//! The path test of a body against surfaces that move in the tick.
//!
//! The path is tested in coordinates of the surface. If the centre of the body would pass a surface, the surface
//! carries the body along from there on. If the body would end deep in a surface, the surface pushes it out along the
//! contact normal. Static surfaces stop both motions.

use glam::{DMat3, DQuat, DVec3};

use super::still::{HALVINGS, MARGIN, MAX_DEPTH, Way, deepest_in, is_free};
use crate::bodies::contacts::surfaces::{MovingSurface, surface_of};
use crate::bodies::moving::Moving;
use crate::collision::Candidate;
use crate::geometry::Rigid;
use crate::level::TICKS_PER_SECOND;
use crate::shapes::{Deepest, Manifold};

/// The maximum number of times that a body is pushed out of movers.
const PUSHES: u32 = 4;

/// The end of the motion of a body that a mover carries along.
pub(super) struct CarriedBody {
    /// The pose at the end of the motion, in coordinates of the body's room.
    pub pose: Rigid,
    /// The unit normal of the surface that carries the body, on the body's side, and the velocity of the surface
    /// there, m/s.
    pub normal: DVec3,
    pub velocity: DVec3,
}

/// The motion of a body until a time. A static surface stops it at the time `stopped_at`.
struct BodyMotion<'w> {
    way: &'w Way<'w>,
    moving: &'w Moving,
    stopped_at: f64,
}

/// A surface that a body would pass, or be deep in.
struct MetSurface {
    normal: DVec3,
    /// The transform from positions of points of the surface at the beginning of the tick to those at the end.
    end_from_start: Rigid,
    depth: f64,
}

/// The pose, at `time` seconds since the beginning of the tick, of a body that would by then pass a moving surface,
/// or be deep in it; `None` for other bodies.
pub(super) fn carried(
    way: &Way,
    moving: &Moving,
    (stopped_at, time): (f64, f64),
    manifolds: &mut Vec<Manifold>,
) -> Option<CarriedBody> {
    if way.mover_way == 0.0 || moving.id.is_character() {
        return None;
    }
    let length = moving.way_in(time - moving.time) + way.mover_way;
    if length + MARGIN < moving.clearance || !way.near.has_moved(way.collision) {
        return None;
    }
    let motion = BodyMotion {
        way,
        moving,
        stopped_at,
    };
    let (start, end) = (motion.pose(moving.time), motion.pose(time));
    let (pose, met) = match motion.passed(time) {
        Some(met) => motion.carried_from(met, time, manifolds),
        None => {
            let any_depth = f64::INFINITY;
            let depth = motion.deepest(&end, (time, any_depth), manifolds)?.depth;
            if depth <= MAX_DEPTH {
                return None;
            }
            let was = motion.deepest(&start, (moving.time, any_depth), manifolds);
            let limit = was.map_or(0.0, |was| was.depth).max(MAX_DEPTH);
            motion.pushed_out(&end, (time, limit), manifolds)?
        }
    };
    let at = pose.translation();
    Some(CarriedBody {
        pose,
        normal: met.normal,
        velocity: (met.end_from_start.point(at) - at) * TICKS_PER_SECOND,
    })
}

impl BodyMotion<'_> {
    fn pose(&self, time: f64) -> Rigid {
        let time = time.min(self.stopped_at);
        let rotation = DMat3::from_quat(self.moving.rotation_at(time));
        Rigid::new(rotation, self.moving.centre_at(time))
    }

    /// The surface that the centre has passed at a time.
    fn passed(&self, time: f64) -> Option<MetSurface> {
        let start = self.moving.time;
        let mut first: Option<(f64, MetSurface)> = None;
        self.look(|candidate, end_from_start| {
            let seen = |time| carry(&self.pose(time), end_from_start, [time, END]).translation();
            let [from, to] = [start, time].map(seen);
            let margin = (to - from).normalize_or_zero() * MARGIN;
            let (from, ray) = (from - margin, to - from + 2.0 * margin);
            let towards = candidate.normal.dot(ray);
            if towards > 0.0 && !candidate.two_sided {
                return;
            }
            let hit = candidate.triangle.hit_by_ray(from, ray);
            let Some(part) = hit.filter(|part| (0.0..=1.0).contains(part)) else {
                return;
            };
            if first.as_ref().is_none_or(|(known, _)| part < *known) {
                let normal = candidate.normal * -towards.signum();
                let met = MetSurface {
                    normal,
                    end_from_start: *end_from_start,
                    depth: 0.0,
                };
                first = Some((part, met));
            }
        });
        first.map(|(_, met)| met)
    }

    /// The deepest contact of the body in a pose at a time, among the contacts that are at most `max_depth` metres deep.
    fn deepest(
        &self,
        pose: &Rigid,
        (time, max_depth): (f64, f64),
        manifolds: &mut Vec<Manifold>,
    ) -> Option<MetSurface> {
        let mut deepest: Option<MetSurface> = None;
        let start = self.pose(self.moving.time);
        self.look(|candidate, end_from_start| {
            let start = carry(&start, end_from_start, [self.moving.time, END]);
            let end = carry(pose, end_from_start, [time, END]);
            let surface = surface_of(candidate);
            let Some(Deepest { depth, normal }) =
                deepest_in(self.way.shape, [&start, &end], &surface, manifolds)
            else {
                return;
            };
            let is_deeper = deepest.as_ref().is_none_or(|known| depth > known.depth);
            if is_deeper && depth <= max_depth {
                deepest = Some(MetSurface {
                    normal,
                    end_from_start: *end_from_start,
                    depth,
                });
            }
        });
        deepest
    }

    /// Calls `look` with each nearby surface that moves in the tick, in its position at the end, and its motion.
    fn look(&self, mut look: impl FnMut(&Candidate, &Rigid)) {
        let Way {
            collision,
            near,
            mover_way,
            ..
        } = *self.way;
        let moving = self.moving;
        let length = moving.way_in(self.stopped_at - moving.time) + mover_way;
        near.look_within(moving.at.point, moving.radius + length, |candidate| {
            let surface = MovingSurface::of(collision, near, candidate);
            if let Some(end_from_start) = surface.motion.end_from_start() {
                look(candidate, end_from_start);
            }
        });
    }

    /// The pose at `time` of a body whose centre would have passed a surface: the surface carries it along from the
    /// point where they meet.
    fn carried_from(
        &self,
        mut met: MetSurface,
        time: f64,
        manifolds: &mut Vec<Manifold>,
    ) -> (Rigid, MetSurface) {
        let [mut before, mut after] = [self.moving.time, time];
        for _ in 0..HALVINGS {
            let middle = 0.5 * (before + after);
            match self.passed(middle) {
                Some(earlier) => (after, met) = (middle, earlier),
                None => before = middle,
            }
        }
        let start = self.pose(before);
        let end = carry(&start, &met.end_from_start, [before, time]);
        (self.as_far_as_free(&start, &end, manifolds), met)
    }

    /// The pose of a body after surfaces have pushed it out along their normals, until it is no deeper in them than
    /// `limit`, metres.
    ///
    /// Nothing becomes deeper by more than it moves. A deeper contact has the wrong normal: a wide body that touches an
    /// edge of a mover from above is deep in the side below that edge, along the normal of that side.
    fn pushed_out(
        &self,
        end: &Rigid,
        (time, limit): (f64, f64),
        manifolds: &mut Vec<Manifold>,
    ) -> Option<(Rigid, MetSurface)> {
        let (mut pose, mut first) = (*end, None);
        let mut moved = self.moving.reach_in(time - self.moving.time) + self.way.mover_way;
        for _ in 0..PUSHES {
            let deepest = self.deepest(&pose, (time, limit + moved + MARGIN), manifolds);
            let Some(met) = deepest.filter(|met| met.depth > limit + MARGIN) else {
                break;
            };
            let out = met.normal * (met.depth - limit);
            moved += out.length();
            pose = Rigid::new(pose.rotation(), pose.translation() + out);
            first = first.or(Some(met));
        }
        Some((self.as_far_as_free(end, &pose, manifolds), first?))
    }

    /// The last pose on the path from one pose to another at which static surfaces do not stop the body.
    fn as_far_as_free(&self, from: &Rigid, to: &Rigid, manifolds: &mut Vec<Manifold>) -> Rigid {
        if is_free(self.way, self.moving, to, manifolds) {
            return *to;
        }
        let [mut free, mut blocked] = [0.0, 1.0];
        for _ in 0..HALVINGS {
            let middle = 0.5 * (free + blocked);
            match is_free(self.way, self.moving, &between(from, to, middle), manifolds) {
                true => free = middle,
                false => blocked = middle,
            }
        }
        between(from, to, free)
    }
}

/// The end of a tick, seconds since its beginning.
const END: f64 = 1.0 / TICKS_PER_SECOND;

/// The pose of a body at the time `to` of the tick, if a surface carries it along from the time `from` on. Points of
/// a surface move along straight lines, and its rotation is uniform.
fn carry(pose: &Rigid, end_from_start: &Rigid, [from, to]: [f64; 2]) -> Rigid {
    let [from, to] = [from, to].map(|time| time * TICKS_PER_SECOND);
    let (rotation, translation) = (end_from_start.rotation(), end_from_start.translation());
    let linear = |part: f64| DMat3::IDENTITY + (rotation - DMat3::IDENTITY) * part;
    let at_start = linear(from).inverse() * (pose.translation() - translation * from);
    let point = linear(to) * at_start + translation * to;
    let turn = DQuat::from_mat3(&rotation);
    let turned = |part: f64| DMat3::from_quat(DQuat::IDENTITY.slerp(turn, part));
    let turn = turned(to) * turned(from).transpose();
    Rigid::new(turn * pose.rotation(), point)
}

/// An interpolation of two poses. `part` is the fraction of the path from the first.
fn between(from: &Rigid, to: &Rigid, part: f64) -> Rigid {
    let [a, b] = [from, to].map(|pose| DQuat::from_mat3(&pose.rotation()));
    let point = from.translation().lerp(to.translation(), part);
    Rigid::new(DMat3::from_quat(a.slerp(b, part)), point)
}
