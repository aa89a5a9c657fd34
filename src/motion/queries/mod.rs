//! What a body can ask of the world around it, and the only way to move it.
//!
//! [`Queries`] gathers the polygons that a question needs before it is asked. Answers borrow from it,
//! so that none is left when the body has moved: a stale answer does not compile.

mod cast;
mod contacts;
mod ground;
mod near;
mod travel;

pub(super) use contacts::{Contact, Contacts, Push};
pub(super) use ground::{GroundEdge, Span, edge_at, flat, foot, grounds, highest, sine, slip_off};
pub(super) use near::Near;

use glam::DVec3;

use super::body::{Body, State, grown_radius};
use super::report::TickReport;
use super::tuning::{CORE, TICK_SECS};
use crate::collision::{Ball, BroadPhase, CandidateCache, Candidates, CollisionWorld, Solid};
use crate::geometry::{Aabb, Rigid, closest_on_segment, segment_triangle_distance};
use crate::level::{At, BodyId, MoverId, RoomId};
use cast::{cast, cast_at, free_part};
use contacts::{Touched, deeper, separation, separation_of_ball, touching};

/// Polygons are gathered this many radii beyond a motion.
const MARGIN: f64 = 1.01;

/// A cast of this length, metres, is a long one.
const LONG_CAST: f64 = 1.5;
/// Candidates for short casts are listed that come so much nearer than the cast needs, metres: the next one is mostly near.
const CAST_SPARE: f64 = 0.75;

/// What is known may end this part of the radius short of what is asked for: less than the margin.
const ROUNDING: f64 = 1e-3;

/// What ticks of one body keep for later ones.
#[derive(Debug, Default)]
pub struct BodyCache {
    /// The polygons near it.
    candidates: CandidateCache,
    /// What it touches where it is.
    here: Contacts,
}

/// The memory of queries, which bodies share: a warm tick allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Memory {
    gathered: Candidates,
    /// What a sphere would touch elsewhere.
    elsewhere: Contacts,
    touched: Touched,
    /// What is in the box that a cast sweeps.
    swept: (CandidateCache, Candidates),
}

/// A body among the polygons around it, for one tick.
pub(super) struct Queries<'a> {
    pub body: &'a Body,
    /// Of the sphere that is moved, metres.
    radius: f64,
    /// Read freely; only [`Self::travel`] and [`Self::put_back`] change where the body is.
    pub state: &'a mut State,
    pub report: &'a mut TickReport,
    pub collision: &'a CollisionWorld<'a>,
    cache: &'a mut BodyCache,
    memory: &'a mut Memory,
    /// How far the tick may still move the body, metres: what is that near is always gathered.
    reach_left: f64,
    /// So far from the body everything is gathered, metres beside its radius.
    gathered: f64,
}

/// A place that a body may be put back to.
pub(super) struct Checkpoint {
    pub state: State,
    pieces: usize,
    events: usize,
}

/// What the body touches where it is.
pub(super) struct Touching<'q> {
    pub contacts: &'q Contacts,
    pub state: &'q mut State,
    pub report: &'q mut TickReport,
}

impl<'a> Queries<'a> {
    /// Queries of a body that one tick moves by at most `reach` metres.
    pub(super) fn new(
        collision: &'a CollisionWorld<'a>,
        body: &'a Body,
        state: &'a mut State,
        report: &'a mut TickReport,
        (cache, memory): (&'a mut BodyCache, &'a mut Memory),
        reach: f64,
    ) -> Self {
        // Those of another body may be taken for this one's.
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

    /// Radius of the sphere that is moved, metres: the body's, grown by the skin.
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Moves a body of this radius, metres without skin, from now on.
    pub(super) fn set_radius(&mut self, radius: f64) {
        self.radius = grown_radius(radius);
    }

    /// What moves it may move it farther than its own velocities: so far, metres.
    pub(super) fn reach_at_least(&mut self, reach: f64) {
        self.reach_left = self.reach_left.max(reach);
    }

    /// How far the body has moved in this tick, metres, of what its velocities allow.
    pub(super) fn walked(&self) -> f64 {
        let total = (self.state.walk.length() + self.state.fall.length()) * TICK_SECS;
        (total - self.reach_left).max(0.0)
    }

    /// What comes near the body on the rest of its tick.
    pub(super) fn here(&mut self) -> Near<'_> {
        self.within(0.0)
    }

    /// What comes near the body on any motion of at most `length` metres, or on the rest of its
    /// tick.
    pub(super) fn within(&mut self, length: f64) -> Near<'_> {
        let length = length.max(self.reach_left);
        self.gather_within(length);
        self.near(self.gathered)
    }

    /// What is in a column from the body down to `drop` metres below.
    pub(super) fn below(&mut self, drop: f64) -> Near<'_> {
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

    /// The gathered polygons, which are complete within `known` metres of the body.
    fn near(&mut self, known: f64) -> Near<'_> {
        Near {
            radius: self.radius,
            known: (self.state.at.point, known),
            candidates: &self.cache.candidates,
            contacts: &mut self.memory.elsewhere,
            touched: &mut self.memory.touched,
        }
    }

    /// Gathers, unless what is known reaches as far but for rounding.
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

    /// What the body touches where it is.
    pub(super) fn touching(&mut self) -> Touching<'_> {
        self.touch();
        Touching {
            contacts: &self.cache.here,
            state: self.state,
            report: self.report,
        }
    }

    /// Finds what the body touches where it is.
    #[inline]
    fn touch(&mut self) {
        self.gather_within(self.reach_left);
        let radius = self.radius;
        let (BodyCache { candidates, here }, touched) =
            (&mut *self.cache, &mut self.memory.touched);
        touching(candidates, self.state.at.point, radius, here, touched);
    }

    /// Moves the body by `step`, through whatever is in the way, and changes its room at every
    /// portal crossed. Returns the transform from the coordinates at the start to those at the end
    /// where they differ; the body's velocities have been turned.
    pub(super) fn travel(&mut self, step: DVec3) -> Option<Rigid> {
        self.travel_by(step, step.length())
    }

    /// The same, by a step of this length.
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

    /// Moves the body along `motion` up to the first contact, but by no more than the part `most` of
    /// it; returns the part that was done, 0..1. The rest of the motion turns with the body where a
    /// portal bends space.
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

    /// Moves the body along with its mover, up to the first contact with what does not go along; out of what
    /// it touches already it is pushed later, as long as its core passes nothing solid. Returns where all of
    /// the step would have brought it, in the coordinates where it ends.
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

    /// The transforms to the coordinates of the body's room from those of a mover's, one for each place at
    /// which the body can meet the mover, wherever that is on its track.
    pub(super) fn here_from_room_of(&mut self, mover: MoverId) -> impl Iterator<Item = Rigid> {
        self.know_rooms();
        self.cache
            .candidates
            .home_from_room_of(self.collision, mover)
    }

    /// The rooms with movers that the body reaches, and the transforms from coordinates of the body's room.
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

    /// Whether any mover or rigid body is near the body: most of the time none is, and nothing else is asked about them.
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

    /// The rigid body whose surface is the flattest of those that the body touches below it, with the normal there.
    pub(super) fn body_below(&mut self) -> Option<(BodyId, DVec3)> {
        let Contact { solid, normal, .. } = self.flattest_below()?;
        let (body, _) = self.cache.candidates.body_of(self.collision, solid)?;
        Some((body, normal))
    }

    /// The rigid body that something solid near the body is a part of.
    pub(super) fn body_of(&self, solid: Solid) -> Option<BodyId> {
        let body = self.cache.candidates.body_of(self.collision, solid);
        body.map(|(id, _)| id)
    }

    /// The contact below the body whose surface is the flattest.
    fn flattest_below(&mut self) -> Option<Contact> {
        let contacts = &self.touching().contacts.list;
        let below = contacts.iter().filter(|contact| contact.supports());
        below
            .max_by(|a, b| a.normal.y.total_cmp(&b.normal.y))
            .copied()
    }

    /// The mover whose surface is the flattest of those that the body touches below it, with the normal there.
    pub(super) fn mover_below(&mut self) -> Option<(MoverId, DVec3)> {
        let level = self.collision.level;
        let Contact { solid, normal, .. } = self.flattest_below()?;
        let Solid::Triangle(index) = solid else {
            return None;
        };
        let mut movers = self.cache.candidates.movers();
        let mover = movers.find(|&mover| level.mover(mover).solids.contains(index));
        mover.map(|mover| (mover, normal))
    }

    /// Where the body is, and what it did so far.
    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            state: *self.state,
            pieces: self.report.path.len(),
            events: self.report.events.len(),
        }
    }

    /// Undoes what the body did since then.
    pub(super) fn put_back(&mut self, to: &Checkpoint) {
        *self.state = to.state;
        self.report.path.truncate(to.pieces);
        self.report.events.truncate(to.events);
        self.gathered = f64::NEG_INFINITY;
    }

    /// Moves the body by a push out of an overlap, as far as its core passes nothing solid; returns
    /// the push as far as it came, in the coordinates where it ends.
    pub(super) fn push(&mut self, push: DVec3) -> DVec3 {
        let (centre, core) = (self.state.at.point, CORE * self.radius);
        let push = push * cast(self.here().candidates, centre, push, core);
        let bent = self.travel(push).unwrap_or_default();
        // A push is no part of the tick's motion.
        self.gathered = f64::NEG_INFINITY;
        bent.vector(push)
    }

    /// The push out of what the body is in deepest, if it is in anything, metres. With
    /// `from_behind`, faces that the centre is behind count too, and push it out to their front.
    pub(super) fn deepest(&mut self, from_behind: bool) -> Option<Push> {
        if !from_behind {
            self.touch();
            return self.cache.here.deepest;
        }
        self.deepest_of(from_behind, |_| true)
    }

    /// [`Self::deepest`], of those overlaps alone that count.
    pub(super) fn deepest_of(
        &mut self,
        from_behind: bool,
        counts: impl Fn(Solid) -> bool,
    ) -> Option<Push> {
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

/// Whether something solid that counts comes nearer than `distance` metres to the segment from `low` to
/// `high`, from whichever side; in coordinates of the room of `low`.
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

/// Which part of `motion`, 0..1, a sphere of `radius` metres can do from `at` before it meets
/// something solid; 0 where it overlaps that already.
///
/// A short one looks all around, and what is there is kept for the next. A long one looks in the box that it
/// sweeps, for of a sphere as large as its way is long most lies elsewhere; so does one among thousands of portals.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{RoomId, dungeon, grid_glb, holds, load_bytes, write_glb};
    use crate::rng::Rng;
    use crate::world::World;

    #[test]
    fn a_cast_ends_where_one_does_that_looks_all_around() {
        let dungeon = write_glb(&dungeon(12, 3).unwrap()).unwrap();
        let (mut met, mut free) = (0, 0);
        for glb in [grid_glb(3, 3), dungeon] {
            let (level, _) = load_bytes("level", &glb).unwrap();
            let world = World::all_open(&level);
            let collision = CollisionWorld::new(&level, &world);
            let mut rng = Rng::new(1);
            let (mut cache, mut memory) = (BodyCache::default(), Memory::default());
            let (mut all, mut gathered) = (CandidateCache::default(), Candidates::default());
            for index in 0..2000 {
                let room = RoomId(index % level.rooms.len() as u32);
                let bounds = level.room(room).bounds;
                let mut part = || DVec3::from([0; 3].map(|_| rng.between(0.0, 1.0)));
                let point = bounds.min + (bounds.max - bounds.min) * part();
                let motion = (part() * 2.0 - 1.0).normalize_or_zero() * 12.0 * part().x;
                let (at, radius) = (At { room, point }, 0.02 + 0.4 * part().x);
                // From a place behind walls rooms are met that only a larger box reaches.
                if !holds(&level, at) {
                    continue;
                }
                let swept = cast_from(&collision, at, motion, radius, (&mut cache, &mut memory));
                all.find(&mut gathered, &collision, at, radius + motion.length(), 0.0);
                let expected = free_part(&all, point, motion, radius);
                assert_eq!(
                    swept.to_bits(),
                    expected.to_bits(),
                    "{at:?} {motion} {radius}"
                );
                met += u32::from(swept > 0.0 && swept < 1.0);
                free += u32::from(swept == 1.0);
            }
        }
        assert!(met > 1000 && free > 100, "{met} {free}");
    }
}
