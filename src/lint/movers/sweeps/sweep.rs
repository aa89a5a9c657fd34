//! Sweeps a mover through consecutive poses, and finds the walls that it passes through.
//!
//! In each pose only few walls are near the mover. Each wall is first tested against the mover's bounding box, in
//! authored coordinates, where the box is tight. A wall that does not touch the box touches none of the mover's
//! triangles.

use glam::DVec3;

use crate::geometry::{Aabb, Rigid, Triangle, clip_polygon};

/// Allowed penetration of a mover into solid geometry, metres. Half the thickness of a thick door: if the door turns
/// about the middle of its edge, its corner penetrates the wall that far.
pub(super) const PLAY: f64 = 0.03;
/// Depth of the tracked point of each triangle below the mover's surface, metres, so that the point does not touch
/// walls along which the surface slides.
const BELOW_SKIN: f64 = 0.01;
/// Margin of boxes for rounding, metres.
const ROUNDING: f64 = 1e-3;

/// A static solid triangle, in coordinates of the mover's room.
pub(super) struct StaticTriangle {
    /// Index in the level.
    index: u32,
    face: SweptFace,
}

/// A triangle with its box and its plane, computed once.
struct SweptFace {
    triangle: Triangle,
    bounds: Aabb,
    /// `None` for a degenerate triangle, which cannot be penetrated.
    plane: Option<FacePlane>,
}

/// The plane of a face.
struct FacePlane {
    normal: DVec3,
    /// For each side, the unit vector in the plane that is perpendicular to the side and points inwards.
    inwards: [DVec3; 3],
    /// Half of the extent, along each axis, of a disc with radius 1 in the plane.
    spread: DVec3,
}

/// A wall near the mover in a pose.
struct NearWall<'a> {
    wall: &'a StaticTriangle,
    /// The wall in the mover's authored coordinates.
    authored: Triangle,
    bounds: Aabb,
    /// Whether the mover's box penetrates the wall.
    is_entered: bool,
}

/// A mover in a pose.
pub(super) struct Placed {
    pose: Rigid,
    /// The corners of the mover's box.
    corners: [DVec3; 8],
    /// An upper bound of the distance that any point of the box has travelled so far, metres.
    gone: f64,
}

/// The triangles of a mover, and the walls that they may pass through.
pub(super) struct MoverSweep<'a> {
    faces: Vec<SweptFace>,
    /// The tracked points, one for each non-degenerate triangle.
    followed: Vec<DVec3>,
    /// The box around the triangles.
    bounds: Aabb,
    walls: &'a [StaticTriangle],
    /// For each wall, the distance that points of the box must have travelled before the box can touch the wall,
    /// metres.
    clear_until: Vec<f64>,
    /// The walls near the mover in the current pose.
    near: Vec<NearWall<'a>>,
    polygons: [Vec<DVec3>; 2],
}

impl StaticTriangle {
    pub(super) fn of(index: u32, triangle: Triangle) -> Self {
        Self {
            index,
            face: SweptFace::of(triangle),
        }
    }
}

impl SweptFace {
    fn of(triangle: Triangle) -> Self {
        let [a, b, c] = triangle.corners;
        let plane = triangle.normal().map(|normal| FacePlane {
            normal,
            inwards: [b - a, c - b, a - c].map(|side| normal.cross(side).normalize_or_zero()),
            spread: (DVec3::ONE - normal * normal)
                .max(DVec3::ZERO)
                .map(f64::sqrt),
        });
        Self {
            triangle,
            bounds: Aabb::around(triangle.corners),
            plane,
        }
    }

    /// Whether a convex shape may penetrate the face by more than `depth` metres, at more than `depth` from the face's
    /// sides. `extent` returns the interval that the shape covers along a direction.
    fn may_be_entered(&self, depth: f64, extent: impl Fn(DVec3) -> [f64; 2]) -> bool {
        let Some(plane) = &self.plane else {
            return false;
        };
        let corners = &self.triangle.corners;
        let at = plane.normal.dot(corners[0]);
        let [low, high] = extent(plane.normal);
        let mut sides = corners.iter().zip(&plane.inwards);
        low - at < -depth
            && high - at > 0.0
            && sides.all(|(from, &inwards)| extent(inwards)[1] - inwards.dot(*from) >= depth)
    }

    /// Whether a bounding box may penetrate the face in this way. The box must reach into the face's bounds, shrunk by
    /// a disc of radius `depth`: around each point that is farther than `depth` from the sides, such a disc lies within
    /// the face.
    fn may_be_entered_by_box(&self, depth: f64, bounds: &Aabb) -> bool {
        self.plane.as_ref().is_some_and(|plane| {
            let inset = plane.spread * (depth * (1.0 - ROUNDING));
            bounds.max.cmpge(self.bounds.min + inset).all()
                && bounds.min.cmple(self.bounds.max - inset).all()
        })
    }

    /// The point of a triangle that is deepest behind the face, if it is deeper than `depth` metres and the triangle
    /// also extends in front of the face. Only points inside the face's sides are considered, at more than `depth`
    /// metres from them.
    fn entered_at(
        &self,
        by: &Triangle,
        depth: f64,
        [part, next]: &mut [Vec<DVec3>; 2],
    ) -> Option<DVec3> {
        let extent = |direction: DVec3| {
            let [a, b, c] = by.corners.map(|p| direction.dot(p));
            [a.min(b).min(c), a.max(b).max(c)]
        };
        let plane = self.plane.as_ref()?;
        // Cheap test first: most triangles are beside the face.
        if !self.may_be_entered(depth, extent) {
            return None;
        }
        part.clear();
        part.extend(by.corners);
        for (&from, inwards) in self.triangle.corners.iter().zip(plane.inwards) {
            clip_polygon(part, |p| inwards.dot(p - from) - depth, next);
            std::mem::swap(part, next);
        }
        let height = |p: DVec3| plane.normal.dot(p - self.triangle.corners[0]);
        let heights = part.iter().map(|&p| (p, height(p)));
        let lowest = heights.min_by(|a, b| a.1.total_cmp(&b.1));
        let (at, _) = lowest.filter(|&(_, height)| height < -depth)?;
        part.iter().any(|&p| height(p) > 0.0).then_some(at)
    }
}

impl<'a> MoverSweep<'a> {
    pub(super) fn of(triangles: &[Triangle], bounds: Aabb, walls: &'a [StaticTriangle]) -> Self {
        let followed = |triangle: &Triangle| {
            let middle = triangle.corners.iter().sum::<DVec3>() / 3.0;
            Some(middle - triangle.normal()? * BELOW_SKIN)
        };
        Self {
            faces: triangles.iter().copied().map(SweptFace::of).collect(),
            followed: triangles.iter().filter_map(followed).collect(),
            bounds,
            walls,
            clear_until: vec![0.0; walls.len()],
            near: Vec::new(),
            polygons: Default::default(),
        }
    }

    /// The mover in consecutive poses.
    pub(super) fn places(&self, poses: impl Iterator<Item = Rigid>) -> Vec<Placed> {
        let corners = self.bounds.grown(BELOW_SKIN).corners();
        let mut places: Vec<Placed> = Vec::new();
        for pose in poses {
            let mut here = Placed {
                pose,
                corners: corners.map(|p| pose.point(p)),
                gone: 0.0,
            };
            here.gone = places
                .last()
                .map_or(0.0, |last| last.gone + farthest([last, &here]));
            places.push(here);
        }
        places
    }

    /// Calls `found` with each wall that the mover penetrates by more than `depth` metres at its authored pose.
    pub(super) fn met_at_start(&mut self, depth: f64, found: impl FnMut(u32, DVec3)) {
        self.look_around(&Rigid::IDENTITY, 0.0, ROUNDING);
        self.met(&Rigid::IDENTITY, depth, found);
        self.clear_until.fill(0.0);
    }

    /// Calls `found` with each wall that the mover penetrates by more than `PLAY` in the second pose, or passed through
    /// between the two poses, and with the position. Successive calls must have consecutive second poses.
    pub(super) fn met_between(&mut self, places: [&Placed; 2], mut found: impl FnMut(u32, DVec3)) {
        let distance = farthest(places) + BELOW_SKIN + ROUNDING;
        let poses = places.map(|place| &place.pose);
        self.look_around(poses[1], places[1].gone, distance);
        if !self.near.is_empty() {
            self.met(poses[1], PLAY, &mut found);
            self.passed(poses, found);
        }
    }

    /// Calls `found` with each near wall that triangles penetrate in a pose by more than `depth` metres, at more than
    /// `depth` from all edges of the wall, and with the position.
    fn met(&mut self, pose: &Rigid, depth: f64, mut found: impl FnMut(u32, DVec3)) {
        self.find_entered(pose, depth);
        let Self {
            faces,
            near,
            polygons,
            ..
        } = self;
        for face in faces {
            let mut moved = None;
            for near in near
                .iter()
                .filter(|near| near.bounds.overlaps(&face.bounds))
            {
                let mut at = None;
                if near.is_entered {
                    let moved = moved.get_or_insert_with(|| face.triangle.transformed(pose));
                    at = near.wall.face.entered_at(moved, depth, polygons);
                }
                if at.is_none() && face.may_be_entered_by_box(depth, &near.bounds) {
                    at = face.entered_at(&near.authored, depth, polygons);
                    at = at.map(|p| pose.point(p));
                }
                if let Some(at) = at {
                    found(near.wall.index, at);
                }
            }
        }
    }

    /// Finds the near walls that the mover's box penetrates in a pose.
    fn find_entered(&mut self, pose: &Rigid, depth: f64) {
        let middle = pose.point(self.bounds.centre());
        let half = 0.5 * (self.bounds.max - self.bounds.min);
        let back = pose.inverse();
        for near in &mut self.near {
            near.is_entered = near.wall.face.may_be_entered(depth, |direction| {
                let at = direction.dot(middle);
                let half = back.vector(direction).abs().dot(half) + ROUNDING;
                [at - half, at + half]
            });
        }
    }

    /// Calls `found` with each near wall that the tracked point of a triangle passes through between two poses, and
    /// with the position. A mover that exactly fills its shaft touches only sides of faces, which [`Self::met`]
    /// ignores.
    fn passed(&self, poses: [&Rigid; 2], mut found: impl FnMut(u32, DVec3)) {
        for &point in &self.followed {
            let [from, to] = poses.map(|pose| pose.point(point));
            let bounds = Aabb::around([from, to]);
            let faces = self
                .near
                .iter()
                .map(|near| (near.wall.index, &near.wall.face));
            for (index, face) in faces.filter(|(_, face)| face.bounds.overlaps(&bounds)) {
                let Some(FacePlane { normal, .. }) = &face.plane else {
                    continue;
                };
                let [a, b] = [from, to].map(|p| normal.dot(p - face.triangle.corners[0]));
                if a > 0.0 && b < -PLAY && face.triangle.hit_by_ray(from, to - from).is_some() {
                    found(index, to);
                }
            }
        }
    }

    /// Finds the walls that may be within `distance` metres of the mover's box in a pose. A wall that is farther away
    /// is not tested again until the box has travelled that far.
    fn look_around(&mut self, pose: &Rigid, gone: f64, distance: f64) {
        let bounds = self.bounds;
        let (moved, back) = (bounds.transformed(pose), pose.inverse());
        let half = 0.5 * (bounds.max - bounds.min);
        self.near.clear();
        for (wall, clear_until) in self.walls.iter().zip(&mut self.clear_until) {
            if *clear_until > gone + distance {
                continue;
            }
            let beside = gap(&wall.face.bounds, &moved);
            if beside > distance {
                *clear_until = gone + beside;
                continue;
            }
            let authored = wall.face.triangle.transformed(&back);
            let around = Aabb::around(authored.corners);
            let normal = wall.face.plane.as_ref().map_or(DVec3::ZERO, |p| p.normal);
            let normal = back.vector(normal);
            let height = normal.dot(bounds.centre() - authored.corners[0]).abs();
            let beside = gap(&around, &bounds).max(height - normal.abs().dot(half));
            *clear_until = gone + beside;
            if beside <= distance {
                self.near.push(NearWall {
                    wall,
                    authored,
                    bounds: around,
                    is_entered: false,
                });
            }
        }
    }
}

/// An upper bound of the distance that any point of the mover's box travels between two poses, metres: no point travels
/// farther than one of the corners.
fn farthest([from, to]: [&Placed; 2]) -> f64 {
    let pairs = from.corners.iter().zip(&to.corners);
    let ways = pairs.map(|(a, b)| a.distance_squared(*b));
    ways.fold(0.0, f64::max).sqrt()
}

/// The largest gap between two boxes along any axis, metres; negative if they overlap along all axes.
fn gap(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max_element()
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
        for _ in 0..100 {
            let mut triangle = |size: f64| {
                let middle = point(&mut rng, 1.5);
                Triangle {
                    corners: [0; 3].map(|_| middle + point(&mut rng, size)),
                }
            };
            let triangles: Vec<Triangle> = (0..8).map(|_| triangle(0.4)).collect();
            let walls: Vec<StaticTriangle> = (0..60)
                .map(|i| StaticTriangle::of(i, triangle(0.8)))
                .collect();
            let bounds = Aabb::around(triangles.iter().flat_map(|t| t.corners));
            let turn = rng.between(0.0, 6.0);
            let [offset, by] = [point(&mut rng, 2.0), point(&mut rng, 0.2)];
            let pose = Rigid::new(DMat3::from_rotation_y(turn), offset);
            let before = Rigid::new(DMat3::from_rotation_y(turn + 0.1), offset + by);
            let mut sweep = MoverSweep::of(&triangles, bounds, &walls);
            // The sweep starts far away, so that most walls are culled before the box gets near them.
            let (far, steps) = (point(&mut rng, 6.0), 24);
            let coming = (0..steps).map(|step| {
                let back = f64::from(steps - step) / f64::from(steps);
                Rigid::new(DMat3::from_rotation_y(turn + 0.1), offset + by + far * back)
            });
            let poses: Vec<Rigid> = coming.chain([before, pose]).collect();
            let places = sweep.places(poses.iter().copied());
            sweep.met_at_start(PLAY, |_, _| {});
            for (places, poses) in places.windows(2).zip(poses.windows(2)) {
                let mut found = Vec::new();
                sweep.met_between([&places[0], &places[1]], |wall, at| found.push((wall, at)));
                near += sweep.near.len();
                let (expected, to_pass) = brute_force(&triangles, &walls, [&poses[0], &poses[1]]);
                assert_eq!(found.len(), expected.len());
                for ((wall, at), (expected, there)) in found.iter().zip(expected) {
                    assert!(*wall == expected && at.distance(there) < 1e-9);
                }
                met += found.len() - to_pass;
                passed += to_pass;
            }
        }
        assert!(met > 200 && passed > 10, "{met} {passed}");
        assert!(near < 100 * 25 * 60 / 2, "{near}");
    }

    /// The deepest point of a triangle behind a face, found by clipping the triangle with each side of the face.
    fn entered_at(face: &Triangle, by: &Triangle) -> Option<DVec3> {
        let normal = face.normal()?;
        let mut part = by.corners.to_vec();
        for i in 0..3 {
            let [from, to] = [face.corners[i], face.corners[(i + 1) % 3]];
            let inwards = normal.cross(to - from).try_normalize()?;
            let mut next = Vec::new();
            clip_polygon(&part, |p| inwards.dot(p - from) - PLAY, &mut next);
            part = next;
        }
        let height = |p: &DVec3| normal.dot(*p - face.corners[0]);
        let lowest = part.iter().min_by(|a, b| height(a).total_cmp(&height(b)))?;
        let is_before = part.iter().any(|p| height(p) > 0.0);
        (is_before && height(lowest) < -PLAY).then_some(*lowest)
    }

    /// The walls that triangles penetrate in the second pose, followed by those that they passed through between the
    /// poses; and the number of the latter.
    fn brute_force(
        triangles: &[Triangle],
        walls: &[StaticTriangle],
        [before, pose]: [&Rigid; 2],
    ) -> (Vec<(u32, DVec3)>, usize) {
        let mut found = Vec::new();
        for triangle in triangles {
            let moved = triangle.transformed(pose);
            for wall in walls {
                let passes = entered_at(&wall.face.triangle, &moved);
                let back = || entered_at(&moved, &wall.face.triangle);
                found.extend(passes.or_else(back).map(|at| (wall.index, at)));
            }
        }
        let met = found.len();
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
        let passed = found.len() - met;
        (found, passed)
    }
}
