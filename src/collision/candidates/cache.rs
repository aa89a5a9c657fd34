//! The candidates near a body, kept from tick to tick.

use glam::DVec3;

use super::bodies::{Ball, NearBodies};
use super::hidden::is_behind;
use super::movers::{List, NearMovers, Sphere};
use super::nearby::Boxes;
use super::{Candidate, Candidates, are_as_in};
use crate::collision::collision_world::{BroadPhase, CollisionWorld};
use crate::collision::solid::Solid;
use crate::geometry::{Aabb, Rigid};
use crate::level::{At, BodyId, LinkId, MoverId, PortalId, RoomId};

/// Candidates are listed that come within this many times the reach of the tick more than it needs, but
/// within at most [`MAX_SPARE`] metres more: larger lists hold for more ticks, and each tick goes through
/// all of them.
const SPARE: f64 = 0.75;

/// See [`SPARE`]: four ticks of a walk.
const MAX_SPARE: f64 = 0.25;

/// Openings are looked for this part of the spare farther away, for rounding.
const ROUNDING: f64 = 1e-3;

/// All candidates within a sphere, in the rooms that a tick reaches.
#[derive(Debug, Default)]
pub(crate) struct CandidateCache {
    candidates: Vec<Candidate>,
    /// The box around each.
    boxes: Boxes,
    /// The sphere, in coordinates of `room`, metres.
    centre: DVec3,
    reach: f64,
    /// No candidate is nearer to this point than so many metres: asked for by [`Self::free_around`], and 0 until then.
    free_centre: DVec3,
    free: f64,
    /// Where the body was; `None` where the list holds for one tick alone.
    room: Option<RoomId>,
    /// Length of the capsule's segment, metres, by which polygons are extruded.
    segment_length: f64,
    /// The boxes of openings and barriers that the sphere's box touches, in coordinates of `room`, and
    /// whether the tick touched them: a tick that touches the same reaches the same rooms.
    openings: Vec<(Aabb, bool)>,
    /// The links whose polygons may be near, and whether they were open.
    links: Vec<(LinkId, bool)>,
    /// The portals that move and may be near, with their transforms.
    portals: Vec<(PortalId, Rigid)>,
    /// The movers that are near, and how many of the candidates, the first ones, are none of theirs.
    movers: NearMovers,
    fixed: usize,
    /// The rigid bodies that are near; how many of the candidates, the first ones, are none of theirs; and
    /// those that are balls.
    bodies: NearBodies,
    bodiless: usize,
    balls: Vec<Ball>,
    /// Changes with what a sphere may touch in the same place.
    generation: u64,
}

impl CandidateCache {
    /// Finds every solid triangle that comes within `reach` metres of `at` when extruded downwards
    /// by `segment_length` metres.
    ///
    /// Starting at the room of `at`, a portal is passed where the sphere's box touches its reach, and a
    /// closed link's polygon or a mover counts where it touches that, box against box; in each room reached,
    /// the sphere is tested against the box of each polygon, then against the polygon.
    pub(crate) fn find(
        &mut self,
        gathered: &mut Candidates,
        collision: &CollisionWorld,
        at: At,
        reach: f64,
        segment_length: f64,
    ) {
        let spare = (SPARE * reach).min(MAX_SPARE);
        self.find_with_spare(gathered, collision, at, [reach, spare], segment_length);
    }

    /// Finds as [`Self::find`] does; where that makes a new list, it has what comes within `spare` metres more.
    pub(crate) fn find_with_spare(
        &mut self,
        gathered: &mut Candidates,
        collision: &CollisionWorld,
        at: At,
        [reach, spare]: [f64; 2],
        segment_length: f64,
    ) {
        if !self.holds(collision, at, reach, segment_length) {
            self.rebuild(gathered, collision, at, [reach, spare], segment_length);
        }
    }

    /// Whether what was found is what [`Self::find`] finds, with movers and bodies where they are now.
    pub(crate) fn holds(
        &mut self,
        collision: &CollisionWorld,
        at: At,
        reach: f64,
        segment_length: f64,
    ) -> bool {
        let At { room, point } = at;
        let is_same_room = self.room == Some(room)
            && self.segment_length == segment_length
            && collision.broad_phase == BroadPhase::Portals;
        let is_world_same = self.movers.are_of(collision);
        let are_links_same = is_world_same || are_as_in(collision, &self.links, &self.portals);
        let holds = is_same_room && are_links_same && self.covers(point, reach);
        if holds && !is_world_same {
            self.follow_movers(collision);
        }
        if holds && !self.bodies.are_of(collision) {
            self.follow_bodies(collision);
        }
        holds
    }

    /// Finds as [`Self::find`] does, whatever was found before, and lists what comes within `spare` metres more.
    pub(crate) fn rebuild(
        &mut self,
        gathered: &mut Candidates,
        collision: &CollisionWorld,
        at: At,
        [reach, spare]: [f64; 2],
        segment_length: f64,
    ) {
        let At { room, point } = at;
        let is_same_room = self.room == Some(room)
            && self.segment_length == segment_length
            && collision.broad_phase == BroadPhase::Portals;
        let query = Aabb::around([point, point + DVec3::Y * segment_length]).grown(reach);
        let is_world_same = self.movers.are_of(collision);
        let listed = query.grown(spare * (1.0 + ROUNDING));
        gathered.prepare(collision, room, &listed, reach, segment_length);
        self.segment_length = segment_length;
        self.links.clone_from(&gathered.links);
        self.portals.clone_from(&gathered.portals);
        gathered.reach(collision, room, &listed);
        gathered.last_openings.clone_from(&self.openings);
        let holds = gathered.openings([&query, &listed], &mut self.openings);
        self.room = (holds && collision.broad_phase == BroadPhase::Portals).then_some(room);
        if self.room.is_none() || !self.openings.is_empty() {
            gathered.reach(collision, room, &query);
        }
        self.list(gathered, collision, point, reach + spare);
        // As long as the same rooms are reached, contacts stay what they are.
        let touched = [&self.openings, &gathered.last_openings];
        let [now, before] = touched.map(|all| all.iter().filter(|(_, is_touched)| *is_touched));
        if !is_same_room || !is_world_same || self.room.is_none() || now.ne(before) {
            self.generation += 1;
        }
    }

    /// Lists the movers again where they are now, if they are elsewhere.
    #[inline(never)]
    fn follow_movers(&mut self, collision: &CollisionWorld) {
        let fixed = self.fixed;
        let (movers, mut list) = self.movers_and_list();
        if !movers.find_again(collision, &list.sphere) {
            return;
        }
        list.candidates.truncate(fixed);
        list.boxes.truncate(fixed);
        movers.list(collision, None, &mut list);
        self.bodiless = self.candidates.len();
        self.list_bodies(collision);
        self.free = 0.0;
        self.generation += 1;
    }

    /// Lists the bodies again where they are now, if they are elsewhere.
    fn follow_bodies(&mut self, collision: &CollisionWorld) {
        let sphere = self.sphere();
        if self.bodies.find(collision, &sphere) {
            self.candidates.truncate(self.bodiless);
            self.boxes.truncate(self.bodiless);
            self.list_bodies(collision);
            self.free = 0.0;
            self.generation += 1;
        }
    }

    /// Lists the triangles of the bodies that are near.
    fn list_bodies(&mut self, collision: &CollisionWorld) {
        if !collision.meets_bodies || collision.level.bodies.is_empty() {
            return;
        }
        let mut list = List {
            sphere: self.sphere(),
            candidates: &mut self.candidates,
            boxes: &mut self.boxes,
        };
        self.bodies.list(collision, &mut list, &mut self.balls);
    }

    /// The rigid bodies of which a sphere around them comes into the list, with the transforms from their coordinates.
    pub(crate) fn near_bodies(&self) -> impl Iterator<Item = (BodyId, Rigid)> {
        self.bodies.iter()
    }

    /// What the list is of.
    fn sphere(&self) -> Sphere {
        Sphere {
            centre: self.centre,
            reach: self.reach,
            segment_length: self.segment_length,
        }
    }

    fn movers_and_list(&mut self) -> (&mut NearMovers, List<'_>) {
        let list = List {
            sphere: self.sphere(),
            candidates: &mut self.candidates,
            boxes: &mut self.boxes,
        };
        (&mut self.movers, list)
    }

    /// Whether the list has all within `reach` metres of a point, as long as nothing moves.
    fn covers(&self, point: DVec3, reach: f64) -> bool {
        let top = point + DVec3::Y * self.segment_length;
        let are_openings_same = || {
            let query = Aabb::around([point, top]).grown(reach);
            let mut openings = self.openings.iter();
            openings.all(|(bounds, is_touched)| bounds.overlaps(&query) == *is_touched)
        };
        point.distance(self.centre) + reach <= self.reach
            && (self.openings.is_empty() || are_openings_same())
    }

    /// Whether the rooms are known that are reached within `reach` metres of `at`, wherever movers are but
    /// those of the rooms.
    pub(crate) fn knows_rooms(
        &self,
        collision: &CollisionWorld,
        at: At,
        reach: f64,
        segment_length: f64,
    ) -> bool {
        self.room == Some(at.room)
            && self.segment_length == segment_length
            && self.covers(at.point, reach)
            && (self.movers.are_of(collision) || are_as_in(collision, &self.links, &self.portals))
    }

    /// Finds every solid triangle whose box, extruded downwards by `segment_length` metres, touches
    /// `query`, a box in coordinates of `room` that is extruded upwards by it, and maybe others.
    pub(crate) fn find_in(
        &mut self,
        gathered: &mut Candidates,
        collision: &CollisionWorld,
        room: RoomId,
        query: &Aabb,
        segment_length: f64,
    ) {
        gathered.gather(collision, room, query, segment_length);
        gathered.reach_all();
        self.segment_length = segment_length;
        let half = 0.5 * (query.max - query.min).length();
        self.list(gathered, collision, query.centre(), half);
        // A sphere may need more.
        self.room = None;
        self.generation += 1;
    }

    /// Lists what comes within `reach` metres of `centre` in the places reached.
    fn list(
        &mut self,
        gathered: &mut Candidates,
        collision: &CollisionWorld,
        centre: DVec3,
        reach: f64,
    ) {
        (self.centre, self.reach) = (centre, reach);
        self.candidates.clear();
        self.boxes.clear();
        let probe = Boxes::probe(centre, reach);
        let Self {
            candidates, boxes, ..
        } = self;
        gathered.within(collision, &probe, false, |of_box, bounds| {
            candidates.extend_from_slice(of_box);
            of_box.iter().for_each(|_| boxes.push(bounds));
        });
        self.fixed = candidates.len();
        self.movers.take_rooms(gathered, collision.level);
        let (movers, mut list) = self.movers_and_list();
        movers.find(collision, &list.sphere);
        movers.list(collision, None, &mut list);
        if collision.broad_phase == BroadPhase::Exhaustive {
            let List {
                candidates, boxes, ..
            } = &mut list;
            let own = candidates.len();
            gathered.within(collision, &probe, true, |of_box, bounds| {
                for candidate in of_box {
                    let mut walls = candidates[..own].iter();
                    if !walls.any(|wall| is_behind(candidate, wall, centre)) {
                        candidates.push(*candidate);
                        boxes.push(bounds);
                    }
                }
            });
            movers.list(collision, Some(own), &mut list);
        }
        self.bodiless = self.candidates.len();
        if collision.meets_bodies && !collision.level.bodies.is_empty() {
            self.bodies.take_rooms(gathered);
            let sphere = self.sphere();
            if self.bodies.find(collision, &sphere) {
                self.generation += 1;
            }
            self.list_bodies(collision);
        } else {
            self.bodies.clear();
        }
        self.free = 0.0;
    }

    /// The movers that are near, in their poses.
    pub(crate) fn movers(&self) -> impl Iterator<Item = MoverId> {
        self.movers.near()
    }

    /// The transforms to the list's coordinates from those of a mover's room, one for each place at which
    /// the body can meet it, wherever it is.
    pub(crate) fn home_from_room_of(
        &self,
        collision: &CollisionWorld,
        mover: MoverId,
    ) -> impl Iterator<Item = Rigid> {
        self.movers.home_from_room_of(collision, mover)
    }

    /// The rooms with movers that are reached, and the transforms from the list's coordinates.
    pub(crate) fn rooms_with_movers(&self) -> impl Iterator<Item = (RoomId, Rigid)> {
        self.movers.rooms()
    }

    /// The mover near the body that something solid is a part of, and the transform from coordinates of its
    /// room to the list's.
    pub(crate) fn mover_of(
        &self,
        collision: &CollisionWorld,
        solid: Solid,
    ) -> Option<(MoverId, Rigid)> {
        self.movers.of_solid(collision, solid)
    }

    /// The rigid body near the character that something solid is a part of, and the transform from its
    /// coordinates to the list's.
    pub(crate) fn body_of(
        &self,
        collision: &CollisionWorld,
        solid: Solid,
    ) -> Option<(BodyId, Rigid)> {
        self.bodies.of_solid(collision, solid)
    }

    /// Whether any mover or rigid body is near the character.
    pub(crate) fn has_moving(&self) -> bool {
        !self.movers.is_empty() || !self.bodies.is_empty()
    }

    /// The balls near the character.
    pub(crate) fn balls(&self) -> &[Ball] {
        &self.balls
    }

    /// Changes with what a sphere may touch in the same place.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// What was found last, and maybe more that is a little farther away.
    pub(crate) fn found(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter()
    }

    /// No candidate is nearer to a point than this, metres; negative where the list does not tell. It is looked at again where
    /// less than `wanted` is known.
    pub(crate) fn free_around(&mut self, point: DVec3, wanted: f64) -> f64 {
        let known = self.known_free_around(point);
        if known > wanted {
            return known;
        }
        self.find_free_around(point);
        self.known_free_around(point)
    }

    fn known_free_around(&self, point: DVec3) -> f64 {
        self.free / (1.0 + ROUNDING) - point.distance(self.free_centre)
    }

    fn find_free_around(&mut self, point: DVec3) {
        let listed = self.reach - point.distance(self.centre);
        self.free = self.boxes.nearest(point, listed);
        self.free_centre = point;
    }

    /// Calls `look` with all of it that may come within `distance` metres of a point.
    pub(crate) fn look_within(
        &self,
        point: DVec3,
        distance: f64,
        mut look: impl FnMut(&Candidate),
    ) {
        // Most of the time nothing is: then the list need not be read.
        if distance < self.free
            && (point.distance(self.free_centre) + distance) * (1.0 + ROUNDING) < self.free
        {
            return;
        }
        let probe = Boxes::probe(point, distance);
        self.boxes
            .again_within(&probe, |index| look(&self.candidates[index]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{grid_glb, load_bytes};
    use crate::rng::Rng;
    use crate::world::World;

    #[test]
    fn nothing_that_was_listed_is_in_the_space_said_to_be_free_wherever_that_is_asked_for() {
        let (level, _) = load_bytes("grid", &grid_glb(2, 3)).unwrap();
        let world = World::of(&level);
        let collision = CollisionWorld::new(&level, &world);
        let mut rng = Rng::new(1);
        let (mut cache, mut gathered) = (CandidateCache::default(), Candidates::default());
        let (mut useful, mut near) = (0, 0);
        for index in 0..200 {
            let room = RoomId(index % level.rooms.len() as u32);
            let bounds = level.room(room).bounds;
            let mut between = |min: DVec3, max: DVec3| {
                let part = DVec3::from([0; 3].map(|_| rng.between(0.0, 1.0)));
                min + (max - min) * part
            };
            let at = At {
                room,
                point: between(bounds.min, bounds.max),
            };
            cache.find(&mut gathered, &collision, at, 1.0, 0.0);
            for wanted in [0.0, 0.1, 0.3, 2.0] {
                let offset = between(DVec3::splat(-0.6), DVec3::splat(0.6));
                let point = at.point + offset;
                let free = cache.free_around(point, wanted);
                let distances = cache.found().map(|found| found.triangle.distance(point));
                let nearest = distances.fold(cache.reach - offset.length(), f64::min);
                assert!(free <= nearest, "{free} of {nearest}");
                useful += u32::from(free > 0.5 * nearest);
                near += u32::from(nearest < 0.3);
            }
        }
        assert!(useful > 200 && near > 100, "{useful} {near}");
    }
}
