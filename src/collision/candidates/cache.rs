//! The candidates near a body, cached from tick to tick.

use glam::DVec3;

use super::bodies::{Ball, NearBodies};
use super::hidden::is_behind;
use super::movers::{CandidateList, NearMovers, Sphere};
use super::nearby::BoxList;
use super::{Candidate, Candidates, are_as_in};
use crate::collision::collision_world::{BroadPhase, CollisionWorld};
use crate::collision::solid::Solid;
use crate::geometry::{Aabb, Rigid};
use crate::level::{At, BodyId, LinkId, MoverId, PortalId, RoomId};

/// Candidates are listed within this extra distance, a fraction of the tick's reach, at most [`MAX_SPARE`] metres.
/// Larger lists stay valid for more ticks, but each tick loops over the whole list.
const SPARE: f64 = 0.75;

/// The maximum extra distance (see [`SPARE`]), in metres: the length of four ticks of a walk.
const MAX_SPARE: f64 = 0.25;

/// The search for openings is extended by this fraction of the spare, for rounding.
const ROUNDING: f64 = 1e-3;

/// All candidates within a sphere, in the rooms that a tick reaches.
#[derive(Debug, Default)]
pub(crate) struct CandidateCache {
    candidates: Vec<Candidate>,
    /// The box around each candidate.
    boxes: BoxList,
    /// The centre of the sphere, in coordinates of `room`.
    centre: DVec3,
    /// The radius of the sphere, metres.
    reach: f64,
    /// The centre of a sphere without candidates, which [`Self::free_around`] finds.
    free_centre: DVec3,
    /// The radius of that sphere, metres; 0 until it is found.
    free: f64,
    /// The room of the body; `None` if the list is valid for one tick only.
    room: Option<RoomId>,
    /// Length of the capsule's segment, metres, by which polygons are extruded.
    segment_length: f64,
    /// The boxes of openings and barriers that the sphere's box touches, in coordinates of `room`, each with whether
    /// the tick's box touched it. A tick whose box touches the same ones reaches the same rooms.
    openings: Vec<(Aabb, bool)>,
    /// The links whose polygons may be near, and whether they were open.
    links: Vec<(LinkId, bool)>,
    /// The portals that move and may be near, with their transforms.
    portals: Vec<(PortalId, Rigid)>,
    /// The nearby movers.
    movers: NearMovers,
    /// The number of candidates of the static geometry; they are at the start of the list.
    fixed: usize,
    /// The nearby rigid bodies.
    bodies: NearBodies,
    /// The number of candidates that belong to no rigid body; they are at the start of the list.
    bodiless: usize,
    /// The nearby rigid bodies that are balls.
    balls: Vec<Ball>,
    /// A counter that increases whenever the possible contacts of a sphere at the same position may have changed.
    generation: u64,
}

impl CandidateCache {
    /// Finds every solid triangle that comes within `reach` metres of `at` when extruded downwards by
    /// `segment_length` metres.
    ///
    /// The flood starts at the room of `at`. It passes a portal where the sphere's box touches the portal's
    /// bounds. A closed link's polygon or a mover is tested where its box touches the sphere's box. In each
    /// reached room, the sphere is tested against the box of each polygon, then against the polygon.
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

    /// Finds as [`Self::find`] does. If the list is rebuilt, it includes the candidates within `spare` more metres.
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

    /// Whether the list still equals the result of [`Self::find`]; updates the movers and bodies in it to their current
    /// poses.
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

    /// Rebuilds the list as [`Self::find`] does, even if it is still valid; includes the candidates within `spare`
    /// more metres.
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
        // As long as the same rooms are reached, the contacts stay the same.
        let touched = [&self.openings, &gathered.last_openings];
        let [now, before] = touched.map(|all| all.iter().filter(|(_, is_touched)| *is_touched));
        if !is_same_room || !is_world_same || self.room.is_none() || now.ne(before) {
            self.generation += 1;
        }
    }

    /// Lists the movers in their current poses, if any of them has moved.
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

    /// Lists the bodies in their current poses, if any of them has moved.
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

    /// Lists the triangles of the nearby bodies.
    fn list_bodies(&mut self, collision: &CollisionWorld) {
        if !collision.meets_bodies || collision.level.bodies.is_empty() {
            return;
        }
        let mut list = CandidateList {
            sphere: self.sphere(),
            candidates: &mut self.candidates,
            boxes: &mut self.boxes,
        };
        self.bodies.list(collision, &mut list, &mut self.balls);
    }

    /// The rigid bodies whose bounding sphere touches the list's sphere, with the transforms from their coordinates.
    pub(crate) fn near_bodies(&self) -> impl Iterator<Item = (BodyId, Rigid)> {
        self.bodies.iter()
    }

    /// The sphere that the list covers.
    fn sphere(&self) -> Sphere {
        Sphere {
            centre: self.centre,
            reach: self.reach,
            segment_length: self.segment_length,
        }
    }

    fn movers_and_list(&mut self) -> (&mut NearMovers, CandidateList<'_>) {
        let list = CandidateList {
            sphere: self.sphere(),
            candidates: &mut self.candidates,
            boxes: &mut self.boxes,
        };
        (&mut self.movers, list)
    }

    /// Whether the list has all candidates within `reach` metres of a point, as long as nothing moves.
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

    /// Whether the rooms that are reached within `reach` metres of `at` are known. They do not depend on movers, except
    /// on movers that move rooms.
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

    /// Finds every solid triangle whose box, extruded downwards by `segment_length` metres, touches `query`, and
    /// possibly others. `query` is a box in coordinates of `room` that is already extruded upwards by that length.
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
        // The list is incomplete outside the box, so a query with a sphere must not reuse it.
        self.room = None;
        self.generation += 1;
    }

    /// Lists the candidates within `reach` metres of `centre` in the reached room instances.
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
        let probe = BoxList::probe(centre, reach);
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
            let CandidateList {
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

    /// The nearby movers, in their poses.
    pub(crate) fn movers(&self) -> impl Iterator<Item = MoverId> {
        self.movers.near()
    }

    /// The transforms from the mover's room to the list's coordinates, one for each way through portals by which the
    /// body can meet the mover, wherever the mover is.
    pub(crate) fn home_from_room_of(
        &self,
        collision: &CollisionWorld,
        mover: MoverId,
    ) -> impl Iterator<Item = Rigid> {
        self.movers.home_from_room_of(collision, mover)
    }

    /// The reached rooms with movers, and the transforms to them from the list's coordinates.
    pub(crate) fn rooms_with_movers(&self) -> impl Iterator<Item = (RoomId, Rigid)> {
        self.movers.rooms()
    }

    /// The nearby mover that a solid is part of, and the transform from the mover's room to the list's coordinates.
    pub(crate) fn mover_of(
        &self,
        collision: &CollisionWorld,
        solid: Solid,
    ) -> Option<(MoverId, Rigid)> {
        self.movers.of_solid(collision, solid)
    }

    /// The nearby rigid body that a solid is part of, and the transform from the body's coordinates to the list's.
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

    /// A counter that increases whenever the possible contacts of a sphere at the same position may have changed.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// The candidates found last. The list may contain some that are a little farther away.
    pub(crate) fn found(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter()
    }

    /// A lower bound of the distance from a point to the nearest candidate, in metres; negative if the list does not
    /// cover the point. Searches the boxes again if the known bound is at most `wanted`.
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

    /// Calls `look` for every candidate that may come within `distance` metres of a point.
    pub(crate) fn look_within(
        &self,
        point: DVec3,
        distance: f64,
        mut look: impl FnMut(&Candidate),
    ) {
        // Usually there is no candidate that near; then the list is not read at all.
        if distance < self.free
            && (point.distance(self.free_centre) + distance) * (1.0 + ROUNDING) < self.free
        {
            return;
        }
        let probe = BoxList::probe(point, distance);
        self.boxes
            .again_within(&probe, |index| look(&self.candidates[index]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::grid_glb;
    use crate::load::load_bytes;
    use crate::rng::Rng;
    use crate::world::World;

    #[test]
    fn the_free_space_around_a_point_contains_no_candidate() {
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
