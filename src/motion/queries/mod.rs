//! The queries of a body against the world around it, and the only functions that move it.
//!
//! [`Queries`] gathers the polygons that a query needs before it runs. Results borrow from [`Queries`], so no result
//! can outlive a move of the body: a stale result does not compile.

mod cast;
mod contacts;
mod ground;
mod near;
#[cfg(test)]
mod tests;
mod travel;

pub(super) use contacts::{ContactPlane, Contacts, Depenetration};
pub(super) use ground::{GroundEdge, Span, edge_at, flat, foot, grounds, highest, sine, slip_off};
pub(super) use near::NearbyPolygons;

use glam::DVec3;

use super::body::{Body, State, grown_radius};
use super::report::TickReport;
use super::snapshot::Snapshot;
use super::tuning::{CORE, TICK_SECS};
use crate::collision::{Ball, BroadPhase, CandidateCache, Candidates, CollisionWorld, Solid};
use crate::geometry::{Aabb, Rigid, closest_on_segment, segment_triangle_distance};
use crate::level::{At, BodyId, MoverId, RoomId};
use cast::{cast, cast_at, free_part};
use contacts::{Touched, deeper, separation, separation_of_ball, touching};

/// Polygons are gathered within a motion's length plus this many radii.
const MARGIN: f64 = 1.01;

/// A cast of at least this length, in metres, counts as long.
const LONG_CAST: f64 = 1.5;
/// Candidates for short casts are listed within this extra distance, in metres: the next cast usually starts nearby.
const CAST_SPARE: f64 = 0.75;

/// The gathered distance may fall short of the requested one by this fraction of the radius, which is less than the
/// margin.
const ROUNDING: f64 = 1e-3;

/// The cached query results of one body, kept between ticks.
#[derive(Debug, Default)]
pub struct BodyCache {
    /// The polygons near the body.
    candidates: CandidateCache,
    /// The contacts of the body at its current position.
    here: Contacts,
}

/// The working memory of queries, shared by all bodies: a warm tick allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Memory {
    gathered: Candidates,
    /// The contacts of a sphere at another position than the body's current one.
    elsewhere: Contacts,
    touched: Touched,
    /// The candidates in the box that a long cast sweeps.
    swept: (CandidateCache, Candidates),
}

/// A body among the polygons around it, for one tick.
pub(super) struct Queries<'a> {
    pub body: &'a Body,
    /// The radius of the moved sphere, metres.
    radius: f64,
    /// The state of the body. Any code may read it; only [`Self::travel`] and [`Self::restore`] change the position.
    pub state: &'a mut State,
    pub report: &'a mut TickReport,
    pub collision: &'a CollisionWorld<'a>,
    cache: &'a mut BodyCache,
    memory: &'a mut Memory,
    /// How far the tick may still move the body, in metres; the polygons within this distance are always gathered.
    reach_left: f64,
    /// All polygons within this distance of the body's surface are gathered, in metres.
    gathered: f64,
}

/// The contacts of a body at its current position.
pub(super) struct TouchingContacts<'q> {
    pub contacts: &'q Contacts,
    pub state: &'q mut State,
    pub report: &'q mut TickReport,
}

impl<'a> Queries<'a> {
    /// Creates the queries of a body that one tick moves by at most `reach` metres.
    pub(super) fn new(
        collision: &'a CollisionWorld<'a>,
        body: &'a Body,
        state: &'a mut State,
        report: &'a mut TickReport,
        (cache, memory): (&'a mut BodyCache, &'a mut Memory),
        reach: f64,
    ) -> Self {
        // These contacts may be those of another body.
        memory.elsewhere.forget();
        Self {
            body,
            radius: body.grown_radius(),
            state,
            report,
            collision,
            cache,
            memory,
            reach_left: reach,
            gathered: f64::NEG_INFINITY,
        }
    }

    /// The radius of the moved sphere, metres: the body's radius, grown by the skin.
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Sets the radius of the moved sphere; `radius` is in metres without skin.
    pub(super) fn set_radius(&mut self, radius: f64) {
        self.radius = grown_radius(radius);
    }

    /// Raises the distance that the tick may still move the body to at least `reach` metres, because a mover may move
    /// the body farther than the body's own velocities do.
    pub(super) fn reach_at_least(&mut self, reach: f64) {
        self.reach_left = self.reach_left.max(reach);
    }

    /// How far the body has moved in this tick, in metres: the distance that its velocities give, less the distance
    /// that is left.
    pub(super) fn walked(&self) -> f64 {
        let total = (self.state.walk.length() + self.state.fall.length()) * TICK_SECS;
        (total - self.reach_left).max(0.0)
    }

    /// The polygons near the body within the rest of its tick.
    pub(super) fn here(&mut self) -> NearbyPolygons<'_> {
        self.within(0.0)
    }

    /// The polygons near the body within any motion of at most `length` metres, or within the rest of its tick if
    /// that is longer.
    pub(super) fn within(&mut self, length: f64) -> NearbyPolygons<'_> {
        let length = length.max(self.reach_left);
        self.gather_within(length);
        self.near(self.gathered)
    }

    /// The polygons in a column from the body down to `drop` metres below it.
    pub(super) fn below(&mut self, drop: f64) -> NearbyPolygons<'_> {
        let top = self.state.at.point + DVec3::Y * self.body.segment_length;
        let bottom = self.state.at.point + DVec3::NEG_Y * drop;
        let column = Aabb::around([top, bottom]).grown(self.radius * MARGIN);
        let segment_length = self.body.segment_length;
        let (candidates, gathered) = (&mut self.cache.candidates, &mut self.memory.gathered);
        let room = self.state.at.room;
        candidates.find_in(gathered, self.collision, room, &column, segment_length);
        self.gathered = f64::NEG_INFINITY;
        self.near(f64::INFINITY)
    }

    /// The gathered polygons, complete within `known` metres of the body.
    fn near(&mut self, known: f64) -> NearbyPolygons<'_> {
        NearbyPolygons {
            radius: self.radius,
            known: (self.state.at.point, known),
            candidates: &self.cache.candidates,
            contacts: &mut self.memory.elsewhere,
            touched: &mut self.memory.touched,
        }
    }

    /// Gathers the polygons within `length` metres, unless they are already gathered up to rounding.
    #[inline]
    fn gather_within(&mut self, length: f64) {
        if self.gathered < length - ROUNDING * self.radius {
            self.gather(length);
        }
    }

    /// Gathers the polygons near the body on a motion of `length` metres.
    fn gather(&mut self, length: f64) {
        let reach = length + self.radius * MARGIN;
        let segment_length = self.body.segment_length;
        let (candidates, gathered) = (&mut self.cache.candidates, &mut self.memory.gathered);
        candidates.find(
            gathered,
            self.collision,
            self.state.at,
            reach,
            segment_length,
        );
        self.gathered = length;
    }

    /// The contacts of the body at its current position.
    pub(super) fn touching(&mut self) -> TouchingContacts<'_> {
        self.touch();
        TouchingContacts {
            contacts: &self.cache.here,
            state: self.state,
            report: self.report,
        }
    }

    /// Finds the contacts of the body at its current position.
    #[inline]
    fn touch(&mut self) {
        self.gather_within(self.reach_left);
        let radius = self.radius;
        let (BodyCache { candidates, here }, touched) =
            (&mut *self.cache, &mut self.memory.touched);
        touching(candidates, self.state.at.point, radius, here, touched);
    }

    /// Moves the body by `step` without collision, and changes its room at every portal crossed. If a crossed portal
    /// bends space, transforms the body's velocities and returns the transform from the coordinates at the start to
    /// those at the end.
    pub(super) fn travel(&mut self, step: DVec3) -> Option<Rigid> {
        self.travel_by(step, step.length())
    }

    /// Moves the body as [`Self::travel`] does; `length` is the length of `step`, metres.
    fn travel_by(&mut self, step: DVec3, length: f64) -> Option<Rigid> {
        let bent = travel::travel(self.collision, self.state, step, self.report);
        match &bent {
            Some(end_from_start) => {
                let turned = end_from_start.after(&self.report.target_from_start);
                self.report.target_from_start = turned;
                self.gathered = f64::NEG_INFINITY;
            }
            None => self.gathered -= length,
        }
        bent
    }

    /// Moves the body along `motion` up to the first contact, but by no more than the part `most` of it; returns the
    /// part that was done, 0..1. Where a portal bends space, the rest of the motion is transformed together with the
    /// body.
    pub(super) fn advance(&mut self, motion: &mut DVec3, most: f64) -> f64 {
        let centre = self.state.at.point;
        let part = self.here().cast(centre, *motion).min(most);
        let step = *motion * part;
        let length = step.length();
        self.reach_left = (self.reach_left - length).max(0.0);
        if let Some(bent) = self.travel_by(step, length) {
            *motion = bent.vector(*motion);
        }
        part
    }

    /// Moves the body by the step of its mover, up to the first contact with a solid for which `goes_along` is false.
    /// Surfaces that the body touches already do not stop it, unless its core would pass through a solid;
    /// depenetration pushes the body out later. Returns the position to which the whole step would have led, in the
    /// coordinates at the end of the move.
    pub(super) fn carry(&mut self, step: DVec3, goes_along: impl Fn(Solid) -> bool) -> DVec3 {
        let (centre, core) = (self.state.at.point, CORE * self.radius);
        let near = self.within(step.length());
        let parts = [near.radius(), core].map(|radius| {
            let counts = |solid: Solid| !goes_along(solid);
            cast_at(near.candidates, centre, step, radius, counts)
        });
        let bent = self.travel(step * parts[0].min(parts[1]));
        self.gathered = f64::NEG_INFINITY;
        bent.unwrap_or_default().point(centre + step)
    }

    /// The transforms from the mover's room to the body's room, one for each way through portals by which the body
    /// can meet the mover, wherever the mover is on its track.
    pub(super) fn here_from_room_of(&mut self, mover: MoverId) -> impl Iterator<Item = Rigid> {
        self.know_rooms();
        self.cache
            .candidates
            .home_from_room_of(self.collision, mover)
    }

    /// The rooms with movers that the body reaches, and the transforms to them from the coordinates of the body's room.
    pub(super) fn rooms_with_movers(&mut self) -> impl Iterator<Item = (RoomId, Rigid)> {
        self.know_rooms();
        self.cache.candidates.rooms_with_movers()
    }

    /// Finds the rooms that the body reaches, if they are not known.
    fn know_rooms(&mut self) {
        let reach = self.reach_left + self.radius * MARGIN;
        let segment_length = self.body.segment_length;
        let (known, collision) = (&self.cache.candidates, self.collision);
        if !known.knows_rooms(collision, self.state.at, reach, segment_length) {
            self.here();
        }
    }

    /// Whether any mover or rigid body is near the body. If not, further queries about them are skipped.
    #[inline]
    pub(super) fn is_near_moving(&mut self) -> bool {
        self.gather_within(self.reach_left);
        self.cache.candidates.has_moving()
    }

    /// The mover and the rigid body that the body stands on.
    pub(super) fn carriers(&mut self) -> (Option<MoverId>, Option<BodyId>) {
        if !self.state.grounded || !self.is_near_moving() {
            return (None, None);
        }
        let mover = self.mover_below().map(|(mover, _)| mover);
        (mover, self.body_below().map(|(body, _)| body))
    }

    /// The rigid body with the flattest contact below the body, and the normal of that contact.
    pub(super) fn body_below(&mut self) -> Option<(BodyId, DVec3)> {
        let ContactPlane { solid, normal, .. } = self.flattest_below()?;
        let (body, _) = self.cache.candidates.body_of(self.collision, solid)?;
        Some((body, normal))
    }

    /// The rigid body that a solid is part of, if that body is near.
    pub(super) fn body_of(&self, solid: Solid) -> Option<BodyId> {
        let body = self.cache.candidates.body_of(self.collision, solid);
        body.map(|(id, _)| id)
    }

    /// The contact below the body with the flattest surface.
    fn flattest_below(&mut self) -> Option<ContactPlane> {
        let contacts = &self.touching().contacts.list;
        let below = contacts.iter().filter(|contact| contact.supports());
        below
            .max_by(|a, b| a.normal.y.total_cmp(&b.normal.y))
            .copied()
    }

    /// The mover with the flattest contact below the body, and the normal of that contact.
    pub(super) fn mover_below(&mut self) -> Option<(MoverId, DVec3)> {
        let level = self.collision.level;
        let ContactPlane { solid, normal, .. } = self.flattest_below()?;
        let Solid::Triangle(index) = solid else {
            return None;
        };
        let mut movers = self.cache.candidates.movers();
        let mover = movers.find(|&mover| level.mover(mover).solids.contains(index));
        mover.map(|mover| (mover, normal))
    }

    /// A snapshot of the body and its report.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot::of(self.state, self.report)
    }

    /// Restores a snapshot.
    pub(super) fn restore(&mut self, snapshot: &Snapshot) {
        snapshot.restore(self.state, self.report);
        self.gathered = f64::NEG_INFINITY;
    }

    /// Moves the body by a push out of an overlap, as far as its core passes through no solid. Returns the part of
    /// the push that was done, in the coordinates at the end of the move.
    pub(super) fn push(&mut self, push: DVec3) -> DVec3 {
        let (centre, core) = (self.state.at.point, CORE * self.radius);
        let push = push * cast(self.here().candidates, centre, push, core);
        let bent = self.travel(push).unwrap_or_default();
        // A push is not part of the tick's motion.
        self.gathered = f64::NEG_INFINITY;
        bent.vector(push)
    }

    /// The push out of the deepest penetration of the body, if it overlaps anything. With `from_behind`, a face also
    /// pushes out a body behind it, to its front.
    pub(super) fn deepest(&mut self, from_behind: bool) -> Option<Depenetration> {
        if !from_behind {
            self.touch();
            return self.cache.here.deepest;
        }
        self.deepest_of(from_behind, |_| true)
    }

    /// The push that [`Self::deepest`] returns, limited to overlaps with solids for which `counts` is true.
    pub(super) fn deepest_of(
        &mut self,
        from_behind: bool,
        counts: impl Fn(Solid) -> bool,
    ) -> Option<Depenetration> {
        let (centre, radius) = (self.state.at.point, self.radius);
        let mut most = None;
        for candidate in self.here().candidates.found() {
            let height = (centre - candidate.triangle.corners[0]).dot(candidate.normal);
            if height.abs() >= radius || !counts(candidate.solid) {
                continue;
            }
            let separation = separation(candidate, centre, height);
            if let Some(separation) = separation.filter(|s| from_behind || s.distance >= 0.0) {
                most = deeper(most, (&separation, candidate.solid), radius);
            }
        }
        let balls = self.here().candidates.balls().iter();
        for ball in balls.filter(|ball| counts(ball.solid)) {
            if let Some(separation) = separation_of_ball(ball, centre) {
                most = deeper(most, (&separation, ball.solid), radius);
            }
        }
        most
    }
}

/// Whether a solid for which `counts` is true is within `distance` metres of the segment from `low` to `high`. Both
/// sides of the solid count. Coordinates are those of the room of `low`.
pub(super) fn is_near(
    collision: &CollisionWorld,
    At { room, point: low }: At,
    high: DVec3,
    distance: f64,
    around: &Aabb,
    (cache, memory): (&mut BodyCache, &mut Memory),
    counts: impl Fn(Solid) -> bool,
) -> bool {
    let candidates = &mut cache.candidates;
    candidates.find_in(&mut memory.gathered, collision, room, around, 0.0);
    let mut found = candidates
        .found()
        .filter(|candidate| counts(candidate.solid));
    let is_near = |ball: &Ball| {
        let [centre, _] = ball.ends;
        let middle = closest_on_segment(low, high, centre);
        counts(ball.solid) && middle.distance(centre) - ball.radius < distance
    };
    found.any(|candidate| segment_triangle_distance(&candidate.triangle, low, high) < distance)
        || candidates.balls().iter().any(is_near)
}

/// The part of `motion`, 0..1, that a sphere of `radius` metres can move from `at` before it meets a solid; 0 if it
/// overlaps one at the start.
///
/// A short cast gathers the polygons in a sphere around its start, and these stay cached for the next cast. A long cast
/// gathers those in the box that it sweeps, because a sphere as large as the cast would lie mostly far from the path.
/// Casts in rooms with many portals use the box too.
pub(super) fn cast_from(
    collision: &CollisionWorld,
    at: At,
    motion: DVec3,
    radius: f64,
    (cache, memory): (&mut BodyCache, &mut Memory),
) -> f64 {
    let length = motion.length();
    let is_short = length < LONG_CAST && !collision.level.has_many_portals(at.room);
    if is_short || collision.broad_phase == BroadPhase::Exhaustive {
        let (candidates, reach) = (&mut cache.candidates, [radius + length, CAST_SPARE]);
        candidates.find_with_spare(&mut memory.gathered, collision, at, reach, 0.0);
        return free_part(candidates, at.point, motion, radius);
    }
    let (candidates, gathered) = &mut memory.swept;
    let swept = Aabb::around([at.point, at.point + motion]).grown(radius * MARGIN);
    candidates.find_in(gathered, collision, at.room, &swept, 0.0);
    free_part(candidates, at.point, motion, radius)
}
