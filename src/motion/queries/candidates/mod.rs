//! Which polygons can a motion meet: those of the rooms that its box reaches through portals.
//!
//! They are gathered in a box larger than one tick needs, and kept. Of these, those in a sphere
//! that is a little larger than one tick needs are listed, and kept too. A later tick inside the
//! box only finds out which of the rooms its own, smaller box reaches; if those have not changed,
//! and it has not left the sphere, the list holds. It sees the same polygons as if it had gathered
//! again.

mod candidate;
mod extrude;
mod gather;
mod hidden;
mod nearby;
mod reach;

use glam::DVec3;

pub(super) use candidate::Candidate;
pub(in crate::motion) use candidate::Surface;
use extrude::{extruded, push_extruded};
use hidden::is_behind;
use nearby::{Boxes, LANES};

use crate::geometry::{Aabb, Aabb32, Rigid};
use crate::level::{At, LinkId, MoverId, RoomId, SolidGroup, SolidTriangle, Solids, Walk};
use crate::motion::collision_world::{BroadPhase, CollisionWorld};

/// Candidates are gathered this many times the reach of the tick that needs them beyond it.
const MARGIN: f64 = 2.0;

/// Of these, those are listed that come within this many times that reach more than it needs.
const SPARE: f64 = 0.5;

/// A row of boxes is that of a group.
const _: () = assert!(Solids::GROUP == LANES);

/// What was gathered, and which of it counts now.
#[derive(Debug, Default)]
pub(super) struct Candidates {
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
    /// The links whose polygons the gathered box touches, and whether they were open.
    links: Vec<(LinkId, bool)>,
    /// The movers that it may touch, and where they were if they were present.
    movers: Vec<(MoverId, Option<Rigid>)>,
    groups: Vec<Group>,
    /// A box around each group.
    boxes: Boxes,
    /// Boxes around the triangles of groups that came near, a row for each.
    rows: Boxes,
    /// For each of these boxes, from and to where its triangle is in `opened`, once that came near:
    /// nowhere if it has no area, in several pieces if it was extruded.
    pieces: Vec<Option<[u32; 2]>>,
    opened: Vec<Candidate>,
    /// What comes within `near_reach` metres of `near_centre` in the places reached: indices into
    /// `opened`, and the box around each.
    near: Vec<u32>,
    near_boxes: Boxes,
    near_centre: DVec3,
    near_reach: f64,
    /// The places that the last tick's box reached, and those of the present one.
    reached: [Vec<u32>; 2],
    /// How many of the present ones are not foreign.
    own_count: usize,
    generation: u64,
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
    /// Those of a mover.
    Mover(MoverId),
}

/// From a room to one behind a portal, to one whose geometry sprawls in, to a closed link's polygon, or
/// to a mover.
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
    /// Finds every solid triangle that comes within `reach` metres of `at` when extruded downwards
    /// by `segment_length` metres.
    ///
    /// Starting at the room of `at`, a portal is passed where the sphere's box touches its reach, and a
    /// closed link's polygon or a mover counts where it touches that, box against box; in each room reached,
    /// the sphere is tested against the box of each polygon, then against the polygon.
    pub(super) fn find(
        &mut self,
        collision: &CollisionWorld,
        at: At,
        reach: f64,
        segment_length: f64,
    ) {
        let At {
            room,
            point: centre,
        } = at;
        let query = Aabb::around([centre, centre + DVec3::Y * segment_length]).grown(reach);
        let start = self.place_of(room);
        let is_kept = self.gathered.is_some_and(|(gathered, broad_phase)| {
            broad_phase == collision.broad_phase
                && segment_length == self.segment_length
                && gathered.contains(query.min)
                && gathered.contains(query.max)
                && start.is_some()
        });
        if !is_kept || !self.world_is_as_it_was(collision) {
            self.gather(
                collision,
                room,
                &query.grown(MARGIN * reach),
                segment_length,
            );
        }
        if !self.reach(collision, room, &query) {
            self.generation += 1;
            self.near_reach = f64::NEG_INFINITY;
        }
        if centre.distance(self.near_centre) + reach > self.near_reach {
            self.list(collision, centre, reach * (1.0 + SPARE));
        }
    }

    /// Lists what comes within `reach` metres of `centre` in the places reached.
    fn list(&mut self, collision: &CollisionWorld, centre: DVec3, reach: f64) {
        self.near.clear();
        self.near_boxes.clear();
        self.near_centre = centre;
        self.near_reach = reach;
        self.add_near(collision, centre, reach, false);
        if collision.broad_phase == BroadPhase::Exhaustive {
            self.add_near(collision, centre, reach, true);
        }
    }

    /// Adds what comes within `reach` metres of `centre` in the places reached that are foreign, or
    /// in those that are not.
    fn add_near(&mut self, collision: &CollisionWorld, centre: DVec3, reach: f64, foreign: bool) {
        let own = self.near.len();
        let Self {
            groups,
            boxes,
            rows,
            pieces,
            opened,
            ..
        } = self;
        let probe = Boxes::probe(centre, reach);
        boxes.within(&probe, |index| {
            let group = &mut groups[index];
            let place = &self.places[group.place as usize];
            if !place.reached || place.foreign != foreign {
                return;
            }
            let row = unpack(collision, place, group, self.segment_length, rows, pieces);
            rows.within_row(row, &probe, |box_index| {
                let [first, end] = *pieces[box_index].get_or_insert_with(|| {
                    let index = (box_index % LANES) as u32;
                    let solid = collision.level.solids.triangle_of(&group.solids, index);
                    open(collision, place, &solid, self.segment_length, opened)
                });
                for index in first..end {
                    let walls = self.near[..own].iter().map(|&wall| &opened[wall as usize]);
                    let polygon = &opened[index as usize];
                    if foreign
                        && walls
                            .into_iter()
                            .any(|wall| is_behind(polygon, wall, centre))
                    {
                        continue;
                    }
                    self.near.push(index);
                    self.near_boxes.push(&rows.get(box_index));
                }
            });
        });
    }

    /// Finds every solid triangle whose box, extruded downwards by `segment_length` metres, touches
    /// `query`, a box in coordinates of `room` that is extruded upwards by it, and maybe others.
    pub(super) fn find_in(
        &mut self,
        collision: &CollisionWorld,
        room: RoomId,
        query: &Aabb,
        segment_length: f64,
    ) {
        self.gather(collision, room, query, segment_length);
        self.reached[0].clear();
        self.reached[0].extend(0..self.places.len() as u32);
        for place in &mut self.places {
            (place.reached, place.foreign) = (true, false);
        }
        let half = 0.5 * (query.max - query.min).length();
        self.list(collision, query.centre(), half);
        // A sphere may need more.
        self.near_reach = f64::NEG_INFINITY;
    }

    /// The movers that may be touched in the box that was gathered.
    pub(super) fn movers(&self) -> impl Iterator<Item = MoverId> {
        self.movers.iter().map(|(mover, _)| *mover)
    }

    /// Changes with what a sphere may touch in the same place.
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    /// What was found last, and maybe more that is a little farther away.
    pub(super) fn found(&self) -> impl Iterator<Item = &Candidate> {
        self.near.iter().map(|&index| &self.opened[index as usize])
    }

    /// Calls `look` with all of it that may come within `distance` metres of a point.
    pub(super) fn look_within(
        &self,
        point: DVec3,
        distance: f64,
        mut look: impl FnMut(&Candidate),
    ) {
        let probe = Boxes::probe(point, distance);
        self.near_boxes.again_within(&probe, |index| {
            look(&self.opened[self.near[index] as usize]);
        });
    }

    /// Whether what can change was the same in the gathered box when it was gathered.
    fn world_is_as_it_was(&self, collision: &CollisionWorld) -> bool {
        let (mut links, mut movers) = (self.links.iter(), self.movers.iter());
        links.all(|&(link, open)| collision.is_open(link) == open)
            && movers.all(|(mover, pose)| collision.pose_if_present(*mover) == pose.as_ref())
    }
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
