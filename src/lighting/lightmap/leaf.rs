//! Groups of triangles in SoA layout, and their intersection with rays.

use glam::Vec3;

use crate::geometry::Aabb32;

/// The number of children of a node, and of triangles of a leaf.
pub(super) const LANES: usize = 8;
/// A back face at most this far in front of a front face, metres, belongs to the same wall, so that the ray hits the
/// front face: rooms may share a wall without thickness.
pub(super) const THIN: f32 = 1e-3;
/// The minimum magnitude of a direction's components: directions closer to a coordinate plane are tilted away from it,
/// to avoid division by 0.
const SLANT: f32 = 1e-9;

pub(super) type Lanes = [f32; LANES];

/// A triangle that blocks light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Occluder {
    /// The corners, metres, counter-clockwise seen from the front.
    pub corners: [Vec3; 3],
    /// Whether its back face counts as a front face too.
    pub two_sided: bool,
}

/// The half of a box above a plane.
pub(super) struct Above {
    pub within: Aabb32,
    /// A point of the plane.
    pub on: Vec3,
    /// The unit normal of the plane.
    pub normal: Vec3,
}

/// Corners and edges, one array per coordinate. Unused lanes contain a degenerate triangle.
#[derive(Default)]
pub(super) struct Leaf {
    a: [Lanes; 3],
    ab: [Lanes; 3],
    ac: [Lanes; 3],
    /// The determinant above which a ray hits a front face: 0, or less than any value for a two-sided triangle.
    min_determinant: Lanes,
}

/// Distances of the nearest front face hit and back face hit, metres.
pub(super) struct NearestHits {
    pub(super) front: f32,
    pub(super) back: f32,
}

impl NearestHits {
    /// The distance beyond which hits change nothing.
    pub(super) fn limit(&self) -> f32 {
        self.front.min(self.back + THIN)
    }
}

pub(super) struct Ray {
    pub(super) start: Vec3,
    pub(super) direction: Vec3,
    pub(super) inverse: Vec3,
}

impl Ray {
    pub(super) fn new(start: Vec3, direction: Vec3) -> Self {
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
    pub(super) fn new(occluders: &[Occluder]) -> Self {
        let mut leaf = Self::default();
        for (lane, occluder) in occluders.iter().enumerate() {
            let [a, b, c] = occluder.corners;
            for axis in 0..3 {
                leaf.a[axis][lane] = a[axis];
                leaf.ab[axis][lane] = b[axis] - a[axis];
                leaf.ac[axis][lane] = c[axis] - a[axis];
            }
            if occluder.two_sided {
                leaf.min_determinant[lane] = f32::NEG_INFINITY;
            }
        }
        leaf
    }

    /// Intersects a ray with all lanes at once: T. Möller and B. Trumbore, "Fast, minimum storage ray-triangle
    /// intersection", 1997.
    pub(super) fn meet(&self, ray: &Ray, met: &mut NearestHits) {
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
            let is_front = determinant > self.min_determinant[i];
            fronts[i] = if inside & is_front {
                distance
            } else {
                f32::INFINITY
            };
            backs[i] = if inside & !is_front {
                distance
            } else {
                f32::INFINITY
            };
        }
        met.front = met.front.min(min_lane(fronts));
        met.back = met.back.min(min_lane(backs));
    }

    pub(super) fn rises(&self, above: &Above, height: f32) -> bool {
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
