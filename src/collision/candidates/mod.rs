//! Which polygons can a motion meet: those of the rooms that its box reaches through portals.
//!
//! They are gathered in a box larger than one tick needs ([`Candidates`]). Of these, those in a sphere
//! that is a little larger than one tick needs are listed, and the list is kept with the body
//! ([`CandidateCache`]). As long as it has not left the sphere, a later tick only finds out whether its
//! own, smaller box reaches the same rooms; then it sees the same polygons as if it had gathered again.
//!
//! Movers are not gathered: those that are near are found again whenever the world has changed, and listed
//! after all that stands still ([`movers::NearMovers`]). So are rigid bodies, after these ([`bodies::NearBodies`]).
//!
//! What was gathered is kept too, until another body that shares the memory needs something else. A
//! list is all that a tick reads: for one of ten thousand actors nothing is in the processor's caches,
//! and a tick takes as long as it waits for memory.

mod bodies;
mod cache;
mod candidate;
mod extrude;
mod gather;
mod hidden;
mod movers;
mod nearby;
mod reach;

pub(crate) use bodies::Ball;
pub(crate) use cache::CandidateCache;
pub(crate) use candidate::Candidate;
pub(crate) use candidate::Surface;
use extrude::{extruded, push_extruded};
use nearby::{Boxes, LANES, Probe};

use crate::collision::collision_world::{BroadPhase, CollisionWorld};
use crate::geometry::{Aabb, Aabb32, Rigid};
use crate::level::{LinkId, PortalId, RoomId, SolidGroup, SolidTriangle, Solids, Walk};

/// Candidates are gathered this many times the reach of the tick that needs them beyond those listed. More is wasted on a
/// body that is elsewhere in the next tick, or shares the memory with others.
const MARGIN: f64 = 1.25;

/// The margin for a body that walks out of the gathered box: it goes on in the same direction.
const MARGIN_ONWARDS: f64 = 3.0;

/// A row of boxes is that of a group.
const _: () = assert!(Solids::GROUP == LANES);

/// What was gathered around a body, and which of it counts now. Bodies can share it: it is gathered again
/// for one that needs something else.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    /// The box that was gathered in, home coordinates, and by which broad phase; `None` before the
    /// first time.
    gathered: Option<(Aabb, BroadPhase)>,
    /// Length of the body's axis, metres, by which polygons are extruded downwards.
    segment_length: f64,
    /// The rooms that the gathered box reaches.
    walk: Walk<()>,
    /// For each image of the walk its place.
    place_of_image: Vec<u32>,
    places: Vec<Place>,
    ways: Vec<Way>,
    /// The links whose polygons the box touches, and whether they were open.
    links: Vec<(LinkId, bool)>,
    /// The portals that move and may be in the box, with [`Portal::far_from_near`].
    ///
    /// [`Portal::far_from_near`]: crate::level::Portal::far_from_near
    portals: Vec<(PortalId, Rigid)>,
    groups: Vec<Group>,
    /// A box around each group.
    boxes: Boxes,
    /// Boxes around the triangles of groups that came near, a row for each.
    rows: Boxes,
    /// For each of these boxes, from and to where its triangle is in `opened`, once that came near:
    /// nowhere if it has no area, in several pieces if it was extruded.
    pieces: Vec<Option<[u32; 2]>>,
    opened: Vec<Candidate>,
    /// The places that the last box asked for reaches.
    reached: Vec<u32>,
    /// The barriers of a room that are near.
    near_barriers: Vec<u32>,
    /// The openings of the list that is replaced.
    last_openings: Vec<(Aabb, bool)>,
}

/// A set of triangles at the place where it is met.
#[derive(Clone, Copy, Debug)]
struct Place {
    set: Set,
    /// The coordinates of the set.
    set_from_home: Rigid,
    /// Its first way out, and one past the last.
    ways: [u32; 2],
    /// Whether the box of the present tick reaches it.
    reached: bool,
    /// Whether it does so on the whole soup alone, and through no portals.
    foreign: bool,
}

/// Which triangles are met at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Those of a room.
    Room(RoomId),
    /// The polygon of a closed link.
    Link(LinkId),
}

/// From a room to one behind a portal, to one whose geometry sprawls in, or to a closed link's polygon.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// What touches this box can touch something there; in the coordinates of the room left.
    bounds: Aabb,
    to: u32,
}

/// A gathered group of triangles.
#[derive(Clone, Debug)]
struct Group {
    place: u32,
    /// Nothing where the triangles are no solids of the level but were opened at once.
    solids: SolidGroup,
    /// Its row of [`Candidates::rows`], once it came near.
    row: Option<u32>,
}

impl Candidates {
    /// Gathers all in a box, in coordinates of `room`, and beyond it by some times `reach`, unless what
    /// is gathered has all in the box.
    fn prepare(
        &mut self,
        collision: &CollisionWorld,
        room: RoomId,
        listed: &Aabb,
        reach: f64,
        segment_length: f64,
    ) {
        let is_kept = self.gathered.is_some_and(|(gathered, broad_phase)| {
            broad_phase == collision.broad_phase
                && segment_length == self.segment_length
                && gathered.contains(listed.min)
                && gathered.contains(listed.max)
        });
        if !is_kept
            || self.place_of(room).is_none()
            || !are_as_in(collision, &self.links, &self.portals)
        {
            let goes_on = self
                .gathered
                .is_some_and(|(gathered, _)| gathered.overlaps(listed))
                && self.place_of(room).is_some();
            let margin = if goes_on { MARGIN_ONWARDS } else { MARGIN };
            self.gather(
                collision,
                room,
                &listed.grown(margin * reach),
                segment_length,
            );
        }
    }

    /// Gathers all in a box, in coordinates of `room`: what many bodies are about to need.
    pub(crate) fn gather_for_many(&mut self, collision: &CollisionWorld, room: RoomId, all: &Aabb) {
        self.prepare(collision, room, all, 0.0, 0.0);
    }

    /// Calls `found` with what may come within the probe in the places reached that are foreign, or in
    /// those that are not: the polygons that a triangle became, and the box around it.
    fn within(
        &mut self,
        collision: &CollisionWorld,
        probe: &Probe,
        foreign: bool,
        mut found: impl FnMut(&[Candidate], &Aabb32),
    ) {
        let Self {
            groups,
            boxes,
            rows,
            pieces,
            opened,
            ..
        } = self;
        boxes.within(probe, |index| {
            let group = &mut groups[index];
            let place = &self.places[group.place as usize];
            if !place.reached || place.foreign != foreign {
                return;
            }
            let row = unpack(collision, place, group, self.segment_length, rows, pieces);
            rows.within_row(row, probe, |box_index| {
                let [first, end] = *pieces[box_index].get_or_insert_with(|| {
                    let index = (box_index % LANES) as u32;
                    let solid = collision.level.solids.triangle_of(&group.solids, index);
                    open(collision, place, &solid, self.segment_length, opened)
                });
                found(&opened[first as usize..end as usize], &rows.get(box_index));
            });
        });
    }

    /// Marks all places as reached.
    fn reach_all(&mut self) {
        self.reached.clear();
        self.reached.extend(0..self.places.len() as u32);
        for place in &mut self.places {
            (place.reached, place.foreign) = (true, false);
        }
    }
}

/// Whether links are as open as they were, and portals where they were.
fn are_as_in(
    collision: &CollisionWorld,
    links: &[(LinkId, bool)],
    portals: &[(PortalId, Rigid)],
) -> bool {
    let CollisionWorld { level, world, .. } = collision;
    let (mut links, mut portals) = (links.iter(), portals.iter());
    links.all(|&(link, open)| collision.is_open(link) == open)
        && portals.all(|(id, was)| world.rooms().portal(level, *id).far_from_near == *was)
}

impl Place {
    fn is_room(&self) -> bool {
        matches!(self.set, Set::Room(_))
    }
}

/// The row of a group's boxes.
fn unpack(
    collision: &CollisionWorld,
    place: &Place,
    group: &mut Group,
    segment_length: f64,
    rows: &mut Boxes,
    pieces: &mut Vec<Option<[u32; 2]>>,
) -> usize {
    let row = *group.row.get_or_insert_with(|| {
        let row = rows.start_row();
        let home_from_set = place.set_from_home.inverse();
        for corners in collision.level.solids.corners_of(&group.solids) {
            let bounds = Aabb32::around_points(&corners);
            rows.push(&extruded(
                moved_box(&bounds, &home_from_set),
                segment_length,
            ));
        }
        pieces.resize((row + 1) * LANES, None);
        row as u32
    });
    row as usize
}

/// Adds a triangle to those opened, or its pieces if it is extruded; returns from and to where.
fn open(
    collision: &CollisionWorld,
    place: &Place,
    solid: &SolidTriangle,
    segment_length: f64,
    opened: &mut Vec<Candidate>,
) -> [u32; 2] {
    let first = opened.len() as u32;
    let material = &collision.level.materials[solid.surface.material as usize];
    let home_from_set = place.set_from_home.inverse();
    if let Some(candidate) = Candidate::of(solid, material, &home_from_set) {
        push_extruded(&candidate, segment_length, opened);
    }
    [first, opened.len() as u32]
}

/// A box in other coordinates.
fn moved_box(bounds: &Aabb32, other_from_this: &Rigid) -> Aabb32 {
    if other_from_this.is_identity() {
        return *bounds;
    }
    Aabb32::around(&bounds.to_f64().transformed(other_from_this))
}
