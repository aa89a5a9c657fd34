//! A flood over touching triangles that starts in a portal's opening.

use std::collections::BTreeSet;

use glam::DVec3;

use super::air::Air;
use super::opening::segment_in;
use crate::build::opening::TOUCH;
use crate::build::windings::RoomWindings;
use crate::geometry::{
    Aabb, Aabb32, ConvexPolygon, Rigid, Triangle, closest_on_segment, points_of_contact,
};
use crate::level::{PortalId, SolidSet, Solids};

/// Distance from a triangle's edge of the points at which the triangle is sampled, metres.
const INWARDS: f64 = 0.01;
/// Distance in front of a triangle of the points at which it is sampled, metres.
pub(super) const LIFT: f64 = 1e-3;

/// The points at which a seed is sampled, as fractions of the segment in which the seed crosses the opening. There are
/// several because an object may cover some of them.
pub(super) const SEED_PARTS: [f64; 4] = [0.125, 0.375, 0.625, 0.875];

/// A triangle of the room whose geometry is flooded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SprawlTriangle {
    /// 0 for the level's solids, 1 for drawn, non-solid triangles.
    layer: u8,
    index: u32,
}

impl SprawlTriangle {
    /// The layer, and the index relative to the first triangle of that layer's set.
    pub(super) fn within(self, sets: [&SolidSet; 2]) -> [u32; 2] {
        let first = sets[usize::from(self.layer)].triangles().start;
        [u32::from(self.layer), self.index - first]
    }

    /// The inverse of [`Self::within`].
    pub(super) fn of([layer, index]: [u32; 2], sets: [&SolidSet; 2]) -> Self {
        Self {
            layer: layer as u8,
            index: sets[layer as usize].triangles().start + index,
        }
    }

    /// The triangle itself, from the geometry of its room.
    pub(super) fn triangle(&self, geometry: [(&Solids, &SolidSet); 2]) -> Triangle {
        let (solids, _) = geometry[usize::from(self.layer)];
        solids.triangle(self.index).triangle()
    }

    /// The index in the level, if the triangle is solid.
    pub(super) fn solid(&self) -> Option<u32> {
        (self.layer == 0).then_some(self.index)
    }
}

/// The input of a flood: the air, the opening, and the geometry.
pub(super) struct SprawlFlood<'a> {
    air: Air<'a>,
    polygon: &'a ConvexPolygon,
    /// The flooded geometry in coordinates of its own room: solids, and triangles that are only drawn.
    geometry: [(&'a Solids, &'a SolidSet); 2],
    near_from_geometry: Rigid,
    geometry_from_near: Rigid,
    /// Box around the room into which the geometry sprawls. Its top is infinite, because the room may be open above.
    room: Aabb,
}

/// A reached triangle behind the portal.
struct ReachedTriangle {
    triangle: Triangle,
    normal: DVec3,
    /// The corners of its part behind the portal's plane.
    part: Vec<DVec3>,
    /// A point in front of the triangle.
    entry: DVec3,
    /// Number of walls behind which `entry` lies.
    walls: i32,
}

impl<'a> SprawlFlood<'a> {
    pub(super) fn new(
        windings: &'a RoomWindings<'a>,
        through: PortalId,
        geometry: [(&'a Solids, &'a SolidSet); 2],
        near_from_geometry: Rigid,
    ) -> Self {
        let level = windings.level();
        let portal = level.portal(through);
        let mut room = level.room(portal.near).bounds.grown(TOUCH);
        room.max.y = f64::INFINITY;
        Self {
            air: Air {
                level,
                windings,
                room: portal.near,
                through,
            },
            polygon: &portal.polygon,
            geometry,
            near_from_geometry,
            geometry_from_near: near_from_geometry.inverse(),
            room,
        }
    }

    /// The box around the geometry that sprawls in through the opening, and its triangles in order; `None` if there is
    /// none. If `seeds` is given, only these triangles may cross the opening. `claimed` triangles belong to another
    /// opening in the same plane.
    pub(super) fn run(
        &self,
        seeds: Option<&[SprawlTriangle]>,
        claimed: &BTreeSet<SprawlTriangle>,
    ) -> Option<(Aabb, Vec<SprawlTriangle>)> {
        if !self.reaches_behind() {
            return None;
        }
        let mut visited: BTreeSet<SprawlTriangle> = BTreeSet::new();
        let mut waiting: Vec<(SprawlTriangle, ReachedTriangle)> = Vec::new();
        self.touching(&self.polygon.bounds().grown(TOUCH), |piece, triangle| {
            let is_seed = seeds.is_none_or(|seeds| seeds.binary_search(&piece).is_ok());
            if !is_seed || claimed.contains(&piece) {
                return;
            }
            if let Some(segment) = segment_in(&triangle.corners, self.polygon)
                && let Some(seed) = self.enter(triangle, segment)
            {
                visited.insert(piece);
                waiting.push((piece, seed));
            }
        });
        let mut bounds = Aabb::EMPTY;
        let mut pieces = Vec::new();
        while let Some((piece, at)) = waiting.pop() {
            let part = self.part_in_air(&at);
            if !part.is_empty() {
                bounds = bounds.union(part);
                pieces.push(piece);
            }
            let around = intersection(&Aabb::around(at.part.iter().copied()), &self.room);
            self.touching(&around.grown(TOUCH), |piece, triangle| {
                if !visited.contains(&piece)
                    && !claimed.contains(&piece)
                    && let Some(next) = self.go_on(&at, triangle)
                {
                    visited.insert(piece);
                    waiting.push((piece, next));
                }
            });
        }
        pieces.sort_unstable();
        (!bounds.is_empty()).then_some((bounds, pieces))
    }

    /// Whether any of the geometry is behind the portal's plane.
    fn reaches_behind(&self) -> bool {
        let bounds = self
            .geometry
            .iter()
            .map(|(solids, set)| solids.bounds(set))
            .fold(Aabb::EMPTY, Aabb::union);
        let plane = &self.polygon.plane;
        let mut corners = bounds.corners().into_iter();
        !bounds.is_empty()
            && corners.any(|p| plane.distance(self.near_from_geometry.point(p)) < -TOUCH)
    }

    /// Calls `found` with every triangle of the geometry whose box touches `query`.
    fn touching(&self, query: &Aabb, mut found: impl FnMut(SprawlTriangle, Triangle)) {
        if query.is_empty() {
            return;
        }
        let query = Aabb32::around(&query.transformed(&self.geometry_from_near));
        for (layer, (solids, set)) in (0..).zip(self.geometry) {
            solids.touching(set, &query, |solid| {
                let corners = solid.triangle().corners;
                let corners = corners.map(|p| self.near_from_geometry.point(p));
                let index = solid.index;
                found(SprawlTriangle { layer, index }, Triangle { corners });
            });
        }
    }

    /// Reaches a triangle that crosses the opening along a segment. Chooses an entry point in the air, if there is one.
    fn enter(&self, triangle: Triangle, [a, b]: [DVec3; 2]) -> Option<ReachedTriangle> {
        let mut seed = self.reached(triangle)?;
        for part in SEED_PARTS {
            let crossing = a.lerp(b, part);
            let behind = self.polygon.plane.normal * -LIFT;
            let start = towards(crossing, self.polygon.centre()) + behind;
            seed.entry = seed.sample(crossing);
            let depth = self.air.follow(0, start, seed.entry);
            seed.walls = depth.walls;
            if depth.walls == 0 {
                break;
            }
        }
        Some(seed)
    }

    /// Reaches a triangle that touches a reached one behind the portal's plane. Chooses an entry point in the air, if
    /// there is one where the two touch.
    fn go_on(&self, at: &ReachedTriangle, triangle: Triangle) -> Option<ReachedTriangle> {
        let plane = &self.polygon.plane;
        if triangle
            .corners
            .iter()
            .all(|&p| plane.distance(p) >= -TOUCH)
        {
            return None;
        }
        let mut found: Option<ReachedTriangle> = None;
        for contact in points_of_contact(&at.triangle, &triangle, TOUCH) {
            if plane.distance(contact) > TOUCH || !self.room.grown(TOUCH).contains(contact) {
                continue;
            }
            let mut next = self.reached(triangle)?;
            next.entry = next.sample(contact);
            let left = at.sample(contact);
            let there = self.air.follow(at.walls, at.entry, left);
            next.walls = self.air.follow(there.walls, left, next.entry).walls;
            let is_in_air = next.walls == 0;
            if is_in_air || found.is_none() {
                found = Some(next);
            }
            if is_in_air {
                break;
            }
        }
        found
    }

    /// A triangle with its part behind the portal's plane.
    fn reached(&self, triangle: Triangle) -> Option<ReachedTriangle> {
        Some(ReachedTriangle {
            normal: triangle.normal()?,
            part: triangle.part_behind(&self.polygon.plane),
            triangle,
            entry: DVec3::ZERO,
            walls: 0,
        })
    }

    /// The box around the part of a triangle that is in the room's air; empty if there is none.
    fn part_in_air(&self, at: &ReachedTriangle) -> Aabb {
        let mut in_air = Aabb::EMPTY;
        let (mut all, mut any) = (at.walls == 0, at.walls == 0);
        for place in at.part.iter().copied().chain([at.centre()]) {
            let depth = self.air.follow(at.walls, at.entry, at.sample(place));
            all &= depth.walls == 0;
            any |= depth.met_air;
            if depth.walls == 0 {
                in_air = in_air.with_point(place);
            }
        }
        let around = Aabb::around(at.part.iter().copied());
        if !any {
            Aabb::EMPTY
        } else if all {
            around
        } else {
            // The rest of the triangle is behind a wall of the room, so it may lie outside the room's box.
            intersection(&around, &self.room).union(in_air)
        }
    }
}

impl ReachedTriangle {
    fn centre(&self) -> DVec3 {
        self.part.iter().sum::<DVec3>() / self.part.len().max(1) as f64
    }

    /// A point slightly in front of the triangle, near `place`.
    fn sample(&self, place: DVec3) -> DVec3 {
        towards(self.nearest(place), self.centre()) + self.normal * LIFT
    }

    /// The nearest point on the outline of the part behind the plane.
    fn nearest(&self, point: DVec3) -> DVec3 {
        let ends = self.part.iter().zip(self.part.iter().cycle().skip(1));
        let on_edges = ends.map(|(&a, &b)| closest_on_segment(a, b, point));
        let (inside, _) = self.triangle.closest_point(point);
        let key = |p: &DVec3| p.distance_squared(point);
        let nearest = on_edges.min_by(|a, b| key(a).total_cmp(&key(b)));
        nearest.unwrap_or(inside)
    }
}

/// A point moved slightly towards the centre.
pub(super) fn towards(from: DVec3, centre: DVec3) -> DVec3 {
    let way = centre - from;
    from + way * (INWARDS / way.length()).min(0.5)
}

/// The intersection of two boxes; empty if they do not touch.
fn intersection(a: &Aabb, b: &Aabb) -> Aabb {
    let both = Aabb {
        min: a.min.max(b.min),
        max: a.max.min(b.max),
    };
    if both.is_empty() { Aabb::EMPTY } else { both }
}
