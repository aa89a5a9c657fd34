//! A mover in one pose after another, and the walls that it goes through there.
//!
//! Few walls come near the mover in any pose. Each is first compared with the box around the mover, in the
//! coordinates in which that was authored, where it is tight: what does not touch that box is touched by no
//! triangle in it.

use glam::DVec3;

use crate::geometry::{Aabb, Rigid, Triangle};

/// How far a mover may go into solid geometry, metres: half the thickness of a stout door that turns about
/// the middle of its side.
pub(super) const PLAY: f64 = 0.03;
/// The point of a triangle that is followed lies so far below the mover's surface, metres: it slides along no
/// wall that the surface touches.
const BELOW_SKIN: f64 = 0.01;
/// Boxes are larger by this, metres, for rounding.
const ROUNDING: f64 = 1e-3;

/// A triangle that is solid and stands still, in coordinates of the mover's room.
pub(super) struct Wall {
    /// In the level.
    index: u32,
    face: Face,
    bounds: Aabb,
}

/// A triangle with its normal, which one without area has not.
struct Face {
    triangle: Triangle,
    normal: Option<DVec3>,
}

/// The triangles of a mover, and what they may go through.
pub(super) struct Sweep<'a> {
    triangles: &'a [Triangle],
    /// The followed points, one for each triangle that has an area.
    followed: Vec<DVec3>,
    /// The box around the triangles.
    bounds: Aabb,
    walls: &'a [Wall],
    /// The walls that are near in a pose.
    near: Vec<&'a Wall>,
    polygons: [Vec<DVec3>; 2],
}

impl Wall {
    pub(super) fn of(index: u32, triangle: Triangle) -> Self {
        Self {
            index,
            face: Face::of(triangle),
            bounds: Aabb::around(triangle.corners),
        }
    }

    /// Whether it may touch a box that a pose has moved, given the way back from that pose.
    fn may_touch(&self, bounds: &Aabb, back: &Rigid) -> bool {
        let [a, b, c] = self.face.triangle.corners.map(|p| back.point(p));
        if !Aabb::around([a, b, c]).overlaps(bounds) {
            return false;
        }
        let across = (b - a).cross(c - a);
        let half = 0.5 * (bounds.max - bounds.min);
        across.dot(bounds.centre() - a).abs() <= across.abs().dot(half)
    }
}

impl Face {
    fn of(triangle: Triangle) -> Self {
        Self {
            normal: triangle.normal(),
            triangle,
        }
    }
}

impl<'a> Sweep<'a> {
    pub(super) fn of(triangles: &'a [Triangle], bounds: Aabb, walls: &'a [Wall]) -> Self {
        let followed = |triangle: &Triangle| {
            let middle = triangle.corners.iter().sum::<DVec3>() / 3.0;
            Some(middle - triangle.normal()? * BELOW_SKIN)
        };
        Self {
            triangles,
            followed: triangles.iter().filter_map(followed).collect(),
            bounds,
            walls,
            near: Vec::new(),
            polygons: Default::default(),
        }
    }

    /// Calls `found` with each wall that triangles go through in a pose, and where: by more than `depth`, and
    /// as far from all edges, metres.
    pub(super) fn met(&mut self, pose: &Rigid, depth: f64, mut found: impl FnMut(u32, DVec3)) {
        self.look_around(pose, ROUNDING);
        if self.near.is_empty() {
            return;
        }
        for triangle in self.triangles {
            let moved = Face::of(triangle.transformed(pose));
            let bounds = Aabb::around(moved.triangle.corners);
            for wall in self.near.iter().filter(|w| w.bounds.overlaps(&bounds)) {
                let passes = passes_through(&moved, &wall.face, depth, &mut self.polygons);
                let passes = passes
                    .or_else(|| passes_through(&wall.face, &moved, depth, &mut self.polygons));
                if let Some(at) = passes {
                    found(wall.index, at);
                }
            }
        }
    }

    /// Calls `found` with each wall that the middle of a triangle passes between two poses, and where: what
    /// fills its shaft goes through no inside of a face.
    pub(super) fn passed(&mut self, poses: [&Rigid; 2], mut found: impl FnMut(u32, DVec3)) {
        // No point of a box goes farther than one of its corners.
        let corners = self.bounds.grown(BELOW_SKIN).corners();
        let way = |p: DVec3| poses[0].point(p).distance(poses[1].point(p));
        let farthest = corners.into_iter().map(way).fold(0.0, f64::max);
        self.look_around(poses[1], farthest + BELOW_SKIN + ROUNDING);
        if self.near.is_empty() {
            return;
        }
        for &point in &self.followed {
            let [from, to] = poses.map(|pose| pose.point(point));
            let bounds = Aabb::around([from, to]);
            for wall in self.near.iter().filter(|w| w.bounds.overlaps(&bounds)) {
                let Face { triangle, normal } = &wall.face;
                let Some(normal) = normal else {
                    continue;
                };
                let [a, b] = [from, to].map(|p| normal.dot(p - triangle.corners[0]));
                if a > 0.0 && b < -PLAY && triangle.hit_by_ray(from, to - from).is_some() {
                    found(wall.index, to);
                }
            }
        }
    }

    /// Finds the walls that may come so near to the box around the mover in a pose, metres.
    fn look_around(&mut self, pose: &Rigid, distance: f64) {
        let bounds = self.bounds.grown(distance);
        let (moved, back) = (bounds.transformed(pose), pose.inverse());
        let near = self.walls.iter();
        let near = near.filter(|w| w.bounds.overlaps(&moved) && w.may_touch(&bounds, &back));
        self.near.clear();
        self.near.extend(near);
    }
}

/// The point where a triangle reaches farthest behind a face that it crosses: by more than `depth`, of points farther
/// than that from the sides of the face, metres.
fn passes_through(
    of: &Face,
    face: &Face,
    depth: f64,
    [part, next]: &mut [Vec<DVec3>; 2],
) -> Option<DVec3> {
    let normal = face.normal?;
    let corners = &face.triangle.corners;
    let height = |p: DVec3| normal.dot(p - corners[0]);
    let crosses = |corners: &[DVec3]| {
        let heights = corners.iter().map(|&p| height(p));
        let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| {
            [low.min(at), high.max(at)]
        });
        low < -depth && high > 0.0
    };
    if !crosses(&of.triangle.corners) {
        return None;
    }
    let sides = [0, 1, 2].map(|i| {
        let [from, to] = [corners[i], corners[(i + 1) % 3]];
        (from, normal.cross(to - from))
    });
    // Most are beside the face.
    let is_beside = |(from, inwards): &(DVec3, DVec3)| {
        let mut all = of.triangle.corners.iter();
        all.all(|&p| inwards.dot(p - from) < 0.0)
    };
    if sides.iter().any(is_beside) {
        return None;
    }
    part.clear();
    part.extend(of.triangle.corners);
    for (from, inwards) in sides {
        let inwards = inwards.normalize_or_zero();
        clip(part, next, |p| inwards.dot(p - from) - depth);
        std::mem::swap(part, next);
    }
    let lowest = part.iter().copied();
    let lowest = lowest.min_by(|a, b| height(*a).total_cmp(&height(*b)));
    lowest.filter(|_| crosses(part))
}

/// The part of a convex polygon where a linear function is not negative (I. Sutherland and G. Hodgman, 1974).
fn clip(corners: &[DVec3], part: &mut Vec<DVec3>, height: impl Fn(DVec3) -> f64) {
    part.clear();
    for (&from, &to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let [a, b] = [height(from), height(to)];
        if a >= 0.0 {
            part.push(from);
        }
        if (a >= 0.0) != (b >= 0.0) {
            part.push(from.lerp(to, a / (a - b)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use glam::DMat3;

    fn point(rng: &mut Rng, size: f64) -> DVec3 {
        DVec3::from([0; 3].map(|_| rng.between(-size, size)))
    }

    #[test]
    fn no_wall_is_missed_that_a_mover_meets_or_passes_whichever_are_near_its_box() {
        let mut rng = Rng::new(1);
        let (mut met, mut passed, mut near) = (0, 0, 0);
        for _ in 0..400 {
            let mut triangle = |size: f64| {
                let middle = point(&mut rng, 1.5);
                Triangle {
                    corners: [0; 3].map(|_| middle + point(&mut rng, size)),
                }
            };
            let triangles: Vec<Triangle> = (0..8).map(|_| triangle(0.4)).collect();
            let walls: Vec<Wall> = (0..60).map(|i| Wall::of(i, triangle(0.8))).collect();
            let bounds = Aabb::around(triangles.iter().flat_map(|t| t.corners));
            let turn = rng.between(0.0, 6.0);
            let [offset, by] = [point(&mut rng, 2.0), point(&mut rng, 0.2)];
            let pose = Rigid::new(DMat3::from_rotation_y(turn), offset);
            let before = Rigid::new(DMat3::from_rotation_y(turn + 0.1), offset + by);
            let mut sweep = Sweep::of(&triangles, bounds, &walls);
            let mut found = Vec::new();
            sweep.met(&pose, PLAY, |wall, at| found.push((wall, at)));
            near += sweep.near.len();
            met += found.len();
            sweep.passed([&before, &pose], |wall, at| found.push((wall, at)));
            assert_eq!(found, brute_force(&triangles, &walls, [&before, &pose]));
            passed += found.len();
        }
        assert!(met > 200 && passed - met > 10, "{met} {passed}");
        assert!(near < 400 * 60 / 2, "{near}");
    }

    fn brute_force(
        triangles: &[Triangle],
        walls: &[Wall],
        [before, pose]: [&Rigid; 2],
    ) -> Vec<(u32, DVec3)> {
        let mut found = Vec::new();
        let mut polygons = Default::default();
        for triangle in triangles {
            let moved = Face::of(triangle.transformed(pose));
            for wall in walls {
                let passes = passes_through(&moved, &wall.face, PLAY, &mut polygons);
                let back = || passes_through(&wall.face, &moved, PLAY, &mut polygons);
                found.extend(passes.or_else(back).map(|at| (wall.index, at)));
            }
        }
        for triangle in triangles {
            let Some(outwards) = triangle.normal() else {
                continue;
            };
            let middle = triangle.corners.iter().sum::<DVec3>() / 3.0 - outwards * BELOW_SKIN;
            let [from, to] = [before, pose].map(|pose| pose.point(middle));
            for wall in walls {
                let face = &wall.face.triangle;
                let normal = face.normal().unwrap();
                let [a, b] = [from, to].map(|p| normal.dot(p - face.corners[0]));
                if a > 0.0 && b < -PLAY && face.hit_by_ray(from, to - from).is_some() {
                    found.push((wall.index, to));
                }
            }
        }
        found
    }
}
