//! The triangles near bodies, cached from tick to tick.

use glam::DVec3;

use crate::bodies::context::StepContext;
use crate::bodies::moving::Moving;
use crate::bodies::shares::{Divide, shares_of, side_by_side};
use crate::bodies::tuning::CONTACT_DISTANCE;
use crate::collision::{Candidate, CandidateCache, Candidates, CollisionWorld, Solid};
use crate::geometry::{Aabb, Rigid};
use crate::level::{At, MoverId, RoomId};

/// The distance beyond a tick's reach within which triangles are listed, metres. With this value a ball of 4 m/s
/// keeps its list for six ticks. Larger lists stay valid for longer, but fill more of the processor's caches.
const SPARE: f64 = 0.4;

/// The size, metres, of the cubes of space: bodies in one cube whose lists are built in the same tick share the
/// gathered triangles.
const SHARED: f64 = 4.0;

/// The triangles near a body.
#[derive(Debug, Default)]
pub(in crate::bodies) struct NearbyTriangles {
    cache: CandidateCache,
}

/// The buffers with which one share of the bodies builds its lists in parallel.
#[derive(Debug, Default)]
pub(in crate::bodies) struct GatherBuffers {
    gathered: Candidates,
    wanting: Vec<Wanting>,
}

/// A body whose list has to be rebuilt, ordered by room and cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wanting {
    room: RoomId,
    cube: [i64; 3],
    /// The index among the bodies that take part in the tick.
    moving: u32,
}

impl NearbyTriangles {
    /// Finds the triangles within `reach` metres of a position.
    pub(in crate::bodies) fn find(
        &mut self,
        gathered: &mut Candidates,
        collision: &CollisionWorld,
        at: At,
        reach: f64,
    ) {
        self.cache
            .find_with_spare(gathered, collision, at, [reach, SPARE], 0.0);
    }

    /// Stores in the body its distance from the listed triangles, at most `reach` metres. Triangles farther than
    /// `reach` may lie behind an opening that the search did not touch, and are then not listed.
    fn find_clearance(&mut self, body: &mut Moving, reach: f64) {
        let free = self.cache.free_around(body.at.point, reach);
        body.clearance = free.min(reach) - body.radius;
        body.listed = reach;
    }

    /// Calls `look` with all listed triangles within `distance` metres of a point, and possibly more.
    pub(in crate::bodies) fn look_within(
        &self,
        point: DVec3,
        distance: f64,
        look: impl FnMut(&Candidate),
    ) {
        self.cache.look_within(point, distance, look);
    }

    /// The mover to which a solid belongs, and the transform from coordinates of the mover's room to those of the
    /// body's room.
    pub(in crate::bodies) fn mover_of(
        &self,
        collision: &CollisionWorld,
        solid: Solid,
    ) -> Option<(MoverId, Rigid)> {
        self.cache.mover_of(collision, solid)
    }

    /// Whether a nearby mover has moved in this tick.
    pub(in crate::bodies) fn has_moved(&self, collision: &CollisionWorld) -> bool {
        let mut movers = self.cache.movers();
        movers.any(|mover| !collision.world.now_from_before(mover).is_identity())
    }
}

/// Participants of a tick, with the lists of all participants from the first of them to the last.
struct Lists<'w> {
    moving: &'w mut [Moving],
    near: &'w mut [NearbyTriangles],
    /// The slot of the first list.
    first: u32,
}

impl Lists<'_> {
    /// The body at an index, and its list.
    fn nth(&mut self, index: usize) -> (&mut Moving, &mut NearbyTriangles) {
        let moving = &mut self.moving[index];
        let near = &mut self.near[(moving.slot - self.first) as usize];
        (moving, near)
    }
}

impl Divide for Lists<'_> {
    fn count(&self) -> usize {
        self.moving.len()
    }

    fn divide(self, first: usize) -> (Self, Self) {
        let (before, after) = self.moving.split_at_mut(first);
        let lists = after
            .first()
            .map_or(self.near.len(), |body| (body.slot - self.first) as usize);
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

/// Finds the triangles that awake bodies may meet in a tick, and the distances to them. The bodies are sorted by
/// their ids.
pub(in crate::bodies) fn find_all(
    context: &StepContext,
    moving: &mut [Moving],
    near: &mut [NearbyTriangles],
    gatherings: &mut Vec<GatherBuffers>,
) {
    let gatherings = shares_of(moving.len(), gatherings);
    let all = Lists {
        moving,
        near,
        first: 0,
    };
    side_by_side(all, gatherings, &|lists, gathering| {
        find_for(context, lists, gathering);
    });
}

fn find_for(
    context: &StepContext,
    mut lists: Lists,
    GatherBuffers { gathered, wanting }: &mut GatherBuffers,
) {
    let StepContext {
        collision,
        secs,
        mover_way,
        ..
    } = *context;
    let reach_of = |body: &Moving| {
        let fall = 0.5 * body.acceleration.length() * secs * secs;
        body.radius + body.velocity.length() * secs + fall + CONTACT_DISTANCE + mover_way
    };
    wanting.clear();
    for index in 0..lists.count() {
        let (body, near) = lists.nth(index);
        if body.is_asleep {
            continue;
        }
        let reach = reach_of(body);
        if near.cache.holds(collision, body.at, reach, 0.0) {
            near.find_clearance(body, reach);
            continue;
        }
        let cube = body.at.point / SHARED;
        wanting.push(Wanting {
            room: body.at.room,
            cube: cube.to_array().map(|at| at as i64),
            moving: index as u32,
        });
    }
    wanting.sort_unstable();
    for group in wanting.chunk_by(|a, b| (a.room, a.cube) == (b.room, b.cube)) {
        if let [first, _, ..] = group {
            let boxes = group.iter().map(|wanting| {
                let (body, _) = lists.nth(wanting.moving as usize);
                // The box is slightly larger, for rounding.
                Aabb::around([body.at.point]).grown((reach_of(body) + SPARE) * 1.01)
            });
            let all = boxes.fold(Aabb::EMPTY, Aabb::union);
            gathered.gather_for_many(collision, first.room, &all);
        }
        for wanting in group {
            let (body, near) = lists.nth(wanting.moving as usize);
            let reach = reach_of(body);
            near.find(gathered, collision, body.at, reach);
            near.find_clearance(body, reach);
        }
    }
}
