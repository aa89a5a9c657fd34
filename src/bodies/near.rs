//! The triangles near bodies, kept from tick to tick.

use glam::DVec3;

use super::moving::Moving;
use super::shares::{Divide, shares_of, side_by_side};
use super::tuning::CONTACT_DISTANCE;
use crate::collision::{Candidate, CandidateCache, Candidates, CollisionWorld, Solid};
use crate::geometry::{Aabb, Rigid};
use crate::level::{At, MoverId, RoomId};

/// Triangles are listed that come so much nearer than a tick needs, metres: a ball of 4 m/s keeps its list for six ticks.
/// Larger lists hold for longer, and fill more of the processor's caches.
const SPARE: f64 = 0.4;

/// Bodies whose lists are made in the same tick share what is gathered where they are in one cube of this size, metres.
const SHARED: f64 = 4.0;

/// The triangles near a body.
#[derive(Debug, Default)]
pub(super) struct Near {
    cache: CandidateCache,
    /// Of a sphere around the body's centre that has all of it, metres.
    pub(super) radius: f64,
}

/// What those who make lists side by side work with, each for a share of the bodies.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    gathered: Candidates,
    wanting: Vec<Wanting>,
}

/// A body whose list has to be rebuilt, in the order in which that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wanting {
    room: RoomId,
    cube: [i64; 3],
    /// Index among those that take part in the tick.
    moving: u32,
}

impl Near {
    /// Finds the triangles that the body meets within `distance` metres of where it is.
    pub(super) fn find(
        &mut self,
        gathered: &mut Candidates,
        collision: &CollisionWorld,
        at: At,
        distance: f64,
    ) {
        let reach = self.radius + distance;
        if !self.cache.holds(collision, at, reach, 0.0) {
            let reach = [reach, SPARE];
            self.cache.rebuild(gathered, collision, at, reach, 0.0);
        }
    }

    /// Calls `look` with all of what was found that comes within `distance` metres of a point, and maybe more.
    pub(super) fn look_within(&self, point: DVec3, distance: f64, look: impl FnMut(&Candidate)) {
        self.cache.look_within(point, distance, look);
    }

    /// The mover that something solid is a part of, and the transform from coordinates of its room to those of the
    /// body's.
    pub(super) fn mover_of(
        &self,
        collision: &CollisionWorld,
        solid: Solid,
    ) -> Option<(MoverId, Rigid)> {
        self.cache.mover_of(collision, solid)
    }

    /// Whether movers are near that have moved in this tick.
    pub(super) fn has_moved(&self, collision: &CollisionWorld) -> bool {
        let mut movers = self.cache.movers();
        movers.any(|mover| !collision.world.now_from_before(mover).is_identity())
    }
}

/// Bodies that take part in a tick, with the lists of those of the level from the first of them to the last.
struct Lists<'w> {
    moving: &'w [Moving],
    near: &'w mut [Near],
    /// The body of the first list.
    first: u32,
}

impl Lists<'_> {
    fn of(&mut self, body: &Moving) -> &mut Near {
        &mut self.near[(body.id.0 - self.first) as usize]
    }
}

impl Divide for Lists<'_> {
    fn count(&self) -> usize {
        self.moving.len()
    }

    fn divide(self, first: usize) -> (Self, Self) {
        let (before, after) = self.moving.split_at(first);
        let lists = after
            .first()
            .map_or(self.near.len(), |body| (body.id.0 - self.first) as usize);
        let (near_before, near_after) = self.near.split_at_mut(lists);
        let before = Lists {
            moving: before,
            near: near_before,
            ..self
        };
        let after = Lists {
            moving: after,
            near: near_after,
            first: self.first + lists as u32,
        };
        (before, after)
    }
}

/// Finds the triangles that the bodies that are awake meet in a tick of `secs` seconds, in which no mover has moved
/// farther than `moved` metres. They come in the order of their ids.
pub(super) fn find_all(
    collision: &CollisionWorld,
    moving: &[Moving],
    near: &mut [Near],
    times: (f64, f64),
    gatherings: &mut Vec<Gathering>,
) {
    let all = Lists {
        moving,
        near,
        first: 0,
    };
    let gatherings = shares_of(moving.len(), gatherings);
    side_by_side(all, gatherings, &|lists, gathering| {
        find_for(collision, lists, times, gathering);
    });
}

fn find_for(
    collision: &CollisionWorld,
    mut lists: Lists,
    (secs, moved): (f64, f64),
    Gathering { gathered, wanting }: &mut Gathering,
) {
    let moving = lists.moving;
    let distance = |body: &Moving| {
        let fall = 0.5 * body.acceleration.length() * secs * secs;
        body.velocity.length() * secs + fall + CONTACT_DISTANCE + moved
    };
    wanting.clear();
    for (index, body) in (0..).zip(moving).filter(|(_, body)| !body.is_asleep) {
        let near = lists.of(body);
        let reach = near.radius + distance(body);
        if !near.cache.holds(collision, body.at, reach, 0.0) {
            let cube = body.at.point / SHARED;
            wanting.push(Wanting {
                room: body.at.room,
                cube: cube.to_array().map(|at| at as i64),
                moving: index,
            });
        }
    }
    wanting.sort_unstable();
    for group in wanting.chunk_by(|a, b| (a.room, a.cube) == (b.room, b.cube)) {
        let bodies = || group.iter().map(|wanting| &moving[wanting.moving as usize]);
        if let [first, _, ..] = group {
            let boxes = bodies().map(|body| {
                let reach = lists.of(body).radius + distance(body);
                // A little more, for rounding.
                Aabb::around([body.at.point]).grown((reach + SPARE) * 1.01)
            });
            let all = boxes.fold(Aabb::EMPTY, Aabb::union);
            gathered.gather_for_many(collision, first.room, &all);
        }
        for body in bodies() {
            let near = lists.of(body);
            near.find(gathered, collision, body.at, distance(body));
        }
    }
}
