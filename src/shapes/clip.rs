//! Clips one face against another, and reduces the contact points to four (I. Sutherland and G. Hodgman, "Reentrant Polygon
//! Clipping", 1974; E. Catto, "Contact Manifolds", 2007).

use glam::DVec3;

use super::contact::{MAX_POINTS, Manifold, ManifoldPoint};
use crate::geometry::{ClippedCorner, Plane, clip_corners};

/// The shape that owns the reference face, against which the other shape's face is clipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    A,
    B,
}

/// The number of the first side of the reference face; sides of the incident face have lower numbers.
const FIRST_SIDE: u16 = 1 << 15;

/// The flag of features that are a pair of edges. Numbers of faces are below 2^14.
pub(super) const EDGES: u64 = 1 << 62;

/// A convex polygon of at most `N` corners, each with the number of the edge that leaves it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipPolygon<const N: usize> {
    corners: [(DVec3, u16); N],
    count: usize,
}

impl<const N: usize> ClipPolygon<N> {
    /// A polygon whose edges are numbered like the corners that they leave. Corners beyond `N` are dropped.
    pub(super) fn new(corners: impl Iterator<Item = DVec3>) -> Self {
        let mut polygon = Self {
            corners: [(DVec3::ZERO, 0); N],
            count: 0,
        };
        for (i, corner) in corners.enumerate() {
            polygon.push(corner, i as u16);
        }
        polygon
    }

    /// Inserts a corner into the edge outside of which it lies farthest, as seen along the polygon's normal.
    pub(super) fn extend_to(&mut self, corner: DVec3, normal: DVec3) {
        let beyond = |[from, to]: [DVec3; 2]| {
            let outwards = (to - from).cross(normal).normalize_or_zero();
            (corner - from).dot(outwards)
        };
        let sides = self.sides().map(beyond).enumerate();
        let side = sides.max_by(|(_, p), (_, q)| p.total_cmp(q));
        let Some((side, _)) = side.filter(|_| self.count < N) else {
            return;
        };
        let leaving = self.count as u16;
        self.push(corner, leaving);
        self.corners[side + 1..self.count].rotate_right(1);
    }

    fn push(&mut self, corner: DVec3, leaving: u16) {
        if self.count < N {
            self.corners[self.count] = (corner, leaving);
            self.count += 1;
        }
    }

    /// The edges, each from one corner to the next.
    pub(super) fn sides(&self) -> impl Iterator<Item = [DVec3; 2]> {
        let corners = self.corners();
        let after = corners.iter().cycle().skip(1);
        corners.iter().zip(after).map(|(from, to)| [from.0, to.0])
    }

    fn corners(&self) -> &[(DVec3, u16)] {
        &self.corners[..self.count]
    }

    /// Cuts off the part where `outwards . p > offset`; `outwards` need not be a unit vector. `side` is the number of the
    /// clipping side of the reference face.
    pub(super) fn clip(&mut self, outwards: DVec3, offset: f64, side: u16) {
        let height = |(corner, _): (DVec3, u16)| offset - outwards.dot(corner);
        let is_kept = |&corner: &(DVec3, u16)| height(corner) >= 0.0;
        if self.corners().iter().all(is_kept) {
            return;
        }
        let mut clipped = Self { count: 0, ..*self };
        clip_corners(self.corners(), height, |corner| {
            let (corner, leaving) = match corner {
                ClippedCorner::Kept(corner) => corner,
                ClippedCorner::Crossing {
                    ends: [(from, edge), (to, _)],
                    heights: [at_from, at_to],
                } => {
                    let crossing = from + (to - from) * (at_from / (at_from - at_to));
                    // After leaving the half-space, the polygon follows the clipping side; after entering, its own edge.
                    let is_leaving = at_from >= 0.0;
                    (crossing, if is_leaving { FIRST_SIDE | side } else { edge })
                }
            };
            clipped.push(corner, leaving);
        });
        // The crossing of the last edge comes first, because results depend on the order of contacts, and so on that
        // of corners.
        let ends = [self.corners().first(), self.corners().last()];
        if ends[0].map(is_kept) != ends[1].map(is_kept) {
            clipped.corners[..clipped.count].rotate_right(1);
        }
        *self = clipped;
    }

    /// The manifold of the clipped incident face and the reference plane, whose normal points out of its shape. Points further
    /// than `margin` metres in front of the plane are dropped. `faces` are the numbers of both faces.
    pub(super) fn manifold(
        &self,
        plane: &Plane,
        reference: Reference,
        margin: f64,
        faces: [u16; 2],
    ) -> Manifold {
        let shape = match reference {
            Reference::A => 0,
            Reference::B => 1_u64 << 63,
        };
        let of_faces = shape | u64::from(faces[0] & 0x3fff) << 48 | u64::from(faces[1]) << 32;
        let mut near = [ManifoldPoint::default(); N];
        let mut count = 0;
        let mut arriving = self.corners().last().map_or(0, |&(_, edge)| edge);
        for &(corner, leaving) in self.corners() {
            let separation = plane.distance(corner);
            if separation <= margin {
                let on_plane = corner - plane.normal * separation;
                let (on_a, on_b) = match reference {
                    Reference::A => (on_plane, corner),
                    Reference::B => (corner, on_plane),
                };
                near[count] = ManifoldPoint {
                    on_a,
                    on_b,
                    separation,
                    feature: of_faces | u64::from(arriving) << 16 | u64::from(leaving),
                };
                count += 1;
            }
            arriving = leaving;
        }
        let mut manifold = Manifold::EMPTY;
        if count > 0 {
            manifold.normal = match reference {
                Reference::A => -plane.normal,
                Reference::B => plane.normal,
            };
        }
        choose_points(&near[..count], &mut manifold);
        manifold
    }
}

/// Chooses the four points that support a body best: the deepest, the farthest from it, and on either side of these two the
/// point that spans the largest triangle with them.
pub(super) fn choose_points(points: &[ManifoldPoint], manifold: &mut Manifold) {
    if points.len() <= MAX_POINTS {
        points.iter().for_each(|point| manifold.push(*point));
        return;
    }
    let normal = manifold.normal;
    let deepest = &points[most(points, |point| -point.separation)];
    let farthest = &points[most(points, |point| (point.on_a - deepest.on_a).length_squared())];
    let across = normal.cross(farthest.on_a - deepest.on_a);
    let side = |point: &ManifoldPoint| across.dot(point.on_a - deepest.on_a);
    let (left, right) = (
        &points[most(points, side)],
        &points[most(points, |point| -side(point))],
    );
    manifold.push(*deepest);
    manifold.push(*farthest);
    // Points collinear with the first two lie to one side only by rounding.
    let in_line = 1e-9 * across.length_squared();
    if side(left) > in_line {
        manifold.push(*left);
    }
    if -side(right) > in_line {
        manifold.push(*right);
    }
}

/// The index of the point with the greatest measure, the first of several.
fn most(points: &[ManifoldPoint], measure: impl Fn(&ManifoldPoint) -> f64) -> usize {
    let (mut best, mut most) = (0, f64::NEG_INFINITY);
    for (i, point) in points.iter().enumerate() {
        let here = measure(point);
        if here > most {
            (best, most) = (i, here);
        }
    }
    best
}

/// The closest points of two lines, each given by a point and a direction; `None` if the lines are parallel.
pub(super) fn closest_on_lines(
    p: DVec3,
    along_p: DVec3,
    q: DVec3,
    along_q: DVec3,
) -> Option<[DVec3; 2]> {
    let across = along_p.cross(along_q);
    let area = across.length_squared();
    if area == 0.0 {
        return None;
    }
    let between = q - p;
    let s = between.cross(along_q).dot(across) / area;
    let t = between.cross(along_p).dot(across) / area;
    Some([p + along_p * s, q + along_q * t])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(size: f64) -> ClipPolygon<8> {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        ClipPolygon::new(
            corners
                .map(|(x, z)| DVec3::new(x, 0.0, z) * size)
                .into_iter(),
        )
    }

    const GROUND: Plane = Plane {
        normal: DVec3::Y,
        offset: 0.0,
    };

    #[test]
    fn a_clipped_square_keeps_the_names_of_its_corners_and_names_the_new_ones() {
        let mut polygon = square(1.0);
        let before = polygon.manifold(&GROUND, Reference::B, 0.0, [1, 2]);
        polygon.clip(DVec3::X, 0.5, 0);
        let after = polygon.manifold(&GROUND, Reference::B, 0.0, [1, 2]);
        assert_eq!(after.points().len(), 4);
        let features = |m: &Manifold| m.points().iter().map(|p| p.feature).collect::<Vec<_>>();
        let (before, after) = (features(&before), features(&after));
        let kept = after.iter().filter(|f| before.contains(f)).count();
        assert_eq!(kept, 2);
        let mut unique = after.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), 4);
    }

    #[test]
    fn a_polygon_that_is_cut_off_whole_leaves_no_points() {
        let mut polygon = square(1.0);
        polygon.clip(DVec3::X, -2.0, 0);
        let manifold = polygon.manifold(&GROUND, Reference::A, 0.0, [0, 0]);
        assert!(manifold.is_empty());
        polygon.clip(DVec3::X, -3.0, 1);
    }

    #[test]
    fn of_an_octagon_the_deepest_and_widest_four_are_taken() {
        let mut polygon = square(1.0);
        for (i, (x, z)) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
            .into_iter()
            .enumerate()
        {
            polygon.clip(DVec3::new(x, 0.0, z), 1.5, i as u16);
        }
        assert_eq!(polygon.corners().len(), 8);
        let manifold = polygon.manifold(&GROUND, Reference::B, 0.0, [0, 0]);
        assert_eq!(manifold.points().len(), 4);
        let mean = manifold.points().iter().map(|p| p.on_a).sum::<DVec3>() / 4.0;
        assert!(mean.length() < 0.3, "{manifold:?}");
    }
}
