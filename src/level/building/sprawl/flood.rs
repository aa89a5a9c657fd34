//! From triangle to triangle, starting in a portal's opening.

use std::collections::BTreeSet;

use glam::DVec3;

use super::air::Air;
use super::opening::segment_in;
use crate::geometry::{
    Aabb, Aabb32, ConvexPolygon, Rigid, Triangle, closest_on_segment, points_of_contact,
};
use crate::level::building::opening::TOUCH;
use crate::level::building::windings::Windings;
use crate::level::{PortalId, SolidSet, Solids};

/// Where the air at a place of a triangle is asked for, metres: so far from the triangle's edge,
/// and so far in front of it.
const INWARDS: f64 = 0.01;
pub(super) const LIFT: f64 = 1e-3;

/// A seed is asked for at these parts of the segment in which it passes the opening: something may
/// stand at one of them.
pub(super) const SEED_PARTS: [f64; 4] = [0.125, 0.375, 0.625, 0.875];

/// A triangle of the room whose geometry is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    /// 0 for solids of the level, 1 for what is drawn alone.
    layer: u8,
    index: u32,
}

impl Piece {
    /// With its index counted from the first triangle of these sets.
    pub(super) fn within(self, sets: [&SolidSet; 2]) -> [u32; 2] {
        let first = sets[usize::from(self.layer)].triangles().start;
        [u32::from(self.layer), self.index - first]
    }

    /// The one that is so [`Self::within`] these sets.
    pub(super) fn of([layer, index]: [u32; 2], sets: [&SolidSet; 2]) -> Self {
        Self {
            layer: layer as u8,
            index: sets[layer as usize].triangles().start + index,
        }
    }

    /// Its triangle, among those of the room.
    pub(super) fn triangle(&self, geometry: [(&Solids, &SolidSet); 2]) -> Triangle {
        let (solids, _) = geometry[usize::from(self.layer)];
        solids.triangle(self.index).triangle()
    }

    /// Its index in the level, if it is solid.
    pub(super) fn solid(&self) -> Option<u32> {
        (self.layer == 0).then_some(self.index)
    }
}

/// What is followed where.
pub(super) struct Flood<'a> {
    air: Air<'a>,
    polygon: &'a ConvexPolygon,
    /// The geometry that is followed: its solids and what is drawn alone, in coordinates of its own.
    geometry: [(&'a Solids, &'a SolidSet); 2],
    near_from_geometry: Rigid,
    geometry_from_near: Rigid,
    /// Box around the room that is sprawled into, which may be open above.
    room: Aabb,
}

/// A triangle behind the portal that was reached.
struct Reached {
    triangle: Triangle,
    normal: DVec3,
    /// The corners of its part behind the portal's plane.
    part: Vec<DVec3>,
    /// A point in front of it, and how many walls deep that is.
    entry: DVec3,
    walls: i32,
}

impl<'a> Flood<'a> {
    pub(super) fn new(
        windings: &'a Windings<'a>,
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

    /// The box around what sprawls in through the opening, and its triangles in order; `None` for
    /// nothing. Only what is among `seeds`, if given, passes the opening. What is `claimed` counts
    /// to another opening of the wall.
    pub(super) fn run(
        &self,
        seeds: Option<&[Piece]>,
        claimed: &BTreeSet<Piece>,
    ) -> Option<(Aabb, Vec<Piece>)> {
        if !self.reaches_behind() {
            return None;
        }
        let mut visited: BTreeSet<Piece> = BTreeSet::new();
        let mut waiting: Vec<(Piece, Reached)> = Vec::new();
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
    fn touching(&self, query: &Aabb, mut found: impl FnMut(Piece, Triangle)) {
        if query.is_empty() {
            return;
        }
        let query = Aabb32::around(&query.transformed(&self.geometry_from_near));
        for (layer, (solids, set)) in (0..).zip(self.geometry) {
            solids.touching(set, &query, |solid| {
                let corners = solid.triangle().corners;
                let corners = corners.map(|p| self.near_from_geometry.point(p));
                let index = solid.index;
                found(Piece { layer, index }, Triangle { corners });
            });
        }
    }

    /// A triangle that passes the opening in a segment; in the air, if it is anywhere.
    fn enter(&self, triangle: Triangle, [a, b]: [DVec3; 2]) -> Option<Reached> {
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

    /// A triangle that touches one that was reached, behind the portal's plane; in the air, if it is
    /// where they touch.
    fn go_on(&self, at: &Reached, triangle: Triangle) -> Option<Reached> {
        let plane = &self.polygon.plane;
        if triangle
            .corners
            .iter()
            .all(|&p| plane.distance(p) >= -TOUCH)
        {
            return None;
        }
        let mut found: Option<Reached> = None;
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
    fn reached(&self, triangle: Triangle) -> Option<Reached> {
        Some(Reached {
            normal: triangle.normal()?,
            part: triangle.part_behind(&self.polygon.plane),
            triangle,
            entry: DVec3::ZERO,
            walls: 0,
        })
    }

    /// The box around the part of a triangle that is in the air of the room; empty if none is.
    fn part_in_air(&self, at: &Reached) -> Aabb {
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
            // The rest is behind a wall of the room, so out of the box around it.
            intersection(&around, &self.room).union(in_air)
        }
    }
}

impl Reached {
    fn centre(&self) -> DVec3 {
        self.part.iter().sum::<DVec3>() / self.part.len().max(1) as f64
    }

    /// A point in front of the triangle near a place of it.
    fn sample(&self, place: DVec3) -> DVec3 {
        towards(self.nearest(place), self.centre()) + self.normal * LIFT
    }

    /// The point of the part behind the plane that is nearest to a point, as near as need be.
    fn nearest(&self, point: DVec3) -> DVec3 {
        let ends = self.part.iter().zip(self.part.iter().cycle().skip(1));
        let on_edges = ends.map(|(&a, &b)| closest_on_segment(a, b, point));
        let (inside, _) = self.triangle.closest_point(point);
        let key = |p: &DVec3| p.distance_squared(point);
        let nearest = on_edges.min_by(|a, b| key(a).total_cmp(&key(b)));
        nearest.unwrap_or(inside)
    }
}

/// A point a little farther in.
pub(super) fn towards(from: DVec3, centre: DVec3) -> DVec3 {
    let way = centre - from;
    from + way * (INWARDS / way.length()).min(0.5)
}

/// What two boxes share; empty where they do not touch.
fn intersection(a: &Aabb, b: &Aabb) -> Aabb {
    let both = Aabb {
        min: a.min.max(b.min),
        max: a.max.min(b.max),
    };
    if both.is_empty() { Aabb::EMPTY } else { both }
}
