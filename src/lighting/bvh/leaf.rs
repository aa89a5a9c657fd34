//! Groups of triangles in SoA layout, and their intersection with rays.

use glam::Vec3;

use crate::geometry::Aabb32;

/// The number of children of a node, and of triangles of a leaf.
pub(in crate::lighting) const LANES: usize = 8;
/// A back face at most this far in front of a front face, metres, belongs to the same wall, so that the ray hits the
/// front face: rooms may share a wall without thickness.
pub(in crate::lighting) const THIN: f32 = 1e-3;
/// The minimum magnitude of a direction's components: directions closer to a coordinate plane are tilted away from it,
/// to avoid division by 0.
const SLANT: f32 = 1e-9;

pub(in crate::lighting) type Lanes = [f32; LANES];

/// A triangle that blocks light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::lighting) struct Occluder {
    /// The corners, metres, counter-clockwise seen from the front.
    pub corners: [Vec3; 3],
    pub sides: FaceSides,
    /// The number by which [`BvhHit`](super::tree::BvhHit) identifies the triangle.
    pub id: u32,
}

/// The meaning of the two sides of a triangle to rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lighting) enum FaceSides {
    /// Both sides are fronts.
    Fronts,
    /// The back is a back face: a ray that hits it starts inside an object or outside the level.
    FrontAndBack,
    /// Rays pass the back.
    FrontOnly,
}

/// The half of a box above a plane.
pub(in crate::lighting) struct Above {
    pub within: Aabb32,
    /// A point of the plane.
    pub on: Vec3,
    /// The unit normal of the plane.
    pub normal: Vec3,
}

/// Corners and edges, one array per coordinate. Unused lanes contain a degenerate triangle.
#[derive(Default)]
pub(in crate::lighting) struct Leaf {
    a: [Lanes; 3],
    ab: [Lanes; 3],
    ac: [Lanes; 3],
    /// The determinant above which a ray hits a front face: 0, or less than any value if both sides are fronts.
    min_front: Lanes,
    /// The determinant below which a ray hits a back face: 0, or less than any value if there is no back face.
    max_back: Lanes,
    ids: [u32; LANES],
}

/// Distances of the nearest front face hit and back face hit, metres.
pub(in crate::lighting) struct NearestHits {
    pub(in crate::lighting) front: f32,
    pub(in crate::lighting) back: f32,
    /// The triangles of these hits.
    pub(in crate::lighting) front_id: u32,
    pub(in crate::lighting) back_id: u32,
}

impl NearestHits {
    /// The distance beyond which hits change nothing.
    pub(in crate::lighting) fn limit(&self) -> f32 {
        self.front.min(self.back + THIN)
    }
}

pub(in crate::lighting) struct Ray {
    pub(in crate::lighting) start: Vec3,
    pub(in crate::lighting) direction: Vec3,
    pub(in crate::lighting) inverse: Vec3,
}

impl Ray {
    pub(in crate::lighting) fn new(start: Vec3, direction: Vec3) -> Self {
        let slanted = direction.to_array();
        let slanted = slanted.map(|x| if x.abs() < SLANT { SLANT } else { x });
        Self {
            start,
            direction,
            inverse: Vec3::from_array(slanted).recip(),
        }
    }
}

impl Leaf {
    pub(in crate::lighting) fn new(occluders: &[Occluder]) -> Self {
        let mut leaf = Self::default();
        for (lane, occluder) in occluders.iter().enumerate() {
            let [a, b, c] = occluder.corners;
            for axis in 0..3 {
                leaf.a[axis][lane] = a[axis];
                leaf.ab[axis][lane] = b[axis] - a[axis];
                leaf.ac[axis][lane] = c[axis] - a[axis];
            }
            if occluder.sides == FaceSides::Fronts {
                leaf.min_front[lane] = f32::NEG_INFINITY;
            }
            if occluder.sides != FaceSides::FrontAndBack {
                leaf.max_back[lane] = f32::NEG_INFINITY;
            }
            leaf.ids[lane] = occluder.id;
        }
        leaf
    }

    /// Intersects a ray with all lanes at once: T. Möller and B. Trumbore, "Fast, minimum storage ray-triangle
    /// intersection", 1997.
    pub(in crate::lighting) fn meet(&self, ray: &Ray, met: &mut NearestHits) {
        let Self { a, ab, ac, .. } = self;
        let (d, s) = (ray.direction, ray.start);
        let (mut fronts, mut backs) = ([f32::INFINITY; LANES], [f32::INFINITY; LANES]);
        for i in 0..LANES {
            let (abx, aby, abz) = (ab[0][i], ab[1][i], ab[2][i]);
            let (acx, acy, acz) = (ac[0][i], ac[1][i], ac[2][i]);
            let (px, py, pz) = (
                d.y * acz - d.z * acy,
                d.z * acx - d.x * acz,
                d.x * acy - d.y * acx,
            );
            let determinant = abx * px + aby * py + abz * pz;
            let scale = 1.0 / determinant;
            let (tx, ty, tz) = (s.x - a[0][i], s.y - a[1][i], s.z - a[2][i]);
            let u = (tx * px + ty * py + tz * pz) * scale;
            let (qx, qy, qz) = (
                ty * abz - tz * aby,
                tz * abx - tx * abz,
                tx * aby - ty * abx,
            );
            let v = (d.x * qx + d.y * qy + d.z * qz) * scale;
            let distance = (acx * qx + acy * qy + acz * qz) * scale;
            // Comparisons with NaN are false: degenerate triangles are never hit.
            let inside = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (distance > 0.0);
            let is_front = determinant > self.min_front[i];
            let is_back = determinant < self.max_back[i];
            fronts[i] = if inside & is_front {
                distance
            } else {
                f32::INFINITY
            };
            backs[i] = if inside & is_back {
                distance
            } else {
                f32::INFINITY
            };
        }
        let (front, back) = (min_lane(fronts), min_lane(backs));
        let id = |distances: Lanes, least: f32| {
            let lane = distances.iter().position(|&distance| distance == least);
            self.ids[lane.unwrap_or(0)]
        };
        if front < met.front {
            met.front = front;
            met.front_id = id(fronts, front);
        }
        if back < met.back {
            met.back = back;
            met.back_id = id(backs, back);
        }
    }

    pub(in crate::lighting) fn rises(&self, above: &Above, height: f32) -> bool {
        (0..LANES).any(|i| {
            let [a, ab, ac] =
                [&self.a, &self.ab, &self.ac].map(|v| Vec3::new(v[0][i], v[1][i], v[2][i]));
            // The triangles of unused lanes have edges of length 0.
            ab.abs().max(ac.abs()).max_element() > 0.0 && {
                let corners = [a, a + ab, a + ac];
                Aabb32::around_points(&corners).overlaps(&above.within)
                    && corners
                        .iter()
                        .any(|corner| above.normal.dot(*corner - above.on) > height)
            }
        })
    }
}

/// The minimum of all lanes.
fn min_lane(lanes: Lanes) -> f32 {
    let less = |a: f32, b: f32| if a < b { a } else { b };
    let [a, b, c, d, e, f, g, h] = lanes;
    let [a, b, c, d] = [less(a, e), less(b, f), less(c, g), less(d, h)];
    less(less(a, c), less(b, d))
}
