//! The movers near a body, in their poses.

use glam::DVec3;

use super::extrude::{extruded, push_extruded};
use super::hidden::is_behind;
use super::nearby::BoxList;
use super::{Candidate, Candidates, moved_box};
use crate::collision::collision_world::CollisionWorld;
use crate::collision::solid::Solid;
use crate::geometry::{Aabb, Aabb32, Rigid};
use crate::level::{Level, MoverId, RoomId, SolidSet};
use crate::world::Revision;

/// The search for movers is extended by this fraction of the reach, for rounding.
const ROUNDING: f64 = 1e-6;

/// Movers are found within this extra distance, in metres. As long as nothing moves, the next lists are made from
/// these movers.
const SPARE: f64 = 2.0;

/// The rooms in which a body meets movers, and the nearby movers.
#[derive(Debug, Default)]
pub(super) struct NearMovers {
    rooms: Vec<ReachedRoom>,
    /// The movers in the list.
    near: Vec<NearMover>,
    /// The movers near a larger sphere.
    around: Vec<NearMover>,
    /// The centre and radius of that sphere; `None` once its movers are outdated.
    holds: Option<(DVec3, f64)>,
    /// Indices of the mover instances in a room that may be near.
    images: Vec<u32>,
    /// The revision of the world for which the movers were found.
    found_in: Option<Revision>,
}

/// A reached room with movers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ReachedRoom {
    room: RoomId,
    room_from_home: Rigid,
    /// Whether only the exhaustive broad phase reaches the room.
    foreign: bool,
}

/// A mover in its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NearMover {
    mover: MoverId,
    mover_from_home: Rigid,
    /// The box around the mover's triangles, in the mover's coordinates.
    bounds: Aabb,
    foreign: bool,
}

/// The sphere that a list covers, in home coordinates, and the length by which polygons are extruded. Lengths are in
/// metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere {
    pub centre: DVec3,
    pub reach: f64,
    pub segment_length: f64,
}

/// A list of candidates under construction.
pub(super) struct CandidateList<'a> {
    pub sphere: Sphere,
    pub candidates: &'a mut Vec<Candidate>,
    pub boxes: &'a mut BoxList,
}

impl NearMovers {
    /// Whether the nearby movers are those of the current world state.
    pub(super) fn are_of(&self, collision: &CollisionWorld) -> bool {
        self.found_in == Some(collision.world.revision())
    }

    /// Whether no mover is near.
    pub(super) fn is_empty(&self) -> bool {
        self.near.is_empty()
    }

    pub(super) fn near(&self) -> impl Iterator<Item = MoverId> {
        self.near.iter().map(|near| near.mover)
    }

    /// The nearby mover that a solid is part of, and the transform from coordinates of its room.
    pub(super) fn of_solid(
        &self,
        collision: &CollisionWorld,
        solid: Solid,
    ) -> Option<(MoverId, Rigid)> {
        let Solid::Triangle(index) = solid else {
            return None;
        };
        let mut near = self.near.iter();
        let NearMover {
            mover,
            mover_from_home,
            ..
        } = near.find(|near| collision.level.mover(near.mover).solids.contains(index))?;
        let room_from_home = collision.world.pose(*mover).after(mover_from_home);
        Some((*mover, room_from_home.inverse()))
    }

    /// The transforms from the mover's room to the list's coordinates, one for each instance of the mover that the
    /// body can meet.
    pub(super) fn home_from_room_of(
        &self,
        collision: &CollisionWorld,
        mover: MoverId,
    ) -> impl Iterator<Item = Rigid> {
        let CollisionWorld { level, world, .. } = *collision;
        self.rooms.iter().flat_map(move |reached| {
            let home_from_room = reached.room_from_home.inverse();
            let images = level.room(reached.room).images_of(mover);
            images.map(move |image| {
                home_from_room.after(&world.here_from_room_of(level, reached.room, image))
            })
        })
    }

    /// The reached rooms with movers, and the transforms to them from the list's coordinates.
    pub(super) fn rooms(&self) -> impl Iterator<Item = (RoomId, Rigid)> {
        let rooms = self.rooms.iter();
        rooms.map(|reached| (reached.room, reached.room_from_home))
    }

    /// Copies the reached rooms that have movers.
    pub(super) fn take_rooms(&mut self, gathered: &Candidates, level: &Level) {
        if level.movers.is_empty() {
            return;
        }
        let mut count = 0;
        for (room, image) in gathered.reached_rooms() {
            if level.room(room).movers.is_empty() {
                continue;
            }
            let reached = ReachedRoom {
                room,
                room_from_home: image.set_from_home,
                foreign: image.foreign,
            };
            if self.rooms.get(count) != Some(&reached) {
                self.rooms.truncate(count);
                self.rooms.push(reached);
                self.holds = None;
            }
            count += 1;
        }
        if count < self.rooms.len() {
            self.rooms.truncate(count);
            self.holds = None;
        }
    }

    /// Finds the movers near a list that is being rebuilt.
    pub(super) fn find(&mut self, collision: &CollisionWorld, list: &Sphere) {
        if self.rooms.is_empty() && self.near.is_empty() {
            return self.note_world(collision);
        }
        let is_inside =
            |(centre, reach): (DVec3, f64)| list.centre.distance(centre) + list.reach <= reach;
        if !self.are_of(collision) || !self.holds.is_some_and(is_inside) {
            self.note_world(collision);
            let reach = list.reach + SPARE;
            self.holds = Some((list.centre, reach));
            let around = Sphere { reach, ..*list };
            update(
                &self.rooms,
                collision,
                &around,
                (&mut self.around, &mut self.images),
            );
        }
        self.near.clear();
        for mover in &self.around {
            let ends = list.ends().map(|p| mover.mover_from_home.point(p));
            if list.is_near(ends, &mover.bounds) {
                self.near.push(*mover);
            }
        }
    }

    /// Finds the movers near the same list after the world has changed; returns whether they have moved or differ
    /// from the movers before.
    pub(super) fn find_again(&mut self, collision: &CollisionWorld, list: &Sphere) -> bool {
        self.note_world(collision);
        self.holds = None;
        update(
            &self.rooms,
            collision,
            list,
            (&mut self.near, &mut self.images),
        )
    }

    fn note_world(&mut self, collision: &CollisionWorld) {
        self.found_in = Some(collision.world.revision());
    }

    /// Lists the triangles of the nearby movers. Without `walls`, only movers without the `foreign` flag are listed.
    /// With `walls`, only movers with the flag are listed, without their polygons behind one of the first `walls`
    /// candidates of the list.
    pub(super) fn list(
        &self,
        collision: &CollisionWorld,
        walls: Option<usize>,
        list: &mut CandidateList,
    ) {
        for near in &self.near {
            if near.foreign == walls.is_some() {
                list.push_mover(collision, near, walls.unwrap_or(0));
            }
        }
    }
}

/// Updates a list of the movers near a sphere; returns whether it has changed.
fn update(
    rooms: &[ReachedRoom],
    collision: &CollisionWorld,
    sphere: &Sphere,
    (movers, images): (&mut Vec<NearMover>, &mut Vec<u32>),
) -> bool {
    let CollisionWorld { level, world, .. } = *collision;
    let (mut count, mut differ) = (0, false);
    for (index, reached) in rooms.iter().enumerate() {
        let ends = sphere.ends().map(|p| reached.room_from_home.point(p));
        let room = level.room(reached.room);
        images.clear();
        images.extend(room.mover_boxes.may_touch(&sphere.around(ends)));
        images.sort_unstable();
        for image in &*images {
            let image = &room.movers[*image as usize];
            // The mover that moves this room is met from outside, through the room's openings.
            if room.moved_by == Some(image.mover)
                || !sphere.is_near(ends, &image.bounds)
                || collision.pose_if_present(image.mover).is_none()
            {
                continue;
            }
            let bounds = level.solids.bounds(&level.mover(image.mover).solids);
            let here_from_mover = world.here_from_mover(level, reached.room, image);
            let on_mover = ends.map(|p| here_from_mover.point_from(p));
            if !sphere.is_near(on_mover, &bounds) {
                continue;
            }
            let mover_from_home = here_from_mover.inverse().after(&reached.room_from_home);
            let near = NearMover {
                mover: image.mover,
                mover_from_home: first_met(
                    &rooms[..index],
                    collision,
                    image.mover,
                    mover_from_home,
                ),
                bounds,
                foreign: reached.foreign,
            };
            // The same mover may be found through several rooms; only the first is listed, which is the body's own
            // room if possible.
            let is_same = |known: &NearMover| {
                known.mover == near.mover && known.mover_from_home == near.mover_from_home
            };
            if movers[..count].iter().any(is_same) {
                continue;
            }
            if movers.get(count) != Some(&near) {
                differ = true;
                movers.truncate(count);
                movers.push(near);
            }
            count += 1;
        }
    }
    differ |= count < movers.len();
    movers.truncate(count);
    differ
}

/// The pose of a mover as computed through the first of the rooms in which the mover has that pose. The poses
/// computed through different rooms differ by rounding, and the sphere's size decides in which rooms the mover comes
/// near.
fn first_met(
    rooms: &[ReachedRoom],
    collision: &CollisionWorld,
    mover: MoverId,
    mover_from_home: Rigid,
) -> Rigid {
    let CollisionWorld { level, world, .. } = *collision;
    let places = rooms.iter().flat_map(|reached| {
        let images = level.room(reached.room).images_of(mover);
        images.map(|image| {
            let here_from_mover = world.here_from_mover(level, reached.room, image);
            here_from_mover.inverse().after(&reached.room_from_home)
        })
    });
    let mut same = places.filter(|place| place.is_about(&mover_from_home));
    same.next().unwrap_or(mover_from_home)
}

impl Sphere {
    /// The ends of the segment by which polygons are extruded; it goes up from the sphere's centre.
    fn ends(&self) -> [DVec3; 2] {
        [self.centre, self.centre + DVec3::Y * self.segment_length]
    }

    /// Whether the sphere, swept along the segment, touches another sphere.
    pub(super) fn is_within(&self, centre: DVec3, radius: f64) -> bool {
        let [low, high] = self.ends();
        let nearest = DVec3::new(low.x, centre.y.clamp(low.y, high.y), low.z);
        nearest.distance(centre) <= (self.reach + radius) * (1.0 + ROUNDING)
    }

    /// Whether the box around the sphere, swept along the segment with these ends, overlaps a box.
    fn is_near(&self, ends: [DVec3; 2], bounds: &Aabb) -> bool {
        self.around(ends).overlaps(bounds)
    }

    fn around(&self, ends: [DVec3; 2]) -> Aabb {
        Aabb::around(ends).grown(self.reach * (1.0 + ROUNDING))
    }
}

impl CandidateList<'_> {
    /// Lists the triangles of a mover that are not behind any of the first `walls` candidates.
    fn push_mover(&mut self, collision: &CollisionWorld, near: &NearMover, walls: usize) {
        let set = &collision.level.mover(near.mover).solids;
        self.push_solids(collision, set, &near.mover_from_home, walls, |candidate| {
            candidate
        });
    }

    /// Lists triangles in a pose that are not behind any of the first `walls` candidates, each modified by `change`.
    pub(super) fn push_solids(
        &mut self,
        collision: &CollisionWorld,
        set: &SolidSet,
        set_from_home: &Rigid,
        walls: usize,
        change: impl Fn(Candidate) -> Candidate,
    ) {
        let level = collision.level;
        let home_from_set = set_from_home.inverse();
        let sphere = self.sphere;
        let probe = BoxList::probe(sphere.centre, sphere.reach);
        let ends = sphere.ends().map(|p| set_from_home.point(p));
        // The segment is vertical in home coordinates, and the box around its transformed ends contains all of it.
        let query = Aabb32::around(&sphere.around(ends));
        level.solids.groups_touching(set, &query, |group, _| {
            for (index, corners) in (0..).zip(level.solids.corners_of(&group)) {
                let bounds = moved_box(&Aabb32::around_points(&corners), &home_from_set);
                let bounds = extruded(bounds, sphere.segment_length);
                if !probe.touches(&bounds) {
                    continue;
                }
                let solid = level.solids.triangle_of(&group, index);
                let material = &level.materials[solid.surface.material as usize];
                let Some(candidate) = Candidate::of(&solid, material, &home_from_set) else {
                    continue;
                };
                let candidate = change(candidate);
                let mut first = self.candidates.len();
                push_extruded(&candidate, sphere.segment_length, self.candidates);
                while first < self.candidates.len() {
                    let (walls, piece) = (&self.candidates[..walls], &self.candidates[first]);
                    if walls
                        .iter()
                        .any(|wall| is_behind(piece, wall, sphere.centre))
                    {
                        self.candidates.remove(first);
                    } else {
                        self.boxes.push(&bounds);
                        first += 1;
                    }
                }
            }
        });
    }
}
