//! The broad phase: finds the polygons that a motion can meet, in the rooms that its box reaches through
//! portals.
//!
//! [`Candidates`] gathers polygons in a box larger than one tick needs. [`CandidateCache`] belongs to a body and
//! lists the gathered polygons in a sphere a little larger than one tick needs. As long as the body's motion stays
//! inside the sphere, a later tick only checks whether its own, smaller box reaches the same rooms. If it does,
//! gathering again would give the same list.
//!
//! Movers are not gathered: nearby movers are found again whenever the world has changed, and listed after
//! all static polygons ([`movers::NearMovers`]). Rigid bodies are listed after the movers, in the same way
//! ([`bodies::NearBodies`]).
//!
//! Gathered polygons are cached too, until another body that shares the memory needs other ones. Usually a tick reads
//! only its list: with ten thousand actors, no data of an actor is in the processor's caches, and a tick takes as
//! long as it waits for memory.

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
pub(crate) use candidate::SurfaceResponse;
use extrude::{extruded, push_extruded};
use nearby::{BoxList, LANES, Probe};

use crate::collision::collision_world::{BroadPhase, CollisionWorld};
use crate::geometry::{Aabb, Aabb32, Rigid};
use crate::level::{LinkId, PortalId, RoomId, SolidGroup, SolidTriangle, Solids, Walk};

/// The gathered box is larger than the listed box by this multiple of the tick's reach. A larger margin is wasted on
/// a body that is elsewhere in the next tick, or that shares the memory with other bodies.
const MARGIN: f64 = 1.25;

/// The margin for a body that leaves the gathered box: it probably continues in the same direction.
const MARGIN_ONWARDS: f64 = 3.0;

/// One row of boxes holds exactly one group.
const _: () = assert!(Solids::GROUP == LANES);

/// The polygons gathered around a body, with the ones that the current tick reaches marked. Bodies can share this
/// memory: a body that needs other polygons gathers again.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    /// The box in which polygons were gathered, in home coordinates (the coordinates of the room gathered
    /// from), and the broad phase; `None` before the first time.
    gathered: Option<(Aabb, BroadPhase)>,
    /// Length of the capsule's segment, metres, by which polygons are extruded downwards.
    segment_length: f64,
    /// The rooms that the gathered box reaches.
    walk: Walk<()>,
    /// The index in `images` for each room instance of the walk.
    image_of_visit: Vec<u32>,
    images: Vec<SetImage>,
    edges: Vec<ImageEdge>,
    /// The links whose polygons the box touches, each with whether it was open.
    links: Vec<(LinkId, bool)>,
    /// The portals that move and may be in the box, with [`Portal::far_from_near`].
    ///
    /// [`Portal::far_from_near`]: crate::level::Portal::far_from_near
    portals: Vec<(PortalId, Rigid)>,
    groups: Vec<TriangleGroup>,
    /// A box around each group.
    boxes: BoxList,
    /// Boxes around the triangles of groups that came near, one row for each group.
    rows: BoxList,
    /// For each of the boxes in `rows`, the range of its triangle in `decoded`, once the triangle came near. The
    /// range is empty for a degenerate triangle and has several polygons for an extruded one.
    pieces: Vec<Option<[u32; 2]>>,
    decoded: Vec<Candidate>,
    /// The indices of the instances that the last queried box reaches.
    reached: Vec<u32>,
    /// The barriers of a room that are near.
    near_barriers: Vec<u32>,
    /// The openings of the list that is being replaced.
    last_openings: Vec<(Aabb, bool)>,
}

/// An instance of a set of triangles: the set and its transform.
#[derive(Clone, Copy, Debug)]
struct SetImage {
    set: Set,
    /// The transform from home coordinates to the coordinates of the set.
    set_from_home: Rigid,
    /// The first and one past the last index of the instance's edges in `edges`.
    edges: [u32; 2],
    /// Whether the box of the current tick reaches the set.
    reached: bool,
    /// Whether only the exhaustive broad phase reaches the set.
    foreign: bool,
}

/// The set of triangles of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// The triangles of a room.
    Room(RoomId),
    /// The polygon of a closed link.
    Link(LinkId),
}

/// An edge of the flood. It goes from a room to the room behind a portal, to a room whose geometry sprawls in, or to
/// a closed link's polygon.
#[derive(Clone, Copy, Debug)]
struct ImageEdge {
    /// The bounds of the connection, in coordinates of the room at the start of the edge. Only a box that touches
    /// them can reach the target.
    bounds: Aabb,
    to: u32,
}

/// A gathered group of triangles.
#[derive(Clone, Debug)]
struct TriangleGroup {
    image: u32,
    /// The triangles in the level; empty for the polygon of a closed link, which is decoded at once.
    solids: SolidGroup,
    /// The group's row of [`Candidates::rows`], once it came near.
    row: Option<u32>,
}

impl Candidates {
    /// Gathers all polygons in `listed`, a box in coordinates of `room`, grown by a multiple of `reach`. Does nothing
    /// if the gathered box contains `listed` and neither links nor portals have changed.
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
            || self.image_of(room).is_none()
            || !are_as_in(collision, &self.links, &self.portals)
        {
            let goes_on = self
                .gathered
                .is_some_and(|(gathered, _)| gathered.overlaps(listed))
                && self.image_of(room).is_some();
            let margin = if goes_on { MARGIN_ONWARDS } else { MARGIN };
            self.gather(
                collision,
                room,
                &listed.grown(margin * reach),
                segment_length,
            );
        }
    }

    /// Gathers all polygons in a box, in coordinates of `room`, for many bodies at once.
    pub(crate) fn gather_for_many(&mut self, collision: &CollisionWorld, room: RoomId, all: &Aabb) {
        self.prepare(collision, room, all, 0.0, 0.0);
    }

    /// Calls `found` for each triangle that may be within the probe, with the polygons of the triangle and the box
    /// around it. Only the reached instances whose `foreign` flag matches are searched.
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
            decoded,
            ..
        } = self;
        boxes.within(probe, |index| {
            let group = &mut groups[index];
            let image = &self.images[group.image as usize];
            if !image.reached || image.foreign != foreign {
                return;
            }
            let row = unpack(collision, image, group, self.segment_length, rows, pieces);
            rows.within_row(row, probe, |box_index| {
                let [first, end] = *pieces[box_index].get_or_insert_with(|| {
                    let index = (box_index % LANES) as u32;
                    let solid = collision.level.solids.triangle_of(&group.solids, index);
                    decode(collision, image, &solid, self.segment_length, decoded)
                });
                found(&decoded[first as usize..end as usize], &rows.get(box_index));
            });
        });
    }

    /// Marks all instances as reached.
    fn reach_all(&mut self) {
        self.reached.clear();
        self.reached.extend(0..self.images.len() as u32);
        for image in &mut self.images {
            (image.reached, image.foreign) = (true, false);
        }
    }
}

/// Whether all links are open or closed as before, and all portals have the same transforms as before.
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

impl SetImage {
    fn is_room(&self) -> bool {
        matches!(self.set, Set::Room(_))
    }
}

/// The index of the row of a group's boxes; adds the row if there is none.
fn unpack(
    collision: &CollisionWorld,
    image: &SetImage,
    group: &mut TriangleGroup,
    segment_length: f64,
    rows: &mut BoxList,
    pieces: &mut Vec<Option<[u32; 2]>>,
) -> usize {
    let row = *group.row.get_or_insert_with(|| {
        let row = rows.start_row();
        let home_from_set = image.set_from_home.inverse();
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

/// Decodes a triangle into `decoded`, or its polygons if it is extruded; returns their range.
fn decode(
    collision: &CollisionWorld,
    image: &SetImage,
    solid: &SolidTriangle,
    segment_length: f64,
    decoded: &mut Vec<Candidate>,
) -> [u32; 2] {
    let first = decoded.len() as u32;
    let material = &collision.level.materials[solid.surface.material as usize];
    let home_from_set = image.set_from_home.inverse();
    if let Some(candidate) = Candidate::of(solid, material, &home_from_set) {
        push_extruded(&candidate, segment_length, decoded);
    }
    [first, decoded.len() as u32]
}

/// The box around a transformed box.
fn moved_box(bounds: &Aabb32, other_from_this: &Rigid) -> Aabb32 {
    if other_from_this.is_identity() {
        return *bounds;
    }
    Aabb32::around(&bounds.to_f64().transformed(other_from_this))
}
