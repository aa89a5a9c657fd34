//! Movers that pass through solid geometry on their way.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::geometry::{Aabb, Aabb32, Rigid, Triangle};
use crate::level::{LevelData, MoverId, Track};

/// How far a mover may go into what is solid, metres: half the thickness of a stout door that turns about
/// the middle of its side.
const PLAY: f64 = 0.03;
/// What a mover reaches into by more than this where it was authored, metres, it is let into on purpose: a
/// sliding panel into the wall that it slides into.
const LET_IN: f64 = 1e-3;
/// How far the outermost point of a mover goes between two poses that are looked at, metres.
const STEP: f64 = 0.02;
/// The point of a triangle that is followed lies so far below the mover's surface, metres: it slides along no
/// wall that the surface touches.
const BELOW_SKIN: f64 = 0.01;
/// Poses that are looked at, and those times the triangles of the mover, at most.
const MAX_POSES: f64 = 2_000.0;
const MAX_TRIANGLES: f64 = 1e6;

/// What a mover passes through first on its way and where, with the cure.
pub(super) fn through_wall(level: &LevelData, id: MoverId) -> Option<(DVec3, String)> {
    let mover = level.mover(id);
    let rooms = mover
        .moved_rooms
        .iter()
        .map(|&room| &level.room(room).solids);
    let solids = rooms
        .chain([&mover.solids])
        .flat_map(|set| level.solids.of(set));
    let triangles: Vec<Triangle> = solids.map(|solid| solid.triangle()).collect();
    let bounds = Aabb::around(triangles.iter().flat_map(|triangle| triangle.corners));
    let way = way(&mover.track, &bounds);
    if triangles.is_empty() || way == 0.0 {
        return None;
    }
    let poses = (way / STEP).ceil().min(MAX_POSES);
    let poses = poses
        .min(MAX_TRIANGLES / triangles.len() as f64)
        .max(1.0)
        .ceil() as u32;
    let walls = Walls::around(level, id);
    let mut let_in = BTreeSet::new();
    walls.met_by(&triangles, &Rigid::IDENTITY, LET_IN, |wall, _| {
        let_in.insert(wall);
    });
    for pose in 1..=poses {
        let part = f64::from(pose) / f64::from(poses);
        let mut met = None;
        let pose = mover.track.pose(part);
        walls.met_by(&triangles, &pose, PLAY, |wall, at| {
            if met.is_none() && !let_in.contains(&wall) {
                met = Some((wall, at));
            }
        });
        let before = mover
            .track
            .pose((part - (2.0 * PLAY + STEP) / way).max(0.0));
        walls.passed_by(&triangles, [&before, &pose], |wall, at| {
            if met.is_none() && !let_in.contains(&wall) {
                met = Some((wall, at));
            }
        });
        if let Some((wall, at)) = met {
            let node = level.solids.node_name(level.solids.triangle(wall).surface);
            let message = format!(
                "at {:.0} % of its way it goes through `{node}` here; let it turn or slide the other way (axis, angle), about another place (its node's origin) or less far, or make room",
                100.0 * part
            );
            return Some((at, message));
        }
    }
    None
}

/// An upper bound of how far a point of a mover goes, metres.
fn way(track: &Track, bounds: &Aabb) -> f64 {
    let radius = |pivot: DVec3| {
        let corners = bounds.corners().map(|p| p.distance(pivot));
        corners.into_iter().fold(0.0, f64::max)
    };
    match track {
        Track::Vanish => 0.0,
        Track::Slide(by) => by.length(),
        Track::Turn { pivot, angle, .. } => angle.abs() * radius(*pivot),
        Track::Keys(keys) => {
            let spans = keys.windows(2).map(|pair| {
                let turned = pair[0].rotation.dot(pair[1].rotation).abs().min(1.0);
                let moved = pair[0].offset.distance(pair[1].offset);
                moved + 2.0 * libm::acos(turned) * radius(pair[0].pivot)
            });
            spans.sum()
        }
    }
}

/// A triangle that is solid and stands still, in coordinates of the mover's room.
struct Wall {
    /// In the level.
    index: u32,
    triangle: Triangle,
    bounds: Aabb,
}

/// What a mover may meet on its way.
struct Walls(Vec<Wall>);

impl Walls {
    fn around(level: &LevelData, id: MoverId) -> Self {
        let mut walls = Vec::new();
        let rooms = level.mover(id).rooms.iter().map(|room| level.room(*room));
        // What moves is where it was authored for the moment alone.
        for room in rooms.filter(|room| room.moved_by.is_none()) {
            for image in room.movers.iter().filter(|image| image.mover == id) {
                let back = image.here_from_room.inverse();
                let bounds = Aabb32::around(&image.bounds);
                level.solids.touching(&room.solids, &bounds, |solid| {
                    let triangle = solid.triangle().transformed(&back);
                    walls.push(Wall {
                        index: solid.index,
                        triangle,
                        bounds: Aabb::around(triangle.corners),
                    });
                });
            }
        }
        Self(walls)
    }

    /// Calls `found` with each wall that the middle of a triangle passes between two poses, and where: what
    /// fills its shaft goes through no inside of a face.
    fn passed_by(
        &self,
        triangles: &[Triangle],
        poses: [&Rigid; 2],
        mut found: impl FnMut(u32, DVec3),
    ) {
        for triangle in triangles {
            let Some(outwards) = triangle.normal() else {
                continue;
            };
            let middle = triangle.corners.iter().sum::<DVec3>() / 3.0 - outwards * BELOW_SKIN;
            let [from, to] = poses.map(|pose| pose.point(middle));
            let bounds = Aabb::around([from, to]);
            for wall in self.0.iter().filter(|wall| wall.bounds.overlaps(&bounds)) {
                let face = &wall.triangle;
                let Some(normal) = face.normal() else {
                    continue;
                };
                let [a, b] = [from, to].map(|p| normal.dot(p - face.corners[0]));
                if a > 0.0 && b < -PLAY && face.hit_by_ray(from, to - from).is_some() {
                    found(wall.index, to);
                }
            }
        }
    }

    /// Calls `found` with each wall that triangles go through in a pose, and where: by more than `depth`, and
    /// as far from all edges, metres.
    fn met_by(
        &self,
        triangles: &[Triangle],
        pose: &Rigid,
        depth: f64,
        mut found: impl FnMut(u32, DVec3),
    ) {
        let moved: Vec<Triangle> = triangles.iter().map(|t| t.transformed(pose)).collect();
        let around = Aabb::around(moved.iter().flat_map(|triangle| triangle.corners));
        let near = self.0.iter().filter(|wall| wall.bounds.overlaps(&around));
        let near: Vec<&Wall> = near.collect();
        for triangle in &moved {
            let bounds = Aabb::around(triangle.corners);
            for wall in near.iter().filter(|wall| wall.bounds.overlaps(&bounds)) {
                let passes = passes_through(triangle, &wall.triangle, depth);
                let passes = passes.or_else(|| passes_through(&wall.triangle, triangle, depth));
                if let Some(at) = passes {
                    found(wall.index, at);
                }
            }
        }
    }
}

/// Where a triangle reaches farthest behind a face that it crosses: by more than `depth`, of what is farther
/// than that from the sides of the face, metres.
fn passes_through(triangle: &Triangle, face: &Triangle, depth: f64) -> Option<DVec3> {
    let normal = face.normal()?;
    let height = |p: DVec3| normal.dot(p - face.corners[0]);
    let crosses = |corners: &[DVec3]| {
        let heights = corners.iter().map(|&p| height(p));
        let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| {
            [low.min(at), high.max(at)]
        });
        low < -depth && high > 0.0
    };
    if !crosses(&triangle.corners) {
        return None;
    }
    let mut part = triangle.corners.to_vec();
    for i in 0..3 {
        let [from, to] = [face.corners[i], face.corners[(i + 1) % 3]];
        let inwards = normal.cross(to - from).normalize_or_zero();
        part = in_front(&part, |p| inwards.dot(p - from) - depth);
    }
    let lowest = part.iter().copied();
    let lowest = lowest.min_by(|a, b| height(*a).total_cmp(&height(*b)));
    lowest.filter(|_| crosses(&part))
}

/// The part of a convex polygon where a linear function is not negative (I. Sutherland and G. Hodgman, 1974).
fn in_front(corners: &[DVec3], height: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut part = Vec::with_capacity(corners.len() + 1);
    for (&from, &to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let [a, b] = [height(from), height(to)];
        if a >= 0.0 {
            part.push(from);
        }
        if (a >= 0.0) != (b >= 0.0) {
            part.push(from.lerp(to, a / (a - b)));
        }
    }
    part
}
