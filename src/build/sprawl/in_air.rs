//! The parts of sprawling geometry that certainly lie inside the room into which it sprawls.
//!
//! The lists of nearby geometry are conservative: they may contain too much. A winding number, in contrast, sums all
//! triangles that it is given, so it needs exactly those that bound the space inside the room. To find them, the
//! sprawling triangles are cut at the openings, and flooded again from the openings along paths that stay inside the
//! room. Such a path crosses no wall of the room, none of its portals, and not the sprawling geometry itself: a path
//! through a floor would end inside the next room.

use glam::DVec3;

use super::air::{MAX_WORK, crossing};
use super::flood::{LIFT, SEED_PARTS, towards};
use super::opening::segment_in;
use super::parts::parts_of;
use crate::build::opening::TOUCH;
use crate::build::windings::RoomWindings;
use crate::geometry::{Aabb, Aabb32, Rigid, Triangle, closest_on_segment, points_of_contact};
use crate::level::{PortalId, RoomId};

/// Maximum cosine of the angle between the normals of two triangles that are the two sides of an open surface.
const OPPOSITE: f64 = -0.99;

/// Geometry of a room in coordinates of another room into which it sprawls.
pub(super) struct SprawlImage<'a> {
    pub windings: &'a RoomWindings<'a>,
    pub into: RoomId,
    pub room: RoomId,
    pub into_from_room: Rigid,
}

/// A point is inside one of two rooms without holes if the sum of their winding numbers around it is greater than this.
/// The limit is below 1 because of rounding next to edges.
const CLOSED: f64 = 0.99;

/// A part of a sprawling triangle.
struct TrianglePart {
    triangle: Triangle,
    normal: DVec3,
    centre: DVec3,
    /// A point inside the room in front of the part, once the part is reached.
    entry: Option<DVec3>,
}

impl SprawlImage<'_> {
    /// The parts inside the room of the geometry that sprawls in through each portal. `through` gives the solid
    /// triangles of that geometry; the parts are in the order of the triangles.
    pub(super) fn parts_in_air(&self, through: &[(PortalId, Vec<u32>)]) -> Vec<Triangle> {
        let mut all: Vec<u32> = through.iter().flat_map(|(_, of)| of).copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut parts = Vec::new();
        // For each triangle, the index of its first part.
        let mut firsts = Vec::with_capacity(all.len() + 1);
        for &index in &all {
            firsts.push(parts.len());
            parts.extend(self.parts_of(index));
        }
        firsts.push(parts.len());
        let range = |index: u32| {
            let at = all.binary_search(&index).ok()?;
            Some(firsts[at]..firsts[at + 1])
        };
        let mut waiting = Vec::new();
        for (portal, triangles) in through {
            for index in triangles.iter().filter_map(|&index| range(index)).flatten() {
                if parts[index].entry.is_none() {
                    parts[index].entry = self.enter(&parts[index], *portal);
                    waiting.extend(parts[index].entry.map(|_| index));
                }
            }
        }
        while let Some(from) = waiting.pop() {
            let around = Aabb::around(parts[from].triangle.corners).grown(TOUCH);
            let around = around.transformed(&self.into_from_room.inverse());
            let level = self.windings.level();
            let solids = &level.room(self.room).solids;
            let mut near = Vec::new();
            level
                .solids
                .touching(solids, &Aabb32::around(&around), |solid| {
                    near.extend(range(solid.index).into_iter().flatten());
                });
            for index in near {
                if parts[index].entry.is_none() {
                    parts[index].entry = self.go_on(&parts[from], &parts[index]);
                    waiting.extend(parts[index].entry.map(|_| index));
                }
            }
        }
        let in_air = parts.iter().filter(|part| {
            let sample = part.centre + part.normal * LIFT;
            part.entry.is_some_and(|entry| self.is_clear(entry, sample))
        });
        in_air.map(|part| part.triangle).collect()
    }

    fn parts_of(&self, index: u32) -> Vec<TrianglePart> {
        let level = self.windings.level();
        let triangle = level.solids.triangle(index).triangle();
        let triangle = triangle.transformed(&self.into_from_room);
        let mut parts = Vec::new();
        for polygon in parts_of(self.windings, self.into, &triangle) {
            for pair in polygon[1..].windows(2) {
                let triangle = Triangle {
                    corners: [polygon[0], pair[0], pair[1]],
                };
                let Some(normal) = triangle.normal() else {
                    continue;
                };
                parts.push(TrianglePart {
                    centre: triangle.corners.iter().sum::<DVec3>() / 3.0,
                    entry: None,
                    triangle,
                    normal,
                });
            }
        }
        parts
    }

    /// If a part touches an opening, and a path inside the room leads from the opening's centre to the part: the point
    /// in front of the part where the path ends.
    fn enter(&self, part: &TrianglePart, portal: PortalId) -> Option<DVec3> {
        let polygon = &self.windings.level().portal(portal).polygon;
        let [a, b] = segment_in(&part.triangle.corners, polygon)?;
        let behind = polygon.plane.normal * -LIFT;
        let middle = polygon.centre() + behind;
        SEED_PARTS.iter().find_map(|&at| {
            let crossing = a.lerp(b, at);
            // The start is moved towards the centre: in an acute corner of the room, a point at the crossing may lie
            // behind the other wall.
            let start = towards(crossing, polygon.centre()) + behind;
            let entry = part.sample(crossing);
            let is_reached = self.is_clear(middle, start) && self.is_clear(start, entry);
            is_reached.then_some(entry)
        })
    }

    /// If the part `to` touches the reached part `from`, and a path inside the room leads from one to the other: the
    /// point in front of `to` where the path ends.
    fn go_on(&self, from: &TrianglePart, to: &TrianglePart) -> Option<DVec3> {
        let start = from.entry?;
        let contacts = points_of_contact(&from.triangle, &to.triangle, TOUCH);
        contacts.into_iter().find_map(|contact| {
            let (left, entry) = (from.sample(contact), to.sample(contact));
            let over = from.around_edge(to, contact);
            if over.is_some_and(|over| !self.is_in_closed_air(over)) {
                return None;
            }
            let path = [left].into_iter().chain(over).chain([entry]);
            let mut at = start;
            for next in path {
                if !self.is_clear(at, next) {
                    return None;
                }
                at = next;
            }
            Some(entry)
        })
    }

    /// Whether a segment that begins inside the room stays inside: it enters no solid of either room and leaves through
    /// no portal. It may come out of a solid.
    fn is_clear(&self, from: DVec3, to: DVec3) -> bool {
        let around = Aabb::around([from, to]);
        let near = self.windings.portals_near(self.into, &around);
        // The front of a portal faces out of the room.
        let leaves = near
            .iter()
            .flat_map(|(_, portal)| portal.polygon.triangles());
        let mut leaves = leaves.filter_map(|triangle| crossing(&triangle, from, to));
        let leaves = leaves.any(|(_, step)| step < 0);
        let room_from_into = self.into_from_room.inverse();
        let [start, end] = [from, to].map(|p| room_from_into.point(p));
        let is_clear =
            !leaves && !self.enters(self.into, from, to) && !self.enters(self.room, start, end);
        is_clear || self.winds_around(to, end)
    }

    /// Whether a segment crosses a solid triangle of a room from front to back.
    fn enters(&self, room: RoomId, from: DVec3, to: DVec3) -> bool {
        let level = self.windings.level();
        let around = Aabb32::around(&Aabb::around([from, to]));
        let mut enters = false;
        level
            .solids
            .touching(&level.room(room).solids, &around, |solid| {
                let crossed = crossing(&solid.triangle(), from, to);
                enters |= crossed.is_some_and(|(_, step)| step > 0);
            });
        enters
    }

    /// Whether a point beyond a convex edge is inside the room: the room winds around it, or the sum of the two rooms'
    /// winding numbers shows that neither room has a hole there. Through a hole, a path could reach any floor by way of
    /// the sky.
    fn is_in_closed_air(&self, point: DVec3) -> bool {
        let windings = self.windings;
        let in_room = self.into_from_room.inverse().point(point);
        let both = || {
            windings.around_closed(self.into, point) + windings.around_closed(self.room, in_room)
        };
        self.winds_around(point, in_room) || windings.work.get() <= MAX_WORK && both() > CLOSED
    }

    /// Whether the room winds around a point and the other room does not. If the other room does, the path has crossed
    /// an object inside the room. `point` and `in_room` are the same point in coordinates of the two rooms.
    fn winds_around(&self, point: DVec3, in_room: DVec3) -> bool {
        let windings = self.windings;
        let around = |room, point| windings.around_closed(room, point);
        windings.work.get() <= MAX_WORK
            && around(self.into, point) > 0.5 + around(self.room, in_room).max(0.0)
    }
}

impl TrianglePart {
    /// A point slightly in front of the part, near `place`.
    fn sample(&self, place: DVec3) -> DVec3 {
        let corners = self.triangle.corners;
        let on_edges =
            [0, 1, 2].map(|i| closest_on_segment(corners[i], corners[(i + 1) % 3], place));
        let key = |p: &DVec3| p.distance_squared(place);
        let nearest = on_edges
            .into_iter()
            .min_by(|a, b| key(a).total_cmp(&key(b)));
        towards(nearest.unwrap_or(place), self.centre) + self.normal * LIFT
    }

    /// A point in front of both parts if they meet in a convex edge. A path over the edge goes through this point,
    /// because a straight one would cross the solid between the parts.
    fn around_edge(&self, other: &Self, contact: DVec3) -> Option<DVec3> {
        let [to_this, to_other] = [self, other].map(|part| part.centre - contact);
        let stands_out = self.normal.dot(to_other) < 0.0 && other.normal.dot(to_this) < 0.0
            || self.normal.dot(other.normal) < OPPOSITE;
        let outwards = -(to_this.normalize_or_zero() + to_other.normalize_or_zero());
        let outwards = outwards.normalize_or_zero();
        stands_out.then(|| contact + (self.normal + other.normal + outwards) * LIFT)
    }
}
